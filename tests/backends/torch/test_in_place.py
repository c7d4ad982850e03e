"""`x op= y` on PyTorch: by its own operation if that is equivalent, otherwise another way."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import arrayapi_unify as unify
import arrayapi_unify.torch as xp
from tests.in_place import IN_PLACE
from tests.tables import each

SIGNS = ("+=", "-=", "*=", "/=")
FLOATS = (
    0,
    3,
    -1,
    0.1,
    1.0,
    1 / 3,
    -2.5,
    1e-40,
    6e-8,
    65504.0,
    65519.0,
    65520.0,
    1e5,
    3.5e38,
    2**130,
)
FLOATS += (math.inf, -math.inf, math.nan, 3.4028235677973366e38)
INTEGERS = (0, 1, -1, 7, 100, -128, 127, 2**31 - 1, 2**62)


class _Kernels(TorchDispatchMode):
    """Records PyTorch's operations."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.append(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("layout", ["whole", "part", "transposed"])
@each("dtype, y", [("float64", 1.0), ("float32", 1.0), ("float32", 3), ("int64", 3), ("int8", -3)])
def test_no_second_tensor(layout: str, dtype: str, y: float) -> None:
    x = xp.ones((4, 6), dtype=getattr(xp, dtype))
    x = {"whole": x, "part": x[:, ::2], "transposed": x.T}[layout]
    for sign, name in zip(
        SIGNS[: 3 if dtype.startswith("int") else 4], ("add_", "sub_", "mul_", "div_"), strict=False
    ):
        with _Kernels() as kernels:
            assert IN_PLACE[sign][0](x, y) is x
        assert kernels.names == [name]


@pytest.mark.parametrize("dtype", [unify.float16, unify.bfloat16])
def test_no_second_tensor_of_halves(dtype: Any) -> None:
    x, y = xp.ones((2, 3), dtype=dtype), xp.ones((3,), dtype=dtype)
    for operand in (2.0, 3, y):
        with _Kernels() as kernels:
            x += operand
        assert "add_" in kernels.names
        assert not {"_to_copy", "add", "copy_"} & set(kernels.names)


def _values(dtype: str) -> Any:
    if dtype.startswith("int"):
        info = np.iinfo(dtype)
        return np.asarray([0, 1, -1, 5, -77, info.max, info.min], dtype)
    info = np.finfo(dtype)
    return np.asarray(
        [0.0, -0.0, 1.0, -1.5, 0.1, 3.0, 6e4, math.inf, -math.inf, math.nan, info.max, info.tiny,
         info.smallest_subnormal], dtype,
    )  # fmt: skip


@each("dtype", ["float64", "float32", "float16", "int64", "int32", "int16", "int8"])
@pytest.mark.parametrize("sign", SIGNS)
def test_numbers(sign: str, dtype: str) -> None:
    """NumPy computes in the data type of the array, and so do all implementations here."""
    integers = dtype.startswith("int")
    for y in INTEGERS if integers else FLOATS:
        if (integers and sign == "/=") or (
            integers and not np.iinfo(dtype).min <= y <= np.iinfo(dtype).max
        ):
            continue
        values = _values(dtype)
        x = xp.asarray(values, copy=True)
        with np.errstate(all="ignore"):
            # Through float64, because NumPy doesn't accept larger integers.
            other = y if integers else np.float64(y)
            wanted = IN_PLACE[sign][1](values, values.dtype.type(other))
        IN_PLACE[sign][0](x, y)
        np.testing.assert_array_equal(x.to_numpy(), wanted, f"{y!r}")
        assert x.dtype.name == dtype


@each(
    "sign, function",
    list(zip(SIGNS, (operator.add, operator.sub, operator.mul, operator.truediv), strict=True)),
)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_all_halves(dtype: str, sign: str, function: Any) -> None:
    """All float16 and bfloat16 numbers, with others: the float32 result, rounded once."""
    native = getattr(torch, dtype)
    numbers = torch.arange(-(2**15), 2**15, dtype=torch.int16).view(native)
    for step in (1, 77, 12345):
        others = numbers.roll(step)
        x = unify.Array(numbers.clone())
        IN_PLACE[sign][0](x, unify.Array(others))
        wanted = function(numbers.float(), others.float()).to(native)
        assert torch.equal(torch.nan_to_num(x.data, nan=7.0), torch.nan_to_num(wanted, nan=7.0))
    for y in (3, 0.1, -1e-3, 1e5):
        x = unify.Array(numbers.clone())
        IN_PLACE[sign][0](x, y)
        wanted = function(
            numbers.float(), torch.tensor(float(y)).to(torch.float64).to(native).float()
        ).to(native)
        assert torch.equal(torch.nan_to_num(x.data, nan=7.0), torch.nan_to_num(wanted, nan=7.0))


@each("dtype, y", [("int8", 128), ("int64", 2**63), ("int64", 1.0), ("float32", 1j), ("bool", 1)])
def test_what_does_not_fit_changes_nothing(dtype: str, y: Any) -> None:
    x = xp.ones(3, dtype=getattr(xp, dtype))
    with pytest.raises((TypeError, OverflowError, ValueError)):
        x += y
    assert x.tolist() == [1, 1, 1]


@each("dtype", ["float64", "float32", "float16", "int64"])
def test_overlapping_halves_and_others(dtype: str) -> None:
    kind = getattr(unify, dtype)
    for target, value in (
        (slice(1, None), slice(None, -1)),
        (slice(None, 3), slice(None, None, 2)),
    ):
        x, twin = xp.arange(5, dtype=kind), np.arange(5, dtype=dtype)
        part = x[target]
        part += x[value]
        twin[target] += twin[value].copy()
        assert x.tolist() == twin.tolist()


def test_a_result_of_another_shape_is_refused() -> None:
    for dtype in (unify.float16, unify.float32, unify.float64):
        x = xp.ones(3, dtype=dtype)
        with pytest.raises(ValueError, match="shape"):
            x += xp.ones((2, 3), dtype=dtype)
        assert x.tolist() == [1.0, 1.0, 1.0]
