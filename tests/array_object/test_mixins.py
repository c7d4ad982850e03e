"""The methods of Array: every contract with an array parameter is one."""

from __future__ import annotations

import inspect
import operator
from pathlib import Path
from types import ModuleType

import pytest

import arrayapi_unify as unify
from arrayapi_unify import _generate
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.mixins import MIXINS
from arrayapi_unify.array_object.numpy_names import LINALG_ONLY
from arrayapi_unify.binding.array_class import is_method
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import WITHOUT_METHODS
from tests.tables import each

WITH_ARRAYS = sorted(n for n, c in CONTRACTS.items() if c.array_parameters)
WITHOUT_ARRAYS = sorted(set(CONTRACTS) - set(WITH_ARRAYS))
# Attributes and methods of these names are written in the class, and some of NumPy's functions have
# the names of those in linalg.
NO_METHODS = {f"linalg.{name}" for name in LINALG_ONLY} | {
    "array_namespace", "copy", "dtype", "imag", "linalg.cross", "linalg.diagonal", "linalg.outer",
    "linalg.trace", "ndim", "real", "select", "shape", "size", "transpose",
}  # fmt: skip
METHODS = [
    name
    for name in WITH_ARRAYS
    if name not in NO_METHODS and CONTRACTS[name].category not in WITHOUT_METHODS
]
every_method = each("name", METHODS)


class TestMixins:
    """B42 and B43: data and methods, mixins."""

    def test_array_inherits_from_every_mixin(self) -> None:
        for category, mixin in MIXINS.items():
            assert issubclass(Array, mixin)
            camel = "".join(part.capitalize() for part in category.rpartition(".")[2].split("_"))
            assert mixin.__name__ == f"ArrayWith{camel}"

    def test_every_category_with_methods_has_its_mixin(self) -> None:
        assert {CONTRACTS[name].category for name in METHODS} <= set(MIXINS)

    @every_method
    def test_is_on_its_categorys_mixin_and_on_the_backends_class(
        self, xp: ModuleType, name: str
    ) -> None:
        contract = CONTRACTS[name]
        assert is_method(contract)
        mixin = MIXINS[contract.category]
        assert vars(mixin)[contract.name].contract is contract
        operator.attrgetter(name)(xp)  # the access binds it
        method = getattr(type(xp.ones(1)), contract.name)
        assert method.contract is contract
        assert method is not getattr(Array, contract.name) or contract.kind == "standalone"

    @every_method
    def test_signature_is_the_functions_without_self(self, xp: ModuleType, name: str) -> None:
        contract = CONTRACTS[name]
        full = list(contract.signature.parameters)
        first = contract.array_parameters[0]
        for x in (xp.ones(1), type("Mine", (Array,), {})([1.0])):
            shown = list(inspect.signature(getattr(x, contract.name)).parameters)
            if first.role in (Role.STAR, Role.SEQUENCE):
                assert shown == full
            else:
                assert shown == [n for n in full if n != first.name]

    @every_method
    def test_self_is_never_out(self, name: str) -> None:
        assert CONTRACTS[name].array_parameters[0].role is not Role.OUT
        assert CONTRACTS[name].array_parameters[0].name != "out"

    @each("name", WITHOUT_ARRAYS)
    def test_functions_without_an_array_are_no_methods(self, name: str) -> None:
        """B42: creation functions without an array argument, the backend handler, ..."""
        method = getattr(Array, CONTRACTS[name].name, None)
        assert getattr(method, "contract", None) is not CONTRACTS[name]

    def test_what_the_class_declares_wins(self) -> None:
        assert isinstance(vars(Array)["dtype"], property)
        assert not any(is_method(CONTRACTS[name]) for name in NO_METHODS if name in CONTRACTS)

    def test_no_two_contracts_want_the_same_method(self) -> None:
        names = [CONTRACTS[name].name for name in METHODS]
        assert len(names) == len(set(names))

    @every_method
    def test_documentation_is_the_functions(self, name: str) -> None:
        contract = CONTRACTS[name]
        assert getattr(Array, contract.name).__doc__ == contract.public.__doc__


class TestAttributesOfTheStandard:
    @pytest.mark.parametrize(
        "name",
        ["dtype", "device", "mT", "ndim", "shape", "size", "T", "to_device", "__dlpack__"],
    )
    def test_is_there(self, xp: ModuleType, name: str) -> None:
        assert hasattr(xp.ones((1, 1)), name)


class TestStubs:
    def test_check_finds_an_old_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        old = tmp_path / "mixins.pyi"
        monkeypatch.setattr(_generate, "PATH", old)
        assert _generate.main(["--check"]) == 1
        assert not old.exists()
        assert _generate.main([]) == 0
        assert _generate.main(["--check"]) == 0
        assert old.read_text(encoding="utf-8") == _generate.render()

    def test_is_python_and_names_every_method(self) -> None:
        text = _generate.render()
        compile(text, "mixins.pyi", "exec")
        for name in METHODS:
            assert f"    def {CONTRACTS[name].name}(" in text

    def test_top_level_array_has_them(self) -> None:
        assert unify.Array.sin.contract is CONTRACTS["sin"]
