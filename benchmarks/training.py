"""`python -m benchmarks.training`: a compiled training step and the same hand-written one."""

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

__all__ = ["BAR", "OWN", "Result", "measure"]

BAR: Final = 1.1
"""Limit of the ratio."""

_BATCH, _RATE, _BETA1, _BETA2, _EPSILON = 32, 1e-2, 0.9, 0.999, 1e-8

Parameters = dict[str, Any]
Step = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Result:
    """One backend: the time of the hand-written step, and our ratio to it."""

    backend: str
    own_us: float
    ratio: float
    bar: float


def _adam(xp: Any, p: Parameters, g: Parameters, state: Any) -> tuple[Parameters, Any]:
    """Make a step of Adam (arXiv:1412.6980) with operators that all arrays support."""
    m, v, t = state
    t = t + 1.0
    m = {k: _BETA1 * m[k] + (1 - _BETA1) * g[k] for k in p}
    v = {k: _BETA2 * v[k] + (1 - _BETA2) * g[k] * g[k] for k in p}
    first, second = 1 - _BETA1**t, 1 - _BETA2**t
    p = {k: p[k] - _RATE * (m[k] / first) / (xp.sqrt(v[k] / second) + _EPSILON) for k in p}
    return p, (m, v, t)


def _jax() -> tuple[Step, Callable[[Any], Any], Step]:
    jax = importlib.import_module("jax")
    jnp, layout = jax.numpy, ("NHWC", "HWIO", "NHWC")

    def loss(p: Parameters, x: Any, true: Any) -> Any:
        x = x[..., None]
        for name in ("convolutions/0", "convolutions/1"):
            x = jax.lax.conv_general_dilated(
                x, p[f"{name}/w"], (1, 1), "SAME", dimension_numbers=layout
            )
            x = jax.nn.relu(x + p[f"{name}/b"])
            x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        scores = x.reshape(x.shape[0], -1) @ p["head/w"].T + p["head/b"]
        chosen = jnp.take_along_axis(jax.nn.log_softmax(scores), true[:, None], axis=1)
        return -jnp.mean(chosen)

    def step(p: Parameters, state: Any, x: Any, true: Any) -> Any:
        value, g = jax.value_and_grad(loss)(p, x, true)
        return value, *_adam(jnp, p, g, state)

    return jax.jit(step), jnp.asarray, jax.block_until_ready


