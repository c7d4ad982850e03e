"""The package of tests/toy, built and installed as those of others are."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

__all__ = ["install"]

_SOURCES = Path(__file__).parent / "toy"


def install(folder: Path) -> Path:
    """Build the package from a copy and install it; return the folder in which Python finds it."""
    sources, target = folder / "sources", folder / "installed"
    shutil.copytree(_SOURCES, sources, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--target", str(target), str(sources)]
    subprocess.run(command, check=True, capture_output=True)
    return target
