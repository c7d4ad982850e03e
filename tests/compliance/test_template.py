"""A backend of another package has its report, by the name that its entry point gives."""

from __future__ import annotations

import json
import os

import pytest

from tests import template
from tests.compliance.conftest import REPOSITORY, Workplace

# One function that the package has, and one that it lacks.
SUITE = """
from compliance.namespaces import load

xp = load("toy")


def test_add():
    x = xp.asarray([1.0, 2.0])
    assert (x + x).tolist() == [2.0, 4.0]


def test_sin():
    assert xp.sin(xp.asarray([0.0])).tolist() == [0.0]
"""


@pytest.mark.slow
def test_an_installed_package_is_measured_by_its_name(workplace: Workplace) -> None:
    installed = template.install(workplace.folder)
    path = os.pathsep.join(map(str, [REPOSITORY, installed]))
    workplace.write_tests(SUITE)
    options = ["--suite", str(workplace.suite), "--workers", "0"]
    done = workplace.run("run", "toy", *options, PYTHONPATH=path)
    assert done.returncode == 1, done.stderr
    report = json.loads((workplace.output / "arrayapi_unify.toy.json").read_text("utf-8"))
    outcomes = {test["function"]: test["outcome"] for test in report["data"]["tests"]}
    assert outcomes == {"add": "passed", "sin": "failed"}
