"""The functions of `special`, drawn over stated domains, and their values by mpmath."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import mpmath
import numpy as np

from benchmarks.accuracy.drawn import SIZE, Case, both, log_uniform, results, truth_of
from benchmarks.accuracy.units import FORMATS, Points

__all__ = ["CASES", "bare", "rows"]


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
    return found  # type: ignore[no-any-return]


def rows(names: Sequence[str] = (), size: int = SIZE) -> Iterator[dict[str, Any]]:
    """Yield a row for each function, data type and library, bare and ours."""
    for dtype in ("float64", "float32"):
        for case in CASES:
            if not names or case.name in names:
                yield from _measured(case, dtype, size)


def _measured(case: Case, dtype: str, size: int) -> Iterator[dict[str, Any]]:
    rng = np.random.default_rng(size)
    with np.errstate(over="ignore", under="ignore"):
        arguments = [x.astype(dtype) for x in case.draw(rng, size)]
    least = np.finfo(dtype).tiny
    kept = np.all([(np.abs(x) >= least) & np.isfinite(x) for x in arguments], axis=0)
    kept = kept.all(axis=1) if kept.ndim == 2 else kept
    arguments = [x[kept] for x in arguments]
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
        tallied = points.tally(np.ascontiguousarray(result).ravel())
        i = int(tallied.at[0] - 1) * len(arguments[0]) // truth.size if tallied.at else 0
        yield {
            "function": case.name, "domain": case.domain, "dtype": dtype, **who,
            "max": tallied.max_ulp, "at": [np.asarray(x[i]).tolist() for x in arguments],
            "wrong": tallied.wrong, "points": tallied.points,
        }  # fmt: skip
