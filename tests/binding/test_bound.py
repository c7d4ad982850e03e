"""Calls of every function: `out=`, and arrays given as lists, scalars and native arrays."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import dtypes
from arrayapi_unify.binding.array_class import is_method
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.errors import BackendError, UnifyError, UnifyTypeError, UnifyValueError
from tests.binding.calls import (
    RETURNING_ARRAYS,
    WITH_ARRAYS,
    WITH_LISTS,
    WITH_OUT,
    arguments,
    function,
    same,
)
from tests.differential.coverage import slow_but_first
from tests.differential.runner import SHARES
from tests.installed import INSTALLED
from tests.tables import each

# The values of `empty` depend on the backend.
WITH_VALUES = [name for name in WITH_OUT if not name.startswith("empty")]


def tables() -> list[Any]:
    """Return the functions to test with native arrays on each backend.

    JAX compiles a kernel for each, and Dask makes a graph, a minute for all of them: most are slow.
    """
    marked = slow_but_first(WITH_ARRAYS)
    first = [param.values[0] for param in marked if not param.marks]
    others = [param.values[0] for param in marked if param.marks]
    found = []
    for backend in INSTALLED:
        if backend in (*SHARES, "dask"):
            found.append(pytest.param(backend, first, id=f"{backend}-first"))
            marks = pytest.mark.slow
            found.append(pytest.param(backend, others, id=f"{backend}-others", marks=marks))
        else:
            found.append(pytest.param(backend, WITH_ARRAYS, id=backend))
    return found


every_out = each("name", WITH_OUT)
every_value = each("name", WITH_VALUES)


def call(namespace: Any, name: str, **kwargs: Any) -> Any:
    """Call a function with its sample arguments, as arrays of the namespace."""
    xp = unify.get_backend("numpy") if namespace is unify else namespace
    return function(namespace, name)(*arguments(name, xp.asarray), **kwargs)


class TestSamples:
    @each("name", RETURNING_ARRAYS)
    def test_every_function_has_arguments_that_work(self, either: ModuleType, name: str) -> None:
        result = call(either, name)
        parts = result if isinstance(result, tuple) else (result,)
        parts = [one for part in parts for one in (part if type(part) is tuple else (part,))]
        assert {type(part) for part in parts} == {type(either.ones(1))}

    def test_every_function_that_returns_an_array_takes_out(self) -> None:
        """docs/design.md, "Same results": `out=` on every function that returns an array."""
        no_out = {n for n, c in CONTRACTS.items() if c.returns.value == "array"} - set(WITH_OUT)
        assert no_out == {
            "array", "asarray", "from_dlpack", "nn.global_norm", "set_item", "stop_gradient",
            "to_backend",
        }  # fmt: skip


class TestOut:
    """B3 and B8: signatures and out, native out."""

    @every_value
    def test_is_returned_and_holds_the_result(self, either: ModuleType, name: str) -> None:
        expected = call(either, name)
        out = either.zeros(expected.shape, dtype=expected.dtype)
        assert call(either, name, out=out) is out
        assert same(out, expected)

    @every_out
    def test_top_level_and_method(self, name: str) -> None:
        xp = unify.get_backend("numpy")
        expected = call(unify, name)
        out = xp.zeros(expected.shape, dtype=expected.dtype)
        assert call(unify, name, out=out) is out
        args = arguments(name, xp.asarray)
        if is_method(CONTRACTS[name]) and isinstance(args[0], unify.Array):
            method = getattr(args[0], CONTRACTS[name].name)
            assert method(*args[1:], out=out) is out
            assert name.startswith("empty") or same(out, expected)

    @every_out
    def test_none_means_a_new_array(self, either: ModuleType, name: str) -> None:
        assert type(call(either, name, out=None)) is type(either.ones(1))
        assert type(call(unify, name, out=None)) is type(unify.ones(1))

    @every_value
    def test_of_a_wider_dtype(self, either: ModuleType, name: str) -> None:
        expected = call(either, name)
        out = either.zeros(expected.shape, dtype=either.complex128)
        assert call(either, name, out=out) is out
        assert out.dtype is either.complex128
        np.testing.assert_allclose(np.asarray(out), np.asarray(expected), rtol=1e-12)

    @every_out
    @pytest.mark.parametrize("extra", ["longer", "one more axis", "one axis less"])
    def test_of_another_shape(self, either: ModuleType, name: str, extra: str) -> None:
        expected = call(either, name)
        shape = {
            "longer": (*expected.shape[:-1], expected.shape[-1] + 1) if expected.ndim else (2,),
            "one more axis": (1, *expected.shape),
            "one axis less": expected.shape[1:] if expected.ndim else (1,),
        }[extra]
        out = either.ones(shape, dtype=expected.dtype)
        self.refused(either, name, out, UnifyValueError, "shape")

    @pytest.mark.slow
    @every_out
    def test_of_an_unsafe_dtype(self, either: ModuleType, name: str) -> None:
        expected = call(either, name)
        for target in dtypes.ALL:
            if not dtypes.can_cast(expected.dtype, target):
                out = either.ones(expected.shape, dtype=target)
                self.refused(either, name, out, UnifyTypeError, None)

    @staticmethod
    def refused(
        xp: ModuleType, name: str, out: unify.Array, error: type[UnifyError], match: str | None
    ) -> None:
        """Check that `out` is refused by a message that names it, and isn't modified."""
        before = out.tolist()
        with pytest.raises(error, match=match) as caught:
            call(xp, name, out=out)
        assert out.tolist() == before
        message = str(caught.value)
        assert CONTRACTS[name].name in message
        assert "out" in message
        assert "; " in message

    @every_out
    def test_that_is_no_array_of_ours(self, either: ModuleType, name: str) -> None:
        """B47: native out arrays."""
        native = either.ones(call(either, name).shape).data
        for out in (native, [1.0], 3, "out"):
            for namespace in (either, unify):
                with pytest.raises(
                    UnifyTypeError, match=r"out.*; (wrap it first|pass an Array)"
                ) as caught:
                    call(namespace, name, out=out)
                assert CONTRACTS[name].name in str(caught.value)
        assert unify.to_list(unify.all(either.asarray(native) == 1)) is True

    @every_out
    def test_of_another_backend(self, either: ModuleType, frozen: ModuleType, name: str) -> None:
        other = frozen if either.ones(1).backend == "numpy" else unify.get_backend("numpy")
        expected = call(either, name)
        out = other.ones(expected.shape, dtype=expected.dtype)
        before = out.tolist()
        with pytest.raises(BackendError, match=r"out.*; move it first"):
            call(either, name, out=out)
        assert out.tolist() == before

    @every_value
    def test_that_overlaps_the_inputs(self, name: str) -> None:
        """The result is computed as into new memory."""
        expected = call(unify, name)
        for turned in (False, True):
            args = arguments(name, unify.asarray)
            for array in [a for a in args if isinstance(a, unify.Array)]:
                if array.shape == expected.shape and array.dtype is expected.dtype and array.ndim:
                    out = unify.Array(array.data[::-1]) if turned else array
                    assert function(unify, name)(*args, out=out) is out
                    assert same(out, expected)
                    args = arguments(name, unify.asarray)

    def test_that_is_part_of_the_input(self) -> None:
        native = np.asarray([[1.0, 2.0], [3.0, 4.0]])
        x, out = unify.Array(native), unify.Array(native[0])
        assert unify.sum(x, axis=0, out=out) is out
        assert out.tolist() == [4.0, 6.0]
        assert native.tolist() == [[4.0, 6.0], [3.0, 4.0]]

    def test_read_only_memory_is_refused(self) -> None:
        native = np.zeros(2)
        native.flags.writeable = False
        for name in ("sin", "sort"):
            with pytest.raises(UnifyError, match=name):
                getattr(unify, name)(unify.ones(2), out=unify.Array(native))
        assert native.tolist() == [0.0, 0.0]

    @each(
        "function",
        [lambda x: unify.flip(x, axis=(), out=x), lambda x: unify.flip(x[:0], out=x[:0])],
    )
    def test_a_result_that_is_that_memory_is_refused(self, function: Any) -> None:
        # NumPy's own `copyto` then does nothing, and doesn't raise.
        native = np.zeros(2)
        native.flags.writeable = False
        with pytest.raises(UnifyError, match="read-only"):
            function(unify.Array(native))


