"""The rows of `python -m benchmarks.beyond_standard`: our calls, and the libraries' similar ones.

The names in the calls are those of `ARRAYS`; `xp` is our namespace, `f` the library.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

__all__ = ["ARRAYS", "ROWS", "Row"]

# Vectors of four elements, a matrix, indices, bools and probabilities, then a signal with its
# channels last or first, and a window in our order of axes and in PyTorch's.
ARRAYS: Final[dict[str, Any]] = {
    "x": [1.0, 4.0, 2.0, 3.0],
    "y": [0.5, 0.25, 1.0, 2.0],
    "m": [[1.0, 2.0], [3.0, 4.0]],
    "i": [0, 3, 1, 2],
    "t": [0.0, 1.0, 0.0, 1.0],
    "p": [0.25, 0.75, 0.5, 0.875],
    "c": [[[1.0, 4.0, 2.0, 3.0]]],
    "s": [[[1.0], [4.0], [2.0], [3.0]]],
    "g": [[[1.0, 4.0], [2.0, 3.0]]],
    "w": [[[1.0]], [[0.5]]],
    "v": [[[1.0, 0.5]]],
    "one": [1.0],
    "u": [1.0, 1.0],
    "z": [0.0, 0.0],
}


class Row(NamedTuple):
    """Our call of a function, and the libraries' calls of similar ones."""

    ours: str
    numpy: str = ""
    torch: str = ""
    tensorflow: str = ""
    jax: str = ""


def _nn(name: str, torch: str = "", tensorflow: str = "", jax: str = "", more: str = "") -> Row:
    """Create the row of an activation function; an empty name means the same name."""
    call = f"({'x' + more})"
    return Row(
        f"xp.{name}(x)",
        torch=f"f.nn.functional.{torch or name}{call}",
        tensorflow=f"f.nn.{tensorflow}{call}" if tensorflow else "",
        jax=f"f.nn.{jax}{call}" if jax else "",
    )


def _array(call: str, torch: bool = False) -> Row:
    """Create the row of a function with NumPy's name on JAX, and optionally on PyTorch."""
    return Row(f"xp.{call}", f"f.{call}", f"f.{call}" if torch else "", jax=f"f.numpy.{call}")


def _loss(name: str, torch: str, true: str = "y", pred: str = "x") -> Row:
    ours = f"xp.{name}({true}, {pred}, reduction='mean')"
    return Row(ours, torch=f"f.nn.functional.{torch}({pred}, {true})")


_FIRST: Final = "data_format='channels_first'"
_ACTIVATIONS: Final[dict[str, Row]] = {
    "nn.celu": _nn("celu", jax="celu"),
    "nn.elu": _nn("elu", tensorflow="elu", jax="elu"),
    "nn.gelu": _nn("gelu", tensorflow="gelu", jax="gelu"),
    "nn.glu": _nn("glu", jax="glu"),
    "nn.hardsigmoid": _nn("hardsigmoid", jax="hard_sigmoid"),
    "nn.hardswish": _nn("hardswish", jax="hard_swish"),
    "nn.hardtanh": _nn("hardtanh", jax="hard_tanh"),
    "nn.leaky_relu": Row(
        "xp.leaky_relu(x)", torch="f.nn.functional.leaky_relu(x)",
        tensorflow="f.nn.leaky_relu(x, 0.01)", jax="f.nn.leaky_relu(x)",
    ),
    "nn.log_softmax": Row(
        "xp.log_softmax(x)", torch="f.log_softmax(x, -1)", tensorflow="f.nn.log_softmax(x)",
        jax="f.nn.log_softmax(x)",
    ),
    "nn.logsigmoid": Row(
        "xp.logsigmoid(x)", torch="f.nn.functional.logsigmoid(x)",
        tensorflow="f.math.log_sigmoid(x)", jax="f.nn.log_sigmoid(x)",
    ),
    "nn.mish": _nn("mish", jax="mish"),
    "nn.prelu": Row("xp.prelu(m, u)", torch="f.nn.functional.prelu(m, u)"),
    "nn.relu": _nn("relu", tensorflow="relu", jax="relu"),
    "nn.relu6": _nn("relu6", tensorflow="relu6", jax="relu6"),
    "nn.selu": _nn("selu", tensorflow="selu", jax="selu"),
    "nn.sigmoid": Row("xp.sigmoid(x)", "", "f.sigmoid(x)", "f.sigmoid(x)", "f.nn.sigmoid(x)"),
    "nn.silu": _nn("silu", tensorflow="silu", jax="silu"),
    "nn.softmax": Row(
        "xp.softmax(x)", "", "f.softmax(x, -1)", "f.nn.softmax(x)", "f.nn.softmax(x)"
    ),
    "nn.softplus": _nn("softplus", tensorflow="softplus", jax="softplus"),
    "nn.softsign": _nn("softsign", tensorflow="softsign", jax="soft_sign"),
    "nn.threshold": Row("xp.threshold(x, 2.0, 0.0)", torch="f.threshold(x, 2.0, 0.0)"),
}  # fmt: skip

