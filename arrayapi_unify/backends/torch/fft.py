"""The fft extension for the PyTorch backend.

float32 and complex64 are transformed in single precision, booleans and integers of every width in
double precision (PyTorch would take its own default).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from arrayapi_unify.backends._common.algorithms import fft as common
from arrayapi_unify.backends._common.checks.axes import normalize_axes
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.torch._defaults import default_float
from arrayapi_unify.backends.torch._devices import placed
from arrayapi_unify.backends.torch.dtypes import COMPLEX, DTYPES, FLOATING, REAL_FLOATING, as_dtype
from arrayapi_unify.backends.torch.manipulation import roll

__getattr__, __dir__ = make_extension_getattr(__name__)

Tensor = torch.Tensor


def _of_floats(name: str, transform: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Let bool and integers be transformed as float64."""

    def compute(x: Tensor, n: Any, axes: Any, norm: Any) -> Tensor:
        common.check_real(name, x.dtype in COMPLEX)
        if x.dtype not in FLOATING:
            x = x.to(torch.float64)
        if x.numel():
            return transform(x, n, axes, norm)
        return _of_nothing(transform, x, n, axes, norm)

    return compute


def _of_nothing(
    transform: Callable[..., Tensor], x: Tensor, n: Any, axes: Any, norm: Any
) -> Tensor:
    """Transform a stack of no vectors, which MKL refuses: one vector, then none of its results."""
    transformed = normalize_axes("fft", axes, x.ndim)
    kept = [a for a in range(x.ndim) if a not in transformed and x.shape[a] == 0]
    shape = [1 if a in kept else size for a, size in enumerate(x.shape)]
    result = transform(torch.zeros(shape, dtype=x.dtype, device=x.device), n, axes, norm)
    for a in kept:
        result = result.narrow(a, 0, 0)
    return result.clone()


def _complex(x: Tensor) -> Tensor:
    if x.dtype in COMPLEX:
        return x.clone()
    return x.to(torch.complex64 if x.dtype is torch.float32 else torch.complex128)


def _of_axes(name: str, transform: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return the tensor itself where there is no axis to transform along."""
    compute = _of_floats(name, transform)

    def over(x: Tensor, s: Any, axes: Any, norm: Any) -> Tensor:
        if x.ndim == 0 if axes is None else not tuple(axes):
            return x
        return compute(x, s, axes, norm)

    return over


def _computed(transform: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Compute the conjugates that PyTorch puts off; other libraries can't read such memory."""
    return lambda *args: transform(*args).resolve_conj()


def _one(name: str, transform: Callable[..., Tensor]) -> Callable[..., Any]:
    """Make the native function of a transform along one axis; what is usual has no questions."""
    careful = common.one_axis(name, _of_floats(name, transform))
    sure = REAL_FLOATING if name in common.OF_REAL else FLOATING

    def function(
        x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
    ) -> Tensor:
        plain = type(axis) is int and (n is None or type(n) is int) and norm == "backward"
        if plain and x.dtype in sure and x.numel():
            return transform(x, n, axis)
        return careful(x, n=n, axis=axis, norm=norm)

    function.__name__ = function.__qualname__ = name
    return function


def _many(
    name: str, transform: Callable[..., Tensor], *each: Callable[..., Tensor]
) -> Callable[..., Any]:
    whole, last = each
    return common.many_axes(
        name, _of_axes(name, transform), lambda x: tuple(x.shape), _complex, (whole, last)
    )


fft = _one("fft", torch.fft.fft)
ifft = _one("ifft", _computed(torch.fft.ifft))
rfft = _one("rfft", torch.fft.rfft)
irfft = _one("irfft", torch.fft.irfft)
hfft = _one("hfft", torch.fft.hfft)
ihfft = _one("ihfft", _computed(torch.fft.ihfft))
fftn = _many("fftn", torch.fft.fftn, fft, fft)
ifftn = _many("ifftn", torch.fft.ifftn, ifft, ifft)
rfftn = _many("rfftn", torch.fft.rfftn, fft, rfft)
irfftn = _many("irfftn", torch.fft.irfftn, ifft, irfft)


def _frequencies(indices: Callable[[int, torch.device], Tensor]) -> Callable[..., Tensor]:
    """Compute in double precision."""
    return lambda n, d, dtype, device: (indices(n, placed(device)) * (1.0 / (n * d))).to(
        DTYPES[dtype]
    )


def _both_signs(n: int, device: torch.device) -> Tensor:
    i = torch.arange(n, dtype=torch.float64, device=device)
    return torch.where(i < (n + 1) // 2, i, i - n)


def _not_negative(n: int, device: torch.device) -> Tensor:
    return torch.arange(n // 2 + 1, dtype=torch.float64, device=device)


fftfreq, rfftfreq = common.native_frequencies(
    {"fftfreq": _frequencies(_both_signs), "rfftfreq": _frequencies(_not_negative)},
    lambda dtype: as_dtype(dtype or default_float()),
)
fftshift, ifftshift = common.native_shifts(
    lambda x: x.shape, lambda x, shifts, axes: roll(x, shifts, axis=axes)
)
