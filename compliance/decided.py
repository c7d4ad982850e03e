"""A pytest plugin: fails the tests that can't run for the absence of a name, without running them.

The runner knows them by what each test of the pinned suite needs (`needs`), and writes their
messages into the file that ``COMPLIANCE_DECIDED`` names. A test that the suite skips stays skipped.
"""

import json
import os
from functools import cache
from pathlib import Path

import pytest

DECIDED = "COMPLIANCE_DECIDED"


@cache
def _messages() -> dict[str, str]:
    """Return the messages by the ids of the tests."""
    path = os.environ.get(DECIDED)
    found: dict[str, str] = json.loads(Path(path).read_text(encoding="utf-8")) if path else {}
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    """Fail a test that is decided, before Hypothesis draws anything."""
    if message := _messages().get(pyfuncitem.nodeid):
        pytest.fail(message, pytrace=False)
