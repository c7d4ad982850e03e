"""Helpers of all functions that differentiate or vectorize: nests in and out, and the rules.

A library's `gradients` module takes functions of flat native arrays. The functions of users take
Arrays in any nesting. `FlatTree` flattens a nest; `_autodiff_call` has the rules.
"""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar, cast

from arrayapi_unify import backends
from arrayapi_unify._core.failures import shorten
from arrayapi_unify._core.registered import Flat
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import handler, name_of, python_scalar
from arrayapi_unify.backends._common.algorithms.graph_values import is_traced
from arrayapi_unify.backends._common.protocols.transformations import (
    Transforms,
    raise_not_differentiable,
)
from arrayapi_unify.binding import binding_of, no_autograph
from arrayapi_unify.binding.arguments import admit
from arrayapi_unify.errors import check_depth, describe, raise_type_error, raise_value_error
from arrayapi_unify.functional._carried import lowered, raised
from arrayapi_unify.functional._hidden_state import refused_in
from arrayapi_unify.functional._traversal import is_nest, items, tree_unflatten
from arrayapi_unify.functional.general import to_backend
from arrayapi_unify.views.confined import Confined
from arrayapi_unify.views.view import needs_emulation, view_of

F = TypeVar("F", bound=Callable[..., Any])

_loaded: Final[dict[str, Transforms]] = {}


def _is_array(value: Any) -> bool:
    return isinstance(value, Array) or name_of(value) is not None


def cast_gradient(binding: Any, function: str, argument: str, value: Any, data: Any) -> Any:
    """Return a derivative as a native array of the shape and data type of another one."""
    backend, functions = binding.backend, binding.functions
    like = binding.wrap(data)
    if value is None:
        return functions["zeros_like"](like)._data
    if python_scalar(value) is not None:
        return functions["full_like"](like, value)._data
    if not _is_array(value):
        raise_value_error(
            function, argument,
            f"has a {type(value).__qualname__} where an array of shape {like.shape} is wanted",
            "pass an array",
        )  # fmt: skip
    value = admit(function, argument, value, like)
    handler.check_backend(function, argument, value, binding.name)
    found = native(value)
    if backend.shape_of(found) != backend.shape_of(data):
        raise_value_error(
            function, argument,
            f"has an array of shape {backend.shape_of(found)} where {like.shape} is wanted",
            "pass arrays of the same shapes",
        )  # fmt: skip
    if backend.dtype_of(found) is backend.dtype_of(data):
        return found
    return functions["astype"](binding.wrap(found), like.dtype)._data


def native(array: Any) -> Any:
    """Return the native array of an array."""
    return array._data if isinstance(array, Array) else array


