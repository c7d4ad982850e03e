"""`x.real` and `x.imag` compared with NumPy's attributes, on every backend."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.differential.tracing import COMPILERS
from tests.functional.differentiating import on_each as on_each

VALUES = np.asarray([[1 + 2j, 3 - 4j], [-1j, 5]])


def _store(x: Any) -> None:
    x.real[0] = 7
    x.imag[:, 1] = [1, 2]


def _assign(x: Any) -> None:
    x.real = 7
    x.imag = [1, 2]


def _in_place(x: Any) -> None:
    x.real += 1
    x.imag *= x.real


def _swap(x: Any) -> None:
    x.real = x.imag


def _of_views(x: Any) -> None:
    x.T[::-1].imag = x[0].real


WRITES = pytest.mark.parametrize("write", [_store, _assign, _in_place, _swap, _of_views])


class TestComplex:
    """B63."""

    @WRITES
    def test_writes_get_to_the_array(self, xp: ModuleType, write: Callable[[Any], None]) -> None:
        expected, x = VALUES.copy(), xp.asarray(VALUES)
        view, row = x.real, x[0]
        write(expected)
        write(x)
        np.testing.assert_array_equal(np.asarray(x), expected)
        np.testing.assert_array_equal(np.asarray(view), expected.real)
        np.testing.assert_array_equal(np.asarray(row), expected[0])

    @pytest.mark.slow_on("torch")
    @WRITES
    def test_traced(self, xp: ModuleType, write: Callable[[Any], None]) -> None:
        name = xp.__unify_backend__
        if name not in COMPILERS:
            return

        def function(native: Any) -> Any:
            x = xp.asarray(native) * 1
            write(x)
            return (x.real - 2 * x.imag).data

        expected = VALUES.copy()
        write(expected)
        found = COMPILERS[name](function)(xp.asarray(VALUES).data)
        np.testing.assert_array_equal(np.asarray(found), expected.real - 2 * expected.imag)

    def test_derivatives(self, on_each: ModuleType) -> None:
        x = on_each.asarray(VALUES)
        found = unify.grad(lambda x: unify.sum(x.real**2 + 3 * x.imag))(x)
        np.testing.assert_allclose(np.asarray(found), 2 * VALUES.real + 3j)

    def test_data_types(self, xp: ModuleType) -> None:
        for dtype, part in ((xp.complex64, xp.float32), (xp.complex128, xp.float64)):
            x = xp.ones(2, dtype=dtype)
            assert x.real.dtype is x.imag.dtype is part


class TestReal:
    """B63."""

    @pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "float16", "bfloat16"])
    @pytest.mark.parametrize("shape", [(), (3,), (2, 0)])
    def test_real_is_the_array_and_imag_zeros(
        self, xp: ModuleType, dtype: str, shape: tuple[int, ...]
    ) -> None:
        x = xp.ones(shape, dtype=dtype)
        assert x.real is x
        zeros = x.imag
        assert (zeros.dtype, zeros.shape) == (x.dtype, x.shape)
        assert not zeros.any()
        with pytest.raises(UnifyValueError, match="read-only"):
            zeros[...] = 1

    def test_assignment(self, xp: ModuleType) -> None:
        x = xp.zeros(2)
        x.real = [1.0, 2.0]
        assert x.tolist() == [1.0, 2.0]
        with pytest.raises(TypeError):
            np.zeros(2).imag = 1  # type: ignore[assignment]
        with pytest.raises(UnifyTypeError, match=r"has no imag.*astype"):
            x.imag = 1

    def test_derivatives(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0])
        found = unify.grad(lambda x: unify.sum(x.real**2 + x.imag))(x)
        assert found.tolist() == [2.0, 4.0]


class Named(unify.Array):
    """A subclass without overrides."""


class Overriding(unify.Array):
    """A subclass that overrides every function."""

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return func.__name__


class TestEntries:
    def test_of_subclasses(self, xp: ModuleType) -> None:
        x = xp.asarray(VALUES)
        named = Named(x)
        named.imag = 3
        assert np.asarray(x).imag.tolist() == [[3, 3], [3, 3]]
        assert type(named.real) is type(x.real)
        assert Overriding(x).real == "real"
        assert Overriding(xp.ones(2)).imag == "imag"

    def test_of_containers(self, xp: ModuleType) -> None:
        x = xp.asarray(VALUES)
        c = unify.Container(a=x, b=unify.Container(c=xp.ones(2)))
        assert c.real.b.c.tolist() == [1.0, 1.0]
        assert c.imag.b.c.tolist() == [0.0, 0.0]
        c.imag.a[...] = 0
        np.testing.assert_array_equal(np.asarray(x), VALUES.real)
        assert unify.Container.static_real(c).a.tolist() == VALUES.real.tolist()

    def test_functions_of_numpy(self, xp: ModuleType) -> None:
        x = xp.asarray(VALUES)
        np.real(x)[0, 0] = 9
        np.imag(x)[0, 0] = 8
        assert complex(x[0, 0]) == 9 + 8j
        assert np.real(xp.ones(2)).tolist() == [1.0, 1.0]
        assert isinstance(np.imag(xp.ones(2)), unify.Array)

    def test_functions_stay(self, xp: ModuleType) -> None:
        x = xp.asarray(VALUES)
        assert xp.real(x).tolist() == unify.real(x).tolist() == x.real.tolist()
        assert xp.imag(x).tolist() == unify.imag(x).tolist() == x.imag.tolist()
        out = xp.zeros((2, 2))
        assert unify.real(x, out=out) is out

    def test_is_no_method(self, xp: ModuleType) -> None:
        """Consumers look at `callable(x)`, so that the error of a call is Python's."""
        x = xp.asarray(VALUES)
        assert not callable(x)
        with pytest.raises(TypeError, match="not callable"):
            x.real()
