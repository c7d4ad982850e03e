"""The function of B25, written with each framework's own functions, and with both mixed."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import arrayapi_unify as unify

__all__ = ["affine", "diagonal", "mixed", "native", "pure"]

Function = Callable[..., Any]


def pure(x: Any) -> Any:
    y = unify.mean(x)
    z = unify.sum(x)
    f = unify.var(y)
    k = unify.cos(z)
    m = unify.sin(f)
    o = unify.tan(y)
    return unify.stack([k, m, o], axis=-1)


def _own(backend: str) -> dict[str, Function]:
    """Return the framework's own functions, by the names of ours."""
    module: Any = importlib.import_module("jax.numpy" if backend == "jax" else backend)
    if backend == "tensorflow":
        return {
            "mean": module.reduce_mean, "sum": module.reduce_sum,
            "var": module.math.reduce_variance, "cos": module.cos, "sin": module.sin,
            "tan": module.tan, "stack": lambda xs: module.stack(xs, axis=-1),
            "diag": module.linalg.diag, "matmul": module.matmul, "multiply": module.multiply,
            "add": module.add,
        }  # fmt: skip
    names = ("mean", "sum", "cos", "sin", "tan", "diag", "matmul", "multiply", "add")
    found = {name: getattr(module, name) for name in names}
    found["var"] = module.var
    found["stack"] = lambda xs: module.stack(xs, axis=-1)
    if backend == "torch":
        found["var"] = lambda x: module.var(x, correction=0)
        found["stack"] = lambda xs: module.stack(xs, dim=-1)
    return found


def native(backend: str) -> Function:
    """Return the function of native arrays."""
    own = _own(backend)

    def function(x: Any) -> Any:
        y, z = own["mean"](x), own["sum"](x)
        f = own["var"](y)
        k, m, o = own["cos"](z), own["sin"](f), own["tan"](y)
        return own["stack"]([k, m, o])

    return function


def mixed(backend: str) -> Function:
    """Return the function of Arrays that uses both."""
    own = _own(backend)

    def function(x: Any) -> Any:
        y = own["mean"](x.data)
        z = x.sum()
        f = unify.var(y)
        k = own["cos"](z.data)
        m = unify.sin(f)
        o = own["tan"](y)
        return unify.stack([k, m, o], axis=-1)

    return function


def affine(backend: str) -> Function:
    """Return `w * x + b` by the framework's functions."""
    own = _own(backend)
    return lambda w, x, b: own["add"](own["multiply"](w, x), b)


def diagonal(backend: str) -> Function:
    """Return `matmul(diag(x), y)` by the framework's functions."""
    own = _own(backend)
    return lambda x, y: own["matmul"](own["diag"](x), y)
