"""The size of the package: the lines and files that count."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from benchmarks import code_lines

SOURCE = '''"""A module.

Its docstring has three lines.
"""

import os  # a comment


def f(x: int) -> int:
    """Return x."""
    # A comment.
    text = """no
    docstring"""
    return (
        x
    )
'''


def test_code_without_blanks_comments_and_docstrings() -> None:
    assert code_lines.code_lines(SOURCE) == 7
    assert code_lines.code_lines('"""Only words."""\n') == 0


def test_folders_and_short_files() -> None:
    long = "x = 1\n" * (code_lines.SHORT + 1)
    texts = {
        "arrayapi_unify/a.py": long,
        "arrayapi_unify/graph/b.py": SOURCE,
        "arrayapi_unify/graph/__init__.py": SOURCE,
        "arrayapi_unify/backends/numpy/c.py": SOURCE,
        "arrayapi_unify/backends/_common/d.py": SOURCE,
    }
    found = code_lines.by_folder(texts)
    assert found["arrayapi_unify"] == (1, code_lines.SHORT + 1)
    assert found["arrayapi_unify/graph"] == (2, 14)
    short = ["arrayapi_unify/backends/_common/d.py", "arrayapi_unify/graph/b.py"]
    assert code_lines.short_files(texts) == short


@pytest.mark.slow
def test_a_revision_is_compared_with_the_working_tree() -> None:
    texts = code_lines.sources()
    assert "arrayapi_unify/errors.py" in texts
    assert "arrayapi_unify/contracts/index.py" not in texts  # generated
    result = CliRunner().invoke(code_lines.main, ["HEAD"])
    assert result.exit_code == 0, result.output
    assert "change: " in result.output
