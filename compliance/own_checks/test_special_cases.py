"""Special values that the standard prescribes, for real and complex floating-point numbers."""

import cmath
import math
from typing import Any

import pytest

INF, NAN = math.inf, math.nan
UNARY = [
    ("sqrt", -1.0, NAN),
    ("sqrt", -0.0, -0.0),
    ("log", 0.0, -INF),
    ("log1p", -1.0, -INF),
    ("exp", -INF, 0.0),
    ("expm1", -INF, -1.0),
    ("expm1", -0.0, -0.0),
    ("atanh", 1.0, INF),
    ("acosh", 0.5, NAN),
    ("sin", INF, NAN),
    ("tanh", -INF, -1.0),
    ("round", 2.5, 2.0),
    ("trunc", -0.5, -0.0),
    ("ceil", -0.5, -0.0),
    ("sign", -0.0, 0.0),
    ("abs", -0.0, 0.0),
]
BINARY = [
    ("divide", 1.0, 0.0, INF),
    ("divide", -1.0, 0.0, -INF),
    ("floor_divide", INF, 2.0, INF),
    ("floor_divide", 1.0, -INF, -0.0),
    ("remainder", -1.0, 3.0, 2.0),
    ("pow", 1.0, NAN, 1.0),
    ("pow", NAN, 0.0, 1.0),
    ("pow", -0.0, -1.0, -INF),
    ("atan2", -0.0, -0.0, -math.pi),
    ("hypot", INF, NAN, INF),
    ("logaddexp", NAN, 1.0, NAN),
    ("maximum", NAN, 1.0, NAN),
    ("copysign", 3.0, -0.0, -3.0),
    ("nextafter", 1.0, 1.0, 1.0),
]
COMPLEX = [
    ("expm1", complex(INF, 0.0), complex(INF, 0.0)),
    ("exp", complex(-INF, INF), complex(0.0, 0.0)),
    ("sqrt", complex(-INF, 1.0), complex(0.0, INF)),
    ("tanh", complex(INF, 1.0), complex(1.0, 0.0)),
    ("log", complex(-0.0, 0.0), complex(-INF, math.pi)),
]


def same(got: float, expected: float) -> bool:
    """Equal up to rounding, with the signs of zeros and infinities, and with NaN equal to NaN."""
    if math.isnan(expected):
        return math.isnan(got)
    close = math.isclose(got, expected, rel_tol=1e-12)
    return close and math.copysign(1.0, got) == math.copysign(1.0, expected)


@pytest.mark.parametrize(
    ("name", "value", "expected"), UNARY, ids=[f"{name}({x})" for name, x, _ in UNARY]
)
def test_unary(xp: Any, name: str, value: float, expected: float) -> None:
    """Functions of one real number."""
    got = float(getattr(xp, name)(xp.asarray(value, dtype=xp.float64)))
    assert same(got, expected), f"out={got}, but should be {expected} [{name}({value})]"


@pytest.mark.parametrize(
    ("name", "first", "second", "expected"),
    BINARY,
    ids=[f"{name}({x1}, {x2})" for name, x1, x2, _ in BINARY],
)
def test_binary(xp: Any, name: str, first: float, second: float, expected: float) -> None:
    """Functions of two real numbers."""
    x1, x2 = (xp.asarray(value, dtype=xp.float64) for value in (first, second))
    got = float(getattr(xp, name)(x1, x2))
    assert same(got, expected), f"out={got}, but should be {expected} [{name}({first}, {second})]"


@pytest.mark.parametrize(
    ("name", "value", "expected"), COMPLEX, ids=[f"{name}({x})" for name, x, _ in COMPLEX]
)
def test_complex(xp: Any, name: str, value: complex, expected: complex) -> None:
    """Functions of one complex number; the standard doesn't specify some signs of zero."""
    got = complex(getattr(xp, name)(xp.asarray(value, dtype=xp.complex128)))
    parts = ((got.real, expected.real), (got.imag, expected.imag))
    fits = all(same(abs(a), abs(b)) if b == 0 else same(a, b) for a, b in parts)
    assert fits, f"out={got}, but should be {expected} [{name}({value})]"
    assert cmath.isnan(got) == cmath.isnan(expected)


@pytest.mark.parametrize(
    ("name", "expected"), [("sum", 0.0), ("prod", 1.0), ("mean", NAN), ("all", 1.0), ("any", 0.0)]
)
def test_empty(xp: Any, name: str, expected: float) -> None:
    """Reductions of no elements at all."""
    got = float(getattr(xp, name)(xp.zeros((0,), dtype=xp.float64)))
    assert same(got, expected), f"out={got}, but should be {expected} [{name}([])]"
