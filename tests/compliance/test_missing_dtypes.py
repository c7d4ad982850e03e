"""A library without complex numbers gets a report."""

from __future__ import annotations

from tests.compliance.conftest import Workplace

# The official suite takes the widest complex data type while it is imported.
HELPERS = """
complex_dtypes = []
widest_complex = max([(dtype, 64) for dtype in complex_dtypes], key=lambda pair: pair[1])[0]
widest_real = max([("float32", 32), ("float64", 64)], key=lambda pair: pair[1])[0]
"""
TESTS = """
import pytest
from . import dtype_helpers

def test_the_suite_loads():
    assert dtype_helpers.widest_complex is None
    assert dtype_helpers.widest_real == "float64"

def test_nobody_else_has_another_max():
    with pytest.raises(ValueError):
        max([])
"""


def test_the_widest_of_none(workplace: Workplace) -> None:
    (workplace.suite / "array_api_tests" / "dtype_helpers.py").write_text(HELPERS, "utf-8")
    with (workplace.suite / "conftest.py").open("a", encoding="utf-8") as file:
        file.write("\nimport array_api_tests.dtype_helpers\n")  # before any test, as the suite does
    workplace.write_tests(TESTS)
    done = workplace.measure()
    assert done.returncode == 0, done.stderr
    assert workplace.report()["data"]["summary"]["passed"] == 2