def tree_zip(function: str, argument: str, nest: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """Pair the leaves of a nest with what stands there in another one of the same structure."""
    if not is_nest(nest):
        yield nest, other
        return
    theirs = dict(items(other)) if is_nest(other) else None
    ours = dict(items(nest))
    unlike = isinstance(nest, Flat) and not nest.is_like(other)
    if theirs is None or theirs.keys() != ours.keys() or unlike:
        raise_value_error(
            function, argument, f"has {_structure(other)} where {_structure(nest)} is wanted",
            "pass a nest of the same structure",
        )  # fmt: skip
    for name, value in ours.items():
        yield from tree_zip(function, argument, value, theirs[name])


def _structure(nest: Any) -> str:
    if isinstance(nest, Flat):
        return f"a {nest.kind.__qualname__} with {nest.aux!r}"
    named = f" of {[name for name, _ in items(nest)][:8]}" if is_nest(nest) else ""
    return f"a {type(nest).__qualname__}{named}"


def tree_map(nest: Any, change: Callable[[Any], Any]) -> Any:
    """Rebuild a nest with other leaves; a single leaf is a nest as well."""
    if isinstance(nest, Array) or not is_nest(nest):
        return change(nest)
    if type(nest) is tuple:
        return tuple([tree_map(value, change) for value in nest])
    return tree_unflatten(nest, [(name, tree_map(value, change)) for name, value in items(nest)])


def tree_arrays(nest: Any) -> Iterator[Any]:
    """Yield the arrays of a nest in order."""
    if isinstance(nest, Array):
        yield nest
    elif is_nest(nest):
        for _, value in items(nest):
            if isinstance(value, Array):  # most are, and a generator takes longer to make
                yield value
            else:
                yield from tree_arrays(value)
    elif name_of(nest) is not None:
        yield nest


def leaf_ids(nest: Any) -> set[int]:
    """Return by what `FlatTree` knows the arrays of a nest."""
    return {id(array) for array in tree_arrays(nest)}


def admitted(function: str, argument: str, nest: Any) -> Any:
    """Return a nest with Arrays in place of NumPy's arrays next to them (docs/interop.md)."""
    arrays = list(tree_arrays(nest))
    host = handler.host_of(arrays) if any(map(handler.is_guest, arrays)) else None
    return nest if host is None else tree_map(nest, lambda x: admit(function, argument, x, host))


class FlatTree:
    """The arrays of a nest, each of them once, and the nest around them."""

    __slots__ = ("_nest", "arrays", "places")
    arrays: list[Any]
    places: dict[int, int]

    def __init__(self, nest: Any) -> None:
        """Take a nest apart."""
        self._nest = nest
        alone = nest[0] if type(nest) is tuple and len(nest) == 1 else nest
        if isinstance(alone, Array):
            self.arrays, self.places = [alone], {id(alone): 0}
            return
        self.arrays = []
        self.places = {}
        for array in tree_arrays(nest):
            if id(array) not in self.places:
                self.places[id(array)] = len(self.arrays)
                self.arrays.append(array)

    def unflatten(self, values: Sequence[Any]) -> Any:
        """Return the nest with a value in the place of each array, wherever it occurs."""
        places = self.places
        if isinstance(self._nest, Array) or not is_nest(self._nest):
            return values[0] if places else self._nest
        return tree_map(
            self._nest, lambda leaf: values[places[id(leaf)]] if id(leaf) in places else leaf
        )


def traced_once(
    function: str, binding: Any, natives: Sequence[Any], call: Callable[[], Any]
) -> Any:
    """Do what `confined` does, for a trace that serves several calls: no hidden state changes."""
    if binding.backend.is_compiling():
        return call()
    with refused_in(function):
        return confined(function, binding, natives, call)


def confined(
    function: str, binding: Any, natives: Sequence[Any], call: Callable[[], Any],
    own: Sequence[Array] = (),
) -> Any:  # fmt: skip
    """Call a function of native arrays; one that is traced must not write to Arrays from outside.

    An Array that it wrote to and returns is another one here. `natives` are those of the trace, if
    there are any; `own` are the function's arguments, which may be alive afterwards.
    """
    backend = binding.backend
    if backend.is_compiling() or (natives and not any(map(backend.tracer_of, natives))):
        return call()
    with Confined(function, backend, natives) as scope:
        ret = call()
        if scope.wrote:
            parts = FlatTree(lowered(function, "func", ret, returned=True))
            ret = parts.unflatten(
                [binding.wrap(x._data) if isinstance(x, Array) else x for x in parts.arrays]
            )
            del parts
    scope.check(own)
    return ret


# --- backends -----------------------------------------------------------------------------------


def transforms_of(function: str, name: str) -> Transforms:
    """Return how a backend differentiates and vectorizes."""
    found = _transforms(name)
    if found is None:
        raise_not_differentiable(function, name, differentiating())
    return found


def _transforms(name: str) -> Transforms | None:
    found = _loaded.get(name)
    if found is None:
        module = backends.file_of(name, "gradients")
        if hasattr(module, "DIFFERENTIATES"):  # else it has functions of gradients at most
            found = _loaded[name] = cast(Transforms, module)
    return found


def transforms_tracking(x: Array) -> Transforms | None:
    """Return how an array's backend differentiates if derivatives by the array may be taken."""
    found = _transforms(x.backend)
    if not getattr(found, "DIFFERENTIATES", False):  # a backend of others may declare nothing
        return None
    return found if found is not None and found.tracking((x._data,)) else None


def differentiating() -> list[str]:
    """Name the backends that differentiate; of other packages those that are in use."""
    others = (name for name in backends.names() if name in _loaded)
    own = backends.DIFFERENTIATING
    return [*own, *(n for n in others if n not in own and _loaded[n].DIFFERENTIATES)]


def binding_for(function: str, argument: str, arrays: Iterable[Any]) -> Any:
    """Return the binding of the backend on which a call with these arrays runs."""
    found = [(argument, array) for array in arrays]
    if not found:
        raise_type_error(
            function, argument, "holds no array",
            "pass an array, or a list, tuple, dict or Container with arrays in it",
        )  # fmt: skip
    return binding_of(handler.choose(function, found))


class Derivatives(threading.local):
    """The number of derivatives that were computed, for each thread."""

    count = 0


derivatives: Final = Derivatives()


def check_dependent(function: str, connected: bool, before: int, depends: Any) -> None:
    """Refuse a function that returned nothing that depends on what it is differentiated by.

    A derivative of its own may be constant, as that of a linear function is. `depends()` says
    whether there is another reason that nothing tracks the results.
    """
    if not connected and derivatives.count == before and not depends():
        raise_type_error(
            function, "func", "returns no array that depends on the arrays to differentiate by",
            "return one that is computed from them by functions of the namespace",
        )  # fmt: skip
    derivatives.count += 1


def isolate(binding: Any, data: Any, wrap: Callable[[Any], Any] | None = None) -> Array:
    """Return an Array of a user's function: a write to it must not reach the caller's memory."""
    safe = needs_emulation(binding.backend, data)
    return cast(Array, (wrap or binding.wrap)(data if safe else binding.backend.copy(data)))


def state_of(binding: Any, arrays: Sequence[Array]) -> list[Any]:
    """Return what a write to an array changes, for each."""
    control_flow = binding.control_flow
    count = binding.backend.version_of if control_flow is None else control_flow.count_writes
    return [(x._data, None if is_traced(x) else count(x._data)) for x in arrays]


def written_since(binding: Any, states: Sequence[Any], arrays: Sequence[Array]) -> list[int]:
    """Return the places of the arrays that were written to, as far as the library tells."""
    pairs = enumerate(zip(states, state_of(binding, arrays), strict=True))
    return [i for i, (old, new) in pairs if old[0] is not new[0] or old[1] != new[1]]


def share_memory(shares: Callable[[Any, Any], bool], arrays: Sequence[Any]) -> bool:
    """Return True if some Arrays share memory, also where the library has a copy for a view."""
    pairs = zip(arrays, map(view_of, arrays), strict=True)
    natives = [x._data if view is None else view.memory.current() for x, view in pairs]
    together = itertools.combinations(natives, 2)
    return any(x is y or shares(x, y) for x, y in together)


def single_array(args: tuple[Any, ...]) -> tuple[Any, Transforms] | None:
    """Return the binding, and how it differentiates, of a call with one Array of floats.

    None where there is more to it, or where a backend is set or has to be looked for.
    """
    if len(args) != 1 or not isinstance(args[0], Array) or handler.active_backend() is not None:
        return None
    x = args[0]
    name = x.backend
    transforms = _loaded.get(name)
    if transforms is None or not transforms.DIFFERENTIATES or handler.log_level:
        return None
    binding = binding_of(name)
    plain = type(x) is binding.array and binding.backend.dtype_of(x._data).kind in "fc"
    return (binding, transforms) if plain else None


def on_backend(via: str | None, function: str, args: Any, run: Callable[[Any], Any]) -> Any:
    """Call `run` with the arrays of nests on another backend, and bring back what it returns."""
    try:
        if via is None:
            return uncompiled(function, args, run)
        args = lowered(function, "args", args)
        transfer = BackendTransfer(function, args, via)
        with transfer.active():
            return transfer.back(uncompiled(function, transfer.to(args), run))
    except Exception as error:
        shorten(error)
        raise


def uncompiled(function: str, args: Any, run: Callable[[Any], Any], argument: str = "args") -> Any:
    """Call `run` as it is, where a compiler that follows Python's code meets it.

    It gets no objects, and returns none.
    """
    args = lowered(function, argument, args)
    try:
        args = admitted(function, argument, args)
        name = name_of(next(tree_arrays(args), None))
        # Without an array `run` has something to say about it.
        if name is None:
            return raised(run(args))
        return raised(transforms_of(function, name).uncompiled(run, args))
    except RecursionError:
        check_depth(function, [(argument, args)])
        raise


def wraps(func: Callable[..., Any]) -> Callable[[F], F]:
    """Decorate the function that is made of a user's function."""

    def decorate(made: F) -> F:
        return no_autograph(cast(F, functools.wraps(func)(made)))

    return decorate


class BackendTransfer:
    """The way to another backend and back."""

    def __init__(self, function: str, args: Any, via: str) -> None:
        """Find out where the arrays of a nest without objects are at home."""
        self.function = function
        self.home: str = binding_for(function, "xs", tree_arrays(args)).name
        if not isinstance(via, str) or via not in backends.names():
            remedy = "pass a backend's name, as unify.get_backend takes it"
            raise_value_error(function, "via", f"is {describe(via)}, which is no backend", remedy)
        self.via: str = binding_of(via).name
        self._known: dict[int, tuple[Any, Array]] = {}

    @contextmanager
    def active(self) -> Iterator[None]:
        """Let functions without an array run on the other backend, too."""
        handler.push_block(self.via, self)
        try:
            yield
        finally:
            handler.pop_block(self.via, self)

    def to(self, nest: Any, argument: str = "args") -> Any:
        """Return a nest with arrays of the other backend; the same array stays the same."""
        try:
            return tree_map(lowered(self.function, argument, nest), self._to)
        except RecursionError:
            check_depth(self.function, [(argument, nest)])
            raise

    def _to(self, leaf: Any) -> Any:
        if not _is_array(leaf):
            return leaf
        if id(leaf) not in self._known:
            self._known[id(leaf)] = leaf, to_backend(leaf, self.via)
        return self._known[id(leaf)][1]

    def back(self, nest: Any) -> Any:
        """Return a nest with arrays of the backend that they came from."""
        return raised(tree_map(lowered(self.function, "func", nest, returned=True), self._back))

    def _back(self, leaf: Any) -> Any:
        if name_of(leaf) != self.via:
            return leaf
        data = transforms_of(self.function, self.via).detached(native(leaf))
        return to_backend(binding_of(self.via).wrap(data), self.home)


def is_lazy(x: Any) -> bool:
    """Return True if a value is an array of a lazy library."""
    name = name_of(x)
    return name is not None and backends.load(name).lazy is not None


def computed(arrays: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return nests with computed arrays in place of lazy ones; the same tuple if there are none."""
    try:
        found = {id(x): x for x in tree_arrays(arrays) if is_lazy(x)}
        values = _values_of(found)
        return tree_map(arrays, lambda leaf: values.get(id(leaf), leaf)) if found else arrays
    except RecursionError:
        check_depth("compute", [("arrays", arrays)])
        raise


def _values_of(arrays: dict[int, Any]) -> dict[int, Any]:
    """Compute arrays, by their identities; those of each library in one pass."""
    made: dict[int, Any] = {}
    for name in dict.fromkeys(map(name_of, arrays.values())):
        group = {key: x for key, x in arrays.items() if name_of(x) == name}
        values = backends.load(str(name)).lazy.compute([native(x) for x in group.values()])
        for (key, x), value in zip(group.items(), values, strict=True):
            made[key] = Array(value) if isinstance(x, Array) else value
    return made
