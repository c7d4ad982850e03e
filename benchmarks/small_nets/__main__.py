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
from benchmarks.small_nets.nets import NETWORKS, Network
from benchmarks.small_nets.steps import RATE

__all__ = ["Result", "measure"]

_BATCH: Final = 64
_BAR: Final = 1.1


@dataclass(frozen=True, slots=True)
class Result:
    """One network on one backend: the time of the framework's step, and our ratio to it."""

    backend: str
    network: str
    compiled: bool
    own_us: float
    ratio: float
    bar: float | None


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


def measure(backend: str, network: Network, compiled: bool, rounds: int) -> Result:
    """Measure one step; the ratio is the median over the rounds."""
    unify = importlib.import_module("arrayapi_unify")
    xp = unify.get_backend(backend)
    random = np.random.default_rng(0)
    x = random.standard_normal((_BATCH, 28, 28, 1)).astype(np.float32)
    true = random.integers(0, 10, _BATCH)
    net = network.make(unify, xp)
    weights = {path: np.array(w) for path, w in net.v.leaf_items()}
    own = network.own[backend](weights, compiled, x, true)
    make = _compiled if compiled else _eager
    ours = make(unify, net, xp.asarray(x), xp.asarray(true))
    first, second = ([step() for _ in range(5)] for step in (own, ours))
    if not network.random and not np.allclose(first, second, rtol=1e-3):
        raise click.ClickException(f"the losses on {backend} differ: {first}, {second}")
    timers = {"own": timeit.Timer(own), "ours": timeit.Timer(ours)}
    times = take_turns(timers, 2, rounds)
    ratio = statistics.median(a / b for a, b in zip(times["ours"], times["own"], strict=True))
    bar = _BAR if compiled else network.bars.get(backend, _BAR)
    own_us = statistics.median(times["own"]) / 1e3
    return Result(backend, network.name, compiled, own_us, ratio, bar)


_COLUMNS: Final[dict[str, Callable[[Result], str]]] = {
    "backend": lambda r: r.backend,
    "network": lambda r: r.network,
    "step": lambda r: "compiled" if r.compiled else "eager",
    "the framework's own, µs": lambda r: f"{r.own_us:,.0f}",
    "ours": lambda r: f"{r.ratio:.2f}",
    "threshold": lambda r: "none" if r.bar is None else f"{r.bar:.2f}",
}


@click.command()
@options(rounds=31)
def main(rounds: int, backends: tuple[str, ...], output: Path) -> None:
    """Measure, print, and write `small_nets.json` and `small_nets.md`."""
    publish(
        output,
        "small_nets",
        "Cost of training steps of small networks",
        "One step of a small network (64 images of 28 x 28, Adam, float32) as a multiple of the "
        "same step of the framework's own layers: `torch.nn` with `torch.optim.Adam`, Keras layers "
        "under a `GradientTape` with Keras' Adam, and `jax.numpy` by hand with the formulas of "
        "optax; compiled by `torch.compile` (the loss, and the update), `tf.function`, `jax.jit`. "
        "The networks are two convolutions, without and with batch norm and dropout, and a layer "
        "of a transformer's encoder over the rows of the images, with four heads. Median over "
        "rounds in which both take turns. Written by `python -m benchmarks.small_nets`.",
        [
            measure(backend, network, compiled, rounds)
            for backend in backends or installed()
            for compiled in (False, True)
            for network in NETWORKS if backend in network.own
        ],
        _COLUMNS,
    )  # fmt: skip


if __name__ == "__main__":
    main()
