"""NumPy's own functions for ours, and ours for NumPy's: what a graph calls, and how it is named."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from arrayapi_unify.backends._common.algorithms.equivalents import NativeCall, without_unset
from arrayapi_unify.backends._common.algorithms.graph_values import Portable
from arrayapi_unify.backends.kernel import kernel_of
from arrayapi_unify.backends.numpy import elementwise

# NumPy's functions that compute as ours do for floating-point arrays, by the names of ours.
_FLOATING: Final = {
    "exp": np.exp, "log": np.log, "log2": np.log2, "log10": np.log10, "sqrt": np.sqrt,
    "sin": np.sin, "cos": np.cos, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "asinh": np.arcsinh, "acosh": np.arccosh,
    "atanh": np.arctanh, "logaddexp": np.logaddexp, "atan2": np.arctan2, "hypot": np.hypot,
    "copysign": np.copysign, "nextafter": np.nextafter,
}  # fmt: skip
_REAL: Final = {
    "tan": np.tan, "tanh": np.tanh, "expm1": np.expm1, "log1p": np.log1p,
    "reciprocal": np.reciprocal,
}  # fmt: skip
FAST_CALLS: Final = {
    name: fast_call
    for name, native in vars(elementwise).items()
    for fast_call in (kernel_of(native).fast_call,)
    if isinstance(fast_call, np.ufunc)
}
_UFUNCS: Final[dict[str, Any]] = {**_FLOATING, **_REAL, **FAST_CALLS}


def _reduced(function: Callable[..., Any], kinds: str) -> Callable[..., NativeCall | None]:
    def find(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> NativeCall | None:
        if x.dtype.kind not in kinds or 0 in x.shape or (axis is not None and not x.ndim):
            return None
        return function, (x,), without_unset(axis=axis, keepdims=keepdims)

    return find


def _sum(
    x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False
) -> NativeCall | None:
    return _reduced(np.sum, "f")(x, axis=axis, keepdims=keepdims) if dtype is None else None


def _prod(
    x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False
) -> NativeCall | None:
    return _reduced(np.prod, "f")(x, axis=axis, keepdims=keepdims) if dtype is None else None


def _spread(function: Callable[..., Any]) -> Callable[..., NativeCall | None]:
    def find(
        x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False
    ) -> NativeCall | None:
        found = _reduced(function, "f")(x, axis=axis, keepdims=keepdims)
        if found is None or correction:
            return None
        return found

    return find


def _joined(function: Callable[..., Any]) -> Callable[..., NativeCall]:
    def find(arrays: Any, /, *, axis: int | None = 0) -> NativeCall:
        return function, (list(arrays),), {} if axis == 0 else {"axis": axis}

    return find


def _reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> NativeCall | None:
    return (np.reshape, (x, shape), {}) if copy is None and type(shape) is tuple else None


_EQUIVALENTS: Final[dict[str, Callable[..., NativeCall | None]]] = {
    "sum": _sum,
    "prod": _prod,
    "mean": _reduced(np.mean, "f"),
    "max": _reduced(np.max, "fiu"),
    "min": _reduced(np.min, "fiu"),
    "var": _spread(np.var),
    "std": _spread(np.std),
    "concat": _joined(np.concatenate),
    "stack": _joined(np.stack),
    "reshape": _reshape,
    "permute_dims": lambda x, /, axes: (np.transpose, (x, axes), {}),
    "matrix_transpose": lambda x, /: (np.swapaxes, (x, -2, -1), {}),
    "get_item": lambda x, key, /: (operator.getitem, (x, key), {}),
    "matmul": lambda x1, x2, /: (
        (np.matmul, (x1, x2), {}) if _are_floats(x1, x2) and _span(x1, x2) else None
    ),
    "where": lambda c, a, b, /: (np.where, (c, a, b), {}) if _are_floats(a, b) else None,
    "diag": lambda x, /, *, k=0: (np.diag, (x,), {"k": k} if k else {}) if x.ndim == 1 else None,
}


def _span(x1: Any, x2: Any) -> bool:
    return bool(x1.ndim and x2.ndim)


def _are_floats(*xs: Any) -> bool:
    return all(getattr(getattr(x, "dtype", None), "kind", "") == "f" for x in xs)


def equivalent(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> NativeCall | None:
    """Return NumPy's own function for a call of ours, where it gives the same in each call.

    What differs may be decided by data types and shapes, which a graph fixes; never by values.
    """
    if name in FAST_CALLS:
        return (FAST_CALLS[name], args, kwargs) if not kwargs else None
    ufunc = _FLOATING.get(name) or _REAL.get(name)
    if ufunc is not None:
        kinds = "f" if name in _REAL else "fc"
        exact = all(getattr(getattr(x, "dtype", None), "kind", "f") in kinds for x in args)
        return (ufunc, args, kwargs) if exact and not kwargs else None
    find = _EQUIVALENTS.get(name)
    return find(*args, **kwargs) if find else None


_NAMES: Final[dict[Any, str]] = {
    **{ufunc: name for name, ufunc in reversed(_UFUNCS.items())},
    np.concatenate: "concat", np.transpose: "permute_dims", operator.getitem: "get_item",
    operator.setitem: "set_item", np.max: "max", np.min: "min", np.power: "pow",
    np.floor_divide: "floor_divide", np.conjugate: "conj", np.rint: "round", np.sign: "sign",
    np.logical_and: "logical_and", np.logical_or: "logical_or", np.logical_xor: "logical_xor",
}  # fmt: skip


def name_of(target: Any) -> str:
    """Return the name of a function: that of ours, where there is one of the same meaning."""
    found = _NAMES.get(target)
    if found is None:
        found = getattr(target, "__name__", "") or type(target).__name__
        owner = getattr(target, "__self__", None)
        if isinstance(owner, np.ufunc):
            found = f"{_NAMES.get(owner, owner.__name__)}.{found}"
    return found


_AS_OURS: Final = {
    **{ufunc: name for name, ufunc in _UFUNCS.items()},
    np.power: "pow", np.concatenate: "concat", np.stack: "stack", np.matmul: "matmul",
    np.reshape: "reshape", operator.getitem: "get_item", np.where: "where",
}  # fmt: skip
_SIMPLE: Final = {np.sum: "sum", np.mean: "mean", np.max: "max", np.min: "min", np.prod: "prod"}


def portable(target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Portable | None:
    """Return the call of our function that means the same, if there is one."""
    name = _AS_OURS.get(target)
    if name is not None and not kwargs:
        return Portable(name, args, kwargs)
    name = name or _SIMPLE.get(target)
    simple = name is not None and len(args) == 1 and kwargs.keys() <= {"axis", "keepdims"}
    return Portable(name, args, kwargs) if simple and name else None


@functools.cache
def _parameters(target: Any) -> tuple[str, ...] | None:
    try:
        parameters = inspect.signature(target).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        return None
    return tuple([p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD])


@functools.cache
def _defaults(target: Any) -> dict[str, Any]:
    parameters = inspect.signature(target).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def normalize_call(
    target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments in one form, whichever way they were given."""
    names = None if isinstance(target, np.ufunc) else _parameters(target)
    if names is None or len(args) > len(names):
        return args, kwargs
    given = dict(zip(names, args, strict=False)) | kwargs
    defaults = _defaults(target)
    kept = {n: v for n, v in given.items() if not (n in defaults and v is defaults[n])}
    kept = {n: list(v) if target in _JOINING and n in _JOINED else v for n, v in kept.items()}
    return (), {n: kept[n] for n in sorted(kept)}


_JOINING: Final = frozenset({np.concatenate, np.stack, np.vstack, np.hstack})
_JOINED: Final = frozenset({"arrays", "tup"})
