"""Reductions by length and condition, and the backward errors of decompositions."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator
from typing import Any, Final

import mpmath
import numpy as np

from benchmarks.accuracy.drawn import both, results

__all__ = ["decompositions", "reductions"]

_KINDS: Final[dict[str, Callable[..., Any]]] = {
    "positive": lambda rng, n: rng.uniform(0.5, 1.5, n),
    "both signs": lambda rng, n: rng.normal(size=n),
    "mean of 1000 deviations": lambda rng, n: rng.normal(size=n) + 1000,
}
LENGTHS: Final = (100, 10_000, 1_000_000)
ORDERS: Final = (10, 100)


def _variance(x: Any) -> float:
    mean = math.fsum(x) / len(x)
    squares = math.fsum((x.astype(np.longdouble) - mean) ** 2) / len(x)
    return squares - (math.fsum(x.astype(np.longdouble) - mean) / len(x)) ** 2


_REDUCTIONS: Final[dict[str, tuple[Callable[[Any], Any], dict[str, str]]]] = {
    "sum": (math.fsum, {"tensorflow": "reduce_sum"}),
    "mean": (lambda x: math.fsum(x) / len(x), {"tensorflow": "reduce_mean"}),
    "var": (_variance, {"tensorflow": "math.reduce_variance"}),
    "prod": (lambda x: mpmath.fprod(map(mpmath.mpf, x.tolist())), {"tensorflow": "reduce_prod"}),
    "vector_norm": (
        lambda x: mpmath.sqrt(math.fsum(x.astype(np.longdouble) ** 2)),
        {"numpy": "linalg.vector_norm", "torch": "linalg.vector_norm", "tensorflow": "norm",
         "jax": "linalg.vector_norm"},
    ),
}  # fmt: skip
_MODULES: Final = {"jax": "jax.numpy"}


def _found(library: str, path: str) -> Any:
    found: Any = importlib.import_module(_MODULES.get(library, library))
    for part in path.split("."):
        found = getattr(found, part, None)
    return found


def reductions(lengths: tuple[int, ...] = LENGTHS) -> Iterator[dict[str, Any]]:
    """Yield the error of each reduction in epsilons of the true value."""
    for name, (exact, spelled) in _REDUCTIONS.items():
        for kind, draw in _KINDS.items():
            for length in lengths:
                if name == "prod" and (kind != "positive" or length > LENGTHS[1]):
                    continue  # others overflow
                yield from _reduced(
                    name, exact, spelled, kind, draw(np.random.default_rng(length), length)
                )


def _reduced(
    name: str, exact: Callable[[Any], Any], spelled: dict[str, str], kind: str, drawn: Any
) -> Iterator[dict[str, Any]]:
    scale = 1 / math.exp(np.mean(np.log(drawn))) if name == "prod" else 1.0

    def functions(library: str) -> dict[str, Any]:
        xp = importlib.import_module("arrayapi_unify").get_backend(library)
        ours = getattr(xp.linalg if name == "vector_norm" else xp, name)
        bare = _found(library, spelled.get(library, name))
        if (library, name) == ("torch", "var"):
            return both(library, ours, lambda x: bare(x, correction=0))
        return both(library, ours, bare)

    for dtype in ("float32", "float64"):
        x = (drawn * scale).astype(dtype)
        with mpmath.workdps(40):
            truth = mpmath.mpf(exact(x.astype(np.float64)))
            for who, result in results(functions, [x]):
                error = abs(mpmath.mpf(float(result)) - truth) / abs(truth)
                yield {
                    "function": name, "domain": f"{kind}, {len(x):,} elements", "dtype": dtype,
                    **who, "max": float(error) / float(np.finfo(dtype).eps),
                }  # fmt: skip


def _norm(x: Any) -> float:
    return float(np.linalg.norm(x))


def _t(x: Any) -> Any:
    return np.swapaxes(x, -1, -2)


_BACKWARD: Final[dict[str, Callable[..., float]]] = {
    "cholesky": lambda a, c: _norm(a - c @ _t(c)) / _norm(a),
    "eigh": lambda a, w, v: _norm(a - (v * w) @ _t(v)) / _norm(a),
    "expm": lambda a, e: _norm(e - _expm(a)) / _norm(_expm(a)),
    "inv": lambda a, i: _norm(a @ i - np.eye(len(a))) / (_norm(a) * _norm(i)),
    "lu": lambda a, p, low, up: _norm(a - p @ low @ up) / _norm(a),
    "qr": lambda a, q, r: _norm(a - q @ r) / _norm(a),
    "solve": lambda a, b, x: _norm(a @ x - b) / (_norm(a) * _norm(x)),
    "svd": lambda a, u, s, v: _norm(a - (u[:, : len(s)] * s) @ v[: len(s)]) / _norm(a),
}
_SCIPY: Final = {"expm": "scipy.linalg", "lu": "scipy.linalg"}


def _expm(a: Any) -> Any:
    with mpmath.workdps(30):
        return np.asarray(mpmath.expm(mpmath.matrix(a.tolist())).tolist(), dtype=np.float64)


def _bare(library: str, name: str) -> Any:
    if name == "expm" and library in ("torch", "tensorflow"):
        return _found(library, "linalg.matrix_exp" if library == "torch" else "linalg.expm")
    if name in _SCIPY and library in ("numpy", "jax"):
        module = "jax.scipy.linalg" if library == "jax" else "scipy.linalg"
        return getattr(importlib.import_module(module), name)
    if (library, name) == ("tensorflow", "svd"):
        return _svd_of_tensorflow
    if (library, name) == ("tensorflow", "lu"):
        return None  # packed, with a permutation as indices
    return _found(library, f"linalg.{name}")


def _svd_of_tensorflow(x: Any) -> Any:
    tf = importlib.import_module("tensorflow")
    s, u, v = tf.linalg.svd(x, full_matrices=True)
    return u, s, tf.transpose(v)


def _matrix(rng: np.random.Generator, name: str, n: int, condition: float) -> Any:
    q, _ = np.linalg.qr(rng.normal(size=(n, n)))
    p, _ = np.linalg.qr(rng.normal(size=(n, n)))
    p = q if name in ("cholesky", "eigh") else p
    a = (q * np.geomspace(1, 1 / condition, n)) @ p.T
    return (a + a.T) / 2 if name in ("cholesky", "eigh") else a


def decompositions(orders: tuple[int, ...] = ORDERS) -> Iterator[dict[str, Any]]:
    """Yield the backward error of each decomposition, in epsilons; of expm the forward one."""
    for name in _BACKWARD:
        for n in orders:
            if name == "expm" and n > ORDERS[0]:
                continue
            for condition in (10.0, 1e5):
                yield from _decomposed(name, n, condition)


def _decomposed(name: str, n: int, condition: float) -> Iterator[dict[str, Any]]:
    rng = np.random.default_rng(n)
    matrix = _matrix(rng, name, n, condition)

    def functions(library: str) -> dict[str, Any]:
        xp = importlib.import_module("arrayapi_unify").get_backend(library)
        return both(library, getattr(xp.linalg, name), _bare(library, name))

    for dtype in ("float32", "float64"):
        arguments = [matrix.astype(dtype)]
        if name == "solve":
            arguments.append(rng.normal(size=(n, 3)).astype(dtype))
        doubles = [x.astype(np.float64) for x in arguments]
        for who, result in results(functions, arguments):
            parts = result if isinstance(result, list) else [result]
            error = _BACKWARD[name](*doubles, *(part.astype(np.float64) for part in parts))
            yield {
                "function": name, "domain": f"order {n}, condition {condition:g}", "dtype": dtype,
                **who, "max": error / float(np.finfo(dtype).eps),
            }  # fmt: skip
