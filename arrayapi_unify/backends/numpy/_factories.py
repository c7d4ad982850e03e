"""Factories that make native elementwise functions from NumPy's ufuncs.

Each returns a function with the contract's parameters and `out`, into which it writes itself. Its
`fast_call` is the bare ufunc or computation where calling it with the positional arguments is right
for every data type of the standard, which saves a Python frame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from arrayapi_unify.backends.kernel import FastKernel, Kernel, writes_out
from arrayapi_unify.backends.numpy._core import NDArray, Operand, returns_array
from arrayapi_unify.backends.numpy._out import broadcast_shape, check_shape, filled_by, store, truth


def _finish(
    native: Callable[..., NDArray], name: str, fast_call: Callable[..., NDArray] | None = None,
    fast_kernel: FastKernel | None = None,
) -> Any:  # fmt: skip
    """Name a native function that takes `out`, and give it what binding reads."""
    return writes_out(_named(native, name, fast_call, fast_kernel))


def _named(
    native: Callable[..., NDArray], name: str, fast_call: Callable[..., NDArray] | None,
    fast_kernel: FastKernel | None = None,
) -> Any:  # fmt: skip
    native.__name__ = native.__qualname__ = name
    native.__doc__ = f"`{name}` of the standard on NumPy arrays."
    return returns_array(Kernel(fast_call=fast_call, fast_kernel=fast_kernel)(native))


def unary(ufunc: np.ufunc, name: str = "") -> Any:
    """Make a native function of a ufunc that is right for every data type as it is."""
    name = name or ufunc.__name__

    def native(x: NDArray, /, *, out: NDArray | None = None) -> NDArray:
        if out is None:
            return ufunc(x)
        check_shape(name, out, x.shape)
        return ufunc(x, out=out, casting="safe")

    return _finish(native, name, ufunc)


def binary(ufunc: np.ufunc, name: str = "") -> Any:
    """Make a native function of a ufunc that is right for every data type as it is."""
    name = name or ufunc.__name__

    def native(x1: Operand, x2: Operand, /, *, out: NDArray | None = None) -> NDArray:
        if out is None:
            return ufunc(x1, x2)
        # If the first operand has the shape of `out`, the result has it too, or NumPy raises.
        if out.shape != getattr(x1, "shape", None):
            check_shape(name, out, np.broadcast(x1, x2).shape)
        return ufunc(x1, x2, out=out, casting="safe")

    return _finish(native, name, ufunc)


def logical(ufunc: np.ufunc) -> Any:
    """Make a native function of operands that count by their truth, however large an integer is."""

    def compute(x1: Operand, x2: Operand) -> NDArray:
        try:
            result: NDArray = ufunc(x1, x2)
        except OverflowError:
            result = ufunc(*(bool(x) if isinstance(x, int) else x for x in (x1, x2)))
        return result

    native = computed_binary(compute, ufunc.__name__)
    return filled_by(ufunc, truth, broadcast_shape)(native)


def floating_unary(
    ufunc: np.ufunc, name: str = "", on_complex: Callable[[NDArray], NDArray] | None = None
) -> Any:
    """Make a native function of a ufunc that is floating-point only in the standard.

    Of bool and integers NumPy would give float16 or float32, by their size; here it is float64.
    `on_complex` replaces the ufunc for complex arrays.
    """
    name = name or ufunc.__name__
    complex_function: Callable[[NDArray], NDArray] = on_complex or ufunc

    def native(x: NDArray, /, *, out: NDArray | None = None) -> NDArray:
        kind = x.dtype.kind
        if out is None:
            result: NDArray
            if kind == "f":
                result = ufunc(x)
            elif kind == "c":
                result = complex_function(x)
            else:
                result = ufunc(x, dtype=np.float64)
            return result
        check_shape(name, out, x.shape)
        if kind == "c" and on_complex is not None:
            return store(name, on_complex(x), out)
        return ufunc(x, out=out, dtype=None if kind in "fc" else np.float64, casting="safe")

    fast = FastKernel(ufunc, argument=np.dtype(np.float64))
    return _finish(native, name, fast_kernel=fast)


def _all_exact(x1: Operand, x2: Operand) -> bool:
    """Return True if every array among the operands is bool or integer; "V" is bfloat16."""
    try:
        return x1.dtype.kind not in "fcV" and x2.dtype.kind not in "fcV"  # type: ignore[union-attr]
    except AttributeError:  # a Python scalar, which does not decide
        array = x2 if isinstance(x2, np.ndarray) else cast(NDArray, x1)
        return array.dtype.kind not in "fcV"


def floating_binary(ufunc: np.ufunc, name: str = "") -> Any:
    """Make a native function of a ufunc that is floating-point only in the standard.

    Where no array is floating-point, the result is float64 (see `floating_unary`).
    """
    name = name or ufunc.__name__

    def native(x1: Operand, x2: Operand, /, *, out: NDArray | None = None) -> NDArray:
        dtype = np.float64 if _all_exact(x1, x2) else None
        if out is None:
            return ufunc(x1, x2, dtype=dtype)
        check_shape(name, out, np.broadcast(x1, x2).shape)
        return ufunc(x1, x2, out=out, dtype=dtype, casting="safe")

    return _finish(native, name)


def identity_except(kinds: str, ufunc: np.ufunc, name: str) -> Any:
    """Make a native function that copies its argument, except for dtypes of these kinds."""

    def native(x: NDArray, /, *, out: NDArray | None = None) -> NDArray:
        if x.dtype.kind not in kinds:
            return x.copy() if out is None else store(name, x, out)
        if out is None:
            return ufunc(x)
        check_shape(name, out, x.shape)
        return ufunc(x, out=out, casting="safe")

    return _finish(native, name)


def computed_unary(compute: Callable[[NDArray], NDArray], name: str) -> Any:
    """Make a native function of a computation that can't write into `out` itself."""

    def native(x: NDArray, /) -> NDArray:
        return compute(x)

    return _named(native, name, compute)


def computed_binary(
    compute: Callable[[Operand, Operand], NDArray], name: str, fast: FastKernel | None = None
) -> Any:
    """Make a native function of a computation that can't write into `out` itself."""

    def native(x1: Operand, x2: Operand, /) -> NDArray:
        return compute(x1, x2)

    return _named(native, name, compute, fast)
