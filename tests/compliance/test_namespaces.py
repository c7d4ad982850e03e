"""Names of namespaces that are accepted, and names that are refused."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify.backends import REGISTRY
from compliance.errors import NamespaceError
from compliance.namespaces import DEVICE_VARIABLE, Namespace, bare, load, parse, suite_variable
from compliance.probe import probe
from tests import immutable_backend


class TestParse:
    """From the command line to a namespace."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (
                "torch",
                Namespace("arrayapi_unify.torch", "arrayapi_unify.torch", "arrayapi_unify.torch"),
            ),
            (
                "compiled:jax",
                Namespace(
                    "compiled:jax", "arrayapi_unify.jax", "arrayapi_unify.jax", kind="compiled"
                ),
            ),
            (
                "chunked:arrayapi_unify@dask",
                Namespace(
                    "chunked:arrayapi_unify@dask",
                    "arrayapi_unify@dask",
                    "arrayapi_unify",
                    "dask",
                    "chunked",
                ),
            ),
            (
                "chunked:dask.array",
                Namespace("chunked:dask.array", "dask.array", "dask.array", kind="chunked"),
            ),
            (
                "split2:jax",
                Namespace("split2:jax", "arrayapi_unify.jax", "arrayapi_unify.jax", kind="split2"),
            ),
            ("bare:numpy", Namespace("bare:numpy", "numpy", "numpy")),
            ("bare:jax.numpy", Namespace("jax.numpy", "jax.numpy", "jax.numpy")),
            ("jax.numpy", Namespace("jax.numpy", "jax.numpy", "jax.numpy")),
            ("array_api_strict", Namespace(*["array_api_strict"] * 3)),
            (
                "arrayapi_unify@jax",
                Namespace("arrayapi_unify@jax", "arrayapi_unify@jax", "arrayapi_unify", "jax"),
            ),
        ],
    )
    def test_forms(self, text: str, expected: Namespace) -> None:
        assert parse(text) == expected
        assert parse(expected.spec) == expected

    def test_backend_that_is_registered_later(self) -> None:
        with immutable_backend.registered():
            assert parse("frozen").name == "arrayapi_unify.frozen"
            assert parse("arrayapi_unify@frozen").backend == "frozen"
            assert bare("frozen") == REGISTRY["frozen"]
        assert parse("frozen").name == "frozen"

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "bare:",
            "a b",
            "../x",
            "x:numpy",
            "numpy@torch",
            "compiled:jax.numpy",
            "compiled:arrayapi_unify@jax",
            "chunked:numpy",
            "split2:numpy",
            "split3:jax",
            "compiled:split2:jax",
            "arrayapi_unify@",
            "a..b",
            "a')",
        ],
    )
    def test_other_forms(self, text: str) -> None:
        with pytest.raises(NamespaceError, match="does not name a namespace") as caught:
            parse(text)
        assert "bare:" in caught.value.remedy


class TestLoad:
    """From the name to the module."""

    @pytest.fixture
    def package(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
        """A package with a submodule, an attribute and a hidden broken import."""
        name = "compliance_sample"
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text(
            "class space: x = 1\nsub = broken = None\n", encoding="utf-8"
        )
        (folder / "sub.py").write_text("x = 2\n", encoding="utf-8")
        (folder / "broken.py").write_text("import nothing_of_that_name\n", encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        yield name
        for loaded in [key for key in sys.modules if key.startswith(name)]:
            del sys.modules[loaded]

    def test_compiled_functions(self) -> None:
        """B29: compile."""
        pytest.importorskip("jax")
        xp = load("compiled:jax")
        assert xp is unify.compiled_namespace("jax")
        assert xp.sum is not unify.get_backend("jax").sum

    def test_submodule_before_attribute(self, package: str) -> None:
        assert load(f"{package}.sub").x == 2

    def test_attribute(self, package: str) -> None:
        assert load(f"{package}.space").x == 1

    def test_missing_dependency_is_not_hidden(self, package: str) -> None:
        with pytest.raises(ModuleNotFoundError, match="nothing_of_that_name"):
            load(f"{package}.broken")

    def test_backend_is_set(self, monkeypatch: pytest.MonkeyPatch) -> None:
        chosen: list[str] = []
        project = SimpleNamespace(set_backend=chosen.append)
        monkeypatch.setitem(sys.modules, "arrayapi_unify", project)
        assert load("arrayapi_unify@torch") is project
        assert chosen == ["torch"]

    def test_device_is_set(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """PyTorch's `meta` is the one device beside the CPU that every machine has."""
        torch = pytest.importorskip("torch")
        monkeypatch.setenv(DEVICE_VARIABLE, "meta")
        try:
            assert load("bare:torch").empty(2).device.type == "meta"
        finally:
            torch.set_default_device(None)

    @pytest.mark.parametrize(
        ("text", "message", "remedy"),
        [
            ("numpy", "arrayapi_unify.numpy can't create arrays on --device gpu:3", "devices()"),
            ("array_api_strict", "has no set_default_device", "library's own settings"),
        ],
    )
    def test_device_is_refused(
        self, monkeypatch: pytest.MonkeyPatch, text: str, message: str, remedy: str
    ) -> None:
        monkeypatch.setenv(DEVICE_VARIABLE, "gpu:3")
        with pytest.raises(NamespaceError, match=message) as caught:
            load(parse(text).spec)
        assert remedy in caught.value.remedy
        assert probe(parse(text).spec)["error"] == "device"

    def test_missing_name(self, package: str) -> None:
        with pytest.raises(ModuleNotFoundError, match="absent"):
            load(f"{package}.absent")


def test_suite_variable_is_what_the_suite_evaluates() -> None:
    variable = suite_variable(parse("array_api_strict"))
    assert variable.startswith("exec('")
    scope: dict[str, Any] = {}
    exec(variable[len("exec('") : -len("')")], scope)
    assert scope["xp"].__name__ == "array_api_strict"
