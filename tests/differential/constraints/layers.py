"""Constraints of the functions of neural networks: activations, losses, norms and layers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from arrayapi_unify import dtypes
from tests.differential.case import ArrayArg
from tests.differential.constraints._registry import Arguments, constrain
from tests.differential.strategies import OMIT, broadcastable, shapes

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__: list[str] = []

# Sums and products of infinities and extremes are NaN, infinite or finite depending on the order of
# operations, and the standard doesn't specify these functions.
_FINITE = ("small", "moderate")
# Elementwise functions are well defined for NaN and infinities; exponentials of extremes overflow
# in some formulas only.
_USUAL = ("small", "moderate", "light")


def _omitted(builder: CallBuilder, value: Any) -> Any:
    """Omit an argument rarely."""
    return OMIT if builder.chance(3) else value


@constrain("nn.gelu", "nn.sigmoid")
def _elementwise(builder: CallBuilder) -> Arguments:
    return {"x": builder.array(builder.draw(shapes()), magnitudes=_USUAL)}


@constrain("nn.softplus")
def _softplus(builder: CallBuilder) -> Arguments:
    return {
        "x": builder.array(builder.draw(shapes()), magnitudes=_USUAL),
        "beta": _omitted(builder, builder.one_of(1.0, 0.5, 2)),
        "threshold": _omitted(builder, builder.one_of(None, 5.0)),
    }


@constrain("nn.softmax", "nn.log_softmax")
def _softmax(builder: CallBuilder) -> Arguments:
    low, high = (0, 0) if builder.faulty("x") else (1, 4)
    return {"x": builder.array(builder.draw(shapes(low, high)), magnitudes=_USUAL)}


def _losses(builder: CallBuilder) -> Arguments:
    """Draw nonempty arrays of any magnitude: all are clipped to probabilities."""
    return {
        "true": builder.array(builder.shape(), magnitudes=_FINITE),
        "pred": builder.array(builder.shape(), magnitudes=_FINITE),
        "epsilon": _omitted(builder, builder.one_of(1e-7, 0.125)),
    }


@constrain("nn.cross_entropy")
def _cross_entropy(builder: CallBuilder) -> Arguments:
    builder._shape = builder.draw(shapes(min_ndim=1, nonempty=True))
    return _losses(builder)


@constrain("nn.binary_cross_entropy")
def _binary_cross_entropy(builder: CallBuilder) -> Arguments:
    builder._shape = builder.draw(shapes(nonempty=True))
    weight = builder.array((), dtypes.float64, _FINITE) if builder.chance(2) else 2.5
    return {**_losses(builder), "pos_weight": _omitted(builder, weight)}


@constrain("nn.layer_norm")
def _layer_norm(builder: CallBuilder) -> Arguments:
    """Draw nonempty arrays: the mean of an empty one is NaN, with a warning."""
    shape = builder.draw(shapes(min_ndim=1, nonempty=True))
    ndim = len(shape)
    x = builder.array(shape, magnitudes=_FINITE)
    count = builder.draw(st.integers(1, ndim))
    axes: Any = tuple(builder.draw(st.permutations(range(ndim))))[:count]
    if builder.chance(2):
        axes = tuple(range(ndim - count, ndim))
    if builder.faulty("normalized_idxs"):
        axes = ndim

    def parameter() -> Any:
        own = shape[ndim - count :] if builder.chance(2) else builder.draw(broadcastable(shape))
        return _omitted(builder, builder.array(own, magnitudes=_FINITE))

    return {
        "x": x, "normalized_idxs": axes, "scale": parameter(), "offset": parameter(),
        # Large enough for values that are equal up to rounding.
        "eps": builder.one_of(0.125, 1.0), "new_std": _omitted(builder, builder.one_of(1.0, 2.5)),
    }  # fmt: skip


@constrain("nn.clip_vector_norm")
def _clip_vector_norm(builder: CallBuilder) -> Arguments:
    """Draw nonempty arrays: an empty one has no maximum, which is the infinity norm."""
    return {
        "x": builder.array(builder.draw(shapes(nonempty=True)), magnitudes=_FINITE),
        "max_norm": builder.one_of(0.5, 2.0, 1e4),
        "p": _omitted(builder, builder.one_of(1, 2.0, 3, math.inf)),
    }


def _pair(builder: CallBuilder, *wanted: Any) -> list[ArrayArg]:
    return [builder.array(shape, magnitudes=_FINITE) for shape in wanted]


@constrain("nn.linear")
def _linear(builder: CallBuilder) -> Arguments:
    outer = builder.one_of((), (), (), (2,), (2, 1))
    inner = builder.one_of((), (3,), (2, 2), (0,)) if not outer else builder.one_of((3,), (2, 2))
    features, results = builder.one_of(0, 1, 3), builder.one_of(1, 2)
    wrong = features + 1 if builder.faulty("weight") else features
    x, weight = _pair(builder, (*outer, *inner, features), (*outer, results, wrong))
    bias = builder.array(builder.one_of((results,), (*outer, results)), magnitudes=_FINITE)
    return {"x": x, "weight": weight, "bias": _omitted(builder, bias)}


@constrain("nn.scaled_dot_product_attention")
def _attention(builder: CallBuilder) -> Arguments:
    batch = builder.one_of((), (2,), (2, 1))
    n, m, d, e = (builder.one_of(1, 2, 3) for _ in range(4))
    wrong = d + 1 if builder.faulty("keys") else d
    query, keys, values = _pair(builder, (*batch, n, d), (*batch, m, wrong), (*batch, m, e))
    kind = builder.one_of(dtypes.bool, dtypes.float64)
    mask = builder.array(builder.one_of((n, m), (*batch, n, m), (m,)), kind, ("small",))
    return {
        "query": query, "keys": keys, "values": values,
        # Large scores make the softmax a step function, which amplifies rounding errors.
        "scale": 0.01, "mask": _omitted(builder, mask),
    }  # fmt: skip


def _times(x: Any, v: Any) -> Any:
    """A layer with one parameter."""
    return x * v["factor"]


def _parameters(x: ArrayArg) -> dict[str, Any]:
    """Return the parameters of such a layer: an array that doesn't change promotion."""
    floats = x.values.dtype.kind == "f"
    return {"factor": ArrayArg(np.asarray(0.5, x.values.dtype)) if floats else 0.5}


