"""Reductions with `where`, `initial`, `mean` and `dtype`, which only NumPy has."""

from __future__ import annotations

from typing import Any, Final

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.checks.axes import normalize_axes
from arrayapi_unify.errors import raise_type_error, raise_value_error

__all__ = ["REDUCTIONS", "array_of", "mask_of", "stored"]


def array_of(xp: Any, value: Any) -> Any:
    """Return an argument as an Array."""
    return value if isinstance(value, Array) else xp.asarray(value)


def mask_of(xp: Any, name: str, where: Any) -> Any:
    """Return `where` as an array of bools, or None if it selects everything."""
    if where is None or where is True:
        return None
    mask = array_of(xp, where)
    if mask.dtype != dtypes.bool:
        raise_type_error(name, "where", f"is {mask.dtype}, not bool", "pass a mask")
    return mask


def stored(xp: Any, out: Any, result: Any) -> Any:
    """Store a result into `out` as the functions do, which check its shape and data type."""
    return result if out is None else xp.astype(result, result.dtype, out=out)


_NEUTRAL: Final[dict[str, Any]] = {
    "sum": 0, "nansum": 0, "prod": 1, "nanprod": 1, "all": True, "any": False,
}  # fmt: skip
_COMBINED: Final = {
    "sum": "add", "nansum": "add", "prod": "multiply", "nanprod": "multiply",
    "max": "maximum", "min": "minimum", "nanmax": "maximum", "nanmin": "minimum",
}  # fmt: skip


def _reduction(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Reduce what `where` selects, and begin with `initial`."""
    mask, initial = mask_of(xp, name, kwargs.pop("where", None)), kwargs.pop("initial", None)
    x, out = array_of(xp, args[0]), kwargs.pop("out", None)
    if not kwargs.pop("promote_integers", True) and kwargs.get("dtype") is None:
        kwargs["dtype"] = x.dtype
    neutral = _NEUTRAL.get(name, initial)
    if mask is not None:
        if neutral is None:
            problem = "is needed where `where` is given: no value is neutral"
            raise_value_error(name, "initial", problem, "pass the value of an empty reduction")
        x = _masked(xp, x, mask, neutral)
    if initial is None:
        return stored(xp, out, function(x, **kwargs))
    if name in _NEUTRAL:
        result = function(x, **kwargs)
    else:
        # Another element along the axis, so that an empty one has a value, too.
        result = function(*_with_element(xp, x, initial, kwargs), **kwargs)
    value = xp.asarray(initial, dtype=result.dtype, device=result.device)
    combine = getattr(xp, _COMBINED[name])
    if name.startswith("nanm"):
        result = xp.where(xp.isnan(result), value, result)
    return stored(xp, out, combine(result, value))


def _masked(xp: Any, x: Any, mask: Any, value: Any) -> Any:
    """Return x with `value` where the mask is False, in x's data type."""
    other = value if isinstance(value, Array) else xp.asarray(value, dtype=x.dtype, device=x.device)
    return xp.where(mask, x, other)


def _with_element(xp: Any, x: Any, value: Any, kwargs: dict[str, Any]) -> tuple[Any]:
    """Return x with one more element along an axis if the reduction is of no element."""
    axes = normalize_axes("max", kwargs.get("axis"), x.ndim)
    empty = [axis for axis in axes if x.shape[axis] == 0]
    if not empty:
        return (x,)
    shape = tuple(1 if axis in axes else n for axis, n in enumerate(x.shape))
    return (xp.full(shape, value, dtype=x.dtype, device=x.device),)


def _mean(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Average what `where` selects, in the data type `dtype`."""
    mask, dtype = mask_of(xp, name, kwargs.pop("where", None)), kwargs.pop("dtype", None)
    x, out = array_of(xp, args[0]), kwargs.pop("out", None)
    x = x if dtype is None else xp.astype(x, dtype)
    if mask is None:
        return stored(xp, out, function(x, **kwargs))
    x = _floating(xp, x)
    if name == "nanmean":
        return stored(xp, out, function(_masked(xp, x, mask, float("nan")), **kwargs))
    total = xp.sum(_masked(xp, x, mask, 0), **kwargs)
    return stored(xp, out, total / _count(xp, x, mask, kwargs, total.dtype))


def _floating(xp: Any, x: Any) -> Any:
    if xp.isdtype(x.dtype, ("bool", "integral")):
        return x * 1.0
    return x


def _count(xp: Any, x: Any, mask: Any, kwargs: dict[str, Any], dtype: Any) -> Any:
    """Count what the mask selects of each mean."""
    count = xp.sum(xp.broadcast_to(mask, xp.broadcast_shapes(x.shape, mask.shape)), **kwargs)
    return xp.astype(count, dtype)


def _moment(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Compute variances and standard deviations of what `where` selects, about `mean`."""
    mask, mean = mask_of(xp, name, kwargs.pop("where", None)), kwargs.pop("mean", None)
    x, out, dtype = array_of(xp, args[0]), kwargs.pop("out", None), None
    if not name.startswith("nan"):
        dtype = kwargs.pop("dtype", None)
    x = x if dtype is None else xp.astype(x, dtype)
    if name.startswith("nan"):
        x = x if mask is None else _masked(xp, _floating(xp, x), mask, float("nan"))
        mask = None if mean is None else ~xp.isnan(x)
        if mean is None:
            return stored(xp, out, function(x, **kwargs))
    if mask is None and mean is None:
        return stored(xp, out, function(x, **kwargs))
    return stored(xp, out, _about(xp, name, _floating(xp, x), mask, mean, kwargs))


def _about(xp: Any, name: str, x: Any, mask: Any, mean: Any, kwargs: dict[str, Any]) -> Any:
    """Compute the second moment about a mean, of what the mask selects."""
    correction = kwargs.pop("correction", 0.0)
    if mask is None:
        mask = xp.ones(x.shape, dtype=dtypes.bool, device=x.device)
    kept = {**kwargs, "keepdims": True}
    if mean is None:
        total = xp.sum(_masked(xp, x, mask, 0), **kept)
        mean = total / _count(xp, x, mask, kept, total.dtype)
    deviation = xp.abs(x - array_of(xp, mean))
    squares = _masked(xp, deviation * deviation, mask, 0)
    count = _count(xp, x, mask, kwargs, squares.dtype) - correction
    result = xp.sum(squares, **kwargs) / xp.maximum(count, xp.zeros_like(count))
    return xp.sqrt(result) if name.endswith("std") else result


REDUCTIONS: Final[dict[str, Any]] = {
    **dict.fromkeys((*_NEUTRAL, *_COMBINED), _reduction),
    **dict.fromkeys(("var", "std", "nanvar", "nanstd"), _moment),
    **dict.fromkeys(("mean", "nanmean"), _mean),
}
"""The adapter of each reduction."""
