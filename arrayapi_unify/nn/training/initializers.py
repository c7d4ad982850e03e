"""Initial values of variables: functions of a key of `random.key` and a shape.

The same key gives the same numbers on every backend. A layer accepts any function with the call
``initializer(key, shape, dtype=dtype)``; `functools.partial` sets other arguments. Weights have the
shape (..., in, out); leading axes are those of a convolution's window.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.creation import shape_tuple
from arrayapi_unify.errors import describe, raise_type_error, raise_value_error
from arrayapi_unify.functional.random import next_key

__all__ = [
    "Initializer",
    "constant",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "normal",
    "ones",
    "orthogonal",
    "truncated_normal",
    "uniform",
    "zeros",
]

Initializer: TypeAlias = Callable[..., Array]
"""A function with the call ``initializer(key, shape, dtype=dtype)``."""

# The standard deviation of a normal distribution that is truncated at two standard deviations.
_CUT = 0.87962566103423978


def _namespace(function: str, key: Any) -> Any:
    if not isinstance(key, Array):
        raise_type_error(
            f"initializers.{function}", "key", f"is {describe(key)}",
            "pass a key, made by unify.random.key(seed)",
        )  # fmt: skip
    return key.__array_namespace__()


@naming("initializers.zeros")
def zeros(key: Array, shape: Sequence[int], *, dtype: Any = None) -> Array:
    """Return zeros on the backend and device of the key.

    >>> unify.nn.initializers.zeros(unify.random.key(0), (2,))
    unify.array([0., 0.])
    """
    return constant(key, shape, value=0.0, dtype=dtype)


@naming("initializers.ones")
def ones(key: Array, shape: Sequence[int], *, dtype: Any = None) -> Array:
    """Return ones on the backend and device of the key.

    >>> unify.nn.initializers.ones(unify.random.key(0), (2,))
    unify.array([1., 1.])
    """
    return constant(key, shape, value=1.0, dtype=dtype)


@naming("initializers.constant")
def constant(key: Array, shape: Sequence[int], *, value: float = 0.0, dtype: Any = None) -> Array:
    """Return a constant array on the backend and device of the key.

    >>> unify.nn.initializers.constant(unify.random.key(0), (2,), value=0.5)
    unify.array([0.5, 0.5])
    """
    xp = _namespace("constant", key)
    dtype = xp.default_float_dtype() if dtype is None else dtype
    return xp.full(shape_tuple(shape), value, dtype=dtype, device=key.device)


@naming("initializers.uniform")
def uniform(
    key: Array,
    shape: Sequence[int],
    *,
    minval: float = -0.05,
    maxval: float = 0.05,
    dtype: Any = None,
) -> Array:
    """Return uniform numbers between two bounds.

    >>> x = unify.nn.initializers.uniform(unify.random.key(0), (100,), minval=1.0, maxval=2.0)
    >>> bool(unify.all((x >= 1) & (x < 2)))
    True
    """
    random = _namespace("uniform", key).random
    return random.uniform(key, shape_tuple(shape), minval=minval, maxval=maxval, dtype=dtype)


@naming("initializers.normal")
def normal(
    key: Array, shape: Sequence[int], *, mean: float = 0.0, std: float = 0.05, dtype: Any = None
) -> Array:
    """Return normal numbers.

    >>> unify.nn.initializers.normal(unify.random.key(0), (2, 3)).shape
    (2, 3)
    """
    random = _namespace("normal", key).random
    return random.normal(key, shape_tuple(shape), dtype=dtype) * std + mean


@naming("initializers.truncated_normal")
def truncated_normal(
    key: Array, shape: Sequence[int], *, mean: float = 0.0, std: float = 0.05, dtype: Any = None
) -> Array:
    """Return normal numbers within two standard deviations.

    >>> x = unify.nn.initializers.truncated_normal(unify.random.key(0), (100,), std=1.0)
    >>> bool(unify.all(unify.abs(x) <= 2))
    True
    """
    random = _namespace("truncated_normal", key).random
    return random.truncated_normal(key, -2.0, 2.0, shape_tuple(shape), dtype=dtype) * std + mean


def _fans(function: str, shape: Sequence[int]) -> tuple[int, int]:
    """Return the number of inputs of one output (fan in), and of outputs of one input (fan out)."""
    if len(shape) < 2:
        raise_value_error(
            f"initializers.{function}", "shape", f"is {tuple(shape)}", "pass (..., in, out)"
        )
    window = math.prod(shape[:-2])
    return max(1, shape[-2] * window), max(1, shape[-1] * window)


@naming("initializers.glorot_uniform")
def glorot_uniform(key: Array, shape: Sequence[int], *, dtype: Any = None) -> Array:
    """Return uniform numbers of variance 2 / (in + out): Glorot and Bengio, AISTATS 2010.

    >>> x = unify.nn.initializers.glorot_uniform(unify.random.key(0), (2, 4))
    >>> bool(unify.all(unify.abs(x) <= 1))
    True
    """
    bound = math.sqrt(6.0 / sum(_fans("glorot_uniform", shape)))
    return uniform(key, shape, minval=-bound, maxval=bound, dtype=dtype)


@naming("initializers.glorot_normal")
def glorot_normal(key: Array, shape: Sequence[int], *, dtype: Any = None) -> Array:
    """Return normal numbers of variance 2 / (in + out), truncated at twice the full deviation.

    >>> unify.nn.initializers.glorot_normal(unify.random.key(0), (2, 4)).shape
    (2, 4)
    """
    std = math.sqrt(2.0 / sum(_fans("glorot_normal", shape))) / _CUT
    return truncated_normal(key, shape, std=std, dtype=dtype)


@naming("initializers.he_uniform")
def he_uniform(key: Array, shape: Sequence[int], *, dtype: Any = None) -> Array:
    """Return uniform numbers of variance 2 / in: He et al., arXiv:1502.01852.

    >>> x = unify.nn.initializers.he_uniform(unify.random.key(0), (6, 4))
    >>> bool(unify.all(unify.abs(x) <= 1))
    True
    """
    bound = math.sqrt(6.0 / _fans("he_uniform", shape)[0])
    return uniform(key, shape, minval=-bound, maxval=bound, dtype=dtype)


@naming("initializers.he_normal")
def he_normal(key: Array, shape: Sequence[int], *, dtype: Any = None) -> Array:
    """Return normal numbers of variance 2 / in, truncated at twice the full deviation.

    >>> unify.nn.initializers.he_normal(unify.random.key(0), (2, 4)).shape
    (2, 4)
    """
    std = math.sqrt(2.0 / _fans("he_normal", shape)[0]) / _CUT
    return truncated_normal(key, shape, std=std, dtype=dtype)


@naming("initializers.orthogonal")
def orthogonal(key: Array, shape: Sequence[int], *, gain: float = 1.0, dtype: Any = None) -> Array:
    """Return a matrix with orthonormal rows or columns, whichever are fewer.

    All axes but the last one count as rows: Saxe et al., arXiv:1312.6120.

    >>> x = unify.nn.initializers.orthogonal(unify.random.key(0), (3, 2))
    >>> unify.allclose(x.mT @ x, unify.eye(2), atol=1e-12)
    unify.array(True)
    """
    xp = _namespace("orthogonal", key)
    _fans("orthogonal", shape)
    rows, columns = math.prod(shape[:-1]), shape[-1]
    matrix = xp.random.orthogonal(key, max(rows, columns), dtype=dtype)[:rows, :columns]
    return xp.reshape(matrix, shape_tuple(shape)) * gain


def keys(layer: str, key: Any, count: int) -> list[Array]:
    """Return keys for the variables of a layer; without a key, from the hidden state."""
    if key is None:
        key = next_key()
    if not isinstance(key, Array):
        raise_type_error(
            layer, "key", f"is {describe(key)}", "pass a key, made by unify.random.key(seed)"
        )
    made = key.__array_namespace__().random.split(key, count)
    return [made[i, :] for i in range(count)]


def check_sizes(layer: str, **sizes: Any) -> None:
    """Raise for an invalid size, or one below 1."""
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int):
            raise_type_error(layer, name, f"is {describe(size)}", "pass an integer")
        if size < 1:
            raise_value_error(layer, name, f"is {size}", "pass 1 or more")


def size_tuple(
    layer: str, argument: str, given: int | Sequence[int], count: int | None = None
) -> tuple[int, ...]:
    """Return sizes as a tuple; an integer is the size of all `count` axes, or of one."""
    if not isinstance(given, int | list | tuple):
        raise_type_error(layer, argument, f"is {describe(given)}", "pass an integer, or several")
    sizes = (given,) * (count or 1) if isinstance(given, int) else tuple(given)
    for size in sizes:
        check_sizes(layer, **{argument: size})
    if count is not None and len(sizes) != count:
        raise_value_error(layer, argument, f"is {given}", f"pass an integer, or {count} of them")
    return sizes
