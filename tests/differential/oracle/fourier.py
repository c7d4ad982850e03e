"""Oracles of the Fourier transforms: SciPy's, of extended precision, rounded once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.fft

from tests.differential.oracle._registry import ORACLES, narrow, oracle, wide

__all__: list[str] = []

_REAL_RESULT = ("irfft", "irfftn", "hfft")


def _dtype(x: Any, real: bool) -> Any:
    single = x.dtype in (np.float32, np.complex64)
    return np.dtype(("f" if real else "c") + str((4 if single else 8) * (1 if real else 2)))


def _one(name: str) -> Callable[..., Any]:
    function = getattr(scipy.fft, name)

    def transform(x: Any, /, *, n: Any = None, axis: int = -1, norm: str = "backward") -> Any:
        found = function(wide(x), n=n, axis=axis, norm=norm)
        return narrow(found, _dtype(x, name in _REAL_RESULT))

    return transform


def _many(name: str) -> Callable[..., Any]:
    function = getattr(scipy.fft, name)

    def transform(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
        if s is not None and axes is None:
            axes = tuple(range(-len(s), 0))
        if s is not None:  # -1 keeps the size of an axis
            whole = [x.shape[a] for a in axes]
            if name == "irfftn":  # its input is one half of a spectrum
                whole[-1] = 2 * (whole[-1] - 1)
            s = tuple(size if n == -1 else n for size, n in zip(whole, s, strict=True))
        return narrow(function(wide(x), s=s, axes=axes, norm=norm), _dtype(x, name in _REAL_RESULT))

    return transform


ORACLES.update({f"fft.{n}": _one(n) for n in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")})
ORACLES.update({f"fft.{n}": _many(n) for n in ("fftn", "ifftn", "rfftn", "irfftn")})


def _two(name: str) -> Callable[..., Any]:
    many = _many(f"{name}n")
    return lambda x, /, *, axes=(-2, -1), **options: many(x, axes=axes, **options)


ORACLES.update({f"fft.{name}2": _two(name) for name in ("fft", "ifft", "rfft")})


def _shifted(sign: int) -> Callable[..., Any]:
    def shifted(x: Any, /, *, axes: Any = None) -> Any:
        axes = range(x.ndim) if axes is None else np.atleast_1d(axes).astype(int)
        for axis in axes:
            half = x.shape[axis] // 2
            x = np.roll(x, half if sign > 0 else -half, axis)
        return x

    return shifted


ORACLES.update({"fft.fftshift": _shifted(1), "fft.ifftshift": _shifted(-1)})


@oracle("fft.fftfreq")
def _fftfreq(n: int, /, *, d: float = 1.0, dtype: str = "float64") -> Any:
    return np.fft.fftfreq(n, d).astype(dtype)


@oracle("fft.rfftfreq")
def _rfftfreq(n: int, /, *, d: float = 1.0, dtype: str = "float64") -> Any:
    return np.fft.rfftfreq(n, d).astype(dtype)
