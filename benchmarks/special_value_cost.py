"""`python -m benchmarks.special_value_cost`: elementwise functions at a million elements.

If a library deviates from the standard, our function corrects the result. This measures the cost
for each function, compared with the library's own function in the same run.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import timeit
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

import click
import numpy as np

from arrayapi_unify.contracts import CONTRACTS
from benchmarks.cases import BACKENDS, installed, load_candidates
from benchmarks.report import environment, options
from compliance import disk

SIZE: Final = 1_000_000
DTYPES: Final = ("float64", "complex128", "int64", "uint64")
# Ratios up to this are reported as free.
FREE: Final = 1.02
# The minimum time, in ms, of a pass over a million elements.
NO_PASS: Final = 0.05

_TORCH: Final = {
    "bitwise_invert": "bitwise_not",
    "conj": "conj_physical",
    "equal": "eq",
}
_TENSORFLOW: Final = {
    "bitwise_and": "bitwise.bitwise_and",
    "bitwise_invert": "bitwise.invert",
    "bitwise_left_shift": "bitwise.left_shift",
    "bitwise_or": "bitwise.bitwise_or",
    "bitwise_right_shift": "bitwise.right_shift",
    "bitwise_xor": "bitwise.bitwise_xor",
    "floor_divide": "math.floordiv",
    "isfinite": "math.is_finite",
    "isinf": "math.is_inf",
    "isnan": "math.is_nan",
    "nextafter": "math.nextafter",
    "remainder": "math.floormod",
    "round": "math.rint",
}
SPELLED: Final[dict[str, dict[str, str]]] = {"torch": _TORCH, "tensorflow": _TENSORFLOW}


@dataclass(frozen=True, slots=True)
class Cost:
    """The ratio of a function's time to that of the library's own function."""

    backend: str
    function: str
    dtype: str
    native_ms: float
    ratio: float


def bare_function(backend: str, namespace: Any, name: str) -> Callable[..., Any] | None:
    """Return the library's own function of the same meaning, or None."""
    spelled = SPELLED.get(backend, {}).get(name, name)
    places = [namespace, getattr(namespace, "math", None)]
    for place in filter(None, places):
        found = place
        for part in spelled.split("."):
            found = getattr(found, part, None)
        if callable(found):
            return found
    return None


def _operands(dtype: str) -> list[Any]:
    """Return two ordinary arrays, without special values; the second has small integers."""
    rng = np.random.default_rng(0)
    x, y = rng.uniform(0.5, 0.9, SIZE), rng.uniform(0.3, 0.8, SIZE)
    if dtype == "complex128":
        return [x + 1j * y, y + 1j * x]
    return [x, y] if dtype == "float64" else [(v * 9).astype(dtype) for v in (x * 9, y)]


def _once(call: Callable[[], Any], wait: Callable[[Any], Any]) -> float:
    begin = timeit.default_timer()
    wait(call())
    return timeit.default_timer() - begin


def measure(backend: str, rounds: int) -> Iterator[Cost]:
    """Measure all elementwise functions of one backend."""
    native, candidates = load_candidates(backend)
    xp = candidates[0].namespace
    wait: Callable[[Any], Any] = lambda result: result  # noqa: E731  # one of two, by backend
    if backend == "jax":
        wait = importlib.import_module("jax").block_until_ready
    names = [n for n, c in CONTRACTS.items() if c.category == "elementwise" and n != "clip"]
    for name in names:
        bare = bare_function(backend, native.namespace, name)
        if bare is None:
            continue
        for dtype in DTYPES:
            count = sum(p.required for p in CONTRACTS[name].parameters)
            arrays = [candidates[0].make(values) for values in _operands(dtype)[:count]]
            found = _ratio(getattr(xp, name), bare, arrays, rounds, wait)
            if found is not None:
                yield Cost(backend, name, dtype, *found)


def _ratio(
    ours: Callable[..., Any],
    bare: Callable[..., Any],
    arrays: list[Any],
    rounds: int,
    wait: Callable[[Any], Any],
) -> tuple[float, float] | None:
    """Return the bare call's time in ms and our ratio, or None if one of them raises."""
    natives = [x.data for x in arrays]
    data = lambda result: wait(result.data)  # noqa: E731  # awaits the native array
    try:
        for _ in range(2):
            dtypes = [str(ours(*arrays).data.dtype), str(bare(*natives).dtype)]
    except Exception:
        return None
    if dtypes[0] != dtypes[1]:  # for integers, some return float32
        return None
    pairs = [
        (_once(lambda: ours(*arrays), data), _once(lambda: bare(*natives), wait))
        for _ in range(rounds)
    ]
    return median(b for _, b in pairs) * 1e3, median(a / b for a, b in pairs)


def _page(costs: list[Cost]) -> str:
    lines = [
        "# Cost of special values",
        "",
        f"Elementwise functions at {SIZE:,} elements, as a multiple of the library's own function; "
        "written by `python -m benchmarks.special_value_cost`. "
        f"Those up to {FREE} are left out, those that "
        "the library lacks or computes in another data type, and those that only return or view "
        "their argument.",
        "",
        "On JAX a correction is compiled into the function. "
        "NumPy, PyTorch and TensorFlow let nothing "
        "into their kernels, so that values are checked in a pass of its own over one array. Where "
        "the function itself does no more than read one or two arrays and write one, that pass is "
        "a good part of its time (`add` of complex numbers, `sign`, shifts); it isn't noticed "
        "where the function computes for longer.",
        "",
        f"{environment()['description']}.",
    ]
    for backend in BACKENDS:
        group = [c for c in costs if c.backend == backend]
        if not group:
            continue
        group = [c for c in group if c.native_ms >= NO_PASS]
        dear = sorted((c for c in group if c.ratio > FREE), key=lambda c: -c.ratio)
        lines += ["", f"## {backend}", ""]
        lines += [f"{len(group)} measured, {len(group) - len(dear)} of them up to {FREE}.", ""]
        lines += ["| function | data type | bare call, ms | ratio |", "|---|---|---:|---:|"]
        lines += [
            f"| `{c.function}` | {c.dtype} | {c.native_ms:.2f} | {c.ratio:.2f} |" for c in dear
        ]
    return "\n".join(lines) + "\n"


@click.command()
@options(rounds=9)
@click.option("--only", hidden=True, help="Measure one backend here and print JSON.")
def main(rounds: int, backends: tuple[str, ...], only: str | None, output: Path) -> None:
    """Measure the cost of corrections of special values at a million elements."""
    if only is not None:
        click.echo(json.dumps([asdict(cost) for cost in measure(only, rounds)]))
        return
    costs: list[Cost] = []
    for backend in backends or installed():
        command = [sys.executable, "-m", "benchmarks.special_value_cost", "--only", backend]
        command += ["--rounds", str(rounds)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        costs += [Cost(**entry) for entry in json.loads(done.stdout.splitlines()[-1])]
    disk.write(output / "special_value_cost.md", _page(costs))


if __name__ == "__main__":
    main()
