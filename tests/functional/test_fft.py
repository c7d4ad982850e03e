"""Transforms along repeated axes: like NumPy's, one after the other."""

from __future__ import annotations

import itertools
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyIndexError, UnifyValueError

AXES = [(0, 0), (1, -1), (0, 1, 0), (-1, 0, 0), (1, 1, 1)]
NAMES = ["fftn", "ifftn", "rfftn", "irfftn"]
X = np.random.default_rng(3).standard_normal((3, 4))


def lengths(axes: tuple[int, ...]) -> list[Any]:
    return [None, (3,) * len(axes), (2, 5, 4)[: len(axes)]]


@pytest.mark.slow_on("jax")
@pytest.mark.exhaustive
@pytest.mark.parametrize("name", NAMES)
def test_as_numpy(name: str, xp: ModuleType) -> None:
    x = xp.asarray(X)
    for axes, norm in itertools.product(AXES, ("backward", "ortho")):
        for s in lengths(axes):
            wanted = getattr(np.fft, name)(X, s=s, axes=axes, norm=norm)
            found = np.asarray(getattr(xp.fft, name)(x, s=s, axes=axes, norm=norm))
            assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
            np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


def test_minus_one_is_the_whole_axis(xp: ModuleType) -> None:
    found = np.asarray(xp.fft.fftn(xp.asarray(X), s=(-1, 6, -1), axes=(0, 1, 0)))
    wanted = np.fft.fftn(X, s=(3, 6, 3), axes=(0, 1, 0))
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


def test_integers_count_as_float64(xp: ModuleType) -> None:
    found = xp.fft.rfftn(xp.asarray([[1, 2, 3]]), axes=(1, 1))
    assert found.dtype is unify.complex128
    np.testing.assert_allclose(np.asarray(found), np.fft.rfftn([[1.0, 2, 3]], axes=(1, 1)))


def test_refusals(xp: ModuleType) -> None:
    x = xp.asarray(X)
    with pytest.raises(UnifyIndexError, match=r"fft\.fftn.*2"):
        xp.fft.fftn(x, axes=(0, 0, 2))
    with pytest.raises(UnifyValueError, match=r"fft\.fftn.*'s'"):
        xp.fft.fftn(x, s=(3,), axes=(0, 0))
