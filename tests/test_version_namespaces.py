"""Namespaces of one version have the standard's names, each the object of the whole namespace."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import subprocess
import sys
from types import ModuleType

import pytest

import arrayapi_unify as unify
from arrayapi_unify._core import standard, versions
from arrayapi_unify.binding.modules import API_VERSIONS, DRAFT
from compliance.standard import STANDARD
from tests.registered import registered

VERSION = STANDARD.data["version"]
PATH = f"arrayapi_unify.{versions.folder(VERSION)}"
# By the extension: "" has the categories of the main namespace.
EXTENSIONS = ("", *STANDARD.extensions)


def names_of_standard(extension: str) -> set[str]:
    """Return the names that the standard has there; the extensions are among those of the main."""
    if extension:
        return set(STANDARD.functions[extension])
    main = {c: fs for c, fs in STANDARD.functions.items() if c not in STANDARD.extensions}
    names = {name for functions in main.values() for name in functions}
    return names | {*STANDARD.data["constants"], *STANDARD.dtypes, *STANDARD.extensions}


def module(name: str, extension: str) -> ModuleType:
    return importlib.import_module(".".join(filter(None, [PATH, name, extension])))


def whole(name: str, extension: str) -> ModuleType:
    return importlib.import_module(".".join(filter(None, ["arrayapi_unify", name, extension])))


@pytest.mark.parametrize("extension", EXTENSIONS)
class TestPinned:
    def test_names_are_the_standards(self, extension: str) -> None:
        assert standard.names(VERSION, extension) == names_of_standard(extension)

    def test_signatures_are_the_standards(self, extension: str) -> None:
        categories = [extension] if extension else set(STANDARD.functions) - {*STANDARD.extensions}
        wanted = {
            name: str(
                signature.replace(
                    parameters=[
                        p.replace(annotation=p.empty) for p in signature.parameters.values()
                    ],
                    return_annotation=signature.empty,
                )
            )
            for category in categories
            for name, signature in STANDARD.functions[category].items()
        }
        assert dict(standard.FUNCTIONS[VERSION][extension]) == wanted

    def test_a_call_by_the_pinned_signature_fits(self, extension: str) -> None:
        """Each function takes what the pinned signature takes, by the same positions and names."""
        for name, text in standard.FUNCTIONS[VERSION][extension].items():
            ours = inspect.signature(getattr(module("", extension), name))
            names = {"inf": float("inf"), "nan": float("nan")}
            there = inspect.signature(eval(f"lambda {text_of(text)}: None", names))
            for parameter in there.parameters.values():
                own = ours.parameters[parameter.name]
                assert own.kind in (parameter.kind, own.POSITIONAL_OR_KEYWORD), name
                assert own.default == parameter.default, name


def text_of(signature: str) -> str:
    """Return the parameters of a signature as those of a lambda."""
    return signature.removeprefix("(").removesuffix(")")


class TestBound:
    @pytest.mark.parametrize("extension", EXTENSIONS)
    def test_has_those_names_alone(self, xp: ModuleType, extension: str) -> None:
        found = module(xp.__unify_backend__, extension)
        public = {name for name in names_of_standard(extension) if name[0] != "_"}
        assert set(found.__all__) == {n for n in dir(found) if n[0] != "_"} == public
        assert {name for name in vars(found) if name[0] != "_"} <= public

    @pytest.mark.parametrize("extension", EXTENSIONS)
    def test_each_is_the_object_of_the_whole(self, xp: ModuleType, extension: str) -> None:
        name = xp.__unify_backend__
        found, other = module(name, extension), whole(name, extension)
        for each in names_of_standard(extension) - {*STANDARD.extensions}:
            assert getattr(found, each) is getattr(other, each), each

    def test_an_array_returns_it_for_its_version_alone(self, xp: ModuleType) -> None:
        x, name = xp.ones(2), xp.__unify_backend__
        found = x.__array_namespace__(api_version=VERSION)
        assert found is module(name, "") is xp.ones(1).__array_namespace__(api_version=VERSION)
        assert found.__array_api_version__ == VERSION
        others = [version for version in (*API_VERSIONS, DRAFT, None) if version != VERSION]
        assert all(x.__array_namespace__(api_version=version) is xp for version in others)

    def test_extensions_are_its_own(self, xp: ModuleType) -> None:
        found = module(xp.__unify_backend__, "")
        assert found.linalg.inv is xp.linalg.inv
        assert not hasattr(found.linalg, "expm")
        assert found.fft.__array_api_version__ == VERSION

    def test_what_is_not_in_it_is_named(self, xp: ModuleType) -> None:
        found = xp.ones(1).__array_namespace__(api_version=VERSION)
        for name in ("top_k", "softmax", "random", "float16", "arcsin", "nope"):
            with pytest.raises(
                AttributeError,
                match=rf"{name!r}: .*{VERSION}.*arrayapi_unify.{xp.__unify_backend__} has",
            ):
                getattr(found, name)

    def test_a_partial_backend_has_what_it_can(self) -> None:
        with registered("toy", framework="tests.toy.library", package="tests.toy") as toy:
            found = toy.asarray([1.0]).__array_namespace__(api_version=VERSION)
            assert found.add is toy.add
            assert [hasattr(found, name) for name in ("fft", "sin", "int8")] == [False] * 3
            assert {"add", "sum"} <= set(found.__all__)
            assert "sin" not in dir(found)

    def test_a_backend_that_was_registered_leaves_no_module(self) -> None:
        with registered("toy", framework="tests.toy.library", package="tests.toy"):
            assert f"{PATH}.toy" in sys.modules
        assert [m for m in sys.modules if m.startswith("arrayapi_unify") and ".toy" in m] == []

    @pytest.mark.parametrize("name", ["", "numpy"])
    def test_a_walk_over_all_modules_imports_nothing(self, name: str) -> None:
        """Python asks each module for its file where it looks for the source of a frame."""
        parts = ["arrayapi_unify", versions.folder(VERSION), name, "linalg"]
        code = f"""
