"""The fft extension for the NumPy backend.

NumPy (2.0 and later) keeps the precision of its input: float32 and complex64 are transformed in
single precision, booleans and integers of every width in double precision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from arrayapi_unify import dtypes
from arrayapi_unify.backends.numpy.dtypes import DTYPES
from arrayapi_unify.devices import Device
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError, refuse

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]

Arr = npt.NDArray[Any]
NativeDType = np.dtype[Any]
Norm = Literal["backward", "ortho", "forward"]


def _one_axis(transform: Callable[..., Arr]) -> Callable[..., Arr]:
    """Make the native function of a transform along one axis."""

    def function(
        x: Arr, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"
    ) -> Arr:
        return transform(x, n, axis, norm)

    function.__name__ = function.__qualname__ = transform.__name__
    return function


def _many_axes(transform: Callable[..., Arr]) -> Callable[..., Arr]:
    """Make the native function of a transform along several axes."""
    name = transform.__name__

    def function(
        x: Arr,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: Norm = "backward",
    ) -> Arr:
        if s is not None:
            s = _sizes(name, x, s, axes)
        result = transform(x, s, axes, norm)
        # Over no axis at all, NumPy returns its argument, whatever the data type.
        return x.astype(np.result_type(x.dtype, 1j)) if result is x else result

    function.__name__ = function.__qualname__ = name
    return function


def _sizes(function: str, x: Arr, s: Sequence[int], axes: Sequence[int] | None) -> list[int]:
    """Return the sizes to transform, with those resolved that NumPy reads in another way."""
    if axes is None:
        refuse(
            UnifyValueError,
            f"fft.{function}",
            "axes",
            "is None, but s is given",
            "name the axis of each size in s",
        )
    sizes = list(s)
    if function == "irfftn" and sizes and sizes[-1] == -1:
        # All of the input's last axis; NumPy would take as many elements of the output.
        sizes[-1] = 2 * (x.shape[axes[-1]] - 1)
    return sizes


fft = _one_axis(np.fft.fft)
ifft = _one_axis(np.fft.ifft)
rfft = _one_axis(np.fft.rfft)
irfft = _one_axis(np.fft.irfft)
hfft = _one_axis(np.fft.hfft)
ihfft = _one_axis(np.fft.ihfft)
fftn = _many_axes(np.fft.fftn)
ifftn = _many_axes(np.fft.ifftn)
rfftn = _many_axes(np.fft.rfftn)
irfftn = _many_axes(np.fft.irfftn)


def _frequencies(compute: Callable[..., Arr]) -> Callable[..., Arr]:
    """Make the native function of a series of sample frequencies."""
    name = compute.__name__

    def function(
        n: int,
        /,
        *,
        d: float = 1.0,
        dtype: NativeDType | None = None,
        device: Device | None = None,
    ) -> Arr:
        if n < 1:
            refuse(
                UnifyValueError, f"fft.{name}", "n", f"is {n}", "pass a window of at least 1 sample"
            )
        target = DTYPES[dtypes.default_float()] if dtype is None else dtype
        if target.kind != "f":
            refuse(
                UnifyTypeError,
                f"fft.{name}",
                "dtype",
                f"is {target}",
                "pass a real floating-point data type",
            )
        return compute(n, d).astype(target, copy=False)

    function.__name__ = function.__qualname__ = name
    return function


fftfreq = _frequencies(np.fft.fftfreq)
rfftfreq = _frequencies(np.fft.rfftfreq)


def _shift(x: Arr, axes: int | Sequence[int] | None, sign: int) -> Arr:
    """Roll by half of each axis; np.fft.fftshift fails where there is no axis to roll."""
    if axes is None:
        axes = range(x.ndim)
    elif isinstance(axes, int):
        axes = (axes,)
    shifts = tuple(sign * (x.shape[axis] // 2) for axis in axes)
    return np.roll(x, shifts, tuple(axes)) if shifts else x.copy()


def fftshift(x: Arr, /, *, axes: int | Sequence[int] | None = None) -> Arr:
    """Move the zero frequency to the middle."""
    return _shift(x, axes, 1)


def ifftshift(x: Arr, /, *, axes: int | Sequence[int] | None = None) -> Arr:
    """Move the zero frequency to the start."""
    return _shift(x, axes, -1)
