"""Layouts, which model NumPy's memory, and the functions whose results share their argument's.

A layout is an array with the shape and strides that an Array has in NumPy; its elements are never
read or written. The result of NumPy's function on it is a view or not, and tells the place of the
view in memory.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.algorithms.splitting import part_key
from arrayapi_unify.backends._common.checks.linalg import diagonal_offset

__all__ = [
    "SHARING", "Layout", "ResultKind", "Sharing", "between", "bounds", "is_item", "is_layout",
    "is_plain", "new", "numbers", "of_parts", "place",
]  # fmt: skip

# Up to here a loop over intervals takes less time than NumPy's.
_FEW: Final = 16

Layout = npt.NDArray[Any]


def new(shape: tuple[int, ...], kind: str, strides: tuple[int, ...] | None = None) -> Layout:
    """Return the layout of an array of a kind of data type; it takes no memory of its own.

    It lies in the order of C, unless there are strides, in elements.
    """
    dtype = np.dtype(np.complex64 if kind == "c" else np.int8)
    if strides is None or 0 in shape:
        return np.empty(shape, dtype)
    last = sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    steps = tuple(dtype.itemsize * stride for stride in strides)
    return np.ndarray(shape, dtype, np.empty(last + 1, dtype), 0, steps)


def of_parts(shape: tuple[int, ...]) -> Layout:
    """Return the layout of the parts of complex numbers."""
    return np.empty(shape, np.float32)


def numbers(shape: tuple[int, ...]) -> Layout:
    """Return an array whose elements say at which place each of them is, in C's order."""
    return np.arange(math.prod(shape)).reshape(shape)


def is_layout(value: Any) -> bool:
    """Return True if NumPy made an array of a layout: neither a scalar nor None."""
    return isinstance(value, np.ndarray)


def is_item(layout: Layout, source: Layout, key: Any) -> bool:
    """Return True if a layout is the part of its source that integers and slices select."""
    item = source[key]
    if not is_layout(item) or item.dtype != layout.dtype:  # real parts are no complex numbers
        return False
    alike = item.shape == layout.shape and item.strides == layout.strides
    return alike and _address(item) == _address(layout)


def is_plain(layout: Layout) -> bool:
    """Return True if an array is C-contiguous, as a new one is."""
    return layout.flags.c_contiguous


def place(layout: Layout, root: Layout) -> tuple[Any, ...]:
    """Return where a layout lies in that of the whole memory; equal ones are the same part."""
    offset = _address(layout) - _address(root) if layout.size else 0
    return offset, layout.shape, layout.strides, layout.dtype.str


def _address(layout: Layout) -> int:
    """Return where the first element lies, in half the time that `ctypes.data` takes."""
    address: int = layout.__array_interface__["data"][0]
    return address


def bounds(layout: Layout) -> tuple[int, int]:
    """Return the addresses between which the elements lie; two equal ones for none."""
    if layout.flags.c_contiguous:
        begin = _address(layout)
        return (begin, begin + layout.nbytes) if layout.size else (0, 0)
    return np.lib.array_utils.byte_bounds(layout) if layout.size else (0, 0)


def between(low: int, high: int, lows: array[int], highs: array[int]) -> list[int]:
    """Return the numbers of the intervals that overlap with one, without a loop over thousands."""
    if len(lows) <= _FEW:
        pairs = enumerate(zip(lows, highs, strict=True))
        return [number for number, (begin, end) in pairs if begin < high and end > low]
    begins, ends = np.frombuffer(lows, np.int64), np.frombuffer(highs, np.int64)
    found: list[int] = np.flatnonzero((begins < high) & (ends > low)).tolist()
    return found


class ResultKind(Enum):
    """The number of results of a function that returns views."""

    ONE = "one"
    PARTS = "parts of the first argument"
    OF_EACH = "one of each argument"


@dataclass(frozen=True)
class Sharing:
    """The way in which a function's result shares memory with its first argument."""

    layout: Callable[..., Any]
    """A layout and the other arguments -> the result's; no array where the result is a copy."""
    back: Callable[..., Any] | None = None
    """Natives, source, view, other arguments -> source with the view in it; None: read-only."""
    locked: Callable[..., bool] | None = None
    """The source's shape and the other arguments -> True if the result is read-only after all."""
    copies: Callable[..., bool] | None = None
    """The result and the other arguments -> True if the result is a copy, whatever the layout."""
    row: Callable[..., tuple[int, int] | None] | None = None
    """The other arguments -> the axis and number of the row that the result is, if it is one."""
    read: Callable[..., Any] | None = None
    """Natives, source, other arguments -> view, where the function itself makes several."""
    results: ResultKind = ResultKind.ONE
    """The results; of several, each has its number, or its shape, as the first other argument."""
    surely: bool = False
    """True if NumPy returns a view for all arguments other than those that `copies` names."""


