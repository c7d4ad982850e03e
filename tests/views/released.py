"""Objects that die as soon as nobody has them any more, without the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["uncollected"]


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the garbage collector from running in the block.

    It doesn't run before either: with all frameworks loaded that takes 0.1 s and more, and older
    garbage has nothing of what is made in the block.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
