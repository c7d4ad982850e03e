"""The page of the programs: a table, reasons, and a plot of the same ratios."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.programs.catalog import PROGRAMS
from benchmarks.programs.program import SIZES
from benchmarks.programs.timing import Timing
from benchmarks.report import publish

__all__ = ["OURS", "threshold", "draw", "spell_reason", "write"]

OURS: Final = ("bound", "top level", "portable", "compiled")
_OTHERS: Final = ("array-api-compat", "Keras")

_CALLS: Final = (
    "beside PyTorch's calls of so few numbers, to make an Array takes its part, and to note a "
    "view, which a later write may concern, a greater one"
)
_COLD: Final = (
    "it is the same Python code as at the smallest size, amid calls whose arrays or decompositions "
    "fill the processor's caches"
)
_FLIPPED: Final = (
    "PyTorch has no views with negative steps, so those of `flip` are emulated, and each read "
    "checks for writes; and `eigh` checks for NaN, which crashes drivers"
)
_DIAGONAL: Final = (
    "NumPy's `diagonal` is read-only, so PyTorch's is emulated; and `cholesky` checks for infinite "
    "pivots; the rest is that of all calls"
)
_CHECKED: Final = (
    "there is no compiler: a graph checks the shapes and data types of all its arguments, and "
    "calls the same functions"
)
_COPIED: Final = (
    "TensorFlow multiplies by a transposed matrix without a copy of it where a flag says so, which "
    "the standard hasn't"
)
_FIRST_NAN: Final = "the first NaN is a minimum, so one pass looks first whether there may be one"
_TEMPORARY: Final = "NumPy computes in the memory of temporary operands; an Array holds its own"
_WAITS: Final = (
    "`solve` refuses singular matrices, and `cholesky` those that aren't positive definite, so "
    "Python waits for their results, which JAX by hand computes beside it"
)
_REASONS: Final[dict[tuple[str, str, str], str]] = {
    **{("torch", name, "small"): _CALLS for name in PROGRAMS},
    **{("torch", name, "middle"): _COLD for name in PROGRAMS},
    ("torch", "pca", "small"): _FLIPPED,
    ("torch", "gaussian_process", "small"): _DIAGONAL,
    **{("numpy", name, "small"): _CHECKED for name in ("pca", "fft_filter", "network")},
    ("numpy", "kmeans", "large"): _TEMPORARY,
    **{("numpy", "gaussian_process", size): _TEMPORARY for size in ("middle", "large")},
    **{("jax", "kalman", size): _WAITS for size in ("middle", "large")},
    ("jax", "gaussian_process", "middle"): _WAITS,
    **{("tensorflow", "kmeans", size): _FIRST_NAN for size in SIZES},
    **{("tensorflow", "pca", size): _COPIED for size in SIZES},
}
"""The measured reasons for ratios above the threshold, by backend, program and size."""


def threshold(backend: str, size: str) -> float:
    """Return the threshold of our ratio."""
    if size == "small":
        return 1.6 if backend == "numpy" else 1.25
    return 1.05


def spell_reason(timing: Timing) -> str:
    """Name our ways with ratios above the threshold, with the known reasons."""
    allowed = threshold(timing.backend, timing.size)
    above = [way for way in OURS if timing.ratios.get(way, 0.0) > allowed]
    if not above:
        return "yes"
    reason = _REASONS.get((timing.backend, timing.program, timing.size))
    return f"not {', '.join(above)}" + (f": {reason}" if reason else "")


def _us(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def _row(timing: Timing) -> dict[str, str]:
    ways = (*OURS, *_OTHERS)
    return {
        "backend": timing.backend,
        "program": PROGRAMS[timing.program].title,
        "size": f"{timing.size}: {timing.arrays}",
        "by hand, µs": _us(timing.own_us),
        "by hand and compiled, µs": _us(timing.own_compiled_us),
        **{way: f"{timing.ratios[way]:.2f}" if way in timing.ratios else "" for way in ways},
        "threshold": f"{threshold(timing.backend, timing.size):.2f}",
        "within the threshold": spell_reason(timing),
    }


_EXPLANATION: Final = """\
Whole programs, as multiples of the same programs written by hand with the framework's own
functions: {programs}. Each is written once for any namespace of the standard
(`benchmarks/programs/`) and run in four ways: with the bound namespace, with the top level where
the backend is set, by `portable` with native arrays, and compiled by `unify.compile`, the last one
beside the one by hand that `torch.compile`, `tf.function` or `jax.jit` compiles (on NumPy, beside
the one by hand as it is). array-api-compat runs the same source. All of it is in float64. Keras has
that on TensorFlow only: its ratio is to the program by hand in float32, in a process of its own.
The net makes a step of training, with derivatives written as formulas. Before it was timed each
result was compared with SciPy's or scikit-learn's, or with a formula of another kind. Medians over
rounds in which all take turns, for some milliseconds each{clock}; an empty cell was not measured.
Written by `python -m benchmarks.programs`.{absent}

