"""The layouts of an argument, in addition to an array in C order that owns its memory.

A layout is an expression, which is evaluated to create the array and printed in a report: `$` is
the literal of NumPy's array, or the array itself. PyTorch's own layouts are created by a function
of this module, which returns the arrays of other backends unchanged.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, MappingProxyType, ModuleType
from typing import Any, Final

import numpy as np

import arrayapi_unify as unify

__all__ = [
    "OWN", "VIEWS", "View", "conjugated", "evaluated", "native", "negated", "takes", "tracked",
]  # fmt: skip

_COPY: Final = "xp.asarray($, copy=True)"


def native(x: Any) -> Any:
    """Wrap the library's own array, in its own order."""
    return unify.Array(x.data)


def _is_torch(x: Any, *names: str) -> bool:
    return x.backend == "torch" and str(x.dtype) in names


def tracked(x: Any) -> Any:
    """Return an array that PyTorch's autograd tracks, and not a leaf, so that it is writable."""
    if not _is_torch(x, "float32", "float64", "complex64", "complex128"):
        return x
    return unify.Array(x.data.requires_grad_().clone())


def conjugated(x: Any) -> Any:
    """Return values with PyTorch's conjugate bit: memory contains their conjugates."""
    if not _is_torch(x, "complex64", "complex128"):
        return x
    return unify.Array(x.data.conj().resolve_conj().conj())


def negated(x: Any) -> Any:
    """Return values with PyTorch's negative bit, as imaginary parts of lazy conjugates have."""
    if not _is_torch(x, "float32", "float64"):
        return x
    import torch

    return unify.Array(torch.complex(x.data, -x.data).conj().imag)


@dataclass(frozen=True)
class View:
    """The construction of an array: by NumPy from its values, and as an expression."""

    base: Callable[[Any], Any]
    spelled: Callable[[Any], str]
    everywhere: bool = False
    """True if it exists for arrays without axes or elements, too."""

    def fits(self, shape: tuple[int, ...]) -> bool:
        """Return True if it exists for arrays of a shape."""
        return self.everywhere or (bool(shape) and 0 not in shape)


def _as_is(values: Any) -> Any:
    return values


def _fixed(expression: str, base: Callable[[Any], Any] = _as_is) -> View:
    return View(base, lambda values: expression, everywhere=base is _as_is)


def _interleaved(values: Any) -> Any:
    base = np.zeros((*values.shape[:-1], 2 * values.shape[-1]), values.dtype)
    base[..., ::2] = values
    return base


def _order(values: Any) -> tuple[int, ...]:
    """Return the axes in another order, which isn't its own inverse for three or more."""
    return tuple(np.roll(np.arange(values.ndim), 1).tolist())


def _narrowed(values: Any) -> Any:
    """Keep one element along each axis on which all have the same bits."""
    for axis in range(values.ndim):
        first = values.take([0], axis)
        same = np.broadcast_to(first, values.shape).tobytes() == values.tobytes()
        values = first if same else values
    return values


def _backwards(values: Any) -> tuple[int, ...]:
    return tuple(reversed(range(values.ndim)))


def _transposed(expression: str) -> View:
    """Return a layout by transposition; `{axes}` are those of the inverse."""
    return View(
        lambda values: values.T,
        lambda values: expression.replace("{axes}", str(_backwards(values))),
        everywhere=True,
    )


VIEWS: Final = MappingProxyType(
    {
        "reversed": _fixed(f"{_COPY}[::-1]", lambda v: v[::-1]),
        "every second": _fixed(f"{_COPY}[..., ::2]", _interleaved),
        "behind": _fixed(f"{_COPY}[1:]", lambda v: np.concatenate([v[:1], v])),
        "reversed last": _fixed(f"{_COPY}[..., ::-1]", lambda v: v[..., ::-1]),
        # Different steps along each axis, none of which is that of a contiguous array.
        "inside": View(
            lambda v: np.pad(v, 1, "edge"),
            lambda v: f"{_COPY}[{', '.join(['1:-1'] * v.ndim)}]",
        ),
        "transposed": _transposed(f"xp.permute_dims({_COPY}, {{axes}})"),
        "permuted": View(
            lambda v: v.transpose(np.argsort(_order(v))),
            lambda v: f"xp.permute_dims({_COPY}, {_order(v)})",
        ),
        "reversed transposed": View(
            lambda v: v.T[..., ::-1],
            lambda v: f"xp.permute_dims({_COPY}, {_backwards(v)})[::-1]",
        ),
        "broadcast": View(_narrowed, lambda v: f"xp.broadcast_to({_COPY}, {v.shape})"),
        "taken": _fixed("xp.asarray(np.array($, order='F'))"),
        "native": _transposed(f"native(xp.permute_dims({_COPY}, {{axes}}))"),
        "imported": _fixed("xp.from_dlpack(np.array($, order='F'))"),
        "tracked": _fixed(f"tracked({_COPY})"),
        "tracked transposed": _transposed(f"xp.permute_dims(tracked({_COPY}), {{axes}})"),
        "conjugated": _fixed(f"conjugated({_COPY})"),
        "conjugated transposed": _transposed(f"xp.permute_dims(conjugated({_COPY}), {{axes}})"),
        "negated": _fixed(f"negated({_COPY})"),
    }
)
OWN: Final = _fixed(_COPY)

_TRACKED: Final = frozenset(name for name in VIEWS if name.startswith("tracked"))
_LAZY: Final = frozenset({"conjugated", "conjugated transposed", "negated"})
_BACKWARD: Final = frozenset(name for name in VIEWS if name.startswith("reversed"))
# By a function and its `copy`: the layouts that not all backends support. DLPack supports no
# negative steps, no tracked tensors, and no lazy bits; a library without layouts copies other
# libraries' arrays (docs/views.md).
_NOT_TAKEN: Final = MappingProxyType(
    {
        ("from_dlpack", False): _BACKWARD | _TRACKED | _LAZY,
        ("from_dlpack", None): _TRACKED | _LAZY,
        ("from_dlpack", True): _TRACKED | _LAZY,
        ("reshape", False): frozenset({"taken", "native", "imported"}),
        ("requires_gradient", None): _TRACKED,
        ("to_numpy", False): _LAZY,
    }
)


def takes(function: str, view: str | None, copy: bool | None = None) -> bool:
    """Return True if a function accepts arrays of a layout on all backends."""
    return view not in _NOT_TAKEN.get((function, copy), ())


_NAMES: Final = {
    "np": np, "native": native, "tracked": tracked, "conjugated": conjugated, "negated": negated,
}  # fmt: skip


@functools.lru_cache(maxsize=1024)
def _compiled(expression: str) -> CodeType:
    return compile(expression.replace("$", "given"), "<layout>", "eval")


def evaluated(view: View, values: Any, xp: ModuleType) -> Any:
    """Create the array on a backend."""
    # New memory without other references, because it may be written to.
    given = np.array(view.base(values), order="C")
    return eval(_compiled(view.spelled(values)), {**_NAMES, "xp": xp, "given": given})
