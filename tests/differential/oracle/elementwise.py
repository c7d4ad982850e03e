"""Oracles of the elementwise functions: NumPy's, in the data types of the standard's table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tests.differential.oracle._registry import ORACLES, floats, oracle, same
from tests.differential.oracle.promotion import promoted, promoted_with

__all__: list[str] = []

# For floating-point numbers; integers count as float64, while NumPy uses float16 for int8.
_FLOATING: Final = (
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "deg2rad", "exp",
    "exp2", "log", "log10", "log1p", "log2", "rad2deg", "sin", "sinc", "sinh", "sqrt",
)  # fmt: skip
_FLOATING_PAIRS: Final = (
    "atan2", "copysign", "divide", "heaviside", "hypot", "logaddexp", "nextafter",
)  # fmt: skip
_PAIRS: Final = (
    "add", "bitwise_and", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor",
    "fmax", "fmin", "fmod", "maximum", "minimum", "multiply", "pow", "remainder", "subtract",
)  # fmt: skip

same(
    np,
    "abs", "bitwise_invert", "ceil", "equal", "floor", "greater", "greater_equal", "imag",
    "isfinite", "isinf", "isnan", "less", "less_equal", "logical_not", "negative", "not_equal",
    "positive", "real", "signbit", "square", "trunc",
)  # fmt: skip


def _array(x: Any) -> bool:
    return isinstance(x, np.ndarray)


def operands(x1: Any, x2: Any) -> tuple[Any, Any, str]:
    """Return operands and the data type to which they promote; scalars aren't converted."""
    if _array(x1) and _array(x2):
        common = promoted(x1.dtype.name, x2.dtype.name)
        return x1.astype(common), x2.astype(common), common
    array, scalar = (x1, x2) if _array(x1) else (x2, x1)
    common = promoted_with(array.dtype.name, scalar)
    scalar = scalar.item() if isinstance(scalar, np.generic) else scalar
    array = array.astype(common)
    return (array, scalar, common) if _array(x1) else (scalar, array, common)


def _of_floats(name: str) -> Callable[..., Any]:
    function = getattr(np, name)
    return lambda x, /: function(floats(x))


def _pair(name: str, floating: bool) -> Callable[..., Any]:
    function = _power if name == "pow" else getattr(np, name)

    def of_pair(x1: Any, x2: Any, /) -> Any:
        x1, x2, common = operands(x1, x2)
        if floating and common[:4] in ("bool", "int8", "int1", "int3", "int6", "uint"):
            x1, x2, common = np.asarray(x1, "f8"), np.asarray(x2, "f8"), "float64"
        result = np.asarray(function(x1, x2))
        if common == "bool":  # the standard has no arithmetic of bools; NumPy's may use int8
            return result
        assert result.dtype.name == common, f"NumPy gives {result.dtype}, the table {common}"
        return result

    return of_pair


@oracle("float_power")
def _float_power(x1: Any, x2: Any, /) -> Any:
    return np.asarray(np.float_power(x1, x2))


@oracle("isneginf")
def _isneginf(x: Any, /) -> Any:
    return np.isneginf(floats(x))


@oracle("isposinf")
def _isposinf(x: Any, /) -> Any:
    return np.isposinf(floats(x))


def _power(x1: Any, x2: Any, /) -> Any:
    """Raise to a power; for a single 0.5 NumPy uses the square root, unlike the table."""
    result = np.asarray(np.power(x1, x2))
    if result.dtype.kind != "f":
        return result
    rooted = (np.asarray(x2) == 0.5) & ((np.asarray(x1) == 0) | np.isinf(x1))
    return np.where(rooted, np.abs(x1), result).astype(result.dtype)


ORACLES.update({name: _of_floats(name) for name in _FLOATING})
ORACLES.update({name: _pair(name, True) for name in _FLOATING_PAIRS})
ORACLES.update({name: _pair(name, False) for name in _PAIRS})


def _logical(name: str) -> Callable[..., Any]:
    function = getattr(np, name)
    return lambda x1, x2, /: function(*(np.not_equal(x, 0) for x in (x1, x2)))


ORACLES.update({n: _logical(n) for n in ("logical_and", "logical_or", "logical_xor")})


@oracle("tanh")
def _tanh(x: Any, /) -> Any:
    return _with_zeros(np.tanh(floats(x)), x, "real", "imag")


@oracle("tan")
def _tan(x: Any, /) -> Any:
    # The standard defines it as -j * tanh(jx), with the table of tanh.
    return _with_zeros(np.tan(floats(x)), x, "imag", "real")


def _with_zeros(found: Any, x: Any, steep: str, zero: str) -> Any:
    """Give the zeros next to 1 and -1 the sign of x, as in the table; C uses sin(2b)'s."""
    if found.dtype.kind != "c":
        return found
    found, component = np.asarray(found), getattr(x, zero)
    far = np.isinf(getattr(x, steep)) & np.isfinite(component)
    setattr(found, zero, np.where(far, np.copysign(0, component), getattr(found, zero)))
    return found


@oracle("expm1")
def _expm1(x: Any, /) -> Any:
    found = np.expm1(floats(x))
    if found.dtype.kind != "c":
        return found
    # The standard's table has 0 + 0j for both zeros as the real part, whose sign NumPy keeps.
    # Values that aren't finite follow `exp`, whose special cases NumPy has; its expm1 returns NaN
    # for them.
    found, whole = np.asarray(found), np.asarray(np.exp(x))
    found.real = np.where(x == 0, 0.0, np.where(np.isfinite(x), found.real, whole.real - 1))
    found.imag = np.where(np.isfinite(x), found.imag, whole.imag)
    return found


@oracle("sign")
def _sign(x: Any, /) -> Any:
    found = np.sign(x)
    # The standard's table: NaN in a component gives NaN in both. NumPy checks infinities first.
    return np.where(np.isnan(x), complex(np.nan, np.nan), found) if x.dtype.kind == "c" else found


@oracle("round")
def _round(x: Any, /) -> Any:
    return np.round(x) if x.dtype.kind in "fc" else x


@oracle("clip")
def _clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    # NumPy clips bools, but refuses them without a bound.
    return np.array(x) if min is None and max is None else np.clip(x, min, max)


@oracle("conj")
def _conj(x: Any, /) -> Any:
    return np.conj(x) if x.dtype.kind == "c" else x


@oracle("reciprocal")
def _reciprocal(x: Any, /) -> Any:
    return np.divide(1, floats(x))


@oracle("floor_divide")
def _floor_divide(x1: Any, x2: Any, /) -> Any:
    quotient = _pair("floor_divide", False)(x1, x2)
    if quotient.dtype.kind != "f":
        return quotient
    # The standard's table: the floor of the quotient. NumPy has NaN for inf // 2.
    infinite = np.isinf(x1) | np.isinf(x2)
    return np.where(infinite, np.floor(np.divide(x1, x2)), quotient).astype(quotient.dtype)


@oracle("divmod")
def _divmod(x1: Any, x2: Any, /) -> Any:
    return _floor_divide(x1, x2), ORACLES["remainder"](x1, x2)


@oracle("angle")
def _angle(z: Any, /, deg: bool = False) -> Any:
    return np.angle(floats(z), deg)
