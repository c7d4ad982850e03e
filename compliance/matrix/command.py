"""``python -m compliance matrix``: measure libraries and versions, and render the page."""

import sys
from pathlib import Path

import click

from ..errors import ComplianceError
from ..messages import explained_errors
from . import environments, page, results
from .libraries import LIBRARIES, Library, available, minors, selected

_output = click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports"),
    show_default=True,
    metavar="DIRECTORY",
    help="Folder of matrix.json, matrix.html and matrix.md.",
)


@click.group()
def matrix() -> None:
    """Measure many versions of many libraries, and show which function works since when."""


@matrix.command()
@click.argument("names", nargs=-1, metavar="[LIBRARY[==VERSION]]...")
@click.option("--minutes", default=60.0, show_default=True, help="Limit of a run, then partial.")
@click.option("--again", is_flag=True, help="Measure what has been measured, too.")
@click.option("--function", multiple=True, help="Only its tests, repeatable; nothing is written.")
@_output
def run(
    names: tuple[str, ...], minutes: float, again: bool, function: tuple[str, ...], output: Path
) -> None:
    """Measure versions, each in an environment of its own that is removed afterwards.

    Without a name all libraries are measured, some ten hours in all. What has been measured stays,
    so that a run goes on where an earlier one ended.

    Exit status: 0 all were measured, 1 one couldn't be.
    """
    lost = 0
    with explained_errors():
        for library, version in _planned(names):
            if not (again or function) and results.is_there(results.load(output), library, version):
                continue
            try:
                _measure(library, version, minutes, function, output)
            except ComplianceError as error:
                lost += 1
                click.secho(f"{library.name} {version}: {error.message}", fg="red", err=True)
        if not function and results.load(output)["runs"]:
            click.echo(f"page: {page.render(output)}")
    sys.exit(int(lost > 0))


def _planned(names: tuple[str, ...]) -> list[tuple[Library, str]]:
    """Return what is to be measured: the newest version of each library first."""
    chosen = [selected(name) for name in names] or [([library], "") for library in LIBRARIES]
    lists: list[list[tuple[Library, str]]] = []
    for libraries, version in chosen:
        for library in libraries:
            versions = [version] if version else _versions(library)
            lists.append([(library, one) for one in versions])
    longest = max(map(len, lists))
    return [each[place] for place in range(longest) for each in lists if place < len(each)]


def _versions(library: Library) -> list[str]:
    return minors(available(library.package), library.since, library.every)


def _measure(
    library: Library, version: str, minutes: float, function: tuple[str, ...], output: Path
) -> None:
    """Measure one version, and add it to the file, or print it if only some functions ran."""
    data = results.load(output) if function else {}
    nodes = [node for name in function for node in results.nodes(data, name)]
    click.echo(f"{library.name} {version}: installing")
    with environments.environment(library, version) as python:
        click.echo(f"{library.name} {version}: measuring")
        report = environments.measure(python, library, minutes, nodes)
    if not function:
        results.save(output, library, version, report)
    for test in report["data"]["tests"] if function else ():
        click.echo(f"{test['outcome']}: {test['nodeid']}\n    {test.get('message', '')}".rstrip())
    summary = report["data"]["summary"]
    click.echo(f"{library.name} {version}: {summary.get('passed', 0)} passed")


@matrix.command(name="page")
@_output
def render(output: Path) -> None:
    """Render matrix.json as matrix.html and matrix.md."""
    with explained_errors():
        if not results.load(output)["runs"]:
            remedy = "Measure something with: python -m compliance matrix run numpy"
            raise ComplianceError(f"There is no result in {output / results.FILE}.", remedy)
        click.echo(f"wrote {page.render(output)}")
