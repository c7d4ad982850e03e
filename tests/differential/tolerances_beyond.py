"""Tolerances of the functions beyond the standard; see `tolerances` for what the units mean.

Real ulps, complex ulps and the unit of each.

Natives of different libraries, and NumPy's bodies, add up and round in different orders.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.differential.case import Case

__all__ = ["FREE_ZEROS", "LARGEST", "TOLERANCES"]

TOLERANCES: Final[dict[str, tuple[float, float, str]]] = {
    "sigmoid": (8, 8, "element"),
    # Relative to x, not to the result: see the tests of activations.
    "gelu": (8, 8, "inputs"),
    "softplus": (8, 8, "inputs"),
    **dict.fromkeys(["softmax", "log_softmax"], (16, 16, "inputs")),
    **dict.fromkeys(["cross_entropy", "binary_cross_entropy"], (64, 64, "inputs")),
    "clip_vector_norm": (32, 32, "inputs"),
    "layer_norm": (256, 256, "inputs"),
    **dict.fromkeys(
        ["linear", "scaled_dot_product_attention", "multi_head_attention", "einsum"],
        (64, 64, "inputs"),
    ),
    **dict.fromkeys(["lstm_update", "gru_update"], (256, 256, "inputs")),
    "kron": (0, 4, "element"),
    "logspace": (256, 256, "element"),
    **dict.fromkeys(["median", "quantile"], (4, 4, "inputs")),
    **dict.fromkeys(["nansum", "nanmean", "nanstd", "nanvar"], (16, 16, "inputs")),
    "nanprod": (32, 64, "element"),
    "stable_divide": (2, 8, "element"),
    "stable_pow": (16, 256, "element"),
}

# Where it is nobody's promise what sign a zero has; see `ANY_ZERO_SIGN`.
FREE_ZEROS: Final = frozenset({"relu", "nanmax", "nanmin", "nan_to_num", "clip_vector_norm"})


def _product(case: Case) -> float:
    """Return a bound of what is added up: the product of the sums of all arrays, of 1 at least."""
    found = 1.0
    for values in case.arrays():
        if values.dtype.kind in "iufc" and values.size:
            found *= max(1.0, float(abs(values.astype("c16")).max())) * values.size
    return found


def _square(case: Case) -> float:
    return _product(case) ** 2


# The magnitude of intermediates, where it isn't the sum of the inputs.
LARGEST: Final[dict[str, Callable[[Case], float]]] = {
    "nanvar": _square,
    **dict.fromkeys(
        ["linear", "einsum", "cross_entropy", "binary_cross_entropy", "layer_norm"], _product
    ),
    **dict.fromkeys(["scaled_dot_product_attention", "multi_head_attention"], _square),
    **dict.fromkeys(["lstm_update", "gru_update"], _product),
}
