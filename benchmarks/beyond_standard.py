"""`python -m benchmarks.beyond_standard`: functions beyond it and the libraries' similar ones.

A mixed or compositional function may have a native implementation if a library has a similar
function. The rows are the functions with one, with the cost of a call of four elements.
"""

from __future__ import annotations

import importlib
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from benchmarks.beyond_standard_rows import ARRAYS, ROWS
from benchmarks.cases import installed
from benchmarks.report import options, publish
from benchmarks.thresholds import allowed_ns

__all__ = ["SIMILAR", "Result", "measure"]

_CALLS: Final = 50

_LIBRARIES: Final = ("numpy", "torch", "tensorflow", "jax")
# The calls of the libraries' similar functions.
SIMILAR: Final[dict[str, dict[str, str]]] = {
    library: {name: getattr(row, library) for name, row in ROWS.items() if getattr(row, library)}
    for library in _LIBRARIES
}

_NOT_YET: Final = "not found out"
_AT_INFINITY: Final = "the library's own is NaN at infinity, where ours is the limit"
_SAME_SIGN: Final = "the library's own is NaN between two infinities of the same sign"
_SINGLE: Final = "the library's own has constants of single precision"
_VIEWS: Final = "the parts are views that are emulated, which the library's own aren't"
_ASKED: Final = "whether the library's own function means the same in this call is asked first"
_RESOLVED: Final = "the equation is looked up and checked first"
_NUMBERS: Final = "start and stop may be arrays: numbers are made arrays first"
_CHANNELS: Final = "the channels stand last, and are moved there and back"
_SPELLED: Final = "what it is told is spelled out for each axis first"
_OVER: Final = "the library's own is inexact for large numbers, whose squares it adds up"
_REFUSED: Final = "the library's own refuses numbers out of range, or has no derivative"
_MORE: Final = "ours returns the running statistics too"
_IN_TURN: Final = "a comparison of all elements follows, whose result is a number on the host"
_EDGES: Final = "the library's own rounds edges or positions in another way"
# The known reasons for which a row stays above its threshold.
REASONS: Final[dict[tuple[str, str], str]] = {
    **{(b, "split"): _VIEWS for b in ("jax", "tensorflow", "torch")},
    **{
        (b, name): _SAME_SIGN
        for b in ("jax", "torch")
        for name in ("quantile", "percentile")
        if (b, name) != ("torch", "percentile")
    },
    **{(b, "logspace"): _NUMBERS for b in ("jax", "numpy", "torch")},
    **{
        (b, name): _AT_INFINITY
        for b in ("jax", "torch")
        for name in ("nn.hardswish", "nn.softsign")
    },
    **{("torch", name): _AT_INFINITY for name in ("nn.gelu", "nn.mish", "nn.silu", "nn.kl_div")},
    **{
        ("torch", name): _CHANNELS
        for name in ("nn.avg_pool1d", "nn.conv1d", "nn.conv1d_transpose", "nn.max_pool1d")
    },
    **{(b, "nn.batch_norm"): _MORE for b in ("tensorflow", "torch")},
    **{
        ("torch", name): _ASKED
        for name in (
            "nn.adaptive_avg_pool1d",
            "nn.embedding",
            "nn.group_norm",
            "nn.instance_norm",
            "nn.layer_norm",
            "nn.prelu",
            "nn.threshold",
        )
    },
    ("torch", "nn.local_response_norm"): "ours is made of the standard's functions",
    (
        "torch",
        "nn.scaled_dot_product_attention",
    ): "the kernel that stores no scores serves one batch "
    "too: the library takes two matrices by another one, which is faster for small ones",
    ("numpy", "bincount"): _ASKED,
    **{(b, "einsum"): _RESOLVED for b in ("numpy", "tensorflow")},
    ("torch", "nn.hardsigmoid"): "the library's own has no second derivative",
    ("numpy", "unravel_index"): "the library's own refuses indices out of bounds",
    ("tensorflow", "segment_sum"): "the library's own fails where a number is out of range",
    ("tensorflow", "one_hot"): _REFUSED,
    ("tensorflow", "nn.avg_pool1d"): _ASKED,
    **{("tensorflow", name): _SINGLE for name in ("nn.leaky_relu", "nn.selu")},
    **{(b, "nn.interpolate"): _EDGES for b in ("jax", "torch")},
    **{(b, "allclose"): _IN_TURN for b in ("jax", "torch")},
    ("jax", "nn.embedding"): "the indices are looked at: the library's own gives NaN out of bounds",
    ("jax", "nn.hardtanh"): "the library's own has a derivative at the bounds",
    ("jax", "interp"): "the library's own is NaN at an infinite value",
    ("jax", "nn.layer_norm"): _OVER,
    ("numpy", "interp"): "the library's own is infinite beside an infinite value, ours NaN",
    ("tensorflow", "histogram"): "the library's own counts outliers in the outer bins",
    ("torch", "histogram"): "the library's own counts in floating-point numbers",
    ("tensorflow", "nn.elu"): "the library's own subtracts 1 from what is nearly 1",
    ("tensorflow", "nn.l2_normalize"): "the library's own bounds the square of the norm",
    ("tensorflow", "nn.max_pool1d"): "the library's own passes over NaN",
    ("tensorflow", "nn.softsign"): _AT_INFINITY,
    ("torch", "nn.binary_cross_entropy"): "the library's own bounds logarithms, ours the shares",
    ("torch", "nn.cosine_similarity"): _OVER,
    ("torch", "one_hot"): _REFUSED,
    ("torch", "pad"): _SPELLED,
}


