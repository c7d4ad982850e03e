"""Derivatives of scalars: what `execute_with_gradients`, `value_and_grad` and `grad` share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import python_scalar
from arrayapi_unify.backends._common.protocols.transformations import ONES, Natives, Transforms
from arrayapi_unify.errors import raise_type_error, raise_value_error
from arrayapi_unify.functional import _traversal
from arrayapi_unify.functional._autodiff_call import Differentiated
from arrayapi_unify.functional._transforms import (
    FlatTree,
    check_dependent,
    confined,
    derivatives,
    isolate,
    leaf_ids,
    tree_arrays,
    tree_map,
)
from arrayapi_unify.functional._traversal import Index, is_nest, items, tree_unflatten


def selected(function: str, argument: str, nest: Any, indices: Sequence[Any] | None) -> Any:
    """Return the part of a nest that indices select: the node of one, a nest of several."""
    if indices is None:
        return nest
    if isinstance(indices, str) or not isinstance(indices, Sequence) or not indices:
        raise_type_error(
            function, argument, f"is {indices!r}, not a list of nest indices",
            "pass a list such as [[0], [1, 'a']], or None for all",
        )  # fmt: skip
    paths = [_traversal.path_of(function, index, argument) for index in indices]
    paths = [_traversal.canonical(function, nest, path) for path in paths]
    return _pruned(nest, paths) if len(paths) > 1 else _node(function, nest, paths[0])


def _node(function: str, nest: Any, path: Index) -> Any:
    for depth in range(len(path)):
        nest = _traversal.child(function, nest, path, depth)
    return nest


def _pruned(nest: Any, paths: list[Index]) -> Any:
    """Return a nest without what no path leads to."""
    if () in paths:
        return nest
    below: dict[Any, list[Index]] = {}
    for name, *rest in paths:
        below.setdefault(name, []).append(tuple(rest))
    return tree_unflatten(nest, [(n, _pruned(v, below[n])) for n, v in items(nest) if n in below])


def differentiate(
    function: str,
    func: Callable[..., Any],
    args: tuple[Any, ...],
    part: Any,
    results: Sequence[Any] | None,
    keep: bool | None,
) -> tuple[Any, Any]:
    """Return what a function returns, and the derivatives by a part of its arguments.

    `results` are the nest indices of what is differentiated. `keep` is that of `Differentiated`.
    """
    chosen = leaf_ids(part)
    if not chosen:
        raise_type_error(
            function, "xs", "has no array where it is differentiated by",
            "pass arrays, or select others",
        )  # fmt: skip

    def outputs(ret: Any) -> Iterator[Any]:
        return tree_arrays(selected(function, "ret_grad_idxs", ret, results))

    everything = tree_arrays if results is None else outputs
    problem = Differentiated(function, func, args, chosen, everything, keep)
    ret, pull = problem.pullback()
    if results is None and isinstance(ret, Array):
        return _of_array(problem, ret, pull, part)
    return _of_nest(problem, ret, pull, part, selected(function, "ret_grad_idxs", ret, results))


def _of_array(problem: Differentiated, ret: Array, pull: Any, part: Any) -> tuple[Array, Any]:
    """Return a function's only result, and its derivatives."""
    _check(problem.name, ret)
    place = problem.differentiated[0] if problem.differentiated else None
    return ret, problem.scatter_gradients(part, _gradients(problem, pull, place, last=True))


def _of_nest(
    problem: Differentiated, ret: Any, pull: Any, part: Any, wanted: Any
) -> tuple[Any, Any]:
    """Return what a function returns, and the derivatives of the wanted part of it."""
    places = FlatTree(ret).places
    ends = [leaf for leaf in _leaves(wanted) if id(leaf) in places or _is_number(leaf)]
    for end in ends:
        if isinstance(end, Array):
            _check(problem.name, end)
    found: dict[int | None, Any] = {}

    def gradients(end: Any) -> Any:
        place = places.get(id(end))
        if place not in problem.differentiated:
            place = None
        if place not in found:
            found[place] = _gradients(problem, pull, place, last=len(ends) == 1)
        return problem.scatter_gradients(part, found[place])

    if len(ends) == 1:
        return ret, gradients(ends[0])
    known = {id(end) for end in ends}
    return ret, tree_map(wanted, lambda leaf: gradients(leaf) if id(leaf) in known else None)


def differentiate_one(
    function: str, func: Callable[..., Any], x: Array, binding: Any, transforms: Transforms
) -> tuple[Any, Any]:
    """Return what a function of one floating-point Array returns, and the derivative by that.

    Most calls are such. They have no nest to take apart, unless the function returns one: then
    the rest is done as in `differentiate`.
    """
    problem: Differentiated | None = None
    connected, before = False, derivatives.count
    keep = transforms.tracking((x._data,))
    whole, wrap = binding.array, binding.wrap_standard
    shape_of, dtype_of = binding.backend.shape_of, binding.backend.dtype_of

    def call(leaf: Any) -> tuple[Natives, Natives]:
        nonlocal problem, connected
        ret = confined(function, binding, (leaf,), lambda: func(isolate(binding, leaf, wrap)))
        if type(ret) is whole:
            data = ret._data
            if shape_of(data) == () and dtype_of(data).kind == "f":
                connected = transforms.requires_gradient(data)
                return (data,), ()
        problem = Differentiated(function, lambda _: ret, (x,), {id(x)}, tree_arrays, keep)
        found = problem.call(leaf)
        connected = problem.connected
        return found

    start = x._data if keep else transforms.detached(x._data)
    outputs, others, pull = transforms.pullback(call, (start,), keep)
    if 0 not in x.shape:
        check_dependent(function, connected, before, lambda: transforms.depends(call, (start,)))
    if problem is not None:
        ret = problem.returned(outputs, others)
        if isinstance(ret, Array):
            return _of_array(problem, ret, pull, x)
        return _of_nest(problem, ret, pull, x, ret)
    (slope,) = pull((ONES,), True)
    value = outputs[0] if keep else transforms.detached(outputs[0])
    return wrap(value), wrap(slope if keep else transforms.detached(slope))


def _leaves(nest: Any) -> Iterator[Any]:
    if is_nest(nest):
        for _, value in items(nest):
            yield from _leaves(value)
    else:
        yield nest


def _is_number(value: Any) -> bool:
    return python_scalar(value) is not None


def _check(function: str, result: Array) -> None:
    if result.shape != ():
        raise_value_error(
            function, "func", f"returns an array of shape {result.shape}",
            "use unify.jac",
        )  # fmt: skip
    if result.dtype.kind == "c":
        raise_type_error(
            function, "func", "returns a complex number",
            "return its real or imaginary part, or its absolute value",
        )  # fmt: skip


def _gradients(problem: Differentiated, pull: Any, place: int | None, last: bool) -> list[Array]:
    """Return the derivatives of one result by all variables."""
    if place is None:
        return problem.zeros()
    upstream: list[Any] = [None] * len(problem.outputs)
    upstream[problem.differentiated.index(place)] = ONES
    return problem.finished(pull(upstream, last))
