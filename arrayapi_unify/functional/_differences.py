"""Slopes by differences of neighbours, for `gradient`."""

from __future__ import annotations

from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.dtypes import float64
from arrayapi_unify.errors import raise_type_error, raise_value_error
from arrayapi_unify.functional._common import BodyArray

_ONE = (1.0,)


def check_spacing(
    x: Array, given: tuple[BodyArray, ...], axes: tuple[int, ...], edge_order: int
) -> list[BodyArray]:
    """Return the distance along each axis: a number, or an array of the distances."""
    if edge_order > 2:
        raise_value_error("gradient", "edge_order", f"is {edge_order}", "pass 1 or 2")
    if not given:
        spacing = list(_ONE * len(axes))
    elif len(given) == 1 and not getattr(given[0], "ndim", 0):
        spacing = list(given * len(axes))
    elif len(given) == len(axes):
        spacing = list(given)
    else:
        problem = f"are {len(given)}, and there are {len(axes)} axes"
        raise_type_error("gradient", "varargs", problem, "pass none, one, or one for each axis")
    for axis in axes:
        if x.shape[axis] < edge_order + 1:
            problem = f"has {x.shape[axis]} elements along axis {axis}"
            raise_value_error("gradient", "f", problem, f"pass {edge_order + 1} or more")
    return [_distances(x, places, axis) for places, axis in zip(spacing, axes, strict=True)]


def _distances(x: Array, places: BodyArray, axis: int) -> BodyArray:
    if isinstance(places, float):
        return places
    if places.ndim > 1 or (places.ndim and places.shape[0] != x.shape[axis]):
        problem = f"has the shape {places.shape} where f has {x.shape[axis]} elements"
        raise_value_error("gradient", "varargs", problem, "pass a number or one position for each")
    if places.dtype.kind in "iub":  # whose differences may wrap around
        places = places.astype(float64)
    between = places[1:] - places[:-1] if places.ndim else places
    return between.astype(x.dtype, copy=False)


def slopes(x: Array, spacing: BodyArray, axis: int, edge_order: int) -> Array:
    """Return the slopes along one axis."""
    xp: Any = x.__array_namespace__()
    rows = xp.moveaxis(x, axis, -1)
    even = isinstance(spacing, float) or not spacing.ndim
    if even:
        inner = (rows[..., 2:] - rows[..., :-2]) / (spacing * 2.0)
        ends = [(spacing, spacing), (-spacing, -spacing)]
    else:
        inner = _uneven(rows, spacing[:-1], spacing[1:])
        ends = [(spacing[:1], spacing[1:2]), (-spacing[-1:], -spacing[-2:-1])]
    first = _one_sided(rows[..., :3], *ends[0], edge_order)
    last = _one_sided(xp.flip(rows[..., -3:], axis=-1), *ends[1], edge_order)
    return xp.asarray(xp.moveaxis(xp.concat([first, inner, last], axis=-1), -1, axis), copy=True)


def _uneven(rows: BodyArray, before: BodyArray, behind: BodyArray) -> Array:
    """Return the slopes of parabolas through three neighbours, in the middle."""
    both = before + behind
    return (
        rows[..., 1:-1] * ((behind - before) / (before * behind))
        - rows[..., :-2] * (behind / (before * both))
        + rows[..., 2:] * (before / (behind * both))
    )


def _one_sided(rows: BodyArray, near: BodyArray, far: BodyArray, edge_order: int) -> Array:
    """Return the slope at the first of three neighbours."""
    first, second, third = rows[..., :1], rows[..., 1:2], rows[..., 2:3]
    if edge_order < 2:
        return (second - first) / near
    both = near + far
    return (
        second * (both / (near * far))
        - first * ((near + both) / (near * both))
        - third * (near / (far * both))
    )
