"""The networks of our layers, and the frameworks' own training steps of the same networks."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.small_nets import own, own_attention
from benchmarks.small_nets.own import BLOCKS, DROPPED, FEATURES
from benchmarks.small_nets.own_attention import HEADS, HIDDEN, SIZE
from benchmarks.small_nets.steps import Step

__all__ = ["NETWORKS", "Network"]


@dataclass(frozen=True, slots=True)
class Network:
    """A network of ours, and the steps of the same one in each framework's own names."""

    name: str
    make: Callable[[Any, Any], Any]
    own: Mapping[str, Callable[..., Step]]
    """By the backend: the step of weights, of True if it is compiled, of images and of labels."""

    bars: Mapping[str, float | None]
    """Limits of the ratio of an eager step, where they aren't the usual one; None for no limit."""

    random: bool = False
    """True for dropout, whose random numbers are each library's own."""


def _convolutions(whole: bool, unify: Any, xp: Any) -> Any:
    """Build the network of two convolutions, with or without batch norm and dropout."""
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


def _attention(unify: Any, xp: Any) -> Any:
    """Build the network of a transformer's encoder over the rows of an image."""
    keys = iter(xp.random.split(xp.random.key(0), 3))

    class Net(unify.Module):  # type: ignore[misc]  # known at run time only
        """Rows as tokens, the encoder, and a linear layer of the mean over the tokens."""

        def __init__(self) -> None:
            self.embed = unify.Linear(28, SIZE, key=next(keys), dtype=xp.float32)
            self.encoder = unify.TransformerEncoderLayer(
                SIZE, HEADS, HIDDEN, dropout=0.0, key=next(keys), dtype=xp.float32
            )
            self.head = unify.Linear(SIZE, 10, key=next(keys), dtype=xp.float32)

        def _forward(self, x: Any) -> Any:
            tokens = self.embed(unify.squeeze(x, axis=-1))
            return self.head(unify.mean(self.encoder(tokens), axis=1))

    return Net()


def _own_convolutions(whole: bool) -> dict[str, Callable[..., Step]]:
    made = {"torch": own.of_torch, "tensorflow": own.of_tensorflow, "jax": own.of_jax}
    return {backend: functools.partial(step, whole) for backend, step in made.items()}


NETWORKS: Final = (
    Network(
        "convolutions", functools.partial(_convolutions, False), _own_convolutions(False),
        {"torch": 1.5},
    ),
    Network(
        "convolutions, batch norm, dropout", functools.partial(_convolutions, True),
        _own_convolutions(True), {"torch": 2.0}, random=True,
    ),
    Network(
        "attention", _attention,
        {
            "torch": own_attention.of_torch, "tensorflow": own_attention.of_tensorflow,
            "jax": own_attention.of_jax,
        },
        dict.fromkeys(("torch", "tensorflow", "jax")),
    ),
)  # fmt: skip
