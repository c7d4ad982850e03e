"""What all functions that differentiate or vectorize share: nests in and out, and the rules.

A library's `gradients` module takes functions of flat native arrays. The functions of users take
Arrays in any nesting. `Parts` takes a nest apart, `Differentiated` is a call of a user's function
as a library differentiates it, with the rules that hold on every backend:

- an array that occurs several times is one variable, and one Array for the function;
- integers become floating-point numbers first;
- the function gets Arrays of its own, so that what it writes to them is written nowhere else;
- a derivative that is NaN or infinite is 0;
- what isn't to be differentiated further is detached, before and after.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar, cast

from arrayapi_unify import backends
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.views import is_followed
from arrayapi_unify.backends import handler, name_of, package_of, python_scalar
from arrayapi_unify.backends._common.gradients import (
    Natives,
    Pull,
    Transforms,
    refuse_to_differentiate,
)
from arrayapi_unify.binding import binding_of, not_rewritten
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError, refuse
from arrayapi_unify.functional._bodies import default_float
from arrayapi_unify.functional._traversal import is_nest, items, rebuilt
from arrayapi_unify.functional.general import to_backend

__all__ = [
    "Crossing",
    "Differentiated",
    "Parts",
    "aligned",
    "alone",
    "arrays_of",
    "binding_for",
    "fitting",
    "given",
    "leaf_ids",
    "mapped",
    "native",
    "on_backend",
    "remade",
    "transforms_of",
    "uncompiled",
    "without_infinities",
]

F = TypeVar("F", bound=Callable[..., Any])

_loaded: Final[dict[str, Transforms]] = {}


def _is_array(value: Any) -> bool:
    return isinstance(value, Array) or name_of(value) is not None


def fitting(binding: Any, function: str, argument: str, value: Any, data: Any) -> Any:
    """Return a derivative as a native array of the shape and data type of another one."""
    backend, functions = binding.backend, binding.functions
    like = binding.wrap(data)
    if value is None:
        return functions["zeros_like"](like)._data
    if python_scalar(value) is not None:
        return functions["full_like"](like, value)._data
    if not _is_array(value):
        refuse(
            UnifyValueError, function, argument,
            f"has a {type(value).__qualname__} where an array of shape {like.shape} is wanted",
            "pass an array",
        )  # fmt: skip
    handler.check_member(function, argument, value, binding.name)
    found = native(value)
    if backend.shape_of(found) != backend.shape_of(data):
        refuse(
            UnifyValueError, function, argument,
            f"has an array of shape {backend.shape_of(found)} where {like.shape} is wanted",
            "pass arrays of the same shapes",
        )  # fmt: skip
    if backend.dtype_of(found) is backend.dtype_of(data):
        return found
    return functions["astype"](binding.wrap(found), like.dtype)._data


def native(array: Any) -> Any:
    """Return the native array of an array."""
    return array._data if isinstance(array, Array) else array


def aligned(function: str, argument: str, nest: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """Pair the leaves of a nest with what stands there in another one of the same structure."""
    if not is_nest(nest):
        yield nest, other
        return
    theirs = dict(items(other)) if is_nest(other) else None
    ours = dict(items(nest))
    if theirs is None or theirs.keys() != ours.keys():
        refuse(
            UnifyValueError, function, argument,
            f"has {_structure(other)} where {_structure(nest)} is wanted",
            "pass a nest of the same structure",
        )  # fmt: skip
    for name, value in ours.items():
        yield from aligned(function, argument, value, theirs[name])


def _structure(nest: Any) -> str:
    named = f" of {[name for name, _ in items(nest)][:8]}" if is_nest(nest) else ""
    return f"a {type(nest).__qualname__}{named}"


def mapped(nest: Any, change: Callable[[Any], Any]) -> Any:
    """Build a nest anew, with other leaves; a leaf by itself is a nest as well."""
    if isinstance(nest, Array) or not is_nest(nest):
        return change(nest)
    if type(nest) is tuple:
        return tuple([mapped(value, change) for value in nest])
    return rebuilt(nest, [(name, mapped(value, change)) for name, value in items(nest)])


def arrays_of(nest: Any) -> Iterator[Any]:
    """Yield the arrays of a nest in order."""
    if isinstance(nest, Array):
        yield nest
    elif is_nest(nest):
        for _, value in items(nest):
            if isinstance(value, Array):  # most are, and a generator takes longer to make
                yield value
            else:
                yield from arrays_of(value)
    elif name_of(nest) is not None:
        yield nest


def leaf_ids(nest: Any) -> set[int]:
    """Return by what `Parts` knows the arrays of a nest."""
    return {id(array) for array in arrays_of(nest)}


class Parts:
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
        for array in arrays_of(nest):
            if id(array) not in self.places:
                self.places[id(array)] = len(self.arrays)
                self.arrays.append(array)

    def filled(self, values: Sequence[Any]) -> Any:
        """Return the nest with a value in the place of each array, wherever it occurs."""
        places = self.places
        if isinstance(self._nest, Array) or not is_nest(self._nest):
            return values[0] if places else self._nest
        return mapped(
            self._nest, lambda leaf: values[places[id(leaf)]] if id(leaf) in places else leaf
        )


# --- backends -----------------------------------------------------------------------------------


def transforms_of(function: str, name: str) -> Transforms:
    """Return how a backend differentiates and vectorizes."""
    found = _loaded.get(name)
    if found is None:
        path = f"{package_of(name)}.gradients"
        try:
            found = _loaded[name] = cast(Transforms, importlib.import_module(path))
        except ModuleNotFoundError as error:
            if error.name != path:
                raise
            refuse_to_differentiate(function, name, _differentiating())
    return found


def _differentiating() -> list[str]:
    """Name the backends that are there for it: all but those known not to differentiate."""
    return [name for name in backends.names() if name != backends.DEFAULT]


def binding_for(function: str, argument: str, arrays: Iterable[Any]) -> Any:
    """Return the binding of the backend on which a call with these arrays runs."""
    found = [(argument, array) for array in arrays]
    if not found:
        refuse(
            UnifyTypeError, function, argument, "holds no array",
            "pass an array, or a list, tuple, dict or Container with arrays in it",
        )  # fmt: skip
    return binding_of(handler.choose(function, found))


def given(binding: Any, data: Any, wrap: Callable[[Any], Any] | None = None) -> Array:
    """Return an Array of a user's function: a write to it must not reach the caller's memory."""
    safe = is_followed(binding.backend, data)
    return cast(Array, (wrap or binding.wrap)(data if safe else binding.backend.copy(data)))


def without_infinities(binding: Any, x: Array) -> Array:
    """Return a derivative with 0 where it isn't finite."""
    functions = binding.functions
    return cast(Array, functions["where"](functions["isfinite"](x), x, 0.0))


