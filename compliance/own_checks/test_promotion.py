"""The type promotion table of the standard, and its closure under the array operators."""

from typing import Any

import pytest

BOOL = ("bool",)
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
REAL = ("float32", "float64")
COMPLEX = ("complex64", "complex128")


def _table() -> list[tuple[str, str, str]]:
    """All promotions that the standard defines; other mixed kinds are unspecified."""
    rows: list[tuple[str, str, str]] = [("bool", "bool", "bool")]
    for kind in (SIGNED, UNSIGNED, REAL, COMPLEX):
        rows += [
            (kind[i], kind[j], kind[max(i, j)]) for i in range(len(kind)) for j in range(len(kind))
        ]
    for i, unsigned in enumerate(UNSIGNED[:-1]):  # uint64 has no signed type above it
        for j, signed in enumerate(SIGNED):
            result = SIGNED[max(i + 1, j)]
            rows += [(unsigned, signed, result), (signed, unsigned, result)]
    for i, real in enumerate(REAL):
        for j, complex_ in enumerate(COMPLEX):
            result = COMPLEX[max(i, j)]
            rows += [(real, complex_, result), (complex_, real, result)]
    return rows


TABLE = _table()
IDS = [f"{first}-{second}" for first, second, _ in TABLE]


@pytest.mark.parametrize(("first", "second", "expected"), TABLE, ids=IDS)
def test_result_type(xp: Any, first: str, second: str, expected: str) -> None:
    """``result_type`` follows the table."""
    got = xp.result_type(getattr(xp, first), getattr(xp, second))
    assert got == getattr(xp, expected), f"out={got}, but should be {expected}"


@pytest.mark.parametrize(("first", "second", "expected"), TABLE[1:], ids=IDS[1:])
def test_add(xp: Any, first: str, second: str, expected: str) -> None:
    """``x1 + x2`` follows the table, whatever the ranks."""
    x1 = xp.ones((2,), dtype=getattr(xp, first))
    x2 = xp.ones((), dtype=getattr(xp, second))
    for got in (x1 + x2, x2 + x1):
        assert got.dtype == getattr(xp, expected), f"out={got.dtype}, but should be {expected}"


@pytest.mark.parametrize("dtype", [*SIGNED, *UNSIGNED, *REAL, *COMPLEX])
def test_add_scalar(xp: Any, dtype: str) -> None:
    """A Python scalar never changes the dtype of an array of its kind or a wider one."""
    x = xp.ones(3, dtype=getattr(xp, dtype))
    for got in (x + 1, 1 + x):
        assert got.dtype == x.dtype, f"out={got.dtype}, but should be {dtype}"


@pytest.mark.parametrize("dtype", [*BOOL, *SIGNED, *UNSIGNED, *REAL])
def test_equal(xp: Any, dtype: str) -> None:
    """Comparisons give bool."""
    x = xp.ones(3, dtype=getattr(xp, dtype))
    assert (x == x).dtype == xp.bool


def test_default_dtypes(xp: Any) -> None:
    """Default dtypes as announced by the inspection object."""
    defaults = xp.__array_namespace_info__().default_dtypes()
    assert xp.ones(1).dtype == defaults["real floating"]
    assert xp.asarray([1]).dtype == defaults["integral"]
    assert xp.asarray([1j]).dtype == defaults["complex floating"]
