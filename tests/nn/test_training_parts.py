"""Clipping, averages, masks and accumulation, compared with PyTorch's at each step."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Container, optimizers
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from arrayapi_unify.schedules import CosineDecay
from tests.installed import INSTALLED

W, B = np.asarray([[3.0, -4.0], [0.5, 1.0]]), np.asarray([12.0])


def nest(xp: ModuleType, dtype: str = "float64") -> Container:
    return Container(w=xp.asarray(W, dtype=dtype), more=[xp.asarray(B, dtype=dtype)])


def values(found: Any) -> list[Any]:
    return [np.asarray(found["w"]), np.asarray(found["more"][0])]


def parameters() -> list[Any]:
    """Return parameters of PyTorch with W and B as their derivatives."""
    torch = pytest.importorskip("torch")
    made = [torch.nn.Parameter(torch.zeros_like(torch.tensor(x))) for x in (W, B)]
    for parameter, x in zip(made, (W, B), strict=True):
        parameter.grad = torch.tensor(x)
    return made


class TestClipping:
    def test_norm(self, xp: ModuleType) -> None:
        wanted = np.sqrt(np.sum(W**2) + np.sum(B**2))
        assert float(unify.global_norm(nest(xp))) == pytest.approx(wanted, rel=1e-15)
        assert float(unify.global_norm([xp.asarray([3, 4])])) == 5.0

    @pytest.mark.parametrize("limit", [1.0, 13.1, 13.2, 100.0])
    def test_by_norm(self, xp: ModuleType, limit: float) -> None:
        """PyTorch adds 1e-6 to the norm."""
        torch, wanted = pytest.importorskip("torch"), parameters()
        torch.nn.utils.clip_grad_norm_(wanted, limit)
        found = values(unify.clip_by_global_norm(nest(xp), limit))
        for x, parameter in zip(found, wanted, strict=True):
            np.testing.assert_allclose(x, parameter.grad.numpy(), rtol=1e-6)
        norm = np.sqrt(sum(np.sum(x**2) for x in found))
        assert norm == pytest.approx(min(limit, np.sqrt(np.sum(W**2) + 144.0)), rel=1e-15)

    def test_by_norm_keeps_data_types_and_what_is_below(self, xp: ModuleType) -> None:
        given = nest(xp, "float32")
        clipped = unify.clip_by_global_norm(given, xp.asarray(1.0, dtype=xp.float64))
        assert {str(x.dtype) for x in values(clipped)} == {"float32"}
        same = values(unify.clip_by_global_norm(given, 100.0))
        assert all(map(np.array_equal, same, values(given)))
        zeros = unify.clip_by_global_norm([xp.zeros(2)], 1.0)[0]
        assert zeros.tolist() == [0.0, 0.0]

    def test_what_is_not_finite_shows(self, xp: ModuleType) -> None:
        for bad in (np.inf, np.nan):
            found = unify.clip_by_global_norm([xp.asarray([bad, 1.0])], 1.0)[0]
            assert np.all(np.isnan(np.asarray(found)))

    def test_by_value(self, xp: ModuleType) -> None:
        torch, wanted = pytest.importorskip("torch"), parameters()
        torch.nn.utils.clip_grad_value_(wanted, 2.5)
        found = values(unify.clip_by_value(nest(xp), -2.5, 2.5))
        for x, parameter in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(x, parameter.grad.numpy())
        assert unify.clip_by_value(xp.asarray([-3.0, 3.0]), None, 1.0).tolist() == [-3.0, 1.0]

    def test_refuses(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="argument 'max_norm' is 0"):
            unify.clip_by_global_norm(nest(xp), 0)
        for function in (lambda: unify.global_norm({}), lambda: unify.clip_by_value({}, 0.0, 1.0)):
            with pytest.raises(UnifyTypeError, match="argument 'nest'"):
                function()


def test_average(xp: ModuleType) -> None:
    """PyTorch's own average of models, which begins with the first values."""
    torch = pytest.importorskip("torch")
    model = torch.nn.Linear(2, 2, bias=False, dtype=torch.float64)
    averaged = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9)
    )
    average: Any = None
    for step in range(5):
        new = W * (step + 1)
        with torch.no_grad():
            model.weight.copy_(torch.tensor(new))
        averaged.update_parameters(model)
        given = {"w": xp.asarray(new), "count": xp.asarray(step)}
        average = given if average is None else unify.ema_update(average, given, 0.9)
    np.testing.assert_allclose(
        np.asarray(average["w"]), averaged.module.weight.detach().numpy(), rtol=1e-13
    )
    assert int(average["count"]) == 4


