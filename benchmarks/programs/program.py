"""A program to measure: one portable source, hand-written versions, and a reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

__all__ = ["SIZES", "Program", "Source", "differing"]

Source = Callable[..., Sequence[Any]]
"""A program: a function of a namespace and arrays that returns arrays."""

SIZES: Final = ("small", "middle", "large")
"""Sizes: mostly call overhead, some milliseconds, and tens of milliseconds."""


@dataclass(frozen=True, slots=True)
class Program:
    """One program in all of its versions."""

    title: str
    # Keyword arguments of `inputs`, by the name of the size.
    sizes: Mapping[str, Mapping[str, int]]
    inputs: Callable[..., Sequence[np.ndarray[Any, Any]]]
    # Written for any namespace of the standard: ours, and array-api-compat's.
    portable: Source
    # Hand-written, by backend; the namespace is the framework's own.
    own: Mapping[str, Source]
    keras: Source
    # Computed by another method, with NumPy, SciPy or scikit-learn in float64.
    reference: Callable[..., Sequence[np.ndarray[Any, Any]]]

    def made(self, size: str) -> Sequence[np.ndarray[Any, Any]]:
        """Return the inputs of the program at a size, as NumPy arrays."""
        return self.inputs(np.random.default_rng(7), **self.sizes[size])

    def spelled(self, size: str) -> str:
        """Return the sizes of the arrays as text."""
        return ", ".join(f"{value:,} {name}" for name, value in self.sizes[size].items())


def differing(
    found: Sequence[Any], wanted: Sequence[np.ndarray[Any, Any]], single: bool = False
) -> str:
    """Describe the differences of results from the reference; return "" if they agree.

    In single precision a selection among nearly equal values may differ.
    """
    rtol, atol = (2e-3, 2e-3) if single else (1e-7, 1e-9)
    for i, (result, right) in enumerate(zip(found, wanted, strict=True)):
        values = np.asarray(result)
        if (values.dtype.kind, values.shape) != (right.dtype.kind, right.shape):
            return f"result {i} is {values.dtype}{values.shape}, not {right.dtype}{right.shape}"
        if not single and values.dtype != right.dtype:
            return f"result {i} has the data type {values.dtype}, not {right.dtype}"
        wrong = np.mean(~np.isclose(values, right, rtol=rtol, atol=atol))
        if wrong > (1e-3 if single else 0.0):
            return f"a share of {wrong:.3f} of result {i} differs"
    return ""