def alone(args: tuple[Any, ...]) -> tuple[Any, Transforms] | None:
    """Return the binding, and how it differentiates, of a call with one Array of floats.

    None where there is more to it, or where a backend is set or has to be looked for.
    """
    if len(args) != 1 or not isinstance(args[0], Array) or handler.explicit() is not None:
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
    if via is None:
        return uncompiled(function, args, run)
    crossing = Crossing(function, args, via)
    with crossing.there():
        return crossing.back(uncompiled(function, crossing.over(args), run))


def uncompiled(function: str, args: Any, run: Callable[[Any], Any]) -> Any:
    """Call `run` as it is, where a compiler that follows Python's code meets it."""
    name = name_of(next(arrays_of(args), None))
    # Without an array `run` has something to say about it.
    return run(args) if name is None else transforms_of(function, name).uncompiled(run, args)


def remade(func: Callable[..., Any]) -> Callable[[F], F]:
    """Decorate the function that is made of a user's function."""

    def decorate(made: F) -> F:
        return not_rewritten(cast(F, functools.wraps(func)(made)))

    return decorate


class Crossing:
    """The way to another backend and back."""

    def __init__(self, function: str, args: Any, via: str) -> None:
        """Find out where the arrays are at home."""
        self.function = function
        self.home: str = binding_for(function, "xs", arrays_of(args)).name
        self.via: str = binding_of(via).name
        self._known: dict[int, tuple[Any, Array]] = {}

    @contextmanager
    def there(self) -> Iterator[None]:
        """Let functions without an array run on the other backend, too."""
        handler.enter(self.via, self)
        try:
            yield
        finally:
            handler.leave(self.via, self)

    def over(self, nest: Any) -> Any:
        """Return a nest with arrays of the other backend; the same array stays the same."""
        return mapped(nest, self._over)

    def _over(self, leaf: Any) -> Any:
        if not _is_array(leaf):
            return leaf
        if id(leaf) not in self._known:
            self._known[id(leaf)] = leaf, to_backend(leaf, self.via)
        return self._known[id(leaf)][1]

    def back(self, nest: Any) -> Any:
        """Return a nest with arrays of the backend that they came from."""
        return mapped(nest, self._back)

    def _back(self, leaf: Any) -> Any:
        if name_of(leaf) != self.via:
            return leaf
        data = transforms_of(self.function, self.via).detached(native(leaf))
        return to_backend(binding_of(self.via).wrap(data), self.home)


