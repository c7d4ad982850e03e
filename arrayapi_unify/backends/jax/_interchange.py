"""Memory shared with others: DLPack and NumPy."""

from __future__ import annotations

from typing import Any, Final

import jax
import numpy as np

from arrayapi_unify.backends._common import interchange
from arrayapi_unify.errors import UnifyValueError

__all__ = ["dlpack", "to_numpy"]

# JAX refuses consumers of older versions; the capsule without a version, which it makes, is theirs.
_OLDEST = (0, 5)
_CPU: Final = 1  # DLPack's code


def dlpack(x: Any, **options: Any) -> Any:
    """Export memory on the CPU as read-only; JAX's own capsule lets everybody write.

    That capsule is the only one that there is of memory elsewhere, and for an old consumer who
    asks for this very memory: the standard forbids a copy then.
    """
    version = options.get("max_version")
    told = options.get("copy") is not False or interchange.is_told_read_only(version)
    if told and int(x.__dlpack_device__()[0]) == _CPU:
        return interchange.dlpack(np.asarray(x), **options)
    if version is not None and version < _OLDEST:
        options["max_version"] = None
    return x.__dlpack__(**options)


def to_numpy(x: Any, /, *, copy: bool | None = None) -> Any:
    """Return the values; on the CPU a read-only view unless a copy is asked for."""
    if copy is False and not _on_one_cpu(x):
        raise UnifyValueError(
            f"to_numpy: argument 'copy' is False, but an array on {x.devices()} shares no memory "
            f"with NumPy; pass copy=None"
        )
    return np.array(x) if copy else np.asarray(x)


def _on_one_cpu(x: jax.Array) -> bool:
    # What is traced is on no device; NumPy raises JAX's explanation of it.
    devices = () if isinstance(x, jax.core.Tracer) else x.devices()
    return len(devices) < 2 and all(d.platform == "cpu" for d in devices)
