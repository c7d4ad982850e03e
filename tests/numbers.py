"""Random numbers for tests, independent of previous tests and of the worker."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np

from tests.differential.runner import SEED

__all__ = ["generator", "start_again"]

_ALL: list[tuple[np.random.Generator, int]] = []


def generator(seed: int) -> np.random.Generator:
    """Create a generator for many tests, each of which begins with the same numbers.

    `ARRAYAPI_UNIFY_SEED` draws others, which detects bounds that hold by chance.
    """
    made = np.random.default_rng(seed)
    _ALL.append((made, seed))
    return made


@cache
def _beginning(seed: int, other: int) -> Any:
    return np.random.default_rng([seed, other] if other else seed).bit_generator.state


def start_again() -> None:
    """Reset all generators before each test."""
    other = int(os.environ.get(SEED, "0"))
    for made, seed in _ALL:
        made.bit_generator.state = _beginning(seed, other)
