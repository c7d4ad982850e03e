"""The fft extension for the JAX backend.

Booleans and integers of every width are transformed in double precision (JAX's own choice would be
single precision for some of them).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import jax.numpy as jnp
import numpy as np
from jax import lax

from arrayapi_unify.backends._common.algorithms import fft as common
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.jax._core import JaxArray, complex_parts, floating
from arrayapi_unify.backends.jax._interchange import from_host
from arrayapi_unify.backends.jax._looks import is_split
from arrayapi_unify.backends.jax._meshes import whole_along
from arrayapi_unify.backends.jax.dtypes import DTYPES, as_dtype

__getattr__, __dir__ = make_extension_getattr(__name__)


def _to_complex(x: JaxArray) -> JaxArray:
    x = floating(x)
    return x if x.dtype.kind == "c" else complex_parts(x, jnp.zeros_like(x))


# Transforms that are one operation of XLA's along the last axis, of the length that it has. The
# functions of `jax.numpy.fft` move axes and pad before it, each of which is a call.
_KINDS: Final = {
    "fft": lax.FftType.FFT,
    "ifft": lax.FftType.IFFT,
    "rfft": lax.FftType.RFFT,
    "irfft": lax.FftType.IRFFT,
}


def _own_length(name: str, size: int) -> int:
    """Return the default length of a transform of a number of elements."""
    return 2 * (size - 1) if name == "irfft" else size


def _one_axis(transform: Callable[..., JaxArray]) -> Callable[..., JaxArray]:
    name = transform.__name__

    def transformed(x: JaxArray, n: int | None, axis: int, norm: str) -> JaxArray:
        common.check_real(name, x.dtype.kind == "c")
        axis = common.check_axis(name, x.shape, n, axis, halved=name in ("irfft", "hfft"))
        x = floating(x)
        if is_split(x):
            x = whole_along(x, [axis])
        if name in _KINDS and axis == x.ndim - 1 and norm == "backward":
            length = _own_length(name, x.shape[-1])
            if n is None or n == length:
                return lax.fft(x, _KINDS[name], (length,))
        return transform(x, n, axis, norm)

    return common.one_axis(name, transformed)


def _many_axes(
    transform: Callable[..., JaxArray],
    whole: Callable[..., JaxArray],
    last: Callable[..., JaxArray],
) -> Callable[..., JaxArray]:
    name = transform.__name__

    def transformed(x: JaxArray, s: list[int] | None, axes: Any, norm: str) -> JaxArray:
        common.check_real(name, x.dtype.kind == "c")
        axes = common.check_axes(name, x.shape, s, axes)
        if s is not None:
            s = [x.shape[a] if n == -1 else n for n, a in zip(s, axes, strict=True)]
        if is_split(x):
            x = whole_along(x, axes)
        return transform(floating(x), s, axes, norm) if axes else x

    return common.many_axes(
        name,
        transformed,
        shape_of=lambda x: x.shape,
        to_complex=_to_complex,
        each=(whole, last),
    )


fft = _one_axis(jnp.fft.fft)
ifft = _one_axis(jnp.fft.ifft)
rfft = _one_axis(jnp.fft.rfft)
irfft = _one_axis(jnp.fft.irfft)
hfft = _one_axis(jnp.fft.hfft)
ihfft = _one_axis(jnp.fft.ihfft)
fftn = _many_axes(jnp.fft.fftn, fft, fft)
ifftn = _many_axes(jnp.fft.ifftn, ifft, ifft)
rfftn = _many_axes(jnp.fft.rfftn, fft, rfft)
irfftn = _many_axes(jnp.fft.irfftn, ifft, irfft)


def _frequencies(compute: Callable[..., Any]) -> Callable[..., JaxArray]:
    """Compute on the host."""
    return lambda n, d, dtype, device: from_host(
        compute(n, d).astype(DTYPES[dtype], copy=False), device
    )


fftfreq, rfftfreq = common.native_frequencies(
    {f.__name__: _frequencies(f) for f in (np.fft.fftfreq, np.fft.rfftfreq)}, as_dtype
)
fftshift, ifftshift = common.native_shifts(
    jnp.shape, lambda x, shifts, axes: jnp.roll(x, shifts, axes) if shifts else x
)
