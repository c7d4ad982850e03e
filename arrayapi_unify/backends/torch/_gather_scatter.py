"""The computation of `x[key]` and of its assignment, by the plans of `_keys`."""

from __future__ import annotations

from typing import Any

import torch

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.checks.arguments import (
    check_integer,
    raise_complex_error,
    trimmed_shape,
)
from arrayapi_unify.backends._common.checks.indexing import together
from arrayapi_unify.backends.torch._conversion import from_scalar
from arrayapi_unify.backends.torch._core import any_true, cast, fits, scalar, transforms
from arrayapi_unify.backends.torch._keys import Plan, plan
from arrayapi_unify.backends.torch._mutation import elsewhere
from arrayapi_unify.backends.torch._unsigned import bits
from arrayapi_unify.backends.torch.dtypes import COMPLEX, FLOATING, INTEGERS, as_dtype

Tensor = torch.Tensor
_SHORTEST_INFINITE = 127  # bits; integers of no more are finite in all floating-point data types


def selected(view: Tensor, p: Plan) -> Tensor:
    """Apply the index tensors to (flipped) elements of the view."""
    tensors = [t for t in p.index if t is not None]
    single = all(t.ndim == 0 for t in tensors)
    # PyTorch takes 0-d tensors for integers, and reads their values to make a view.
    result = view[_native_index(p)]
    position = p.position
    if p.apart and not _seen_apart(p):
        rank = max(t.ndim for t in tensors) or 1
        first = next(i for i, t in enumerate(p.index) if t is not None)
        result = result.movedim(tuple(range(first, first + rank)), tuple(range(rank)))
    return result.squeeze(position) if single else result


def _native_index(p: Plan) -> tuple[Any, ...]:
    return tuple(slice(None) if t is None else t.reshape(t.shape or (1,)) for t in p.index)


def _seen_apart(p: Plan) -> bool:
    """Return True if other axes of the view stand between the index tensors."""
    at = [i for i, t in enumerate(p.index) if t is not None]
    return at[-1] - at[0] >= len(at)


def shape_of_selection(p: Plan) -> tuple[int, ...]:
    """Return the shape of what `selected` gives."""
    tensors = [t for t in p.index if t is not None]
    found = together([t.shape for t in tensors])
    rest = [n for n, t in zip(p.view.shape, p.index, strict=False) if t is None]
    rest += p.view.shape[len(p.index) :]
    before = 0 if p.apart else p.position
    return (*rest[:before], *found, *rest[before:])


def _is_mask(key: Any, x: Tensor) -> bool:
    """Return True if a key is a boolean mask of x's leading axes."""
    return (
        isinstance(key, Tensor)
        and key.dtype is torch.bool
        and tuple(key.shape) == tuple(x.shape[: key.ndim])
    )


def assign(x: Tensor, key: Any, value: Tensor) -> None:
    """Assign a tensor of x's data type; both are carried by their bits."""
    x, value = bits(x), bits(value)
    if value.ndim == 0 and _is_mask(key, x):
        # The only assignment by a mask whose shapes don't depend on data.
        mask = elsewhere(x, key) if x.dtype is torch.bool else key
        mask = mask.reshape([*key.shape, *[1] * (x.ndim - key.ndim)])
        if transforms() is None:
            x.masked_fill_(mask, value)
        else:  # which has no rule for one of many
            x.copy_(torch.where(mask, value, x))
        return
    p = plan(x, key)
    if x.dtype is torch.int64:  # else no index tensor has x's memory
        p.index = [None if t is None else elsewhere(x, t) for t in p.index]
    if not p.index:
        value = _fitting(value, tuple(p.view.shape))
        p.view.copy_(torch.flip(value.expand(p.view.shape), p.flips) if p.flips else value)
        return
    value = _fitting(value, shape_of_selection(p))
    tracked = value.requires_grad and torch.is_grad_enabled()
    if tracked or p.flips or (p.apart and not _seen_apart(p)):
        _assign_by_position(x, key, value)
        return
    single = all(t is None or t.ndim == 0 for t in p.index)
    if single:
        value = value.expand(shape_of_selection(p)).unsqueeze(p.position)
    index = _native_index(p)
    if any(_outside(t, size) for t, size in zip(p.index, p.view.shape, strict=False)):
        _ = p.view[index]  # raises; PyTorch would write what comes before the wrong index
    p.view[index] = value


def _outside(index: Tensor | None, size: int) -> bool:
    """Return True if an index is out of the bounds of an axis."""
    if index is None or index.dtype is torch.bool or not index.numel():
        return False
    low, high = torch.aminmax(index)
    return any_true((low < -size) | (high >= size), unknown=False)


def _fitting(value: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Drop leading axes of size one, and refuse what doesn't broadcast before a write begins."""
    if not value.ndim:
        return value
    trimmed = trimmed_shape(value.shape, shape)
    return value.reshape(trimmed) if len(trimmed) < value.ndim else value


def _assign_by_position(x: Tensor, key: Any, value: Tensor) -> None:
    """Assign through the numbers of the elements, for keys of which no view can be taken."""
    numbers = torch.arange(x.numel(), device=x.device).reshape(x.shape)
    p = plan(numbers, key)
    chosen = selected(torch.flip(p.view, p.flips), p)
    whole, value = x.reshape(-1), value.expand(chosen.shape)
    if value.requires_grad and chosen.numel():
        changed = _last_of(whole, chosen.reshape(-1), value.reshape(-1))
    else:
        changed = whole.index_put((chosen,), value)
    x.copy_(changed.reshape(x.shape))


def _last_of(x: Tensor, places: Tensor, values: Tensor) -> Tensor:
    """Replace elements by the last of the values that are meant for each.

    PyTorch's own derivative counts all of them.
    """
    order = torch.arange(places.numel(), device=x.device)
    none = torch.full_like(x, -1, dtype=torch.int64)
    sources = none.scatter_reduce(0, places, order, "amax")
    return torch.where(sources < 0, x, values[sources.clamp(min=0)])


def assignable(value: Any, x: Tensor) -> Tensor:
    """Return `value` in x's data type, as `astype` casts."""
    dtype = x.dtype
    source_complex = value.dtype in COMPLEX if isinstance(value, Tensor) else type(value) is complex
    if source_complex and dtype not in COMPLEX and dtype is not torch.bool:
        raise_complex_error("set_item", "value", as_dtype(dtype))
    if isinstance(value, Tensor):
        return cast(value, dtype)
    if type(value) is float and dtype in INTEGERS:
        # NaN and infinities become whatever astype makes of them.
        return torch.tensor(value, dtype=torch.float64, device=x.device).to(dtype)
    if type(value) is int and dtype in FLOATING and value.bit_length() > _SHORTEST_INFINITE:
        check_integer(value, as_dtype(dtype) or dtypes.float64)
    if type(value) is int and not fits(value, dtype):
        return scalar(value, dtype, x.device)  # raises
    return from_scalar("set_item", "value", value, dtype, x.device)
