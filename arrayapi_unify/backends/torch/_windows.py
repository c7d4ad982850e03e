"""Windows onto one memory as parts of one flat tensor, which a write can replace.

PyTorch lets tensors share memory. Where autograd doesn't let us write to it, those who share it
have to follow one another, as the arrays of libraries do that share none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from arrayapi_unify.backends._common.layouts import Layout
from arrayapi_unify.backends.torch._versions import NEW_VERSION, unchanged
from arrayapi_unify.backends.torch._writing import shares

__all__ = ["NEW_VERSION", "Place", "apart", "unchanged"]

Tensor = torch.Tensor


@dataclass(frozen=True)
class Place:
    """Where a window lies in the flat tensor."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int

    def read(self, flat: Tensor) -> Tensor:
        """Take the window out of the flat tensor."""
        return torch.as_strided(flat, self.shape, self.strides, self.offset)

    def write(self, flat: Tensor, value: Tensor) -> Tensor:
        """Return the flat tensor with a value in the window.

        Not by torch.as_strided_scatter, which gives what it overwrites a derivative (2.13).
        """
        flat = flat.clone()
        self.read(flat).copy_(value)
        return flat

    @property
    def end(self) -> int:
        """How long the flat tensor has to be."""
        steps = zip(self.shape, self.strides, strict=True)
        return self.offset + 1 + sum((size - 1) * stride for size, stride in steps if size)

    def layout(self, flat: Layout) -> Any:
        """Return the layout of the window."""
        return np.ndarray(self.shape, flat.dtype, flat, self.offset, self.strides)


def apart(windows: list[Tensor]) -> tuple[Tensor, list[Place | None]]:
    """Return the memory of the first window, and where each lies in it; None for other memory.

    A window of another data type, as the real parts of a complex tensor are, is left out too.
    """
    first = windows[0]
    places = [_place(first, window) for window in windows]
    size = max(place.end for place in places if place is not None)
    return torch.as_strided(first, (size,), (1,), 0), places


def _place(first: Tensor, window: Tensor) -> Place | None:
    if window.dtype is not first.dtype or not shares(first, window):
        return None
    return Place(tuple(window.shape), window.stride(), int(window.storage_offset()))
