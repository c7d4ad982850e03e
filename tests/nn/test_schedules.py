"""Schedules compared with PyTorch's at each step, as numbers, as arrays, and in optimizers."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import optimizers
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from arrayapi_unify.schedules import (
    Constant,
    CosineDecay,
    ExponentialDecay,
    Join,
    Linear,
    OneCycle,
    Piecewise,
    Schedule,
)
from tests.installed import INSTALLED

STEPS = 24
# Ours, and what makes PyTorch's of its module of schedulers and an optimizer of rate 0.5.
PAIRS: dict[str, tuple[Schedule, Callable[[Any, Any], Any]]] = {
    "constant": (Constant(0.5), lambda m, o: m.LambdaLR(o, lambda step: 1.0)),
    "warm-up": (
        Linear(0.05, 0.5, 10),
        lambda m, o: m.LinearLR(o, start_factor=0.1, end_factor=1.0, total_iters=10),
    ),
    "exponential": (ExponentialDecay(0.5, 1, 0.9), lambda m, o: m.ExponentialLR(o, gamma=0.9)),
    "staircase": (
        ExponentialDecay(0.5, 7, 0.1, staircase=True),
        lambda m, o: m.StepLR(o, step_size=7, gamma=0.1),
    ),
    "cosine": (
        CosineDecay(0.5, STEPS, end=0.125),
        lambda m, o: m.CosineAnnealingLR(o, T_max=STEPS, eta_min=0.125),
    ),
    "piecewise": (
        Piecewise([5, 11], [0.5, 0.05, 0.005]),
        lambda m, o: m.MultiStepLR(o, milestones=[5, 11], gamma=0.1),
    ),
    "one cycle": (
        OneCycle(0.5, STEPS),
        lambda m, o: m.OneCycleLR(o, max_lr=0.5, total_steps=STEPS),
    ),
    "one cycle of others": (
        OneCycle(0.5, STEPS, warmup=0.5, start_divisor=10.0, end_divisor=100.0),
        lambda m, o: m.OneCycleLR(
            o, max_lr=0.5, total_steps=STEPS, pct_start=0.5, div_factor=10.0,
            final_div_factor=100.0,
        ),
    ),
    "warm-up and cosine": (
        Join([Linear(0.125, 0.5, 6), CosineDecay(0.5, STEPS - 6)], [6]),
        lambda m, o: m.SequentialLR(
            o,
            [
                m.LinearLR(o, start_factor=0.25, end_factor=1.0, total_iters=6),
                m.CosineAnnealingLR(o, T_max=STEPS - 6),
            ],
            milestones=[6],
        ),
    ),
}  # fmt: skip
ONE = pytest.mark.parametrize("name", PAIRS)


def by_torch(make: Callable[[Any, Any], Any]) -> list[float]:
    """Return the rate of each step."""
    torch = pytest.importorskip("torch")
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.5)
    scheduler, found = make(torch.optim.lr_scheduler, optimizer), []
    for _ in range(STEPS):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return found


@ONE
@pytest.mark.filterwarnings("ignore:The epoch parameter in `scheduler.step")  # of SequentialLR
def test_numbers_are_pytorchs(name: str) -> None:
    ours, make = PAIRS[name]
    rates = [ours(step) for step in range(STEPS)]
    assert {type(rate) for rate in rates} == {float}
    np.testing.assert_allclose(rates, by_torch(make), rtol=1e-12, atol=1e-15)


@ONE
@pytest.mark.parametrize("backend", INSTALLED)
def test_arrays_are_the_numbers(name: str, backend: str) -> None:
    xp, schedule = unify.get_backend(backend), PAIRS[name][0]
    for step in (0, 1, 6, 11, STEPS - 1):
        rate = schedule(xp.asarray(step, dtype=xp.int64))
        assert (rate.shape, rate.dtype, rate.backend) == ((), xp.float64, backend)
        assert float(rate) == pytest.approx(schedule(step), rel=1e-14, abs=1e-17)


@pytest.mark.parametrize(
    ("schedule", "step", "rate"),
    [
        (Linear(0.0, 0.5, 10), 1000, 0.5),
        (CosineDecay(0.5, 10, end=0.125), 1000, 0.125),
        (OneCycle(0.5, 10), 1000, 0.5 / 25.0 / 1e4),
        (Piecewise([2], [1.0, 0.5]), 1000, 0.5),
        (Join([Linear(0.0, 1.0, 4), lambda step: 1.0 / (1.0 + step)], [4]), 5, 0.5),
        (ExponentialDecay(1.0, 10, 0.5), 5, math.sqrt(0.5)),
    ],
)
def test_after_the_end(schedule: Schedule, step: int, rate: float) -> None:
    assert schedule(step) == pytest.approx(rate, rel=1e-13)


class TestInOptimizers:
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_each_step_has_its_rate(self, backend: str) -> None:
        """The first step has the rate of 0; float32 stays, although the rate is float64."""
        xp = unify.get_backend(backend)
        schedule = Piecewise([1, 2], [0.5, 0.25, 0.125])
        sgd, w = optimizers.SGD(schedule), xp.ones(1, dtype=xp.float32)
        found = []
        for _ in range(3):
            after = sgd.step(w, xp.ones(1, dtype=xp.float32))
            found.append(float((w - after)[0]))
            w = after
        assert found == [0.5, 0.25, 0.125]
        assert w.dtype == xp.float32

    def test_a_file_keeps_the_step(self) -> None:
        sgd = optimizers.SGD(Piecewise([1], [0.5, 0.25]))
        w = unify.ones(1)
        sgd.step(w, w)
        resumed = optimizers.SGD(sgd.lr)
        resumed.state = sgd.state
        assert float(resumed.step(w, w)[0]) == 0.75


class TestObjects:
    @ONE
    def test_are_values(self, name: str) -> None:
        schedule = PAIRS[name][0]
        copied = pickle.loads(pickle.dumps(schedule))
        assert copied == schedule
        assert hash(copied) == hash(schedule)
        assert type(schedule).__name__ in repr(optimizers.SGD(schedule))

    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda: CosineDecay(0.1, 0), "CosineDecay: argument 'steps' is 0; pass one above 0"),
            (lambda: Piecewise([3, 3], [1.0, 0.5, 0.1]), r"boundaries\[1\]' is 3 after 3"),
            (lambda: Piecewise([3], [1.0]), "argument 'values' has 1 entries for 1 boundaries"),
            (lambda: Join([Constant(1.0)], [3]), "'schedules' has 1 entries for 1 boundaries"),
            (lambda: OneCycle(1.0, 10, warmup=0.05), "'warmup' is 0.05 of 10 steps"),
            (lambda: OneCycle(1.0, 10, warmup=1.0), "'warmup' is 1.0 of 10 steps"),
        ],
    )
    def test_refuse_numbers(self, make: Callable[[], Any], message: str) -> None:
        with pytest.raises(UnifyValueError, match=message):
            make()

    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda: Linear(0.0, 1.0, "9"), "Linear: argument 'steps' is '9'"),  # type: ignore[arg-type]  # the tested error
            (lambda: Join([0.1], []), r"Join: argument 'schedules\[0\]' is 0.1"),  # type: ignore[list-item]  # the tested error
            (lambda: Constant(0.1)("first"), "Schedule: argument 'step' is 'first'"),
            (lambda: Piecewise(3, (1.0, 0.1)), "Piecewise: argument 'boundaries' is 3"),  # type: ignore[arg-type]  # the tested error
        ],
    )
    def test_refuse_types(self, make: Callable[[], Any], message: str) -> None:
        with pytest.raises(UnifyTypeError, match=message):
            make()
