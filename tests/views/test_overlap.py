"""Writes of values and by keys that share the target's memory act as if copied first.

NumPy itself reads overwritten elements in some of these, so the reference copies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest

from tests.in_place import IN_PLACE

SIZE: Final = 6
# JAX compiles a kernel for each pair.
FEW: Final = 25

Write = Callable[[Any, Any, Any], None]
Part = Callable[[Any], Any]


def _slices() -> Iterator[slice]:
    """All runs of two elements or more of a vector, in both directions."""
    for step in (1, 2, 3, -1, -2):
        for start in range(SIZE):
            for length in range(2, SIZE + 1):
                last = start + step * (length - 1)
                if 0 <= last < SIZE:
                    stop = last + step
                    yield slice(start, None if stop < 0 else stop, step)


def _length(key: slice) -> int:
    return len(range(*key.indices(SIZE)))


SLICES: Final = list(_slices())
PAIRS: Final = [(a, b) for a in SLICES for b in SLICES if _length(a) == _length(b)]


def _assigned(xp: Any, target: Any, value: Any) -> None:
    target[...] = value


def _added(xp: Any, target: Any, value: Any) -> None:
    IN_PLACE["+="][0](target, value)


def _out(xp: Any, target: Any, value: Any) -> None:
    xp.add(value, value, out=target)


def _itself_out(xp: Any, target: Any, value: Any) -> None:
    """Store values that share memory with the target."""
    xp.real(value, out=target)


REFERENCE: Final[dict[Write, Callable[[Any, Any], Any]]] = {
    _assigned: lambda target, value: value,
    _added: lambda target, value: target + value,
    _out: lambda target, value: value + value,
    _itself_out: lambda target, value: value,
}


@pytest.mark.slow_on("jax", "dask")
@pytest.mark.parametrize("write", REFERENCE, ids=lambda write: write.__name__.strip("_"))
def test_parts_of_one_vector(xp: ModuleType, write: Write) -> None:
    pairs = PAIRS[:: len(PAIRS) // FEW] if xp.__unify_backend__ == "jax" else PAIRS
    wrong = []
    for target, value in pairs:
        x, twin = xp.arange(float(SIZE)), np.arange(float(SIZE))
        write(xp, x[target], x[value])
        twin[target] = REFERENCE[write](twin[target], twin[value]).copy()
        if x.tolist() != twin.tolist():
            wrong.append((target, value, x.tolist(), twin.tolist()))
    assert not wrong, f"{len(wrong)} of {len(pairs)}, the first is {wrong[0]}"


PARTS: Final[dict[str, Part]] = {
    "[1]": lambda y: y[1],
    "[:, 1]": lambda y: y[:, 1],
    "[::-1, 2]": lambda y: y[::-1, 2],
    "[:, 1:2]": lambda y: y[:, 1:2],
    "[2:, :]": lambda y: y[2:, :],
    "T": lambda y: y.T,
    "[:, ::-1]": lambda y: y[:, ::-1],
    "itself": lambda y: y,
}


@pytest.mark.sample(8)
@pytest.mark.parametrize("value", PARTS)
def test_parts_of_one_matrix(xp: ModuleType, value: str) -> None:
    whole, back = slice(None), slice(None, None, -1)
    for key in (0, (whole, 2), (2, back), ..., (whole, slice(1, None))):
        x, twin = xp.reshape(xp.arange(9.0), (3, 3)), np.arange(9.0).reshape(3, 3)
        part = PARTS[value](twin).copy()
        try:
            twin[key] = part
        except ValueError:
            continue  # incompatible shapes
        x[key] = PARTS[value](x)
        assert x.tolist() == twin.tolist(), key


MASK: Final = np.asarray([True, False, True, True, False, True])
KEYS: Final = [MASK, np.asarray([4, 1, 5, 0]), np.asarray([[0, 1], [3, 2]])]


@pytest.mark.parametrize("key", KEYS, ids=["mask", "integers", "a matrix of integers"])
def test_keys_that_are_arrays(xp: ModuleType, key: Any) -> None:
    wanted = np.arange(6.0)[key]
    for part in (slice(None, None, -1), slice(1, 5), slice(4, 0, -1), slice(2, None), slice(3, 4)):
        x, twin = xp.arange(6.0), np.arange(6.0)
        value = twin[part][:4].reshape(-1) if wanted.ndim == 1 else twin[part][:2]
        twin[key] = value.copy()
        x[xp.asarray(key)] = x[part][:4] if wanted.ndim == 1 else x[part][:2]
        assert x.tolist() == twin.tolist(), part


def test_rows_and_columns_by_integers(xp: ModuleType) -> None:
    x, twin = xp.reshape(xp.arange(9.0), (3, 3)), np.arange(9.0).reshape(3, 3)
    x[xp.asarray([2, 0, 1])] = x
    twin[[2, 0, 1]] = twin.copy()
    assert x.tolist() == twin.tolist()
    x[:, xp.asarray([1, 2])] = x.T[:, :2]
    twin[:, [1, 2]] = twin.T[:, :2].copy()
    assert x.tolist() == twin.tolist()


@pytest.mark.parametrize("part", [slice(None, None, -1), slice(None)])
def test_a_key_in_the_memory_that_is_written_to(xp: ModuleType, part: slice) -> None:
    """Each element is read before the first is written."""
    twin = MASK.copy()
    x = xp.asarray(twin, copy=True)
    x[x[part]] = xp.asarray([False, True, False, True])
    twin[twin[part].copy()] = [False, True, False, True]
    assert x.tolist() == twin.tolist()
    x[x[part]] = False
    twin[twin[part].copy()] = False
    assert x.tolist() == twin.tolist()
    numbers = np.asarray([3, 1, 0, 2])
    x = xp.asarray(numbers, copy=True)
    x[x[part]] = xp.asarray([2, 2, 0, 1])
    numbers[numbers[part].copy()] = [2, 2, 0, 1]
    assert x.tolist() == numbers.tolist()


def test_a_key_of_a_matrix_in_the_memory_that_is_written_to(xp: ModuleType) -> None:
    twin = np.asarray([[True, False, True], [False, True, False], [True, True, False]])
    x = xp.asarray(twin, copy=True)
    x[x.T] = xp.asarray([False, True, False, True, False])
    twin[twin.T.copy()] = [False, True, False, True, False]
    assert x.tolist() == twin.tolist()
    x[x[:, 1]] = xp.asarray([True, False, True])
    twin[twin[:, 1].copy()] = [True, False, True]
    assert x.tolist() == twin.tolist()
    x[1, x[:, 0]] = x[1, 0]
    twin[1, twin[:, 0].copy()] = twin[1, 0].copy()
    assert x.tolist() == twin.tolist()


def test_a_mask_one_place_beside_what_is_written_to(xp: ModuleType) -> None:
    twin = MASK.copy()
    x = xp.asarray(twin, copy=True)
    x[1:][x[:-1]] = False
    twin[1:][twin[:-1].copy()] = False
    assert x.tolist() == twin.tolist()
