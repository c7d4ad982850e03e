"""Steps of optimizers for all arrays of a nest at once, and for one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import arrayapi_unify as unify
import arrayapi_unify.torch as xp
from arrayapi_unify import Container, optimizers, schedules
from arrayapi_unify.backends.torch.nn import _steps
from tests.conftest import Logged

SHAPES = {"w": (3, 2), "b": (2,), "scale": (), "empty": (0, 2)}
SAME = {
    "sgd": (lambda: optimizers.SGD(0.1), lambda p: torch.optim.SGD(p, lr=0.1)),
    "momentum": (
        lambda: optimizers.SGD(0.1, momentum=0.8),
        lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.8),
    ),
    "nesterov": (
        lambda: optimizers.SGD(0.1, momentum=0.8, nesterov=True),
        lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.8, nesterov=True),
    ),
    "adam": (
        lambda: optimizers.Adam(0.1, beta1=0.8, epsilon=1e-6),
        lambda p: torch.optim.Adam(p, lr=0.1, betas=(0.8, 0.999), eps=1e-6),
    ),
    "adamw": (
        lambda: optimizers.AdamW(0.1, weight_decay=0.3),
        lambda p: torch.optim.AdamW(p, lr=0.1, weight_decay=0.3),
    ),
    "scheduled": (
        lambda: optimizers.AdamW(schedules.Constant(0.1), weight_decay=0.3),
        lambda p: torch.optim.AdamW(p, lr=0.1, weight_decay=0.3),
    ),
}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the steps that have been made for whole nests."""
    names: list[str] = []

    def noted(name: str, step: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **options: Any) -> Any:
            names.append(name)
            return step(*args, **options)

        return run

    monkeypatch.setattr(_steps, "STEPS", {k: noted(k, f) for k, f in _steps.STEPS.items()})
    return names


def random_nest(dtype: str, seed: int) -> Any:
    random = np.random.default_rng(seed)
    return Container({k: xp.asarray(random.normal(size=s), dtype=dtype) for k, s in SHAPES.items()})


@pytest.mark.parametrize("name", SAME)
@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-14), ("float32", 1e-5)])
def test_are_pytorchs(name: str, dtype: str, tolerance: float, made: list[str]) -> None:
    ours, v = SAME[name][0](), random_nest(dtype, 0)
    theirs = [x.data.clone().requires_grad_() for x in v.values()]
    optimizer = SAME[name][1](theirs)
    for seed in range(1, 6):
        grads = random_nest(dtype, seed)
        kept = [x.data.clone() for x in (*v.values(), *grads.values())]
        given = [*v.values(), *grads.values()]
        for x, g in zip(theirs, grads.values(), strict=True):
            x.grad = g.data.clone()
        optimizer.step()
        v = ours.step(v, grads)
        for x, y in zip(v.values(), theirs, strict=True):
            assert x.dtype is getattr(unify, dtype)
            assert not x.data.requires_grad
            np.testing.assert_allclose(
                np.asarray(x), y.detach().numpy(), rtol=tolerance, atol=tolerance
            )
        assert all(torch.equal(x.data, y) for x, y in zip(given, kept, strict=True))
    assert len(made) == 5


@pytest.mark.parametrize("name", ["gradient_descent_update", "optimizer_update"])
def test_descent(name: str, made: list[str]) -> None:
    v, grads = random_nest("float64", 0), random_nest("float64", 1)
    found = getattr(unify, name)(v, grads, 0.5)
    assert made == [f"nn.{name}"]
    for key, x in found.items():
        np.testing.assert_array_equal(x, np.asarray(v[key]) - 0.5 * np.asarray(grads[key]))


def adam(w: Any, g: Any, **options: Any) -> Any:
    return unify.adam_update(w, g, 0.1, g, g, 2, **options)


one, two = np.asarray([1.0, 2.0]), np.asarray([0.5, 4.0])
x, g = xp.asarray(one), xp.asarray(two)
OTHERS: dict[str, tuple[Callable[[], Any], str]] = {
    "data types": (lambda: adam([x, xp.astype(x, xp.float32)], [g, g])[0][0], "float64"),
    "an option that is an array": (lambda: adam(x, g, beta1=xp.asarray(0.9))[0], "float64"),
    "a reduced data type": (
        lambda: adam(xp.astype(x, unify.bfloat16), xp.astype(g, unify.bfloat16))[0],
        "bfloat16",
    ),
    "a mask": (
        lambda: unify.adamw_update([x], [g], 0.1, [g], [g], 2, decay_lambda=[0.0])[0][0],
        "float64",
    ),
    "native arrays": (lambda: adam(x.data, g.data)[0], "float64"),
    "numbers as the state": (lambda: unify.adam_update(x, g, 0.1, 0.0, 0.0, 1)[0], "float64"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_others_are_stepped_one_by_one(name: str, made: list[str]) -> None:
    make, dtype = OTHERS[name]
    found = make()
    assert not made
    assert found.dtype.name == dtype
    g = 0.0 if name == "numbers as the state" else two
    step = 1 if name == "numbers as the state" else 2
    m, v = 0.9 * g + 0.1 * two, 0.999 * g + 0.001 * two * two
    wanted = one - 0.1 * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    tolerance = 1e-14 if dtype == "float64" else 1e-2
    np.testing.assert_allclose(np.asarray(unify.astype(found, "float64")), wanted, rtol=tolerance)


def test_derivatives_through_a_step(made: list[str]) -> None:
    w, g, v = xp.asarray(one), xp.asarray(two), xp.asarray([1.0, 0.25])

    def moved(w: Any, lr: Any, g: Any) -> Any:
        new = unify.momentum_update([w], [g], lr, [v], momentum=0.5, stop_gradients=False)[0][0]
        return unify.sum(new)

    by_w, by_lr, by_g = unify.grad(moved, argnums=(0, 1, 2))(w, xp.asarray(0.1), g)
    np.testing.assert_allclose(by_w, [1.0, 1.0])
    np.testing.assert_allclose(by_lr, -np.sum(0.5 * np.asarray(v) + two))
    np.testing.assert_allclose(by_g, [-0.1, -0.1])
    assert not made


def test_many_optimizers_at_once(made: list[str]) -> None:
    rates = xp.asarray([0.1, 0.2])
    found = unify.vmap(lambda lr: unify.gradient_descent_update(x, g, lr))(rates)
    np.testing.assert_allclose(found, one - np.asarray(rates)[:, None] * two)
    assert not made


def test_shapes_that_differ(made: list[str]) -> None:
    found = unify.gradient_descent_update([xp.zeros((2, 2))], [g], 1.0)[0]
    assert found.tolist() == [[-0.5, -4.0]] * 2
    assert not made


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")
def test_pytorch_compiles_around_a_step_without_a_break(logged: Logged) -> None:
    """In the first call of a step with a derivative, PyTorch compiles what lies between graphs."""
    adam, v = optimizers.Adam(xp.asarray(0.1)), random_nest("float64", 0)

    def update(v: Any, state: Any) -> Any:
        grads = unify.grad(lambda v: sum(unify.sum(x * x) for x in v.values()))(v)
        return adam.stateless_step(v, grads, state)

    made, state = unify.compile(update), adam.init(v)
    for _ in range(2):
        wanted, kept = update(v, state)
        v, state = made(v, state)
        for x, y in zip(v.values(), wanted.values(), strict=True):
            np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=1e-14)
        assert int(state["step"]) == int(kept["step"])
    assert [message for message in logged.messages if "Graph break" in message] == []
