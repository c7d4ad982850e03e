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
    from tests.differential.arguments import Drawer

__all__: list[str] = []

# Of sums and products of infinities and extremes it depends on the order of the operations whether
# they are NaN, infinite or finite, and the standard has none of these functions.
_FINITE = ("small", "moderate")
# One number leads to one result, so NaN and infinities have a place; exponentials of extremes
# overflow in one formula and not in another.
_USUAL = ("small", "moderate", "light")


def _omitted(drawer: Drawer, value: Any) -> Any:
    """Leave an argument out now and then."""
    return OMIT if drawer.chance(3) else value


@constrain("gelu", "sigmoid")
def _elementwise(drawer: Drawer) -> Arguments:
    return {"x": drawer.array(drawer.draw(shapes()), magnitudes=_USUAL)}


@constrain("softplus")
def _softplus(drawer: Drawer) -> Arguments:
    return {
        "x": drawer.array(drawer.draw(shapes()), magnitudes=_USUAL),
        "beta": _omitted(drawer, drawer.one_of(1.0, 0.5, 2)),
        "threshold": _omitted(drawer, drawer.one_of(None, 5.0)),
    }


@constrain("softmax", "log_softmax")
def _softmax(drawer: Drawer) -> Arguments:
    low, high = (0, 0) if drawer.faulty("x") else (1, 4)
    return {"x": drawer.array(drawer.draw(shapes(low, high)), magnitudes=_USUAL)}


def _losses(drawer: Drawer) -> Arguments:
    """Draw what isn't empty, and of any size: all is clipped to probabilities."""
    return {
        "true": drawer.array(drawer.shape(), magnitudes=_FINITE),
        "pred": drawer.array(drawer.shape(), magnitudes=_FINITE),
        "epsilon": _omitted(drawer, drawer.one_of(1e-7, 0.125)),
    }


@constrain("cross_entropy")
def _cross_entropy(drawer: Drawer) -> Arguments:
    drawer._shape = drawer.draw(shapes(min_ndim=1, nonempty=True))
    return _losses(drawer)


@constrain("binary_cross_entropy")
def _binary_cross_entropy(drawer: Drawer) -> Arguments:
    drawer._shape = drawer.draw(shapes(nonempty=True))
    weight = drawer.array((), dtypes.float64, _FINITE) if drawer.chance(2) else 2.5
    return {**_losses(drawer), "pos_weight": _omitted(drawer, weight)}


@constrain("layer_norm")
def _layer_norm(drawer: Drawer) -> Arguments:
    """Draw what isn't empty: a mean of nothing is NaN, with a warning."""
    shape = drawer.draw(shapes(min_ndim=1, nonempty=True))
    ndim = len(shape)
    x = drawer.array(shape, magnitudes=_FINITE)
    count = drawer.draw(st.integers(1, ndim))
    axes: Any = tuple(drawer.draw(st.permutations(range(ndim))))[:count]
    if drawer.chance(2):
        axes = tuple(range(ndim - count, ndim))
    if drawer.faulty("normalized_idxs"):
        axes = ndim

    def parameter() -> Any:
        own = shape[ndim - count :] if drawer.chance(2) else drawer.draw(broadcastable(shape))
        return _omitted(drawer, drawer.array(own, magnitudes=_FINITE))

    return {
        "x": x, "normalized_idxs": axes, "scale": parameter(), "offset": parameter(),
        # Large enough for values that are all alike up to rounding.
        "eps": drawer.one_of(0.125, 1.0), "new_std": _omitted(drawer, drawer.one_of(1.0, 2.5)),
    }  # fmt: skip


@constrain("clip_vector_norm")
def _clip_vector_norm(drawer: Drawer) -> Arguments:
    """Draw what isn't empty: nothing has no largest element, which the norm by infinity is."""
    return {
        "x": drawer.array(drawer.draw(shapes(nonempty=True)), magnitudes=_FINITE),
        "max_norm": drawer.one_of(0.5, 2.0, 1e4),
        "p": _omitted(drawer, drawer.one_of(1, 2.0, 3, math.inf)),
    }


def _pair(drawer: Drawer, *wanted: Any) -> list[ArrayArg]:
    return [drawer.array(shape, magnitudes=_FINITE) for shape in wanted]


@constrain("linear")
def _linear(drawer: Drawer) -> Arguments:
    outer = drawer.one_of((), (), (), (2,), (2, 1))
    inner = drawer.one_of((), (3,), (2, 2), (0,)) if not outer else drawer.one_of((3,), (2, 2))
    features, results = drawer.one_of(0, 1, 3), drawer.one_of(1, 2)
    wrong = features + 1 if drawer.faulty("weight") else features
    x, weight = _pair(drawer, (*outer, *inner, features), (*outer, results, wrong))
    bias = drawer.array(drawer.one_of((results,), (*outer, results)), magnitudes=_FINITE)
    return {"x": x, "weight": weight, "bias": _omitted(drawer, bias)}


@constrain("scaled_dot_product_attention")
def _attention(drawer: Drawer) -> Arguments:
    batch = drawer.one_of((), (2,), (2, 1))
    n, m, d, e = (drawer.one_of(1, 2, 3) for _ in range(4))
    wrong = d + 1 if drawer.faulty("keys") else d
    query, keys, values = _pair(drawer, (*batch, n, d), (*batch, m, wrong), (*batch, m, e))
    kind = drawer.one_of(dtypes.bool, dtypes.float64)
    mask = drawer.array(drawer.one_of((n, m), (*batch, n, m), (m,)), kind, ("small",))
    return {
        "query": query, "keys": keys, "values": values,
        # Large scores make a step of the softmax, at which any rounding counts.
        "scale": 0.01, "mask": _omitted(drawer, mask),
    }  # fmt: skip


