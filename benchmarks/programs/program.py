"""A program to measure: one portable source, the same by hand per framework, a reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

__all__ = ["SIZES", "Program", "Source", "differing"]

Source = Callable[..., Sequence[Any]]
"""A program: it gets a namespace and arrays, and returns arrays."""

SIZES: Final = ("small", "middle", "large")
"""Sizes at which a program takes mostly call overhead, some milliseconds, and tens of them."""


@dataclass(frozen=True, slots=True)
class Program:
    """One program in all the ways in which it is written."""

    title: str
    # Keyword arguments of `inputs`, by the name of the size.
    sizes: Mapping[str, Mapping[str, int]]
    inputs: Callable[..., Sequence[np.ndarray[Any, Any]]]
    # Written for any namespace of the standard: all of ours, and array-api-compat's.
    portable: Source
    # Written by hand, by backend; the namespace is the framework's own.
    own: Mapping[str, Source]
    keras: Source
    # Computed in another way, by NumPy, SciPy or scikit-learn in float64.
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
    """Say how results differ from the reference; nothing if they agree.

    In single precision a choice between two that are nearly alike may be another one.
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
