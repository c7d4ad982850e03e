"""The minimum versions of pyproject.toml are those of `tox -e minimum`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
# Without platform markers.
REQUIREMENT = re.compile(r"([\w-]+)(?:\[\w+\])?(>=|==)([\d.]+)(?:;.*)?")


def lowest() -> dict[str, str]:
    """Return the minimum versions of pyproject.toml, for the package, its extra `all`, and Dask.

    Requirements of only the tests, such as triton, are excluded.
    """
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    extras = project["optional-dependencies"]
    (everything,) = extras["all"]
    names = [*re.findall(r"[\w]+", everything.partition("[")[2]), "dask"]
    found = [*project["dependencies"], *(line for name in names for line in extras[name])]
    return {m[1]: m[3] for line in found if (m := REQUIREMENT.fullmatch(line)) and m[2] == ">="}


def pinned() -> dict[str, str]:
    lines = (ROOT / ".ci" / "minimum.txt").read_text("utf-8").splitlines()
    return {m[1]: m[3] for line in lines if (m := REQUIREMENT.fullmatch(line)) and m[2] == "=="}


def padded(version: str) -> tuple[int, ...]:
    numbers = [int(part) for part in version.split(".")]
    return (*numbers, *[0] * (3 - len(numbers)))


def test_each_is_pinned_for_the_run_that_tests_it() -> None:
    beside = {"jaxlib", "triton", "distributed"}
    tested = {name: padded(version) for name, version in pinned().items() if name not in beside}
    assert {name: padded(version) for name, version in lowest().items()} == tested


def test_jaxlib_is_that_of_jax() -> None:
    assert pinned()["jaxlib"] == pinned()["jax"]


def test_none_is_above_what_the_reports_were_made_with() -> None:
    lines = (ROOT / ".ci" / "constraints.txt").read_text("utf-8").splitlines()
    usual = {m[1]: m[2] for line in lines if (m := re.match(r"([\w-]+)==(\d+(?:\.\d+)*)", line))}
    assert all(usual.pop(name) for name in ("pyright", "dask", "distributed"))  # in no report
    assert all(padded(pinned()[name]) <= padded(version) for name, version in usual.items())