def _times(x: Any, v: Any) -> Any:
    """Stand for a layer with one parameter."""
    return x * v["factor"]


def _parameters(x: ArrayArg) -> dict[str, Any]:
    """Return the parameters of such a layer: an array, where it promotes nothing."""
    floats = x.values.dtype.kind == "f"
    return {"factor": ArrayArg(np.asarray(0.5, x.values.dtype)) if floats else 0.5}


@constrain("multi_head_attention")
def _multi_head_attention(drawer: Drawer) -> Arguments:
    heads = drawer.one_of(1, 2)
    batch = drawer.one_of((), (2,))
    n, m, d = (drawer.one_of(1, 2, 3) for _ in range(3))
    wrong = 2 * d - 1 if drawer.faulty("num_heads") and heads == 2 else heads * d
    x, context = _pair(drawer, (*batch, n, wrong), (*batch, m, 2 * wrong))
    given: Arguments = {"x": x, "scale": 0.01, "num_heads": heads, "context": context}
    for part in ("q", "kv", "out"):
        given[f"to_{part}_fn"] = drawer.one_of(OMIT, _times)
        given[f"to_{part}_v"] = _parameters(context if part == "kv" else x)
    mask = drawer.array((n, m), drawer.one_of(dtypes.bool, dtypes.int8), ("small",))
    return given | {"mask": _omitted(drawer, mask)}


@constrain("embedding")
def _embedding(drawer: Drawer) -> Arguments:
    rows = drawer.one_of(1, 2, 4)
    weights = drawer.array((rows, *drawer.one_of((), (3,), (2, 2))))
    if drawer.faulty("weights"):
        weights = drawer.array(())
    shape = drawer.draw(shapes(max_ndim=2))
    # Indices out of bounds are refused only where they are known; see `take`.
    highest = rows if drawer.faulty("indices") and 0 not in shape else rows - 1
    places = drawer.draw(st.lists(st.integers(0, highest), min_size=64, max_size=64))
    dtype = drawer.one_of("int64", "int32", "uint8")
    if drawer.faulty("dtype"):
        dtype = "float64"
    return {
        "weights": weights,
        "indices": ArrayArg(np.resize(np.array(places, dtype), shape)),
    }


@constrain("dropout")
def _dropout(drawer: Drawer) -> Arguments:
    shape = drawer.draw(shapes())
    words = [drawer.one_of(0, 1, 2**31, 2**32 - 1, 77) for _ in range(2)]
    key = np.array(words, "int64" if drawer.faulty("key") else "uint32")
    alike = tuple(1 if drawer.chance(2) else n for n in shape)
    return {
        "x": drawer.array(shape, magnitudes=_FINITE), "key": ArrayArg(key),
        "rate": drawer.one_of(-0.5, 2, 1j) if drawer.faulty("rate")
        else _omitted(drawer, drawer.one_of(0, 0.25, 0.1, 1)),
        "noise_shape": (*shape, 2) if drawer.faulty("noise_shape")
        else _omitted(drawer, drawer.one_of(None, alike)),
        "training": drawer.one_of(True, True, False, OMIT),
    }  # fmt: skip


def _recurrent(
    drawer: Drawer, gates: int, states: tuple[str, ...], cell: bool = False
) -> Arguments:
    """Draw shapes that fit; small numbers, as large ones saturate all gates, and no error shows."""
    batch = drawer.one_of((), (2,), (2, 1), (0,))
    time, size, results = drawer.one_of(0, 1, 3), drawer.one_of(1, 2), drawer.one_of(1, 2)
    rows = results + 1 if drawer.faulty("recurrent_kernel") else results
    width = gates * results
    forms = {"x": (*batch, size) if cell else (*batch, time, size)} | dict.fromkeys(
        states, (*batch, results)
    )
    forms |= {"kernel": (size, width), "recurrent_kernel": (rows, width)}
    given: Arguments = {n: drawer.array(s, magnitudes=("small",)) for n, s in forms.items()}
    for name in ("bias", "recurrent_bias"):
        given[name] = _omitted(drawer, drawer.array((width,), magnitudes=("small",)))
    return given


@constrain("lstm_update")
def _lstm_update(drawer: Drawer) -> Arguments:
    return _recurrent(drawer, 4, ("init_h", "init_c"))


@constrain("gru_update")
def _gru_update(drawer: Drawer) -> Arguments:
    return _recurrent(drawer, 3, ("init_h",))


@constrain("rnn_update")
def _rnn_update(drawer: Drawer) -> Arguments:
    return _recurrent(drawer, 1, ("init_h",))


@constrain("rnn_cell")
def _rnn_cell(drawer: Drawer) -> Arguments:
    return _recurrent(drawer, 1, ("h",), cell=True)


@constrain("lstm_cell")
def _lstm_cell(drawer: Drawer) -> Arguments:
    return _recurrent(drawer, 4, ("h", "c"), cell=True)


@constrain("gru_cell")
def _gru_cell(drawer: Drawer) -> Arguments:
    return _recurrent(drawer, 3, ("h",), cell=True)
