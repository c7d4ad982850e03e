"""The modules that a first call on NumPy loads: fewer than the import of array_api_compat's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

FIRST_CALL: Final = "import arrayapi_unify.numpy as xp; xp.asarray([1.0]) + 1"


def loaded(code: str) -> set[str]:
    """Return the names of the modules that a program loads."""
    program = f"{code}; import sys; print(*sys.modules)"
    command, root = [sys.executable, "-c", program], Path(__file__).parents[2]
    return set(
        subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.split()
    )


class TestFirstCall:
    def test_loads_fewer_modules_than_array_api_compat(self) -> None:
        ours, theirs = loaded(FIRST_CALL), loaded("import array_api_compat.numpy")
        assert len(ours) < len(theirs)

    def test_loads_nothing_heavy(self) -> None:
        heavy = {
            "numpy.testing",
            "numpy.f2py",
            "unittest",
            "scipy",
            "torch",
            "ast",
            "typing_extensions",
        }
        assert not loaded(FIRST_CALL) & heavy - loaded("import numpy")
