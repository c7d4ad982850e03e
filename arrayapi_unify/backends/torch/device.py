"""The device functions on PyTorch."""

from __future__ import annotations

from typing import Any

import torch

from arrayapi_unify.errors import UnifyValueError, refuse

__all__ = ["to_device"]


def to_device(
    x: torch.Tensor, device: torch.device | None, /, *, stream: Any = None
) -> torch.Tensor:
    """Copy to a device, on a stream of it where one is given."""
    if device is None or device == x.device:
        return x
    if stream is None:
        return x.to(device)
    if device.type != "cuda":
        refuse(
            UnifyValueError, "to_device", "stream", f"is {stream!r}, but {device} has none",
            "drop it",
        )  # fmt: skip
    if isinstance(stream, int):
        stream = torch.cuda.ExternalStream(stream, device)  # type: ignore[no-untyped-call]
    with torch.cuda.stream(stream):
        return x.to(device)
