"""The fft extension for the TensorFlow backend.

The kernels transform the last axis, in the precision of their argument; everything else is
composed of them. Booleans and integers are transformed in double precision.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Literal

import tensorflow as tf

from arrayapi_unify.backends._common.algorithms import fft as common
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.tensorflow._core import (
    COMPONENT,
    Tensor,
    cast,
    const,
    ints,
    rank_of,
    raw,
    shape_of,
    tensor,
)
from arrayapi_unify.backends.tensorflow._devices import placed
from arrayapi_unify.backends.tensorflow._sort_keys import to_last
from arrayapi_unify.backends.tensorflow.dtypes import DTYPES, as_dtype
from arrayapi_unify.backends.tensorflow.manipulation import roll
from arrayapi_unify.dtypes import DType

__getattr__, __dir__ = make_extension_getattr(__name__)

Norm = Literal["backward", "ortho", "forward"]


def _floating(x: Tensor) -> Tensor:
    """Return a floating-point array as it is, others as float64."""
    return x if x.dtype in COMPONENT else cast(x, tf.float64)


def _complex(x: Tensor) -> Tensor:
    """Return x as complex numbers of its precision."""
    x = _floating(x)
    return cast(x, tf.complex64 if COMPONENT[x.dtype] is tf.float32 else tf.complex128)


def _resized(x: Tensor, size: int) -> Tensor:
    """Cut or fill up the last axis with zeros."""
    now = x.shape[-1]
    if now == size:
        return x
    lead = rank_of(x) - 1
    if now > size:
        sizes = (-1,) * lead + (size,)
        return raw.Slice(input=x, begin=ints((0,) * (lead + 1)), size=ints(sizes))
    paddings = [[0, 0]] * lead + [[0, size - now]]
    return raw.Pad(input=x, paddings=tf.constant(paddings))


def _forward(x: Tensor, n: int) -> Tensor:
    return raw.FFT(input=_resized(_complex(x), n))


def _backward(x: Tensor, n: int) -> Tensor:
    """Transform back; the kernel divides by n, as the norm "backward" has it."""
    return raw.IFFT(input=_resized(_complex(x), n))


def _real_forward(x: Tensor, n: int) -> Tensor:
    x = _resized(_floating(x), n)
    kind: Any = tf.complex64 if x.dtype is tf.float32 else tf.complex128
    return raw.RFFT(input=x, fft_length=tf.constant([n], tf.int32), Tcomplex=kind)


def _real_backward(x: Tensor, n: int) -> Tensor:
    x = _resized(_complex(x), n // 2 + 1)
    return raw.IRFFT(input=x, fft_length=tf.constant([n], tf.int32), Treal=COMPONENT[x.dtype])


def _hermitian(x: Tensor, n: int) -> Tensor:
    """Transform a signal whose spectrum is real: back, of the conjugate, without the division."""
    return _real_backward(raw.Conj(input=_complex(x)), n) * n


def _inverse_hermitian(x: Tensor, n: int) -> Tensor:
    return raw.Conj(input=_real_forward(x, n)) / n


class _Kind:
    """One transform along the last axis."""

    def __init__(
        self,
        name: str,
        transform: Callable[[Tensor, int], Tensor],
        *,
        inverse: bool,
        halved: bool = False,
    ) -> None:
        """Describe the transform: an `inverse` divides by n, a `halved` one has half a spectrum."""
        self.name = name
        self.transform = transform
        self.inverse = inverse
        self.halved = halved

    def size(self, x: Tensor, n: int | None, axis: int) -> int:
        """Return the size of the window, in elements of the full signal."""
        if n is None:
            now: int = x.shape[axis]
            n = 2 * (now - 1) if self.halved else now
        return operator.index(n)

    def apply(self, x: Tensor, n: int | None, axis: int, norm: str) -> Tensor:
        """Transform along an axis."""
        common.check_real(self.name, x.dtype.is_complex)
        axis = common.check_axis(self.name, shape_of(x), n, axis, self.halved)
        n = self.size(x, n, axis)
        result = to_last(self.transform(to_last(x, axis), n), axis)
        factor = _factor(norm, n, self.inverse)
        return result if factor == 1 else result * const(factor, result.dtype)


def _factor(norm: str, n: int, inverse: bool) -> float:
    """Return what a transform is to be multiplied with; inverse ones are divided by n already."""
    if norm == "ortho":
        return float(n**0.5 if inverse else n**-0.5)
    if norm == "forward":
        return float(n if inverse else 1 / n)
    return 1.0


_FFT = _Kind("fft", _forward, inverse=False)
_IFFT = _Kind("ifft", _backward, inverse=True)
_RFFT = _Kind("rfft", _real_forward, inverse=False)
_IRFFT = _Kind("irfft", _real_backward, inverse=True, halved=True)
_HFFT = _Kind("hfft", _hermitian, inverse=False, halved=True)
_IHFFT = _Kind("ihfft", _inverse_hermitian, inverse=True)


def _one_axis(kind: _Kind) -> Callable[..., Tensor]:
    """Make the native function of a transform along one axis."""
    return common.one_axis(kind.name, kind.apply)


def _many_axes(name: str, whole: _Kind, last: _Kind, last_first: bool) -> Callable[..., Tensor]:
    """Make the native function of a transform along several axes; the last may be another one."""

    def transform(
        x: Tensor, s: Sequence[int] | None, axes: Sequence[int] | None, norm: Norm
    ) -> Tensor:
        common.check_real(name, x.dtype.is_complex)
        along = common.check_axes(name, shape_of(x), s, axes)
        if not along:
            return x
        given = [None if n == -1 else n for n in s or [-1] * len(along)]
        steps = [(whole, n, a) for n, a in zip(given[:-1], along[:-1], strict=True)]
        end = (last, given[-1], along[-1])
        for kind, n, axis in [end, *reversed(steps)] if last_first else [*steps, end]:
            x = kind.apply(x, n, axis, norm)
        return tensor(x)

    each = _one_axis(whole), _one_axis(last)
    return common.many_axes(name, transform, shape_of, _complex, each)


fft = _one_axis(_FFT)
ifft = _one_axis(_IFFT)
rfft = _one_axis(_RFFT)
irfft = _one_axis(_IRFFT)
hfft = _one_axis(_HFFT)
ihfft = _one_axis(_IHFFT)
fftn = _many_axes("fftn", _FFT, _FFT, last_first=True)
ifftn = _many_axes("ifftn", _IFFT, _IFFT, last_first=True)
rfftn = _many_axes("rfftn", _FFT, _RFFT, last_first=True)
irfftn = _many_axes("irfftn", _IFFT, _IRFFT, last_first=False)


def _frequencies(values: Callable[[int], list[int]]) -> Callable[..., Tensor]:
    def compute(n: int, d: float, dtype: DType, device: str | None) -> Tensor:
        with placed(device):
            steps = tf.constant(values(n), tf.float64)
            return cast(steps * const(1.0 / (n * d), tf.float64), DTYPES[dtype])

    return compute


fftfreq, rfftfreq = common.native_frequencies(
    {
        "fftfreq": _frequencies(lambda n: [*range((n + 1) // 2), *range(-(n // 2), 0)]),
        "rfftfreq": _frequencies(lambda n: [*range(n // 2 + 1)]),
    },
    lambda dtype: None if dtype is None else as_dtype(dtype),
)
fftshift, ifftshift = common.native_shifts(
    shape_of, lambda x, shifts, axes: roll(x, shifts, axis=axes) if axes else tensor(x)
)
