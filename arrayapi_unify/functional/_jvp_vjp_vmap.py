"""Derivatives of arrays along directions, Jacobians, and functions of many rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import name_of, python_scalar
from arrayapi_unify.errors import (
    UnifyIndexError,
    raise_argument_error,
    raise_type_error,
    raise_value_error,
)
from arrayapi_unify.functional._autodiff_call import Differentiated
from arrayapi_unify.functional._carried import lowered, raised
from arrayapi_unify.functional._held import refuse_held
from arrayapi_unify.functional._hidden_state import refused_in
from arrayapi_unify.functional._transforms import (
    FlatTree,
    binding_for,
    cast_gradient,
    confined,
    isolate,
    leaf_ids,
    native,
    transforms_of,
    tree_arrays,
    tree_map,
    tree_zip,
    uncompiled,
    wraps,
)
from arrayapi_unify.functional._traversal import is_nest, items

# --- derivatives along directions -----------------------------------------------------------------


def _each_for_itself(function: str, nest: Any) -> Any:
    """Return a nest in which no array occurs twice: places count here, not arrays."""
    wrap = binding_for(function, "primals", tree_arrays(nest)).wrap
    return tree_map(nest, lambda leaf: leaf if name_of(leaf) is None else wrap(native(leaf)))


def pushed(
    function: str, func: Callable[..., Any], primals: tuple[Any, ...], tangents: Any
) -> tuple[Any, Any]:
    """Return what a function returns, and how that moves."""
    primals = _each_for_itself(function, primals)
    problem = Differentiated(function, func, primals, None, tree_arrays, None)
    moves = {
        id(leaf): move
        for leaf, move in tree_zip(function, "tangents", primals, tangents)
        if name_of(leaf) is not None
    }
    found = [
        cast_gradient(
            problem.binding, function, "tangents", moves[id(problem.parts.arrays[place])], x
        )
        for place, x in zip(problem.variables, problem.xs, strict=True)
    ]
    return problem.pushforward(found)


def _of_first(pair: Any) -> Iterator[Any]:
    return tree_arrays(pair[0])


def pulled(
    function: str, func: Callable[..., Any], primals: tuple[Any, ...], aux: bool = False
) -> tuple[Any, ...]:
    """Return what a function returns, and what pulls weights back to its arguments.

    If there is something else, the second part of what it returns, that comes third.
    """
    primals = _each_for_itself(function, primals)
    outputs = _of_first if aux else tree_arrays
    problem = Differentiated(function, func, primals, None, outputs, None)
    whole, pull = problem.pullback()
    places = FlatTree(whole).places
    ret = whole[0] if aux else whole

    @wraps(func)
    def pull_back(upstream: Any) -> tuple[Any, ...]:
        return uncompiled(function, upstream, pull_weights, "upstream")

    def pull_weights(upstream: Any) -> tuple[Any, ...]:
        weights: list[Any] = [None] * len(problem.outputs)
        for leaf, weight in tree_zip(function, "upstream", ret, upstream):
            place = places.get(id(leaf))
            if place in problem.differentiated:
                at = problem.differentiated.index(place)
                data = cast_gradient(
                    problem.binding, function, "upstream", weight, problem.outputs[at]
                )
                weights[at] = data if weights[at] is None else weights[at] + data
        if not problem.differentiated:
            found = problem.zeros()
        else:
            found = problem.finished(pull(weights, False))
        return problem.scatter_gradients(primals, found)

    return (ret, pull_back, whole[1]) if aux else (ret, pull_back)


def jacobian(
    function: str, func: Callable[..., Any], args: tuple[Any, ...], part: Any, aux: bool = False
) -> Any:
    """Return the derivatives of all that a function returns by a part of its arguments.

    If there is something else, the second part of what it returns, that comes second.
    """
    chosen = leaf_ids(part)
    if not chosen:
        raise_type_error(
            function, "xs", "has no array where it is differentiated by",
            "pass arrays, or others as argnums",
        )  # fmt: skip
    outputs = _of_first if aux else tree_arrays
    problem = Differentiated(function, func, args, chosen, outputs, None)
    ret, pull = problem.pullback()
    rows: dict[int, list[Array]] = {}

    def of(leaf: Any) -> Any:
        if not isinstance(leaf, Array):
            return None
        if leaf.dtype.kind == "c":
            raise_type_error(
                function, "func", "returns complex numbers", "return their real and imaginary parts"
            )
        if id(leaf) not in rows:
            rows[id(leaf)] = _rows(problem, pull, leaf, FlatTree(ret).places[id(leaf)])
        return problem.scatter_gradients(part, rows[id(leaf)], leaf.shape)

    return (tree_map(ret[0], of), ret[1]) if aux else tree_map(ret, of)


def _rows(problem: Differentiated, pull: Any, result: Array, place: int) -> list[Array]:
    """Return the derivatives of each element of a result by each variable."""
    functions, wrap = problem.binding.functions, problem.binding.wrap
    size, shape = math.prod(result.shape), result.shape
    if place not in problem.differentiated or not size:
        zeros = problem.zeros()
        return [functions["zeros"](shape + x.shape, dtype=x.dtype, device=x.device) for x in zeros]
    at = problem.differentiated.index(place)

    def of_one(upstream: Any) -> tuple[Any, ...]:
        weights: list[Any] = [None] * len(problem.outputs)
        weights[at] = upstream
        return tuple(pull(weights, False))

    eye = functions["eye"](size, dtype=result.dtype, device=result.device)
    basis = functions["reshape"](eye, (size, *shape))
    found = problem.transforms.vectorized(of_one, [basis._data])
    return [
        functions["reshape"](x, shape + tuple(x.shape[1:]))
        for x in problem.finished([wrap(x)._data for x in found])
    ]


# --- many rows ------------------------------------------------------------------------------------


def _spread(axes: Any, nest: Any, argument: str) -> list[Any]:
    """Return an axis for each leaf of a nest."""
    if axes is None or isinstance(axes, int):
        return [axes for _ in _leaves(nest)]
    ours = items(nest) if is_nest(nest) else []
    theirs = dict(items(axes)) if is_nest(axes) else {}
    if not ours or theirs.keys() != dict(ours).keys():
        raise_value_error(
            "vmap", argument, f"is {axes!r}, which doesn't fit what it is for",
            "pass an integer, None, or one of these for each node",
        )  # fmt: skip
    return [axis for name, value in ours for axis in _spread(theirs[name], value, argument)]


def _leaves(nest: Any) -> list[Any]:
    found: list[Any] = []
    tree_map(nest, found.append)
    return found


def vectorized(func: Callable[..., Any], args: tuple[Any, ...], in_axes: Any, out_axes: Any) -> Any:
    """Call a function for all rows of its arguments."""
    binding = binding_for("vmap", "args", tree_arrays(args))
    leaves = _leaves(args)
    axes = _spread(tuple(in_axes) if isinstance(in_axes, list) else in_axes, args, "in_axes")
    rows = {
        i: _rows_first(binding, leaf, axis)
        for i, (leaf, axis) in enumerate(zip(leaves, axes, strict=True))
        if axis is not None and name_of(leaf) is not None
    }
    _check_sizes({x.shape[0] for x in rows.values()})
    shape_of_results: list[FlatTree] = []

    def for_one(*natives: Any) -> tuple[Any, ...]:
        by_leaf = dict(zip(rows, natives, strict=True))
        place = iter(range(len(leaves)))

        def fill(leaf: Any) -> Any:
            data = by_leaf.get(next(place), leaf)
            return data if name_of(data) is None else isolate(binding, native(data))

        ret = confined("vmap", binding, natives, lambda: func(*raised(tree_map(args, fill))))
        ret = lowered("vmap", "func", ret, returned=True)
        refuse_held("vmap", "func", ret)
        shape_of_results[:] = [FlatTree(tree_map(ret, lambda leaf: _array(binding, leaf)))]
        return tuple(native(x) for x in shape_of_results[0].arrays)

    with refused_in("vmap"):
        found = transforms_of("vmap", binding.name).vectorized(
            for_one, [x._data for x in rows.values()]
        )
    ret = shape_of_results[0].unflatten([binding.wrap(x) for x in found])
    place = iter(_spread(out_axes, ret, "out_axes"))
    return tree_map(ret, lambda leaf: _rows_at(binding, leaf, next(place)))


def _array(binding: Any, leaf: Any) -> Any:
    """Return an array for a number, which is the same for all rows."""
    return leaf if python_scalar(leaf) is None else binding.functions["asarray"](leaf)


def _rows_first(binding: Any, leaf: Any, axis: int) -> Array:
    array: Array = binding.wrap(native(leaf))
    if not -array.ndim <= axis < array.ndim:
        _out_of_bounds("in_axes", axis, array.ndim)
    return binding.functions["moveaxis"](array, axis, 0) if axis else array


def _rows_at(binding: Any, leaf: Any, axis: int | None) -> Any:
    if not isinstance(leaf, Array):
        return leaf
    if axis is None:
        return leaf[0, ...]
    if not -leaf.ndim <= axis < leaf.ndim:
        _out_of_bounds("out_axes", axis, leaf.ndim)
    return binding.functions["moveaxis"](leaf, 0, axis) if axis else leaf


def _out_of_bounds(argument: str, axis: int, ndim: int) -> NoReturn:
    raise_argument_error(
        UnifyIndexError, "vmap", argument, f"names axis {axis} of an array with {ndim} dimensions",
        "use an axis that it has",
    )  # fmt: skip


def _check_sizes(sizes: set[int]) -> None:
    if not sizes:
        raise_value_error(
            "vmap", "in_axes", "names no axis of an array", "give at least one argument an axis"
        )
    if len(sizes) > 1:
        raise_value_error(
            "vmap", "in_axes", f"names axes of different sizes: {sorted(sizes)}",
            "use axes of one size",
        )  # fmt: skip