@dataclass(frozen=True, slots=True)
class Result:
    """The cost of a call, ours and the library's, compared with the threshold."""

    backend: str
    function: str
    native_ns: float
    ours_ns: float
    within: bool
    reason: str


def _names(backend: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the names for our calls, and those for the library's."""
    xp: Any = importlib.import_module("arrayapi_unify").get_backend(backend)
    arrays = {name: xp.asarray(values) for name, values in ARRAYS.items()}
    library = importlib.import_module(xp.ones(1).backend)
    return {"xp": xp, **arrays}, {"f": library, **{k: x.data for k, x in arrays.items()}}


def _call(text: str, names: dict[str, Any]) -> Callable[[], Any]:
    made: Callable[[], Any] = eval(f"lambda: {text}", names)
    return made


def measure(backend: str, rounds: int) -> list[Result]:
    """Alternate our call and the library's; return the fastest round of each."""
    results = []
    ours_names, names = _names(backend)
    for function, text in sorted(SIMILAR[backend].items()):
        calls = [_call(text, names), _call(ROWS[function].ours, ours_names)]
        for call in calls:
            call()  # compile and warm up
        pairs = [
            [timeit.timeit(c, number=_CALLS) / _CALLS * 1e9 for c in calls] for _ in range(rounds)
        ]
        native, ours = (min(times) for times in zip(*pairs, strict=True))
        within = ours <= allowed_ns(backend, native)
        reason = "" if within else REASONS.get((backend, function), _NOT_YET)
        results.append(Result(backend, function, native, ours, within, reason))
    return results


_COLUMNS: Final[dict[str, Callable[[Result], str]]] = {
    "backend": lambda r: r.backend,
    "function": lambda r: f"`{r.function}`",
    "the library's, us": lambda r: f"{r.native_ns / 1e3:,.1f}",
    "ours": lambda r: f"{r.ours_ns / r.native_ns:.1f}",
    "within the threshold": lambda r: "yes" if r.within else r.reason,
}


@click.command()
@options(rounds=21)
def main(rounds: int, backends: tuple[str, ...], output: Path) -> None:
    """Measure, print, and write `beyond_standard.json` and `beyond_standard.md`."""
    publish(
        output,
        "beyond_standard",
        "Functions beyond the standard beside the libraries' own",
        "The time of a call of four elements, as a multiple of the library's similar function; "
        "written by `python -m benchmarks.beyond_standard`.",
        [result for b in backends or installed() for result in measure(b, rounds)],
        _COLUMNS,
    )


if __name__ == "__main__":
    main()
