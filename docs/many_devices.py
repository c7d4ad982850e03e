"""Data-parallel training on eight devices, which XLA makes of the CPU.

`python -m docs.many_devices` trains a network on one device, on eight, and on four after a
checkpoint, and prints the losses.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

# Before JAX is imported. The devices of one CPU need a thread each, however few cores it has.
os.environ |= {"XLA_FLAGS": "--xla_force_host_platform_device_count=8", "NPROC": "32"}

import arrayapi_unify as unify
import arrayapi_unify.jax as xp

DATA = "mesh[rows={}]('rows',)"  # the first axis is split over the devices
WHOLE = "mesh[rows={}]()"  # every device has all of it


def standardize(x: Any) -> Any:
    """Return columns of mean 0 and deviation 1."""
    return (x - xp.mean(x, axis=0)) / xp.std(x, axis=0)


def network() -> Any:
    """Make a network of two layers."""
    first, second = xp.random.split(xp.random.key(0))
    return unify.nn.Sequential(
        unify.nn.Linear(3, 16, key=first, dtype=xp.float64),
        unify.tanh,
        unify.nn.Linear(16, 1, key=second, dtype=xp.float64),
    )


def train(net: Any, steps: int, devices: int) -> list[float]:
    """Train with the data split over devices; return the loss before each step."""
    table = xp.random.normal(xp.random.key(1), (64, 3), dtype=xp.float64)
    x, y = standardize(table), xp.sum(table * table, axis=1, keepdims=True)
    if devices > 1:
        x, y = (a.to_device(DATA.format(devices)) for a in (x, y))
        net.v = net.v.to_device(WHOLE.format(devices))
    optimizer = unify.nn.optimizers.SGD(0.05)
    value_and_grad = xp.compile(unify.value_and_grad(lambda v, x, y: xp.nn.mse(y, net(x, v=v))))
    losses = []
    for _ in range(steps):
        loss, grads = value_and_grad(net.v, x, y)
        net.v = optimizer.step(net.v, grads)
        losses.append(float(loss))
    return losses


def main() -> None:
    """Print the losses on one device, on eight, and on eight and four."""
    alone = train(network(), 6, 1)
    together = train(network(), 6, 8)
    net = network()
    before = train(net, 3, 8)
    with tempfile.TemporaryDirectory() as folder:
        net.save(Path(folder) / "weights.npz")
        resumed = network()
        resumed.load(Path(folder) / "weights.npz")
    after = train(resumed, 3, 4)
    for name, losses in (("1", alone), ("8", together), ("8, then 4", before + after)):
        print(f"{name:>10}:", *(f"{loss:.6f}" for loss in losses))


if __name__ == "__main__":
    main()
