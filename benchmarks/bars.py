"""What a call of four elements may cost beside the bare call, and why some cost more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from benchmarks.measure import Result

__all__ = ["BARS", "Over", "allowed_ns", "over"]


class _Bar(NamedTuple):
    times: float
    more_ns: float


# A multiple of the bare call, or so much above it, whichever is more.
BARS: Final = {
    "numpy": _Bar(2.0, 1000),
    "torch": _Bar(1.5, 1500),
    "tensorflow": _Bar(1.25, 5000),
    "jax": _Bar(1.25, 5000),
}
_DEFAULT: Final = _Bar(1.5, 5000)
_SIZE: Final = 4
_DOOR: Final = "bound namespace"

# Why a row is above its bar, where that was found out; a measurement decides whether it is.
_INFINITE: Final = "the result and the divisor are looked at for infinities"
_VALUE: Final = (
    "what integers select is a value: PyTorch gives a view, we look for its place and copy it"
)
_COPIED: Final = (
    "NumPy gets memory that it can write to: the library's never changes, so it is copied"
)
REASONS: Final[dict[tuple[str, str], str]] = {
    ("numpy", "x // y"): _INFINITE,
    ("numpy", "floor_divide(x, y)"): _INFINITE,
    ("numpy", "asarray(list)"): "the types of the elements are looked at before NumPy is",
    ("torch", "x // y"): _INFINITE,
    ("torch", "floor_divide(x, y)"): _INFINITE,
    ("torch", "add(x, y, out=o)"): "shapes, data types and memory are looked at before the call",
    ("torch", "x += y"): "data types, and whether x is a window onto memory, are looked at first",
    ("torch", "x[1:3] += 1"): "a slice, a sum in it and a write of what is there already: Python's "
    "order of calls, each of which asks whose memory it is",
    ("tensorflow", "np.asarray(x)"): _COPIED,
    ("jax", "np.asarray(x)"): _COPIED,
    ("torch", "m[0, 1]"): _VALUE,
    ("torch", "float(x[0])"): _VALUE,
    ("tensorflow", "x // y"): _INFINITE,
    ("tensorflow", "floor_divide(x, y)"): _INFINITE,
    ("tensorflow", "x[1:3] += 1"): "three kernels: the slice, the sum, and the array with it",
}


class Over(NamedTuple):
    """A row above its bar."""

    backend: str
    operation: str
    native_ns: float
    ours_ns: float
    reason: str


def allowed_ns(backend: str, native_ns: float) -> float:
    """Return how long a call may take whose bare call takes so long."""
    bar = BARS.get(backend, _DEFAULT)
    return max(bar.times * native_ns, native_ns + bar.more_ns)


def over(results: Iterable[Result]) -> Iterator[Over]:
    """Find the rows above their bars."""
    for r in results:
        ratio = r.ratios.get(_DOOR)
        if r.size == _SIZE and ratio and ratio * r.native_ns > allowed_ns(r.backend, r.native_ns):
            reason = REASONS.get((r.backend, r.operation), "")
            yield Over(r.backend, r.operation, r.native_ns, ratio * r.native_ns, reason)
