"""The namespace under test, as the fixture ``xp``."""

import os
from typing import Any

import pytest

from .. import COMMAND
from ..namespaces import load

VARIABLE = "COMPLIANCE_NAMESPACE"


@pytest.fixture(scope="session")
def xp() -> Any:
    """Load the namespace named by the environment variable."""
    name = os.environ.get(VARIABLE)
    if name is None:
        pytest.fail(f"Set {VARIABLE}, or use: {COMMAND} run NAMESPACE", pytrace=False)
    return load(name)
