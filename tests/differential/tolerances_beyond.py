"""Tolerances of the functions beyond the standard; see `tolerances` for what the units mean.

Real ulps, complex ulps, and the unit of each if it isn't the element.

Natives of different libraries, and the bodies, add up and round in different orders. Of losses,
norms and layers the unit is the condition of the call: how far its results move for each rounding
of an input.
"""

from __future__ import annotations

from typing import Any, Final

from tests.differential import conditions

__all__ = ["FREE_ZEROS", "TOLERANCES"]

TOLERANCES: Final[dict[str, tuple[Any, ...]]] = {
    "sigmoid": (8, 8),
    # Relative to x, not to the result: 1 + erf(x) cancels. See the tests of activations.
    "gelu": (8, 8, conditions.inputs),
    **dict.fromkeys(
        [
            "softplus", "cross_entropy", "binary_cross_entropy",
            "clip_vector_norm", "layer_norm", "scaled_dot_product_attention",
            "multi_head_attention", "lstm_update", "median", "nanstd",
            "nanvar",
        ],
        (16, 16, conditions.response),
    ),
    "quantile": (16, 16, conditions.response_to_first),
    "softmax": (1, 1, conditions.normalized),
    "log_softmax": (1, 1, conditions.log_normalized),
    "gru_update": (8, 8, conditions.near_one),
    **dict.fromkeys(["linear", "einsum"], (16, 32, conditions.absolutes)),
    **dict.fromkeys(["nansum", "nanmean"], (8, 8, conditions.absolutes)),
    "kron": (0, 4),
    "logspace": (256, 256),
    "nanprod": (32, 64),
    "stable_divide": (2, 8),
    "stable_pow": (16, 256),
}  # fmt: skip

# Where it is nobody's promise what sign a zero has; see `ANY_ZERO_SIGN`.
FREE_ZEROS: Final = frozenset({"relu", "nanmax", "nanmin", "nan_to_num"})