import inspect, sys, {".".join(filter(None, parts))}
before = set(sys.modules)
assert inspect.getmodule(eval("lambda: None", {{"__name__": "nowhere"}}).__code__) is None
print(sorted(set(sys.modules) - before))
"""
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == "[]"


class TestTopLevel:
    @pytest.mark.parametrize("extension", EXTENSIONS)
    def test_each_is_the_object_of_the_whole(self, extension: str) -> None:
        found, other = module("", extension), whole("", extension)
        for each in names_of_standard(extension) - {*STANDARD.extensions}:
            assert getattr(found, each) is getattr(other, each), each
        assert set(found.__all__) == {
            name for name in names_of_standard(extension) if name[0] != "_"
        }

    def test_what_is_not_in_it_is_named(self) -> None:
        with pytest.raises(
            AttributeError, match=rf"'set_backend': .*{VERSION}.*arrayapi_unify has"
        ):
            _ = module("", "").set_backend

    def test_runs_on_the_backend_of_the_arrays(self, xp: ModuleType) -> None:
        x = xp.asarray([3.0, 4.0])
        found = module("", "")
        assert found.sqrt(found.sum(x * x)).tolist() == 5.0
        assert found.linalg.vector_norm(x).backend == x.backend

    def test_its_import_loads_no_library(self) -> None:
        code = f"import sys, {PATH}; print([m for m in {LIBRARIES} if m in sys.modules])"
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == "[]"


LIBRARIES = [*unify.backends.REGISTRY.values()]


def test_namespaces_are_pickled_by_name() -> None:
    """FAULTS 5.9: an object that keeps its namespace is pickled with it, and copied."""
    for name in ("numpy", "numpy.linalg", "v2025_12.numpy", "v2025_12.numpy.fft"):
        module = importlib.import_module(f"arrayapi_unify.{name}")
        assert pickle.loads(pickle.dumps(module)) is module
        assert copy.deepcopy([module])[0] is module
        assert "__reduce_ex__" not in dir(module)
