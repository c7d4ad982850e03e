"""Compiled steps of optimizers with schedules, and with derivatives of several calls."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Container, optimizers
from arrayapi_unify.schedules import CosineDecay, Join, Linear, OneCycle, Piecewise, Schedule


@pytest.fixture
def programs(compiling: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The programs that PyTorch's compiler makes; other libraries are counted while they trace."""
    made: list[Any] = []
    if compiling.__unify_backend__ == "torch":
        module = importlib.import_module("arrayapi_unify.backends.torch._compilation")
        compiled = module.compiled

        def program(graph: Any, inputs: Any) -> Any:
            made.append(graph)
            return graph.forward

        # Later keywords replace those of the fixture that compiles without code.
        monkeypatch.setattr(
            module, "compiled", lambda f, *args, **options: compiled(
                f, *args, **{**options, "backend": program}
            ),
        )  # fmt: skip
    return made


@pytest.mark.slow_on("torch")
@pytest.mark.parametrize(
    "schedule",
    [
        Join([Linear(0.0, 0.5, 4), CosineDecay(0.5, 8)], [4]),
        OneCycle(0.5, 10),
        Piecewise([2, 5], [0.5, 0.1, 0.01]),
    ],
)
def test_a_step_is_one_program(
    compiling: ModuleType, programs: list[Any], schedule: Schedule
) -> None:
    adam, traced = optimizers.Adam(schedule), programs

    def step(v: Any, state: Any) -> Any:
        if compiling.__unify_backend__ != "torch":  # whose tracer repeats what Python does
            traced.append(None)
        return adam.stateless_step(v, v, state)

    compiled, v = unify.compile(step), Container(w=compiling.asarray([1.0, -2.0]))
    state, w, once = adam.init(v), v, 0
    for count in range(10):
        w, state = compiled(w, state)
        v = adam.step(v, v)
        if count == 1:
            once = len(traced)
    np.testing.assert_allclose(np.asarray(w.w), np.asarray(v.w), rtol=1e-13)
    assert len(traced) == once > 0


@pytest.mark.slow_on("torch", "jax")
def test_accumulation(compiling: ModuleType) -> None:
    ours, other = (optimizers.Accumulate(optimizers.Adam(CosineDecay(0.1, 3)), 3) for _ in range(2))
    start = Container(w=compiling.asarray([3.0, -4.0]))
    step, state, w, v = unify.compile(ours.stateless_step), ours.init(start), start, start
    for count in range(7):
        w, state = step(w, start * float(count), state)
        v = other.step(v, start * float(count))
    np.testing.assert_allclose(np.asarray(w.w), np.asarray(v.w), rtol=1e-13)
    assert int(state["inner"]["step"]) == 2


@pytest.mark.slow_on("torch")
def test_clipping_and_averages(compiling: ModuleType) -> None:
    def parts(v: Any) -> Any:
        clipped = unify.clip_by_global_norm(v, 1.0)
        return clipped, unify.clip_by_value(v, -0.5, 2.0), unify.ema_update(v, clipped, 0.75)

    v = {"w": compiling.asarray([3.0, -4.0]), "b": compiling.asarray([[12.0]])}
    for made, wanted in zip(unify.compile(parts)(v), parts(v), strict=True):
        for name in v:
            np.testing.assert_allclose(np.asarray(made[name]), np.asarray(wanted[name]), rtol=1e-15)
