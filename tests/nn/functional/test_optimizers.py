"""Optimizer steps compared with those of PyTorch and the published formulas."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Container
from arrayapi_unify.errors import BackendError, UnifyTypeError, UnifyValueError

STEPS = 12
START = np.asarray([[0.5, -1.5, 2.0], [0.25, 3.0, -0.125]])


def slope(w: Any, step: int) -> Any:
    """The derivative at each step."""
    return 0.3 * w**3 - w + 0.1 * step


def by_torch(make: Callable[[Any], Any]) -> list[Any]:
    """Return the weights after each step of an optimizer of PyTorch."""
    torch = pytest.importorskip("torch")
    w = torch.tensor(START, requires_grad=True)
    optimizer, found = make([w]), []
    for step in range(1, STEPS + 1):
        w.grad = slope(w.detach(), step)
        optimizer.step()
        found.append(w.detach().numpy().copy())
    return found


def check(xp: ModuleType, update: Callable[..., tuple[Any, ...]], wanted: list[Any]) -> None:
    """Compare each step: `update(w, derivative, state, number)` returns weights and state."""
    w, state = xp.asarray(START), (0.0, 0.0)
    for step, expected in enumerate(wanted, 1):
        w, *state = update(w, slope(w, step), state, step)
        assert w.dtype is unify.float64
        np.testing.assert_allclose(np.asarray(w), expected, rtol=1e-12, atol=1e-13)


class TestGradientDescentUpdate:
    def test_beside_torch(self, xp: ModuleType) -> None:
        torch = pytest.importorskip("torch")
        wanted = by_torch(lambda ws: torch.optim.SGD(ws, lr=0.05))
        check(xp, lambda w, g, s, t: (unify.gradient_descent_update(w, g, 0.05),), wanted)


class TestOptimizerUpdate:
    def test_value(self, xp: ModuleType) -> None:
        found = unify.optimizer_update(xp.asarray(START), xp.asarray(START + 1), 0.25)
        np.testing.assert_array_equal(np.asarray(found), START - 0.25 * (START + 1))

    def test_an_array_as_rate(self, xp: ModuleType) -> None:
        found = unify.optimizer_update(xp.asarray(START), xp.asarray(START), xp.asarray(0.5))
        np.testing.assert_array_equal(np.asarray(found), START / 2)


class TestMomentumUpdate:
    @pytest.mark.parametrize("nesterov", [False, True])
    def test_beside_torch(self, xp: ModuleType, nesterov: bool) -> None:
        torch = pytest.importorskip("torch")
        wanted = by_torch(lambda ws: torch.optim.SGD(ws, lr=0.05, momentum=0.8, nesterov=nesterov))
        check(
            xp,
            lambda w, g, s, t: unify.momentum_update(
                w, g, 0.05, s[0], momentum=0.8, nesterov=nesterov
            ),
            wanted,
        )


class TestAdamUpdate:
    @pytest.mark.parametrize("options", [{}, {"beta1": 0.7, "beta2": 0.9, "epsilon": 1e-3}])
    def test_beside_torch(self, xp: ModuleType, options: dict[str, float]) -> None:
        torch = pytest.importorskip("torch")
        betas = (options.get("beta1", 0.9), options.get("beta2", 0.999))
        wanted = by_torch(
            lambda ws: torch.optim.Adam(ws, lr=0.05, betas=betas, eps=options.get("epsilon", 1e-8))
        )
        check(xp, lambda w, g, s, t: unify.adam_update(w, g, 0.05, *s, t, **options), wanted)

    def test_steps_are_counted_from_one(self, xp: ModuleType) -> None:
        w = xp.ones(2)
        with pytest.raises(UnifyValueError, match="step"):
            unify.adam_update(w, w, 0.1, 0.0, 0.0, 0)


class TestAdamwUpdate:
    @pytest.mark.parametrize("decay", [0.01, 0.3])
    def test_beside_torch(self, xp: ModuleType, decay: float) -> None:
        torch = pytest.importorskip("torch")
        wanted = by_torch(lambda ws: torch.optim.AdamW(ws, lr=0.05, weight_decay=decay))
        check(
            xp,
            lambda w, g, s, t: unify.adamw_update(w, g, 0.05, *s, t, decay_lambda=decay),
            wanted,
        )


class TestLambUpdate:
    @pytest.mark.parametrize(("decay", "largest"), [(0.0, 10.0), (0.2, 10.0), (0.0, 1.25)])
    def test_beside_the_paper(self, xp: ModuleType, decay: float, largest: float) -> None:
        """arXiv:1904.00962, Algorithm 2, written out in NumPy."""
        w, m, v, wanted = START.copy(), 0.0, 0.0, []
        for t in range(1, STEPS + 1):
            g = slope(w, t)
            m = 0.9 * m + (1 - 0.9) * g
            v = 0.999 * v + (1 - 0.999) * g**2
            r = (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-6)
            u = r + decay * w
            ratio = min(np.linalg.norm(w.ravel()) / np.linalg.norm(u.ravel()), largest)
            w = w - 0.05 * ratio * u
            wanted.append(w.copy())
        check(
            xp,
            lambda w, g, s, t: unify.lamb_update(
                w, g, 0.05, *s, t, decay_lambda=decay, max_trust_ratio=largest
            ),
            wanted,
        )

    def test_norms_of_zero(self, xp: ModuleType) -> None:
        zero, one = xp.zeros(2), xp.ones(2)
        moved = unify.lamb_update(zero, one, 0.5, 0.0, 0.0, 1, epsilon=0.0)[0]
        assert moved.tolist() == pytest.approx([-0.5, -0.5], rel=1e-12)
        assert unify.lamb_update(one, zero, 0.5, 0.0, 0.0, 1)[0].tolist() == [1.0, 1.0]


UPDATES: dict[str, Callable[[Any, Any], Any]] = {
    "gradient_descent_update": lambda w, g: (unify.gradient_descent_update(w, g, 0.1),),
    "optimizer_update": lambda w, g: (unify.optimizer_update(w, g, 0.1),),
    "momentum_update": lambda w, g: unify.momentum_update(w, g, 0.1, g),
    "adam_update": lambda w, g: unify.adam_update(w, g, 0.1, g, g, 3),
    "adamw_update": lambda w, g: unify.adamw_update(w, g, 0.1, g, g, 3),
    "lamb_update": lambda w, g: unify.lamb_update(w, g, 0.1, g, g, 3),
}


@pytest.mark.parametrize("name", UPDATES)
class TestAll:
    def test_nests_leaf_by_leaf(self, xp: ModuleType, name: str) -> None:
        a, b = xp.asarray([1.0, 2.0]), xp.asarray([[3.0]])
        whole = UPDATES[name](Container(a=a, b={"c": b}), Container(a=a + 1, b={"c": b + 1}))
        listed = UPDATES[name]([a, (b.data,)], [a + 1, (b + 1,)])
        of_a, of_b = UPDATES[name](a, a + 1), UPDATES[name](b, b + 1)
        for part, nest, first, second in zip(whole, listed, of_a, of_b, strict=True):
            assert isinstance(part, Container)
            assert isinstance(nest[1], tuple)
            for one, wanted in ((part.a, first), (part.b.c, second), (nest[0], first)):
                assert one.tolist() == wanted.tolist()
            assert nest[1][0].tolist() == second.tolist()

    def test_inputs_stay(self, xp: ModuleType, name: str) -> None:
        w, g = xp.asarray([1.0, 2.0]), xp.asarray([0.5, 0.25])
        UPDATES[name](w, g)
        assert (w.tolist(), g.tolist()) == ([1.0, 2.0], [0.5, 0.25])

    def test_the_data_type_stays(self, xp: ModuleType, name: str) -> None:
        w = xp.asarray([1.0, 2.0], dtype=xp.float32)
        assert {x.dtype for x in UPDATES[name](w, w)} == {xp.float32}

    def test_other_structures_are_refused(self, xp: ModuleType, name: str) -> None:
        w = xp.ones(2)
        with pytest.raises(UnifyValueError, match=rf"{name}.*structure"):
            UPDATES[name]([w, w], [w])
        with pytest.raises(UnifyTypeError, match="no array"):
            UPDATES[name]([], [])
        with pytest.raises(UnifyTypeError, match="holds a str"):
            UPDATES[name]([w, "a"], [w, "a"])

    def test_other_backends_are_refused(self, xp: ModuleType, name: str) -> None:
        torch = pytest.importorskip("torch")
        if xp.ones(1).backend != "torch":
            with pytest.raises(BackendError, match="to_backend"):
                UPDATES[name](xp.ones(2), torch.ones(2))
        else:
            with pytest.raises(BackendError, match="to_backend"):
                UPDATES[name](xp.ones(2), unify.get_backend("numpy").ones(2))


def test_results_are_detached() -> None:
    """B37: untracked results."""
    torch = pytest.importorskip("torch")
    w = torch.ones(2, requires_grad=True)
    for name, update in UPDATES.items():
        assert not any(x.data.requires_grad for x in update(w, w)), name
    assert unify.gradient_descent_update(w, w, 0.1, stop_gradients=False).data.requires_grad
