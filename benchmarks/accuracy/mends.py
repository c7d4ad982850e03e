"""`python -m benchmarks.accuracy.mends`: the time of the mends of `left`, at a million elements."""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from benchmarks.accuracy.left import LEFT
from benchmarks.accuracy.libraries import MODULES, ONE_THREAD, conversions

__all__ = ["mend_of", "ratio"]

SIZE: Final = 1_000_000


def _arguments(name: str, dtype: str, size: int) -> list[Any]:
    rng = np.random.default_rng(0)
    first, second = rng.uniform(0.1, 0.9, size), rng.uniform(0.1, 3, size)
    return [x.astype(dtype) for x in ([first, second] if name in ("atan2", "pow") else [first])]


def _arctangent(namespace: Any) -> Callable[..., Any]:
    return lambda x: namespace.asin(x / namespace.sqrt(1 + x * x))


def _angle(namespace: Any) -> Callable[..., Any]:
    def found(y: Any, x: Any) -> Any:
        angle = namespace.asin(y / namespace.sqrt(x * x + y * y))
        return namespace.where(x < 0, namespace.sign(y) * np.pi - angle, angle)

    return found


def _tangent(namespace: Any) -> Callable[..., Any]:
    expm1 = getattr(namespace, "expm1", None) or namespace.math.expm1

    def found(x: Any) -> Any:
        e = expm1(-2 * namespace.abs(x))
        return -namespace.sign(x) * e / (e + 2)

    return found


_FORMULAS: Final = {"atan": _arctangent, "atan2": _angle, "tanh": _tangent}


def mend_of(name: str, dtype: str, library: str) -> tuple[Any, Any] | None:
    """Return the library's function and what would mend it; None if there is no such formula."""
    namespace = importlib.import_module(MODULES.get(library, library))
    own = getattr(namespace, name, None) or getattr(namespace.math, name)
    if dtype == "float32":
        cast = getattr(namespace, "cast", None) or namespace.astype

        def mend(*xs: Any) -> Any:
            return cast(own(*(cast(x, "float64") for x in xs)), "float32")
    elif name in _FORMULAS:
        mend = _FORMULAS[name](namespace)
    else:
        return None
    if library == "jax":
        jit = importlib.import_module("jax").jit
        return jit(own), jit(mend)
    return own, mend


def _least(function: Callable[..., Any], arguments: list[Any], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        np.asarray(function(*arguments))
        times.append(time.process_time() - begin)
    return min(times)


def ratio(name: str, dtype: str, library: str, size: int = SIZE, repeats: int = 40) -> float | None:
    """Return the time of the mend as a multiple of that of the library's function."""
    importlib.import_module("arrayapi_unify").get_backend(library)  # JAX gets 64 bits
    both = mend_of(name, dtype, library)
    if both is None:
        return None
    to_native = conversions(library)[0]
    arguments = [to_native(x) for x in _arguments(name, dtype, size)]
    own, mend = (_least(function, arguments, repeats) for function in both)
    return mend / own


if __name__ == "__main__":
    os.environ |= ONE_THREAD
    for key, (words, noted) in LEFT.items():
        found = ratio(*key)
        print(*key, words, noted, "now", "none" if found is None else f"{found:.2g}", sep=" | ")