_PLAIN_KEYS: Final = frozenset({int, slice, type(None), type(Ellipsis)})


def _copied_item(result: Any, key: Any) -> bool:
    """Return True if a key contains arrays, or is of integers alone and selects one element."""
    kinds = set(map(type, key if type(key) is tuple else (key,)))
    return not _PLAIN_KEYS.issuperset(kinds) or (kinds <= {int} and not result.ndim)


def _reshaped(s: Any, shape: Any, *, copy: bool | None = None) -> Any:
    try:
        return None if copy else np.reshape(s, shape, copy=False)
    except ValueError:  # the strides don't allow it
        if copy is False:
            raise
        return None


def _row_key(rank: int, axis: int, number: int) -> Any:
    return (*[slice(None)] * (axis % rank), number)


def _order_back(axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.argsort([axis % len(axes) for axis in axes]))


def _with_imaginary(f: Any, x: Any, y: Any) -> Any:
    kind = f.backend.dtype_of(x).kind
    return f.backend.join_complex(y, f.imag(x)) if kind == "c" else y


def _shaped_back(f: Any, x: Any, y: Any, *_: Any, **__: Any) -> Any:
    # A size that isn't known while tracing is what is left.
    shape = f.backend.shape_of(x)
    return f.reshape(y, tuple(-1 if size is None else size for size in shape))


SHARING: Final[dict[str, Sharing]] = {
    "get_item": Sharing(
        lambda s, key: s[key],
        lambda f, x, y, key: f.set_item(x, key, y),
        copies=_copied_item,
        row=lambda key: (0, key) if type(key) is int and key >= 0 else None,
        surely=True,
    ),
    "reshape": Sharing(_reshaped, _shaped_back),
    "expand_dims": Sharing(np.expand_dims, _shaped_back, surely=True),
    "squeeze": Sharing(np.squeeze, _shaped_back, surely=True),
    "permute_dims": Sharing(
        np.transpose, lambda f, x, y, axes: f.permute_dims(y, _order_back(axes)), surely=True
    ),
    "matrix_transpose": Sharing(
        np.matrix_transpose, lambda f, x, y: f.matrix_transpose(y), surely=True
    ),
    "moveaxis": Sharing(
        np.moveaxis,
        lambda f, x, y, source, destination: f.moveaxis(y, destination, source),
        surely=True,
    ),
    "flip": Sharing(
        np.flip,
        lambda f, x, y, **axis: f.flip(y, **axis),
        copies=lambda result, **axis: not result.ndim,
        surely=True,
    ),
    "real": Sharing(np.real, _with_imaginary, surely=True),
    "imag": Sharing(
        lambda s: s.imag if s.dtype.kind == "c" else None,
        lambda f, x, y: f.backend.join_complex(f.real(x), y),
    ),
    "unstack": Sharing(
        lambda s, number, *, axis=0: s[_row_key(s.ndim, axis, number)],
        lambda f, x, y, number, *, axis=0: f.set_item(x, _row_key(f.rank(x), axis, number), y),
        copies=lambda result, number, *, axis=0: not result.ndim,
        row=lambda number, *, axis=0: (axis, number) if axis >= 0 else None,
        read=lambda f, x, number, *, axis=0: f.get_item(x, _row_key(f.rank(x), axis, number)),
        results=ResultKind.PARTS,
        surely=True,
    ),
    "split": Sharing(
        lambda s, number, **cut: s[part_key(s.shape, number, **cut)],
        lambda f, x, y, number, **cut: f.set_item(x, part_key(f.shape(x), number, **cut), y),
        read=lambda f, x, number, **cut: f.get_item(x, part_key(f.shape(x), number, **cut)),
        results=ResultKind.PARTS,
        surely=True,
    ),
    "broadcast_to": Sharing(np.broadcast_to, surely=True),
    "broadcast_arrays": Sharing(
        lambda s, shape: s[...] if s.shape == shape else np.broadcast_to(s, shape),
        lambda f, x, y, shape: y,
        locked=lambda s, shape: s != shape,
        read=lambda f, x, shape: f.broadcast_to(x, shape),
        results=ResultKind.OF_EACH,
        surely=True,
    ),
    "linalg.diagonal": Sharing(
        lambda s, *, offset=0: np.diagonal(s, diagonal_offset(s.shape, offset), -2, -1), surely=True
    ),
}
