"""DLPack of frameworks whose own arrays have the protocol."""

from __future__ import annotations

from typing import Any, cast

__all__ = ["dlpack", "dlpack_device"]


def dlpack(x: Any, **options: Any) -> Any:
    """Export by the array's own protocol."""
    return x.__dlpack__(**options)


def dlpack_device(x: Any) -> tuple[Any, int]:
    """Return what the array itself says."""
    return cast("tuple[Any, int]", x.__dlpack_device__())
