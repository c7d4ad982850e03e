"""NumPy's rules of indexing in terms of what PyTorch does.

A key is taken apart into a basic part, which gives a view, and index tensors for axes of that
view. PyTorch has no negative steps (the view is taken forward and flipped), treats integers beside
index tensors as basic ones (they are index tensors to NumPy, which decides where the resulting
axes stand), and reads uint8 tensors as masks.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import Any

import torch

from arrayapi_unify.backends._common.checks.indexing import (
    around_ellipsis,
    check_mask,
    no_index,
    no_index_array,
    within,
)
from arrayapi_unify.backends.torch.dtypes import INTEGERS

Tensor = torch.Tensor


@dataclass
class Plan:
    """A key taken apart for one tensor."""

    view: Tensor
    """The result of the basic part, which takes axes with an index tensor whole."""
    flips: list[int] = field(default_factory=list)
    """The axes of the view to be reversed, for negative steps."""
    index: list[Tensor | None] = field(default_factory=list)
    """An index tensor, or None, for each axis of the view; empty where there is none."""
    apart: bool = False
    """True if something stands between the index tensors, so that their axes come first."""

    @property
    def position(self) -> int:
        """The position of the index tensors' axes in the result."""
        return 0 if self.apart else next(i for i, t in enumerate(self.index) if t is not None)


def plan(x: Tensor, key: Any) -> Plan:
    """Take a key apart."""
    parts = [_part(part) for part in (key if isinstance(key, tuple) else (key,))]
    parts = _without_ellipsis(x, parts)
    advanced = any(isinstance(part, Tensor) for part in parts)
    basic: list[Any] = []
    result = Plan(x)
    axis = 0
    places: list[int] = []
    for number, part in enumerate(parts):
        if part is None or isinstance(part, slice):
            if part is not None and part is not _NOTHING:
                part, backward = _forward(part, x.shape[axis])
                if backward:
                    result.flips.append(len(result.index))
                axis += 1
            if part is not _NOTHING:
                basic.append(part)
                result.index.append(None)
        elif not advanced:
            basic.append(within(part, x.shape[axis], axis))
            axis += 1
        else:
            places.append(number)
            axis += _add_index(result, basic, part, x, axis)
    result.apart = bool(places) and places[-1] - places[0] >= len(places)
    result.view = x[tuple(basic)]
    if not advanced:
        result.index = []
    return result


# Stands for an ellipsis of no axes, which still stands between what is on both sides of it.
_NOTHING = slice(0, 0, 1)


def _part(part: Any) -> Any:
    """Normalize one part of a key: None, Ellipsis, slice, int, or a bool or int64 tensor."""
    if part is None or part is Ellipsis or isinstance(part, slice):
        return part
    if isinstance(part, bool):
        return torch.tensor(part)
    if not isinstance(part, Tensor):
        try:
            return operator.index(part)
        except TypeError:
            raise no_index(part) from None
    if part.dtype is torch.bool:
        return part
    if part.dtype not in INTEGERS:
        raise no_index_array(part.dtype)
    return part.to(torch.int64)


def _axes(part: Any) -> int:
    """Return how many axes a part takes up."""
    if part is None:
        return 0
    return part.ndim if isinstance(part, Tensor) and part.dtype is torch.bool else 1


def _without_ellipsis(x: Tensor, parts: list[Any]) -> list[Any]:
    before, missing, behind, dots = around_ellipsis(parts, _axes, x.ndim)
    return [*before, *([slice(None)] * missing or [_NOTHING] * dots), *behind]


def _forward(part: slice, size: int) -> tuple[slice, bool]:
    """Return a slice with a positive step that takes the same elements, and whether to flip."""
    start, stop, step = part.indices(size)
    length = len(range(start, stop, step))
    if length == 1:  # whatever the step, of which the stride could overflow
        return slice(start, start + 1), False
    if step > 0:
        return slice(start, max(start, stop), step), False
    if length == 0:
        return slice(0, 0), False
    lowest = start + (length - 1) * step
    return slice(lowest, start + 1, -step), True


def _add_index(result: Plan, basic: list[Any], part: Any, x: Tensor, axis: int) -> int:
    """Add an index tensor, or those that a mask stands for; return how many axes it takes up."""
    if not isinstance(part, Tensor):
        part = torch.tensor(within(part, x.shape[axis], axis), device=x.device)
    elif part.dtype is torch.bool:
        part = part.to(x.device)
        if part.ndim == 0:
            # A new axis of size one, of which the mask selects all or nothing.
            basic.append(None)
            result.index.append(torch.nonzero(part.reshape(1)).reshape(-1))
            return 0
        check_mask(part.shape, x.shape[axis : axis + part.ndim], axis)
        basic.extend([slice(None)] * part.ndim)
        result.index.extend(torch.nonzero(part, as_tuple=True))
        return int(part.ndim)
    basic.append(slice(None))
    result.index.append(part.to(x.device))
    return 1
