"""Factories that make native elementwise functions out of tables of kernels, one per data type.

A kernel is a function of tensors of one and the same data type, PyTorch's own where that is right.
A native function looks the kernel up by data type, which is all that happens on the fast path;
operands of different data types, and Python scalars, are cast to the promoted one before.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from types import BuiltinFunctionType
from typing import Any, Final, TypeAlias

import torch

from arrayapi_unify.backends._common.algorithms.out import plain
from arrayapi_unify.backends._common.checks.arguments import UndefinedError
from arrayapi_unify.backends.kernel import FastKernel, Kernel, kernel_of
from arrayapi_unify.backends.torch._core import Operand, fits, scalar
from arrayapi_unify.backends.torch._out import broadcast_shape, filled_by
from arrayapi_unify.backends.torch._unsigned import SIGNED
from arrayapi_unify.backends.torch.dtypes import (
    BEFORE_SCALAR,
    COMPLEX,
    DTYPES,
    FLOATING,
    INTEGERS,
    PROMOTED,
    REAL_FLOATING,
)

Tensor = torch.Tensor
Compute: TypeAlias = Callable[..., Tensor]
Table: TypeAlias = dict[torch.dtype, Compute]
Promote: TypeAlias = Callable[[Any, torch.dtype], tuple[Any, torch.dtype]]

_FLOAT64: Final = torch.float64
_REAL_SCALARS: Final = frozenset({bool, int, float})
_UNSIGNED: Final = frozenset(SIGNED)

# Functions whose results are truth values, and PyTorch's functions that take no `out`.
_QUESTIONS: Final = frozenset({
    "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and",
    "logical_or", "logical_xor", "logical_not", "signbit",
})  # fmt: skip
_WITHOUT_OUT: Final = frozenset({torch.isfinite, torch.isinf, torch.isnan})

# The kernel of what is right as it is. The argument itself would share memory with the result.
identity: Final[Compute] = torch.clone


def _refusing(name: str, dtype: torch.dtype) -> Compute:
    def kernel(*xs: Tensor) -> Tensor:
        raise UndefinedError(f"{name} isn't defined for {dtype}")

    return kernel


def via_float64(f: Compute) -> Compute:
    """Make a kernel for bool and integers of a function that is for floating-point numbers."""
    return lambda *xs: f(*[x.to(torch.float64) for x in xs])


def via_int8(f: Compute) -> Compute:
    """Make a kernel for bool where NumPy computes in int8."""
    return lambda *xs: f(*[x.to(torch.int8) for x in xs])


def _table(name: str, kinds: dict[str, Compute]) -> Table:
    """Assign kernels to data types, by kind and, by their names, one by one.

    `unsigned` means uint16, uint32 and uint64; uint8 is an `integer` like the signed ones. Data
    types that are left out are refused.
    """
    members = {
        "bool": {torch.bool}, "integer": INTEGERS - _UNSIGNED, "unsigned": _UNSIGNED,
        "real": REAL_FLOATING, "complex": COMPLEX,
    }  # fmt: skip
    found = {dtype: _refusing(name, dtype) for dtype in DTYPES.values()}
    for kind in sorted(kinds, key=lambda kind: kind not in members):
        found |= dict.fromkeys(members.get(kind) or [getattr(torch, kind)], kinds[kind])
    return found


def _named(native: Callable[..., Any], name: str) -> Any:
    native.__name__ = native.__qualname__ = name
    native.__doc__ = f"`{name}` of the standard on tensors."
    return native


def unary(name: str, /, **kinds: Compute) -> Callable[[Tensor], Tensor]:
    """Make a native function of one tensor; for the kinds, see `_table`."""
    kernels = _table(name, kinds)

    def native(x: Tensor, /) -> Tensor:
        return kernels[x.dtype](x)

    return _with_out(_named(native, name), kernels, kinds)


def _with_out(
    native: Any, kernels: Table, kinds: Container[str], numbers: Container[torch.dtype] = ()
) -> Any:
    """Give a function `out` if PyTorch has the kernel of its usual data type, and those take `out`.

    `numbers` are the data types beside which kernels take Python scalars, as floats.
    """
    own: Table = {d: f for d, f in kernels.items() if isinstance(f, BuiltinFunctionType)}
    own |= {d: lambda x, out: out.copy_(x) for d, f in own.items() if f is identity}
    usual = own.get(_FLOAT64 if "real" in kinds else torch.int64)
    if usual is None or usual in _WITHOUT_OUT:
        return native

    def call(*xs: Any, out: Tensor) -> None:
        kinds = list(map(type, xs))
        dtype = xs[0].dtype if kinds[0] is Tensor else xs[-1].dtype
        if kinds.count(Tensor) < len(xs):
            # A number that isn't taken has no index.
            taken = _REAL_SCALARS if dtype in numbers else ()
            xs = tuple([float(x) if type(x) in taken else x[...] for x in xs])
        own[dtype](*xs, out=out)

    asks = native.__name__ in _QUESTIONS
    dtypes = {dtype: torch.bool if asks else dtype for dtype in own}
    return filled_by(call, broadcast_shape, dtypes, in_time=True)(native)


def promote_scalar(value: Any, dtype: torch.dtype) -> tuple[Any, torch.dtype]:
    """Weigh a scalar as the promotion rules do."""
    return value, BEFORE_SCALAR[dtype, type(value)]


def as_float(value: Any, dtype: torch.dtype) -> tuple[Any, torch.dtype]:
    """Weigh a scalar where bool and integers are computed in float64: none is out of bounds."""
    target = BEFORE_SCALAR[dtype, type(value)]
    return value, target if target in FLOATING else torch.float64


def as_truth(value: Any, dtype: torch.dtype) -> tuple[Any, torch.dtype]:
    """Weigh a scalar where only its truth counts."""
    return bool(value), dtype


def binary(
    name: str,
    promote: Promote = promote_scalar,
    in_place: Callable[..., Tensor] | None = None,
    scalars: frozenset[type] = frozenset(),
    /,
    **kinds: Compute,
) -> Callable[[Operand, Operand], Tensor]:
    """Make a native function of two operands; for the kinds, see `_table`.

    Where PyTorch's own kernel is right for a real tensor and a Python scalar, that scalar's type
    is in `scalars`: a 0-d tensor needn't be made. Elsewhere `promote` says what the scalar counts
    for beside a data type, and in which one to compute. `in_place` is PyTorch's method that does
    the same as its own kernel.
    """
    kernels = _table(name, kinds)
    own = kernels[_FLOAT64]
    # Truth has every number, also one that no float holds.
    guard_dtype = None if promote is as_truth else _FLOAT64

    def native(x1: Operand, x2: Operand, /) -> Tensor:
        if type(x2) is float or type(x2) is int:
            if x1.dtype is not guard_dtype:  # type: ignore[union-attr]
                return _beside_scalar(kernels, x1, x2, scalars, promote)
            device = x1.device  # type: ignore[union-attr]
            return own(x1, torch.scalar_tensor(float(x2), dtype=_FLOAT64, device=device))
        # For dynamic numbers torch.compile claims a data type.
        if type(x1) is float or type(x1) is int:
            return _beside_scalar(kernels, x1, x2, scalars, promote)
        try:
            dtype = x1.dtype  # type: ignore[union-attr]
            same = dtype is x2.dtype  # type: ignore[union-attr]
        except AttributeError:
            return _beside_scalar(kernels, x1, x2, scalars, promote)
        if same:
            return kernels[dtype](x1, x2)
        return _promoted(kernels, x1, x2)  # type: ignore[arg-type]

    record = Kernel(
        in_place={d: in_place for d, kernel in kernels.items() if in_place and kernel is own}
    )
    numbers = REAL_FLOATING if scalars else ()
    return _with_out(_named(record(native), name), kernels, kinds, numbers)


# The condition of a fast kernel of two operands: tensors of float64, by `argument`.
BOTH_ALIKE: Final = "_type({0}) is _type({1}) and {0}.dtype is {1}.dtype"


def arithmetic(
    name: str, f: Compute, in_place: Compute, promote: Promote = promote_scalar, /, **kinds: Compute
) -> Callable[[Operand, Operand], Tensor]:
    """Make a native function of two operands that PyTorch's `f` may compute before anything else.

    Reading a data type takes a twentieth of the time of an addition of four numbers, so one is
    read afterwards: a result of float64 is right, as nothing that PyTorch promotes to it has
    another result by our table. Other results are, where our table says the same.
    """
    native, kernels = binary(name, promote, in_place, _REAL_SCALARS, **kinds), _table(name, kinds)
    careful = plain(native)

    def fix_up(result: Tensor, x1: Operand, x2: Operand) -> Tensor:
        kernel = kernels[result.dtype]
        right = kernel is f or _agrees(kernel_of(kernel), f, result)
        right = right and _promotes_to(result.dtype, x1, x2)
        return result if right else careful(x1, x2)

    return replace(kernel_of(native), fast_kernel=FastKernel(f, _FLOAT64, fix_up))(native)


def _agrees(kernel: Kernel, f: Callable[..., Tensor], result: Tensor) -> bool:
    """Return True if what PyTorch's `f` returned is what a kernel for its data type returns."""
    return kernel.agrees_with is f and (kernel.agrees_if is None or kernel.agrees_if(result))


