"""Tolerances of the functions beyond the standard; see `tolerances` for what the units mean.

Real ulps, complex ulps, and the unit of each if it isn't the element.

Native functions of different libraries, and the bodies, sum and round in different orders. For
losses, norms and layers the unit is the condition of the call: the change of its results for one
rounding of an input.
"""

from __future__ import annotations

from typing import Any, Final

from tests.differential import error_scales

__all__ = ["FREE_ZEROS", "TOLERANCES"]

_MAXIMA: Final = [f"nn.{kind}max_pool{n}d" for kind in ("", "adaptive_") for n in (1, 2, 3)]

TOLERANCES: Final[dict[str, tuple[Any, ...]]] = {
    "nn.sigmoid": (8, 8),
    "sinc": (8, 16),
    # Relative to x: the sum x + 3 cancels.
    **dict.fromkeys(["nn.hardsigmoid", "nn.hardswish"], (4, 4, error_scales.response)),
    # A weight is a distance between two positions, whose magnitude is the size of the axis.
    "nn.interpolate": (16, 16, error_scales.largest),
    # A slope, and powers and quotients of rounded numbers.
    **dict.fromkeys(["nn.leaky_relu", "nn.prelu"], (1, 1)),
    **dict.fromkeys(["nn.celu", "nn.elu", "nn.selu"], (8, 8)),
    **dict.fromkeys(["nn.logsigmoid", "nn.mish", "nn.silu", "nn.softsign", "nn.glu"], (8, 8)),
    # Relative to x, not to the result: 1 + erf(x) cancels. See the tests of activations.
    "nn.gelu": (8, 8, error_scales.inputs),
    **dict.fromkeys(
        [
            "nn.softplus", "nn.cross_entropy",
            "nn.clip_vector_norm", "nn.layer_norm", "nn.scaled_dot_product_attention",
            "nn.multi_head_attention", "nn.lstm_update", "nn.lstm_cell", "nn.rnn_update",
            "nn.rnn_cell",
            "median", "nanmedian", "average", "gradient", "nanstd",
            "nanvar", "nn.huber", "nn.mae", "nn.mse", "nn.smooth_l1", "nn.hinge", "nn.kl_div",
            "nn.cosine_similarity", "nn.batch_norm", "nn.group_norm", "nn.instance_norm",
            "nn.local_response_norm",
            "nn.l1_normalize", "nn.l2_normalize", "nn.rms_norm", "interp", "trapezoid", "cov",
            "corrcoef",
        ],
        (16, 16, error_scales.response),
    ),
    "nn.binary_cross_entropy": (16, 16, error_scales.labelled),
    "nn.poisson_nll": (16, 16, error_scales.counted),
    **dict.fromkeys(
        ["quantile", "percentile", "nanquantile", "nanpercentile"],
        (16, 16, error_scales.response_to_first),
    ),
    **dict.fromkeys(["segment_sum", "bincount"], (8, 8, error_scales.summands)),
    # The edges, and the densities, have a few rounding errors of their ends.
    **dict.fromkeys(["histogram", "histogram2d", "histogramdd"], (16, 16)),
    "float_power": (8, 256),
    **dict.fromkeys(["fft.fft2", "fft.ifft2", "fft.rfft2"], (8, 8, error_scales.transform)),
    # A difference of cosines near zero, and quotients of Bessel functions.
    **dict.fromkeys(["bartlett", "blackman", "hamming", "hanning"], (8, 8, error_scales.near_one)),
    "kaiser": (64, 64),
    **dict.fromkeys(
        ["nn.gru_update", "nn.gru_cell", "nn.sparse_cross_entropy"], (8, 8, error_scales.near_one)
    ),
    **dict.fromkeys(["nn.softmax", "special.softmax"], (1, 1, error_scales.normalized)),
    **dict.fromkeys(
        ["nn.log_softmax", "special.log_softmax", "special.logsumexp"],
        (1, 1, error_scales.log_normalized),
    ),
    **dict.fromkeys(
        [f"special.{n}" for n in ("entr", "expit", "logit", "rel_entr", "xlog1py", "xlogy")], (8, 8)
    ),
    # The bodies and the libraries' functions are within 6 ulp of the truth, the oracles within 3.
    **dict.fromkeys(
        [f"special.{n}" for n in
         ("erf", "erfc", "erfcx", "erfinv", "log_ndtr", "ndtr", "ndtri")], (8, 8)
    ),
    "special.kl_div": (16, 16, error_scales.response),
    # SciPy's error beside ours: at the zeros of a function it is that of the condition.
    **dict.fromkeys(
        [
            f"special.{n}"
            for n in (
                "digamma", "gamma", "gammaln", "lgamma", "polygamma", "zeta",
            )
        ],
        (32, 32, error_scales.response),
    ),
    **dict.fromkeys([f"special.{n}" for n in ("i0", "i0e", "i1", "i1e")], (16, 16)),
    # SciPy's are off by 120 ulps: beta(1, 255) is 0.003921568627450801.
    **dict.fromkeys(
        [
            "special.beta", "special.betainc", "special.betaln", "special.gammainc",
            "special.gammaincc",
        ],
        (512, 512, error_scales.response),
    ),
    "einops_reduce": (8, 16, error_scales.absolutes),
    **dict.fromkeys(["nn.linear", "einsum", "convolve"], (16, 32, error_scales.absolutes)),
    **dict.fromkeys(["nansum", "nanmean"], (8, 8, error_scales.absolutes)),
    **dict.fromkeys(
        [
            "nn.conv1d", "nn.conv2d", "nn.conv3d", "nn.conv1d_transpose", "nn.conv2d_transpose",
            "nn.conv3d_transpose", "nn.depthwise_conv",
        ],
        (16, 16, error_scales.absolutes),
    ),
    **dict.fromkeys(
        [f"nn.{kind}avg_pool{n}d" for kind in ("", "adaptive_") for n in (1, 2, 3)],
        (16, 16, error_scales.absolutes),
    ),
    # A quotient, for which XLA multiplies by the reciprocal.
    "nn.dropout": (1, 1),
    "kron": (0, 4),
    "geomspace": (512, 512),
    "logspace": (256, 256, error_scales.exponents),
    "nanprod": (32, 64),
    "stable_divide": (2, 8),
    "stable_pow": (16, 256),
    "random.exponential": (2, 0),
    # The ratios of polynomials; see tests/functional/test_random.py for how far backends differ.
    "random.normal": (8, 0),
    "random.truncated_normal": (32, 0, error_scales.of_one),
    # Logarithms of probabilities, divided by a shape of 1/2, reach 70, and determine the ulp.
    **dict.fromkeys(["random.gamma", "random.beta", "random.dirichlet"], (64, 0)),
    "random.orthogonal": (16, 0, error_scales.of_normals),
}  # fmt: skip

# Functions with an unspecified sign of zero; see `ANY_ZERO_SIGN`.
FREE_ZEROS: Final = frozenset(
    {"ptp", "nn.relu", "nanmax", "nanmin", "nan_to_num", "nn.relu6", "nn.hardtanh",
    "nn.leaky_relu", "nn.prelu",
     "nn.celu", "nn.elu", "nn.selu", "nn.logsigmoid", "nn.mish", "nn.silu", "nn.softsign",
     "nn.glu", "nn.threshold", "cummax",
     "cummin", "special.entr", "special.rel_entr", "special.xlog1py", "special.xlogy",
     "special.i1", "special.i1e", "special.beta", *_MAXIMA}
)  # fmt: skip
