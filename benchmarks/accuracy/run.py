"""The measurement: which functions, data types and libraries, and the rows of the report."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from benchmarks.accuracy import exact, page, points, report
from benchmarks.accuracy.functions import FUNCTIONS, Function, true_value
from benchmarks.accuracy.libraries import LIBRARIES, REFUSALS, Calls, calls
from benchmarks.accuracy.units import FORMATS, Format, Tally, exact_error, tally

__all__ = ["Measurement", "main"]

SEARCHED: Final = 40
"""Rounds of a search, of 2**16 points each, half of them next to the worst that was found."""


class Measurement:
    """One function and data type on every library, bare and ours, point by point the same."""

    def __init__(self, function: Function, format_: Format, rows: dict[str, Any]) -> None:
        """Go on with the rows of an earlier run."""
        self.function, self.format = function, format_
        self.exhaustive = function.arity == 1 and format_.name != "float64"
        self.steps = points.blocks_of(format_) if self.exhaustive else SEARCHED
        self.done = min((row["steps"] for row in rows.values()), default=0)
        if not self.exhaustive and self.done < self.steps:
            self.done = 0  # a search that was cut off begins anew: it learns from its own points
        self.tallies = {
            key: Tally.of_row(row) for key, row in rows.items() if "points" in row and self.done
        }
        self._calls: dict[str, Calls] = {name: calls(name, function.name) for name in LIBRARIES}

    def truth(self, arguments: list[Any]) -> Any:
        """Return the values in a data type that is wider than the arguments'."""
        wide = np.longdouble if self.format.name == "float64" else np.float64
        with np.errstate(all="ignore"):
            return self.function.wide(*(x.astype(wide) for x in arguments))

    def step(self, arguments: list[Any]) -> list[list[float]]:
        """Compare all libraries at some points; return the worst of each."""
        truth, worst = self.truth(arguments), []
        for library, functions in self._calls.items():
            before: tuple[Any, Tally] | None = None
            for who, function in functions.items():
                found = self._result(function, arguments)
                if found is None:
                    continue
                if before is not None and _same_bits(before[0], found):
                    tallied = before[1]
                else:
                    tallied = tally(arguments, found, truth, self.format)
                before = found, tallied
                self.tallies.setdefault(f"{library}/{who}", Tally()).merge(tallied)
                worst.append(tallied.at)
        self.done += 1
        return [at for at in worst if at]

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
                self.step([points.block(self.format, index)])
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
                    if row["at"]:  # the wide reference rounds, too
                        truth = true_value(self.function, row["at"])
                        row["max_ulp"] = exact_error(row["gave"], truth, self.format)
                found[key] = row
        return found


def _same_bits(a: Any, b: Any) -> bool:
    """Return True if two results are the same to the bit, signs of zero and NaN included."""
    integers = np.dtype(f"u{a.dtype.itemsize}")
    return bool(a.dtype == b.dtype and np.array_equal(a.view(integers), b.view(integers)))


@click.command()
@click.option("--function", "names", multiple=True, help="All of the standard by default.")
@click.option("--dtype", "dtypes", multiple=True, help="All floating-point ones by default.")
@click.option("--minutes", default=600.0, show_default=True, help="A later run goes on.")
@click.option(
    "--output", default="reports", show_default=True, type=click.Path(path_type=Path),
)  # fmt: skip
def main(names: tuple[str, ...], dtypes: tuple[str, ...], minutes: float, output: Path) -> None:
    """Measure how far functions are from the truth: five hours of a core and more in all.

    A run goes on where an earlier one ended, function by function and block by block. Two runs may
    share the work, if each has functions of its own.
    """
    until = time.monotonic() + 60 * minutes
    for dtype in dtypes or FORMATS:
        for name in names or FUNCTIONS:
            if time.monotonic() < until:
                _measure(FUNCTIONS[name], FORMATS[dtype], until, output)
    if not names and time.monotonic() < until:
        verified = {
            f"{library}/{who}": asdict(exact.verify(library, who))
            for library in LIBRARIES
            for who in ("bare", "ours")
        }
        report.merge(output, {}, exact=verified)
    page.write(output)


def _measure(function: Function, format_: Format, until: float, output: Path) -> None:
    """Measure until the time is over, and save each minute."""
    measurement = Measurement(
        function, format_, report.rows_of(output, function.name, format_.name)
    )
    saved, began = time.monotonic(), measurement.done
    for _ in measurement.run(until):
        if time.monotonic() > saved + 60:
            report.merge(output, measurement.rows())
            saved = time.monotonic()
    if measurement.done > began:
        report.merge(output, measurement.rows())
        steps = f"{measurement.done} of {measurement.steps} steps"
        click.echo(f"{function.name} {format_.name}: {steps}")
