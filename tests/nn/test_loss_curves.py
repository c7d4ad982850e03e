"""Losses of a whole training on three backends: the same curves from the same keys."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.schedules import CosineDecay
from tests.installed import DIFFERENTIATING
from tests.numbers import generator

ROWS, SIZE, EPOCHS = 96, 16, 3
STEPS = EPOCHS * ROWS // SIZE
# The largest norm of the derivatives, which is below that of most steps.
NORM = 0.3


class Network(unify.Module):
    """Two linear layers, with batch normalization and dropout between them."""

    def __init__(self, key: Any, dtype: str, rate: float) -> None:
        first, second, third = (unify.random.fold_in(key, place) for place in range(3))
        self.hidden = unify.Linear(5, 12, key=first, dtype=dtype)
        self.norm = unify.BatchNorm(12, key=first, dtype=dtype)
        self.dropout = unify.Dropout(rate, key=third)
        self.out = unify.Linear(12, 3, key=second, dtype=dtype)

    def _forward(self, x: Any) -> Any:
        return self.out(self.dropout(unify.relu(self.norm(self.hidden(x)))))


def data() -> tuple[Any, Any]:
    """Points around three centres, and the numbers of these."""
    rng = generator(11)
    labels = rng.integers(0, 3, size=ROWS)
    return rng.normal(size=(3, 5))[labels] + rng.normal(size=(ROWS, 5)), labels


def order(xp: Any, epoch: int) -> Any:
    """Return the key of an epoch's order."""
    return xp.random.fold_in(xp.random.key(4), epoch)


def curve(backend: str, dtype: str, rate: float = 0.25) -> Any:
    """Return the loss, and the norm of the derivatives before they are clipped, of each step."""
    xp = unify.get_backend(backend)
    x, labels = xp.asarray(data()[0], dtype=dtype), xp.asarray(data()[1])
    net = Network(xp.random.key(3), dtype, rate)
    optimizer = unify.optimizers.SGD(CosineDecay(0.5, STEPS))

    def step(v: Any, buffers: Any, state: Any, x: Any, labels: Any) -> Any:
        def loss(v: Any) -> Any:
            logits, renewed = net.stateless_call(v, buffers, x)
            return unify.sparse_cross_entropy(labels, logits, from_logits=True), renewed

        (value, renewed), grads = unify.value_and_grad(loss, has_aux=True)(v)
        clipped = unify.clip_by_global_norm(grads, NORM)
        v, state = optimizer.stateless_step(v, clipped, state)
        return value, unify.global_norm(grads), v, renewed, state

    # The compiler of PyTorch generates C++, and JAX compiles each operation of an eager step.
    run = step if backend == "torch" else unify.compile(step)
    v, buffers, state = net.v.copy(), net.buffers.copy(), optimizer.init(net.v)
    found = []
    for epoch in range(EPOCHS):
        for rows, true in unify.batches(x, labels, size=SIZE, key=order(xp, epoch)):
            value, norm, v, buffers, state = run(v, buffers, state, rows, true)
            assert str(value.dtype) == dtype
            found.append((float(value), float(norm)))
    return np.asarray(found)


@pytest.fixture(scope="module")
def curves() -> dict[tuple[str, str], Any]:
    return {
        (backend, dtype): curve(backend, dtype)
        for backend in DIFFERENTIATING
        for dtype in ("float64", "float32")
    }


Curves = dict[tuple[str, str], Any]


def spread(curves: Curves, dtype: str) -> Any:
    """Return the largest relative difference between two backends, at each step."""
    losses = np.stack([curves[backend, dtype][:, 0] for backend in DIFFERENTIATING])
    assert losses.shape == (len(DIFFERENTIATING), STEPS)
    return np.ptp(losses, axis=0) / losses.min(axis=0)


class TestCurves:
    @pytest.mark.slow
    def test_in_float64_they_agree_at_each_step(self, curves: Curves) -> None:
        assert spread(curves, "float64").max() <= 1e-6

    @pytest.mark.slow
    def test_in_float32_they_agree_after_each_epoch(self, curves: Curves) -> None:
        assert spread(curves, "float32")[STEPS // EPOCHS - 1 :: STEPS // EPOCHS].max() <= 1e-3

    @pytest.mark.slow
    def test_it_learns_and_most_steps_are_clipped(self, curves: Curves) -> None:
        for found in curves.values():
            losses, norms = found.T
            assert losses[-4:].mean() < 0.6 * losses[:2].mean()
            assert np.mean(norms > NORM) > 0.5

    def test_without_dropout_it_is_pytorchs(self) -> None:
        """The same layers, schedule and clipping of PyTorch, from the same values."""
        torch = pytest.importorskip("torch")
        ours = Network(unify.torch.random.key(3), "float64", 0.0)
        nn = torch.nn
        theirs = nn.Sequential(nn.Linear(5, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 3))
        with torch.no_grad():
            for layer, v in ((theirs.double()[0], ours.v.hidden), (theirs[3], ours.v.out)):
                layer.weight.copy_(v.w.data)
                layer.bias.copy_(v.b.data)
        x, labels = map(torch.from_numpy, data())
        optimizer = torch.optim.SGD(theirs.parameters(), lr=0.5)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=STEPS)
        wanted = []
        for epoch in range(EPOCHS):
            rows = unify.random.permutation(order(unify.numpy, epoch), ROWS).data
            for places in np.split(rows, ROWS // SIZE):
                optimizer.zero_grad()
                loss = nn.functional.cross_entropy(theirs(x[places]), labels[places])
                loss.backward()
                norm = nn.utils.clip_grad_norm_(theirs.parameters(), NORM)
                optimizer.step()
                schedule.step()
                wanted.append((loss.item(), norm.item()))
        # PyTorch adds 1e-6 to the norm by which it divides.
        np.testing.assert_allclose(curve("torch", "float64", 0.0), wanted, rtol=1e-4)
