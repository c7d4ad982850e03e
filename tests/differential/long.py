"""Calls with arrays long enough for the vector kernels of the libraries.

Vectorized kernels have their own formulas, and process the remainder element by element. The values
are those of a short call, repeated, so that reports remain readable and shrinking is as fast as for
short calls.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from arrayapi_unify.contracts import CONTRACTS
from tests.differential.arguments import CallBuilder, draw_case
from tests.differential.case import ArrayArg, Case, replaced
from tests.differential.strategies import Draw

__all__ = ["CATEGORIES", "EXCLUDED", "LENGTH", "lengthened", "long_cases"]

# Prime, so that every vector length leaves a remainder.
LENGTH: Final = 4099
CATEGORIES: Final = (
    "elementwise",
    "statistical",
    "searching",
    "sorting",
    "utility",
    "nn.activations",
)
# The error of a covariance grows with the observations, and the edges of bins are in order.
EXCLUDED: Final = frozenset({"corrcoef", "cov", "histogram"})
# Products of thousands of numbers overflow; theirs are of ones and the drawn numbers.
_PRODUCTS: Final = frozenset({"prod", "nanprod", "cumulative_prod"})


class _Faultless(CallBuilder):
    def __init__(self, draw: Draw, contract: Any) -> None:
        super().__init__(draw, contract)
        self.fault = None


def long_cases(function: str) -> st.SearchStrategy[Case]:
    """Return the strategy of the long calls of a function."""

    @st.composite
    def strategy(draw: Draw) -> Case:
        return lengthened(draw_case(draw, CONTRACTS[function], _Faultless))

    return strategy()


def lengthened(case: Case) -> Case:
    """Return a call with arrays that are long along the last axis, and broadcast as before."""
    last = {a.shape[-1] for a in case.arrays() if a.ndim}
    side = max(last, default=0)

    def longer(array: ArrayArg) -> ArrayArg:
        if not array.values.ndim or array.values.shape[-1] != side or 0 in last:
            return array
        return ArrayArg(_tiled(array.values, case.function in _PRODUCTS), array.view)

    args, kwargs = (replaced(spec, longer) for spec in (case.args, case.kwargs))
    if case.function == "searchsorted":
        args, kwargs = _in_order(args, kwargs)
    return Case(case.function, args, kwargs)


def _in_order(args: Any, kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Sort the searched array again, because its repeated values aren't in order."""
    x1, x2 = args
    if "sorter" not in kwargs:
        return (ArrayArg(np.sort(x1.values), x1.view), x2), kwargs
    dtype = kwargs["sorter"].values.dtype
    # Positions need a data type that can represent them.
    dtype = dtype if np.iinfo(dtype).max >= x1.values.size else np.dtype(np.int16)
    order = np.argsort(x1.values, kind="stable").astype(dtype)
    return args, {**kwargs, "sorter": ArrayArg(order)}


def _tiled(values: Any, once: bool) -> Any:
    places = np.arange(LENGTH) % values.shape[-1]
    result = values[..., places]
    if once:  # the drawn values, far from each other
        apart = LENGTH // values.shape[-1]
        ones = np.ones_like(result)
        ones[..., apart // 2 :: apart][..., : values.shape[-1]] = values
        return ones
    return result
