"""Functions at drawn arguments: a row has the largest error at some of them.

Truths are by mpmath, in extended precision.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import mpmath
import numpy as np

from benchmarks.accuracy.libraries import LIBRARIES, REFUSALS, conversions, translated

__all__ = ["Bare", "Case", "Errors", "SIZE", "both", "log_uniform", "results", "truth_of"]

SIZE: Final = 100
"""Points of a function and data type; mpmath takes a millisecond and more for each."""
DIGITS: Final = 120
"""Digits of mpmath: its zeta has an absolute error, and values of 1e-47."""

Bare = Callable[[str, str], Callable[..., Any] | None]
Errors = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A function, the domain of its arguments in words, how they are drawn, and mpmath's value."""

    name: str
    domain: str
    draw: Callable[[np.random.Generator, int], list[Any]]
    exact: Callable[..., Any]


def log_uniform(rng: np.random.Generator, low: float, high: float, size: int) -> Any:
    """Return numbers whose logarithms are drawn alike."""
    return np.exp(rng.uniform(np.log(low), np.log(high), size))


def truth_of(case: Case, arguments: list[Any]) -> Any:
    """Return the values in extended precision; for rows of vectors, one or as many in each row."""
    rows = arguments[0] if arguments[0].ndim == 2 else np.stack(arguments, 1)
    convert = mpmath.mpc if rows.dtype.kind == "c" else mpmath.mpf
    found = []
    with mpmath.workdps(DIGITS):
        for row in rows.tolist():
            value = case.exact(*map(convert, row))
            found.append([_extended(v) for v in (value if isinstance(value, list) else [value])])
    truth = np.asarray(found)
    return truth[:, 0] if truth.shape[1] == 1 else truth


def _extended(value: Any) -> Any:
    parts = [np.longdouble(mpmath.nstr(part, 25)) for part in (mpmath.re(value), mpmath.im(value))]
    is_complex = isinstance(value, mpmath.mpc) and value.imag != 0
    return parts[0] + 1j * parts[1] if is_complex else parts[0]


def both(library: str, ours: Any, bare: Any, **named: Any) -> dict[str, Callable[..., Any]]:
    """Return ours and the library's own function, where it has one, of arrays of NumPy."""
    xp = importlib.import_module("arrayapi_unify").get_backend(library)
    to_native, of_native = conversions(library)

    def ours_of(*xs: Any) -> Any:
        return _unpacked(ours(*(xp.asarray(to_native(x)) for x in xs), **named), of_native)

    found = {"ours": ours_of}
    if bare is not None:
        found["bare"] = lambda *xs: _unpacked(bare(*map(to_native, xs)), of_native)
    return (
        {who: translated(call) for who, call in found.items()} if library == "tensorflow" else found
    )


def _unpacked(result: Any, of_native: Callable[[Any], Any]) -> Any:
    """Return a result, or each of several, as arrays of NumPy."""
    if isinstance(result, tuple | list):
        return [_unpacked(part, of_native) for part in result]
    return np.asarray(of_native(getattr(result, "data", result) if _is_ours(result) else result))


def _is_ours(result: Any) -> bool:
    return type(result).__module__.startswith("arrayapi_unify")


def results(
    functions: Callable[[str], dict[str, Any]], arguments: list[Any]
) -> Iterator[tuple[dict[str, str], Any]]:
    """Yield each library's results, bare and ours, but for those that refuse the data type."""
    for library in LIBRARIES:
        for who, function in functions(library).items():
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    found = function(*arguments)
                except REFUSALS:
                    continue
            yield {"library": library, "who": who}, found
