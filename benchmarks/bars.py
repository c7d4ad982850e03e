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
REASONS: Final[dict[tuple[str, str], str]] = {}


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
