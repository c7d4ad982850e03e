"""The device function on JAX."""

from __future__ import annotations

from typing import Any

from arrayapi_unify.backends._common.algorithms import memory
from arrayapi_unify.backends._common.checks.arguments import raise_stream_error
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.jax._devices import placed


def to_device(x: JaxArray, device: Any, /, *, stream: Any = None) -> JaxArray:
    """Move the array; XLA orders transfers itself, so it takes no stream."""
    if stream is not None:
        raise_stream_error(stream)
    return placed(x, device)


def _statistics(device: Any) -> dict[str, int]:
    """Return what XLA's allocator counts; nothing on the host, which has no such allocator."""
    return {} if device.platform == "cpu" else (device.memory_stats() or {})


def total_mem_on_dev(device: Any, /) -> int:
    """Return the memory of the host, or what XLA may take of an accelerator."""
    return _statistics(device).get("bytes_limit") or memory.total()


def used_mem_on_dev(device: Any, /, *, process_specific: bool = False) -> int:
    """Return what is in use; of an accelerator XLA knows its own part only."""
    found = _statistics(device).get("bytes_in_use")
    return memory.used(process_specific) if found is None else found