![Each program as a multiple of the one by hand](programs.svg)"""


_ALONE: Final = ", in time of the processor with one thread, as others used the machine (`--cpu`)"


def write(
    output: Path, timings: Sequence[Timing], absent: Sequence[str], cpu: bool = False
) -> None:
    """Print the table, and write `programs.json`, `programs.md` and `programs.svg`."""
    titles = [program.title for program in PROGRAMS.values()]
    clock = _ALONE if cpu else ""
    missing = f" Not here, and so left out: {', '.join(absent)}." if absent else ""
    columns = {name: (lambda t, name=name: _row(t)[name]) for name in _row(timings[0])}
    text = _EXPLANATION.format(programs=", ".join(titles), absent=missing, clock=clock)
    publish(output, "programs", "Cost of whole programs", text, timings, columns)
    draw(timings, output / "programs.svg")


def _points(timings: Sequence[Timing], backend: str, size: str, way: str) -> list[float | None]:
    found = {t.program: t for t in timings if (t.backend, t.size) == (backend, size)}
    return [found[p].ratios.get(way) if p in found else None for p in PROGRAMS]


def _panel(place: Any, timings: Sequence[Timing], backend: str, size: str) -> None:
    """Draw a point for each program and way, and the threshold."""
    for i, way in enumerate((*OURS, *_OTHERS)):
        points = _points(timings, backend, size, way)
        known = [(k + 0.1 * (i - 2.5), y) for k, y in enumerate(points) if y is not None]
        if known:
            x, y = zip(*known, strict=True)
            place.scatter(x, y, s=22, marker="ooooDs"[i], color=f"C{i}", label=way)
    allowed = threshold(backend, size)
    place.axhspan(0.0, allowed, color="#2ca02c", alpha=0.08, linewidth=0)
    place.axhline(1.0, color="#808080", linewidth=0.8)
    place.set(title=f"{backend}, {size}", yscale="log", ylim=(0.25, 32.0))
    place.set_yticks([0.5, 1, 2, 4, 8, 16], ["0.5", "1", "2", "4", "8", "16"])
    place.minorticks_off()
    titles = [program.title for program in PROGRAMS.values()]
    place.set_xticks(range(len(titles)), titles, rotation=40, ha="right")


def draw(timings: Sequence[Timing], path: Path) -> None:
    """Draw the ratios: a panel for each backend and size, on a background that is always white."""
    matplotlib = importlib.import_module("matplotlib")
    # Reproducible, independent of previous drawings.
    settings = {"svg.hashsalt": "programs", "font.size": 8}
    with matplotlib.rc_context(matplotlib.rcParamsDefault | settings):
        backends = list(dict.fromkeys(t.backend for t in timings))
        height = 0.9 + 2.1 * len(backends)
        # Without a display.
        figure = importlib.import_module("matplotlib.figure").Figure(figsize=(10, height))
        _panels(figure, timings, backends)
        figure.tight_layout(rect=(0, 0, 1, 0.96))
        figure.savefig(path, format="svg", metadata={"Date": None})


def _panels(figure: Any, timings: Sequence[Timing], backends: Sequence[str]) -> None:
    """Draw a row for each backend, a column for each size, and a legend."""
    places = figure.subplots(len(backends), len(SIZES), sharex=True, sharey=True, squeeze=False)
    for backend, row in zip(backends, places, strict=True):
        for size, place in zip(SIZES, row, strict=True):
            _panel(place, timings, backend, size)
        row[0].set_ylabel("multiple of the one by hand")
    drawn: dict[str, Any] = {}
    for place in places.flat:
        handles, labels = place.get_legend_handles_labels()
        drawn.update(zip(labels, handles, strict=True))
    figure.legend(drawn.values(), drawn.keys(), ncols=len(drawn), loc="upper center")
