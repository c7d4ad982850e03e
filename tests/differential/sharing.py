"""Memory sharing of results and arguments, on the backends whose own memory is shared.

A function that isn't in `SHARING` never shares. A function in `SHARING` shares if NumPy's function
of the same meaning does, given arrays of the same layout.
"""

from __future__ import annotations

import itertools
import operator
import warnings
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType, ModuleType
from typing import Any, Final

import einops
import numpy as np

from arrayapi_unify.array_object import Array
from arrayapi_unify.dtypes import DType
from arrayapi_unify.views.view import view_of
from tests.differential.case import Case, build, leaves
from tests.differential.outcome import resolve

__all__ = ["SHARING", "faults", "memory"]


def _split(x: Any, *, num_or_size_splits: Any = None, axis: int = 0) -> Any:
    """Split as NumPy does, which takes the positions of the cuts, not the sizes of the parts."""
    parts = num_or_size_splits
    if parts is None:
        parts = [1] * x.shape[axis]
    if isinstance(parts, list | tuple):
        # A position after the last part would give an additional empty one.
        parts = list(itertools.accumulate(parts))[:-1] if parts else []
    return np.split(x, parts, axis)


def _array(obj: Any, *, copy: bool | None = True, **kwargs: Any) -> Any:
    return np.asarray(obj, copy=copy, **kwargs)


def _diagonal(x: Any, *, offset: int = 0) -> Any:
    """Return the diagonal; NumPy supports no offset beyond 32 bits, and all beyond x are empty."""
    return np.linalg.diagonal(x, offset=max(-x.shape[-2], min(offset, x.shape[-1])))


def _from_dlpack(x: Any, **kwargs: Any) -> Any:
    """Import; every array has a capsule without negative strides, so it may be a copy."""
    backward = any(step < 0 for step in x.strides)
    return np.from_dlpack(x.copy() if backward else x, **kwargs)


def _to_device(x: Any, device: Any, **kwargs: Any) -> Any:
    return x.to_device(device, **kwargs)


SHARING: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        **{
            name: getattr(np, name)
            for name in (
                "array_split", "atleast_1d", "atleast_2d", "atleast_3d", "diagonal", "dsplit",
                "fliplr", "flipud", "hsplit", "ravel", "rot90", "swapaxes", "transpose", "vsplit",
            )
        },
        "array": _array,
        "asarray": np.asarray,
        "astype": lambda x, dtype, **options: np.astype(x, dtype, **options),
        "broadcast_arrays": np.broadcast_arrays,
        "broadcast_to": np.broadcast_to,
        "expand_dims": np.expand_dims,
        "flip": np.flip,
        "from_dlpack": _from_dlpack,
        "get_item": operator.getitem,
        "imag": np.imag,
        "linalg.diagonal": _diagonal,
        "matrix_transpose": np.matrix_transpose,
        "einops_rearrange": einops.rearrange,
        "moveaxis": np.moveaxis,
        "permute_dims": np.permute_dims,
        "real": np.real,
        "reshape": np.reshape,
        "split": _split,
        "squeeze": np.squeeze,
        "to_device": _to_device,
        "to_numpy": np.asarray,
        "unstack": np.unstack,
    }
)  # fmt: skip
# NumPy's are read-only if an element may occur several times, or did once.
_READ_ONLY: Final = frozenset({"broadcast_arrays", "broadcast_to", "diagonal", "linalg.diagonal"})
# PyTorch copies where steps are negative.
_BACKWARD: Final = frozenset({"flip", "fliplr", "flipud"})


def memory(x: Any) -> Any:
    """Return a NumPy array with the memory and layout of an Array, without PyTorch's lazy bits."""
    native = x.data if isinstance(x, Array) else x
    if isinstance(native, np.ndarray | np.generic):
        return native
    import torch

    native = native.detach()
    native = native.conj() if native.is_conj() else native
    plain: Any = (torch._neg_view(native) if native.is_neg() else native).numpy()
    return plain


def _is_lazy(value: Any) -> bool:
    """Return True if PyTorch conjugates or negates the memory of an Array lazily."""
    native = value.data if isinstance(value, Array) else None
    return hasattr(native, "is_conj") and (native.is_conj() or native.is_neg())


