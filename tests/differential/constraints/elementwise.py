"""Constraints of elementwise functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tests.differential.case import ArrayArg
from tests.differential.constraints._registry import Arguments, constrain

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__ = ["natural_exponents"]


def natural_exponents(base: object, exponent: object) -> object:
    """Return the exponent, without its signs if integers are raised to integer arrays.

    The standard doesn't specify a negative exponent there; NumPy checks all elements and raises,
    and so do all backends eagerly. Traced and differentiated calls can't check values.
    """
    kind = base.values.dtype.kind if isinstance(base, ArrayArg) else ""
    if not isinstance(exponent, ArrayArg) or exponent.values.dtype.kind != "i":
        return exponent
    if kind in "fc" and kind:
        return exponent
    with np.errstate(all="ignore"):
        values = np.abs(exponent.values)
    return ArrayArg(np.where(values < 0, 0, values).astype(values.dtype), exponent.view)


@constrain("pow")
def _pow(builder: CallBuilder) -> Arguments:
    dtypes = builder.pair()
    if any(dtype.kind == "c" for dtype in dtypes):
        # The standard has no table of special values for complex powers, and NumPy's differ with
        # the exponent (2 is a product, others are exp(y * log(x))).
        builder.magnitudes = ("small", "moderate")
        x1, x2 = builder.usual("x1", "x2")
        return {"x1": x1, "x2": _small_exponents(x2)}
    x1, x2 = builder.usual("x1", "x2")
    # Rarely unchanged: a negative one is refused everywhere.
    return {"x1": x1, "x2": x2 if builder.chance(4) else natural_exponents(x1, x2)}


def _small_exponents(exponent: object) -> object:
    """Return exponents without overflow, which would affect components by chance."""
    if isinstance(exponent, ArrayArg):
        values = exponent.values
        largest = np.max(np.abs(values.astype("c16")), initial=1.0)
        kept = values if largest <= 9 else np.asarray(values / largest * 9).astype(values.dtype)
        return ArrayArg(kept, exponent.view)
    if isinstance(exponent, int | float | complex) and abs(exponent) > 9:
        return type(exponent)(9)
    return exponent
