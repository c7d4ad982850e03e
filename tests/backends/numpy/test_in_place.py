"""Unary functions into their own argument, with elements any distance apart."""

from __future__ import annotations

import numpy as np

import arrayapi_unify as unify
from tests.tables import each

FUNCTIONS = [
    "abs", "bitwise_invert", "ceil", "floor", "negative", "positive", "sign", "square", "trunc",
]  # fmt: skip


@each("function", FUNCTIONS)
def test_into_itself(function: str) -> None:
    """NumPy's own negative is wrong for elements that are 16 or 64 bytes apart."""
    xp, compute = unify.numpy, getattr(unify.numpy, function)
    for dtype in ("int8", "int32", "int64", "float32", "float64"):
        if function == "bitwise_invert" and dtype.startswith("float"):
            continue
        for step in (1, 2, 4, 8, -1, -4):
            values = np.arange(1, 65).reshape(2, 32).astype(dtype)
            expected = np.asarray(compute(xp.asarray(values[:, ::step], copy=True)))
            x = xp.asarray(values)[:, ::step]
            compute(x, out=x)
            np.testing.assert_array_equal(np.asarray(x), expected, err_msg=f"{dtype} {step}")


def test_negative_of_real_parts() -> None:
    values = np.arange(1, 9).astype("complex64")
    x = unify.real(unify.numpy.asarray(values))[::2]
    unify.negative(x, out=x)
    assert x.tolist() == [-1.0, -3.0, -5.0, -7.0]