class TestInputs:
    @each("name", WITH_ARRAYS)
    def test_native_arrays(self, either: ModuleType, name: str) -> None:
        """B4: Arrays in and out."""
        self.taken(either, name)

    @pytest.mark.slow_on("tensorflow", "jax")
    @pytest.mark.parametrize(("backend", "names"), tables())
    def test_native_arrays_of_every_library(self, backend: str, names: list[str]) -> None:
        """B46: conversions, on each library's own paths, including those of views."""
        each("name", names)(self.taken)(xp=unify.get_backend(backend))

    @staticmethod
    def taken(xp: ModuleType, name: str) -> None:
        """Check that native arrays in place of Arrays give the same result."""
        expected = call(xp, name)
        for namespace in (xp, unify):
            args = arguments(name, lambda data: xp.asarray(data).data)
            result = function(namespace, name)(*args)
            assert name.startswith("empty") or same(result, expected)

    @each("name", WITH_LISTS)
    def test_lists(self, either: ModuleType, name: str) -> None:
        result = function(either, name)(*arguments(name, lambda data: data))
        assert name.startswith("empty") or same(result, call(either, name))

    @each("name", WITH_ARRAYS)
    def test_are_left_alone(self, name: str) -> None:
        made: list[unify.Array] = []

        def make(data: Any) -> unify.Array:
            made.append(unify.asarray(data))
            return made[-1]

        args = arguments(name, make)
        before = [x.tolist() for x in made]
        function(unify, name)(*args)
        assert [x.tolist() for x in made] == before

    def test_scalars(self, either: ModuleType) -> None:
        assert either.add(1, 2).tolist() == 3
        assert either.add(1, 2).dtype is either.int64
        assert either.sin(0.0).tolist() == 0.0
        assert either.sum(5).tolist() == 5
        assert either.where(True, 1, 2.5).tolist() == 1.0
        assert either.clip(5, 0, 3).tolist() == 3
        assert unify.maximum(1, 2.5).tolist() == 2.5
        assert either.add(True, 2).dtype is either.int64

    def test_an_array_as_a_sequence_of_its_rows(self, either: ModuleType) -> None:
        x = either.asarray([[1, 2], [3, 4]])
        for namespace in (either, unify):
            assert namespace.concat(x).tolist() == [1, 2, 3, 4]
            assert namespace.stack(x, axis=1).tolist() == [[1, 3], [2, 4]]

    @pytest.mark.parametrize("value", [3, "ab", {1: 2}, iter([1])])
    def test_what_is_no_sequence(self, either: ModuleType, value: Any) -> None:
        for namespace in (either, unify):
            with pytest.raises(BackendError, match=r"concat.*'arrays'.*not a list or tuple"):
                namespace.concat(value)

    @pytest.mark.parametrize("empty", [[], ()])
    def test_an_empty_sequence(self, either: ModuleType, empty: Any) -> None:
        for namespace in (either, unify):
            with pytest.raises(UnifyValueError, match=r"stack.*'arrays'.*at least one"):
                namespace.stack(empty)

    @each("name", WITH_ARRAYS)
    def test_what_fits_no_signature(self, either: ModuleType, name: str) -> None:
        """B48: operands that don't match raise an error that names the function."""
        args = arguments(name, lambda data: object())
        for namespace in (either, unify):
            with pytest.raises(BackendError, match=CONTRACTS[name].name) as caught:
                function(namespace, name)(*args)
            assert "object" in str(caught.value)
            assert "; " in str(caught.value)
