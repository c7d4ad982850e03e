"""The folders of the backends are parallel: modules with one purpose have one name."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from arrayapi_unify import backends
from arrayapi_unify.backends._protocol import PRIVATE_MODULES

ROOT = Path(backends.__file__).parent
FOLDERS = [path.parent for path in sorted(ROOT.glob("[a-z]*/__init__.py"))]
# The same function of the standard has formulas of several kinds.
FORMULAS = {"_arithmetic", "_complex", "_derivatives", "_exponentials", "_real"}


def private_modules(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.glob("_*.py")) if path.stem != "__init__"]


def exported(path: Path) -> set[str]:
    """Return the functions and classes that a file defines for other files."""
    defined = (n for n in ast.parse(path.read_text()).body if hasattr(n, "name"))
    return {n.name for n in defined if not n.name.startswith("_")}


class TestPrivateModules:
    @pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
    def test_have_the_name_of_their_purpose(self, folder: Path) -> None:
        assert {path.stem for path in private_modules(folder)} <= set(PRIVATE_MODULES)

    def test_every_purpose_is_served(self) -> None:
        found = {path.stem for folder in FOLDERS for path in private_modules(folder)}
        assert found == set(PRIVATE_MODULES)

    def test_hold_what_others_of_that_name_hold(self) -> None:
        places: dict[str, set[str]] = defaultdict(set)
        for folder in FOLDERS:
            for path in private_modules(folder):
                if path.stem not in FORMULAS:
                    for name in exported(path):
                        places[name].add(path.stem)
        assert {name: found for name, found in places.items() if len(found) > 1} == {}
