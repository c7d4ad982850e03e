"""`python -m benchmarks.small_nets`: a training step of ours, and one in the framework's layers."""

from __future__ import annotations

import importlib
import statistics
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from benchmarks.cases import installed
from benchmarks.measure import take_turns
from benchmarks.report import options, publish
from benchmarks.small_nets.own import BLOCKS, DROPPED, FEATURES, OWN, RATE, Weights

__all__ = ["BARS", "Result", "measure"]

_BATCH: Final = 64
BARS: Final = {"torch": {False: 1.5, True: 2.0}, "tensorflow": {}, "jax": {}}
"""Limits of the ratio of an eager step, without and with batch norm and dropout."""
_BAR: Final = 1.1


@dataclass(frozen=True, slots=True)
class Result:
    """One network on one backend: the time of the framework's step, and our ratio to it."""

    backend: str
    network: str
    compiled: bool
    own_us: float
    ratio: float
    bar: float


def _net(unify: Any, xp: Any, whole: bool) -> Any:
    """Build the network of `unify` layers."""
    keys = iter(xp.random.split(xp.random.key(0), len(BLOCKS) + 2))

    class Block(unify.Module):  # type: ignore[misc]  # known at run time only
        """A convolution, its batch norm, ReLU, and the maximum of four."""

        def __init__(self, inputs: int, outputs: int) -> None:
            options = {"key": next(keys), "dtype": xp.float32}
            self.conv = unify.Conv2D(inputs, outputs, 3, padding="SAME", **options)
            self.norm = unify.BatchNorm(outputs, **options) if whole else None

        def _forward(self, x: Any) -> Any:
            x = self.conv(x) if self.norm is None else self.norm(self.conv(x))
            return unify.max_pool2d(unify.relu(x), 2)

    class Net(unify.Module):  # type: ignore[misc]  # known at run time only
        """The blocks, and a linear layer."""

        def __init__(self) -> None:
            self.blocks = [Block(*sizes) for sizes in BLOCKS.values()]
            self.drop = unify.Dropout(DROPPED, key=next(keys)) if whole else None
            self.head = unify.Linear(FEATURES, 10, key=next(keys), dtype=xp.float32)

        def _forward(self, x: Any) -> Any:
            for block in self.blocks:
                x = block(x)
            x = unify.reshape(x, (x.shape[0], -1))
            return self.head(x if self.drop is None else self.drop(x))

    return Net()


def _weights(net: Any) -> Weights:
    """Return the initial weights by the names that `own` has for them."""
    names = {f"{name}/{part}": f"blocks/{name}/conv/{part}" for name in BLOCKS for part in "wb"}
    names |= {f"head/{part}": f"head/{part}" for part in "wb"}
    return {name: np.array(net.v[ours]) for name, ours in names.items()}


def _eager(unify: Any, net: Any, x: Any, true: Any) -> Callable[[], float]:
    adam = unify.optimizers.Adam(RATE)

    def loss(v: Any) -> Any:
        return unify.sparse_cross_entropy(true, net(x, v=v), from_logits=True)

    def step() -> float:
        value, grads = unify.value_and_grad(loss)(net.v)
        net.v = adam.step(net.v, grads)
        return float(value)

    return step


def _compiled(unify: Any, net: Any, x: Any, true: Any) -> Callable[[], float]:
    adam = unify.optimizers.Adam(RATE)

    def loss(v: Any, buffers: Any, x: Any, true: Any) -> Any:
        scores, buffers = net.stateless_call(v, buffers, x)
        return unify.sparse_cross_entropy(true, scores, from_logits=True), buffers

    def update(v: Any, buffers: Any, state: Any, x: Any, true: Any) -> Any:
        derivative = unify.value_and_grad(loss, has_aux=True)
        (value, buffers), grads = derivative(v, buffers, x, true)
        v, state = adam.stateless_step(v, grads, state)
        return value, v, buffers, state

    made, v = unify.compile(update), net.v.copy()
    held: list[Any] = [v, net.buffers.copy(), adam.init(v)]

    def step() -> float:
        value, *held[:] = made(*held, x, true)
        return float(value)

    return step


def measure(backend: str, whole: bool, compiled: bool, rounds: int) -> Result:
    """Measure one step; the ratio is the median over the rounds."""
    unify = importlib.import_module("arrayapi_unify")
    xp = unify.get_backend(backend)
    random = np.random.default_rng(0)
    x = random.standard_normal((_BATCH, 28, 28, 1)).astype(np.float32)
    true = random.integers(0, 10, _BATCH)
    net = _net(unify, xp, whole)
    own = OWN[backend](_weights(net), whole, compiled, x, true)
    make = _compiled if compiled else _eager
    ours = make(unify, net, xp.asarray(x), xp.asarray(true))
    first, second = ([step() for _ in range(5)] for step in (own, ours))
    # Dropout's random numbers are each library's own.
    if not whole and not np.allclose(first, second, rtol=1e-3):
        raise click.ClickException(f"the losses on {backend} differ: {first}, {second}")
    timers = {"own": timeit.Timer(own), "ours": timeit.Timer(ours)}
    times = take_turns(timers, 2, rounds)
    ratio = statistics.median(a / b for a, b in zip(times["ours"], times["own"], strict=True))
    bar = _BAR if compiled else BARS[backend].get(whole, _BAR)
    name = "convolutions, batch norm, dropout" if whole else "convolutions"
    return Result(backend, name, compiled, statistics.median(times["own"]) / 1e3, ratio, bar)


_COLUMNS: Final[dict[str, Callable[[Result], str]]] = {
    "backend": lambda r: r.backend,
    "network": lambda r: r.network,
    "step": lambda r: "compiled" if r.compiled else "eager",
    "the framework's own, µs": lambda r: f"{r.own_us:,.0f}",
    "ours": lambda r: f"{r.ratio:.2f}",
    "threshold": lambda r: f"{r.bar:.2f}",
}


@click.command()
@options(rounds=31)
def main(rounds: int, backends: tuple[str, ...], output: Path) -> None:
    """Measure, print, and write `small_nets.json` and `small_nets.md`."""
    publish(
        output,
        "small_nets",
        "Cost of training steps of small networks",
        "One step of a network of two convolutions (64 images of 28 x 28, Adam, float32), without "
        "and with batch norm and dropout, as a multiple of the same step of the framework's own "
        "layers: `torch.nn` with `torch.optim.Adam`, Keras layers under a `GradientTape` with "
        "Keras' Adam, and `jax.numpy` by hand with the formulas of optax; compiled by "
        "`torch.compile` (the loss, and the update), `tf.function`, `jax.jit`. Median over rounds "
        "in which both take turns. Written by `python -m benchmarks.small_nets`.",
        [
            measure(backend, whole, compiled, rounds)
            for backend in backends or installed() if backend in OWN
            for compiled in (False, True)
            for whole in (False, True)
        ],
        _COLUMNS,
    )  # fmt: skip


if __name__ == "__main__":
    main()
