"""The new elements of `pad`: constants, elements of the array, statistics and ramps.

NumPy's ``pad`` is the source of all rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arrayapi_unify.backends._common.algorithms.manipulation import (
    check_mode,
    pairs_of,
    source,
    widths,
)
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional._common import unchecked

__all__ = ["OPTIONS", "padded"]

_STATISTICS: Final = {"maximum": "max", "mean": "mean", "median": "median", "minimum": "min"}
OPTIONS: Final[dict[str, tuple[str, Any]]] = {
    "constant": ("constant_values", 0),
    "linear_ramp": ("end_values", 0),
    **dict.fromkeys(_STATISTICS, ("stat_length", None)),
    **dict.fromkeys(("reflect", "symmetric"), ("reflect_type", "even")),
}
"""The option that a mode takes, and its default."""


def padded(xp: Any, x: Any, pad_width: Any, mode: str, options: dict[str, Any]) -> Any:
    """Return x with new elements at the ends of its axes."""
    check_mode(mode)
    each = widths(pad_width, x.ndim)
    name, default = OPTIONS.get(mode, ("", None))
    given = options.get(name, default)
    values: tuple[Any, ...] = (given,) * x.ndim
    if name != "reflect_type":
        values = pairs_of(name, given, x.ndim) if name else values
    if mode in ("maximum", "minimum") and any(0 in pair for pair in values):
        raise_value_error("pad", name, f"is {given}", "pass at least 1")
    if name == "reflect_type" and given not in ("even", "odd"):
        raise_value_error("pad", name, f"is {given!r}", "pass 'even' or 'odd'")
    result = x
    for axis, pair in enumerate(each):
        if name in ("", "reflect_type"):
            result = _from_own(xp, result, axis, pair, mode, values[axis] == "odd")
        elif any(pair):
            result = _at_both_ends(xp, result, axis, pair, mode, values[axis])
    return xp.asarray(x, copy=True) if result is x else result


def _from_own(xp: Any, x: Any, axis: int, pair: tuple[int, int], mode: str, odd: bool) -> Any:
    """Take new elements from the array; an odd reflection is one about the outermost value."""
    size = x.shape[axis]
    if mode == "empty":
        return _at_both_ends(xp, x, axis, pair, "constant", (0, 0)) if any(pair) else x
    indices = source(mode, size, *pair)
    if not any(pair):
        return x
    made = _taken(xp, x, indices, axis)
    if not odd or size == 1:
        return made
    period = size if mode == "symmetric" else size - 1
    turns = [i // period for i in range(-pair[0], size + pair[1])]
    last, first = (xp.expand_dims(_taken(xp, x, i, axis), axis=axis) for i in (size - 1, 0))

    def factors(of_even: Callable[[int], int], of_odd: Callable[[int], int]) -> Any:
        found = [of_odd(k) if k % 2 else of_even(k) for k in turns]
        shape = [-1 if i == axis else 1 for i in range(x.ndim)]
        return xp.reshape(xp.astype(xp.asarray(found, device=x.device), x.dtype), shape)

    made = made * factors(lambda k: 1, lambda k: -1)
    made = made + last * factors(lambda k: k, lambda k: k + 1)
    return made + first * factors(lambda k: -k, lambda k: 1 - k)


def _taken(xp: Any, x: Any, indices: Any, axis: int) -> Any:
    places = xp.asarray(indices, dtype=xp.int64, device=x.device)
    if places.ndim:
        return unchecked(xp.take, x, places, axis=axis)
    return x[(slice(None),) * axis + (indices,)]


def _at_both_ends(
    xp: Any, x: Any, axis: int, pair: tuple[int, int], mode: str, values: tuple[Any, Any]
) -> Any:
    """Put new elements before and after the array."""
    parts = [x]
    for count, value, after in zip(pair, values, (False, True), strict=True):
        if count:
            made = xp.astype(_new(xp, x, axis, count, mode, value, after), x.dtype)
            shape = (*x.shape[:axis], count, *x.shape[axis + 1 :])
            parts.insert(len(parts) * after, xp.broadcast_to(made, shape))
    return xp.concat(parts, axis=axis) if len(parts) > 1 else x


def _new(xp: Any, x: Any, axis: int, count: int, mode: str, value: Any, after: bool) -> Any:
    if mode == "constant":
        shape = (*x.shape[:axis], count, *x.shape[axis + 1 :])
        return xp.full(shape, value, device=x.device)
    size = x.shape[axis]
    source("edge", size, count, 0)  # raises where there is no element
    if mode in _STATISTICS:
        return _statistic(xp, x, axis, mode, size if value is None else min(value, size), after)
    kind = x.dtype if x.dtype.kind in "fc" else xp.float64
    edge = xp.astype(_taken(xp, x, size - 1 if after else 0, axis), kind)
    edge = xp.expand_dims(edge, axis=axis)
    steps = xp.arange(count, dtype=xp.float64, device=x.device)
    steps = xp.reshape(steps, [-1 if i == axis else 1 for i in range(x.ndim)])
    steps = xp.astype(count - 1 - steps if after else steps, kind)
    made = (edge - value) / count * steps + value
    return xp.floor(made) if x.dtype.kind in "iu" else made


def _statistic(xp: Any, x: Any, axis: int, mode: str, length: int, after: bool) -> Any:
    """Reduce as many elements as `length` at one end; integers are rounded to the nearest one."""
    size = x.shape[axis]
    if length < 0 or (length == 0 and mode in ("maximum", "minimum")):
        raise_value_error("pad", "stat_length", f"is {length}", "pass at least 1")
    part = slice(size - length, size) if after else slice(0, length)
    chosen = x[(slice(None),) * axis + (part,)]
    made = getattr(xp, _STATISTICS[mode])(chosen, axis=axis, keepdims=True)
    return xp.round(made) if x.dtype.kind in "iu" and made.dtype.kind == "f" else made