def _tensorflow() -> tuple[Step, Callable[[Any], Any], Step]:
    tf = importlib.import_module("tensorflow")

    def loss(p: Parameters, x: Any, true: Any) -> Any:
        x = x[..., None]
        for name in ("convolutions/0", "convolutions/1"):
            x = tf.nn.conv2d(x, p[f"{name}/w"], 1, "SAME") + p[f"{name}/b"]
            x = tf.nn.max_pool2d(tf.nn.relu(x), 2, 2, "VALID")
        scores = tf.reshape(x, (x.shape[0], -1)) @ tf.transpose(p["head/w"]) + p["head/b"]
        given = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=true, logits=scores)
        return tf.reduce_mean(given)

    def step(p: Parameters, state: Any, x: Any, true: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(p)
            value = loss(p, x, true)
        return value, *_adam(tf, p, tape.gradient(value, p), state)

    return tf.function(step), tf.convert_to_tensor, lambda result: result


def _torch() -> tuple[Step, Callable[[Any], Any], Step]:
    torch = importlib.import_module("torch")
    nn = torch.nn.functional

    def loss(p: Parameters, x: Any, true: Any) -> Any:
        x = x[:, None]
        for name in ("convolutions/0", "convolutions/1"):
            kernel = p[f"{name}/w"].permute(3, 2, 0, 1)
            x = nn.conv2d(x, kernel, p[f"{name}/b"], padding="same")
            x = nn.max_pool2d(nn.relu(x), 2)
        features = x.permute(0, 2, 3, 1).reshape(x.shape[0], -1)
        return nn.cross_entropy(nn.linear(features, p["head/w"], p["head/b"]), true)

    compiled, adam = torch.compile(loss), torch.compile(lambda *args: _adam(torch, *args))

    def step(p: Parameters, state: Any, x: Any, true: Any) -> Any:
        leaves = {k: w.detach().requires_grad_() for k, w in p.items()}
        value = compiled(leaves, x, true)
        slopes = torch.autograd.grad(value, list(leaves.values()))
        with torch.no_grad():
            return value.detach(), *adam(p, dict(zip(p, slopes, strict=True)), state)

    return step, torch.from_numpy, lambda result: result


OWN: Final[dict[str, Callable[[], tuple[Step, Callable[[Any], Any], Step]]]] = {
    "torch": _torch,
    "tensorflow": _tensorflow,
    "jax": _jax,
}
"""A step in each framework's own names, its array constructor, and its wait for results."""


def _ours(backend: str) -> tuple[Step, Any, Any]:
    """Return our step, compiled, and its parameters and state."""
    unify = importlib.import_module("arrayapi_unify")
    digits = importlib.import_module("docs.train_digits")
    net, adam = digits.make("convolutions", backend), unify.optimizers.Adam(_RATE)

    def loss(v: Any, x: Any, true: Any) -> Any:
        return unify.sparse_cross_entropy(true, net(x, v=v), from_logits=True)

    def step(v: Any, state: Any, x: Any, true: Any) -> Any:
        value, grads = unify.value_and_grad(loss)(v, x, true)
        return value, *adam.stateless_step(v, grads, state)

    v = net.v.copy()
    return unify.compile(step), v, adam.init(v)


def measure(backend: str, rounds: int) -> Result:
    """Measure one backend; the ratio is the median over the rounds."""
    digits = importlib.import_module("docs.train_digits")
    xp = importlib.import_module("arrayapi_unify").get_backend(backend)
    images, labels, *_ = digits.digits(xp)
    x, true = images[:_BATCH, ...] + 0.0, labels[:_BATCH] + 0
    ours, v, state = _ours(backend)
    own, native, wait = OWN[backend]()
    p = {k: native(np.array(w)) for k, w in zip(v.key_chains(), v.leaves(), strict=True)}
    zeros = {k: native(np.zeros(w.shape)) for k, w in p.items()}
    start = (zeros, dict(zeros), native(np.zeros(())))
    names = {
        # All results of a program are ready together, so waiting for the value is sufficient.
        "own": lambda: wait(own(p, start, x.data, true.data)[0]),
        "ours": lambda: wait(ours(v, state, x, true)[0].data),
    }
    found = [float(names["own"]()), float(names["ours"]())]
    if not np.isclose(found[0], found[1], rtol=1e-12):
        raise click.ClickException(f"the losses on {backend} differ: {found[0]}, {found[1]}")
    timers = {name: timeit.Timer(call) for name, call in names.items()}
    for timer in timers.values():
        timer.timeit(5)  # warm up outside of the measurement
    times = take_turns(timers, 10, rounds)
    ratio = statistics.median(a / b for a, b in zip(times["ours"], times["own"], strict=True))
    return Result(backend, statistics.median(times["own"]) / 1e3, ratio, BAR)


_COLUMNS: Final[dict[str, Callable[[Result], str]]] = {
    "backend": lambda r: r.backend,
    "written by hand, µs": lambda r: f"{r.own_us:,.0f}",
    "ours": lambda r: f"{r.ratio:.2f}",
    "threshold": lambda r: f"{r.bar:.2f}",
}


@click.command()
@options(rounds=31)
def main(rounds: int, backends: tuple[str, ...], output: Path) -> None:
    """Measure, print, and write `training.json` and `training.md`."""
    publish(
        output,
        "training",
        "Cost of a training step",
        "One step of the convolutional network of `docs/train_digits.py` (32 digits, Adam, "
        "float64), compiled, as a multiple of the same step written by hand with the framework's "
        "own functions and compiled by its own compiler; median over rounds in which both take "
        "turns. By hand `torch.compile` compiles the loss and the update, as it doesn't follow "
        "`torch.autograd.grad` between them. Written by `python -m benchmarks.training`.",
        [measure(backend, rounds) for backend in backends or installed() if backend in OWN],
        _COLUMNS,
    )


if __name__ == "__main__":
    main()
