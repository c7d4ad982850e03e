"""A differentiated function may write to its buffers after it has used them."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Array
from tests.installed import DIFFERENTIATING, INSTALLED


@pytest.fixture(params=DIFFERENTIATING)
def xp(request: pytest.FixtureRequest) -> ModuleType:
    found: ModuleType = unify.get_backend(request.param)
    return found


def by_integers(xp: ModuleType, buffer: Array, i: int) -> None:
    buffer[:] = i


def by_floats(xp: ModuleType, buffer: Array, i: int) -> None:
    buffer[:] = float(i)


def by_elements(xp: ModuleType, buffer: Array, i: int) -> None:
    for place in range(3):
        buffer[place] = float(i)


def by_arrays(xp: ModuleType, buffer: Array, i: int) -> None:
    buffer[...] = xp.ones(3) * i


def in_place(xp: ModuleType, buffer: Array, i: int) -> None:
    buffer += 1.0


def in_place_by_arrays(xp: ModuleType, buffer: Array, i: int) -> None:
    buffer += xp.ones(3)


def by_out(xp: ModuleType, buffer: Array, i: int) -> None:
    xp.multiply(xp.ones(3), float(i), out=buffer)


def by_a_view(xp: ModuleType, buffer: Array, i: int) -> None:
    part = buffer[1:]
    part[:] = float(i)
    buffer[0] = i


WRITES = [by_integers, by_floats, by_elements, by_arrays, in_place, in_place_by_arrays, by_out,
          by_a_view]  # fmt: skip
Write = Callable[[ModuleType, Array, int], None]


def _using(xp: ModuleType, write: Write, buffer: Array) -> Callable[[Array], Array]:
    def function(w: Array) -> Array:
        total = xp.sum(w * 0.0)
        for i in (1, 2):
            write(xp, buffer, i)
            total = total + xp.sum(w * w * buffer)
        return total

    return function


@pytest.mark.parametrize("write", WRITES)
class TestScratchBuffer:
    """The derivative of (1 + 2) w * w, whose buffer has the values of the last write."""

    def test_first_derivatives(self, xp: ModuleType, write: Write) -> None:
        w, ones = xp.asarray([1.0, 2.0, 3.0]), xp.ones(3)
        ways: list[Callable[[Any], Any]] = [
            lambda f: unify.grad(f)(w),
            lambda f: unify.value_and_grad(f)(w)[1],
            lambda f: unify.vjp(f, w)[1](xp.asarray(1.0)),
            lambda f: unify.jac(f)(w),
            lambda f: unify.execute_with_gradients(f, w)[1],
        ]
        for way in ways:
            buffer = xp.zeros(3)
            found = way(_using(xp, write, buffer))
            found = found[0] if isinstance(found, tuple) else found
            np.testing.assert_allclose(found.tolist(), [6.0, 12.0, 18.0], 1e-14)
            assert buffer.tolist() == [2.0, 2.0, 2.0]
        slope = unify.jvp(_using(xp, write, xp.zeros(3)), (w,), (ones,))[1]
        assert float(slope) == 36.0

    def test_second_derivatives(self, xp: ModuleType, write: Write) -> None:
        w = xp.asarray([1.0, 2.0, 3.0])
        found = unify.hessian(_using(xp, write, xp.zeros(3)))(w)
        np.testing.assert_allclose(found.tolist(), 6.0 * np.eye(3), 1e-14)


def test_written_before_the_derivative_is_asked_for(xp: ModuleType) -> None:
    w, buffer = xp.asarray([1.0, 2.0]), xp.asarray([3.0, 4.0])
    _, pull = unify.vjp(lambda w: xp.sum(w * buffer), w)
    buffer[:] = 0.0
    found = pull(xp.asarray(1.0))
    found = found[0] if isinstance(found, tuple) else found
    assert found.tolist() == [3.0, 4.0]


def test_vectorized(xp: ModuleType) -> None:
    w, buffer = xp.ones((2, 3)), xp.zeros(3)
    found = unify.vmap(unify.grad(_using(xp, by_integers, buffer)))(w)
    assert found.tolist() == [[6.0] * 3] * 2


@pytest.mark.parametrize("backend", [name for name in INSTALLED if name == "torch"])
def test_writes_go_into_memory_that_nothing_was_saved_of(backend: str) -> None:
    """A buffer that is filled element by element before its use isn't copied each time."""
    xp: ModuleType = unify.get_backend(backend)
    buffer = xp.zeros(3)
    native = buffer.data

    def function(w: Array) -> Array:
        by_elements(xp, buffer, 2)
        by_arrays(xp, buffer, 3)
        return xp.sum(w * buffer)

    assert unify.grad(function)(xp.ones(3)).tolist() == [3.0, 3.0, 3.0]
    assert buffer.data is native
    buffer[:] = 5.0
    assert native.tolist() == [5.0, 5.0, 5.0]