# --- derivatives --------------------------------------------------------------------------------


class Differentiated:
    """A call of a user's function, as a library differentiates it.

    `chosen` are the ids of the arrays to differentiate by, None for all. `outputs(ret)` gives those
    of the arrays that are differentiated. `keep` says whether the results may be differentiated
    further; None leaves that to whether something could.
    """

    def __init__(
        self,
        function: str,
        func: Callable[..., Any],
        args: tuple[Any, ...],
        chosen: set[int] | None,
        outputs: Callable[[Any], Iterable[Any]],
        keep: bool | None,
    ) -> None:
        """Prepare a call; nothing is computed."""
        self.name = function
        self._func = func
        self._outputs = outputs
        self.parts = Parts(args)
        self.binding = binding_for(function, "xs", self.parts.arrays)
        self.transforms = transforms_of(function, self.binding.name)
        if not self.transforms.DIFFERENTIATES:
            refuse_to_differentiate(function, self.binding.name, _differentiating())
        natives = [native(x) for x in self.parts.arrays]
        self.keep = self.transforms.tracking(natives) if keep is None else keep
        self.variables: list[int] = []
        self._natives: list[Any] = []
        for place, (array, data) in enumerate(zip(self.parts.arrays, natives, strict=True)):
            data = data if self.keep else self.transforms.detached(data)
            kind = self.binding.backend.dtype_of(data).kind
            if kind != "b" and (chosen is None or id(array) in chosen):
                self.variables.append(place)
                data = data if kind in "fc" else self._floating(data)
            self._natives.append(data)
        self.results: Parts
        # Which of the results are differentiated, and their native arrays.
        self.differentiated: list[int] = []
        self.outputs: Natives = ()

    def _floating(self, data: Any) -> Any:
        return self.binding.functions["astype"](self.binding.wrap(data), default_float())._data

    @property
    def xs(self) -> list[Any]:
        """The native arrays to differentiate by."""
        return [self._natives[place] for place in self.variables]

    def call(self, *variables: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Call the user's function: what is differentiated, and all other arrays."""
        natives = list(self._natives)
        for place, data in zip(self.variables, variables, strict=True):
            natives[place] = data
        ret = self._func(*self.parts.filled([given(self.binding, data) for data in natives]))
        self.results = results = Parts(ret)
        if type(ret) is self.binding.array and self._outputs is arrays_of:
            return self._alone(ret._data)
        for array in results.arrays:
            handler.check_member(self.name, "func", array, self.binding.name)
        wanted = {results.places[id(array)] for array in self._outputs(ret)}
        found = [native(array) for array in results.arrays]
        kinds = [self.binding.backend.dtype_of(data).kind for data in found]
        self.differentiated = [i for i in sorted(wanted) if kinds[i] in "fc"]
        outputs = tuple(found[i] for i in self.differentiated)
        return outputs, tuple(x for i, x in enumerate(found) if i not in self.differentiated)

    def _alone(self, data: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return what `call` does where the function returns one array."""
        if self.binding.backend.dtype_of(data).kind in "fc":
            self.differentiated = [0]
            return (data,), ()
        self.differentiated = []
        return (), (data,)

    def returned(self, outputs: Natives, others: Natives) -> Any:
        """Build what the function returned."""
        self.outputs = outputs
        if len(outputs) + len(others) == 1:
            return self.results.filled([self.binding.wrap(self._out(*outputs, *others))])
        left, rest = iter(outputs), iter(others)
        chosen = set(self.differentiated)
        count = len(self.results.arrays)
        natives = [next(left) if i in chosen else next(rest) for i in range(count)]
        return self.results.filled([self.binding.wrap(self._out(x)) for x in natives])

    def _out(self, data: Any) -> Any:
        return data if self.keep else self.transforms.detached(data)

    def pullback(self) -> tuple[Any, Pull]:
        """Return the results, and what pulls back from those that are differentiated."""
        outputs, others, pull = self.transforms.pullback(self.call, self.xs, self.keep)
        return self.returned(outputs, others), pull

    def pushforward(self, tangents: Natives) -> tuple[Any, Any]:
        """Return the results and their tangents.

        What is pulled back is linear in the weights of the results. To pull back from that is to
        push forward. So functions with rules of their own are pushed forward by their rules, and
        what can be differentiated doesn't depend on what a library has forward rules for.
        """
        pulling = self.transforms.pullback
        outputs, others, pull = pulling(self.call, self.xs, True)
        found: Natives = ()
        if outputs:
            zeros_like, wrap = self.binding.functions["zeros_like"], self.binding.wrap
            weights = [zeros_like(wrap(y))._data for y in outputs]
            _, _, push = pulling(lambda *u: (tuple(pull(u, False)), ()), weights, self.keep)
            found = push(tangents, True)
        ret = self.returned(outputs, others)
        moved: list[Any] = [self._zero(native(x)) for x in self.results.arrays]
        for place, tangent in zip(self.differentiated, self.finished(found), strict=True):
            moved[place] = tangent
        return ret, self.results.filled(moved)

    def _zero(self, data: Any, above: tuple[int, ...] = ()) -> Array:
        """Return the derivative of or by what has none, such as integers and bools."""
        shape = above + self.binding.backend.shape_of(data)
        return cast(Array, self.binding.functions["zeros"](shape, dtype=default_float()))

    def zeros(self) -> list[Array]:
        """Return derivatives that are zero."""
        zeros_like = self.binding.functions["zeros_like"]
        return [zeros_like(self.binding.wrap(x)) for x in self.xs]

    def finished(self, natives: Natives) -> list[Array]:
        """Return derivatives as Arrays: what isn't finite is 0."""
        wrap = self.binding.wrap
        arrays = [wrap(self._out(x)) for x in natives]
        if self.transforms.finite(natives):
            return arrays
        return [without_infinities(self.binding, x) for x in arrays]

    def placed(self, nest: Any, gradients: Sequence[Array], above: tuple[int, ...] = ()) -> Any:
        """Return a part of the arguments with their derivatives in it.

        `above` is the shape of what is differentiated.
        """
        if isinstance(nest, Array) and len(gradients) == 1 and len(self.parts.arrays) == 1:
            return gradients[0]
        by_place = dict(zip(self.variables, gradients, strict=True))
        used: set[int] = set()

        def gradient(leaf: Any) -> Any:
            place = self.parts.places.get(id(leaf))
            if place is None:
                return None
            if place not in by_place:  # bools
                return self._zero(self._natives[place], above)
            found = by_place[place]
            if place in used:  # nobody shall write to two of them at once
                return self.binding.wrap(self.binding.backend.copy(found._data))
            used.add(place)
            return found

        return mapped(nest, gradient)
