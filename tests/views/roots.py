"""Foreign arrays at the start of programs: their layout, library and constructor.

`arrived` returns NumPy's counterpart of one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

import numpy as np

from arrayapi_unify.array_object import Array
from tests.views.steps import Own

__all__ = [
    "CONSTRUCTORS", "KEEPING", "LAYOUTS", "LAZY", "TRACKED", "Root", "arrived", "brought",
    "is_lazy",
    "is_tracked", "keeps", "tensor",
]  # fmt: skip


def _room(values: Any, *sizes: int) -> Any:
    """Return an array that is larger than another one by some elements on each axis."""
    return np.zeros(tuple(n * sizes[0] + sizes[1] for n in values.shape), values.dtype)


def _filled(window: Any, values: Any) -> Any:
    window[...] = values
    return window


def _strided(values: Any) -> Any:
    window = _room(values, 2, 1)[(..., *[slice(1, None, 2)] * values.ndim)]
    return _filled(window, values)


def _offset(values: Any) -> Any:
    window = _room(values, 1, 3)[(..., *[slice(2, -1)] * values.ndim)]
    return _filled(window, values)


def _behind(values: Any) -> Any:
    """Return an array in C order, with an offset."""
    return _filled(np.zeros(values.size + 3, values.dtype)[2:-1].reshape(values.shape), values)


def _rolled(values: Any) -> Any:
    """Return an array whose axes are neither in C nor in Fortran order."""
    return np.array(np.moveaxis(values, 0, -1), order="C").transpose(
        (values.ndim - 1, *range(values.ndim - 1))
    )


def _repeated(values: Any) -> Any:
    return np.broadcast_to(values[:1].copy(), values.shape)


# The values of an array in C order -> an array of another layout, with its own memory.
LAYOUTS: Final[dict[str, Callable[[Any], Any]]] = {
    "C": lambda v: v.copy(),
    "transposed": lambda v: np.array(v.T, order="C").T,
    "fortran": lambda v: np.array(v, order="F"),
    "rolled": lambda v: _rolled(v) if v.ndim > 1 else v.copy(),
    "strided": _strided,
    "offset": _offset,
    "behind": _behind,
    "reversed": lambda v: np.flip(np.flip(v).copy()) if v.ndim else v.copy(),
    "broadcast": lambda v: _repeated(v) if v.size and v.shape[:1] > (1,) else v.copy(),
}
KEEPING: Final = frozenset({"numpy", "torch"})  # backends that keep the layout of foreign arrays
_NATIVE: Final = frozenset({"torch"})  # libraries with their own strides
# Layouts without strides in PyTorch, or that it doesn't write to.
_COPIED: Final = frozenset({"reversed", "broadcast"})
# States of PyTorch's tensors: tracked by autograd, and lazily conjugated or negated.
TRACKED: Final = "tracked"
LAZY: Final = ("conjugated", "negated")
CONSTRUCTORS: Final = ("asarray", "Array", "from_dlpack")


@dataclass(frozen=True)
class Root:
    """An array created by another library, or by the backend's own one."""

    own: Own
    layout: str
    constructor: str
    native: bool = False
    """True if the backend's own library created it, not NumPy."""
    state: str = ""
    """The state of PyTorch's tensor: tracked, conjugated, negated, or "" for a plain one."""


def laid(root: Root) -> Any:
    """Return NumPy's array of a root."""
    return LAYOUTS[root.layout](root.own.values)


def arrived(root: Root, backend: str) -> Any:
    """Return NumPy's counterpart of a root after its constructor."""
    x = laid(root)
    if backend == "numpy" or (backend in _NATIVE and root.native):
        return x
    return x if backend in _NATIVE and root.layout not in _COPIED else x.copy(order="C")


def brought(root: Root, xp: ModuleType) -> tuple[Any, Any]:
    """Return a foreign array, and the Array that its constructor returns."""
    backend = xp.__unify_backend__
    given = laid(root)
    if root.native:
        given = tensor(given, root.state) if backend in _NATIVE else xp.asarray(given).data
    if root.constructor == "Array" and (root.native or backend == "numpy"):
        return given, Array(given)
    if root.constructor == "from_dlpack" and not root.state and root.layout not in _COPIED:
        return given, xp.from_dlpack(given)
    return given, xp.asarray(given)


def keeps(root: Root, backend: str) -> bool:
    """Return True if the Array made from NumPy's array shares its memory."""
    shares = backend == "numpy" or (backend in _NATIVE and root.layout not in _COPIED)
    return shares and not root.native


def is_tracked(root: Root, backend: str) -> bool:
    """Return True if autograd tracks a root."""
    return backend in _NATIVE and root.native and root.state == TRACKED


def is_lazy(root: Root, backend: str) -> bool:
    """Return True if memory doesn't contain the values of a root, so that NumPy can't share it."""
    return backend in _NATIVE and root.native and root.state in LAZY


def tensor(x: Any, state: str = "") -> Any:
    """Return a tensor with the layout of NumPy's array."""
    import torch

    step = x.itemsize
    ends = [(n - 1) * s // step for n, s in zip(x.shape, x.strides, strict=True)]
    flat = np.zeros(3 + sum(ends) if x.size else 3, x.dtype)
    strides = tuple(s // step for s in x.strides)
    np.ndarray(x.shape, x.dtype, flat, 2 * step, x.strides)[...] = x
    whole = torch.tensor(flat)
    if state == TRACKED:
        whole.requires_grad_()
    if state == "conjugated":
        return torch.conj(torch.as_strided(whole.conj().resolve_conj(), x.shape, strides, 2))
    if state == "negated":
        return torch._neg_view(torch.as_strided(-whole, x.shape, strides, 2))
    return torch.as_strided(whole, x.shape, strides, 2)
