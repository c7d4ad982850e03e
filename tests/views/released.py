"""Objects that are freed with their last reference, without the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["uncollected"]


@contextmanager
def uncollected() -> Iterator[None]:
    """Disable the garbage collector in the block.

    It doesn't run before either: with all frameworks loaded that takes 0.1 s and more, and older
    garbage doesn't refer to the block's objects.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
