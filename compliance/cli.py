"""The command line: ``run``, ``suite``, ``report``, ``badge``, ``compare`` and others."""

import os
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from . import (
    COMMAND,
    absent,
    badge as badges,
    compare as comparing,
    report as reporting,
    results,
    runner,
    splits,
    states,
    store,
    suite,
    view,
)
from .consumers.command import consumers
from .disk import check, locked
from .errors import INTERRUPTED, ComplianceError, ImportFailed, SuiteUnavailable
from .matrix.command import matrix
from .messages import explained_errors
from .namespaces import Namespace, parse
from .progress import Progress

_NOT_HERE = 3  # the exit status of `suite`
_SHOWN = 10  # causes of failures listed at the end of a run; the report has all of them
_output = click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports"),
    show_default=True,
    help="Folder of the reports.",
)

_suite_folder = click.option(
    "--suite",
    "suite_folder",
    type=click.Path(path_type=Path),
    help=f"Checkout of the official suite, else ${suite.VARIABLE}, else a cached clone.",
)


@click.group()
def main() -> None:
    """Measure array namespaces with the official suite of the Array API standard.

    Exit status: 0 all tests passed, 1 some failed, 2 no usable result, 130 interrupted.
    """


def _workers() -> int:
    # The CPUs available to this process, in a container fewer than the machine's.
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


