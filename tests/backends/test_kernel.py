"""`backends.kernel`: the attributes of native functions are in their record."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from arrayapi_unify import backends
from arrayapi_unify.array_object.operators import ARITHMETIC
from arrayapi_unify.backends.kernel import (
    ATTRIBUTE,
    Kernel,
    kernel_of,
    partial_mixed,
    writes_out,
)
from arrayapi_unify.binding.native_functions import NativeFunctions
from arrayapi_unify.contracts import CONTRACTS
from docs.__main__ import kernel_fields
from tests.installed import INSTALLED
from tests.tables import each

PUBLISHED = {"partial_mixed_handler", "supports_native_out"}
READ_BY_INSPECT = {"__wrapped__", "__signature__"}


def undeclared(backend: str) -> dict[str, set[str]]:
    """Return the attributes of a backend's functions that no record and no protocol declares."""
    declared, protocol = NativeFunctions(backend).declared, backends.load(backend)
    own: dict[str, Any] = {"write": protocol.write}
    for contract in CONTRACTS.values():
        native = declared(contract)
        own |= {} if native is None else {contract.qualified_name: native}
    own |= {f"{name} in place": protocol.in_place(own[name]) for name in ARITHMETIC.values()}
    known = {ATTRIBUTE, *PUBLISHED, *READ_BY_INSPECT}
    found = {name: set(getattr(f, "__dict__", ())) - known for name, f in own.items()}
    return {name: names for name, names in found.items() if names}


class TestKernel:
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_native_functions_have_no_undeclared_attributes(self, backend: str) -> None:
        assert undeclared(backend) == {}

    def test_an_undeclared_attribute_is_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        module = NativeFunctions("numpy").file("elementwise")
        monkeypatch.setattr(module.floor, "fast_cal", None, raising=False)
        assert undeclared("numpy") == {"floor": {"fast_cal"}}

    def test_a_misspelled_field_is_an_error(self) -> None:
        fields: dict[str, Any] = {"fast_cal": abs}
        with pytest.raises(TypeError, match="fast_cal"):
            Kernel(**fields)

    def test_the_record_of_a_function(self) -> None:
        def function(x: Any) -> Any: ...

        assert kernel_of(function) == kernel_of(None) == Kernel()
        record = Kernel(fast_call=abs)
        assert record(function) is function
        assert kernel_of(function) is record
        assert partial_mixed(bool)(function) is writes_out(function) is function
        marks = {"partial_mixed_handler": bool, "supports_native_out": True}
        assert vars(function) == {ATTRIBUTE: record, **marks}

    @each("field", [field.name for field in dataclasses.fields(Kernel)])
    def test_each_field_is_documented(self, field: str) -> None:
        subject, _, meaning = kernel_fields()[field].partition(": ")
        assert subject
        assert meaning