@constrain("nn.multi_head_attention")
def _multi_head_attention(builder: CallBuilder) -> Arguments:
    heads = builder.one_of(1, 2)
    batch = builder.one_of((), (2,))
    n, m, d = (builder.one_of(1, 2, 3) for _ in range(3))
    wrong = 2 * d - 1 if builder.faulty("num_heads") and heads == 2 else heads * d
    x, context = _pair(builder, (*batch, n, wrong), (*batch, m, 2 * wrong))
    given: Arguments = {"x": x, "scale": 0.01, "num_heads": heads, "context": context}
    for part in ("q", "kv", "out"):
        given[f"to_{part}_fn"] = builder.one_of(OMIT, _times)
        given[f"to_{part}_v"] = _parameters(context if part == "kv" else x)
    mask = builder.array((n, m), builder.one_of(dtypes.bool, dtypes.int8), ("small",))
    return given | {"mask": _omitted(builder, mask)}


@constrain("nn.embedding")
def _embedding(builder: CallBuilder) -> Arguments:
    rows = builder.one_of(1, 2, 4)
    weights = builder.array((rows, *builder.one_of((), (3,), (2, 2))))
    if builder.faulty("weights"):
        weights = builder.array(())
    shape = builder.draw(shapes(max_ndim=2))
    # Indices out of bounds raise only if their values are available; see `take`.
    highest = rows if builder.faulty("indices") and 0 not in shape else rows - 1
    places = builder.draw(st.lists(st.integers(0, highest), min_size=64, max_size=64))
    dtype = builder.one_of("int64", "int32", "uint8")
    if builder.faulty("dtype"):
        dtype = "float64"
    return {
        "weights": weights,
        "indices": ArrayArg(np.resize(np.array(places, dtype), shape)),
    }


@constrain("nn.dropout")
def _dropout(builder: CallBuilder) -> Arguments:
    shape = builder.draw(shapes())
    words = [builder.one_of(0, 1, 2**31, 2**32 - 1, 77) for _ in range(2)]
    key = np.array(words, "int64" if builder.faulty("key") else "uint32")
    alike = tuple(1 if builder.chance(2) else n for n in shape)
    return {
        "x": builder.array(shape, magnitudes=_FINITE), "key": ArrayArg(key),
        "rate": builder.one_of(-0.5, 2, 1j) if builder.faulty("rate")
        else _omitted(builder, builder.one_of(0, 0.25, 0.1, 1)),
        "noise_shape": (*shape, 2) if builder.faulty("noise_shape")
        else _omitted(builder, builder.one_of(None, alike)),
        "training": builder.one_of(True, True, False, OMIT),
    }  # fmt: skip


def _recurrent(
    builder: CallBuilder, gates: int, states: tuple[str, ...], cell: bool = False
) -> Arguments:
    """Draw compatible shapes and small numbers: large ones saturate all gates and hide errors."""
    batch = builder.one_of((), (2,), (2, 1), (0,))
    time, size, results = builder.one_of(0, 1, 3), builder.one_of(1, 2), builder.one_of(1, 2)
    rows = results + 1 if builder.faulty("recurrent_kernel") else results
    width = gates * results
    forms = {"x": (*batch, size) if cell else (*batch, time, size)} | dict.fromkeys(
        states, (*batch, results)
    )
    forms |= {"kernel": (size, width), "recurrent_kernel": (rows, width)}
    given: Arguments = {n: builder.array(s, magnitudes=("small",)) for n, s in forms.items()}
    for name in ("bias", "recurrent_bias"):
        given[name] = _omitted(builder, builder.array((width,), magnitudes=("small",)))
    return given


@constrain("nn.lstm_update")
def _lstm_update(builder: CallBuilder) -> Arguments:
    return _recurrent(builder, 4, ("init_h", "init_c"))


@constrain("nn.gru_update")
def _gru_update(builder: CallBuilder) -> Arguments:
    return _recurrent(builder, 3, ("init_h",))


@constrain("nn.rnn_update")
def _rnn_update(builder: CallBuilder) -> Arguments:
    return _recurrent(builder, 1, ("init_h",))


@constrain("nn.rnn_cell")
def _rnn_cell(builder: CallBuilder) -> Arguments:
    return _recurrent(builder, 1, ("h",), cell=True)


@constrain("nn.lstm_cell")
def _lstm_cell(builder: CallBuilder) -> Arguments:
    return _recurrent(builder, 4, ("h", "c"), cell=True)


@constrain("nn.gru_cell")
def _gru_cell(builder: CallBuilder) -> Arguments:
    return _recurrent(builder, 3, ("h",), cell=True)