def _promotes_to(dtype: torch.dtype, x1: Any, x2: Any) -> bool:
    """Return True if `dtype` is that of our promotion table; PyTorch's values are right then."""
    first = isinstance(x1, Tensor)
    if first and isinstance(x2, Tensor):
        return PROMOTED[x1.dtype, x2.dtype] is dtype
    x, value = (x1, x2) if first else (x2, x1)
    # An integer that doesn't fit would have wrapped around.
    return BEFORE_SCALAR[x.dtype, type(value)] is dtype and fits(value, dtype)


def _promoted(kernels: Table, x1: Tensor, x2: Tensor) -> Tensor:
    dtype = PROMOTED[x1.dtype, x2.dtype]
    return kernels[dtype](x1.to(dtype), x2.to(dtype))


def _beside_scalar(
    kernels: Table, x1: Any, x2: Any, scalars: frozenset[type], promote: Callable[..., Any]
) -> Tensor:
    first = isinstance(x1, Tensor)
    x, value = (x1, x2) if first else (x2, x1)
    dtype = x.dtype
    if dtype in REAL_FLOATING and type(value) in scalars:
        # PyTorch takes no integers beyond 64 bits, Python's float does.
        value = float(value)
        return kernels[dtype](x, value) if first else kernels[dtype](value, x)
    value, target = promote(value, dtype)
    y = scalar(value, target, x.device)
    x = x if dtype is target else x.to(target)
    return kernels[target](x, y) if first else kernels[target](y, x)