class TestMasks:
    @pytest.mark.parametrize("called", [False, True])
    def test_pytorch_has_groups_for_them(self, xp: ModuleType, called: bool) -> None:
        torch = pytest.importorskip("torch")
        w, b = (torch.tensor(x, requires_grad=True) for x in (W, B))
        theirs = torch.optim.AdamW(
            [{"params": [w], "weight_decay": 0.3}, {"params": [b], "weight_decay": 0.0}], lr=0.1
        )
        mask = Container(w=True, b=False)
        ours = optimizers.AdamW(0.1, weight_decay=0.3, mask=(lambda v: mask) if called else mask)
        v = Container(w=xp.asarray(W), b=xp.asarray(B))
        for _ in range(4):
            w.grad, b.grad = w.detach() ** 2, b.detach() ** 2
            theirs.step()
            v = ours.step(v, v**2)
        for x, wanted in ((v.w, w), (v.b, b)):
            np.testing.assert_allclose(np.asarray(x), wanted.detach().numpy(), rtol=1e-13)

    def test_of_lamb(self, xp: ModuleType) -> None:
        masked = optimizers.Lamb(0.1, weight_decay=0.3, mask={"a": True, "b": False})
        apart = [optimizers.Lamb(0.1, weight_decay=decay) for decay in (0.3, 0.0)]
        v = {"a": xp.asarray(W), "b": xp.asarray(B)}
        found = masked.step(v, v)
        for name, optimizer in zip(v, apart, strict=True):
            np.testing.assert_array_equal(
                np.asarray(found[name]), np.asarray(optimizer.step(v[name], v[name]))
            )

    def test_of_another_structure(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="decay_lambda"):
            optimizers.AdamW(mask={"other": True}).step({"w": xp.ones(2)}, {"w": xp.ones(2)})


def accumulating() -> optimizers.Accumulate:
    return optimizers.Accumulate(optimizers.Adam(CosineDecay(0.1, 3)), 3)


class TestAccumulate:
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_pytorch_with_the_mean(self, backend: str) -> None:
        torch, xp = pytest.importorskip("torch"), unify.get_backend(backend)
        w = torch.tensor(W, requires_grad=True)
        adam = torch.optim.Adam([w], lr=0.1)
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(adam, T_max=3)
        ours, v = accumulating(), xp.asarray(W)
        for step in range(9):
            before = np.asarray(v)
            v = ours.step(v, xp.asarray(W * step))
            if step % 3 < 2:
                np.testing.assert_array_equal(np.asarray(v), before)
                continue
            w.grad = torch.tensor(W * (step - 1.0))
            adam.step()
            scheduler.step()
            np.testing.assert_allclose(np.asarray(v), w.detach().numpy(), rtol=1e-13)
        assert int(ours.state["step"]) == 9
        assert int(ours.state["inner/step"]) == 3

    def test_refuses(self) -> None:
        with pytest.raises(UnifyTypeError, match="Accumulate: argument 'optimizer' is "):
            optimizers.Accumulate(0.1, 2)  # type: ignore[arg-type]  # the tested error
        with pytest.raises(UnifyValueError, match="Accumulate: argument 'every' is 0"):
            optimizers.Accumulate(optimizers.SGD(0.1), 0)
