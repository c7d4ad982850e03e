"""Two classifiers of handwritten digits, trained alike on PyTorch, TensorFlow and JAX.

`python docs/train_digits.py` trains both on each backend that is installed and differentiates. It
shows the progress, and prints the share of the test digits that they read rightly. `--plot` draws
the first losses again, `train_digits.svg`, and `--compile` measures PyTorch's compiler. The digits
are those that scikit-learn ships: the extra `digits` has it, and matplotlib.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import arrayapi_unify as unify
from arrayapi_unify import backends

SEED, BATCH, EPOCHS, RATE, TEST, FIRST, MEASURED = 0, 32, 20, 1e-2, 360, 20, 270
PLOT = Path(__file__).with_suffix(".svg")


class Recurrent(unify.nn.Module):
    """Reads a digit line by line with an LSTM; its last state decides."""

    def __init__(self, key: Any) -> None:
        """Make the layers."""
        first, second = unify.random.split(key)
        self.lstm = unify.nn.LSTM(8, 48, key=first)
        self.head = unify.nn.Linear(48, 10, key=second)
        super().__init__()

    def _forward(self, images: Any) -> Any:
        states, _ = self.lstm(images)
        return self.head(states[:, -1, :])


class Convolutional(unify.nn.Module):
    """Two convolutions, each followed by a maximum over windows of two by two."""

    def __init__(self, key: Any) -> None:
        """Make the layers."""
        keys = unify.random.split(key, 3)
        super().__init__()
        self.convolutions = [
            unify.nn.Conv2D(1, 12, 3, padding="SAME", key=keys[0, :]),
            unify.nn.Conv2D(12, 24, 3, padding="SAME", key=keys[1, :]),
        ]
        self.head = unify.nn.Linear(24 * 2 * 2, 10, key=keys[2, :])

    def _forward(self, images: Any) -> Any:
        x = images[..., None]
        for convolution in self.convolutions:
            x = unify.nn.max_pool2d(unify.nn.relu(convolution(x)), 2)
        return self.head(unify.reshape(x, (x.shape[0], -1)))


NETWORKS: dict[str, Callable[[Any], unify.nn.Module]] = {
    "lstm": Recurrent,
    "convolutions": Convolutional,
}


def differentiating() -> list[str]:
    """Name the backends that train."""
    # torch before tensorflow: loaded the other way round in one process they don't get along.
    return [name for name in backends.names() if name in backends.DIFFERENTIATING]


def digits(xp: Any) -> tuple[Any, Any, Any, Any]:
    """Return images and labels to train with, and others to test with."""
    data = importlib.import_module("sklearn.datasets").load_digits()
    # Drawn with NumPy's arrays; the same key gives the same order anywhere.
    order = unify.random.permutation(unify.random.key(SEED), unify.arange(len(data.target)))
    images = xp.asarray(data.images[order.data] / 16.0, dtype=xp.float64)
    labels = xp.asarray(data.target[order.data], dtype=xp.int64)
    return images[TEST:, ...], labels[TEST:], images[:TEST, ...], labels[:TEST]


def make(network: str, backend: str) -> unify.nn.Module:
    """Make a network on a backend, from a key that is the same on all."""
    return NETWORKS[network](unify.get_backend(backend).random.key(SEED))


def compiles(backend: str) -> bool:
    """Return True where compiling pays here: not on PyTorch, as `--compile` measures."""
    return backend != "torch"


def batches(count: int, steps: int | None = None) -> Iterator[list[int]]:
    """Yield the places of each batch; every epoch has an order of its own."""
    done = 0
    for epoch in range(EPOCHS):
        key = unify.random.fold_in(unify.random.key(SEED), epoch)
        order = unify.random.permutation(key, unify.arange(count)).tolist()
        for start in range(0, count - BATCH + 1, BATCH):
            if done == steps:
                return
            done += 1
            yield order[start : start + BATCH]


def train(
    network: str,
    backend: str,
    steps: int | None = None,
    show: bool = False,
    compile: bool | None = None,
) -> tuple[unify.nn.Module, list[float]]:
    """Train a network, and return it with the loss of each step."""
    net, optimizer = make(network, backend), unify.nn.optimizers.Adam(RATE)
    xp = unify.get_backend(backend)
    images, labels, *_ = digits(xp)

    def step(v: Any, state: Any, x: Any, true: Any) -> tuple[Any, Any, Any]:
        def loss(v: Any) -> Any:
            return unify.nn.sparse_cross_entropy(true, net(x, v=v), from_logits=True)

        value, grads = unify.value_and_grad(loss)(v)
        return value, *optimizer.stateless_step(v, grads, state)

    compile = compiles(backend) if compile is None else compile
    run, losses = unify.compile(step) if compile else step, []
    v, began = net.v.copy(), time.perf_counter()
    state = optimizer.init(v)
    for places in batches(images.shape[0], steps):
        rows = xp.asarray(places)
        value, v, state = run(v, state, xp.take(images, rows, axis=0), xp.take(labels, rows))
        losses.append(float(value))
        if show and len(losses) % 45 == 0:
            mean = sum(losses[-45:]) / 45
            passed = time.perf_counter() - began
            print(f"  {backend:10} {network:12} step {len(losses):4}  loss {mean:.4f}  "
                  f"{passed:5.1f} s", flush=True)  # fmt: skip
    net.v = v
    return net, losses


def accuracy(net: unify.nn.Module, backend: str) -> float:
    """Return the share of the test digits that a network reads rightly."""
    xp = unify.get_backend(backend)
    *_, images, labels = digits(xp)
    found = xp.argmax(net.eval()(images), axis=-1)
    return float(xp.mean(xp.astype(found == labels, xp.float64)))


def draw(curves: dict[str, dict[str, list[float]]], path: Path) -> None:
    """Draw the losses of each network on each backend."""
    matplotlib = importlib.import_module("matplotlib")
    # The same file each time, whatever was drawn before; every point stays.
    settings = {"svg.hashsalt": "digits", "path.simplify": False}
    with matplotlib.rc_context(matplotlib.rcParamsDefault | settings):
        # Without a screen.
        figure = importlib.import_module("matplotlib.figure").Figure(figsize=(8, 3.2))
        _panels(figure.subplots(1, len(curves), sharey=True), curves)
        # The lines' places don't depend on how wide a version draws its letters.
        figure.subplots_adjust(left=0.08, bottom=0.16, right=0.99, top=0.9, wspace=0.05)
        figure.savefig(path, format="svg", metadata={"Date": None})


def _panels(places: Any, curves: dict[str, dict[str, list[float]]]) -> None:
    for place, (network, losses) in zip(places, curves.items(), strict=True):
        for width, (backend, values) in zip((5, 3, 1), losses.items(), strict=False):
            (line,) = place.plot(range(1, len(values) + 1), values, linewidth=width, label=backend)
            line.set_gid(f"{network}-{backend}")
        place.set(title=network, xlabel="step", xticks=range(0, FIRST + 1, 5))
        place.legend()
    places[0].set_ylabel("loss")


def first_losses() -> dict[str, dict[str, list[float]]]:
    """Return the losses of the first steps, of each network on each backend."""
    return {
        network: {backend: train(network, backend, FIRST)[1] for backend in differentiating()}
        for network in NETWORKS
    }


def measure() -> None:
    """Print the seconds that the first steps take on PyTorch, as they are and compiled."""
    for network in NETWORKS:
        for compile in (False, True):
            began = time.perf_counter()
            _, losses = train(network, "torch", MEASURED, compile=compile)
            print(
                f"torch {network:12} {'compiled' if compile else 'as it is':8} {len(losses)} steps "
                f"in {time.perf_counter() - began:.0f} s, last loss {losses[-1]:.6f}", flush=True,
            )  # fmt: skip


def main() -> None:
    """Train both networks everywhere, and print what they have learned."""
    for network in NETWORKS:
        for backend in differentiating():
            began = time.perf_counter()
            net, losses = train(network, backend, show=True)
            print(
                f"{backend:10} {network:12} {len(losses)} steps in "
                f"{time.perf_counter() - began:.0f} s, last loss {losses[-1]:.6f}, "
                f"test accuracy {accuracy(net, backend):.4f}", flush=True,
            )  # fmt: skip


if __name__ == "__main__":
    if "--plot" in sys.argv[1:]:
        draw(first_losses(), PLOT)
    elif "--compile" in sys.argv[1:]:
        measure()
    else:
        main()