_LOSSES: Final[dict[str, Row]] = {
    "nn.binary_cross_entropy": _loss("binary_cross_entropy", "binary_cross_entropy", "t", "p"),
    "nn.cosine_similarity": Row(
        "xp.cosine_similarity(x, y)", torch="f.cosine_similarity(x, y, -1)"
    ),
    "nn.huber": _loss("huber", "huber_loss"),
    "nn.kl_div": Row(
        "xp.kl_div(y, x, log_target=True, reduction='sum')",
        torch="f.nn.functional.kl_div(x, y, log_target=True, reduction='sum')",
    ),
    "nn.mae": _loss("mae", "l1_loss"),
    "nn.mse": _loss("mse", "mse_loss"),
    "nn.poisson_nll": _loss("poisson_nll", "poisson_nll_loss"),
    "nn.smooth_l1": _loss("smooth_l1", "smooth_l1_loss"),
}

_NORMS: Final[dict[str, Row]] = {
    "nn.batch_norm": Row(
        "xp.batch_norm(m, z, u, axis=1)", torch="f.nn.functional.batch_norm(m, z, u)",
        tensorflow="f.nn.batch_normalization(m, z, u, None, None, 1e-5)",
    ),
    "nn.group_norm": Row("xp.group_norm(g, 1, axis=1)", torch="f.nn.functional.group_norm(g, 1)"),
    "nn.instance_norm": Row(
        "xp.instance_norm(g, axis=1)", torch="f.nn.functional.instance_norm(g)"
    ),
    "nn.l2_normalize": Row(
        "xp.l2_normalize(x)", torch="f.nn.functional.normalize(x, dim=-1)",
        tensorflow="f.math.l2_normalize(x, -1)",
    ),
    "nn.layer_norm": Row(
        "xp.layer_norm(x, -1)", torch="f.nn.functional.layer_norm(x, (4,))",
        jax="f.nn.standardize(x)",
    ),
    "nn.local_response_norm": Row(
        "xp.local_response_norm(g, 2, axis=1)",
        torch="f.nn.functional.local_response_norm(g, 2)",
    ),
    "nn.rms_norm": Row("xp.rms_norm(x, -1)", torch="f.nn.functional.rms_norm(x, (4,), None, 1e-5)"),
}  # fmt: skip

_LAYERS: Final[dict[str, Row]] = {
    "nn.adaptive_avg_pool1d": Row(
        f"xp.adaptive_avg_pool1d(c, 2, {_FIRST})",
        torch="f.nn.functional.adaptive_avg_pool1d(c, 2)",
    ),
    "nn.adaptive_max_pool1d": Row(
        f"xp.adaptive_max_pool1d(c, 2, {_FIRST})",
        torch="f.nn.functional.adaptive_max_pool1d(c, 2)",
    ),
    "nn.avg_pool1d": Row(
        "xp.avg_pool1d(s, 2)", torch="f.nn.functional.avg_pool1d(c, 2)",
        tensorflow="f.nn.avg_pool1d(s, 2, 2, 'VALID')",
    ),
    "nn.conv1d": Row(
        "xp.conv1d(s, w)", torch="f.nn.functional.conv1d(c, v)",
        tensorflow="f.nn.conv1d(s, w, 1, 'VALID')",
        jax="f.lax.conv_general_dilated(c, v, (1,), 'VALID')",
    ),
    "nn.conv1d_transpose": Row(
        "xp.conv1d_transpose(s, w)", torch="f.nn.functional.conv_transpose1d(c, v)",
        tensorflow="f.nn.conv1d_transpose(s, w, (1, 5, 1), 1, 'VALID')",
    ),
    "nn.embedding": Row(
        "xp.embedding(m, i // 2)", "f.take(m, i // 2, 0)",
        "f.nn.functional.embedding(i // 2, m)", "f.nn.embedding_lookup(m, i // 2)",
        "f.numpy.take(m, i // 2, 0)",
    ),
    "nn.interpolate": Row(
        f"xp.interpolate(c, 8, mode='nearest', {_FIRST})",
        torch="f.nn.functional.interpolate(c, 8)",
        jax="f.image.resize(c, (1, 1, 8), 'nearest')",
    ),
    "nn.linear": Row("xp.linear(m, m)", torch="f.nn.functional.linear(m, m)"),
    "nn.max_pool1d": Row(
        "xp.max_pool1d(s, 2)", torch="f.nn.functional.max_pool1d(c, 2)",
        tensorflow="f.nn.max_pool1d(s, 2, 2, 'VALID')",
    ),
    "nn.scaled_dot_product_attention": Row(
        "xp.scaled_dot_product_attention(m, m, m)",
        torch="f.nn.functional.scaled_dot_product_attention(m, m, m)",
    ),
}  # fmt: skip

