"""A mutant planted in this process and its children: its module is compiled from changed source."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

__all__ = ["NONE", "VARIABLE", "Planter", "plant"]

VARIABLE: Final = "ARRAYAPI_UNIFY_MUTANT"
"""The variable with the id of the mutant, for the processes that tests start."""
NONE: Final = "none"
_PATHS: Final = (str(Path(__file__).parent / "startup"), str(Path(__file__).parents[2]))


class _Loader(SourceFileLoader):
    """A loader of changed source, which no file has."""

    def __init__(self, name: str, path: str, source: bytes) -> None:
        super().__init__(name, path)
        self.changed = source

    def get_code(self, fullname: str) -> CodeType:
        """Compile the changed source; `inspect.getsource` and tracebacks show it, too."""
        lines = self.changed.decode().splitlines(keepends=True)
        linecache.cache[self.path] = (len(self.changed), None, lines, self.path)
        return compile(self.changed, self.path, "exec", dont_inherit=True)


class Planter(MetaPathFinder):
    """A finder of the one module that has the file with the fault."""

    def __init__(self, path: Path, source: bytes) -> None:
        self.path, self.source = path, source
        parts = path.with_suffix("").parts
        self.last = parts[-2] if parts[-1] == "__init__" else parts[-1]

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find the module, and let its loader have the changed source."""
        if name.rpartition(".")[2] != self.last:
            return None
        spec: Any = PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None or Path(spec.origin) != self.path:
            return None
        spec.loader = _Loader(name, spec.origin, self.source)
        return spec  # type: ignore[no-any-return]


def plant(identifier: str) -> None:
    """Plant the mutant with an id before anything imports the package."""
    from tests.mutants.draw import PACKAGE, find

    found = [name for name in sys.modules if name.partition(".")[0] == PACKAGE.name]
    if found:
        raise RuntimeError(f"{found[0]} is imported already")
    if identifier != NONE:
        mutant = find(identifier)
        sys.meta_path.insert(0, Planter(PACKAGE / mutant.file, mutant.changed()))
    os.environ[VARIABLE] = identifier
    paths = [*_PATHS, *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(path for path in paths if path))
