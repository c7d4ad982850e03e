"""Imports point down only, as docs/design.md, "Layers", draws them."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from pathlib import Path

import arrayapi_unify
from arrayapi_unify import backends
from tests.tables import each

PACKAGE = "arrayapi_unify"
ROOT = Path(arrayapi_unify.__file__).parent

# A module belongs to the layer of the longest name that begins its own.
LAYERS = {
    "_version": 0,
    "_files": 0,
    "errors": 0,
    "locks": 0,
    "container_base": 0,
    "overrides": 0,
    "settings": 0,
    "dtypes": 1,
    "limits": 1,
    "devices": 1,
    "backends": 2,
    "views": 3,
    "array_object": 3,
    "binding": 3,
    "functional": 4,
    "container": 5,
    "graph": 5,
    "compilation": 6,
    "module": 6,
    "": 7,  # the namespaces and tools at the top
}
FRAMEWORKS = tuple(backends.REGISTRY.values())


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer(module: str) -> int:
    return LAYERS.get(module.partition(".")[0], LAYERS[""])


@functools.cache
def imports(path: Path) -> list[str]:
    """List every imported name inside the package, those under TYPE_CHECKING excepted."""
    tree = ast.parse(path.read_text())
    typing_only = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    found: list[str] = []
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.append(node.module or "")
            found += (f"{node.module}.{alias.name}" for alias in node.names)
    return found


FILES = sorted(ROOT.rglob("*.py"))


class TestLayers:
    @each("path", FILES)
    def test_imports_point_down(self, path: Path) -> None:
        own = layer(module_name(path))
        for name in imports(path):
            if name.startswith(f"{PACKAGE}."):
                target = name.removeprefix(f"{PACKAGE}.")
                assert layer(target) <= own or not is_module(target), f"imports {name}"

    @each("path", FILES)
    def test_frameworks_stay_in_their_backends(self, path: Path) -> None:
        own = module_name(path)
        for name in imports(path):
            framework = name.partition(".")[0]
            # NumPy is required by all of us: it holds what lives on the host.
            below = own.startswith(("backends.", "views.")) and framework == "numpy"
            if framework in FRAMEWORKS and not below:
                assert own.startswith(f"backends.{framework}"), f"{own} imports {name}"

    @each("path", FILES)
    def test_backends_do_not_know_each_other(self, path: Path) -> None:
        parts = module_name(path).split(".")
        if parts[0] == "backends" and len(parts) > 1 and parts[1] in FRAMEWORKS:
            others = {f"{PACKAGE}.backends.{f}" for f in FRAMEWORKS if f != parts[1]}
            assert not others & set(imports(path))


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


class TestImportCost:
    def test_no_framework_is_imported(self) -> None:
        program = (
            f"import sys, arrayapi_unify; print([m for m in {FRAMEWORKS!r} if m in sys.modules])"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True
        )
        assert done.stdout.strip() == "[]"

    def test_modules_are_imported_when_they_are_asked_for(self) -> None:
        program = (
            "import sys, arrayapi_unify.numpy; early = 'arrayapi_unify.module' in sys.modules; "
            "arrayapi_unify.Module; print(early, 'arrayapi_unify.module' in sys.modules)"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True
        )
        assert done.stdout.strip() == "False True"
