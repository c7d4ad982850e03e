"""`python -m benchmarks.layers`: convolution and attention, ours and each framework's own."""

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

__all__ = ["BAR", "LAYERS", "OWN", "Result", "Sizes", "measure", "prepared"]

BAR: Final = 1.03
"""Limit of the ratio, at real sizes."""

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of the arrays."""

    batch: int = 32
    channels: int = 64
    side: int = 56
    sequence: int = 512
    heads: int = 8
    width: int = 64


@dataclass(frozen=True, slots=True)
class Result:
    """One layer: the time of the framework's own call, and the ratio of ours."""

    backend: str
    layer: str
    native_ms: float
    ratio: float
    bar: float


def _images(sizes: Sizes) -> list[Any]:
    """Return images with channels last, and 3 x 3 filters."""
    count = sizes.channels
    shapes = (sizes.batch, sizes.side, sizes.side, count), (3, 3, count, count)
    return _drawn(*shapes)


def _sequences(sizes: Sizes) -> list[Any]:
    shape = (sizes.batch // 8 or 1, sizes.heads, sizes.sequence, sizes.width)
    return _drawn(shape, shape, shape)


def _drawn(*shapes: tuple[int, ...]) -> list[Any]:
    generator = np.random.default_rng(3)
    return [generator.normal(size=shape).astype("float32") for shape in shapes]


LAYERS: Final[dict[str, tuple[Callable[[Sizes], list[Any]], Callable[[Any], Function]]]] = {
    "conv2d": (_images, lambda xp: lambda x, w: xp.conv2d(x, w, padding="SAME")),
    "attention": (_sequences, lambda xp: xp.scaled_dot_product_attention),
}
"""The arguments of each layer, and its function in our namespace."""


def _torch() -> tuple[dict[str, Function], Function, Function]:
    torch: Any = importlib.import_module("torch")
    functional = torch.nn.functional

    def conv2d(x: Any, w: Any) -> Any:
        found = functional.conv2d(x.permute(0, 3, 1, 2), w.permute(3, 2, 0, 1), padding=1)
        return found.permute(0, 2, 3, 1)

    def backward(layer: Function) -> Function:
        def both(*arrays: Any) -> Any:
            leaves = [x.detach().requires_grad_() for x in arrays]
            return torch.autograd.grad(layer(*leaves).sum(), leaves)

        return both

    attention = functional.scaled_dot_product_attention
    return {"conv2d": conv2d, "attention": attention}, backward, lambda found: found


def _tensorflow() -> tuple[dict[str, Function], Function, Function]:
    tf: Any = importlib.import_module("tensorflow")

    def conv2d(x: Any, w: Any) -> Any:
        return tf.nn.conv2d(x, w, 1, "SAME")

    def attention(q: Any, k: Any, v: Any) -> Any:
        scores = tf.matmul(q, k, transpose_b=True) * (1 / q.shape[-1] ** 0.5)
        return tf.matmul(tf.nn.softmax(scores), v)

    def backward(layer: Function) -> Function:
        def both(*arrays: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(arrays)
                total = tf.reduce_sum(layer(*arrays))
            return tape.gradient(total, arrays)

        return both

    return {"conv2d": conv2d, "attention": attention}, backward, lambda found: found


def _jax() -> tuple[dict[str, Function], Function, Function]:
    jax: Any = importlib.import_module("jax")

    def conv2d(x: Any, w: Any) -> Any:
        return jax.lax.conv_general_dilated(
            x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )

    def attention(q: Any, k: Any, v: Any) -> Any:
        scores = jax.numpy.matmul(q, k.swapaxes(-1, -2)) * (1 / q.shape[-1] ** 0.5)
        return jax.numpy.matmul(jax.nn.softmax(scores), v)

    def backward(layer: Function) -> Function:
        def total(*arrays: Any) -> Any:
            return layer(*arrays).sum()

        return lambda *arrays: jax.grad(total, tuple(range(len(arrays))))(*arrays)

    return {"conv2d": conv2d, "attention": attention}, backward, jax.block_until_ready


OWN: Final[dict[str, Callable[[], tuple[dict[str, Function], Function, Function]]]] = {
    "torch": _torch,
    "tensorflow": _tensorflow,
    "jax": _jax,
}
"""Each framework's own layers, gradient function, and function that awaits results."""


def _ours_backward(xp: Any, layer: Function) -> Function:
    unify = importlib.import_module("arrayapi_unify")

    def total(*arrays: Any) -> Any:
        return xp.sum(layer(*arrays))

    return lambda *arrays: unify.grad(total, tuple(range(len(arrays))))(*arrays)


def prepared(backend: str, layer: str, sizes: Sizes) -> dict[str, tuple[Function, Function]]:
    """Return the framework's own call and ours, forward and backward, without arguments."""
    xp = importlib.import_module("arrayapi_unify").get_backend(backend)
    own, backward, wait = OWN[backend]()
    make, function = LAYERS[layer]
    ours, arrays = function(xp), [xp.asarray(x) for x in make(sizes)]
    natives = [x.data for x in arrays]
    own_back, our_back = backward(own[layer]), _ours_backward(xp, ours)
    return {
        "forward": (lambda: wait(own[layer](*natives)), lambda: _data(wait, ours(*arrays))),
        "backward": (
            lambda: wait(own_back(*natives)),
            lambda: [_data(wait, x) for x in our_back(*arrays)],
        ),
    }


def _data(wait: Function, x: Any) -> Any:
    return wait(x.data)


def measure(backend: str, rounds: int, sizes: Sizes | None = None) -> list[Result]:
    """Measure one backend; a ratio is the median over the rounds."""
    results: list[Result] = []
    for layer in LAYERS:
        for way, (own, ours) in prepared(backend, layer, sizes or Sizes()).items():
            timers = {"own": timeit.Timer(own), "ours": timeit.Timer(ours)}
            for timer in timers.values():
                timer.timeit(2)  # compile and warm up outside of the measurement
            times = take_turns(timers, 1, rounds)
            pairs = zip(times["ours"], times["own"], strict=True)
            ratio = statistics.median(mine / theirs for mine, theirs in pairs)
            native = statistics.median(times["own"]) / 1e6
            results.append(Result(backend, f"{layer}, {way}", native, ratio, BAR))
    return results


_COLUMNS: Final[dict[str, Callable[[Result], str]]] = {
    "backend": lambda r: r.backend,
    "layer": lambda r: r.layer,
    "the framework's own, ms": lambda r: f"{r.native_ms:,.1f}",
    "ours": lambda r: f"{r.ratio:.2f}",
    "threshold": lambda r: f"{r.bar:.2f}",
}


@click.command()
@options(rounds=15)
def main(rounds: int, backends: tuple[str, ...], output: Path) -> None:
    """Measure, print, and write `layers.json` and `layers.md`."""
    publish(
        output,
        "layers",
        "Cost of layers",
        "Convolution (batch 32, 64 channels, 56 x 56, a window of 3 x 3) and attention (a sequence "
        "of 512, 8 heads) in float32, as a multiple of the framework's own calls, median over "
        "rounds in which both take turns; backward is with the forward pass. Written by "
        "`python -m benchmarks.layers`.",
        [
            result
            for backend in backends or installed()
            if backend in OWN
            for result in measure(backend, rounds)
        ],
        _COLUMNS,
    )


if __name__ == "__main__":
    main()
