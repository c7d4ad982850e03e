"""Backends of other packages are found by their entry points, when one is first needed."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import arrayapi_unify as unify
from arrayapi_unify import backends
from arrayapi_unify.backends import plugins
from arrayapi_unify.errors import BackendError, UnifyValueError
from tests import template

ROOT = Path(unify.__file__).parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return template.install(tmp_path_factory.mktemp("template"))


def run(code: str, *folders: Path) -> str:
    """Return what a new process prints."""
    path = os.pathsep.join(map(str, [ROOT, *folders]))
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
class TestAnInstalledPackage:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        "first",
        [
            "xp = unify.get_backend('toy')",
            "unify.set_backend('toy'); xp = unify.asarray([1.0]).__array_namespace__()",
            "from arrayapi_unify import toy as xp",
            "from toy.library import Grid; xp = unify.Array(Grid(1.0)).__array_namespace__()",
            "xp = unify.use_backend('toy').__enter__()",
        ],
    )
    def test_is_found_by_whatever_comes_first(self, installed: Path, first: str) -> None:
        code = f"import arrayapi_unify as unify; {first}; x = xp.asarray([1.0, 2.0])"
        assert run(f"{code}; print(x + x, xp, xp.__name__)", installed) == (
            "unify.array([2., 4.], backend='toy') <module 'arrayapi_unify.toy'> "
            "arrayapi_unify.bound.1"
        )

    def test_is_listed_and_known_in_messages(self, installed: Path) -> None:
        code = """
import arrayapi_unify as unify
print(unify.backends.names()[-1], unify.backends.check("toy"))
try: unify.get_backend("toys")
except unify.errors.UnifyValueError as error: print(error)
"""
        assert run(code, installed).splitlines() == [
            "toy ['join_complex']",
            "get_backend: argument 'backend' is 'toys', which is no backend; use 'toy'",
        ]

    def test_leaves_the_generated_modules_as_they_are(self, installed: Path) -> None:
        code = """
import arrayapi_unify as unify
from arrayapi_unify._generate.namespaces import render_modules
print(unify.backends.names()[-1], any("toy" in name for name in render_modules()))
"""
        assert run(code, installed) == "toy False"


def test_nothing_is_read_before_it_is_needed() -> None:
    """Reading the entry points takes milliseconds, and nobody asks for other backends here."""
    code = """
import arrayapi_unify as unify
from arrayapi_unify import backends
xp = unify.get_backend("numpy")
x = xp.asarray([[1, 2], [3, 4]]) + 1.5
unify.sum(x), unify.add(x.data, [1.0, 2.0]), xp.linalg.inv(x), float(x[0, 0])
print(backends._discovered)
"""
    assert run(code) == "[]"


class TestDeclared:
    @staticmethod
    def entries(monkeypatch: pytest.MonkeyPatch, *pairs: tuple[str, str]) -> None:
        made = [metadata.EntryPoint(name, value, plugins.GROUP) for name, value in pairs]
        monkeypatch.setattr(metadata, "entry_points", lambda group: made)
        monkeypatch.setattr(backends, "_discovered", [])
        monkeypatch.setattr(backends, "REGISTRY", dict(backends.REGISTRY))
        monkeypatch.setattr(backends, "_packages", dict(backends._packages))
        monkeypatch.setattr(backends, "_contested", {})

    def test_two_packages_of_one_name_are_refused_when_it_is_used(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.entries(monkeypatch, ("grid", "second"), ("grid", "first"), ("other", "third"))
        assert backends.names() == (*backends.BUILT_IN, "grid", "other")
        with pytest.raises(BackendError, match=r"'grid' is declared by 2 packages: first, second"):
            backends.load("grid")

    def test_the_same_package_twice_is_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A package that is in two folders of `sys.path`."""
        self.entries(monkeypatch, ("grid", "first"), ("grid", "first"))
        assert plugins.declared() == {"grid": ("first",)}

    def test_none_replaces_one_of_ours(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.entries(monkeypatch, ("numpy", "theirs"))
        backends.discover()
        assert backends.package_of("numpy") == "arrayapi_unify.backends.numpy"

    def test_a_package_that_is_gone_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.entries(monkeypatch, ("grid", "gone"))
        with pytest.raises(ModuleNotFoundError, match="gone"):
            backends.load("grid")
        with pytest.raises(UnifyValueError, match="'grit' is no backend; use 'grid'"):
            backends.load("grit")
