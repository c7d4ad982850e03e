"""Indexing functions of the PyTorch backend, and what `x[key]` and `x[key] = value` go through."""

from __future__ import annotations

import operator
from typing import Any, Final

import torch

from arrayapi_unify.backends._common.checks.arguments import (
    check_element,
    check_rank_of_indices,
    check_within,
    raise_indices_error,
    raise_no_axis_error,
)
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends.kernel import FastKernel, Kernel
from arrayapi_unify.backends.torch._core import (
    all_rows,
    any_true,
    cast,
    is_compiling,
    modes,
    transforms,
)
from arrayapi_unify.backends.torch._gather_scatter import assign, assignable, selected
from arrayapi_unify.backends.torch._keys import plan
from arrayapi_unify.backends.torch._mutation import (
    copied_beside,
    elsewhere,
    makes_another,
    overlaps_itself,
)
from arrayapi_unify.backends.torch._saved import guard_writes, unsaved
from arrayapi_unify.backends.torch._scattered import (
    all_of,
    is_out_of_reach,
    is_scattered,
    scattered_like,
)
from arrayapi_unify.backends.torch._unsigned import SIGNED, bits, from_bits
from arrayapi_unify.backends.torch.dtypes import INTEGERS, as_dtype

Tensor = torch.Tensor

is_tracing: Any = vars(torch.jit)["is_tracing"]  # public, but not exported by name

# Tensors of these select in PyTorch what they do in NumPy, unless they are 0-d.
_SELECTING: Final = frozenset({torch.int64, torch.int32, torch.bool})
_INDICES: Final = _SELECTING - {torch.bool}
_FAR: Final = 2**31  # of longer steps the strides may overflow
_MANY: Final = 1024
_places: Final[list[Tensor]] = []  # 0-d tensors of 0 to _MANY - 1 and -_MANY to -1, when needed


def _checked(function: str, indices: Tensor) -> Tensor:
    if indices.dtype not in INTEGERS:
        raise_indices_error(function, as_dtype(indices.dtype))
    return indices.to(torch.int64)


def _take(x: Tensor, indices: Tensor) -> Tensor:
    """Select from a vector by integers; anything else is for `take`."""
    if x.ndim != 1 or not indices.ndim or indices.dtype not in _INDICES:
        raise TypeError
    return x[indices]


@Kernel(fast_kernel=FastKernel(_take, argument=torch.float64))
def take(x: Tensor, indices: Tensor, /, *, axis: int | None = None) -> Tensor:
    """Select, as the subscript does: torch.take flattens, index_select takes no negative ones."""
    if axis is None and x.ndim != 1:
        raise_no_axis_error(x.shape)
    at = normalize_axis("take", 0 if axis is None else axis, x.ndim)
    indices = _checked("take", indices)
    if at and indices.ndim and x.dtype not in SIGNED:
        try:
            return x[(*[slice(None)] * at, indices)]  # type: ignore[index]  # slices and a tensor
        except (IndexError, RuntimeError):
            pass  # what is below says what is wrong
    return get_item(x, (*[slice(None)] * at, indices) if at else indices)


def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: int = -1) -> Tensor:
    """Select along each vector; PyTorch takes no negative indices."""
    if indices.ndim != x.ndim:
        check_rank_of_indices(indices.shape, x.shape)
    at = normalize_axis("take_along_axis", axis, x.ndim)
    indices = _checked("take_along_axis", indices)
    size = x.shape[at]
    given = indices
    indices = torch.where(indices < 0, indices + size, indices)
    if _looks(indices) and any_true((indices < 0) | (indices >= size), unknown=False):
        # PyTorch doesn't always look, and reads beyond the tensor.
        check_within("take_along_axis", all_rows(given), at, size)
    return from_bits(torch.take_along_dim(bits(x), indices, at), x.dtype)


def _direct(part: Any) -> bool:
    """Return True if PyTorch reads a part of a key as NumPy does, next to any other parts."""
    if type(part) is slice:
        return part.step is None or (type(part.step) is int and 0 < part.step < _FAR)
    return type(part) is int or part is None or part is Ellipsis


def _looks(x: Tensor) -> bool:
    """Return True if values may be read: not while compiling, and not on an accelerator."""
    return x.is_cpu and not is_compiling()


def _forward(key: Any) -> bool:
    """Return True if PyTorch's own subscript takes a key with NumPy's result."""
    if type(key) is not tuple:
        return _direct(key)
    ellipses = 0
    for part in key:
        kind = type(part)
        if kind is slice:
            if part.step is not None and not _direct(part):
                return False
        elif part is Ellipsis:
            ellipses += 1
        elif kind is not int and part is not None:
            return False
    return ellipses < 2  # PyTorch takes any number of them


