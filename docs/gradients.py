"""Derivatives on any backend: a fit, a rule of one's own, a Hessian, and many rows at once.

`python -m docs.gradients` prints what each backend computes, NumPy by way of another one.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import arrayapi_unify as unify
from arrayapi_unify import backends

__all__ = ["curvature", "fit", "rows", "run", "with_rule"]


def data(xp: ModuleType) -> tuple[Any, Any]:
    """Return places, and the values of a parabola there."""
    x = xp.linspace(-1.0, 1.0, 9)
    return x, 2.0 - x + 3.0 * x**2


def cost(v: Any, x: Any, y: Any) -> Any:
    """Return the mean squared error of a parabola."""
    return unify.mean((v.a + v.b * x + v.c * x**2 - y) ** 2)


def fit(xp: ModuleType, via: str | None = None) -> Any:
    """Fit a parabola by a hundred steps of Adam."""
    x, y = data(xp)
    v = unify.Container(a=xp.zeros(()), b=xp.zeros(()), c=xp.zeros(()))
    m, s = 0.0, 0.0
    slope = unify.grad(cost, via=via)
    for step in range(1, 101):
        v, m, s = unify.nn.adam_update(v, slope(v, x, y), 0.3, m, s, step)
    return v


def softplus(x: Any) -> Any:
    """Compute what overflows where it is differentiated."""
    return unify.log1p(unify.exp(x))


def rule(given: Any, upstream: Any) -> Any:
    """Return the derivative that it has in fact: 1 / (1 + exp(-x))."""
    x, _ = given
    return upstream / (1.0 + unify.exp(-x))


def with_rule(xp: ModuleType, via: str | None = None) -> Any:
    """Differentiate a function by a rule of its own."""
    stable = unify.bind_custom_gradient_function(softplus, rule)
    return unify.grad(lambda x: unify.sum(stable(x) ** 2), via=via)(xp.asarray([-1.0, 0.5, 20.0]))


def curvature(xp: ModuleType, via: str | None = None) -> Any:
    """Return the Hessian of Rosenbrock's function at its minimum."""

    def rosenbrock(x: Any) -> Any:
        return 100.0 * (x[1] - x[0] ** 2) ** 2 + (1.0 - x[0]) ** 2

    return unify.hessian(rosenbrock, via=via)(xp.asarray([1.0, 1.0]))


def rows(xp: ModuleType, via: str | None = None) -> Any:
    """Return the derivative of the cost for each point separately."""
    x, y = data(xp)
    v = unify.Container(a=xp.asarray(1.0), b=xp.asarray(0.0), c=xp.asarray(2.0))
    each = unify.vmap(unify.grad(cost), in_axes=(None, 0, 0), via=via)
    return each(v, x, y)


def run(backend: str, via: str | None = None) -> dict[str, Any]:
    """Compute all of it on a backend."""
    xp = unify.get_backend(backend)
    return {f.__name__: f(xp, via) for f in (fit, with_rule, curvature, rows)}


if __name__ == "__main__":
    # torch before tensorflow: loaded the other way round in one process they don't get along.
    for name in backends.names():
        print(name, run(name, via="torch" if name == "numpy" else None))
