"""Functions of nests as nodes of a framework's graph: with rules of their own, or recomputed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.graph_values import StandIn, is_traced
from arrayapi_unify.backends._common.protocols.transformations import Natives
from arrayapi_unify.binding import binding_of
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional._carried import lowered, raised
from arrayapi_unify.functional._held import refuse_held
from arrayapi_unify.functional._hidden_state import Recomputed
from arrayapi_unify.functional._transforms import (
    FlatTree,
    binding_for,
    cast_gradient,
    confined,
    isolate,
    native,
    share_memory,
    state_of,
    transforms_of,
    transforms_tracking,
    tree_zip,
    written_since,
)

_NAME = "bind_custom_gradient_function"


class _Node:
    """A call of a user's function with flat native arrays."""

    def __init__(self, function: str, func: Callable[..., Any], args: tuple[Any, ...]) -> None:
        """Take the arguments apart."""
        self._name = function
        self._func = func
        self.parts = FlatTree(args)
        self.binding = binding_for(function, "xs", self.parts.arrays)
        self.transforms = transforms_of(function, self.binding.name)
        self.natives = [native(x) for x in self.parts.arrays]
        self.results: FlatTree
        # The arguments of the last call, and their state before it.
        self.given: list[Array] = []
        self.before: list[Any] = []

    def call(self, *natives: Any) -> tuple[Any, ...]:
        """Call the function."""
        self.given = [isolate(self.binding, x) for x in natives]
        self.before = state_of(self.binding, self.given)
        ret = confined(
            self._name, self.binding, natives,
            lambda: self._func(*raised(self.parts.unflatten(self.given))), self.given,
        )  # fmt: skip
        ret = lowered(self._name, "func", ret, returned=True)
        refuse_held(self._name, "func", ret)
        self.results = FlatTree(ret)
        return tuple(native(x) for x in self.results.arrays)

    def unflatten(self, parts: FlatTree, natives: Natives) -> Any:
        """Return a nest of Arrays, which users may write to."""
        return parts.unflatten([isolate(self.binding, x) for x in natives])

    def ret(self, natives: Natives) -> Any:
        """Return what the function returned."""
        return self.results.unflatten([self.binding.wrap(x) for x in natives])


def recomputed(func: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Call a function that is called again for its derivative, with the same hidden state.

    What it writes to its arguments, and to variables, are results as well. It isn't called again if
    its arguments share memory, since the copies that it gets don't.
    """
    parts = FlatTree(args)
    binding = binding_for("checkpoint", "args", parts.arrays)
    arrays = [x if isinstance(x, Array) else binding.wrap(x) for x in parts.arrays]
    # The arguments kept for the second call are no Arrays of the caller.
    node = _Node("checkpoint", func, parts.unflatten([binding.wrap(x._data) for x in arrays]))
    direct = any(map(is_traced, arrays)) or not node.transforms.DIFFERENTIATES
    if direct or share_memory(binding.backend.shares_memory, arrays):
        ret = lowered("checkpoint", "func", func(*raised(parts.unflatten(arrays))), returned=True)
        return _separate(binding, ret, arrays)
    control_flow = binding.control_flow
    state = Recomputed(control_flow is not None and control_flow.lowers_control_flow())
    places: list[int] = []

    def call(*natives: Any) -> tuple[Any, ...]:
        is_first = state.first is None
        with state.call() as capture:
            found = node.call(*natives)
        if is_first:
            places[:] = written_since(binding, node.before, node.given)
        written = [*capture.written.values(), *[node.given[i] for i in places]]
        return (*found, *[x._data for x in written])

    natives = node.transforms.recomputed(call, node.natives)
    variables = [] if state.first is None else list(state.first.written)
    end = len(natives) - len(places)
    count = end - len(variables)
    for variable, data in zip(variables, natives[count:end], strict=True):
        variable.write(binding.wrap(node.transforms.detached(data)))
    for place, data in zip(places, natives[end:], strict=True):
        arrays[place][...] = binding.wrap(data)
    return _separate(binding, node.ret(natives[:count]), arrays)


def _separate(binding: Any, ret: Any, given: Sequence[Array]) -> Any:
    """Return results as new arrays, which share no memory with arguments or each other."""
    found, known = FlatTree(ret), list(given)

    def shares(x: Any, y: Any) -> bool:
        recorded = [one for one in (x, y) if isinstance(one, StandIn)]
        if recorded:
            recorder: Any = recorded[0].recorder  # the type of a layer below lacks `roots`
            return len({recorder.roots[one.ref] for one in recorded}) < len(recorded)
        return bool(binding.backend.shares_memory(x, y))

    for i, x in enumerate(found.arrays):
        array = x if isinstance(x, Array) else binding.wrap(x)
        if any(share_memory(shares, (array, one)) for one in known):
            data = binding.backend.copy(array._data)
            array = binding.wrap(data)
            found.arrays[i] = array if isinstance(x, Array) else data
        known.append(array)
    return found.unflatten(found.arrays)


def with_rule(func: Callable[[Any], Any], rule: Callable[..., Any], xs: Any) -> Any:
    """Call a function whose derivative is what a rule says."""
    node = _Node(_NAME, func, (xs,))
    results: list[FlatTree] = []

    def call(*natives: Any) -> tuple[Any, ...]:
        found = node.call(*natives)
        results[:] = [node.results]
        return found

    def derivative(natives: Natives, outputs: Natives, upstream: Natives) -> Natives:
        (inputs,) = node.unflatten(node.parts, natives)
        ret, above = (node.unflatten(results[0], given) for given in (outputs, upstream))
        found = rule(*raised(((inputs, ret), above)))
        found = lowered(_NAME, "custom_grad_fn", found, returned=True)
        if isinstance(found, tuple) and len(found) == 1 and not isinstance(xs, tuple):
            (found,) = found
        return _totals(node, xs, found, natives)

    return node.ret(node.transforms.with_rule(call, derivative, node.natives))


def _totals(node: _Node, xs: Any, found: Any, natives: Natives) -> Natives:
    """Return one derivative for each array: the sum of those of its occurrences."""
    totals: list[Any] = [None] * len(natives)
    for leaf, gradient in tree_zip(_NAME, "custom_grad_fn", xs, found):
        place = node.parts.places.get(id(leaf))
        if place is not None:
            data = cast_gradient(node.binding, _NAME, "custom_grad_fn", gradient, natives[place])
            totals[place] = data if totals[place] is None else totals[place] + data
    return totals


def refuse_derivative(function: str, argument: str, x: Any) -> Any:
    """Return an argument of a function that can't be differentiated by it: that raises."""
    if not isinstance(x, Array) or x.dtype.kind != "f":
        return x

    def refuse(*_: Natives) -> NoReturn:
        raise_value_error(
            function, argument, "has no derivative here",
            f"pass unify.stop_gradient({argument}), or differentiate by the others only",
        )  # fmt: skip

    binding = binding_of(x.backend)
    if binding.backend.is_compiling():  # a compiler of Python code follows no rule
        return refuse() if x.__array_namespace__().requires_gradient(x) else x
    transforms = transforms_tracking(x)
    if transforms is None:
        return x
    (found,) = transforms.with_rule(lambda x: (x,), refuse, [x._data])
    return binding.wrap(found)
