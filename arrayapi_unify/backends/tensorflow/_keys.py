"""Keys of `x[key]`, taken apart: what is basic goes to one strided slice, what is left is arrays.

The rules are NumPy's ("Indexing on ndarrays" in its manual), read on the static shape.
"""

from __future__ import annotations

import functools
import inspect
import math
import operator
from dataclasses import dataclass, field
from types import NoneType
from typing import Any, Final

import numpy as np
import tensorflow as tf

from arrayapi_unify.backends._common.checks.indexing import (
    around_ellipsis,
    check_mask,
    no_index,
    no_index_array,
    within,
)
from arrayapi_unify.backends.tensorflow._core import (
    CPU,
    Tensor,
    any_true,
    cast,
    const,
    eager,
    ints,
    raw,
)

_SLICE_RANK: Final = 8
_KEYS_CACHED: Final = 8192
_LARGEST: Final = 2**48  # more than an axis has elements
# Without the wrapper that refuses positional arguments.
_strided_slice: Final = inspect.unwrap(raw.StridedSlice)
_BOUNDS: Final = frozenset({int, NoneType})


@dataclass(slots=True)
class Parts:
    """One strided slice, then integer arrays on some of the axes it leaves.

    `begin`, `end`, `stride` have an entry for each axis of x and each new axis; bit i of a mask
    says something of entry i, as tf.strided_slice has it.
    """

    begin: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    stride: list[int] = field(default_factory=list)
    begin_mask: int = 0
    end_mask: int = 0
    new_axis_mask: int = 0
    shrink_axis_mask: int = 0
    shape: tuple[int | None, ...] = ()  # of what the slice leaves
    whole: bool = True  # the slice takes everything
    arrays: dict[int, Tensor] = field(default_factory=dict)  # by axis of what the slice leaves
    adjacent: bool = True  # the arrays (and integers among them) stand side by side in the key
    distinct: bool = True  # nothing but masks selects along axes, so nothing is selected twice
    kept: dict[str, Any] = field(default_factory=dict)  # the result of `arguments`

    @property
    def rank(self) -> int:
        """The number of axes that the slice leaves."""
        return len(self.shape)

    def slice(self, begin: int, end: int | None, stride: int, size: int | None) -> None:
        """Add an axis that is sliced; no end means the last element in the stride's direction."""
        bit = 1 << len(self.begin)
        self.end_mask |= bit if end is None else 0
        self.begin.append(begin)
        self.end.append(0 if end is None else end)
        self.stride.append(stride)
        self.shape += (size,)

    def full(self, size: int | None) -> None:
        """Add an axis that is taken as it is."""
        self.begin_mask |= 1 << len(self.begin)
        self.slice(0, None, 1, size)

    def new_axis(self) -> None:
        """Add an axis of size one."""
        self.whole = False
        self.new_axis_mask |= 1 << len(self.begin)
        self.slice(0, 0, 1, 1)

    def integer(self, index: int) -> None:
        """Add an axis from which one element is taken."""
        self.whole = False
        self.shrink_axis_mask |= 1 << len(self.begin)
        self.slice(index, index + 1, 1, 1)
        self.shape = self.shape[:-1]

    def array(self, index: Tensor, size: int | None) -> None:
        """Add an axis along which an array selects."""
        self.arrays[self.rank] = index
        self.full(size)

    def apply(self, x: Tensor) -> Tensor:
        """Slice x."""
        if self.whole:
            return x
        return self._one_by_one(x) if self.too_many else _strided_slice(input=x, **self.arguments())

    @property
    def too_many(self) -> bool:
        """True if there are more axes than the kernel takes."""
        return len(self.begin) > _SLICE_RANK

    def _one_by_one(self, x: Tensor) -> Tensor:
        """Slice axis by axis, each as the middle one of three."""
        sizes = list(x.shape)
        result: list[int] = []
        for i in range(len(self.begin)):
            if self.new_axis_mask >> i & 1:
                result.append(1)
                continue
            size = sizes.pop(0)
            middle = raw.Reshape(tensor=x, shape=ints((math.prod(result), size, math.prod(sizes))))
            x = raw.StridedSlice(
                input=middle,
                begin=ints((0, self.begin[i])),
                end=ints((0, self.end[i])),
                strides=ints((1, self.stride[i])),
                begin_mask=1 | (self.begin_mask >> i & 1) << 1,
                end_mask=1 | (self.end_mask >> i & 1) << 1,
            )
            if not self.shrink_axis_mask >> i & 1:
                result.append(x.shape[1])
        return raw.Reshape(tensor=x, shape=ints(tuple(result)))

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the strided slice and its assignment."""
        if not self.kept:
            self.kept = {
                "begin": ints(tuple(self.begin)),
                "end": ints(tuple(self.end)),
                "strides": ints(tuple(self.stride)),
            }
            for name in ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask"):
                if getattr(self, name):  # each of them costs time
                    self.kept[name] = getattr(self, name)
        return self.kept


def _is_array(part: Any) -> bool:
    return isinstance(part, tf.Tensor | tf.Variable | np.ndarray)


def _is_mask(part: Any) -> bool:
    if isinstance(part, np.ndarray):
        return bool(part.dtype.kind == "b")
    return isinstance(part, bool) or (_is_array(part) and part.dtype is tf.bool)


def _consumed(part: Any) -> int:
    """Return how many axes of x a part stands for."""
    if part is None or isinstance(part, bool):
        return 0
    if _is_mask(part):
        return len(part.shape)
    return 1


def parse(shape: tuple[int | None, ...], key: Any) -> Parts:
    """Take a key apart for an array of a shape; what comes back isn't to be changed."""
    if type(key) is int:
        return _remembered(shape, (key,))
    frozen = _frozen(key)
    return _parsed(shape, key) if frozen is None else _remembered(shape, frozen)


