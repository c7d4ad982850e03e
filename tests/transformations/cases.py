"""A drawn program under one or two transformations, on a backend and on NumPy."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

import numpy as np

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyError
from tests.transformations.programs import NUMPY, REFUSALS, Program, defined, draw
from tests.transformations.transformations import (
    DERIVATIVES,
    TRANSFORMATIONS,
    Place,
    Transformation,
)

__all__ = ["Case", "Finding", "drawn", "shrunk"]

_ALL: Final[dict[str, Transformation]] = TRANSFORMATIONS | DERIVATIVES
_TOLERANCE: Final = {
    "float64": 1e-9,
    "float32": 3e-5,
    "float16": 2e-2,
    "complex128": 1e-9,
    "complex64": 3e-5,
}
_OF_DIFFERENCES: Final = 1e-4
# The most used ones are drawn more often.
_WEIGHTS: Final = {"compile": 3, "vmap": 3, "compile_graph": 2, "checkpoint": 2}
# Results of these share memory on some backends, and are new arrays on others.
_OPEN: Final = {"portable", "vmap", "scan", "fori_loop", "while_loop"}
# A Container of the arguments is taken by these alone.
_NESTS: Final = ("compile", "compile_graph", "vmap", "checkpoint", "eager")


@dataclass(frozen=True)
class Finding:
    """The outcome of a case that is no agreement."""

    sort: str
    """One of `differs`, `raw` and `refused`."""
    text: str


@dataclass(frozen=True)
class Case:
    """A program, and the transformations from the outermost one."""

    program: Program
    names: tuple[str, ...]
    container: bool = False
    compiled: bool = False
    """True if a compiled namespace has the functions."""
    later: bool = False
    """True if the caller writes to the results, which may share memory with arguments."""

    def __str__(self) -> str:
        dtypes = {base.dtype.name for base in self.program.bases}
        shapes = [base.shape for base in self.program.bases]
        flags = [name for name in ("container", "compiled", "later") if getattr(self, name)]
        head = f"{' of '.join([*self.names, *flags])}, {'/'.join(dtypes)} {shapes}"
        keys = [key for _, key in self.program.arguments if key is not None]
        return f"{head}{f' {keys}' if keys else ''}\n{self.program.source}"

    @property
    def rows(self) -> int:
        """The number of axes in front."""
        return sum(_ALL[name].rows for name in self.names)

    def expected(self, turn: bool = False) -> tuple[list[Any], list[Any], list[int]] | None:
        """Return NumPy's results, arguments after the call, and the results written to.

        It is None if NumPy has no results.

        With `turn`, the arguments are the examples for a graph's trace.
        """
        function = self.program.function(NUMPY)
        arrays = self.program.made(np.asarray, self.rows, turn)
        for name in reversed(self.names):
            made = _ALL[name].numpy(function)
            function = made if _ALL[name].aliases else _copied(made)
        try:
            with defined():
                results = list(map(np.asarray, function(*arrays)))
                places = _writable(results) if self.later else []
                _write(results, places)
                return list(map(np.array, results)), arrays, places
        except REFUSALS:
            return None

    def got(self, backend: str, places: Sequence[int] = ()) -> tuple[list[Any], list[Any]]:
        """Return the results of a backend, written to at some places, and the arguments."""
        xp: Any = unify.get_backend(backend)
        function = self.program.function(unify.compiled_namespace(backend) if self.compiled else xp)
        function = _lowered(function) if self.container else function
        rows = 0
        for name in reversed(self.names):
            rows += _ALL[name].rows
            place = Place(xp, functools.partial(self._others, xp, rows))
            function = _ALL[name].ours(place, function)
        if self.container:
            function = _lifted(function)
        arrays = self.program.made(xp.asarray, self.rows)
        results = function(*arrays)
        _write(results, places)
        return [np.asarray(x) for x in results], [np.asarray(x) for x in arrays]

    def _others(self, xp: Any, rows: int) -> Sequence[Any]:
        """Return other arguments of the same shapes."""
        arrays = self.program.made(xp.asarray, rows, turn=True)
        return [_nest(arrays)] if self.container else arrays

    def finding(self, backend: str) -> Finding | None:
        """Compare a backend with NumPy; None if they agree, or NumPy has no result."""
        expected = self.expected()
        if expected is None:
            return None
        try:
            got = self.got(backend, expected[2])
        except UnifyError as error:
            alone = replace(self, names=(), container=False, compiled=False, later=False)
            if self.expected(turn=True) is None or (
                self != alone and alone.finding(backend) is not None
            ):
                return None  # the program itself is refused
            return Finding("refused", f"{type(error).__name__}: {error}")
        except Exception as error:
            return Finding("raw", f"{type(error).__module__}.{type(error).__name__}: {error}")
        writes = all(_ALL[name].writes for name in self.names)
        dtypes = [base.dtype.name for base in self.program.bases]
        dtypes += [name for name in _TOLERANCE if name in self.program.source]
        least = max(_TOLERANCE.get(name, 0.0) for name in dtypes)
        least = _OF_DIFFERENCES if any(name in DERIVATIVES for name in self.names) else least
        scale = max([1.0, *(_largest(x) for x in [*expected[0], *expected[1]])])
        text = _compared("result", expected[0], got[0], scale, least)
        if text is None and writes:
            text = _compared("argument", expected[1], got[1], scale, least)
        if text is not None and self._is_of_calls(backend, text):
            return None
        return None if text is None else Finding("differs", text)

    def _is_of_calls(self, backend: str, text: str) -> bool:
        """Return True if NumPy has NaN or infinity where the program alone has another one, too.

        The differential tests judge single calls, such as the quantile of infinities.
        """
        alone = replace(self, names=(), container=False, compiled=False, later=False)
        if self == alone or not any(f"instead of {one}" in text for one in ("nan", "inf", "-inf")):
            return False
        found = alone.finding(backend)
        return found is not None and found.sort == "differs"


def _writable(results: Sequence[Any]) -> list[int]:
    return [i for i, x in enumerate(results) if x.ndim and x.flags.writeable]


def _write(results: Sequence[Any], places: Sequence[int]) -> None:
    for i in places:
        results[i][:1] = i + 3


def _copied(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return new arrays, which share no memory, for different results."""

    def called(*arrays: Any) -> tuple[Any, ...]:
        results = function(*arrays)
        made = {id(x): np.array(x) for x in results}
        return tuple([made[id(x)] for x in results])

    return called


