"""``python -m compliance consumers``: measure, and write the results."""

import importlib.metadata
import sys
from pathlib import Path
from typing import Any

import click

from .. import COMMAND
from ..disk import check, locked
from ..errors import ComplianceError, Interrupted
from ..messages import explained_errors
from ..namespaces import PROJECT, backends
from . import page, reasons, runner, store
from .numpy_tests import command as numpy_tests
from .packages import Package, chosen
from .plugin import REPLACED, STRICT

_SHOWN = 20
_DISTRIBUTIONS = {"tensorflow": ("tensorflow", "tensorflow-cpu")}


@click.command()
@click.argument("packages", nargs=-1)
@click.option(
    "--backend",
    "names",
    multiple=True,
    help=f"Backend whose namespace is measured, or {STRICT}; repeatable (default: all).",
)
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports"),
    show_default=True,
    help="Folder of the report.",
)
def consumers(
    packages: tuple[str, ...], names: tuple[str, ...], workers: int, output: Path
) -> None:
    """Run the tests that PACKAGES ship for arrays of the standard with our namespaces.

    PACKAGES are distributions (scipy, scikit-learn, array-api-extra, einops) or parts of them, such
    as scipy.special; all of them by default. `numpy` runs NumPy's own tests, on NumPy and PyTorch
    by default. Exit status: 0 each failure has a cause, 1 one has none, 2 no usable result.
    """
    with explained_errors():
        if packages == ("numpy",):
            numpy_tests.measured(checked(names or ("numpy", "torch")), workers, output)
            return
        results = measured(packages, checked(names), workers, output)
    sys.exit(1 if page.unexplained(results) else 0)


def checked(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the selected backends, all of them by default; raise for another name."""
    known = (*backends(), STRICT)
    for name in names:
        if name not in known:
            raise ComplianceError(f"{name} is no backend.", f"Known are {', '.join(known)}.")
    return names or tuple(backends())


def measured(
    packages: tuple[str, ...], names: tuple[str, ...], workers: int, output: Path
) -> list[dict[str, Any]]:
    """Measure each part and write the report after it, so that an aborted run keeps its results."""
    check(output, store.JSON, store.PAGE)
    results, table = store.load(output), reasons.load()
    mine: list[dict[str, Any]] = []
    for package, part in chosen(packages):
        for name in [*_before(package, part, names, results), *names]:
            try:
                new = _measure(package, part, name, workers)
            except Interrupted:
                raise Interrupted("Interrupted.", _kept(mine, output)) from None
            results = _saved(output, table, [new])
            (found,) = [r for r in results if store.key(r) == store.key(new)]
            mine.append(found)
            click.echo(f"{found['part']} on {name}: {page.cell([found])}")
    _conclude(mine, output)
    return mine


def _saved(output: Path, table: list[reasons.Reason], new: list[dict[str, Any]]) -> Any:
    """Add results to the stored ones, which another run may have changed."""
    with locked(output):
        results = store.explained(store.merged(store.load(output), new), table)
        store.save(output, results, page.render(results))
    return results


def _kept(mine: list[dict[str, Any]], output: Path) -> str:
    """Describe the results of an interrupted run."""
    if not mine:
        return "Nothing was measured. No report was changed."
    done = ", ".join(f"{found['part']} on {found['backend']}" for found in mine)
    return f"{output / store.PAGE} has what was finished: {done}."


def rendered(output: Path) -> list[dict[str, Any]]:
    """Explain and render the stored results again, as after a change in the table of causes."""
    found: list[dict[str, Any]] = _saved(output, reasons.load(), [])
    return found


def _before(
    package: Package, part: str, names: tuple[str, ...], results: list[dict[str, Any]]
) -> list[str]:
    """The strict library, if it has no result of these versions yet."""
    versions = {
        (r["version"], r["library"]) for r in results if store.key(r) == _strict(package, part)
    }
    known = (package.version, library(STRICT)) in versions
    return [] if known or STRICT in names else [STRICT]


def _strict(package: Package, part: str) -> tuple[str, str]:
    return STRICT, package.title(part)


def _measure(package: Package, part: str, name: str, workers: int) -> dict[str, Any]:
    spec = STRICT if name == STRICT else f"{PROJECT}.{name}"
    result = runner.measure(package, part, spec, workers)
    return store.entry(package, part, name, library(name), result)


def library(name: str) -> str:
    """The library behind a backend, with its version."""
    distribution = REPLACED if name == STRICT else name
    for candidate in _DISTRIBUTIONS.get(distribution, (distribution,)):
        try:
            return f"{distribution} {importlib.metadata.version(candidate)}"
        except importlib.metadata.PackageNotFoundError:
            continue
    raise ComplianceError(f"{distribution} is not installed.", f"Install it; see {COMMAND} --help.")


def _conclude(results: list[dict[str, Any]], output: Path) -> None:
    missing = page.unexplained(results)
    for backend, failure in missing[:_SHOWN]:
        first = failure["message"].split("\n")[0][:200]
        click.echo(f"unexplained on {backend}: {failure['test']}\n    {first}")
    if len(missing) > _SHOWN:
        click.echo(f"... and {len(missing) - _SHOWN} more")
    click.echo(f"report: {output / store.PAGE}")
