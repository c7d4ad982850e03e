"""Constraints of the special functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tests.differential.case import ArrayArg
from tests.differential.constraints._registry import Arguments, constrain
from tests.differential.strategies import OMIT

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__: list[str] = []

# Exponentials of extremes overflow in some formulas only; see `layers`.
_USUAL = ("small", "moderate", "light")


@constrain(
    "special.entr", "special.erf", "special.erfc", "special.erfcx", "special.log_ndtr",
    "special.ndtr", "special.expit", "special.logit", "special.kl_div", "special.log_softmax",
    "special.rel_entr", "special.softmax", "special.xlog1py", "special.xlogy",
    "special.digamma", "special.gamma", "special.gammaln", "special.i0", "special.i0e",
    "special.i1", "special.i1e", "special.lgamma", "special.beta", "special.betaln",
    "special.gammainc", "special.gammaincc",
)  # fmt: skip
def _usual(builder: CallBuilder) -> Arguments:
    builder.magnitudes = _USUAL
    return {}


@constrain("special.betainc")
def _betainc(builder: CallBuilder) -> Arguments:
    # The parameters have no derivative, and most numbers lie outside of the domain.
    builder.magnitudes = _USUAL
    a, b = builder.usual("a", "b")
    x = builder.array(builder.shape(), magnitudes=("small", "light"))
    if builder.smooth:
        return {"a": builder.one_of(0.5, 3), "b": builder.one_of(0.5, 4), "x": x}
    return {"a": a, "b": b, "x": x}


@constrain("special.erfinv", "special.ndtri")
def _inverses(builder: CallBuilder) -> Arguments:
    # Most numbers lie outside of the domain.
    builder.magnitudes = ("small", "light")
    return {}


@constrain("special.logsumexp")
def _logsumexp(builder: CallBuilder) -> Arguments:
    # A sum that cancels is zero or not depending on the order of operations.
    x = builder.array(builder.shape(), magnitudes=_USUAL)
    factors = builder.array(builder.shape(), magnitudes=("small",))
    return {"x": x, "b": builder.one_of(OMIT, None, factors)}


@constrain("special.polygamma")
def _polygamma(builder: CallBuilder) -> Arguments:
    # Orders are small, and have no derivative.
    builder.magnitudes = _USUAL
    n, x = builder.usual("n", "x")
    if builder.smooth or not isinstance(n, ArrayArg):
        return {"n": builder.one_of(0, 1, 2, 3), "x": builder.array(builder.shape())}
    with np.errstate(invalid="ignore"):
        orders = np.asarray(np.abs(n.values) * 1 % 4 // 1)
    return {"n": ArrayArg(orders.astype(n.values.dtype), n.view), "x": x}


@constrain("special.zeta")
def _zeta(builder: CallBuilder) -> Arguments:
    # The exponent has no derivative.
    builder.magnitudes = _USUAL
    x, q = builder.usual("x", "q")
    if builder.smooth:
        return {"x": builder.one_of(1.5, 2, 3), "q": builder.array(builder.shape())}
    return {"x": x, "q": q}
