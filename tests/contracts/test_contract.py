"""Contracts: the properties of a function definition."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import NamedTuple, get_args, get_type_hints

import pytest

import arrayapi_unify as unify
from arrayapi_unify.array_object import Array, NativeArray
from arrayapi_unify.contracts import CONTRACTS, Contract, reading
from arrayapi_unify.contracts.annotations import (
    ARRAY_ROLES,
    ArrayIn,
    ArrayLike,
    Arrays,
    Key,
    OptionalDevice,
    OptionalDType,
    OptionalReal,
    Out,
    RealOperand,
    Role,
)
from arrayapi_unify.contracts.contract import MISSING, Returns
from arrayapi_unify.contracts.reading import read
from arrayapi_unify.devices import Device
from tests.tables import each


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Contract]:
    """Create contracts without registering them."""
    monkeypatch.setattr(reading, "CONTRACTS", {})
    return lambda function, **flags: read(function, "primary", **flags)


class Pair(NamedTuple):
    """A named tuple of arrays."""

    a: Array
    b: Array


def everything(
    x: ArrayIn,
    y: RealOperand,
    many: Arrays,
    obj: ArrayLike,
    key: Key,
    /,
    shape: int | Sequence[int],
    maybe: OptionalReal = None,
    *,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    function: Callable[[Array], Array] | None = None,
    axis: int | None = None,
    out: Out = None,
) -> Array:
    """Every kind of parameter."""
    raise NotImplementedError


def starred(*arrays: ArrayIn, indexing: str = "xy") -> tuple[Array, ...]:
    """Take any number of arrays."""
    raise NotImplementedError


def pair(x: ArrayIn, /) -> Pair:
    """Return a named tuple."""
    raise NotImplementedError


def plain(value: int, /) -> int:
    """Take no arrays."""
    raise NotImplementedError


class TestRoles:
    def test_are_read_off_the_annotations(self, reader: Callable[..., Contract]) -> None:
        roles = {p.name: p.role for p in reader(everything).parameters}
        assert roles == {
            "x": Role.ARRAY,
            "y": Role.OPERAND,
            "many": Role.SEQUENCE,
            "obj": Role.OBJECT,
            "key": Role.KEY,
            "shape": Role.STATIC,
            "maybe": Role.OPTIONAL,
            "dtype": Role.DTYPE,
            "device": Role.DEVICE,
            "function": Role.STATIC,
            "axis": Role.STATIC,
            "out": Role.OUT,
        }

    def test_star(self, reader: Callable[..., Contract]) -> None:
        contract = reader(starred)
        assert [p.role for p in contract.parameters] == [Role.STAR, Role.STATIC]
        assert not contract.parameters[0].required

    def test_kinds_of_parameters(self, reader: Callable[..., Contract]) -> None:
        parameters = {p.name: p for p in reader(everything).parameters}
        assert [n for n, p in parameters.items() if p.positional_only] == [
            "x", "y", "many", "obj", "key",
        ]  # fmt: skip
        assert [n for n, p in parameters.items() if p.keyword_only] == [
            "dtype", "device", "function", "axis", "out",
        ]  # fmt: skip
        assert [n for n, p in parameters.items() if p.required] == [
            "x", "y", "many", "obj", "key", "shape",
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("name", "roles"),
        [
            ("add", ["operand", "operand", "out"]),
            ("sin", ["array", "out"]),
            ("clip", ["array", "optional", "optional", "out"]),
            ("where", ["array", "operand", "operand", "out"]),
            ("concat", ["sequence", "static", "out"]),
            ("meshgrid", ["star", "static"]),
            ("result_type", ["star"]),
            ("asarray", ["object", "dtype", "device", "static"]),
            ("get_item", ["array", "key", "out"]),
            ("set_item", ["array", "key", "operand"]),
            ("full", ["static", "operand", "dtype", "device", "out"]),
            ("astype", ["array", "dtype", "static", "device", "out"]),
            ("repeat", ["array", "operand", "static", "out"]),
            ("can_cast", ["array", "dtype"]),
            ("set_backend", ["static"]),
        ],
    )
    def test_of_real_contracts(self, name: str, roles: list[str]) -> None:
        assert [p.role.value for p in CONTRACTS[name].parameters] == roles

    def test_whatever_is_an_array_is_said_by_an_alias(self) -> None:
        for contract in CONTRACTS.values():
            hints = get_type_hints(contract.function)
            for parameter in contract.parameters:
                hint = hints.get(parameter.name)
                alternatives = [hint, *get_args(hint)]
                if any(kind in alternatives for kind in (Array, NativeArray, Device)):
                    assert parameter.role is not Role.STATIC, (contract, parameter.name)

    def test_out_is_optional_keyword_only_and_last_everywhere(self) -> None:
        for contract in CONTRACTS.values():
            for parameter in contract.parameters:
                if parameter.role is Role.OUT:
                    assert parameter.name == "out"
                    assert parameter.keyword_only
                    assert parameter.default is None
                    named = [p for p in contract.parameters if not p.any_keyword]
                    assert parameter is named[-1]

    def test_every_annotation_of_an_array_has_an_array_role(self) -> None:
        for contract in CONTRACTS.values():
            for parameter in contract.parameters:
                annotation = str(contract.signature.parameters[parameter.name].annotation)
                if "Array" in annotation and parameter.name != "out":
                    assert parameter.role in ARRAY_ROLES, (contract.name, parameter.name)


class TestReturns:
    def test_are_read_off_the_annotation(self, reader: Callable[..., Contract]) -> None:
        assert reader(everything).returns is Returns.ARRAY
        assert reader(starred).returns is Returns.ARRAYS
        assert reader(starred).result_type is None
        assert reader(pair).returns is Returns.ARRAYS
        assert reader(pair).result_type is Pair
        assert reader(plain).returns is Returns.OTHER

    def test_every_return_annotation_with_arrays_is_understood(self) -> None:
        for contract in CONTRACTS.values():
            annotation = str(contract.signature.return_annotation)
            if "Array" in annotation and "Native" not in annotation:
                assert contract.returns is not Returns.OTHER, contract.name


class TestContract:
    def test_names(self, reader: Callable[..., Contract]) -> None:
        assert reader(plain).qualified_name == "plain"
        assert CONTRACTS["linalg.inv"].qualified_name == "linalg.inv"
        assert CONTRACTS["linalg.inv"].name == "inv"
        assert CONTRACTS["linalg.inv"].public_module == "arrayapi_unify.linalg"
        assert CONTRACTS["matmul"].public_module == "arrayapi_unify"
        assert CONTRACTS["matmul"].category == "linear_algebra"

    def test_flags(self, reader: Callable[..., Contract]) -> None:
        assert not reader(everything).convenience
        assert reader(everything, convenience=True, mutates=True).convenience
        assert reader(everything, mutates=True).mutates
        assert CONTRACTS["set_item"].mutates

    def test_views_of_the_parameters(self, reader: Callable[..., Contract]) -> None:
        contract = reader(everything)
        assert contract.takes_out
        assert [p.name for p in contract.inputs] == [
            p.name for p in contract.parameters if p.name != "out"
        ]
        assert [p.name for p in contract.array_parameters] == [
            "x", "y", "many", "obj", "key", "maybe",
        ]  # fmt: skip
        assert contract.converts
        assert not CONTRACTS["add"].converts

    def test_is_filed_under_its_qualified_name(self) -> None:
        for name, contract in CONTRACTS.items():
            assert contract.qualified_name == name
            assert contract.public.contract is contract

    def test_every_signature_is_annotated(self) -> None:
        """B2: primary functions."""
        for contract in CONTRACTS.values():
            assert contract.signature.return_annotation is not inspect.Signature.empty
            for parameter in contract.signature.parameters.values():
                assert parameter.annotation is not inspect.Parameter.empty

    @each("name", sorted(CONTRACTS))
    def test_documentation_has_a_summary_and_examples(self, name: str) -> None:
        """B2: primary functions."""
        text = CONTRACTS[name].function.__doc__ or ""
        assert text.partition("\n")[0].endswith(".")
        assert "Examples\n" in text
        assert ">>> " in text

    @each("name", sorted(n for n, c in CONTRACTS.items() if c.kind == "primary"))
    def test_primary_has_no_implementation(self, name: str) -> None:
        """B2: primary functions."""
        code = CONTRACTS[name].function.__code__
        assert set(code.co_consts) <= {CONTRACTS[name].function.__doc__, None}
        assert code.co_names == ()


class TestCanonical:
    """B48: overrides get the caller's arguments only."""

    def test_drops_what_was_not_given(self) -> None:
        contract = CONTRACTS["sum"]
        given = {"axis": MISSING, "dtype": MISSING, "keepdims": True, "out": MISSING}
        assert contract.given_arguments((1,), given) == ((1,), {"keepdims": True})

    def test_keeps_none(self) -> None:
        given = {"axis": None, "out": None}
        assert CONTRACTS["sum"].given_arguments((1,), given) == ((1,), given)

    def test_makes_positional_what_can_be(self) -> None:
        clip = CONTRACTS["clip"]
        assert clip.given_arguments((1,), {"min": 2, "max": 3, "out": 4}) == ((1, 2, 3), {"out": 4})
        assert clip.given_arguments((1,), {"min": 2, "max": MISSING}) == ((1, 2), {})
        assert clip.given_arguments((1,), {"min": MISSING, "max": 3}) == ((1,), {"max": 3})

    def test_leaves_starred_arguments_alone(self) -> None:
        meshgrid = CONTRACTS["meshgrid"]
        assert meshgrid.given_arguments((1, 2), {"indexing": "ij"}) == ((1, 2), {"indexing": "ij"})

    def test_is_idempotent(self) -> None:
        clip = CONTRACTS["clip"]
        once = clip.given_arguments((1,), {"min": MISSING, "max": 3, "out": MISSING})
        assert clip.given_arguments(*once) == once

    def test_does_not_change_its_arguments(self) -> None:
        given = {"min": 2, "max": MISSING}
        CONTRACTS["clip"].given_arguments((1,), given)
        assert given == {"min": 2, "max": MISSING}


class TestNamed:
    def test_pairs_values_with_parameters(self) -> None:
        pairs = CONTRACTS["clip"].named((1, 2), {"out": 3})
        assert [(p.name, value) for p, value in pairs] == [("x", 1), ("min", 2), ("out", 3)]

    def test_keywords_that_could_be_positional(self) -> None:
        pairs = CONTRACTS["clip"].named((1,), {"max": 2})
        assert [(p.name, value) for p, value in pairs] == [("x", 1), ("max", 2)]

    def test_starred(self) -> None:
        pairs = CONTRACTS["meshgrid"].named((1, 2), {"indexing": "ij"})
        assert [(p.name, v) for p, v in pairs] == [("arrays", (1, 2)), ("indexing", "ij")]
        pairs = CONTRACTS["meshgrid"].named((), {})
        assert [(p.name, v) for p, v in pairs] == [("arrays", ())]

    def test_nothing_given(self) -> None:
        assert list(CONTRACTS["unset_backend"].named((), {})) == []


def test_not_given_says_so() -> None:
    assert repr(MISSING) == "<not given>"
    assert unify.add.contract is CONTRACTS["add"]
