"""`--against COMMIT` of a benchmark: the ratios of this tree beside those of a commit, in one run.

The package of the commit is measured by the benchmarks of this tree. Both take turns, each in
processes of its own, so that a change of the machine's speed affects both alike.
"""

from __future__ import annotations

import io
import json
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

__all__ = ["compare", "option", "ratios"]

_TURNS: Final = 3
# Differences below it are noise.
_NOTED: Final = 1.04
# Remarks of a row on its measurement, which are no names of it.
_REMARKS: Final = ("within", "reason")


def ratios(content: Any) -> dict[str, float]:
    """Return the ratios of a benchmark's rows, by the names in a row."""
    found: dict[str, float] = {}
    for row in content["calls"] if isinstance(content, dict) else content:
        known = {k: v for k, v in row.items() if k not in _REMARKS}
        name = " ".join(str(v) for v in known.values() if isinstance(v, str | int))
        found |= {f"{name} {part}".strip(): value for part, value in _measured(known)}
    return found


def _measured(row: dict[str, Any]) -> Iterator[tuple[str, float]]:
    if "ratios" in row:
        yield from row["ratios"].items()
    elif "ratio" in row:
        yield "", row["ratio"]
    elif "ours_ns" in row:
        yield "", row["ours_ns"] / row["native_ns"]


def compare(module: str, commit: str, arguments: list[str]) -> None:
    """Run a benchmark on both, and print how its ratios changed."""
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder, "before")
        _extract(commit, before)
        turns = [
            (_run(module, arguments, Path.cwd()), _run(module, arguments, before))
            for _ in range(_TURNS)
        ]
    names = [name for name in turns[0][0] if all(name in old for _, old in turns)]
    changes = {
        name: statistics.median(new[name] / old[name] for new, old in turns) for name in names
    }
    if not changes:
        raise click.ClickException(f"{module} and {commit} have no ratio in common")
    for name, change in sorted(changes.items(), key=lambda one: -one[1]):
        if not 1 / _NOTED <= change <= _NOTED:
            click.echo(f"{change:.2f}  {name}")
    mean, most = statistics.geometric_mean(changes.values()), max(changes.values())
    click.echo(f"{len(changes)} ratios beside {commit}: geometric mean {mean:.3f}, most {most:.2f}")


def _extract(commit: str, folder: Path) -> None:
    """Put the package of a commit into a folder, and this tree's benchmarks beside it."""
    command = ["git", "archive", commit, "arrayapi_unify"]
    packed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    for name in ("benchmarks", "compliance"):
        (folder / name).symlink_to(Path.cwd() / name)


def _run(module: str, arguments: list[str], tree: Path) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", module, *arguments, "--output", folder]
        subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=tree)
        (written,) = Path(folder).glob("*.json")
        return ratios(json.loads(written.read_text()))


def _called(context: click.Context, parameter: click.Parameter, commit: str | None) -> None:
    if commit is None or context.resilient_parsing:
        return
    given = sys.argv[1:]
    place = next(i for i, part in enumerate(given) if part.startswith("--against"))
    rest = given[:place] + given[place + 1 + ("=" not in given[place]) :]
    module = sys.modules["__main__"].__spec__
    assert module is not None  # a benchmark is run by `python -m`
    compare(module.name.removesuffix(".__main__"), commit, rest)
    context.exit()


option = click.option(
    "--against",
    metavar="COMMIT",
    expose_value=False,
    is_eager=True,
    callback=_called,
    help="Compare the ratios with those of a commit, and write no report.",
)
"""The option of all benchmarks."""
