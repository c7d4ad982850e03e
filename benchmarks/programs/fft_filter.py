"""An FFT filter: a Butterworth low pass of many channels, and the removed noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from benchmarks.programs.program import Program

__all__ = ["PROGRAM"]

_STEP: Final = 1e-3
_CUTOFF: Final = 40.0


def _inputs(
    generator: np.random.Generator, channels: int, samples: int
) -> Sequence[np.ndarray[Any, Any]]:
    times = _STEP * np.arange(samples)
    waves = np.sin(2.0 * np.pi * 10.0 * times) + np.arange(channels)[:, None]
    return (waves + 0.5 * generator.normal(size=(channels, samples)),)


def _portable(xp: Any, x: Any) -> Sequence[Any]:
    samples = x.shape[-1]
    places = xp.arange(samples // 2 + 1, dtype=x.dtype) / (samples * _STEP * _CUTOFF)
    response = 1.0 / xp.sqrt(1.0 + places**8)
    smooth = xp.fft.irfft(xp.fft.rfft(x) * response, n=samples)
    taken = x - smooth
    return smooth, xp.sqrt(xp.mean(taken * taken, axis=-1))


def _numpy(np: Any, x: Any) -> Sequence[Any]:
    samples = x.shape[-1]
    places = np.arange(samples // 2 + 1, dtype=x.dtype) / (samples * _STEP * _CUTOFF)
    response = 1.0 / np.sqrt(1.0 + places**8)
    smooth = np.fft.irfft(np.fft.rfft(x) * response, n=samples)
    taken = x - smooth
    return smooth, np.sqrt(np.mean(taken * taken, axis=-1))


def _torch(torch: Any, x: Any) -> Sequence[Any]:
    samples = x.shape[-1]
    places = torch.arange(samples // 2 + 1, dtype=x.dtype) / (samples * _STEP * _CUTOFF)
    response = 1.0 / torch.sqrt(1.0 + places**8)
    smooth = torch.fft.irfft(torch.fft.rfft(x) * response, n=samples)
    taken = x - smooth
    return smooth, torch.sqrt(torch.mean(taken * taken, dim=-1))


def _tensorflow(tf: Any, x: Any) -> Sequence[Any]:
    samples = x.shape[-1]
    places = tf.range(samples // 2 + 1, dtype=x.dtype) / (samples * _STEP * _CUTOFF)
    response = 1.0 / tf.sqrt(1.0 + places**8)
    spectrum = tf.signal.rfft(x)
    spectrum = spectrum * tf.cast(response, spectrum.dtype)
    smooth = tf.signal.irfft(spectrum, fft_length=[samples])
    taken = x - smooth
    return smooth, tf.sqrt(tf.reduce_mean(taken * taken, axis=-1))


def _keras(ops: Any, x: Any) -> Sequence[Any]:
    samples = x.shape[-1]
    places = ops.arange(samples // 2 + 1, dtype=x.dtype) / (samples * _STEP * _CUTOFF)
    response = 1.0 / ops.sqrt(1.0 + places**8)
    real, imaginary = ops.rfft(x)
    smooth = ops.irfft((real * response, imaginary * response), fft_length=samples)
    taken = x - smooth
    return smooth, ops.sqrt(ops.mean(taken * taken, axis=-1))


def _reference(x: np.ndarray[Any, Any]) -> Sequence[np.ndarray[Any, Any]]:
    from scipy import fft

    # By the whole spectrum, and by the filter's impulse response.
    samples = x.shape[-1]
    places = np.abs(fft.fftfreq(samples, d=_STEP)) / _CUTOFF
    answer = fft.ifft(1.0 / np.sqrt(1.0 + places**8)).real
    smooth = fft.ifft(fft.fft(x) * fft.fft(answer)).real
    return smooth, np.linalg.norm(x - smooth, axis=-1) / np.sqrt(samples)


PROGRAM: Final = Program(
    "FFT filter",
    {
        "small": {"channels": 1, "samples": 64},
        "middle": {"channels": 8, "samples": 32_768},
        "large": {"channels": 16, "samples": 65_536},
    },
    _inputs,
    _portable,
    {"numpy": _numpy, "torch": _torch, "tensorflow": _tensorflow, "jax": _numpy},
    _keras,
    _reference,
)
