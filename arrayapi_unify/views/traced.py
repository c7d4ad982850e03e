"""Aliased arguments and results of a traced function, for libraries with emulated views.

A framework traces native arrays that never change. A trace is therefore valid for one memory layout
of the arguments (`ArgumentLayout`), and records the one of its results (`ResultLayout`). A function
that neither writes to its arguments nor returns views of them gives the same result for every
layout. `reaches` finds arrays in closures and global names of a function: a trace has their values.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from types import CodeType, FunctionType, MappingProxyType, MethodType
from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.views import emulation, layouts
from arrayapi_unify.views.memory import Memory
from arrayapi_unify.views.view import Region, View, ViewOp, view_of

__all__ = [
    "ArgumentLayout",
    "ResultLayout",
    "argument_layout",
    "arrays_of",
    "is_known",
    "reaches",
    "sees_copies",
]


class _SharedMemory:
    """A memory of several arrays: its shape and kind of data type, and the ops to each of them."""

    def __init__(self, backend: Any, data: Any, ops: dict[int, list[ViewOp]]) -> None:
        """Describe the memory by its native array; nothing of it is kept."""
        self.root = backend.shape_of(data), backend.dtype_of(data).kind
        self.ops = ops

    def made(
        self, binding: Any, native: Any, natives: Mapping[int, Any] = MappingProxyType({})
    ) -> dict[int, Array]:
        """Make such Arrays of the memory's native array, and of theirs where these are known."""
        root = View(Memory(binding.backend, native), Region(layouts.new(*self.root)))
        return {i: _viewed(binding, root, ops, natives.get(i)) for i, ops in self.ops.items()}


class ArgumentLayout:
    """The memory layout of a call's arguments, where it needs a trace of its own."""

    def __init__(self, backend: Any, arrays: Sequence[Any], kinds: Sequence[bool]) -> None:
        """Find the arguments that share memory; `kinds` says which of them are Arrays."""
        first: dict[int, int] = {}
        self._same: dict[int, int] = {}
        together: dict[Memory, dict[int, View]] = {}
        self._kinds = list(kinds)
        for i, array in enumerate(arrays):
            if first.setdefault(id(array), i) != i:
                self._same[i] = first[id(array)]
                continue
            view = view_of(array) if kinds[i] else None
            if view is not None and not view.is_traced:
                together.setdefault(view.memory, {})[i] = view
        shared = {
            memory: views
            for memory, views in together.items()
            if len(views) > 1 or not all(map(_is_plain, views.values()))
        }
        self._groups = [
            _SharedMemory(
                backend, memory.current(), {i: view.region.ops() for i, view in views.items()}
            )
            for memory, views in shared.items()
        ]
        grouped = {i for views in shared.values() for i in views}
        self._alone = [i for i in range(len(arrays)) if i not in grouped and i not in self._same]
        self.key: Hashable = (
            tuple(self._same.items()),
            tuple([_key(backend, memory, views) for memory, views in shared.items()]),
        )

    @property
    def is_plain(self) -> bool:
        """True if no two arguments share memory, and each has the layout of a new array."""
        return not self._same and not self._groups

    def natives(self, arrays: Sequence[Any]) -> list[Any]:
        """Return the native arrays that are traced: of arguments alone, and of shared memories."""
        alone = [arrays[i]._data if self._kinds[i] else arrays[i] for i in self._alone]
        firsts = [next(iter(group.ops)) for group in self._groups]
        return [*alone, *[arrays[i]._view.memory.current() for i in firsts]]

    def made(self, binding: Any, natives: Sequence[Any]) -> list[Any]:
        """Make arguments of this layout from the native arrays."""
        rest = iter(natives)
        made: dict[int, Any] = {}
        for i in self._alone:
            native = next(rest)
            made[i] = binding.wrap(native) if self._kinds[i] else native
        for group, native in zip(self._groups, rest, strict=True):
            made.update(group.made(binding, native))
        made |= {i: made[first] for i, first in self._same.items()}
        return [made[i] for i in range(len(made))]


def argument_layout(
    backend: Any, arrays: Sequence[Any], kinds: Sequence[bool]
) -> ArgumentLayout | None:
    """Return the memory layout of arguments; None if each has memory of its own, as a new array."""
    views = [getattr(x, "_view", None) for x, ours in zip(arrays, kinds, strict=True) if ours]
    if all(view is None for view in views) and len(set(map(id, arrays))) == len(arrays):
        return None
    found = ArgumentLayout(backend, arrays, kinds)
    return None if found.is_plain else found


def is_known(arrays: Sequence[Any]) -> bool:
    """Return True if the layouts of all Arrays are known: a trace may leave a size unknown."""
    views = [getattr(x, "_view", None) and view_of(x) for x in arrays]
    return not any(view is not None and view.is_traced for view in views)


def _is_plain(view: View) -> bool:
    """Return True if a view has the layout of a new array, or one that isn't known in a trace."""
    return view.is_traced or (not view.read_only and layouts.is_plain(view.region.layout))


def _key(backend: Any, memory: Memory, views: dict[int, View]) -> Hashable:
    """Return what tells a shared memory from those of other shapes, data types and layouts."""
    places = [
        (i, layouts.place(view.region.layout, view.region.root.layout), view.read_only)
        for i, view in views.items()
    ]
    data = memory.current()
    return backend.shape_of(data), backend.dtype_of(data), tuple(places)