def _frozen(key: Any) -> tuple[Any, ...] | None:
    """Return a key without arrays with tuples for slices, which have no hash; None for others."""
    result: list[Any] = []
    for part in key if type(key) is tuple else (key,):
        if type(part) is slice:
            bounds = (part.start, part.stop, part.step)
            if not _BOUNDS.issuperset(map(type, bounds)):
                return None
            result.append(bounds)
        elif type(part) is int or part is None or part is Ellipsis:
            result.append(part)
        else:
            return None
    return tuple(result)


@functools.lru_cache(maxsize=_KEYS_CACHED)
def _remembered(shape: tuple[int | None, ...], frozen: tuple[Any, ...]) -> Parts:
    """Take a key apart that is one of few, as most are."""
    return _parsed(shape, tuple(slice(*p) if type(p) is tuple else p for p in frozen))


def _parsed(shape: tuple[int | None, ...], key: Any) -> Parts:
    parts = _expanded(len(shape), key if isinstance(key, tuple) else (key,))
    advanced = any(_is_array(part) or _is_mask(part) for part in parts)
    found = Parts()
    axis = 0
    places: list[int] = []
    for number, part in enumerate(parts):
        if part is Ellipsis:
            continue
        used = _consumed(part)
        if part is None:
            found.new_axis()
        elif isinstance(part, slice):
            _add_slice(found, part, shape[axis])
        elif _is_mask(part):
            _add_mask(found, part, shape[axis : axis + used], axis)
            places.append(number)
        elif _is_array(part):
            index = _positions(part, shape[axis])
            found.array(index, shape[axis])
            found.distinct &= index.shape.num_elements() == 1
            places.append(number)
        else:
            _add_integer(found, part, shape[axis], axis, advanced)
            places.append(number)
        axis += used
    found.adjacent = not places or places[-1] - places[0] == len(places) - 1
    return found


def _expanded(rank: int, key: tuple[Any, ...]) -> list[Any]:
    """Add full slices after the ellipsis, or at the end; it parts arrays even without them."""
    before, missing, behind, dots = around_ellipsis(key, _consumed, rank)
    return [*before, *[Ellipsis] * dots, *[slice(None)] * missing, *behind]


