"""Imports point downwards only, as in docs/design.md, "Layers"."""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest

import arrayapi_unify
from arrayapi_unify import backends
from tests.tables import each

PACKAGE = "arrayapi_unify"
ROOT = Path(arrayapi_unify.__file__).parent

# A module belongs to the layer of the longest matching prefix.
LAYERS = {
    "_core": 0,
    "_namespace": 0,
    "_version": 0,
    "errors": 0,
    "dtypes": 1,
    "limits": 1,
    "devices": 1,
    "backends": 2,
    "views": 3,
    "array_object": 3,
    "contracts": 3,
    "rendering": 4,
    "binding": 5,
    "functional": 6,
    "container": 7,
    "graph": 7,
    "compilation": 8,
    "nn.functional": 6,
    "nn.core": 9,
    "nn.training": 10,
    "nn.layers": 11,
    "nn.conversion": 13,
    "nn": 12,
    "initializers": 12,
    "optimizers": 12,
    "schedules": 12,
    "": 14,  # the namespaces and tools at the top
}
# Public modules that are `nn.optimizers` and the like as well.
TRAINING = ("initializers", "optimizers", "schedules")
FRAMEWORKS = tuple(framework.partition(".")[0] for framework in backends.REGISTRY.values())
TYPING = ("TYPE_CHECKING", "_TYPE_CHECKING")
# The backend whose native functions compute the blocks of another one.
BLOCKS_OF = {"dask": "numpy"}


pytestmark = pytest.mark.quick


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer(module: str) -> int:
    while module not in LAYERS and "." in module:
        module = module.rpartition(".")[0]
    return LAYERS.get(module, LAYERS[""])


@functools.cache
def imports(path: Path) -> list[str]:
    """List every imported name of the package, except those under TYPE_CHECKING."""
    tree = ast.parse(path.read_text())
    typing_only = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) in TYPING
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
    def test_networks_are_imported_lazily(self, path: Path) -> None:
        """The public modules of training loops import `nn`, and nothing else outside of it."""
        own = module_name(path)
        if not own.startswith("nn.") and own not in ("nn", *TRAINING):
            assert not [name for name in imports(path) if name.startswith(f"{PACKAGE}.nn")]

    @each("path", FILES)
    def test_frameworks_stay_in_their_backends(self, path: Path) -> None:
        own = module_name(path)
        for name in imports(path):
            framework = name.partition(".")[0]
            # NumPy is always required: it holds data on the host.
            below = own.startswith(("backends.", "views.")) and framework == "numpy"
            if framework in FRAMEWORKS and not below:
                assert own.startswith(f"backends.{framework}"), f"{own} imports {name}"

    @each("path", FILES)
    def test_backends_do_not_know_each_other(self, path: Path) -> None:
        parts = module_name(path).split(".")
        if parts[0] == "backends" and len(parts) > 1 and parts[1] in backends.REGISTRY:
            below = {parts[1], BLOCKS_OF.get(parts[1])}
            others = {
                f"{PACKAGE}.backends.{name}" for name in backends.REGISTRY if name not in below
            }
            found = imports(path)
            assert not [n for n in found if any(n == o or n.startswith(f"{o}.") for o in others)]


def _text(node: ast.Constant | ast.JoinedStr, names: dict[str, str]) -> str:
    """Return a string, with `*` for parts known only at run time."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    parts = []
    for part in node.values:
        try:
            known = isinstance(part, ast.FormattedValue)
            parts.append(eval(ast.unparse(part.value), dict(names)) if known else part.value)
        except NameError:
            parts.append("*")
    return "".join(map(str, parts))


def lazy_imports(path: Path) -> set[str]:
    """Return the package's modules that a file names, if it imports some by `importlib`."""
    source, own = path.read_text(), f"{PACKAGE}.{module_name(path)}"
    if "import_module" not in source:
        return set()
    package = own if path.name == "__init__.py" else own.rpartition(".")[0]
    names = {"__name__": own, "__package__": package, "PACKAGE": PACKAGE, "_PACKAGE": PACKAGE}
    nodes = ast.walk(ast.parse(source))
    found = (_text(n, names) for n in nodes if isinstance(n, ast.Constant | ast.JoinedStr))
    pattern = re.compile(rf"{PACKAGE}((?:\.[\w*]+)+)")
    return {match[1][1:] for text in found if (match := pattern.fullmatch(text))}


class TestLazyImports:
    """The table of docs/design.md, "Layers"."""

    def test_upward_ones_are_listed(self) -> None:
        design = ROOT.parent.joinpath("docs", "design.md").read_text()
        section = design.partition("\n## Layers\n")[2].partition("\n## ")[0]
        listed = set(re.findall(r"^\| `([\w/]+\.py)` \| `(\w+)` \|", section, re.MULTILINE))
        found = {
            (path.relative_to(ROOT).as_posix(), target.partition(".")[0])
            for path in FILES
            for target in lazy_imports(path)
            if layer(target) > layer(module_name(path))
        }
        assert listed == found


@functools.cache
def at_once(name: str) -> list[tuple[str, list[str]]]:
    """List what a module imports when it is imported, in order: modules, and names of them."""
    path = ROOT.joinpath(*name.split(".")[1:])
    init = path / "__init__.py"
    path = init if init.exists() else path.with_suffix(".py")
    return [
        (node.module, [f"{node.module}.{alias.name}" for alias in node.names])
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{PACKAGE}.")
    ]


@functools.cache
def reached(name: str, but: str = "") -> set[str]:
    """Return the modules that a module's import loads, without the imports of one package."""
    found, left = set[str](), [name]
    while left:
        module = left.pop()
        if module not in found and module != but and is_module(module.removeprefix(f"{PACKAGE}.")):
            found.add(module)
            left += (n for target, names in at_once(module) for n in (target, *names))
    return found


class TestTwoThreads:
    """One thread imports a package, while another one imports a module of it.

    If that module, or one that its import loads, imports from the package, each thread waits for
    the other. Python then returns incomplete modules.
    """

    PACKAGES = ("array_object", "binding", "compilation", "container", "graph", "nn", "views")

    @each("package", PACKAGES)
    def test_modules_that_need_their_package_come_after_it(self, package: str) -> None:
        whole = f"{PACKAGE}.{package}"
        with_it = reached(whole)
        waiting = {m for m in with_it if any(target == whole for target, _ in at_once(m))}
        for path in FILES:
            module = f"{PACKAGE}.{module_name(path)}".removesuffix(".")
            targets = [target for target, _ in at_once(module) if target.startswith(whole)]
            before = targets[: targets.index(whole)] if whole in targets else targets
            for target in before if module not in with_it else ():
                early = waiting & reached(target, whole)
                assert not early, f"{module} imports {target}, and {early}, before {whole}"


@functools.cache
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
            "import sys, arrayapi_unify.numpy; early = 'arrayapi_unify.nn' in sys.modules; "
            "arrayapi_unify.Module; print(early, 'arrayapi_unify.nn' in sys.modules)"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True
        )
        assert done.stdout.strip() == "False True"
