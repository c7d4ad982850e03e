"""Compiled functions among TensorFlow's own: tapes see what their graphs compute."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify

tf: Any = pytest.importorskip("tensorflow")
xp: Any = importlib.import_module("arrayapi_unify.tensorflow")


@pytest.fixture
def cubes() -> Any:
    """Sum of cubes, compiled, whose graph is found by shapes and data types."""
    made = unify.compile(lambda x: unify.sum(x * x * x))
    made(xp.asarray([0.0, 0.0], dtype=xp.float32))
    return lambda x: made(xp.asarray(x))._data


def test_tapes_see_a_compiled_function(cubes: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            found = cubes(x)
        first = tape.gradient(found, x)
    np.testing.assert_allclose(found, 9.0)
    np.testing.assert_allclose(first, [3.0, 12.0])
    np.testing.assert_allclose(outer.gradient(first, x), [6.0, 12.0])


def test_forward_derivatives_see_a_compiled_function(cubes: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 10.0])) as forward:
        found = cubes(x)
    np.testing.assert_allclose(forward.jvp(found), 123.0)


def test_a_compiled_function_is_part_of_another_graph(cubes: Any) -> None:
    x = tf.constant([1.0, 2.0])
    np.testing.assert_allclose(tf.function(lambda y: cubes(x) + y)(tf.constant(1.0)), 10.0)


def test_arrays_from_outside_are_part_of_the_graph() -> None:
    factor = xp.asarray([2.0, 3.0])
    made = unify.compile(lambda x: unify.sum(factor * x))
    x = xp.asarray([1.0, 10.0])
    assert [float(made(x)) for _ in range(2)] == [32.0, 32.0]
