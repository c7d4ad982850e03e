"""The fft extension for the NumPy backend.

NumPy (2.0 and later) keeps the precision of its input: float32 and complex64 are transformed in
single precision, booleans and integers of every width in double precision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.algorithms import fft as common
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.numpy.dtypes import DTYPES, as_dtype

__getattr__, __dir__ = make_extension_getattr(__name__)

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
    return lambda n, d, dtype, device: compute(n, d).astype(DTYPES[dtype], copy=False)


fftfreq, rfftfreq = common.native_frequencies(
    {f.__name__: _frequencies(f) for f in (np.fft.fftfreq, np.fft.rfftfreq)}, as_dtype
)


def _roll(x: NDArray, shifts: tuple[int, ...], axes: tuple[int, ...]) -> NDArray:
    """Roll; np.fft.fftshift fails where there is no axis to roll."""
    return np.roll(x, shifts, axes) if shifts else x.copy()


fftshift, ifftshift = common.native_shifts(np.shape, _roll)
