"""The device function on JAX."""

from __future__ import annotations

from typing import Any

from arrayapi_unify.backends.jax._devices import placed
from arrayapi_unify.backends.jax._kernels import Arr
from arrayapi_unify.errors import UnifyValueError, refuse

__all__ = ["to_device"]


def to_device(x: Arr, device: Any, /, *, stream: Any = None) -> Arr:
    """Move the array; XLA orders transfers itself, so it takes no stream."""
    if stream is not None:
        refuse(
            UnifyValueError, "to_device", "stream", f"is {stream!r}, which JAX can't use", "drop it"
        )
    return placed(x, device)
