"""The global state, which a test may not change permanently."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from arrayapi_unify import backends, devices, dtypes
from arrayapi_unify.backends import handler

__all__ = ["unchanged"]


def _state() -> dict[str, Any]:
    return {
        "backends": (handler.stack(), handler.active_backend()),
        "verbosity": handler.log_level,
        "default int": dtypes.default_int(),
        "default float": dtypes.default_float(),
        "default complex": dtypes.default_complex(),
        "default device": devices.preferred_device.get(),
        "registry": dict(backends.REGISTRY),
        "errors that NumPy reports": np.geterr(),
    }


@contextmanager
def unchanged() -> Iterator[None]:
    """Fail if the block changes the global state."""
    before, ever_set = _state(), list(handler.ever_set)
    try:
        yield
    finally:
        # Not a visible state, but the top level is faster as long as it is empty: each test runs
        # the path that it would run alone.
        handler.ever_set[:] = ever_set
    assert _state() == before
