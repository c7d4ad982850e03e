"""`python -m tests.meshes.processes RANK PORT SIZE FILE`: each function in two processes of JAX.

Each process has four devices, and arrays are split over `SIZE` of all eight, where they divide. The
outcome of each call is a line of the file: what is returned, or the error. `test_meshes.py` starts
both processes; a call that one of them doesn't end is ended after a minute, with both.
"""

from __future__ import annotations

import faulthandler
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import jax
import numpy as np

_SECONDS: Final = 60


def _start(rank: int, port: int) -> None:
    """Join the two processes; XLA's collectives of a CPU wait for each other in threads."""
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.config.update("jax_cpu_enable_async_dispatch", False)
    jax.distributed.initialize(f"127.0.0.1:{port}", 2, rank)


def _outcomes(size: int) -> Iterator[tuple[str, str]]:
    import arrayapi_unify as unify
    import arrayapi_unify.jax as xp
    from tests.binding.calls import RETURNING_ARRAYS, arguments, function

    devices = jax.devices()
    chosen = [devices[0], *devices[4 : 3 + size]]  # the first process has one of them
    mesh = jax.sharding.Mesh(np.array(chosen), ("rows",))

    def split(values: Any, **more: Any) -> unify.Array:
        host = unify.numpy.asarray(values, **more).to_numpy()
        rows = ("rows",) if host.ndim and host.shape[0] and host.shape[0] % size == 0 else ()
        sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*rows))
        return unify.Array(jax.make_array_from_callback(host.shape, sharding, lambda i: host[i]))

    def described(value: Any) -> str:
        if isinstance(value, tuple | list):
            return ", ".join(map(described, value))
        if not isinstance(value, unify.Array):
            return type(value).__name__
        if not value.size or value.dtype.kind == "c":
            return f"{value.dtype}{value.shape}"
        total = xp.sum(xp.astype(xp.abs(value), xp.float64))
        return f"{value.dtype}{value.shape} {float(total):.12g}"

    calls: dict[str, Any] = {
        name: lambda name=name: function(xp, name)(*arguments(name, split))
        for name in RETURNING_ARRAYS
    }
    six = np.arange(1.0, 7.0)
    calls |= {
        "x[i]": lambda: split(six)[split([1, 0, 5, 2, 4, 3])],
        "x[mask]": lambda: split(six)[split(six) > 2.0],
        "x[9]": lambda: split(six)[split([9, 0, 5, 2, 4, 3])],
        "x[:4]": lambda: split(six)[:4],
        "x[::-1]": lambda: split(six)[::-1],
        "x[i] = v": lambda: _with(split(six), split([1, 0, 5, 2, 4, 3]), split(six)),
        "x[mask] = 0": lambda: _with(split(six), split(six) > 2.0, 0.0),
        "x[1:3] = 0": lambda: _with(split(six), slice(1, 3), 0.0),
        "view": lambda: _view(split(six)),
        "x ** -1": lambda: split([1, 2, 3, 4, 5, 6]) ** split([1, 1, 1, 1, 1, -1]),
        "repr": lambda: repr(split(six)),
        "device": lambda: xp.zeros(6, device=split(six).device) + split(six),
        "tolist": lambda: split(six).tolist(),
        "np.asarray": lambda: np.asarray(split(six)),
        "dlpack": lambda: np.from_dlpack(split(six)),
        "inv": lambda: xp.linalg.inv(split(np.ones((6, 6)))),
        "cholesky": lambda: xp.linalg.cholesky(split(np.full((6, 6), np.nan))),
    }
    for name, call in calls.items():
        faulthandler.dump_traceback_later(_SECONDS, exit=True)
        try:
            found = call()
            outcome = found if isinstance(found, str) else described(found)
        except Exception as error:
            outcome = f"{type(error).__name__}: {error}"
        yield name, outcome
    faulthandler.cancel_dump_traceback_later()


def _with(x: Any, key: Any, value: Any) -> Any:
    x[key] = value
    return x


def _view(x: Any) -> Any:
    part = x[2:]
    part[0] = 9.0
    return x


def main() -> None:
    """Make the calls, and write their outcomes."""
    rank, port, size = map(int, sys.argv[1:4])
    _start(rank, port)
    with Path(sys.argv[4]).open("w", encoding="utf-8") as file:
        for line in _outcomes(size):
            file.write(json.dumps(line) + "\n")
            file.flush()


if __name__ == "__main__":
    main()
