"""`python -m benchmarks.install_sizes`: the disk space of each extra, by machine.

`uv` resolves and unpacks the wheels of another machine, too. Nothing that is unpacked is run, so
the sizes say nothing of whether a library works there.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import click

from benchmarks.report import directory
from compliance import disk

ROOT: Final = Path(__file__).parent.parent
EXTRAS: Final = ("torch", "tensorflow", "jax", "all")
PYTHON: Final = ".".join(platform.python_version_tuple()[:2])
# Apple's name of the system stands in wheels; those of PyTorch need macOS 14.
MACOS: Final = "14.0"
LARGEST: Final = 4


@dataclass(frozen=True)
class Machine:
    """A kind of machine: its name, what `uv` calls it, and whether PyTorch's CPU wheel is taken."""

    title: str
    name: str
    without_cuda: bool = False


MACHINES: Final = (
    Machine("Linux, x86-64", "x86_64-unknown-linux-gnu"),
    Machine("Linux, x86-64, PyTorch's CPU wheel", "x86_64-unknown-linux-gnu", without_cuda=True),
    Machine("Linux, ARM", "aarch64-unknown-linux-gnu"),
    Machine("macOS, Apple Silicon", "aarch64-apple-darwin"),
)


@dataclass(frozen=True)
class Size:
    """The bytes of one extra on one kind of machine, and its largest parts."""

    machine: str
    extra: str
    bytes: int
    versions: dict[str, str]
    largest: dict[str, int]


def measure(cpu_wheels: str | None) -> Iterator[Size]:
    """Install each extra for each kind of machine, one after the other."""
    for machine in MACHINES:
        if machine.without_cuda and cpu_wheels is None:
            continue
        for extra in EXTRAS:
            with tempfile.TemporaryDirectory() as folder:
                _install(machine, extra, folder, cpu_wheels if machine.without_cuda else None)
                yield _size(machine.title, extra, Path(folder))


def _install(machine: Machine, extra: str, folder: str, wheels: str | None) -> None:
    command = ["uv", "pip", "install", "--quiet", "--no-config", "--target", folder]
    command += ["--python-platform", machine.name, "--python-version", PYTHON]
    command += [f"{ROOT}[{extra}]"]
    if wheels is not None and extra in ("torch", "all"):
        # A local version, `2.13.0+cpu`, is on PyTorch's pages only.
        command += ["--find-links", wheels, "torch==2.13.0+cpu"]
    environment = {**os.environ, "MACOSX_DEPLOYMENT_TARGET": MACOS}
    subprocess.run(command, check=True, env=environment)


def _size(machine: str, extra: str, folder: Path) -> Size:
    found: dict[str, int] = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            part = path.relative_to(folder).parts[0]
            found[part] = found.get(part, 0) + path.stat().st_size
    largest = sorted(found, key=lambda part: -found[part])[:LARGEST]
    return Size(
        machine,
        extra,
        sum(found.values()),
        _versions(folder),
        {part: found[part] for part in largest},
    )


def _versions(folder: Path) -> dict[str, str]:
    """Return the versions of the libraries that were installed, by their names."""
    wanted = re.compile(r"(numpy|torch|tensorflow|tensorflow_cpu|jax)-([^-]+)\.dist-info")
    names = (wanted.fullmatch(path.name) for path in sorted(folder.iterdir()))
    return {name[1]: name[2] for name in names if name}


def gigabytes(size: int) -> str:
    """Return a size in GB, with one digit behind the point."""
    return f"{size / 1e9:.1f} GB"


def page(sizes: list[Size]) -> str:
    """Return the report."""
    machines = list(dict.fromkeys(size.machine for size in sizes))
    by_place = {(size.machine, size.extra): size for size in sizes}
    lines = [
        "# Sizes of an installation",
        "",
        "The files of each extra with all that it depends on, unpacked; written by "
        f"`python -m benchmarks.install_sizes`, for Python {PYTHON}. `uv` resolved the wheels of "
        "each kind of machine; none was run.",
        "",
        "| machine | " + " | ".join(f"`{extra}`" for extra in EXTRAS) + " |",
        "|---|" + "---:|" * len(EXTRAS),
        *(
            f"| {machine} | "
            + " | ".join(gigabytes(by_place[machine, extra].bytes) for extra in EXTRAS)
            + " |"
            for machine in machines
        ),
        "",
        "## The largest parts of `all`",
        "",
        "| machine | versions | largest folders |",
        "|---|---|---|",
        *(_parts(by_place[machine, "all"]) for machine in machines),
        "",
    ]
    return "\n".join(lines)


def _parts(size: Size) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in size.versions.items())
    largest = ", ".join(f"`{part}` {gigabytes(n)}" for part, n in size.largest.items())
    return f"| {size.machine} | {versions} | {largest} |"


@click.command()
@click.option("--cpu-wheels", help="A folder or page with PyTorch's CPU wheels.")
@directory
def main(cpu_wheels: str | None, output: Path) -> None:
    """Measure the disk space that each extra takes on each kind of machine."""
    if shutil.which("uv") is None:
        raise click.ClickException("uv isn't installed: pip install uv")
    sizes = []
    for size in measure(cpu_wheels):
        click.echo(f"{size.machine}: {size.extra} {gigabytes(size.bytes)}")
        sizes.append(size)
    text = json.dumps([asdict(size) for size in sizes], indent=1) + "\n"
    disk.write(output / "install_sizes.json", text)
    disk.write(output / "install_sizes.md", page(sizes))


if __name__ == "__main__":
    main()
