"""PyTorch's own functions for ours, and ours for its: what a graph calls, and how it is named."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Final

import torch
from torch.fx.operator_schemas import normalize_function

from arrayapi_unify.backends._common.algorithms.equivalents import NativeCall, without_unset
from arrayapi_unify.backends._common.algorithms.graph_values import Portable, Ref, map_values
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

# PyTorch's own functions, which give what ours give for real floating-point tensors.
_FLOATING: Final[dict[str, Callable[..., Any]]] = {
    name: getattr(torch, name)
    for name in (
        "exp", "log", "log1p", "log2", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan",
        "tanh", "asinh", "acosh", "atanh", "reciprocal", "negative", "square", "abs",
    )
}  # fmt: skip
# For two tensors of one real floating-point data type.
_BINARY: Final[dict[str, Callable[..., Any]]] = {
    "add": torch.add, "subtract": torch.sub, "multiply": torch.mul, "divide": torch.div,
    "atan2": torch.atan2, "hypot": torch.hypot, "logaddexp": torch.logaddexp,
    "copysign": torch.copysign, "maximum": torch.maximum, "minimum": torch.minimum,
    "less": torch.lt, "less_equal": torch.le, "greater": torch.gt, "greater_equal": torch.ge,
    "equal": torch.eq, "not_equal": torch.ne,
}  # fmt: skip
_WITH_SCALARS: Final = frozenset({
    "add", "subtract", "multiply", "divide", "less", "less_equal", "greater", "greater_equal",
    "equal", "not_equal",
})  # fmt: skip


def is_real(x: Any) -> bool:
    return getattr(x, "dtype", None) in REAL_FLOATING


def is_exact(x: Any, value: Any) -> bool:
    """Return True if PyTorch takes a scalar as we do: with float64 tensors, below 2**53."""
    return type(value) in (int, float) and abs(value) < 2**53 and x.dtype is torch.float64


def _two(name: str, x1: Any, x2: Any) -> NativeCall | None:
    function = _BINARY[name]
    if is_real(x1) and is_real(x2) and x1.dtype is x2.dtype:
        return function, (x1, x2), {}
    if name not in _WITH_SCALARS:
        return None
    if is_real(x1) and is_exact(x1, x2):
        return function, (x1, x2), {}
    if is_real(x2) and is_exact(x2, x1):
        if name in ("add", "multiply"):
            return function, (x2, x1), {}
        if name == "divide":
            return operator.truediv, (x1, x2), {}
        return _REFLECTED[name], (x2, x1), {}
    return None


_REFLECTED: Final[dict[str, Callable[..., Any]]] = {
    "subtract": torch.rsub, "less": torch.gt, "less_equal": torch.ge,
    "greater": torch.lt, "greater_equal": torch.le, "equal": torch.eq, "not_equal": torch.ne,
}  # fmt: skip


def _reduced(function: Callable[..., Any]) -> Callable[..., NativeCall | None]:
    def find(
        x: Any, /, *, axis: Any = None, keepdims: bool = False, dtype: Any = None
    ) -> NativeCall | None:
        if not is_real(x) or dtype is not None or (axis is not None and not x.ndim):
            return None
        if axis is None and not keepdims:
            return function, (x,), {}
        if axis is None or axis == () or 0 in x.shape:
            return None
        return function, (x, axis), {"keepdim": True} if keepdims else {}

    return find


def _spread(function: Callable[..., Any]) -> Callable[..., NativeCall | None]:
    def find(
        x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False
    ) -> NativeCall | None:
        axes = range(x.ndim) if axis is None else axis if type(axis) is tuple else (axis,)
        if not is_real(x) or axis == () or (axis is not None and not x.ndim):
            return None
        count = math.prod([x.shape[a] for a in axes])
        if count <= correction or correction != int(correction) or 0 in x.shape:
            return None
        kwargs: dict[str, Any] = {"correction": int(correction)}
        return function, (x,), kwargs | without_unset(dim=axis, keepdim=keepdims)

    return find


def _alike(arrays: Any) -> bool:
    return len({getattr(x, "dtype", None) for x in arrays}) == 1 and all(map(is_real, arrays))


def _concat(arrays: Any, /, *, axis: int | None = 0) -> NativeCall | None:
    if axis is None or not _alike(arrays):
        return None
    return torch.cat, (list(arrays),), {} if axis == 0 else {"dim": axis}


def _stack(arrays: Any, /, *, axis: int = 0) -> NativeCall | None:
    return (torch.stack, (list(arrays),), {} if axis == 0 else {"dim": axis}) \
        if _alike(arrays) else None  # fmt: skip


def _matmul(x1: Any, x2: Any, /) -> NativeCall | None:
    alike = is_real(x1) and is_real(x2) and x1.dtype is x2.dtype and x1.ndim and x2.ndim
    return (torch.matmul, (x1, x2), {}) if alike else None


def _where(condition: Any, x1: Any, x2: Any, /) -> NativeCall | None:
    boolean = getattr(condition, "dtype", None) is torch.bool
    alike = boolean and is_real(x1) and is_real(x2) and x1.dtype is x2.dtype
    return (torch.where, (condition, x1, x2), {}) if alike else None


def _reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> NativeCall | None:
    return (torch.reshape, (x, shape), {}) if copy is None and type(shape) is tuple else None


def _get_item(x: Any, key: Any, /) -> NativeCall | None:
    parts = key if type(key) is tuple else (key,)
    forward = all(
        type(p) is int or p is None or p is Ellipsis or (type(p) is slice and p.step is None)
        for p in parts
    )
    values = x.ndim and all(type(p) is int for p in parts) and len(parts) >= x.ndim
    return (operator.getitem, (x, key), {}) if forward and not values else None


def _diag(x: Any, /, *, k: int = 0) -> NativeCall | None:
    return (torch.diag, (x, k) if k else (x,), {}) if x.ndim == 1 else None


_EQUIVALENTS: Final[dict[str, Callable[..., NativeCall | None]]] = {
    "sum": _reduced(torch.sum),
    "mean": _reduced(torch.mean),
    "var": _spread(torch.var),
    "std": _spread(torch.std),
    "concat": _concat,
    "stack": _stack,
    "matmul": _matmul,
    "where": _where,
    "reshape": _reshape,
    "permute_dims": lambda x, /, axes: (torch.permute, (x, axes), {}),
    "get_item": _get_item,
    "diag": _diag,
}


def equivalent(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> NativeCall | None:
    """Return PyTorch's own function for a call of ours, where it gives the same in each call.

    What differs may be decided by data types and shapes, which a graph fixes; never by values.
    """
    if name in _FLOATING:
        right = not kwargs and is_real(args[0])
        return (_FLOATING[name], args, kwargs) if right else None
    if name in _BINARY:
        return _two(name, *args) if not kwargs else None
    find = _EQUIVALENTS.get(name)
    return find(*args, **kwargs) if find else None


_NAMES: Final[dict[str, str]] = {
    "sub": "subtract", "mul": "multiply", "div": "divide", "true_divide": "divide", "lt": "less",
    "truediv": "divide", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
    "eq": "equal", "ne": "not_equal", "neg": "negative", "cat": "concat",
    "concatenate": "concat", "concat": "concat", "permute": "permute_dims", "mm": "matmul",
    "getitem": "get_item", "setitem": "set_item", "rsub": "subtract", "arcsin": "asin",
    "arccos": "acos", "arctan": "atan", "absolute": "abs", "amax": "max", "amin": "min",
}  # fmt: skip


def name_of(target: Any) -> str:
    """Return the name of a function: that of ours, where there is one of the same meaning."""
    name = getattr(target, "__name__", "") or type(target).__name__
    written = name.endswith("_") and not name.startswith("__")
    name = name.strip("_")
    return _NAMES.get(name, name) + ("_" if written else "")


_AS_OURS: Final[dict[Any, str]] = {
    **{own: name for name, own in (*_FLOATING.items(), *_BINARY.items())},
    torch.cat: "concat", torch.stack: "stack", torch.matmul: "matmul", torch.reshape: "reshape",
    torch.where: "where", operator.getitem: "get_item", torch.pow: "pow",
}  # fmt: skip
_SIMPLE: Final = {torch.sum: "sum", torch.mean: "mean"}


def portable(target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Portable | None:
    """Return the call of our function that means the same, if there is one."""
    name = _AS_OURS.get(target)
    if name is not None and not kwargs.keys() - {"dim"}:
        return Portable(name, args, {"axis": kwargs["dim"]} if kwargs else {})
    name = _SIMPLE.get(target)
    if name is None or len(args) > 2 or kwargs.keys() - {"dim", "keepdim"}:
        return None
    named = {"axis": args[1]} if len(args) == 2 else {}
    named |= {{"dim": "axis", "keepdim": "keepdims"}[key]: v for key, v in kwargs.items()}
    return Portable(name, args[:1], named)


def normalize_call(
    target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments in one form, whichever way they were given."""
    examples = map_values((args, kwargs), lambda v: _EXAMPLE if type(v) is Ref else v)
    types: Any = tuple(map(type, examples[0]))
    known = {key: type(value) for key, value in examples[1].items()}
    found: Any = None
    try:
        found = normalize_function(target, args, kwargs, types, known)
    except Exception:  # what PyTorch has no schema of stays as it was given
        found = None
    if found is None:
        return args, kwargs
    named = {key: _axes(key, value) for key, value in found.kwargs.items()}
    return found.args, {
        key: named[key]
        for key in sorted(named)
        if named[key] is not None and named[key] is not False
    }


_EXAMPLE: Final = torch.zeros(())


def _axes(name: str, value: Any) -> Any:
    """Return axes as a tuple, whichever overload took them."""
    if name == "dim" and type(value) is int:
        return (value,)
    return tuple(value) if name == "dim" and isinstance(value, list | tuple) else value
