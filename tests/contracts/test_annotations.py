"""Coercion of static parameters follows the types of their annotations, aliases included."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import pytest

from arrayapi_unify.contracts.annotations import (
    ArrayIn,
    OptionalArray,
    OptionalReal,
    Role,
    coerce,
    compile_coercers,
)
from arrayapi_unify.contracts.contract import CONTRACTS, Contract
from arrayapi_unify.contracts.reading import read
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError

Axes: TypeAlias = int | tuple[int, ...] | None
Mode: TypeAlias = Literal["near", "far"] | None


def fitted_by_types(
    x: ArrayIn,
    /,
    axis: Axes = None,
    *,
    sizes: Sequence[int] = (),
    mode: Mode = None,
    limits: tuple[float, float] = (0.0, 1.0),
    rule: Callable[[Any], Any] | None = None,
    anything: Any = None,
    weights: OptionalArray = None,
    top: OptionalReal = None,
) -> Any:
    """The function of a contract whose annotations are aliases of this module."""


@pytest.fixture(scope="module")
def contract() -> Contract:
    made = read(fitted_by_types, "standalone")
    del CONTRACTS[made.qualified_name]
    compile_coercers(made)
    return made


class TestFit:
    @pytest.mark.parametrize(
        ("name", "given", "expected"),
        [
            ("axis", [0, 1], (0, 1)),
            ("axis", 1, 1),
            ("axis", None, None),
            ("sizes", 3, (3,)),
            ("sizes", range(2), (0, 1)),
            ("mode", "far", "far"),
            ("limits", [1, 2.5], (1, 2.5)),
            ("anything", {}, {}),
        ],
    )
    def test_what_an_alias_names(
        self, contract: Contract, name: str, given: Any, expected: Any
    ) -> None:
        found = coerce(contract, contract.by_name[name], given)
        assert found == expected
        assert type(found) is type(expected)

    @pytest.mark.parametrize(
        ("name", "given", "remedy"),
        [
            ("axis", 1.5, "pass an integer or a tuple of integers or None"),
            ("axis", True, "pass an integer or a tuple of integers or None"),
            ("sizes", None, "pass a tuple of integers"),
            ("sizes", "ab", "pass a tuple of integers"),
            ("mode", 1, "pass 'near' or 'far' or None"),
            ("limits", 1.0, "pass a tuple of real numbers"),
            ("limits", (1.0, 1j), "pass a tuple of real numbers"),
            ("rule", 5, "pass a function or None"),
        ],
    )
    def test_invalid_arguments_are_told_what_to_pass(
        self, contract: Contract, name: str, given: Any, remedy: str
    ) -> None:
        with pytest.raises(UnifyTypeError) as caught:
            coerce(contract, contract.by_name[name], given)
        assert str(caught.value).startswith(f"fitted_by_types: argument '{name}' is ")
        assert str(caught.value).endswith(f"; {remedy}")

    def test_an_unknown_word_is_a_wrong_value(self, contract: Contract) -> None:
        with pytest.raises(UnifyValueError, match="'middle'; pass 'near' or 'far' or None"):
            coerce(contract, contract.by_name["mode"], "middle")

    def test_numbers_for_arrays(self, contract: Contract) -> None:
        for name, taken in {"weights": False, "top": True}.items():
            assert (name in contract.takes_numbers) is taken

    def test_no_form(self, contract: Contract) -> None:
        assert list(contract.coercers) == ["axis", "sizes", "mode", "limits", "rule"]


def test_all_annotations_name_types() -> None:
    """Each is evaluated when its function is bound, and anything but a type would raise."""
    for contract in CONTRACTS.values():
        compile_coercers(contract)
        for parameter in contract.parameters:
            if parameter.annotation.startswith(("int", "Literal", "float", "Sequence[int")):
                usual = parameter.role is Role.STATIC and not parameter.star
                assert (parameter.name in contract.coercers) is usual
