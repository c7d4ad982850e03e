"""The contracts agree with the standard's names and signatures, stored as data."""

from __future__ import annotations

import inspect

import pytest

import arrayapi_unify as unify
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.contract import EXTENSIONS
from compliance.standard import STANDARD
from tests.tables import each

FUNCTIONS = [
    (category, name)
    for category, functions in STANDARD.functions.items()
    for name in functions
    if not (category == "linalg" and name in STANDARD.functions["linear_algebra"])
]
# The standard's page of `__array_namespace_info__` is called "Inspection", like ours; the own
# checks use the name of the stubs' file for the category.
EMPTY = inspect.Parameter.empty


def qualified(category: str, name: str) -> str:
    return f"{category}.{name}" if category in EXTENSIONS else name


def shape(signature: inspect.Signature) -> list[tuple[str, object, object]]:
    return [(p.name, p.kind, p.default) for p in signature.parameters.values()]


# Also by keyword, because NumPy's users write `x.astype(dtype=...)`.
BY_KEYWORD_TOO = {("astype", "dtype")}


class TestContracts:
    @each("category, name", FUNCTIONS)
    def test_signature_is_the_standards(self, category: str, name: str) -> None:
        """B4: Arrays in and out."""
        contract = CONTRACTS[qualified(category, name)]
        ours = [entry for entry in shape(contract.signature) if entry[0] != "out"]
        wanted = shape(STANDARD.functions[category][name])
        either = inspect.Parameter.POSITIONAL_OR_KEYWORD
        assert ours == [
            (p, either if (name, p) in BY_KEYWORD_TOO else kind, default)
            for p, kind, default in wanted
        ]

    @each("category, name", FUNCTIONS)
    def test_category_is_the_standards(self, category: str, name: str) -> None:
        assert CONTRACTS[qualified(category, name)].category == category

    @each("category, name", FUNCTIONS)
    def test_every_function_of_one_array_takes_out(self, category: str, name: str) -> None:
        contract = CONTRACTS[qualified(category, name)]
        one_array = contract.signature.return_annotation == "Array"
        makes_arrays_of_anything = name in {"asarray", "from_dlpack"}
        assert contract.takes_out == (one_array and not makes_arrays_of_anything)


class TestNamespaces:
    @pytest.mark.parametrize("name", [*STANDARD.data["constants"], *STANDARD.dtypes])
    def test_constants_and_dtypes(self, name: str) -> None:
        bound = unify.get_backend("numpy")
        value = getattr(unify, name)
        assert value is getattr(bound, name)

    @pytest.mark.parametrize("name", sorted(STANDARD.array_methods))
    def test_array_methods(self, name: str) -> None:
        method = getattr(unify.ones((1, 1)), name)
        expected = STANDARD.array_methods[name]
        ours = inspect.signature(method)
        positional = [p.name for p in expected.parameters.values() if p.kind is p.POSITIONAL_ONLY]
        keywords = {p.name for p in expected.parameters.values() if p.kind is p.KEYWORD_ONLY}
        assert len([p for p in ours.parameters.values() if p.kind is p.POSITIONAL_ONLY]) == len(
            positional
        )
        assert keywords <= set(ours.parameters)

    @pytest.mark.parametrize("name", STANDARD.data["array_attributes"])
    def test_array_attributes(self, name: str) -> None:
        assert not inspect.isroutine(getattr(unify.ones((2, 2)), name))

    def test_versions(self) -> None:
        assert unify.__array_api_version__ == STANDARD.data["version"]
        assert unify.get_backend("numpy").__array_api_version__ == STANDARD.data["version"]
