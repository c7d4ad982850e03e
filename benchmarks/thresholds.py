"""Limits on the cost of a call relative to the bare call, and reasons for exceptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from benchmarks.measure import Result

__all__ = [
    "THRESHOLDS",
    "LARGE",
    "SMALL",
    "TIMES_LARGE",
    "Exceedance",
    "allowed_ns",
    "needs_remeasure",
    "exceeding",
]


class _Threshold(NamedTuple):
    times: float
    more_ns: float


# A multiple of the bare call's time, or this many nanoseconds above it, whichever is larger.
THRESHOLDS: Final = {
    "numpy": _Threshold(2.0, 1000),
    "torch": _Threshold(1.5, 1500),
    "tensorflow": _Threshold(1.25, 5000),
    "jax": _Threshold(1.25, 5000),
}
_DEFAULT: Final = _Threshold(1.5, 5000)
SMALL: Final = 4
LARGE: Final = 1_000_000
# The multiple at LARGE elements; the nanoseconds are those at SMALL elements.
TIMES_LARGE: Final = 1.02
_CANDIDATE: Final = "bound namespace"

# The known reasons for a row above its threshold, shown if a measurement exceeds it.
_INFINITE: Final = "the result and the divisor are looked at for infinities"
_ROUNDED: Final = "whether the quotient was rounded to the next integer is looked at"
_TYPES: Final = "the types of all elements are looked at before the library is asked"
_VALUE: Final = (
    "what integers select is a value: PyTorch gives a view, we look for its place and copy it"
)
_COPIED: Final = (
    "NumPy asks for two other protocols first, and gets memory that it can write to: the library's "
    "never changes, so it is a copy, which x follows"
)
_NUMBER: Final = "the number is looked at, and becomes one of the array's data type"
REASONS: Final[dict[tuple[str, str], str]] = {
    ("numpy", "x // y"): _INFINITE,
    ("numpy", "floor_divide(x, y)"): _INFINITE,
    ("numpy", "asarray(list)"): _TYPES,
    ("tensorflow", "asarray(list)"): _TYPES,
    ("torch", "x // y"): _INFINITE,
    ("torch", "floor_divide(x, y)"): _INFINITE,
    ("torch", "add(x, y, out=o)"): "shapes, data types and memory are looked at before the call",
    ("torch", "x += y"): "data types, and whether x is an alias of memory, are looked at first",
    ("torch", "x[1:3] += 1"): "a slice, a sum in it and a write of what is there already: Python's "
    "order of calls, each of which asks whose memory it is",
    ("tensorflow", "np.asarray(x)"): _COPIED,
    ("jax", "np.asarray(x)"): _COPIED,
    ("torch", "reshape(x)"): "whether autograd follows x is looked at, and x remembers the view, "
    "which a later write may have to reach",
    ("torch", "concat((x, y))"): "native arrays are taken out of a sequence, and their data types "
    "and ranks looked at, which PyTorch's rule lets differ",
    ("torch", "arange(n)"): "Python's numbers are looked at, and the default data type and device "
    "looked up and given",
    ("torch", "m[0, 1]"): _VALUE,
    ("torch", "float(x[0])"): _VALUE,
    ("tensorflow", "x > 0"): _NUMBER,
    ("jax", "x > 0"): _NUMBER,
    ("jax", "add(x, y, out=o)"): "JAX has no `out`, so this is beside the call without it: shapes "
    "and data types are looked at, and o gets another array",
    ("tensorflow", "x // y"): _ROUNDED,
    ("tensorflow", "floor_divide(x, y)"): _ROUNDED,
    ("tensorflow", "x[1:3] += 1"): "three kernels: the slice, the sum, and the array with it",
}


class Exceedance(NamedTuple):
    """A row above its threshold."""

    backend: str
    operation: str
    native_ns: float
    ours_ns: float
    reason: str


def allowed_ns(backend: str, native_ns: float, size: int = SMALL) -> float:
    """Return the allowed time of a call for the time of the bare call."""
    threshold = THRESHOLDS.get(backend, _DEFAULT)
    times = threshold.times if size == SMALL else TIMES_LARGE
    return max(times * native_ns, native_ns + threshold.more_ns)


def needs_remeasure(result: Result) -> str | None:
    """Return the candidate with a time above its threshold."""
    if result.size not in (SMALL, LARGE) or _CANDIDATE not in result.ratios:
        return None
    ours = result.ratios[_CANDIDATE] * result.native_ns
    return _CANDIDATE if ours > allowed_ns(result.backend, result.native_ns, result.size) else None


def exceeding(results: Iterable[Result], size: int = SMALL) -> Iterator[Exceedance]:
    """Find the rows of a size that are above their thresholds."""
    for r in results:
        if r.size == size and needs_remeasure(r) is not None:
            reason = REASONS.get((r.backend, r.operation), "")
            ours = r.ratios[_CANDIDATE] * r.native_ns
            yield Exceedance(r.backend, r.operation, r.native_ns, ours, reason)
