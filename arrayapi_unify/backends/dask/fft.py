"""The fft extension for the Dask backend: NumPy's transforms, with their axes whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arrayapi_unify.backends._common.algorithms import fft as common
from arrayapi_unify.backends._common.checks.axes import in_order, whole
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.dask._core import cast
from arrayapi_unify.backends.dask._lazy import known_shape
from arrayapi_unify.backends.dask._lift import along, by_place, chunks_of
from arrayapi_unify.backends.dask._natives import (
    DaskArray,
    NativeDType,
    native,
    of_blocks,
    stand_in,
)
from arrayapi_unify.backends.dask.dtypes import DTYPES, as_dtype
from arrayapi_unify.backends.dask.manipulation import roll
from arrayapi_unify.backends.numpy import fft as numpy
from arrayapi_unify.dtypes import DType

__getattr__, __dir__ = make_extension_getattr(__name__)

Norm = common.Norm


def _one_axis(name: str) -> Any:
    halved = name in ("irfft", "hfft")

    def function(
        x: DaskArray, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"
    ) -> DaskArray:
        like = getattr(numpy, name)(np.ones((2,), x.dtype), norm=norm)
        length = None if n is None else whole(f"fft.{name}", "n", n)
        at = common.check_axis(name, known_shape(x), length, axis, halved)
        size = length if length is not None else 2 * (x.shape[at] - 1) if halved else x.shape[at]
        size = size // 2 + 1 if name in ("rfft", "ihfft") else size
        transform = native("fft", name, n=length, axis=at, norm=norm)
        return along(transform, x, (at,), _sized(x, {at: size}, like.dtype), f"fft.{name}")

    return _named(function, name)


def _many_axes(name: str) -> Any:
    def function(
        x: DaskArray,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: Norm = "backward",
    ) -> DaskArray:
        like = getattr(numpy, name)(np.ones((2,), x.dtype), norm=norm)
        lengths = None if s is None else [whole(f"fft.{name}", "s", n) for n in in_order(s)]
        named = axes if axes is None else in_order(axes)
        at = common.check_axes(name, known_shape(x), lengths, named)
        if not at:
            return cast(x, like.dtype)
        given = [-1] * len(at) if lengths is None else lengths
        given = common.sizes(name, x.shape, given, at)
        sizes = {a: x.shape[a] if n == -1 else n for a, n in zip(at, given, strict=True)}
        if name == "rfftn":
            sizes[at[-1]] = sizes[at[-1]] // 2 + 1
        transform = native("fft", name, s=lengths and tuple(lengths), axes=at, norm=norm)
        found = _sized(x, sizes, like.dtype)
        return along(transform, x, tuple(sorted(set(at))), found, f"fft.{name}")

    return _named(function, name)


def _sized(x: DaskArray, sizes: dict[int, int], dtype: NativeDType) -> Any:
    return stand_in(dtype, [sizes.get(a, n) for a, n in enumerate(x.shape)])


def _named(function: Any, name: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`{name}` of the standard on Dask arrays."
    return function


fft = _one_axis("fft")
ifft = _one_axis("ifft")
rfft = _one_axis("rfft")
irfft = _one_axis("irfft")
hfft = _one_axis("hfft")
ihfft = _one_axis("ihfft")
fftn = _many_axes("fftn")
ifftn = _many_axes("ifftn")
rfftn = _many_axes("rfftn")
irfftn = _many_axes("irfftn")


def _frequencies(name: str) -> Any:
    def values(n: int, d: Any, dtype: DType, device: Any) -> DaskArray:
        size = n if name == "fftfreq" else n // 2 + 1
        positive, target = (n + 1) // 2 if name == "fftfreq" else size, DTYPES[dtype]
        made = of_blocks("frequencies", n=n, positive=positive, unit=1.0 / (n * d), dtype=target)
        return by_place(made, chunks_of((size,), target), target)

    return values


fftfreq, rfftfreq = common.native_frequencies(
    {name: _frequencies(name) for name in ("fftfreq", "rfftfreq")}, as_dtype
)


def _roll(x: DaskArray, shifts: tuple[int, ...], axes: tuple[int, ...]) -> DaskArray:
    return roll(x, shifts, axis=axes)


fftshift, ifftshift = common.native_shifts(known_shape, _roll)
