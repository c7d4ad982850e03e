"""The device functions on PyTorch."""

from __future__ import annotations

from typing import Any

import torch

from arrayapi_unify.backends._common.algorithms import memory
from arrayapi_unify.backends._common.checks.arguments import raise_stream_error


def to_device(
    x: torch.Tensor, device: torch.device | None, /, *, stream: Any = None
) -> torch.Tensor:
    """Copy to a device, on a stream of it where one is given."""
    target = x.device if device is None else device
    if stream is not None and target.type != "cuda":
        raise_stream_error(stream)
    if target == x.device:
        return x
    if stream is None:
        return x.to(target)
    if isinstance(stream, int):
        stream = torch.cuda.ExternalStream(stream, target)  # type: ignore[no-untyped-call]
    with torch.cuda.stream(stream):
        return x.to(target)


def total_mem_on_dev(device: torch.device, /) -> int:
    """Return the memory of the host, or of an accelerator as its driver says."""
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[1]
    if device.type == "mps":
        return torch.mps.recommended_max_memory()
    return memory.total()


def used_mem_on_dev(device: torch.device, /, *, process_specific: bool = False) -> int:
    """Return what is in use; of this process's PyTorch's allocator counts what it holds."""
    if device.type == "cuda":
        if process_specific:
            return torch.cuda.memory_reserved(device)
        free, total = torch.cuda.mem_get_info(device)
        return total - free
    if device.type == "mps":
        return torch.mps.driver_allocated_memory()
    return memory.used(process_specific)
