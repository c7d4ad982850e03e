"""Methods compared with their functions."""

from __future__ import annotations

import inspect
from types import ModuleType

import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding.array_class import as_method, is_hidden, method_signature
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import WITHOUT_METHODS
from tests.binding.calls import WITH_ARRAYS, arguments, function, same
from tests.tables import each


class Mine(unify.Array):
    """A user's subclass, whose methods are the mixins'."""


WITH_VALUES = [
    name
    for name in WITH_ARRAYS
    if not name.startswith("empty")
    and name not in ("copy", "select")
    and CONTRACTS[name].category not in WITHOUT_METHODS
    and not is_hidden(CONTRACTS[name])
]


class TestResults:
    """B42: data and methods."""

    @each("name", WITH_VALUES)
    @pytest.mark.parametrize("subclass", [False, True])
    def test_equal_the_functions(self, either: ModuleType, name: str, subclass: bool) -> None:
        args = arguments(name, either.asarray)
        expected = function(either, name)(*args)
        contract = CONTRACTS[name]
        first = args[0]
        if contract.parameters[0].role is Role.SEQUENCE:
            first, args = args[0][0], [None, args[0][1:]]
        position = contract.parameters.index(contract.array_parameters[0])
        if position:
            first, args = args[position], [None, *args[:position], *args[position + 1 :]]
        x = Mine(first) if subclass else first
        found = getattr(x, contract.name)
        is_attribute = isinstance(inspect.getattr_static(type(x), contract.name), property)
        assert same(found if is_attribute else found(*args[1:]), expected)

    def test_full_takes_self_as_its_value(self, either: ModuleType) -> None:
        """B42: self may be any of the array parameters."""
        x = either.asarray(2.5)
        for made in (x.full((2,)), Mine(x).full((2,)), x.full((2,), dtype=None)):
            assert type(made) is type(x)
            assert made.tolist() == [2.5, 2.5]

    def test_full_takes_its_shape_as_a_keyword(self, either: ModuleType) -> None:
        """The signature allows `full(shape=...)`, and the method has the same one."""
        assert either.full(shape=(2,), fill_value=2.5).tolist() == [2.5, 2.5]
        assert either.asarray(2.5).full(shape=(2,)).tolist() == [2.5, 2.5]

    def test_concat_and_stack_start_with_self(self, either: ModuleType) -> None:
        x, y = either.asarray([1, 2]), either.asarray([3, 4])
        assert x.concat([y]).tolist() == x.concat((y,)).tolist() == [1, 2, 3, 4]
        assert x.concat([y, x]).tolist() == [1, 2, 3, 4, 1, 2]
        assert x.stack([y], axis=1).tolist() == [[1, 3], [2, 4]]
        assert x.concat().tolist() == [1, 2]
        out = either.zeros(4, dtype=either.int64)
        assert x.concat([y], out=out) is out
        assert Mine(x).concat([y]).tolist() == [1, 2, 3, 4]

    def test_starred_arrays_start_with_self(self, either: ModuleType) -> None:
        x = either.asarray([1, 2])
        assert [m.shape for m in x.meshgrid(x, x)] == [(2, 2, 2)] * 3
        assert x.result_type(either.float32) is either.float64
        assert x.broadcast_arrays(either.ones((2, 1)))[0].shape == (2, 2)

    def test_scalar_operands_on_the_right(self, either: ModuleType) -> None:
        x = either.asarray([1, 2], dtype=either.int8)
        assert x.add(1).dtype is either.int8
        assert x.where(x, 0).tolist() == [1, 2]
        assert x.clip(max=1).tolist() == [1, 1]

    def test_of_backends_own_class_runs_there_whatever_is_set(self, frozen: ModuleType) -> None:
        with unify.use_backend("numpy"):
            assert frozen.ones(2).sin().backend == "frozen"
            assert frozen.asarray(2.0).full((2,)).backend == "frozen"
            assert frozen.ones(2).concat([frozen.ones(1)]).backend == "frozen"


class TestDerivation:
    def test_a_function_that_starts_with_an_array_is_the_method_itself(self) -> None:
        contract = CONTRACTS["sin"]
        assert as_method(contract, unify.sin) is unify.sin

    def test_others_are_named_and_documented(self) -> None:
        for name in ("full", "concat", "stack"):
            method = as_method(CONTRACTS[name], getattr(unify, name))
            assert method.__name__ == method.__qualname__ == name
            assert method.__doc__ == getattr(unify, name).__doc__
            assert method.contract is CONTRACTS[name]  # type: ignore[attr-defined]

    @pytest.mark.parametrize(
        ("name", "shown"),
        [
            ("sin", "(self, /, *, out: 'Out' = None)"),
            ("full", "(self, /, shape: 'int | Sequence[int]', *, dtype"),
            ("concat", "(self, /, arrays: 'Sequence[Array | NativeArray]' = ()"),
            ("meshgrid", "(self, /, *arrays: 'ArrayIn', indexing"),
        ],
    )
    def test_signature(self, name: str, shown: str) -> None:
        text = str(method_signature(CONTRACTS[name]))
        start = shown.removesuffix(")")
        if name == "concat":
            assert text.replace(" = (), /", " = ()").startswith("(self, arrays: ")
        else:
            assert text.startswith(start)
