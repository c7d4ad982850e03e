"""Derivatives by a parameter in front: an undefined element adds nothing, the others what they add.

Each elementwise function of one or two arrays is differentiated by w at `f(w * x)` and `f(w + x)`,
at kinks, poles, edges of domains and infinities, once and twice, backward and forward. The oracle
is the difference quotient of NumPy's or SciPy's function at each element that has one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from operator import attrgetter
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from tests.differential.oracle import ORACLES
from tests.differential.test_kinks import FUNCTIONS
from tests.functional.differentiating import DIFFERENTIATING

NDArray = npt.NDArray[Any]

_SPECIAL: Final = tuple(
    f"special.{name}"
    for name in (
        "digamma",
        "entr",
        "erf",
        "erfinv",
        "expit",
        "gammaln",
        "log_ndtr",
        "logit",
        "ndtr",
        "ndtri",
    )
)
_HARD: Final = np.array(
    [0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, np.inf, -np.inf, np.nan, 800, -800, 40, -40]
)
_PAIRS: Final = tuple(np.array(list(product(_HARD, _HARD))).T)
# NumPy's steps have no derivative, and PyTorch's is the other one (`kinks.py`).
_NO_SLOPES: Final = frozenset({"nextafter"})
# Of real numbers zeros, which depend on nothing.
_CONSTANT: Final = frozenset({"imag"})
_STEP: Final = 1e-6
_STEEP: Final = 1e4


def _points(name: str) -> tuple[NDArray, ...]:
    try:
        ORACLES[name](_HARD[:1])
    except TypeError:
        return _PAIRS
    return (_HARD,)


def _slopes(name: str, points: tuple[NDArray, ...], place: int) -> tuple[NDArray, NDArray]:
    """Return the smaller and the larger one of the slopes on both sides of each point."""
    here = np.asarray(ORACLES[name](*points))
    sides = []
    for step in (-_STEP, _STEP):
        moved = [x + step if i == place else x for i, x in enumerate(points)]
        sides.append((np.asarray(ORACLES[name](*moved)) - here) / step)
    return np.minimum(*sides), np.maximum(*sides)


def _by_w(
    name: str, backend: str, points: tuple[NDArray, ...], place: int, join: Callable[..., Any]
) -> Callable[[Any], Any]:
    """Return the sum of the function as a function of a parameter in front of one argument."""
    xp: Any = namespace_of(backend)
    function, arrays = attrgetter(name)(xp), [xp.asarray(x) for x in points]

    def total(w: Any) -> Any:
        given = [join(w, x) if i == place else x for i, x in enumerate(arrays)]
        return xp.sum(function(*given))

    return total


@pytest.mark.sample(2)
@pytest.mark.parametrize("backend", DIFFERENTIATING)
@pytest.mark.parametrize("name", [n for n in (*FUNCTIONS, *_SPECIAL) if n not in _CONSTANT])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, of what is NaN or infinite
def test_elements_add_what_they_add(name: str, backend: str) -> None:
    points = _points(name)
    xp: Any = namespace_of(backend)
    for place, x in enumerate(points):
        alone = _by_w(name, backend, points, place, lambda v, x: v)
        own = np.asarray(unify.grad(alone)(xp.asarray(x)))
        assert np.isfinite(own).all()
        low, high = _slopes(name, points, place)
        known = (np.abs(low) < _STEEP) & (np.abs(high) < _STEEP) & (name not in _NO_SLOPES)
        room = 1e-3 * np.maximum(1, np.abs(own))
        assert (known <= ((low - room <= own) & (own <= high + room))).all()
        finite = np.isfinite(x)
        scaled = np.where(finite, x, 0) * own  # infinity times w has no derivative by w
        for join, start, parts in (
            (lambda w, x: w * x, 1.0, scaled),
            (lambda w, x: w + x, 0.0, own),
        ):
            total = _by_w(name, backend, points, place, join)
            w = xp.asarray(start)
            found = [unify.grad(total)(w), unify.jvp(total, (w,), (w * 0 + 1,))[1]]
            room = 1e-9 * (1 + np.abs(parts).sum())
            np.testing.assert_allclose([float(f) for f in found], parts.sum(), atol=room)
            assert np.isfinite(float(unify.grad(unify.grad(total))(w)))


def _table(xp: Any) -> dict[str, tuple[Callable[[Any], Any], float]]:
    """Return sums by a parameter w, with their derivatives at w = 1 by the formula."""

    def of(values: Any) -> Any:
        return xp.asarray(np.asarray(values, dtype=float))

    rows, zero = of([[0, 0], [3, 4]]), of([0, 4])
    logistic = sum(1 / (1 - p) for p in (0.1, 0.2))
    return {
        "sqrt": (lambda w: xp.sqrt(w * zero), 1.0),
        "log": (lambda w: xp.log(w * of([-1, 0, 2])), 2.0),
        "std": (lambda w: xp.std(w * of([[1, 1], [1, 3]]), axis=1), 1.0),
        "hypot": (lambda w: xp.hypot(w * of([0, 3]), w * of([0, 4])), 5.0),
        "where": (lambda w: xp.where(of([0, 3]) > 0, xp.log(w * of([0, 3])), 0.0), 1.0),
        "divide": (lambda w: w / zero, 0.25),
        "x/x": (lambda w: (w * zero) / (w * zero), 0.0),
        "multiply": (lambda w: w * of([np.inf, np.nan, 2]), 2.0),
        "vector_norm": (lambda w: xp.linalg.vector_norm(w * rows, axis=1), 5.0),
        "matrix_norm": (lambda w: xp.linalg.matrix_norm(w * rows[:, None, :]), 5.0),
        "l2_normalize": (lambda w: xp.l2_normalize(w * rows, axis=1), 0.0),
        "logsumexp": (lambda w: xp.logsumexp(w * rows + of([[-np.inf], [0]]), axis=1),
                      (3 * np.exp(3) + 4 * np.exp(4)) / (np.exp(3) + np.exp(4))),
        "power": (lambda w: (w * zero) ** 0.5, 1.0),
        "exp": (lambda w: xp.exp(w * of([800, 1])), np.e),
        "logit": (lambda w: xp.special.logit(w * of([0, 0.1, 0.2])), logistic),
        "layer_norm": (lambda w: xp.layer_norm(w * of([[0, 0], [1, 1]]), [1]), 0.0),
        "complex abs": (lambda w: xp.abs(w * xp.asarray([0j, 3 + 4j])), 5.0),
        "complex log": (lambda w: xp.real(xp.log(w * xp.asarray([0j, 3 + 4j]))), 1.0),
        "prod": (lambda w: xp.prod(w * of([[0, 0, 1], [0, 1, 2], [1, 2, 3]]), axis=1), 18.0),
    }  # fmt: skip


_NAMES: Final = tuple(_table(namespace_of("numpy")))
_WAYS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "grad": lambda f, w: unify.grad(f)(w),
    "jac": lambda f, w: unify.jac(f)(w),
    "vjp": lambda f, w: unify.vjp(f, w)[1](w)[0],
    "jvp": lambda f, w: unify.jvp(f, (w,), (w,))[1],
    "checkpoint": lambda f, w: unify.grad(unify.checkpoint(f))(w),
    "vmap": lambda f, w: unify.vmap(unify.grad(f))(unify.stack([w, w]))[1],
    "through vmap": lambda f, w: unify.grad(lambda w: unify.vmap(f)(unify.stack([w]))[0])(w),
}
_COMPILED: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "compiled": lambda f, w: unify.compile(unify.grad(f))(w),
    "through compiled": lambda f, w: unify.grad(unify.compile(f))(w),
}


def _check(name: str, way: Callable[[Any, Any], Any], backend: str) -> None:
    xp: Any = namespace_of(backend)
    function, expected = _table(xp)[name]
    found = float(way(lambda w: xp.sum(function(w)), xp.asarray(1.0)))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("backend", DIFFERENTIATING)
class TestWays:
    @pytest.mark.sample(2)
    @pytest.mark.parametrize("way", _WAYS)
    @pytest.mark.parametrize("name", _NAMES)
    def test_by_w(self, name: str, way: str, backend: str) -> None:
        _check(name, _WAYS[way], backend)

    @pytest.mark.slow
    @pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")  # of inductor itself
    @pytest.mark.parametrize("way", _COMPILED)
    @pytest.mark.parametrize("name", [n for n in _NAMES if not n.startswith("complex")])
    def test_compiled(self, name: str, way: str, backend: str) -> None:
        _check(name, _COMPILED[way], backend)

    @pytest.mark.parametrize("way", ["grad", "jvp"])
    def test_loops_and_branches(self, way: str, backend: str) -> None:
        xp: Any = namespace_of(backend)
        x = xp.asarray([0.0, 4.0, 9.0])

        def total(w: Any) -> Any:
            found, _ = unify.scan(lambda c, row: (c + xp.sqrt(w * row), row), w * 0, x)
            chosen = unify.cond(found > 0, lambda v: xp.sum(xp.sqrt(v * x)), lambda v: v, w)
            return found + chosen

        assert abs(float(_WAYS[way](total, xp.asarray(1.0))) - 5) < 1e-12

    def test_equal_points(self, backend: str) -> None:
        xp: Any = namespace_of(backend)
        points = xp.asarray([[0.0, 0], [0, 0], [3, 4]])
        found = unify.grad(lambda p: xp.sum(xp.linalg.vector_norm(p[:, None] - p[None], axis=-1)))(
            points
        )
        expected = [[-1.2, -1.6], [-1.2, -1.6], [2.4, 3.2]]
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12)

    def test_overflow_stays(self, backend: str) -> None:
        """Both factors are finite: the derivative is too large, and not undefined."""
        xp: Any = namespace_of(backend)
        found = unify.grad(lambda w: w * 1e200 * 1e200)(xp.asarray(1.0))
        assert float(found) == np.inf

    @pytest.mark.parametrize("name", ["sqrt", "log", "std", "divide", "hypot"])
    def test_twice(self, name: str, backend: str) -> None:
        xp: Any = namespace_of(backend)
        function, _ = _table(xp)[name]
        expected = {"sqrt": -0.5, "log": -2.0}.get(name, 0.0)
        total = unify.hessian(lambda w: xp.sum(function(w)))
        np.testing.assert_allclose(float(total(xp.asarray(1.0))), expected, atol=1e-12)
