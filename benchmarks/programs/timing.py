"""The time of one program at one size, alternating all ways to run it."""

from __future__ import annotations

import importlib
import importlib.util
import statistics
import time
import timeit
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Final

import click

from benchmarks.measure import enough_loops, take_turns
from benchmarks.programs.catalog import PROGRAMS
from benchmarks.programs.program import Program, differing

__all__ = ["FRAMEWORKS", "Timing", "keras_ways", "measure", "ways"]

Run = Callable[[], Any]

FRAMEWORKS: Final = {
    "numpy": "numpy",
    "torch": "torch",
    "tensorflow": "tensorflow",
    "jax": "jax.numpy",
}
"""The module with the functions of a framework."""

_COMPILERS: Final = {
    "torch": ("torch", "compile"),
    "tensorflow": ("tensorflow", "function"),
    "jax": ("jax", "jit"),
}
_COMPAT: Final = {"numpy": "array_api_compat.numpy", "torch": "array_api_compat.torch"}


@dataclass(frozen=True, slots=True)
class Timing:
    """One program at one size: the time of the hand-written version, and ratios to it."""

    backend: str
    program: str
    size: str
    arrays: str
    own_us: float
    # None on NumPy, which has no compiler.
    own_compiled_us: float | None
    ratios: Mapping[str, float]


def _waiting(backend: str) -> Callable[[Any], Any]:
    """Return the function that awaits native results."""
    if backend == "jax":
        wait: Callable[[Any], Any] = importlib.import_module("jax").block_until_ready
        return wait
    return lambda results: results


def _compiled(backend: str, function: Callable[..., Any]) -> Callable[..., Any]:
    module, name = _COMPILERS[backend]
    compiled: Callable[..., Any] = getattr(importlib.import_module(module), name)(function)
    return compiled


def _own(backend: str, program: Program) -> Callable[..., Any]:
    """Return the hand-written program, as a new function each time for the compilers."""
    framework, source = importlib.import_module(FRAMEWORKS[backend]), program.own[backend]
    return lambda *arrays: source(framework, *arrays)


def ways(backend: str, program: Program, size: str) -> dict[str, Run]:
    """Return each way to run a program: hand-written, ours, and array-api-compat's.

    They run with the backend set, which top-level functions without an array use.
    """
    unify = importlib.import_module("arrayapi_unify")
    xp, wait, source = unify.get_backend(backend), _waiting(backend), program.portable
    ours = [xp.asarray(array) for array in program.made(size)]
    native = [x.data for x in ours]
    own = _own(backend, program)

    def called(function: Callable[..., Any], *arrays: Any) -> Run:
        return lambda: wait([result.data for result in function(*arrays)])

    @unify.portable  # type: ignore[untyped-decorator]  # the module is Any
    def portable(*arrays: Any) -> Any:
        return source(arrays[0].__array_namespace__(), *arrays)

    found: dict[str, Run] = {
        "own": lambda: wait(own(*native)),
        "bound": called(source, xp, *ours),
        "top level": called(source, unify, *ours),
        "portable": lambda: wait(portable(*native)),
        "compiled": called(unify.compile(lambda *arrays: source(xp, *arrays)), *ours),
    }
    if backend in _COMPILERS:
        own_compiled = _compiled(backend, _own(backend, program))
        found["own compiled"] = lambda: wait(own_compiled(*native))
    if backend in _COMPAT and importlib.util.find_spec("array_api_compat") is not None:
        compat = importlib.import_module(_COMPAT[backend])
        found["array-api-compat"] = lambda: source(compat, *native)
    return found


def keras_ways(backend: str, program: Program, size: str) -> dict[str, Run]:
    """Return the hand-written program and Keras' version, in float32, Keras' only data type."""
    ops, wait = importlib.import_module("keras").ops, _waiting(backend)
    own = _own(backend, program)
    made = [x.astype("float32") if x.dtype == "float64" else x for x in program.made(size)]
    native = [ops.convert_to_tensor(x) for x in made]
    return {"own": lambda: wait(own(*native)), "Keras": lambda: wait(program.keras(ops, *native))}


def _checked(found: Mapping[str, Run], program: Program, size: str, single: bool) -> None:
    """Run each way and compare it with the reference; raise for wrong results."""
    wanted = program.reference(*program.made(size))
    for way, run in found.items():
        wrong = differing(run(), wanted, single)
        if wrong:
            raise click.ClickException(f"{program.title}, {size}, {way}: {wrong}")


def measure(
    backend: str, name: str, size: str, rounds: int, keras: bool = False, cpu: bool = False
) -> Timing:
    """Measure a program at a size; a ratio is the median over the rounds."""
    program, clock = PROGRAMS[name], time.process_time if cpu else time.perf_counter
    found = (keras_ways if keras else ways)(backend, program, size)
    # Keras' process doesn't load our backend, which would enable float64 on JAX.
    unify = None if keras else importlib.import_module("arrayapi_unify")
    with unify.use_backend(backend) if unify else nullcontext():
        _checked(found, program, size, keras)
        timers = {way: timeit.Timer(run, timer=clock) for way, run in found.items()}
        # Equal time for each: a few runs after another program would have cold caches.
        loops = {way: enough_loops(timer) for way, timer in timers.items()}
        times = take_turns(timers, loops, rounds)
    own, own_compiled = times.pop("own"), times.pop("own compiled", None)
    ratios = {
        way: statistics.median(
            ours / base
            for ours, base in zip(
                taken, (own_compiled or own) if way == "compiled" else own, strict=True
            )
        )
        for way, taken in times.items()
    }
    own_us = statistics.median(own) / 1e3
    compiled_us = statistics.median(own_compiled) / 1e3 if own_compiled else None
    return Timing(backend, name, size, program.spelled(size), own_us, compiled_us, ratios)
