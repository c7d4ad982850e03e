"""The measurement: which functions, data types and libraries, and the rows of the report."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Container, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from benchmarks.accuracy import blocks, exact, page, points, report, sections
from benchmarks.accuracy.functions import FUNCTIONS, Function, in_double, true_value
from benchmarks.accuracy.libraries import LIBRARIES, REFUSALS, Calls, calls, is_same_kernel
from benchmarks.accuracy.units import FORMATS, Format, Points, Tally, exact_error

__all__ = ["Measurement", "main"]

SEARCHED: Final = 40
"""Rounds of a search, of 2**16 points each, half of them next to the worst that was found."""

EVALUATED: Final = 2**18
"""Numbers of a block that a library gets at once: their results fit into a processor's cache."""


class Measurement:
    """One function and data type on every library, bare and ours, point by point the same."""

    def __init__(
        self, function: Function, format_: Format, rows: dict[str, Any], *, searched: bool = False
    ) -> None:
        """Go on with the rows of an earlier run."""
        self.function, self.format = function, format_
        self.exhaustive = _has_blocks(function, format_) and not searched
        self.steps = points.blocks_of(format_) if self.exhaustive else SEARCHED
        self.done = min((row["steps"] for row in rows.values()), default=0)
        if not self.exhaustive and self.done < self.steps:
            self.done = 0  # a search that was cut off begins anew: it learns from its own points
        self.tallies = {
            key: Tally.of_row(row) for key, row in rows.items() if "points" in row and self.done
        }
        self._calls: dict[str, Calls] = {name: calls(name, function.name) for name in LIBRARIES}
        probe = np.ones(1, format_.dtype)
        self.plotted = function.arity == 1 and format_.name == "float32"
        self.in_pieces = self.exhaustive and self.plotted
        self._same = {
            name
            for name in LIBRARIES
            if self.in_pieces and is_same_kernel(name, function.name, probe)
        }

    def truth(self, arguments: list[Any]) -> Any:
        """Return the values in a data type that is wider than the arguments'."""
        with np.errstate(all="ignore"):
            if self.format.name != "float64":
                return in_double(self.function, *arguments)
            return self.function.wide(*(x.astype(np.longdouble) for x in arguments))

    def step(self, arguments: list[Any]) -> list[list[float]]:
        """Compare all libraries at some points; return the worst of each."""
        truth = self.truth(arguments)
        worst = self._compare(arguments, Points(arguments, truth, self.format).tally)
        self.done += 1
        return [at for at in worst if at]

    def block(self, x: Any) -> None:
        """Compare all libraries at consecutive numbers, piece by piece.

        Ours and bare are both evaluated in the first part of the block; in the others one of them
        suffices, if both are the same kernel.
        """
        for begin in range(0, x.size, EVALUATED):
            part = x[begin : begin + EVALUATED]
            pieces = blocks.Pieces(part, self.truth([part]), self.format)
            one = self._same if begin else ()
            self._compare([part], pieces.tally, one)
        self.done += 1

    def _compare(
        self,
        arguments: list[Any],
        tallied_by: Callable[[Any], Tally],
        one: Container[str] = (),
    ) -> list[list[float]]:
        """Tally the results of each library; of those named in `one`, bare gets that of ours."""
        worst = []
        for library, functions in self._calls.items():
            before: tuple[Any, Tally] | None = None
            for who, function in functions.items():
                if before is not None and library in one:
                    found = before[0]
                else:
                    found = self._result(function, arguments)
                if found is None:
                    continue
                if before is not None and _same_bits(before[0], found):
                    tallied = before[1]
                elif before is not None and library in self._same:
                    raise AssertionError(f"{library}: ours differs from its {self.function.name}")
                else:
                    tallied = tallied_by(found)
                before = found, tallied
                self.tallies.setdefault(f"{library}/{who}", Tally()).merge(tallied)
                worst.append(tallied.at)
        return worst

    def _result(self, function: Any, arguments: list[Any]) -> Any:
        """Return a library's result, or None where it refuses the data type."""
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, for special values
                found = function(*arguments)
        except REFUSALS:
            return None
        return found if found.dtype == self.format.dtype else None

    def run(self, until: float) -> Iterator[None]:
        """Measure step by step until the time is over."""
        if self.exhaustive:
            for index in range(self.done, self.steps):
                if time.monotonic() > until:
                    return
                x = points.block(self.format, index)
                if self.in_pieces:
                    self.block(x)
                else:
                    self.step([x])
                yield
            return
        if self.done == self.steps:
            return
        searched = points.rounds(self.format, self.function.arity, 2**16, self.steps, 0)
        for arguments, learn in searched:
            learn(self.step(arguments))
            yield

    def rows(self) -> dict[str, dict[str, Any]]:
        """Return a row for each library and each of bare and ours, also where there is none."""
        how = "exhaustive" if self.exhaustive else "searched"
        common = {"how": how, "steps": self.done, "of_steps": self.steps}
        found: dict[str, dict[str, Any]] = {}
        for library in LIBRARIES:
            for who in ("bare", "ours"):
                key = f"{library}/{who}"
                row: dict[str, Any] = {
                    "function": self.function.name, "dtype": self.format.name,
                    "library": library, "who": who, **common,
                }  # fmt: skip
                if key in self.tallies:
                    row |= self.tallies[key].as_row()
                    if not self.plotted:
                        del row["profile"]
                    if row["at"]:  # the wide reference rounds, too
                        truth = true_value(self.function, row["at"])
                        row["max_ulp"] = exact_error(float(row["gave"]), truth, self.format)
                found[key] = row
        return found