def get_element(x: Tensor, key: Any, /) -> Tensor | None:
    """Return the element that a key of integers selects; None where `get_item` has to.

    torch.take copies it in one call, where a subscript and a copy of its view are two. So it is for
    tensors of few elements, whose positions exist as tensors, if autograd doesn't track them.
    """
    direct = type(key) is int and x.ndim == 1
    place = key if direct else _place(x, key)
    if not -_MANY <= place < _MANY or x.requires_grad or not x.is_cpu:
        return None
    if is_compiling() or modes() or transforms() is not None:
        return None
    if not _places:
        numbers = (*range(_MANY), *range(-_MANY, 0))
        _places[:] = torch.tensor(numbers, device="cpu").unbind()
    try:
        return torch.take(x, _places[place])
    except (RuntimeError, IndexError):
        return None  # PyTorch lacks a data type, or the subscript says what is wrong


def _place(x: Tensor, key: Any) -> int:
    """Return the place that integers name in the order of the elements; _MANY if they name none."""
    if type(key) is int or len(key) != x.ndim or is_tracing():
        return _MANY
    place, shape = 0, x.shape
    for i, number in enumerate(key):
        size = shape[i]
        if not -size <= number < size:
            return _MANY
        place = place * size + (number if number >= 0 else number + size)
    return place


# `operator.getitem` is for keys of integers and slices; it refuses negative steps.
@Kernel(
    fast_call=operator.getitem,
    supports_basic_key=_forward,
    copies_when=lambda key: not _forward(key),
    get_element=get_element,
)
def get_item(x: Tensor, key: Any, /) -> Tensor:
    """Select; integers and slices with positive steps go the shortest way, and index tensors.

    What integers alone select is a value, where PyTorch gives a view of one element.
    """
    if type(key) is Tensor and key.dtype in _SELECTING and key.ndim and x.dtype not in SIGNED:
        try:
            return x[key]
        except (IndexError, RuntimeError):
            pass  # what is below takes it, or says what is wrong
    parts = key if type(key) is tuple else (key,)
    if _forward(key):
        view = x[key]
        return view if view.ndim or Ellipsis in parts else view.clone()
    p = plan(bits(x), key)
    view = torch.flip(p.view, p.flips) if p.flips else p.view
    if p.index:
        view = selected(view, p)
    elif not view.ndim and not any(part is Ellipsis for part in parts):
        view = view.clone()
    return from_bits(view, x.dtype)


def _set_item_of_copy(x: Tensor, key: Any, value: Tensor, /) -> Tensor:
    """Assign to a copy."""
    x = copied_beside(x, value, *(key if type(key) is tuple else (key,)))
    assign(x, key, cast(value, x.dtype))
    return x


def _fill(x: Tensor, mask: Tensor, value: float) -> None:
    """Store a number by a mask of x's shape."""
    if not type(x) is type(mask) is Tensor or mask.dtype is not torch.bool:
        raise TypeError
    if mask.shape != x.shape:
        raise IndexError
    x.masked_fill_(mask, value)


@Kernel(
    functional=_set_item_of_copy,
    guard_dtype=torch.float64,
    guard_writes=guard_writes,
    fill=_fill,
)
def set_item(x: Tensor, key: Any, value: Any, /) -> Tensor:
    """Assign; whatever can fail does so before the first element is written."""
    # Elements that share memory, as those of expanded tensors, can't be written to one by one.
    another = makes_another(x, value) or (not x.is_contiguous() and overlaps_itself(x))
    if not another:
        x = unsaved(x)
    if type(x) is not Tensor and is_scattered(x):
        return _set_item_of_parts(x.clone() if another else x, key, value)
    if isinstance(value, Tensor) and value.dtype is x.dtype and not another and _forward(key):
        try:
            window = x[key]
            window.copy_(value if _is_self_assignment(window, value) else elsewhere(x, value))
            return x
        except (IndexError, RuntimeError, ValueError):
            pass  # what is below takes it, or says what is wrong
    y = assignable(value, x)
    if y.ndim:
        check_element(y.shape, key, x.ndim)
    if another:
        x = copied_beside(x, y)
    elif y is value:
        y = elsewhere(x, y)
    try:
        assign(x, key, y)
    except RuntimeError:
        if transforms() is None:
            raise
        # A tensor that torch.vmap has batched doesn't fit into another one.
        return _set_item_of_copy(x, key, y)
    return x


def _set_item_of_parts(x: Tensor, key: Any, value: Any) -> Tensor:
    """Assign to a DTensor: to the parts themselves if the key selects within them."""
    if _forward(key) and not is_out_of_reach(x, x[key]):
        y = assignable(value, x)
        window = x[key]
        check_element(y.shape, key, x.ndim)
        whole = all_of(y).expand(window.shape)
        window.copy_(scattered_like(window, whole))
        return x
    parts = key if type(key) is tuple else (key,)
    # The clone is written to, or another tensor is made where autograd tracks it.
    changed = set_item(all_of(x).clone(), tuple(map(all_of, parts)), all_of(value))
    return x.copy_(scattered_like(x, changed))


def _is_self_assignment(window: Tensor, value: Tensor) -> bool:
    """Return True if a value is this very window, as after `x[key] += y`: no copy is needed."""
    return not is_compiling() and value._is_view() and value.is_set_to(window)