def _is_emulated(value: Any) -> bool:
    """Return True for an emulated view, such as one with negative steps on PyTorch."""
    view = view_of(value) if isinstance(value, Array) else None
    return view is not None and not view.caches_data


def _arrays(values: Any) -> list[Any]:
    return [memory(v) for v in leaves(values) if isinstance(v, Array | np.ndarray)]


def _quietly(function: Callable[[], Any]) -> Any:
    """Call a function; return None if it raises."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function()
        except Exception:
            return None


def _twin(value: Any) -> Any:
    """Return an argument for NumPy's own function."""
    if isinstance(value, Array):
        return memory(value)
    if isinstance(value, DType):
        return np.dtype(value.name)
    if isinstance(value, list | tuple):
        return type(value)(map(_twin, value))
    if isinstance(value, dict):
        return {name: _twin(v) for name, v in value.items()}
    return value


def _called(case: Case, xp: ModuleType) -> tuple[list[Any], Any]:
    """Make a call; return its positional and keyword arguments, and the result."""
    args, kwargs = build(case.args, xp), build(case.kwargs, xp)
    return [args, kwargs], _quietly(lambda: resolve(xp, case.function)(*args, **kwargs))


def faults(case: Case, xp: ModuleType) -> list[str]:
    """Make a call on a backend, and return wrongly shared or missing shared memory of results."""
    arguments, result = _called(case, xp)
    if case.function in SHARING and any(map(_is_emulated, leaves(arguments))):
        return []  # native arrays that share nothing; tests/views compares the effects of writes
    given, got = _arrays(arguments), _arrays([result])
    may_be_lazy = case.function in SHARING and any(map(_is_lazy, leaves(arguments)))
    if any(map(_is_lazy, leaves([result]))) and not may_be_lazy:
        return ["the memory of the result doesn't hold the values"]
    if case.function in SHARING and got:
        args, kwargs = _twin(arguments)
        twins = leaves([SHARING[case.function](*args, **kwargs)])
        return [
            *_unlike(case, given, got, twins, xp),
            *_wrongly_locked(case, given, got, twins, xp),
        ]
    _, again = _called(case, xp)
    others = {"an argument": given, "what an equal call returned": _arrays([again])}
    return [*_shared(got, others), *_locked(got)]


def _shared(got: list[Any], others: dict[str, list[Any]]) -> Iterator[str]:
    for number, array in enumerate(got):
        for name, arrays in {**others, "another result": got[:number]}.items():
            if any(np.shares_memory(array, other) for other in arrays):
                yield f"result {number} shares memory with {name}"


def _locked(got: list[Any]) -> Iterator[str]:
    """Return the arrays that can't be written to, or not element by element."""
    for number, array in enumerate(got):
        if not array.flags.writeable:
            yield f"result {number} is read-only"
        steps = zip(array.strides, array.shape, strict=True)
        if array.size and any(step == 0 and side > 1 for step, side in steps):
            yield f"elements of result {number} share memory"


def _wrongly_locked(
    case: Case, given: list[Any], got: list[Any], twins: list[Any], xp: ModuleType
) -> Iterator[str]:
    for number, array in enumerate(got):
        locked = case.function in _READ_ONLY
        if not all(x.flags.writeable for x in given):
            locked = not twins[number].flags.writeable
        if case.function == "imag" and array.dtype == given[0].dtype:
            locked = False  # for a real array they are new zeros, writable unlike NumPy's
        if case.function == "broadcast_arrays":
            locked = given[number].shape != array.shape
        if _has_read_only(xp) and array.flags.writeable is locked:
            yield f"result {number} is {'writable' if locked else 'read-only'}"


def _has_read_only(xp: ModuleType) -> bool:
    return xp.__unify_backend__ == "numpy"


def _unlike(
    case: Case, given: list[Any], got: list[Any], twins: list[Any], xp: ModuleType
) -> Iterator[str]:
    """Compare with NumPy's results; PyTorch has no negative strides, and copies instead."""
    copies_backward = not _has_read_only(xp)
    for number, (array, twin) in enumerate(zip(got, twins, strict=True)):
        backward = case.function in _BACKWARD or any(step < 0 for step in twin.strides)
        for other in given:
            shares, expected = (np.shares_memory(a, other) for a in (array, twin))
            if shares != (expected and not (backward and copies_backward)):
                yield f"result {number} shares memory: {shares}; NumPy's: {expected}"