def comparison(
    name: str, python: Callable[[Any, Any], bool], /, **kinds: Compute
) -> Callable[[Operand, Operand], Tensor]:
    """Make a native comparison; `python` is the same one of Python numbers.

    It is exact where promotion isn't: between uint64 and signed integers (NumPy's too), and with
    any Python integer.
    """
    kernels = _table(name, kinds)
    own = kernels[_FLOAT64]

    def native(x1: Operand, x2: Operand, /) -> Tensor:
        if type(x2) is float or type(x2) is int:
            if x1.dtype is not _FLOAT64:  # type: ignore[union-attr]
                return _compared_with_scalar(kernels, x1, x2, python)
            # PyTorch is slower with an int, and accepts none beyond 64 bits.
            return own(x1, float(x2))
        if type(x1) is float or type(x1) is int:  # as above
            return _compared_with_scalar(kernels, x1, x2, python)
        try:
            dtype = x1.dtype  # type: ignore[union-attr]
            same = dtype is x2.dtype  # type: ignore[union-attr]
        except AttributeError:
            return _compared_with_scalar(kernels, x1, x2, python)
        if same:
            return kernels[dtype](x1, x2)
        return _compared(kernels, x1, x2, python)  # type: ignore[arg-type]

    fast = FastKernel(own, argument=_FLOAT64, when=BOTH_ALIKE)
    native = Kernel(fast_kernel=fast)(native)
    return _with_out(_named(native, name), kernels, kinds, {_FLOAT64})


def _compared(kernels: Table, x1: Tensor, x2: Tensor, python: Callable[[Any, Any], bool]) -> Tensor:
    dtype = PROMOTED[x1.dtype, x2.dtype]
    if dtype is torch.float64 and x1.dtype in INTEGERS and x2.dtype in INTEGERS:
        # One is uint64, the other signed. Whatever int64 can't hold is above all it can.
        large = (x1 if x1.dtype is torch.uint64 else x2).view(torch.int64) < 0
        above = python(1, 0) if x1.dtype is torch.uint64 else python(0, 1)
        first = x1.view(torch.int64) if x1.dtype is torch.uint64 else x1.to(torch.int64)
        second = x2.view(torch.int64) if x2.dtype is torch.uint64 else x2.to(torch.int64)
        within = kernels[torch.int64](first, second)
        return within | large if above else within & ~large
    return kernels[dtype](x1.to(dtype), x2.to(dtype))


def _compared_with_scalar(
    kernels: Table, x1: Any, x2: Any, python: Callable[[Any, Any], bool]
) -> Tensor:
    first = isinstance(x1, Tensor)
    x, value = (x1, x2) if first else (x2, x1)
    if type(value) is int and x.dtype in INTEGERS and not fits(value, x.dtype):
        # The same answer for all elements, since all lie on one side.
        answer = python(0, value) if first else python(value, 0)
        return torch.full(x.shape, answer, dtype=torch.bool, device=x.device)
    target = BEFORE_SCALAR[x.dtype, type(value)]
    y = scalar(value, target, x.device)
    x = x if x.dtype is target else x.to(target)
    return kernels[target](x, y) if first else kernels[target](y, x)
