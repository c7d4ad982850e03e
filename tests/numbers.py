"""Random numbers for tests that don't depend on which tests ran before, or where."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np

from tests.differential.runner import SEED

__all__ = ["generator", "start_again"]

_ALL: list[tuple[np.random.Generator, int]] = []


def generator(seed: int) -> np.random.Generator:
    """Make a generator that many tests share; each of them begins with the same numbers.

    Others are drawn with `ARRAYAPI_UNIFY_SEED`, which shows bounds that hold by luck.
    """
    made = np.random.default_rng(seed)
    _ALL.append((made, seed))
    return made


@cache
def _beginning(seed: int, other: int) -> Any:
    return np.random.default_rng([seed, other] if other else seed).bit_generator.state


def start_again() -> None:
    """Let all generators begin again; it is called before each test."""
    other = int(os.environ.get(SEED, "0"))
    for made, seed in _ALL:
        made.bit_generator.state = _beginning(seed, other)
