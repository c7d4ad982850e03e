"""Predicates for the calls of `cov` and `corrcoef` that the libraries' own functions serve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["has_covariances", "has_correlations"]


def has_covariances(is_floating: Callable[[Any], bool]) -> Callable[..., bool]:
    """Return a predicate: True if `cov` gets rows of real numbers, and enough of them."""

    def is_plain(
        x: Any, y: Any = None, /, *, rowvar: bool = True, correction: Any = 1, fweights: Any = None,
        aweights: Any = None,
    ) -> bool:  # fmt: skip
        lone = y is None and fweights is None and aweights is None and rowvar is True
        return lone and type(correction) is int and _enough(is_floating, x, correction)

    return is_plain


def has_correlations(is_floating: Callable[[Any], bool]) -> Callable[..., bool]:
    """Return a predicate: True if `corrcoef` gets rows of real numbers, and enough of them."""

    def is_plain(x: Any, y: Any = None, /, *, rowvar: bool = True) -> bool:
        return y is None and rowvar is True and _enough(is_floating, x, 1)

    return is_plain


def _enough(is_floating: Callable[[Any], bool], x: Any, correction: int) -> bool:
    rank = len(x.shape)
    few = rank in (1, 2) and 0 <= correction < x.shape[-1] and x.shape[0] > 0
    return few and is_floating(x)
