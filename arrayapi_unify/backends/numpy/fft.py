"""The fft extension for the NumPy backend.

NumPy (2.0 and later) keeps the precision of its input: float32 and complex64 are transformed in
single precision, booleans and integers of every width in double precision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.algorithms import fft as common
from arrayapi_unify.backends.numpy.dtypes import DTYPES, as_dtype
from arrayapi_unify.devices import Device

NDArray = npt.NDArray[Any]
NativeDType = np.dtype[Any]


def _one_axis(transform: Callable[..., NDArray]) -> Callable[..., NDArray]:
    return common.one_axis(transform.__name__, transform)


def _many_axes(transform: Callable[..., NDArray]) -> Callable[..., NDArray]:
    return common.many_axes(
        transform.__name__,
        transform,
        shape_of=lambda x: cast("tuple[int, ...]", x.shape),
        to_complex=lambda x: x.astype(np.result_type(x.dtype, 1j)),
    )


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


def _frequencies(compute: Callable[..., NDArray]) -> Callable[..., NDArray]:
    """Make the native function of a series of sample frequencies."""
    name = compute.__name__

    def function(
        n: int, /, *, d: float = 1.0, dtype: NativeDType | None = None, device: Device | None = None
    ) -> NDArray:
        target = DTYPES[common.frequency_dtype(name, n, d, as_dtype(dtype))]
        return compute(n, d).astype(target, copy=False)

    function.__name__ = function.__qualname__ = name
    return function


fftfreq = _frequencies(np.fft.fftfreq)
rfftfreq = _frequencies(np.fft.rfftfreq)


def _shift(name: str, x: NDArray, axes: int | Sequence[int] | None, sign: int) -> NDArray:
    """Roll by half of each axis; np.fft.fftshift fails where there is no axis to roll."""
    shifts, rolled = common.shifts(name, x.shape, axes, sign)
    return np.roll(x, shifts, rolled) if shifts else x.copy()


def fftshift(x: NDArray, /, *, axes: int | Sequence[int] | None = None) -> NDArray:
    """Move the zero frequency to the middle."""
    return _shift("fftshift", x, axes, 1)


def ifftshift(x: NDArray, /, *, axes: int | Sequence[int] | None = None) -> NDArray:
    """Move the zero frequency to the start."""
    return _shift("ifftshift", x, axes, -1)
