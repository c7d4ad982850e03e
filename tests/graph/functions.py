"""Twenty functions of Arrays, and the shapes of their arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import arrayapi_unify as unify

__all__ = ["FUNCTIONS", "arguments"]


def _eye(x: Any) -> Any:
    return x.__array_namespace__().eye(3)


def _net(x: Any, w: Any) -> Any:
    xp = x.__array_namespace__()
    hidden = xp.tanh(xp.matmul(x, w) + 0.5)
    scores = xp.matmul(hidden, w)
    shifted = scores - xp.max(scores, axis=-1, keepdims=True)
    chances = xp.exp(shifted)
    return chances / xp.sum(chances, axis=-1, keepdims=True)


def _written(x: Any, w: Any) -> Any:
    z = x.__array_namespace__().zeros((2, 3))
    z[0] = x[1]
    row = z[1]
    row += w[0]
    z *= 2.0
    return z + x


def _spectrum(x: Any, w: Any) -> Any:
    return unify.abs(unify.fft.fft(x, axis=-1)) + x.__array_namespace__().fft.fftfreq(3)


def _solved(x: Any, w: Any) -> Any:
    return unify.linalg.solve(w + 4.0 * _eye(x), unify.matrix_transpose(x))


def _chosen(x: Any, w: Any) -> Any:
    return unify.where(x > 0.2, x, -x)[:, ::-1]


def _decomposed(x: Any, w: Any) -> Any:
    q, r = unify.linalg.qr(w + 4.0 * _eye(x))
    return {"product": q @ r, "determinant": unify.linalg.det(w)}


def _sorted(x: Any, w: Any) -> Any:
    return unify.sort(x, axis=-1), unify.argsort(x[0])


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "arithmetic": lambda x, w: (2.0 - x) / (x * x + 1.0) - x,
    "elementary": lambda x, w: unify.sin(x) + unify.exp(unify.cos(x)) * unify.log1p(unify.abs(x)),
    "means": lambda x, w: unify.mean(x, axis=0) + unify.var(x) + unify.std(x, correction=1),
    "sums": lambda x, w: unify.sum(x, axis=1, keepdims=True) + unify.max(x) - unify.prod(x),
    "cumulative": lambda x, w: unify.cumulative_sum(x, axis=1),
    "matmul": lambda x, w: x @ w,
    "einsum": lambda x, w: unify.einsum("ij,jk->ik", x, w),
    "solve": _solved,
    "decomposition": _decomposed,
    "inverse": lambda x, w: unify.linalg.inv(w + 4.0 * _eye(x)),
    "norms": lambda x, w: unify.linalg.vector_norm(x, axis=-1) + unify.linalg.matrix_norm(w),
    "spectrum": _spectrum,
    "real spectrum": lambda x, w: unify.fft.irfft(unify.fft.rfft(x), n=3),
    "indexing": lambda x, w: x[0, :2] + x[-1, 1:] * x[1, 0],
    "integer indices": lambda x, w: unify.take(x, x.__array_namespace__().asarray([2, 0]), axis=1),
    "choice": _chosen,
    "sorted": _sorted,
    "joined": lambda x, w: unify.concat([x, unify.stack([w[0], w[1]])], axis=0).reshape((-1, 2)),
    "writes": _written,
    "net": _net,
}


def arguments() -> tuple[Any, Any]:
    """Return values for the arguments: a (2, 3) and a (3, 3) array."""
    draw = np.random.default_rng(7)
    return draw.normal(size=(2, 3)), draw.normal(size=(3, 3))
