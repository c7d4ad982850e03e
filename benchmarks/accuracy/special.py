"""The functions of `special`, drawn over stated domains, and their values by mpmath."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import mpmath
import numpy as np

from benchmarks.accuracy.drawn import Case, both, log_uniform, results, truth_of
from benchmarks.accuracy.units import FORMATS, Points

__all__ = ["CASES", "SIZE", "bare", "drawn", "outside", "rows"]

SIZE: Final = 2000
"""Points of a function and data type that count; mpmath takes minutes for all."""
_DRAWS: Final = 200
_INSIDE: Final = 1 + 1e-6
"""SciPy's results are near the truth, so that this says on which side of a limit that is."""


_WITHIN_UNITS: Final = (
    "entr", "erf", "erfc", "erfinv", "expit", "i0", "i1", "logit", "ndtri", "xlogy", "zeta",
)  # fmt: skip
_UNITS: Final = 8
_RELATIVE: Final = 1e-13


def outside(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of ours in float64 that are off by more than 8 units, or by 1e-13."""
    return [
        row
        for row in rows
        if (row["who"], row["dtype"]) == ("ours", "float64")
        and (
            row["max"] > _UNITS if row["function"] in _WITHIN_UNITS else row["relative"] > _RELATIVE
        )
    ]


def _on(low: float, high: float) -> Callable[..., list[Any]]:
    return lambda rng, size: [rng.uniform(low, high, size)]


def _sizes(low: float, high: float) -> Callable[..., list[Any]]:
    return lambda rng, size: [log_uniform(rng, low, high, size)]


def _signed(low: float, high: float) -> Callable[..., list[Any]]:
    return lambda rng, size: [log_uniform(rng, low, high, size) * rng.choice([-1, 1], size)]


def _pairs(low: float, high: float) -> Callable[..., list[Any]]:
    return lambda rng, size: [log_uniform(rng, low, high, size) for _ in range(2)]


def _shaped(rng: np.random.Generator, size: int) -> list[Any]:
    a = log_uniform(rng, 0.01, 1000, size)
    return [a, a * rng.uniform(0.3, 2, size)]


def _vectors(rng: np.random.Generator, size: int) -> list[Any]:
    return [rng.normal(size=(size, 8)) * 10]


def _ndtr(x: Any) -> Any:
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def _newton(start: float, change: Callable[[Any], Any]) -> Any:
    """Return a root: three steps from a double give far more digits than one has."""
    x = mpmath.mpf(start)
    for _ in range(3):
        x -= change(x)
    return x


def _ndtri(p: Any) -> Any:
    scipy_special = importlib.import_module("scipy.special")
    return _newton(scipy_special.ndtri(float(p)), lambda x: (_ndtr(x) - p) / mpmath.npdf(x))


def _erfinv(y: Any) -> Any:
    def change(x: Any) -> Any:
        return (mpmath.erf(x) - y) * mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(x * x)

    return _newton(importlib.import_module("scipy.special").erfinv(float(y)), change)


def _kl_div(x: Any, y: Any) -> Any:
    return x * mpmath.log(x / y) - x + y


def _bessel(order: int, scaled: bool = False) -> Callable[[Any], Any]:
    def value(x: Any) -> Any:
        return mpmath.besseli(order, x) * (mpmath.exp(-abs(x)) if scaled else 1)

    return value


def _log_beta(a: Any, b: Any) -> Any:
    return mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b)


def _sum_exp(xs: Any) -> Any:
    return mpmath.fsum(map(mpmath.exp, xs))


def _regularized(upper: bool) -> Callable[[Any, Any], Any]:
    def value(a: Any, x: Any) -> Any:
        limits = (x, mpmath.inf) if upper else (0, x)
        return mpmath.gammainc(a, *limits, regularized=True)

    return value


CASES: Final = tuple(
    Case(*row)
    for row in (
        ("beta", "1e-5 to 100", _pairs(1e-5, 100), lambda a, b: mpmath.exp(_log_beta(a, b))),
        ("betainc", "a, b: 0.01 to 1000, x: 0 to 1",
         lambda rng, size: [*_pairs(0.01, 1000)(rng, size), rng.uniform(0, 1, size)],
         lambda a, b, x: mpmath.betainc(a, b, 0, x, regularized=True)),
        ("betaln", "1e-5 to 1e5", _pairs(1e-5, 1e5), _log_beta),
        ("digamma", "1e-300 to 1e300", _sizes(1e-300, 1e300), mpmath.digamma),
        ("entr", "1e-300 to 10", _sizes(1e-300, 10), lambda x: -x * mpmath.log(x)),
        ("erf", "-6 to 6", _signed(1e-300, 6), mpmath.erf),
        ("erfc", "-6 to 26", _on(-6, 26), mpmath.erfc),
        ("erfcx", "-26 to 50", _on(-26, 50), lambda x: mpmath.exp(x * x) * mpmath.erfc(x)),
        ("erfinv", "-1 to 1", _on(-1, 1), _erfinv),
        ("expit", "-700 to 40", _on(-700, 40), lambda x: 1 / (1 + mpmath.exp(-x))),
        ("gamma", "-160 to 170", _on(-160, 170), mpmath.gamma),
        ("gammainc", "a: 0.01 to 1000, x / a: 0.3 to 2", _shaped, _regularized(False)),
        ("gammaincc", "a: 0.01 to 1000, x / a: 0.3 to 2", _shaped, _regularized(True)),
        ("gammaln", "1e-300 to 1e300", _sizes(1e-300, 1e300), mpmath.loggamma),
        ("i0", "-700 to 700", _on(-700, 700), _bessel(0)),
        ("i0e", "0.001 to 1e5", _sizes(0.001, 1e5), _bessel(0, True)),
        ("i1", "-700 to 700", _on(-700, 700), _bessel(1)),
        ("i1e", "0.001 to 1e5", _sizes(0.001, 1e5), _bessel(1, True)),
        ("kl_div", "0.001 to 1000", _pairs(0.001, 1000), _kl_div),
        ("log_ndtr", "-1000 to 8", _on(-1000, 8), lambda x: mpmath.log(_ndtr(x))),
        ("log_softmax", "vectors of 8, normal, times 10", _vectors,
         lambda *xs: [x - mpmath.log(_sum_exp(xs)) for x in xs]),
        ("logit", "1e-300 to 1", _sizes(1e-300, 1), lambda x: mpmath.log(x / (1 - x))),
        ("logsumexp", "vectors of 8, normal, times 10", _vectors,
         lambda *xs: [mpmath.log(_sum_exp(xs))]),
        ("ndtr", "-37 to 8", _on(-37, 8), _ndtr),
        ("ndtri", "1e-300 to 1", _sizes(1e-300, 1), _ndtri),
        ("polygamma", "n: 2, x: 0.01 to 1e4",
         lambda rng, size: [np.full(size, 2.0), log_uniform(rng, 0.01, 1e4, size)],
         lambda n, x: mpmath.psi(int(n), x)),
        ("rel_entr", "0.001 to 1000", _pairs(0.001, 1000), lambda x, y: x * mpmath.log(x / y)),
        ("softmax", "vectors of 8, normal, times 10", _vectors,
         lambda *xs: [mpmath.exp(x) / _sum_exp(xs) for x in xs]),
        ("xlog1py", "1e-300 to 1e300", _pairs(1e-150, 1e150), lambda x, y: x * mpmath.log1p(y)),
        ("xlogy", "1e-300 to 1e300", _pairs(1e-150, 1e150), lambda x, y: x * mpmath.log(y)),
        ("zeta", "x: 1.01 to 60, q: 0.01 to 100",
         lambda rng, size: [rng.uniform(1.01, 60, size), log_uniform(rng, 0.01, 100, size)],
         lambda x, q: mpmath.zeta(x, q)),
    )
)  # fmt: skip
_OVER_AXES: Final = ("log_softmax", "logsumexp", "softmax")
_TENSORFLOW: Final = {
    "betainc": "math.betainc",
    "digamma": "math.digamma", "erf": "math.erf", "erfc": "math.erfc", "erfinv": "math.erfinv",
    "expit": "math.sigmoid", "gammainc": "math.igamma", "gammaincc": "math.igammac",
    "gammaln": "math.lgamma", "i0": "math.bessel_i0", "i0e": "math.bessel_i0e",
    "i1": "math.bessel_i1", "i1e": "math.bessel_i1e", "log_softmax": "nn.log_softmax",
    "logsumexp": "reduce_logsumexp", "ndtri": "math.ndtri", "polygamma": "math.polygamma",
    "softmax": "nn.softmax", "xlog1py": "math.xlog1py", "xlogy": "math.xlogy", "zeta": "math.zeta",
}  # fmt: skip
_MODULES: Final = {
    "numpy": "scipy.special", "torch": "torch.special", "tensorflow": "tensorflow",
    "jax": "jax.scipy.special",
}  # fmt: skip


def bare(library: str, name: str) -> Callable[..., Any] | None:
    """Return the library's own function, along the last axis if it has one; SciPy's for NumPy."""
    found: Any = importlib.import_module(_MODULES[library])
    if library == "jax" and name.endswith("softmax"):
        found = importlib.import_module("jax.nn")
    spelled = _TENSORFLOW.get(name, "none") if library == "tensorflow" else name
    for part in spelled.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        return None
    if name in _OVER_AXES:
        axis = {"dim": -1} if library == "torch" else {"axis": -1}
        return lambda x: found(x, **axis)
    if (library, name) == ("torch", "polygamma"):
        return lambda n, x: found(int(n[0]), x)
    return found


def rows(names: Sequence[str] = (), size: int = SIZE) -> Iterator[dict[str, Any]]:
    """Yield a row for each function, data type and library, bare and ours."""
    for dtype in ("float64", "float32"):
        for case in CASES:
            if not names or case.name in names:
                yield from _measured(case, dtype, size)


def drawn(case: Case, dtype: str, size: int) -> list[Any]:
    """Draw arguments that count: they and the results are normal numbers, SciPy's results at least.

    Most numbers of a domain of float64 are infinite, subnormal or zero in float32, or their results
    are, so that it takes many draws.
    """
    rng, found, count = np.random.default_rng(size), [], 0
    for _ in range(_DRAWS):
        with np.errstate(all="ignore"):
            arguments = [x.astype(dtype) for x in case.draw(rng, size)]
            kept = _counting(case, arguments)
        found.append([x[kept] for x in arguments])
        count += int(kept.sum())
        if count >= size:
            return [np.concatenate(parts)[:size] for parts in zip(*found, strict=True)]
    raise AssertionError(f"{case.name} of {dtype}: {count} of {size} points count")


def _counting(case: Case, arguments: list[Any]) -> Any:
    """Return which arguments count; a vector does where each of its numbers does."""
    normal = np.finfo(arguments[0].dtype)
    wide = [x.astype(np.float64) for x in arguments]
    function = bare("numpy", case.name)
    assert function is not None, "SciPy has all of them"
    kept = np.ones(len(wide[0]), bool)
    for x in (*wide, np.asarray(function(*wide))):
        inside = (np.abs(x) > _INSIDE * normal.tiny) & (_INSIDE * np.abs(x) < normal.max)
        kept &= inside.all(axis=1) if inside.ndim == 2 else inside
    return kept


def _measured(case: Case, dtype: str, size: int) -> Iterator[dict[str, Any]]:
    arguments = drawn(case, dtype, size)
    truth = truth_of(case, [x.astype(np.float64) for x in arguments])
    place = np.arange(1.0, truth.size + 1)
    points = Points([place], truth.ravel(), FORMATS[dtype])
    named = {"axis": -1} if case.name in _OVER_AXES else {}

    def functions(library: str) -> dict[str, Any]:
        xp = importlib.import_module("arrayapi_unify").get_backend(library)
        return both(library, getattr(xp.special, case.name), bare(library, case.name), **named)

    for who, result in results(functions, arguments):
        if result.dtype != dtype:
            continue
        flat = np.ascontiguousarray(result).ravel()
        tallied = points.tally(flat)
        i = int(tallied.at[0] - 1) * len(arguments[0]) // truth.size if tallied.at else 0
        with np.errstate(invalid="ignore"):
            relative = np.abs(flat / truth.ravel() - 1)
        yield {
            "function": case.name, "domain": case.domain, "dtype": dtype, **who,
            "max": tallied.max_ulp, "at": [np.asarray(x[i]).tolist() for x in arguments],
            "relative": float(np.max(relative, initial=0)), "wrong": tallied.wrong,
            "points": tallied.normal,
        }  # fmt: skip
