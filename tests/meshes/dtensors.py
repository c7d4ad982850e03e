"""`python -m tests.meshes.dtensors RANK PORT FILE`: DTensors of PyTorch in one of two processes.

Arrays are split along the first axis where it divides. The outcome of each call is a line of the
file: "right", the values that are wrong, or the error. `test_meshes.py` starts both processes.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
import torch.distributed
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor
from torch.distributed.tensor.experimental import implicit_replication

import arrayapi_unify as unify
import arrayapi_unify.torch as xp
from tests.binding.calls import RETURNING_ARRAYS, arguments, function

_SECONDS: Final = 60
TABLE: Final = np.arange(8.0).reshape(4, 2)


def _whole(value: Any) -> Any:
    """Return the values of arrays, gathered."""
    if isinstance(value, tuple | list):
        return [_whole(part) for part in value]
    if not isinstance(value, unify.Array):
        return value
    data = value.data
    return (data.full_tensor() if isinstance(data, DTensor) else data).detach().numpy()


def _same(found: Any, expected: Any) -> bool:
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(_same, found, expected))
    alike = (found.shape, found.dtype) == (expected.shape, expected.dtype)
    return alike and bool(np.allclose(found, expected, equal_nan=True))


def _written(change: Callable[[Any], None], x: unify.Array) -> unify.Array:
    change(x)
    return x


def _set(key: Any, value: Any) -> Callable[[Any], None]:
    def change(x: Any) -> None:
        x[key] = value

    return change


def _set_view(view: Callable[[Any], Any], key: Any, value: Any) -> Callable[[Any], None]:
    def change(x: Any) -> None:
        view(x)[key] = value

    return change


def _add_to_rows(x: Any) -> None:
    rows = x[1:3]
    rows += 5.0


WRITES: Final[dict[str, Callable[[Any], None]]] = {
    "x[3] = 0": _set(3, 0.0),
    "x[:, 0] = 7": _set((slice(None), 0), 7.0),
    "x[...] = 7": _set(..., 7.0),
    "x[::-1] = 7": _set((slice(None, None, -1), 1), 7.0),
    "x[1:3] = ones": _set(slice(1, 3), xp.ones((2, 2))),
    "x[[0, 3]] = 1": _set(xp.asarray([0, 3]), 1.0),
    "x[:, 1:][...] = 5": _set_view(lambda x: x[:, 1:], ..., 5.0),
    "x.T[0, 0] = 99": _set_view(lambda x: x.T, (0, 0), 99.0),
    "x[1:3][...] = 5": _set_view(lambda x: x[1:3], ..., 5.0),
    "x[1:3] += 5": _add_to_rows,
}


def _gradient(key: Any, x: Any) -> Any:
    """Return the gradient of a sum of squares after a write."""
    x.data.requires_grad_()
    y = x * 1.0
    before = unify.Array(y.data)
    y[key] = 0.0
    loss = xp.sum(y * y) + xp.sum(before)
    loss.data.backward()
    return unify.Array(x.data.grad)


def _outcomes() -> Iterator[tuple[str, str]]:
    mesh = init_device_mesh("cpu", (2,))

    def split(values: Any, **more: Any) -> unify.Array:
        host = torch.from_numpy(np.array(unify.numpy.asarray(values, **more).to_numpy()))
        divides = host.ndim and host.shape[0] and host.shape[0] % 2 == 0
        return unify.Array(distribute_tensor(host, mesh, [Shard(0) if divides else Replicate()]))

    calls: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        name: (
            lambda name=name: function(xp, name)(*arguments(name, split)),
            lambda name=name: function(xp, name)(*arguments(name, xp.asarray)),
        )
        for name in RETURNING_ARRAYS
        if not name.startswith("random.") and name not in ("empty", "empty_like")
    }
    for name, change in WRITES.items():
        calls[name] = (
            lambda change=change: _written(change, split(TABLE)),
            lambda change=change: _written(change, xp.asarray(TABLE, copy=True)),
        )
    for key in (3, (slice(None), 0), xp.asarray([0, 3])):
        calls[f"gradient of x[{key}] = 0"] = (
            lambda key=key: _gradient(key, split(TABLE)),
            lambda key=key: _gradient(key, xp.asarray(TABLE, copy=True)),
        )
    for name, (call, expected) in calls.items():
        faulthandler.dump_traceback_later(_SECONDS, exit=True)
        try:
            found = _whole(call())
        except Exception as error:
            yield name, f"{type(error).__name__}: {error}"
            continue
        yield name, "right" if _same(found, _whole(expected())) else f"wrong: {found}"
    yield "repr", repr(split(TABLE))
    yield "type of zeros_like", type(xp.zeros_like(split(TABLE)).data).__name__
    faulthandler.cancel_dump_traceback_later()


def main() -> None:
    """Make the calls, and write their outcomes."""
    rank, port = map(int, sys.argv[1:3])
    os.environ |= {
        "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "RANK": str(rank), "WORLD_SIZE": "2",
    }  # fmt: skip
    torch.distributed.init_process_group("gloo", rank=rank, world_size=2)
    # Plain tensors, as bodies make them, count as whole.
    with Path(sys.argv[3]).open("w", encoding="utf-8") as file, implicit_replication():
        for line in _outcomes():
            file.write(json.dumps(line) + "\n")
            file.flush()
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
