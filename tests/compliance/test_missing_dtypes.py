"""A library without complex numbers gets a report."""

from __future__ import annotations

import pytest

from tests.compliance.conftest import Workplace

# The official suite takes the widest complex data type while it is imported, and makes a number.
HELPERS = """
def made_by_the_library(number):
    if isinstance(number, kind) and not complex_dtypes:
        raise ValueError("no data type for a complex number")
    return type(number).__name__

def is_complex(number):
    return isinstance(number, complex)

from . import xp

def hasattr_of(xp, name):
    try:
        return bool(getattr(xp, name))
    except AttributeError:
        return False

kind = type(1j)
complex_dtypes = DTYPES
default_complex = made_by_the_library(complex())
widest_complex = max([(dtype, 64) for dtype in complex_dtypes], key=lambda pair: pair[1])[0]
widest_real = max([("float32", 32), ("float64", 64)], key=lambda pair: pair[1])[0]
components = {"complex64": xp.float32, "complex128": xp.float64}
found = [name for name in ("float32", "float64") if hasattr_of(xp, name)]
dtype_to_name = {dtype: dtype for dtype in ["int8", *complex_dtypes]}
"""
TESTS = """
import pytest
from . import dtype_helpers

def test_the_suite_loads():
    assert (dtype_helpers.default_complex, dtype_helpers.widest_complex) == WANTED
    assert dtype_helpers.widest_real == "float64"

def test_an_absent_data_type_is_a_name() -> None:
    assert dtype_helpers.components["complex128"] == "float64"
    assert dtype_helpers.found == ["float32"]
    assert dtype_helpers.xp.__name__ == "fakens"
    assert not hasattr(dtype_helpers.xp, "float64")

def test_none_has_the_name_of_an_absent_data_type():
    if not dtype_helpers.complex_dtypes:
        assert dtype_helpers.dtype_to_name[None] == "complex128"
        assert dtype_helpers.dtype_to_name["int8"] == "int8"

def test_functions_of_it_know_the_type():
    assert dtype_helpers.is_complex(1j) and not dtype_helpers.is_complex(1.0)

def test_nobody_else_has_another_max():
    with pytest.raises(ValueError):
        max([])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dtypes", "wanted"), [([], (None, None)), (["complex64"], ("complex", "complex64"))]
)
def test_the_default_and_the_widest(
    workplace: Workplace, dtypes: list[str], wanted: tuple[str | None, str | None]
) -> None:
    helpers = HELPERS.replace("DTYPES", repr(dtypes))
    package = workplace.suite / "array_api_tests" / "__init__.py"
    package.write_text("import fakens as xp\n", encoding="utf-8")
    (workplace.suite / "array_api_tests" / "dtype_helpers.py").write_text(helpers, "utf-8")
    with (workplace.suite / "conftest.py").open("a", encoding="utf-8") as file:
        file.write("\nimport array_api_tests.dtype_helpers\n")  # before any test, as the suite does
    workplace.write_tests(TESTS.replace("WANTED", repr(wanted)))
    done = workplace.measure()
    assert done.returncode == 0, done.stderr
    assert workplace.report()["data"]["summary"]["passed"] == 5