def _same_bits(a: Any, b: Any) -> bool:
    """Return True if two results are the same to the bit, signs of zero and NaN included."""
    integers = np.dtype(f"u{a.dtype.itemsize}")
    return bool(a.dtype == b.dtype and np.array_equal(a.view(integers), b.view(integers)))


def _has_blocks(function: Function, format_: Format) -> bool:
    """Return True if every number can be measured: of one argument, of 32 bits at most."""
    return function.arity == 1 and format_.name != "float64"


@click.command()
@click.option("--function", "names", multiple=True, help="All of the standard by default.")
@click.option("--dtype", "dtypes", multiple=True, help="All floating-point ones by default.")
@click.option(
    "--section", "chapters", multiple=True, type=click.Choice([*sections.SECTIONS]),
    help="Measure this table anew, and nothing else.",
)  # fmt: skip
@click.option("--minutes", default=600.0, show_default=True, help="A later run goes on.")
@click.option("--searched", is_flag=True, help="Only search in float32, which takes minutes.")
@click.option(
    "--output", default="reports", show_default=True, type=click.Path(path_type=Path),
)  # fmt: skip
@click.option(
    "--state", default=".accuracy", show_default=True, type=click.Path(path_type=Path),
    help="A folder for float32 functions until all of their numbers are measured.",
)  # fmt: skip
def main(
    names: tuple[str, ...],
    dtypes: tuple[str, ...],
    chapters: tuple[str, ...],
    minutes: float,
    searched: bool,
    output: Path,
    state: Path,
) -> None:
    """Measure how far functions are from the truth: some hours of a core in all.

    A run goes on where an earlier one ended, function by function and block by block. Two runs may
    share the work, if each has functions of its own. A function is searched in float32 first, so
    that the table is full; that is replaced when every number is measured.
    """
    if chapters:
        sections.measure(output, chapters)
        page.write(output)
        return
    until = time.monotonic() + 60 * minutes
    chosen = [FUNCTIONS[name] for name in names or FUNCTIONS]
    formats = [FORMATS[dtype] for dtype in dtypes or FORMATS]
    for format_ in formats:
        for function in chosen:
            if time.monotonic() < until:
                _measure(function, format_, until, output)
    for function in chosen if FORMATS["float32"] in formats and not searched else ():
        if function.arity == 1 and time.monotonic() < until:
            _exhaust(function, until, output, state)
    if not names and time.monotonic() < until:
        verified = {
            f"{library}/{who}": asdict(exact.verify(library, who))
            for library in LIBRARIES
            for who in ("bare", "ours")
        }
        report.merge(output, {}, exact=verified)
        sections.measure(output)
    page.write(output)


def _measure(function: Function, format_: Format, until: float, output: Path) -> None:
    """Measure what takes seconds, unless the report has it."""
    rows = report.rows_of(output, function.name, format_.name)
    if rows and all(row["steps"] == row["of_steps"] for row in rows.values()):
        return
    measurement = Measurement(function, format_, rows, searched=format_.name == "float32")
    _save_each_minute(measurement, until, output)


def _exhaust(function: Function, until: float, output: Path, state: Path) -> None:
    """Measure every number of float32, and put the rows into the report when it is done."""
    name = function.name
    found = report.rows_of(output, name, "float32")
    if found and all(row["how"] == "exhaustive" for row in found.values()):
        return
    measurement = Measurement(function, FORMATS["float32"], report.rows_of(state, name, "float32"))
    _save_each_minute(measurement, until, state)
    if measurement.done == measurement.steps:
        report.merge(output, measurement.rows())


def _save_each_minute(measurement: Measurement, until: float, folder: Path) -> None:
    saved, began = time.monotonic(), measurement.done
    for _ in measurement.run(until):
        if time.monotonic() > saved + 60:
            report.merge(folder, measurement.rows())
            saved = time.monotonic()
    if measurement.done > began:
        report.merge(folder, measurement.rows())
        steps = f"{measurement.done} of {measurement.steps} steps"
        click.echo(f"{measurement.function.name} {measurement.format.name}: {steps}")