_STATISTICS: Final[dict[str, Row]] = {
    "bincount": _array("bincount(i)", torch=True)._replace(tensorflow="f.math.bincount(i)"),
    "corrcoef": _array("corrcoef(m)", torch=True),
    "cov": _array("cov(m)", torch=True),
    "cummax": Row(
        "xp.cummax(x)", "f.maximum.accumulate(x)", "f.cummax(x, 0)[0]", "",
        "f.lax.cummax(x)",
    ),
    "cummin": Row(
        "xp.cummin(x)", "f.minimum.accumulate(x)", "f.cummin(x, 0)[0]", "",
        "f.lax.cummin(x)",
    ),
    "histogram": Row(
        "xp.histogram(x, bins=2, range=(1.0, 4.0))[0]", "f.histogram(x, 2, (1.0, 4.0))[0]",
        "f.histogram(x, 2, range=(1.0, 4.0))[0]", "f.histogram_fixed_width(x, (1.0, 4.0), 2)",
        "f.numpy.histogram(x, 2, (1.0, 4.0))[0]",
    ),
    "interp": _array("interp(y, y, x)"),
    "median": _array("median(x)"),
    "nan_to_num": _array("nan_to_num(x)", torch=True),
    "nanmax": _array("nanmax(x)"),
    "nanmean": _array("nanmean(x)", torch=True),
    "nanmin": _array("nanmin(x)"),
    "nanprod": _array("nanprod(x)"),
    "nanstd": _array("nanstd(x)"),
    "nansum": _array("nansum(x)", torch=True),
    "nanvar": _array("nanvar(x)"),
    "percentile": _array("percentile(x, 50)"),
    "quantile": _array("quantile(x, 0.5)", torch=True),
    "segment_sum": Row(
        "xp.segment_sum(x, i, 4)", tensorflow="f.math.unsorted_segment_sum(x, i, 4)",
        jax="f.ops.segment_sum(x, i, 4)",
    ),
    "trapezoid": _array("trapezoid(x)", torch=True),
}  # fmt: skip

_ARRAYS: Final[dict[str, Row]] = {
    "allclose": _array("allclose(x, x)", torch=True),
    "diag": _array("diag(x)", torch=True)._replace(tensorflow="f.linalg.diag(x)"),
    "einsum": Row(
        "xp.einsum('ij,jk->ik', m, m)", "f.einsum('ij,jk->ik', m, m)",
        "f.einsum('ij,jk->ik', m, m)", "f.einsum('ij,jk->ik', m, m)",
        "f.numpy.einsum('ij,jk->ik', m, m)",
    ),
    "isclose": _array("isclose(x, x)", torch=True),
    "kron": _array("kron(x, x)", torch=True),
    "logspace": _array("logspace(0.0, 2.0, 4)", torch=True),
    "one_hot": Row(
        "xp.one_hot(i, 4)", "", "f.nn.functional.one_hot(i, 4)", "f.one_hot(i, 4)",
        "f.nn.one_hot(i, 4)",
    ),
    "pad": Row(
        "xp.pad(x, ((1, 1),))", "f.pad(x, ((1, 1),))", "f.nn.functional.pad(x, (1, 1))",
        "f.pad(x, ((1, 1),))", "f.numpy.pad(x, ((1, 1),))",
    ),
    "split": Row(
        "xp.split(x, num_or_size_splits=2)", "f.split(x, 2)", "f.split(x, 2)", "f.split(x, 2)",
        "f.numpy.split(x, 2)",
    ),
    "unravel_index": Row(
        "xp.unravel_index(i, (2, 2))", "f.unravel_index(i, (2, 2))",
        "f.unravel_index(i, (2, 2))", "f.unravel_index(i, (2, 2))",
        "f.numpy.unravel_index(i, (2, 2))",
    ),
}  # fmt: skip

ROWS: Final = dict(
    sorted({**_ACTIVATIONS, **_LOSSES, **_NORMS, **_LAYERS, **_STATISTICS, **_ARRAYS}.items())
)
