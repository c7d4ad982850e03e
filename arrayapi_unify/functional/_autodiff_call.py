"""A call of a user's function, as a library differentiates it, with the rules of every backend.

- An array that occurs several times is one variable, and one Array for the function.
- Integers become floating-point numbers first.
- The function gets Arrays of its own, so that what it writes to them is written nowhere else.
- A function's own derivative is 0 where it isn't finite; each library sees to it.
- What isn't to be differentiated further is detached, before and after.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import handler
from arrayapi_unify.backends._common.protocols.transformations import (
    Natives,
    Pull,
    raise_not_differentiable,
)
from arrayapi_unify.dtypes import default_float
from arrayapi_unify.functional._carried import lowered, raised
from arrayapi_unify.functional._held import refuse_held
from arrayapi_unify.functional._transforms import (
    FlatTree,
    admitted,
    binding_for,
    check_dependent,
    confined,
    derivatives,
    differentiating,
    isolate,
    native,
    transforms_of,
    tree_arrays,
    tree_map,
)


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
        self.parts = FlatTree(args)
        self.binding = binding_for(function, "xs", self.parts.arrays)
        self.transforms = transforms_of(function, self.binding.name)
        if not self.transforms.DIFFERENTIATES:
            raise_not_differentiable(function, self.binding.name, differentiating())
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
        self.results: FlatTree
        # The results that are differentiated, and their native arrays.
        self.differentiated: list[int] = []
        self.outputs: Natives = ()
        self.connected = False

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
        ret = confined(self.name, self.binding, variables, lambda: self._func(
            *raised(self.parts.unflatten([isolate(self.binding, data) for data in natives]))
        ))  # fmt: skip
        ret = lowered(self.name, "func", ret, returned=True)
        self.results = FlatTree(ret)
        if type(ret) is self.binding.array and self._outputs is tree_arrays:
            return self._alone(ret._data)
        outside = set(map(self.binding.backend.tracer_of, self._natives))
        refuse_held(
            self.name, "func", ret,
            lambda x: self.binding.backend.tracer_of(x) not in {None, *outside},
        )  # fmt: skip
        _, ret = admitted(self.name, "func", (self.parts.arrays[:1], ret))
        self.results = results = FlatTree(ret)
        for array in results.arrays:
            handler.check_backend(self.name, "func", array, self.binding.name)
        wanted = {results.places[id(array)] for array in self._outputs(ret)}
        found = [native(array) for array in results.arrays]
        kinds = [self.binding.backend.dtype_of(data).kind for data in found]
        self.differentiated = [i for i in sorted(wanted) if kinds[i] in "fc"]
        outputs = tuple(found[i] for i in self.differentiated)
        # Nothing tracks integers, which may depend on anything.
        discrete = len(self.differentiated) < len(wanted)
        self.connected = discrete or any(map(self.transforms.requires_gradient, outputs))
        return outputs, tuple(x for i, x in enumerate(found) if i not in self.differentiated)

    def _alone(self, data: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return what `call` does where the function returns one array."""
        if self.binding.backend.dtype_of(data).kind in "fc":
            self.differentiated = [0]
            self.connected = self.transforms.requires_gradient(data)
            return (data,), ()
        self.differentiated, self.connected = [], True
        return (), (data,)

    def returned(self, outputs: Natives, others: Natives) -> Any:
        """Build what the function returned."""
        self.outputs = outputs
        if len(outputs) + len(others) == 1:
            return self.results.unflatten([self.binding.wrap(self._out(*outputs, *others))])
        left, rest = iter(outputs), iter(others)
        chosen = set(self.differentiated)
        count = len(self.results.arrays)
        natives = [next(left) if i in chosen else next(rest) for i in range(count)]
        return self.results.unflatten([self.binding.wrap(self._out(x)) for x in natives])

    def _out(self, data: Any) -> Any:
        return data if self.keep else self.transforms.detached(data)

    def pullback(self) -> tuple[Any, Pull]:
        """Return the results, and what pulls back from those that are differentiated."""
        outputs, others, pull = self._pulled(self.keep)
        return self.returned(outputs, others), pull

    def _pulled(self, keep: bool) -> tuple[Natives, Natives, Pull]:
        before = derivatives.count
        found = self.transforms.pullback(self.call, self.xs, keep)
        untracked = functools.partial(self.transforms.depends, self.call, self.xs)
        shape_of = self.binding.backend.shape_of
        connected = self.connected or all(0 in shape_of(x) for x in self.xs)
        check_dependent(self.name, connected, before, untracked)
        return found

    def pushforward(self, tangents: Natives) -> tuple[Any, Any]:
        """Return the results and their tangents.

        What is pulled back is linear in the weights of the results. To pull back from that is to
        push forward. So functions with rules of their own are pushed forward by their rules, and
        what can be differentiated doesn't depend on what a library has forward rules for.
        """
        pulling = self.transforms.pullback
        outputs, others, pull = self._pulled(True)
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
        return ret, self.results.unflatten(moved)

    def _zero(self, data: Any, above: tuple[int, ...] = ()) -> Array:
        """Return the derivative of or by what has none, such as integers and bools."""
        shape = above + self.binding.backend.shape_of(data)
        return cast(Array, self.binding.functions["zeros"](shape, dtype=default_float()))

    def zeros(self) -> list[Array]:
        """Return derivatives that are zero."""
        zeros_like = self.binding.functions["zeros_like"]
        return [zeros_like(self.binding.wrap(x)) for x in self.xs]

    def finished(self, natives: Natives) -> list[Array]:
        """Return derivatives as Arrays."""
        return [self.binding.wrap(self._out(x)) for x in natives]

    def scatter_gradients(
        self, nest: Any, gradients: Sequence[Array], above: tuple[int, ...] = ()
    ) -> Any:
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
            if place in used:  # a write may not reach two of them
                return self.binding.wrap(self.binding.backend.copy(found._data))
            used.add(place)
            return found

        return tree_map(nest, gradient)
