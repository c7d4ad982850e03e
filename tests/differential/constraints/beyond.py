"""Constraints of the other functions beyond the standard."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from tests.differential.case import ArrayArg
from tests.differential.constraints._registry import Arguments, constrain
from tests.differential.constraints.creation import castable
from tests.differential.strategies import OMIT, broadcastable, shapes

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__: list[str] = []

# Sums and products of infinities and extremes are NaN, infinite or finite depending on the order of
# operations, as for `sum` and `matmul`, where the standard doesn't specify it.
_FINITE = ("small", "moderate")
# With NaN and infinities, which are well defined in real sums; extremes overflow in one order only.
_USUAL = ("small", "moderate", "light")


def _omitted(builder: CallBuilder, value: Any) -> Any:
    return OMIT if builder.chance(3) else value


# --- NaN and order ------------------------------------------------------------------------------


@constrain("nan_to_num")
def _nan_to_num(builder: CallBuilder) -> Arguments:
    numbers = st.sampled_from([0.0, -1.5, 100.0])
    found: Arguments = {
        n: _omitted(builder, builder.draw(numbers)) for n in ("nan", "posinf", "neginf")
    }
    return {"x": builder.array(builder.draw(shapes())), **found}


@constrain("nansum", "nanprod", "cumsum", "cumprod", "nancumsum", "nancumprod")
def _nan_folds(builder: CallBuilder) -> Arguments:
    shape, dtype = builder.draw(shapes()), builder.dtype()
    if builder.chance(3):
        target = builder.any_dtype("fc") if dtype.kind != "c" else builder.any_dtype("c")
        return {"x": castable(builder, shape, dtype, target), "dtype": target}
    return {"x": builder.array(shape, dtype, _with_nan(dtype)), "dtype": OMIT}


def _with_nan(dtype: Any) -> tuple[str, ...]:
    """Omit infinities from complex numbers: their sums and products depend on the order."""
    return _FINITE if dtype.kind == "c" else _USUAL


@constrain("nanmax", "nanmin", "nanmean", "nanstd", "nanvar")
def _nan_reductions(builder: CallBuilder) -> Arguments:
    dtype = builder.dtype()
    # Extremes of empty arrays raise, and their mean is NaN, with a warning: draw them rarely.
    nonempty = "m" in builder.contract.name[3:5] and not builder.faulty("x")
    shape = builder.draw(shapes(nonempty=nonempty))
    found: Arguments = {"x": builder.array(shape, dtype, _with_nan(dtype))}
    if builder.contract.name in ("nanmean", "nanstd", "nanvar"):
        found["dtype"] = OMIT
        if builder.chance(3):
            # A deviation is real, also of complex numbers.
            real = "f" if builder.contract.name != "nanmean" else "fc"
            found["dtype"] = builder.any_dtype(real if dtype.kind != "c" else "c")
        elif builder.faulty("dtype"):
            found["dtype"] = builder.any_dtype("iu")
    return found


@constrain("nanargmax", "nanargmin", "ptp")
def _of_some(builder: CallBuilder) -> Arguments:
    return {"x": builder.array(builder.draw(shapes(nonempty=not builder.faulty("x"))))}


@constrain("nanquantile", "nanpercentile")
def _nan_quantiles(builder: CallBuilder) -> Arguments:
    # NumPy's are NaN next to infinities, and of another shape for empty arrays.
    x = builder.array(builder.draw(shapes(nonempty=True)), magnitudes=_FINITE)
    if x.values.dtype.kind == "f":
        left_out = builder.draw(
            st.lists(st.booleans(), min_size=min(x.values.size, 24), max_size=24)
        )
        left_out = np.resize(left_out, x.values.shape)
        x = ArrayArg(np.where(left_out, np.nan, x.values).astype(x.values.dtype), x.view)
    whole = 100.0 if builder.contract.name == "nanpercentile" else 1.0
    fractions = st.sampled_from([whole * n for n in (0.0, 0.125, 0.25, 0.5, 0.75, 1.0)])
    q: Any = builder.draw(fractions)
    if builder.chance(2):
        size = builder.one_of(0, 2)
        q = ArrayArg(
            np.array(builder.draw(st.lists(fractions, min_size=size, max_size=size)), "f8")
        )
    return {"x": x, "q": 2 * whole if builder.faulty("q") else q}


@constrain("median", "nanmedian")
def _median(builder: CallBuilder) -> Arguments:
    # The mean of two extremes overflows in some formulas.
    return {"x": builder.array(builder.draw(shapes()), magnitudes=_USUAL)}


@constrain("quantile")
def _quantile(builder: CallBuilder) -> Arguments:
    # Dyadic: another formula may round a position between elements to the next element.
    fractions = st.sampled_from([0.0, 0.125, 0.25, 0.5, 0.75, 1.0])
    q: Any = builder.draw(fractions)
    if builder.chance(2):
        shape = builder.one_of((), (2,), (0,), (2, 1))
        size = math.prod(shape)
        drawn = builder.draw(st.lists(fractions, min_size=size, max_size=size))
        q = ArrayArg(np.asarray(drawn, builder.any_dtype("f").name).reshape(shape))
    if builder.faulty("q"):
        q = 1.5
    return {"x": builder.array(builder.draw(shapes()), magnitudes=_USUAL), "q": q}


@constrain("isclose", "allclose")
def _closeness(builder: CallBuilder) -> Arguments:
    # Exact comparisons: tolerances that differ in the last digit would decide by chance.
    return {
        "rtol": _omitted(builder, builder.one_of(0.0, 0.125, 1e-5)),
        "atol": _omitted(builder, builder.one_of(0.0, 0.5, 1e-8)),
    }


# --- creation and manipulation ------------------------------------------------------------------


@constrain("logspace")
def _logspace(builder: CallBuilder) -> Arguments:
    shape = builder.draw(shapes(max_ndim=2))
    # Exponents near zero: the error of a power grows with the exponent, and large ones overflow.
    ends: list[Any] = []
    for _ in range(2):
        end = builder.array(
            builder.draw(broadcastable(shape)), builder.any_dtype("uif"), ("small",)
        )
        ends.append(builder.one_of(0, 1.5, -2) if builder.chance(3) else end)
    ndim = max(end.values.ndim if isinstance(end, ArrayArg) else 0 for end in ends)
    return {
        "start": ends[0], "stop": ends[1],
        "num": -1 if builder.faulty("num") else builder.one_of(0, 1, 2, 5),
        "base": _omitted(builder, builder.one_of(10.0, 2, 0.5, ArrayArg(np.asarray(3.0)))),
        "axis": ndim + 1 if builder.faulty("axis") else builder.draw(st.integers(-ndim - 1, ndim)),
        # A power that isn't an integer may be rounded up or down.
        "dtype": _omitted(builder, builder.any_dtype("fc")),
    }  # fmt: skip


@constrain("one_hot")
def _one_hot(builder: CallBuilder) -> Arguments:
    dtype = builder.any_dtype("f") if builder.faulty("indices") else builder.any_dtype("iu")
    # Indices around the depth, also negative ones: all others give a row of `off_value`.
    indices = builder.array(builder.draw(shapes(max_ndim=3)), dtype, ("small",))
    ndim = indices.values.ndim
    values = st.sampled_from([None, 0, 1, 3, -2])
    unsigned = builder.chance(2)
    return {
        "indices": indices,
        "depth": -1 if builder.faulty("depth") else builder.one_of(0, 1, 3, 9),
        "axis": ndim + 1 if builder.faulty("axis") else builder.draw(st.integers(-ndim - 1, ndim)),
        "on_value": OMIT if unsigned else builder.draw(values),
        "off_value": OMIT if unsigned else builder.draw(values),
        "dtype": builder.one_of(OMIT, builder.any_dtype("bu" if unsigned else "ifc")),
    }


@constrain("pad")
def _pad(builder: CallBuilder) -> Arguments:
    x = builder.array(builder.draw(shapes()), builder.any_dtype())
    ndim = x.values.ndim
    width = st.integers(0, 4)
    pairs = tuple((builder.draw(width), builder.draw(width)) for _ in range(ndim))
    given = builder.one_of(builder.draw(width), pairs, pairs[0] if pairs else 0)
    if builder.faulty("pad_width"):
        given = builder.one_of(-1, (1, 2, 3))
    mode = builder.one_of("constant", "edge", "reflect", "symmetric", "wrap")
    return {
        "x": x, "pad_width": given, "mode": "mirror" if builder.faulty("mode") else mode,
        "constant_values": _omitted(builder, builder.one_of(0, 1, (0, 1))),
    }  # fmt: skip


@constrain("split")
def _split(builder: CallBuilder) -> Arguments:
    x = builder.array(builder.draw(shapes(min_ndim=1)))
    axis = builder.draw(st.integers(-x.values.ndim, x.values.ndim - 1))
    size = x.values.shape[axis]
    parts = builder.one_of(None, 1, [size], [0, size], [1, size - 1] if size else [0])
    return {
        "x": x,
        "axis": x.values.ndim if builder.faulty("axis") else axis,
        "num_or_size_splits": [size + 1] if builder.faulty("num_or_size_splits") else parts,
    }


# --- linear algebra -----------------------------------------------------------------------------

_EQUATIONS: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...] = (
    ("ij->ji", ((2, 3),)), ("ii", ((3, 3),)), ("ii->i", ((3, 3),)), ("...i->...", ((2, 0, 3),)),
    ("ij,jk", ((2, 3), (3, 2))), ("ij,ij->i", ((2, 3), (2, 3))), ("i,j", ((2,), (3,))),
    ("...ij,...jk->...ik", ((2, 2, 3), (1, 3, 2))), (",i", ((), (3,))),
    ("ij,jk,kl->il", ((1, 2), (2, 3), (3, 1))), ("iij,j->i", ((2, 2, 3), (3,))),
    ("ij,jk", ((2, 0), (0, 2))), ("bif,bof->bio", ((2, 1, 3), (2, 2, 3))),
)  # fmt: skip


@constrain("einsum")
def _einsum(builder: CallBuilder) -> Arguments:
    equation, forms = builder.one_of(*_EQUATIONS)
    if builder.faulty("equation"):
        equation = builder.one_of("ij->k", "i?", "a,b,c,d")
    if builder.faulty("operands"):
        forms = (*forms, (2,))
    return {
        "equation": equation,
        "operands": tuple(builder.array(form, magnitudes=_FINITE) for form in forms),
    }


@constrain("diag")
def _diag(builder: CallBuilder) -> Arguments:
    low, high = (0, 0) if builder.faulty("x") else (1, 2)
    return {
        "x": builder.array(builder.draw(shapes(low, high))),
        "k": _omitted(builder, builder.one_of(0, 1, -1, 2, -3)),
    }


@constrain("kron")
def _kron(builder: CallBuilder) -> Arguments:
    x1, x2 = (builder.array(builder.draw(shapes(max_ndim=3)), magnitudes=_FINITE) for _ in range(2))
    return {"x1": x1, "x2": x2}


# --- convenience --------------------------------------------------------------------------------


@constrain("stable_divide", "stable_pow")
def _stable(builder: CallBuilder) -> Arguments:
    first, second, small = (p.name for p in builder.contract.inputs)
    shape = builder.draw(shapes())
    exponents = builder.contract.name == "stable_pow"
    # Special cases of powers and quotients are tested with `pow` and `divide`. Divisors that aren't
    # negative never cancel with the number added to them, and bases remain nonnegative.
    kinds = "f" if exponents else "uifc"
    x = builder.array(shape, builder.any_dtype(kinds), _FINITE)
    y = builder.array(builder.draw(broadcastable(shape)), builder.any_dtype(kinds), ("small",))
    y = ArrayArg(np.abs(y.values) if y.values.dtype.kind != "u" else y.values)
    if exponents:
        x = ArrayArg(np.abs(x.values))
    return {
        first: x,
        second: builder.one_of(y, 2.0),
        small: _omitted(builder, builder.one_of(0.5, ArrayArg(np.asarray(1.0)))),
    }
