"""DLPack of JAX's arrays."""

from __future__ import annotations

from typing import Any

from arrayapi_unify.backends._common import interchange

__all__ = ["dlpack"]

# JAX refuses consumers of older versions; the capsule without a version, which it makes, is theirs.
_OLDEST = (0, 5)


def dlpack(x: Any, **options: Any) -> Any:
    """Export by the array's own protocol."""
    version = options.get("max_version")
    if version is not None and version < _OLDEST:
        options["max_version"] = None
    return interchange.dlpack(x, **options)
