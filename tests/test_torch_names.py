"""The page of PyTorch's names: it has each documented function once, and what it names exists."""

from __future__ import annotations

import fnmatch
import importlib
import operator
import re
from typing import Any

import pytest

import arrayapi_unify as unify
from docs import torch_names
from docs.torch_tables import CLASSES, MISSING, NOTES, OTHER_MEANING, RENAMED, SAME, TENSOR

torch = pytest.importorskip("torch")

SAME_NAMES = {f"{prefix}{name}" for prefix, names in SAME.items() for name in names.split()}
PATTERNS = [pattern for patterns in MISSING.values() for pattern in patterns.split()]


def documented(prefix: str) -> set[str]:
    """The functions of a module that have a docstring; `add_` and the like write to an argument."""
    module = importlib.import_module(prefix.rstrip("."))
    return {
        f"{prefix}{name}"
        for name, found in vars(module).items()
        if name[0] != "_" != name[-1] and callable(found) and getattr(found, "__doc__", None)
        if not isinstance(found, type)
    }


def theirs(name: str) -> Any:
    """The object that PyTorch has under a name."""
    module = "torch.utils.checkpoint" if "checkpoint" in name else "torch"
    importlib.import_module(module)
    return operator.attrgetter(name.removeprefix("torch."))(torch)


def ours(name: str) -> Any:
    return operator.attrgetter(name)(unify)


@pytest.fixture(scope="module")
def functions() -> set[str]:
    return {name for prefix in SAME for name in documented(prefix)}


class TestEveryFunction:
    def test_is_on_the_page_once(self, functions: set[str]) -> None:
        for name in functions:
            places = [name in RENAMED, name in SAME_NAMES]
            if not any(places):
                assert any(fnmatch.fnmatchcase(name, p) for p in PATTERNS), name
            assert sum(places) < 2, name

    def test_is_pytorchs(self, functions: set[str]) -> None:
        assert functions >= SAME_NAMES
        for name in RENAMED:
            assert callable(theirs(name)), name

    def test_reasons_are_of_functions_that_lack_something(self, functions: set[str]) -> None:
        others = functions - RENAMED.keys() - SAME_NAMES
        for pattern in PATTERNS:
            assert fnmatch.filter(others, pattern), pattern


class TestOurs:
    def test_exist(self) -> None:
        for name in [*RENAMED.values(), *CLASSES.values()]:
            assert ours(name) is not None

    def test_of_the_same_name_exist(self) -> None:
        for name in SAME_NAMES:
            short = name.removeprefix("torch.").removeprefix("nn.functional.")
            assert callable(ours(short)), name

    def test_renamed_ones_lack_pytorchs_name(self) -> None:
        """A name that is here as well belongs to the tables of the same names."""
        for name, new in RENAMED.items():
            short = name.removeprefix("torch.").removeprefix("nn.functional.")
            try:
                found = ours(short)
            except AttributeError:
                continue
            assert found is not ours(new), name
            assert name in NOTES or short in ("equal", "transpose"), name

    def test_of_the_text_exist(self) -> None:
        text = re.sub(r"^```.*?^```", "", torch_names.render(), flags=re.DOTALL | re.MULTILINE)
        for name in re.findall(r"`unify\.([\w.]+)", text):
            assert ours(name.rstrip(".")) is not None
        x = unify.ones((2, 2))
        for name in re.findall(r"`x\.(\w+)", " ".join(TENSOR.values())):
            assert hasattr(x, name), name


class TestDifferences:
    def test_are_of_functions_with_the_same_name(self) -> None:
        assert set(OTHER_MEANING) <= SAME_NAMES
        assert set(NOTES) <= set(RENAMED)

    @pytest.mark.parametrize("name", sorted(TENSOR))
    def test_methods_are_pytorchs(self, name: str) -> None:
        assert hasattr(torch.Tensor, name)

    @pytest.mark.parametrize("name", sorted(CLASSES))
    def test_layers_are_pytorchs(self, name: str) -> None:
        assert issubclass(theirs(name), torch.nn.Module)
