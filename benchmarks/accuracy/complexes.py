"""Complex numbers: errors relative to the modulus of the truth, and to that of each component."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any, Final

import mpmath
import numpy as np

from benchmarks.accuracy.drawn import SIZE, Case, both, results, truth_of
from benchmarks.accuracy.libraries import MODULES
from benchmarks.special_value_cost import bare_function

__all__ = ["CASES", "rows"]

_DOMAIN: Final = "components: normal, times 2**-6 to 2**6"


def _drawn(count: int) -> Callable[[np.random.Generator, int], list[Any]]:
    def draw(rng: np.random.Generator, size: int) -> list[Any]:
        parts = rng.normal(size=(2 * count, size)) * 2.0 ** rng.integers(-6, 7, (2 * count, size))
        return [real + 1j * imag for real, imag in zip(parts[::2], parts[1::2], strict=True)]

    return draw


_UNARY: Final[dict[str, Callable[..., Any]]] = {
    name: getattr(mpmath, name)
    for name in (
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "expm1", "log",
        "log10", "log1p", "sin", "sinh", "sqrt", "tan", "tanh",
    )
} | {
    "abs": abs, "log2": lambda z: mpmath.log(z) / mpmath.log(2), "reciprocal": lambda z: 1 / z,
    "square": lambda z: z * z,
}  # fmt: skip
_BINARY: Final[dict[str, Callable[..., Any]]] = {
    "divide": lambda a, b: a / b, "multiply": lambda a, b: a * b, "pow": mpmath.power,
}  # fmt: skip
CASES: Final = tuple(
    Case(name, _DOMAIN, _drawn(count), table[name])
    for count, table in ((1, _UNARY), (2, _BINARY))
    for name in sorted(table)
)


def rows(names: tuple[str, ...] = (), size: int = SIZE) -> Iterator[dict[str, Any]]:
    """Yield a row for each function, data type and library, bare and ours."""
    for case in CASES:
        if names and case.name not in names:
            continue
        for dtype in ("complex64", "complex128"):
            yield from _measured(case, dtype, size)


def _functions(name: str) -> Callable[[str], dict[str, Any]]:
    def functions(library: str) -> dict[str, Any]:
        xp = importlib.import_module("arrayapi_unify").get_backend(library)
        namespace = importlib.import_module(MODULES.get(library, library))
        return both(library, getattr(xp, name), bare_function(library, namespace, name))

    return functions


def _unit(size: Any, real: str) -> Any:
    """Return the unit in the last place of magnitudes, of numbers that aren't subnormal."""
    bits, least = np.finfo(real).nmant, np.finfo(real).minexp
    exponent = np.frexp(size)[1] - 1
    return np.ldexp(np.longdouble(1), np.maximum(exponent, least) - bits)


@np.errstate(all="ignore")
def _measured(case: Case, dtype: str, size: int) -> Iterator[dict[str, Any]]:
    arguments = [x.astype(dtype) for x in case.draw(np.random.default_rng(size), size)]
    truth = truth_of(case, [x.astype(np.complex128) for x in arguments])
    real = "float32" if dtype == "complex64" else "float64"
    held = np.abs(truth) < np.finfo(real).max / 4
    for who, result in results(_functions(case.name), arguments):
        if result.dtype not in (dtype, real):
            continue
        error = result.astype(np.clongdouble) - truth
        whole = np.where(held, np.abs(error) / _unit(np.abs(truth), real), 0)
        parts = [
            np.where(held, np.abs(e) / _unit(np.abs(t), real), 0)
            for e, t in ((error.real, np.real(truth)), (error.imag, np.imag(truth)))
        ]
        i = int(np.argmax(whole))
        yield {
            "function": case.name, "domain": case.domain, "dtype": dtype, **who,
            "max": float(whole[i]), "at": [str(x[i]) for x in arguments],
            "component": float(np.max(parts)), "wrong": int(np.sum(~np.isfinite(whole))),
            "points": int(np.sum(held)),
        }  # fmt: skip
