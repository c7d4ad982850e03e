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

_MAXIMA: Final = [f"{kind}max_pool{n}d" for kind in ("", "adaptive_") for n in (1, 2, 3)]

TOLERANCES: Final[dict[str, tuple[Any, ...]]] = {
    "sigmoid": (8, 8),
    # Relative to x, not to the result: 1 + erf(x) cancels. See the tests of activations.
    "gelu": (8, 8, conditions.inputs),
    **dict.fromkeys(
        [
            "softplus", "softmax", "cross_entropy", "binary_cross_entropy",
            "clip_vector_norm", "layer_norm", "scaled_dot_product_attention",
            "multi_head_attention", "lstm_update", "lstm_cell", "rnn_update", "rnn_cell",
            "interpolate", "median", "nanstd",
            "nanvar",
        ],
        (16, 16, conditions.response),
    ),
    "quantile": (16, 16, conditions.response_to_first),
    **dict.fromkeys(["log_softmax", "gru_update", "gru_cell"], (8, 8, conditions.near_one)),
    **dict.fromkeys(["linear", "einsum"], (16, 32, conditions.absolutes)),
    **dict.fromkeys(["nansum", "nanmean"], (8, 8, conditions.absolutes)),
    **dict.fromkeys(
        [
            "conv1d", "conv2d", "conv3d", "conv1d_transpose", "conv2d_transpose",
            "conv3d_transpose", "depthwise_conv",
        ],
        (16, 16, conditions.absolutes),
    ),
    **dict.fromkeys(
        [f"{kind}avg_pool{n}d" for kind in ("", "adaptive_") for n in (1, 2, 3)],
        (16, 16, conditions.absolutes),
    ),
    # A quotient, for which XLA multiplies by the reciprocal.
    "dropout": (1, 1),
    "kron": (0, 4),
    "logspace": (256, 256),
    "nanprod": (32, 64),
    "stable_divide": (2, 8),
    "stable_pow": (16, 256),
    "random.exponential": (2, 0),
    # The ratios of polynomials; see tests/functional/test_random.py for how far backends differ.
    "random.normal": (8, 0),
    "random.truncated_normal": (32, 0, conditions.of_one),
    # Logarithms of probabilities, divided by a shape of 1/2, reach 70: a rounding is that of them.
    **dict.fromkeys(["random.gamma", "random.beta", "random.dirichlet"], (64, 0)),
    "random.orthogonal": (16, 0, conditions.of_normals),
}  # fmt: skip

# Where it is nobody's promise what sign a zero has; see `ANY_ZERO_SIGN`.
FREE_ZEROS: Final = frozenset({"relu", "nanmax", "nanmin", "nan_to_num", *_MAXIMA})