def _variables(
    context: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Return the names and values of environment variables."""
    for value in values:
        name, equals, _ = value.partition("=")
        if not name or not equals or name.startswith(runner.RESERVED):
            raise click.BadParameter(f"{value!r} is no NAME=VALUE, or a variable that runs set")
    return tuple((name, text) for name, _, text in (value.partition("=") for value in values))


@main.command()
@click.argument("namespace")
@click.option(
    "--max-examples",
    type=click.IntRange(min=1),
    default=None,
    show_default=f"{runner.Settings.max_examples}, and {runner.QUICK_EXAMPLES} with --quick",
    help="Hypothesis examples per test.",
)
@click.option(
    "--quick",
    is_flag=True,
    help="Minutes for a library that fails often: few examples, of which those that fail aren't "
    "made smaller.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Hypothesis seed; the same seed draws the same examples.",
)
@click.option("-k", "keyword", default="", help="Only tests matching this pytest expression.")
@click.option("--node", "nodes", multiple=True, help="Only the test with this id; repeatable.")
@click.option(
    "--workers",
    type=click.IntRange(min=0),
    default=_workers,
    show_default="usable CPUs",
    help="Parallel pytest-xdist processes; 0 runs all tests in one process.",
)
@_suite_folder
@click.option(
    "--compiled",
    is_flag=True,
    help="Compile every function of a backend's namespace; the same as compiled:NAMESPACE.",
)
@click.option(
    "--split",
    type=click.Choice([*map(str, splits.KINDS.values())]),
    help="Split JAX's arrays over so many devices, which XLA makes of the CPU.",
)
@click.option(
    "--api-version",
    default=runner.Settings.api_version,
    show_default=True,
    help="Version of the standard to measure against.",
)
@click.option(
    "--timeout-per-test",
    type=click.FloatRange(min=0, min_open=True),
    default=None,
    show_default="600, and in proportion above 100 examples",
    help="Seconds after which a test is ended, and counts as failed.",
)
@click.option(
    "--device",
    default="",
    show_default="the library's own",
    help="Device on which arrays are created, such as gpu:0; the namespace's set_default_device.",
)
@click.option(
    "--env",
    "variables",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_variables,
    help="An environment variable that the namespace needs; repeatable, and in the report.",
)
@click.option(
    "--require-official",
    is_flag=True,
    help="Fail where the pinned official suite can't be had, to the byte, instead of running "
    "another one or the own checks.",
)
@click.option(
    "--fail-on-regression",
    "baseline",
    metavar="BASELINE",
    help="Exit with 1 only if a test is lost since the report BASELINE (a file, or a namespace).",
)
@_output
def run(
    namespace: str,
    max_examples: int | None,
    quick: bool,
    seed: int,
    keyword: str,
    nodes: tuple[str, ...],
    workers: int,
    suite_folder: Path | None,
    compiled: bool,
    split: str | None,
    api_version: str,
    timeout_per_test: float | None,
    device: str,
    variables: tuple[tuple[str, str], ...],
    require_official: bool,
    baseline: str | None,
    output: Path,
) -> None:
    """Run the official suite on NAMESPACE and write its report.

    NAMESPACE is the name of a backend for this project's namespaces (numpy), arrayapi_unify@torch
    for the top level with that backend set, compiled:jax for the namespace whose functions are
    compiled, chunked:dask for arrays in chunks of 32 bytes, split2:jax for arrays on 2 devices,
    draft:numpy for the draft of the next version, bare:numpy for the library itself, or any
    importable dotted name (array_api_strict, array_api_compat.torch, jax.numpy).

    The report of a part of the suite (-k, --node) goes to a subfolder and replaces no full one. So
    does that of an interrupted run, which has the finished tests.
    """
    usual = runner.QUICK_EXAMPLES if quick else runner.Settings.max_examples
    examples = max_examples or usual
    limit = timeout_per_test or runner.time_limit(examples)
    settings = runner.Settings(
        api_version, examples, seed, workers, keyword, nodes, limit, device, quick, variables
    )
    with explained_errors():
        kind = f"{'compiled:' * compiled}{f'split{split}:' if split else ''}"
        before = _stored(baseline, output) if baseline else None  # the run may replace it
        stored = _run(parse(kind + namespace), settings, suite_folder, require_official, output)
    failed = stored.report["data"]["exitcode"] != 0
    if before is not None:
        comparison = comparing.compare(before, stored)
        for test in comparison.lost[:_SHOWN]:
            click.echo(f"lost: {test}")
        click.echo(f"since {before.path}: {comparison.words}")
        failed = bool(comparison.lost)
    sys.exit(INTERRUPTED if stored.summary.get("interrupted") else int(failed))


@main.command()
@click.option(
    "--thin",
    is_flag=True,
    help="First remove the passed tests from the reports, whose ids nodeids.txt then has once: for "
    "a repository. Thin reports can be compared and rendered as whole ones.",
)
@_output
def report(thin: bool, output: Path) -> None:
    """Render all reports as index.html, with a page of each namespace, and README.md."""
    with explained_errors():
        if thin:
            with locked(output):
                click.echo(f"thin: {len(store.thin_all(output))} reports")
        for path in reporting.render(output):
            click.echo(f"wrote {path}")
        old = [f"{one.path}" for one in store.load_all(output) if view.outdated(one)]
        if old:
            click.echo(f"older than the sources: {', '.join(old)}")


@main.command(name="badge")
@click.argument("report", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("badge.svg"),
    show_default=True,
    help="The file: a drawing (.svg, .png), or data for shields.io's endpoint badges (.json).",
)
def draw(report: Path, output: Path) -> None:
    """Draw a badge of REPORT: the share of the tests that passed, of those that ran."""
    with explained_errors():
        made = badges.badge(store.load(report))
        badges.save(made, output)
    click.echo(f"wrote {output}: {made.label}, {made.message}")


main.add_command(consumers)
main.add_command(matrix)


@main.command(name="suite")
@_suite_folder
def show_suite(suite_folder: Path | None) -> None:
    """Print the path of the pinned official suite; fetch it if needed.

    Exit status: 0 available, 2 the folder is something else, 3 not available.
    """
    with explained_errors():
        try:
            click.echo(suite.find_pinned(suite_folder, suite.API_VERSION).path)
        except SuiteUnavailable as error:
            click.echo(f"{error.message}\n{error.remedy}", err=True)
            sys.exit(_NOT_HERE)


@main.command()
@click.argument("before")
@click.argument("after")
@click.option("--markdown", is_flag=True, help="Print Markdown, for a merge request's comment.")
@_output
def compare(before: str, after: str, markdown: bool, output: Path) -> None:
    """Show the tests and functions gained and lost between two reports (files, or namespaces).

    Exits with 1 if a test is lost: AFTER has a failure that BEFORE lacks, or no longer has a test
    that passed.
    """
    with explained_errors():
        comparison = comparing.compare(_stored(before, output), _stored(after, output))
    if markdown:
        click.echo(comparing.as_markdown(comparison), nl=False)
    else:
        comparing.show(comparison, Console())
    sys.exit(1 if comparison.lost else 0)


def _run(
    namespace: Namespace,
    settings: runner.Settings,
    suite_folder: Path | None,
    require_official: bool,
    output: Path,
) -> store.Stored:
    """Run the command ``run``: nothing on disk changes before all results are complete."""
    check(output, *reporting.PAGES)
    draft = namespace.kind == "draft"  # its tests need no suite
    official, reason = (None, "") if draft else _official(suite_folder, settings, require_official)
    try:
        found = runner.look_at(namespace, settings.device, settings.variables)
    except ImportFailed as error:
        built = results.of_failed_import(namespace, error, settings)
        click.echo(f"report: {_saved(output, built, {})[0].path}")
        raise
    home = store.home(output, namespace.kind or found["kind"])
    check(home, f"{namespace.name}.json", f"{namespace.name}{store.META}")
    progress = Progress(Console(stderr=True), namespace.name)
    outcome = runner.measure(namespace, found, official, settings, progress)
    built = results.build(namespace, found, official, settings, outcome)
    side = results.meta(namespace, found, official, settings, reason)
    stored, why = _saved(output, built, side)
    if outcome.interrupted:
        click.secho("Interrupted: the report has what was finished.", fg="red", bold=True, err=True)
    _conclude(stored)
    click.echo(f"report: {stored.path}")
    if why:
        click.echo(f"no full report was replaced: {why}")
    else:
        for page in reporting.render(output):
            click.echo(f"page: {page}")
    return stored


def _saved(output: Path, built: dict[str, Any], side: dict[str, Any]) -> tuple[store.Stored, str]:
    """Save a report, and return it with the reason if it replaces no full one."""
    with locked(output):  # from reading the old report to writing the new one
        path, why = store.place(output, built)
        return store.save(path, built, side), why


def _official(
    folder: Path | None, settings: runner.Settings, required: bool
) -> tuple[suite.Suite | None, str]:
    """The official suite, or None after a printed warning."""
    find = suite.find_pinned if required else suite.find
    try:
        found = find(folder, settings.api_version)
    except SuiteUnavailable as error:
        if required:
            raise
        lines = [
            f"official suite: NOT RUN, {error.message}",
            "Only the project's own checks run now. They are no proof of conformance.",
            error.remedy,
        ]
        rule = "=" * 78
        click.secho("\n".join([rule, *lines, rule]), fg="yellow", bold=True, err=True)
        return None, error.message
    for warning in found.warnings():
        click.secho(f"warning: the official suite: {warning}", fg="yellow", err=True)
    return found, ""


def _conclude(stored: store.Stored) -> None:
    """The causes of failures, the names to write next, the counts, and the changes."""
    _causes(stored.tests)
    if steps := states.advice(stored.tests):
        click.echo("to write next:")
    for step in steps:
        click.echo(f"    {absent.listed(step.names)}: {step.words}")
    for name, count in states.waiting_for_dtypes(stored.tests).items():
        click.echo(f"without {name}: {count} tests need it")
    what = {"official": "official suite", "of the draft": "tests of the draft"}.get(
        stored.tests_by, "OWN CHECKS ONLY, official suite NOT RUN"
    )
    score = view.score(stored)
    if words := states.score(stored.tests):
        click.echo(f"{stored.name}: {words}")
    click.echo(f"{stored.name} {stored.report['version']} ({what}): {score.words}")
    if change := stored.meta.get("change"):
        click.echo(
            f"since {change['previous_timestamp']}: {len(change['newly_failing'])} newly failing, "
            f"{len(change['newly_passing'])} newly passing"
        )


def _causes(tests: list[dict[str, Any]]) -> None:
    """Print each cause of failures once, with the first of its tests where it is the only one."""
    found = states.causes(tests)
    for cause in found[:_SHOWN]:
        click.echo(f"{cause.words}: {cause.text[:200]}\n    {cause.example}")
    if len(found) > _SHOWN:
        rest = sum(cause.tests for cause in found[_SHOWN:])
        click.echo(f"... and {len(found) - _SHOWN} more causes, of {rest} tests")


def _stored(text: str, folder: Path) -> store.Stored:
    """A report given as a file, or as a namespace as `run` takes it."""
    if Path(text).is_file():
        return store.load(Path(text))
    path = store.home(folder, parse(text).kind or "cpu")
    path /= f"{parse(text).name}.json"
    if not path.exists():
        remedy = f"Make it with: {COMMAND} run {parse(text).spec}"
        raise ComplianceError(f"There is no file {text}, and no report {path}.", remedy)
    return store.load(path)
