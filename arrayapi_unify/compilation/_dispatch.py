"""The program of a call of a compiled function: found by the types, otherwise by the whole key."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, NoReturn, cast

from arrayapi_unify import backends
from arrayapi_unify._core.failures import shorten
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import arrays_by_name, handler, name_of
from arrayapi_unify.backends._common.algorithms.graph_values import is_traced
from arrayapi_unify.backends._common.protocols.transformations import (
    Derived,
    raise_not_compiled,
)
from arrayapi_unify.binding import binding_of, no_autograph
from arrayapi_unify.compilation._autodiff import AutodiffProgram
from arrayapi_unify.compilation._call_key import Leaves, hashable
from arrayapi_unify.compilation._graphs import GraphProgram
from arrayapi_unify.compilation._guards import GuardBuilder, GuardFailed
from arrayapi_unify.compilation._lru_cache import Growth, LRUCache
from arrayapi_unify.compilation._programs import (
    Aliased,
    Captured,
    FlatProgram,
    Program,
    TreeProgram,
)
from arrayapi_unify.errors import raise_type_error
from arrayapi_unify.functional._carried import carried_in, lowered, raised
from arrayapi_unify.functional._held import refuse_holders
from arrayapi_unify.functional._transforms import admitted, isolate, native, tree_arrays, tree_map
from arrayapi_unify.views.traced import arrays_of

__all__ = ["compiled", "prepare"]

_NAME: Final = "compile"
_NOTHING: Final = object()


class _Call(NamedTuple):
    """One call: the arrays of its arguments, and the arguments."""

    binding: Any
    leaves: Leaves
    args: Sequence[Any]
    kwargs: dict[str, Any]


class _Compiled:
    """A function that is compiled, for all backends and kinds of calls."""

    def __init__(
        self,
        function: Callable[..., Any],
        backend: str | None,
        dynamic: bool | None,
        static: tuple[Sequence[int], Sequence[str]],
        options: Mapping[str, Any],
        exact: bool,
    ) -> None:
        """Store the options."""
        self.function = function
        self.name = getattr(function, "__name__", _NAME)
        self._parameters = _positional(function) if static[0] or static[1] else []
        self._backend = backend
        self._compile = {"dynamic": dynamic, **options}
        self._exact = exact
        self._static = static
        self._programs: LRUCache[Program] = LRUCache()
        # The functions of a namespace have as many kinds of calls as there are axes and shapes.
        self._growth = None if exact else Growth(self.name, _names(function))
        # Types of positional arguments -> the function for calls with these alone; None: by key.
        self.by_types: dict[tuple[type, ...], Callable[..., Any] | None] = {}
        self.by_type: dict[type, Callable[..., Any]] = {}

    # --- calls --------------------------------------------------------------------------------

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Make any call."""
        if self._parameters:
            self._check_static(args, kwargs)
        if self._exact and carried_in((args, kwargs)) is not None:
            return self.function(*args, **kwargs)  # which asks the class
        args, kwargs = lowered(self.name, "args", (args, kwargs))
        args, kwargs = admitted(self.name, "args", (args, kwargs))
        binding = self._binding(args, kwargs)
        try:
            if self._backend is None:
                return self._run(binding, args, kwargs)
            handler.push_block(self._backend, self)
            try:
                return self._run(binding, args, kwargs)
            finally:
                handler.pop_block(self._backend, self)
        except Exception as error:
            library = _compilation(binding.name)
            refusal = library.refusal(self.name, error) if library and library.WHOLE else None
            try:
                if refusal is None:
                    raise
                raise refusal from error
            finally:
                del refusal

    def _run(self, binding: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        leaves = Leaves(binding)
        named = dict(sorted(kwargs.items()))
        key = (
            binding.name,
            tuple([leaves.key(value) for value in args]),
            tuple([(name, leaves.key(value)) for name, value in named.items()]),
        )
        call = _Call(binding, leaves, args, named)
        hashable(self.name, "args", key)
        if not leaves.arrays and _compilation(binding.name) is None:
            return self._plain(args, kwargs)  # nothing to trace, maybe another namespace's
        if any(map(is_traced, leaves.arrays)):
            return self._plain(args, kwargs)
        if binding.backend.VIEW_EMULATION and not leaves.look():
            return self._plain(args, kwargs)
        try:
            return self._found(key, call)
        except Captured:
            pass
        return self._plain(args, kwargs)

    def _plain(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Call the function itself."""
        args, kwargs = raised((args, kwargs))
        return self.function(*args, **kwargs)

    def _found(self, key: tuple[Any, ...], call: _Call) -> Any:
        """Call the program for arguments of this memory layout."""
        leaves = call.leaves
        known = self._programs.get(key)
        library = _compilation(call.binding.name)
        if library is not None and library.WHOLE:
            return self._related(key, call, known, library)
        if leaves.layout is None:
            return self._served(key, call)
        if known is None or not known.looks:
            try:
                return self._served(key, call)
            except Aliased as alone:
                alone.program.looks = True
        leaves.aliases = leaves.layout
        return self._served((key, leaves.layout.key), call)

    def _related(
        self, key: tuple[Any, ...], call: _Call, known: Program | None, library: Derived
    ) -> Any:
        """Call the program for arrays that overlap in this way, if it may write to them."""
        leaves = call.leaves
        found = None
        if known is None or known.looks:
            reached = [x._data for x in arrays_of(self.function) if type(x) in leaves.kinds]
            found = library.relation([*leaves.natives, *reached])
        if found is None:
            return self._served(key, call)
        leaves.relation, visible = found
        if visible:
            ret = self._served((key, leaves.relation), call)
            program = self._programs.get((key, leaves.relation))
        else:
            program = self._made(call)
            assert isinstance(program, TreeProgram)  # of a library that reads Python code
            ret = program.watched(leaves, lambda: self._plain(call.args, call.kwargs))
        if known is None and program is not None and not program.looks:
            self._programs.put(key, program)
        return ret

    def _served(self, key: tuple[Any, ...], call: _Call) -> Any:
        """Call the program with this key."""
        leaves = call.leaves
        known = self._programs.get(key)
        if known is None:
            known = self._programs.put(key, self._made(call))
            plain = leaves.aliases is None and leaves.relation is None
            if self._growth is not None and plain:
                self._growth.note(*key[1:])
        if known.by_shape is None and not self._exact:
            try:
                ret = known.run(leaves)
            except GuardFailed:
                known.by_shape = LRUCache()
                self.by_type.clear()
                self.by_types.clear()
            else:
                self._add_fast_path(known, call)
                return ret
        if known.by_shape is None:
            known.by_shape = LRUCache()
        shapes = tuple([_sizes(call.binding, data) for data in leaves.natives])
        program = known.by_shape.get(shapes)
        if program is None:
            program = known.by_shape.put(shapes, self._made(call))
        ret = program.run(leaves)
        known.looks = known.looks or program.looks
        if program.EXACT:
            self._add_fast_path(program, call)
        return ret

    def _add_fast_path(self, program: Program, call: _Call) -> None:
        """Register the program of a call by the types of its arguments."""
        types = tuple(map(type, call.args))
        if self._backend is not None or types in self.by_types or not types or call.kwargs:
            return
        if call.leaves.layout is not None or call.leaves.relation is not None:
            return
        guards = GuardBuilder.of(call.args, call.binding.array)
        found = None if guards is None else program.fast_path(guards)
        self.by_types[types] = found
        if found is not None and len(types) == 1:
            self.by_type[types[0]] = found

    def _made(self, call: _Call) -> Program:
        """Make the program of a call."""
        binding, traced_call = call.binding, (call.leaves, call.args, call.kwargs)
        library = _compilation(binding.name)
        if library is None or not library.WHOLE:  # else the compiler sees what an object holds
            refuse_holders(self.name, (call.args, call.kwargs))
        if library is None:
            if backends.file_of(binding.name, "graph") is None:
                raise_not_compiled(_NAME, binding.name)
            return GraphProgram(self.function, *traced_call)
        if library.WHOLE and self._exact:  # its functions compute no derivatives
            return TreeProgram(self.function, *traced_call, library, self._compile)
        if library.WHOLE:
            return AutodiffProgram(binding, library, self._compile, self.function, traced_call)
        compiler = functools.partial(library.compiled, **self._compile)
        return FlatProgram(self.function, *traced_call, compiler, binding)

    # --- arguments ----------------------------------------------------------------------------

    def _binding(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the binding of a call's backend, which is that of its arrays."""
        names = {name_of(x) for value in (*args, *kwargs.values()) for x in tree_arrays(value)}
        wanted = {self._backend} if self._backend is not None else names
        if len(names | wanted) == 1:
            return binding_of(cast(str, next(iter(names | wanted))))
        if not names:
            return binding_of(handler.choose(_NAME, ()))
        self._raise_mixture_error(args, kwargs)

    def _raise_mixture_error(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> NoReturn:
        """Raise with the name of the first array of another backend."""
        given = {**{f"args[{i}]": value for i, value in enumerate(args)}, **kwargs}
        found = [pair for name, value in given.items() for pair in arrays_by_name(name, value)]
        name = self._backend or cast(str, name_of(found[0][1]))
        for argument, array in found:
            handler.check_backend(self.name, argument, array, name)
        raise AssertionError  # one of them has another backend

    def _check_static(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Raise for arrays in static arguments."""
        numbers, names = self._static
        parameters = self._parameters
        chosen = {
            *names,
            *(parameters[i] for i in numbers if -len(parameters) <= i < len(parameters)),
        }
        given = {**dict(zip(parameters, args, strict=False)), **kwargs}
        given |= {f"args[{i}]": args[i] for i in numbers if -len(args) <= i < len(args)}
        for argument, value in given.items():
            static = argument in chosen or argument.startswith("args[")
            if static and next(tree_arrays(value), None) is not None:
                raise_type_error(
                    self.name, argument, "is static, and holds an array",
                    "leave it out of static_argnums and static_argnames",
                )  # fmt: skip


def _sizes(binding: Any, data: Any) -> Hashable:
    backend = binding.backend
    return tuple(backend.shape_of(data)), backend.dtype_of(data)


def _positional(function: Callable[..., Any]) -> list[str]:
    """Return the names of the parameters that accept positional arguments."""
    either = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    found = inspect.signature(function).parameters.values()
    return [p.name for p in found if p.kind in either]


def _names(function: Callable[..., Any]) -> list[str]:
    """Return the names of positional parameters; none if there is no signature."""
    try:
        return _positional(function)
    except (TypeError, ValueError):
        return []


@functools.cache
def _compilation(name: str) -> Any:
    """Return the compiler functions of a backend's library; None if it has no compiler."""
    return backends.file_of(name, "_compilation")


def compiled(
    function: Callable[..., Any],
    backend: str | None,
    dynamic: bool | None,
    static: tuple[Sequence[int], Sequence[str]],
    options: Mapping[str, Any] = MappingProxyType({}),
    exact: bool = False,
) -> Callable[..., Any]:
    """Return the compiled function.

    `options` are passed to the library's compiler. With `exact`, a program serves arrays of the
    same shapes and data types only.
    """
    made = _Compiled(function, backend, dynamic, static, options, exact)
    by_type, by_types, call = made.by_type, made.by_types, made.call

    def run(x: Any = _NOTHING, /, *rest: Any, **kwargs: Any) -> Any:
        # One argument is the most common case; overhead here is noticeable for a small function.
        if not kwargs and not rest:
            program = by_type.get(type(x))
            if program is not None:
                try:
                    return program(x)
                except GuardFailed:  # the key finds another program
                    pass
        elif not kwargs:
            program = by_types.get((type(x), *map(type, rest)))
            if program is not None:
                try:
                    return program(x, *rest)
                except GuardFailed:
                    pass
        try:
            return call(() if x is _NOTHING else (x, *rest), kwargs)
        except Exception as error:
            shorten(error)
            raise

    return no_autograph(functools.wraps(function)(run))


def prepare(function: Callable[..., Any], inputs: Any) -> None:
    """Compile a function for arguments like these, which aren't modified."""

    def copied(leaf: Any) -> Any:
        name = name_of(leaf)
        if name is None:
            return leaf
        copy = isolate(binding_of(name), native(leaf))
        return copy if isinstance(leaf, Array) else copy._data

    args = tree_map(inputs if isinstance(inputs, tuple) else (inputs,), copied)
    function(*args)