def _nest(arrays: Sequence[Any]) -> Any:
    return unify.Container({f"a{i}": x for i, x in enumerate(arrays)})


def _lowered(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda nest: (_nest(function(*nest.values())),)


def _lifted(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arrays: tuple(function(_nest(arrays))[0].values())


def _largest(x: Any) -> float:
    if x.dtype.kind not in "fc":
        return 1.0
    finite = np.abs(x[np.isfinite(x)])
    return float(finite.max()) if finite.size else 1.0


def _compared(
    what: str, expected: Sequence[Any], got: Sequence[Any], scale: float, least: float
) -> str | None:
    if len(expected) != len(got):
        return f"{len(got)} {what}s instead of {len(expected)}"
    for i, (e, g) in enumerate(zip(expected, got, strict=True)):
        if e.dtype != g.dtype or e.shape != g.shape:
            return f"{what} {i}: {g.dtype} {g.shape} instead of {e.dtype} {e.shape}"
        tolerance = max(_TOLERANCE.get(e.dtype.name, 0.0), least if e.dtype.kind in "fc" else 0.0)
        with np.errstate(all="ignore"):
            near = np.isclose(g, e, rtol=tolerance, atol=tolerance * scale, equal_nan=True)
        if e.dtype.kind == "c":  # NumPy divides infinities by real numbers as by complex ones
            near |= ~np.isfinite(e) & ~np.isfinite(g)
        elif e.dtype.name == "float16":  # sums and products of wider numbers overflow later
            near |= ~np.isfinite(e)
        if not np.all(near):
            place = tuple(int(k) for k in np.argwhere(~near)[0])
            count = int(np.sum(~near))
            return f"{what} {i}: {g[place]} instead of {e[place]} at {place}, {count} of {e.size}"
    return None


def drawn(random: Random, derivatives: bool = True) -> Case:
    """Draw a case that NumPy has a result for."""
    while True:
        smooth = random.random() < 0.2 and derivatives
        names = _names(random, smooth)
        shares = all(_ALL[name].share for name in names)
        case = Case(
            draw(random, smooth, shares),
            names,
            container=random.random() < 0.1 and all(name in _NESTS for name in names),
            compiled=random.random() < 0.1,
            later=random.random() < 0.1 and _OPEN.isdisjoint(names),
        )
        if case.program.steps and case.expected() is not None:
            return case


def _names(random: Random, smooth: bool) -> tuple[str, ...]:
    weights = [_WEIGHTS.get(name, 1) for name in TRANSFORMATIONS]
    names = random.choices(list(TRANSFORMATIONS), weights, k=random.choice((1, 2)))
    if smooth:
        names[random.randrange(len(names))] = random.choice(list(DERIVATIVES))
    # These call from outside: they pass native arrays, threads or a user's class.
    names.sort(key=lambda name: name not in ("subclass", "threads", "portable"))
    return tuple(dict.fromkeys(names))


def _smaller(case: Case) -> Iterator[Case]:
    for i in range(len(case.names)):
        yield replace(case, names=case.names[:i] + case.names[i + 1 :])
    for program in case.program.smaller():
        yield replace(case, program=program)
    if case.container:
        yield replace(case, container=False)
    for flag in ("compiled", "later"):
        if getattr(case, flag):
            yield replace(case, **{flag: False})


def shrunk(case: Case, backend: str, sort: str) -> Case:
    """Return a smaller case with a finding of the same sort."""
    for smaller in _smaller(case):
        try:
            found = smaller.finding(backend) if smaller.names or smaller.compiled else None
        except Exception:  # a step is missing that a later one needs
            continue
        if found is not None and found.sort == sort:
            return shrunk(smaller, backend, sort)
    return case
