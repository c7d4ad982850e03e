"""Aliases of one memory: how PyTorch tells of writes to it, and parts of one flat tensor.

PyTorch lets tensors share memory, and counts most writes to it. Where autograd doesn't let us write
to it, those who share it have to follow one another, as the arrays of libraries do that share none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt
import torch

from arrayapi_unify.backends._common.protocols.interchange import overlaps
from arrayapi_unify.backends.torch._core import is_compiling, is_wrapped
from arrayapi_unify.backends.torch._mutation import copied_beside, shares_memory

Tensor = torch.Tensor

NEW_VERSION: Final = 0
"""The count of a tensor that was just made."""

# The mark of a tensor with foreign writers to its memory.
_OPEN: Final = "_arrayapi_unify_open"


def open_to_others(x: Tensor) -> Tensor:
    """Note that NumPy, or another library, may write to a tensor's memory; return the tensor.

    PyTorch counts no such write. All views of a tensor have one base, which gets the mark.
    """
    if not is_compiling():
        setattr(x if x._base is None else x._base, _OPEN, True)
    return x


def version_of(x: Tensor) -> Any:
    """Return PyTorch's count of the writes; what is traced or for inference only has none.

    For memory with foreign writers it is a new one each time.
    """
    if is_compiling() or is_wrapped(x):
        return None
    try:
        version = x._version
    except RuntimeError:  # for inference only; to ask before takes longer than to try
        return None
    base = x._base
    return object() if hasattr(x if base is None else base, _OPEN) else version


def unchanged(x: Tensor, version: Any, y: Tensor, y_version: Any) -> bool:
    """Return True only if neither tensor was written to since it had its version.

    The checks are written out for both tensors, because every access to a result of `flip` runs
    them.
    """
    if version is None or y_version is None or is_compiling():
        return False
    try:
        if x._version != version or y._version != y_version:
            return False
    except RuntimeError:  # for inference only
        return False
    base, y_base = x._base, y._base
    return not (
        hasattr(x if base is None else base, _OPEN)
        or hasattr(y if y_base is None else y_base, _OPEN)
    )


def as_alias(x: Tensor) -> Tensor:
    """Return a tensor that says that others may have its memory, as those say that are views.

    The short ways of writing look at `_base`. A detached view, and memory of another library, have
    none.
    """
    if x._base is not None or x.requires_grad or is_compiling():
        return x
    return x.view_as(x)


def overlapping(x: Tensor) -> bool:
    """Return True if elements of a tensor share memory, as those of an expanded one do."""
    return not x.is_contiguous() and overlaps(x.shape, x.stride())


def adopted(x: Tensor) -> Tensor:
    """Return a tensor with other references, as an alias if its memory may be shared."""
    if x._base is not None or not x.is_cpu or is_compiling():
        return x
    try:
        memory = x.untyped_storage()
        whole = x.is_contiguous() and memory.nbytes() == x.nbytes and memory.resizable()
    except RuntimeError:  # what torch.func transforms has no memory
        return x
    return x if whole else as_alias(x)


# --- how tensors lie ----------------------------------------------------------------------------


def strides_of(x: Tensor) -> tuple[int, ...] | None:
    """Return the steps of a tensor, in elements; None in the order of C."""
    return None if x.is_contiguous() else tuple(x.stride())


def same_strides(x: Tensor, y: Tensor) -> bool:
    """Return True if two tensors of one shape have the same strides, or are both contiguous."""
    return strides_of(x) == strides_of(y)


# --- parts of one flat tensor -------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """The position of an alias in the flat tensor."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    pairs: bool
    """True if two elements of the flat tensor, real and imaginary part, are one of the alias."""
    read_only: ClassVar = False
    row: ClassVar = None

    def read(self, flat: Tensor) -> Tensor:
        """Take the alias out of the flat tensor."""
        if self.pairs:
            parts = ((*self.shape, 2), (*self.strides, 1), self.offset)
            return torch.view_as_complex(torch.as_strided(flat, *parts))
        return torch.as_strided(flat, self.shape, self.strides, self.offset)

    def write(self, flat: Tensor, value: Tensor) -> Tensor:
        """Return the flat tensor with a value in the alias.

        torch.as_strided_scatter isn't used: it gives overwritten elements a derivative (2.13).
        """
        flat = copied_beside(flat, value)
        self.read(flat).copy_(value)
        return flat

    @property
    def end(self) -> int:
        """The number of elements that the flat tensor has at least."""
        steps = zip(self.shape, self.strides, strict=True)
        last = self.offset + sum((size - 1) * stride for size, stride in steps if size)
        return last + 1 + self.pairs

    def layout(self, flat: npt.NDArray[Any]) -> Any:
        """Return the layout of the alias."""
        size, dtype = flat.itemsize, np.complex64 if self.pairs else flat.dtype
        strides = tuple(size * stride for stride in self.strides)
        return np.ndarray(self.shape, dtype, flat, size * self.offset, strides)


def split_storage(aliases: list[Tensor]) -> tuple[Tensor, bool, list[Place | None]]:
    """Return the memory of the first alias, and where each lies in it; None for other memory.

    That is one flat tensor. It holds the parts of complex numbers where an alias shows one of them:
    then the second result is true.
    """
    first = aliases[0]
    of_parts = len({alias.dtype for alias in aliases}) > 1
    if of_parts and first.is_complex():
        first = torch.view_as_real(first)
    places = [_place(first, alias, of_parts) for alias in aliases]
    size = max(place.end for place in places if place is not None)
    return torch.as_strided(first, (size,), (1,), 0), of_parts, places


def _place(first: Tensor, alias: Tensor, of_parts: bool) -> Place | None:
    if not shares_memory(first, alias):
        return None
    pairs = of_parts and alias.is_complex()
    unit = 2 if pairs else 1
    strides = tuple(unit * stride for stride in alias.stride())
    return Place(tuple(alias.shape), strides, unit * int(alias.storage_offset()), pairs)