def _add_slice(found: Parts, part: slice, size: int | None) -> None:
    if part.start is None and part.stop is None and part.step is None:
        found.full(size)
        return
    found.whole = False
    if size is None:
        _add_slice_of_unknown(found, part)
        return
    begin, end, stride = part.indices(size)
    length = len(range(begin, end, stride))
    if length < 2:  # the stride, which may have more than 64 bits, doesn't matter
        found.slice(begin * length, (begin + 1) * length, 1, length)
    else:
        found.slice(begin, None if end < 0 else end, stride, length)


def _add_slice_of_unknown(found: Parts, part: slice) -> None:
    """Leave a slice of an axis whose size isn't known while tracing to the kernel."""
    if part.start is None:
        found.begin_mask |= 1 << len(found.begin)
    begin = 0 if part.start is None else _clipped(part.start)
    end = None if part.stop is None else _clipped(part.stop)
    found.slice(begin, end, 1 if part.step is None else _clipped(part.step), None)


def _clipped(bound: Any) -> int:
    """Return a bound or step of a slice, which Python doesn't limit, within 64 bits."""
    return max(-_LARGEST, min(operator.index(bound), _LARGEST))


def _add_integer(found: Parts, part: Any, size: int | None, axis: int, advanced: bool) -> None:
    try:
        index = operator.index(part)
    except TypeError:
        raise no_index(part) from None
    if size is not None:
        index = within(index, size, axis) % size
    if advanced:  # next to arrays, integers count as arrays
        found.array(const(index, tf.int64), size)
    elif index < 0:  # of unknown size: the slice must not end at 0
        found.integer(index)
        found.end_mask |= (index == -1) << (len(found.begin) - 1)
    else:
        found.integer(index)


def wrapped(index: Tensor, size: int | Tensor) -> Tensor:
    """Return positions that may count from the end, counted from zero."""
    if _counts_from_zero(index):
        return index
    negative = raw.Less(x=index, y=const(0, tf.int64))
    from_end = raw.AddV2(x=index, y=const(size, tf.int64) if isinstance(size, int) else size)
    return raw.SelectV2(condition=negative, t=from_end, e=index)


def _counts_from_zero(index: Tensor) -> bool:
    """Return True if no position counts from the end; NumPy checks fastest. False in a trace."""
    if not eager():
        return False
    if index.device.endswith(CPU):
        return bool(np.asarray(index).min(initial=0) >= 0)
    return not any_true(raw.Less(x=index, y=const(0, tf.int64)))


def _positions(part: Any, size: int | None) -> Tensor:
    """Return an integer array's positions, counted from zero."""
    index = tf.convert_to_tensor(part)
    if not index.dtype.is_integer:
        raise no_index_array(index.dtype.name)
    if index.dtype.is_unsigned:
        return cast(index, tf.int64)
    index = cast(index, tf.int64)
    if size is None:
        return index
    return wrapped(index, size)


def _add_mask(found: Parts, part: Any, shape: tuple[int | None, ...], axis: int) -> None:
    """Add a mask as the positions of its true elements, one array for each of its axes."""
    mask = tf.convert_to_tensor(part)
    check_mask(mask.shape, shape, axis)
    if mask.shape.rank == 0:
        # NumPy: a new axis, of size one or none.
        mask = raw.Reshape(tensor=mask, shape=ints((1,)))
        places = raw.Unpack(value=raw.Where(condition=mask), num=1, axis=1)
        found.new_axis()
        found.arrays[found.rank - 1] = places[0]
        return
    places = raw.Unpack(value=raw.Where(condition=mask), num=mask.shape.rank, axis=1)
    for size, along in zip(shape, places, strict=True):
        found.array(along, size)


def check_bounds(indices: Tensor, size: int, low: int, empty: bool = False) -> None:
    """Refuse what is out of bounds where the kernel doesn't: on an accelerator, in empty arrays."""
    if not eager() or not (empty or "CPU" not in indices.device):
        return
    if any_true((indices < low) | (indices >= size)):
        raise IndexError(f"an index is out of bounds for an axis of size {size}")
