"""Common parts of the tests of activation functions."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import mpmath
import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import UnifyTypeError
from tests.functional.differentiating import DIFFERENTIATING
from tests.ulps import assert_ulps, exact

__all__ = ["Activation", "linear_unit", "logistic"]

_POINTS = [1e-30, 1e-5, 0.3, 0.5, 1.0, 1.7, 2.9, 3.1, 5.3, 9.9, 20.0, 33.0, 60.0, 1e4]
_REALS = np.asarray([0.0, *_POINTS, *(-p for p in _POINTS)])


class Activation:
    """A function of single numbers: its formula, its limits and its derivatives."""

    name: ClassVar[str]
    arguments: ClassVar[tuple[float, ...]] = ()
    options: ClassVar[tuple[tuple[str, float], ...]] = ()
    ulps: ClassVar[float] = 8
    special: ClassVar[tuple[tuple[float, float], ...]]
    # Derivatives at kinks, at large numbers and at infinity.
    slopes: ClassVar[tuple[tuple[float, float], ...]]
    keeps_integers: ClassVar[bool] = False

    @staticmethod
    def formula(v: Any) -> Any:
        """Compute with many digits."""
        raise NotImplementedError

    def magnitude(self, values: Any) -> Any:
        """Return the magnitudes of the ulps: by default each result."""
        return None

    def call(self, xp: ModuleType, x: Any, **kwargs: Any) -> Any:
        """Call the function with its options."""
        return getattr(xp, self.name)(x, *self.arguments, **dict(self.options), **kwargs)

    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    def test_within_ulps(self, xp: ModuleType, dtype: str) -> None:
        values = _REALS.astype(dtype)
        result = self.call(xp, xp.asarray(values))
        assert result.dtype.name == dtype
        expected = exact(self.formula, values)
        assert_ulps(result, expected, self.ulps, self.magnitude(values))

    def test_special_values(self, xp: ModuleType) -> None:
        # Repeated, because kernels process vectors of elements, and the remainder one by one.
        values = np.resize([np.nan, *dict(self.special)], 37)
        expected = np.resize([np.nan, *dict(self.special).values()], 37)
        found = np.asarray(self.call(xp, xp.asarray(values)))
        np.testing.assert_allclose(found, expected, rtol=4e-16, atol=0)

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_slopes(self, backend: str) -> None:
        xp = namespace_of(backend)
        for at, expected in self.slopes:
            x = xp.full(5, at, dtype=xp.float64)
            _, pull = unify.vjp(lambda x: self.call(xp, x), x)  # immediately called
            found = np.asarray(pull(xp.ones(5, dtype=xp.float64))[0])
            np.testing.assert_allclose(found, np.full(5, expected), rtol=1e-14, atol=1e-300)

    def test_out_and_native_arrays(self, xp: ModuleType) -> None:
        x, out = xp.asarray([[0.5, -1.0], [2.0, 3.0]]), xp.zeros((2, 2))
        assert self.call(xp, x, out=out) is out
        assert out.tolist() == self.call(xp, x).tolist() == self.call(xp, x.data).tolist()

    def test_integers(self, xp: ModuleType) -> None:
        integers = self.call(xp, xp.asarray([-2, 0, 3, 9], dtype=xp.int16))
        assert integers.dtype.name == ("int16" if self.keeps_integers else "float64")
        expected = exact(self.formula, [-2, 0, 3, 9])
        np.testing.assert_allclose(np.asarray(integers), expected.astype(float), rtol=1e-14)
        assert self.call(xp, xp.asarray([True])).dtype.kind == ("i" if self.keeps_integers else "f")

    def test_complex_numbers_are_refused(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match=f"{self.name}: argument 'x' has data type compl"):
            self.call(xp, xp.asarray([1j]))

    def test_empty(self, xp: ModuleType) -> None:
        assert self.call(xp, xp.zeros((0, 3))).shape == (0, 3)


def logistic(v: Any) -> Any:
    """Return 1 / (1 + exp(-v))."""
    return 1 / (1 + mpmath.exp(-v))


def linear_unit(v: Any, alpha: Callable[[Any], Any]) -> Any:
    """Return v, or another value for a negative number."""
    return v if v > 0 else alpha(v)
