"""Constraints of creation and data type functions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from arrayapi_unify import dtypes, limits
from arrayapi_unify.dtypes import DType
from tests.differential.case import ArrayArg
from tests.differential.constraints._registry import Arguments, constrain
from tests.differential.static_arguments import draw_object
from tests.differential.strategies import OMIT, elements, python_scalars, shapes

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__ = ["castable"]


def castable(builder: CallBuilder, shape: tuple[int, ...], dtype: DType, target: DType) -> ArrayArg:
    """Draw an array of `dtype` whose values `target` can represent.

    Conversions of NaN, infinities and numbers out of range to integers are undefined in C,
    unspecified in the standard, and depend on the processor in NumPy itself. Numbers above -1 are
    in the range of unsigned integers, because their fractions are truncated first. Complex numbers
    are refused.
    """
    if dtype.kind != "f" or target.kind in "cfb":
        return builder.array(shape, dtype)
    size, info = math.prod(shape), limits.iinfo(target)
    real = np.dtype(dtype.name).type
    low, high = real(info.min), real(info.max)
    while int(high) > info.max:  # this data type rounds 2**64 - 1 up
        high = np.nextafter(high, real(0))
    reals = st.one_of(
        st.integers(max(info.min, -100), 100).map(lambda n: n + 0.25 * (n > 0)),
        st.integers(info.min, info.max),
        st.sampled_from([info.min, info.min + 1, info.max - 1, info.max, 0.75, -0.75, -0.0]),
    )
    drawn = builder.draw(st.lists(reals, min_size=size, max_size=size))
    values = np.clip(np.asarray(drawn, dtype.name), low, high).reshape(shape)
    return ArrayArg(values)


@constrain("astype")
def _astype(builder: CallBuilder) -> Arguments:
    target = builder.any_dtype()
    x = castable(builder, builder.shape(), builder.any_dtype(), target)
    return {"x": x, "dtype": str(target) if builder.chance(4) else target}


@constrain("array", "asarray")
def _asarray(builder: CallBuilder) -> Arguments:
    target = builder.any_dtype() if builder.chance(2) else None
    if target is None:
        return {"obj": draw_object(builder), "dtype": OMIT}
    if builder.chance(2):
        x = castable(builder, builder.shape(), builder.any_dtype(), target)
        return {"obj": x, "dtype": target}
    # Lists of numbers in range for every data type but bool; see `castable`.
    numbers = st.lists(st.sampled_from([0, 1, 7, 1.5, True]), max_size=3)
    return {"obj": builder.draw(numbers), "dtype": target}


@constrain("full", "full_like")
def _full(builder: CallBuilder) -> Arguments:
    given: Arguments = {}
    target: DType | None = builder.any_dtype() if builder.chance(2) else None
    if builder.contract.name == "full_like":
        given["x"] = builder.array(builder.shape(), builder.any_dtype())
        target = target or dtypes.as_dtype(given["x"].values.dtype.name)
        given["dtype"] = target
    else:
        given["dtype"] = target or OMIT
    if builder.chance(4):
        # Several numbers aren't a fill value, although a library may broadcast them.
        shape = (1,) if builder.faulty("fill_value") else ()
        given["fill_value"] = builder.array(shape, target, ("small",))
    elif target is None or target.kind in "fcb":
        own = builder.any_dtype("bifc") if target is None else target
        scalar = builder.draw(python_scalars(own, "special"))
        given["fill_value"] = scalar
    else:
        given["fill_value"] = builder.one_of(0, 1, 7, True, 300, -1, 2**40, 2.5)
        if target.kind == "u" and given["fill_value"] == -1 and builder.chance(2):
            given["fill_value"] = np.int64(3)
    return given


@constrain("arange")
def _arange(builder: CallBuilder) -> Arguments:
    number = st.one_of(st.integers(-5, 5), st.sampled_from([0.0, 0.5, -2.25, 3.0]))
    start = builder.draw(number)
    given: Arguments = {"start": start, "stop": OMIT, "step": OMIT, "dtype": OMIT}
    if builder.chance(2):
        given["stop"] = builder.draw(number)
        if builder.chance(2):
            given["step"] = builder.one_of(1, 2, -1, 0.5, -0.75, 3)
    if builder.faulty("step"):
        given.update(stop=3, step=0)
    if builder.chance(2):
        given["dtype"] = dtype = builder.any_dtype("iuf")
        if dtype.kind == "u":
            _make_natural(given)
    return given


def _make_natural(given: Arguments) -> None:
    """Restrict a range to unsigned integers; negative numbers are unspecified (`castable`)."""
    for name in ("start", "stop"):
        given[name] = given[name] if given[name] is OMIT else abs(given[name])
    # NumPy computes the second element even if there is none: it may not be negative.
    step, stop = given["step"], given["stop"]
    if step is not OMIT and step < 0 and given["start"] + step < 0:
        given["step"] = -step
    if stop is OMIT:
        given["step"] = OMIT


@constrain("linspace")
def _linspace(builder: CallBuilder) -> Arguments:
    real = st.one_of(st.integers(-10, 10), st.sampled_from([0.0, 0.1, -2.5, 1e10, 1e-10]))
    number = st.one_of(real, real, st.builds(complex, real, real))
    return {
        "start": builder.draw(number),
        "stop": builder.draw(number),
        "num": -1 if builder.faulty("num") else builder.one_of(0, 1, 2, 3, 6),
        "dtype": builder.any_dtype("fc") if builder.chance(2) else OMIT,
    }


@constrain("eye")
def _eye(builder: CallBuilder) -> Arguments:
    size = st.integers(0, 3)
    rows = -1 if builder.faulty("n_rows") else builder.draw(size)
    return {"n_rows": rows, "n_cols": builder.one_of(OMIT, None, builder.draw(size))}


@constrain("meshgrid")
def _meshgrid(builder: CallBuilder) -> Arguments:
    dtype = builder.any_dtype()
    ndims = (2, 2) if builder.faulty("arrays") else (1, 1)
    count = builder.one_of(0, 1, 2, 3)
    arrays = (builder.array(builder.draw(shapes(*ndims)), dtype) for _ in range(count))
    return {"arrays": tuple(arrays)}


@constrain("tril", "triu")
def _triangle(builder: CallBuilder) -> Arguments:
    low, high = (0, 1) if builder.faulty("x") else (2, 4)
    return {"x": builder.array(builder.draw(shapes(low, high)))}


@constrain("from_dlpack")
def _from_dlpack(builder: CallBuilder) -> Arguments:
    """Draw arrays of any data type."""
    x, copy = builder.array(builder.shape(), builder.any_dtype()), builder.one_of(None, True, False)
    return {"x": x, "copy": copy}


# --- data types -------------------------------------------------------------------------------


def _array_or_dtype(builder: CallBuilder, dtype: DType) -> Any:
    return dtype if builder.chance(2) else builder.array(builder.shape(), dtype, ("small",))


@constrain("can_cast")
def _can_cast(builder: CallBuilder) -> Arguments:
    return {"from_": _array_or_dtype(builder, builder.any_dtype())}


@constrain("finfo", "iinfo")
def _info(builder: CallBuilder) -> Arguments:
    kinds = "buifc" if builder.chance(4) else {"finfo": "fc", "iinfo": "iu"}[builder.contract.name]
    return {"type": _array_or_dtype(builder, builder.any_dtype(kinds))}


@constrain("isdtype")
def _isdtype(builder: CallBuilder) -> Arguments:
    kinds = st.sampled_from([*dtypes.KINDS, *dtypes.ALL])
    kind = st.one_of(kinds, st.lists(kinds, max_size=3).map(tuple))
    return {
        "dtype": builder.any_dtype(),
        "kind": "x" if builder.faulty("kind") else builder.draw(kind),
    }


@constrain("result_type")
def _result_type(builder: CallBuilder) -> Arguments:
    count = 0 if builder.faulty("arrays_and_dtypes") else builder.one_of(1, 2, 3)
    given = [_array_or_dtype(builder, builder.any_dtype()) for _ in range(count)]
    if count > 1 and builder.chance(3):
        given[0] = builder.draw(elements(builder.any_dtype("bifc"), "small"))
    return {"arrays_and_dtypes": tuple(given)}
