"""Oracles of activations, closeness, stable arithmetic and gradients, from their formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special

from tests.differential.oracle._registry import floating, floats, narrow, oracle, wide
from tests.differential.oracle.elementwise import operands

__all__: list[str] = []


@oracle("nn.relu")
def _relu(x: Any, /) -> Any:
    return np.maximum(x, 0) if x.dtype.kind != "b" else x.astype(np.int64)


@oracle("nn.sigmoid")
def _sigmoid(x: Any, /) -> Any:
    return narrow(1 / (1 + np.exp(-wide(x))), floating(x))


@oracle("nn.gelu")
def _gelu(x: Any, /, *, approximate: str = "none") -> Any:
    values = wide(x)
    if approximate == "none":
        share = scipy.special.ndtr(values.astype(np.float64))
    else:
        share = (
            1 + np.tanh(np.sqrt(np.longdouble(2) / np.pi) * (values + 0.044715 * values**3))
        ) / 2
    return narrow(values * share, floating(x))


@oracle("nn.softplus")
def _softplus(x: Any, /, *, beta: float = 1.0, threshold: Any = None) -> Any:
    values = wide(x)
    found = np.logaddexp(0, beta * values) / beta
    if threshold is not None:
        found = np.where(beta * values > threshold, values, found)
    return narrow(found, floating(x))


@oracle("nn.softmax")
def _softmax(x: Any, /, *, axis: int = -1) -> Any:
    return narrow(scipy.special.softmax(wide(x), axis=axis), floating(x)) if x.size else floats(x)


@oracle("nn.log_softmax")
def _log_softmax(x: Any, /, *, axis: int = -1) -> Any:
    if not x.size:
        return floats(x)
    values = wide(x)
    shifted = values - np.max(values, axis=axis, keepdims=True)
    return narrow(shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True)), floating(x))


@oracle("isclose")
def _isclose(
    x1: Any, x2: Any, /, *, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    common = floating(x1, x2)
    return np.isclose(x1.astype(common), x2.astype(common), rtol, atol, equal_nan)


@oracle("allclose")
def _allclose(
    x1: Any, x2: Any, /, *, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    return np.all(_isclose(x1, x2, rtol=rtol, atol=atol, equal_nan=equal_nan))


def _stabilized(x: Any, small: Any, usual: float) -> Any:
    x, small, _ = operands(x, usual if small is None else small)
    return np.asarray(np.add(x, small))


@oracle("stable_divide")
def _stable_divide(numerator: Any, denominator: Any, /, *, min_denominator: Any = None) -> Any:
    if not isinstance(denominator, np.ndarray) and not isinstance(min_denominator, np.ndarray):
        lower: Any = denominator + (1e-12 if min_denominator is None else min_denominator)
    else:
        lower = _stabilized(denominator, min_denominator, 1e-12)
    x1, x2, common = operands(numerator, lower)
    target = common if common.startswith(("float", "complex")) else "float64"
    return np.divide(x1, x2).astype(target)


@oracle("stable_pow")
def _stable_pow(base: Any, exponent: Any, /, *, min_base: Any = None) -> Any:
    x1, x2, common = operands(_stabilized(base, min_base, 1e-5), exponent)
    return np.power(x1, x2).astype(common)


# --- derivatives --------------------------------------------------------------------------------


@oracle("stop_gradient")
def _stop_gradient(x: Any, /, *, preserve_type: bool = True) -> Any:
    return x.copy()


@oracle("requires_gradient")
def _requires_gradient(x: Any, /) -> bool:
    """No transformation differentiates by the arrays of a plain call."""
    return False