def _viewed(binding: Any, view: View, ops: Sequence[ViewOp], native: Any = None) -> Array:
    """Take a view by its ops."""
    for op in ops:
        view = View(view.memory, view.region.after(op))
    return binding.wrap_view(view.value() if native is None else native, view)


class ResultLayout:
    """The results of a traced function that share memory with arguments or with each other.

    It is made during the trace, and holds nothing of the trace except `roots`, which the traced
    function returns together with the results.
    """

    def __init__(self, backend: Any, given: Sequence[Any], results: Sequence[Any]) -> None:
        """Compare arguments and results after the function has run; native arrays share nothing."""
        arguments = {
            id(view.region): i for i, x in enumerate(given) if (view := view_of(x)) is not None
        }
        own = {id(x): i for i, x in enumerate(given)}
        views = {i: view for i, x in enumerate(results) if (view := view_of(x)) is not None}
        self.own = {i: own[id(x)] for i, x in enumerate(results) if id(x) in own}
        """The arguments that are results themselves."""
        first: dict[int, int] = {}
        self.same = {i: first[id(x)] for i, x in enumerate(results)
                     if first.setdefault(id(x), i) != i}  # fmt: skip
        """Results that are an earlier one again."""
        self._of_argument: dict[int, tuple[int, list[ViewOp]]] = {}
        together: dict[Memory, dict[int, list[ViewOp]]] = {}
        for i, view in views.items():
            if i in self.own or i in self.same:
                continue
            source, ops = _path(view.region, arguments)
            if source in arguments:
                self._of_argument[i] = arguments[source], ops
            else:
                together.setdefault(view.memory, {})[i] = ops
        shared = {
            memory: parts
            for memory, parts in together.items()
            if len(parts) > 1 or not all(_is_plain(views[i]) for i in parts)
        }
        self.roots = [memory.current() for memory in shared]
        self._groups = [
            _SharedMemory(backend, native, parts)
            for native, parts in zip(self.roots, shared.values(), strict=True)
        ]

    @property
    def of_arguments(self) -> bool:
        """True if a result is a view of an argument."""
        return bool(self._of_argument)

    @property
    def places(self) -> list[int]:
        """The indices of results that are views of arguments, or of memories in `roots`."""
        return [*self._of_argument, *(i for group in self._groups for i in group.ops)]

    @property
    def key(self) -> Hashable:
        """A key of the results' memory layout: results with equal keys are made in the same way."""
        return (
            tuple(self.own.items()),
            tuple(self.same.items()),
            tuple([(i, source, len(ops)) for i, (source, ops) in self._of_argument.items()]),
            tuple([(tuple(group.ops), group.root) for group in self._groups]),
        )

    def made(
        self, binding: Any, given: Sequence[Any], natives: dict[int, Any], roots: Sequence[Any]
    ) -> dict[int, Array]:
        """Make the results that share memory of their native arrays."""
        backend, made = binding.backend, {}
        for i, (source, ops) in self._of_argument.items():
            made[i] = _viewed(
                binding, emulation.ensure_view(backend, given[source]), ops, natives[i]
            )
        for native, group in zip(roots, self._groups, strict=True):
            made |= group.made(binding, native, natives)
        return made


def _path(region: Region, ends: dict[int, int]) -> tuple[int, list[ViewOp]]:
    """Return the region from which another one comes, an end if there is one, and the ops."""
    ops: list[ViewOp] = []
    while id(region) not in ends and region.source is not None:
        assert region.op is not None  # else it would have no source
        ops.append(region.op)
        region = region.source
    return id(region), ops[::-1]


def sees_copies(given: Sequence[Any]) -> bool:
    """Return True if a function made a copy that would be a view for another argument layout."""
    return any(view.memory.copied for x in given if (view := view_of(x)) is not None)


_OURS: Final = __name__.partition(".")[0]


def reaches(function: Any, written: Sequence[Array]) -> bool:
    """Return True if a function reaches an Array that shares memory with one of `written`.

    The search covers the closures and global names of the function, and of the functions in these.
    It doesn't cover nests and objects, which may be as large as a data set.
    """
    own = set(map(id, written))
    memories = {view.memory for x in written if (view := view_of(x)) is not None}
    for array in arrays_of(function):
        view = view_of(array)
        if id(array) in own or (view is not None and view.memory in memories):
            return True
    return False


def arrays_of(function: Any) -> Iterator[Array]:
    """Find the Arrays in the closures and global names of a function, without repetition."""
    seen, waiting = set[int](), [function]
    while waiting:
        value = waiting.pop()
        kind = type(value)  # no attribute access: objects may be lazy imports
        if kind is MethodType:
            value = value.__func__
        if id(value) in seen:
            continue
        seen.add(id(value))
        if issubclass(kind, Array):
            yield value
        elif type(value) is FunctionType:
            waiting += _held(value)


def _held(function: FunctionType) -> Iterator[Any]:
    """Return the values in the closure of a function, and those of the global names in its code."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # an empty cell
            continue
    names = function.__globals__
    if function.__module__ and function.__module__.partition(".")[0] == _OURS:
        return
    for name in _names(function.__code__):
        value = names.get(name)
        if type(value) is not FunctionType or value.__globals__ is names:
            yield value


def _names(code: CodeType) -> Iterator[str]:
    """Return the names in a code object, and in its functions and comprehensions."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
