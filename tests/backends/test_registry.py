"""The registry: the backends, and the backend of a value."""

from __future__ import annotations

import importlib
import subprocess
import sys
from enum import IntEnum
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import backends
from arrayapi_unify.errors import BackendError, UnifyTypeError, UnifyValueError


class TestLoad:
    def test_every_registered_name(self, xp: ModuleType) -> None:
        name = xp.ones(1).backend
        module = backends.load(name)
        assert module is backends.load(name)
        assert name == module.NAME

    def test_unknown_name_lists_the_known_ones(self) -> None:
        """B20: choice of a backend."""
        with pytest.raises(UnifyValueError, match=r"'nope'.*numpy"):
            backends.load("nope")

    def test_missing_framework_names_package_and_remedy(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def missing(name: str) -> ModuleType:
            raise ModuleNotFoundError("No module named 'ghost'", name="ghost.sub")

        monkeypatch.setitem(backends.REGISTRY, "spectre", "ghost")
        monkeypatch.setattr(importlib, "import_module", missing)
        with pytest.raises(BackendError, match=r"'spectre'.*'ghost'.*pip install ghost$"):
            backends.load("spectre")

    def test_a_broken_backend_is_no_missing_framework(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(name: str) -> ModuleType:
            raise ModuleNotFoundError("No module named 'other'", name="other")

        monkeypatch.setitem(backends.REGISTRY, "spectre", "ghost")
        monkeypatch.setattr(importlib, "import_module", broken)
        with pytest.raises(ModuleNotFoundError, match="other"):
            backends.load("spectre")

    def test_names(self) -> None:
        assert backends.names() == tuple(backends.REGISTRY)
        assert backends.DEFAULT in backends.names()

    def test_can_be_imported_and_used_directly(self) -> None:
        """B19: native in, native out."""
        elementwise = importlib.import_module("arrayapi_unify.backends.numpy.elementwise")
        result = elementwise.add(np.ones(2), np.ones(2))
        assert type(result) is np.ndarray
        assert result.tolist() == [2.0, 2.0]

    def test_importing_the_package_imports_no_framework(self) -> None:
        """docs/design.md, "Binding": no framework is imported until an array of it is used."""
        code = (
            "import sys, arrayapi_unify; "
            "print([m for m in ('torch', 'tensorflow', 'jax') if m in sys.modules])"
        )
        run = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        assert run.stdout.strip() == "[]"


class TestCheck:
    def test_every_backend_is_complete(self, xp: ModuleType) -> None:
        assert backends.check(xp.__unify_backend__) == []

    def test_names_what_is_missing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The toy has no complex numbers (docs/new_backend.md)."""
        monkeypatch.setitem(backends.REGISTRY, "toy", "tests.toy.library")
        monkeypatch.setitem(backends._packages, "toy", "tests.toy")
        assert backends.check("toy") == ["join_complex"]


class TestNameOf:
    def test_native_and_wrapped(self, xp: ModuleType) -> None:
        x = xp.ones(1)
        assert backends.name_of(x) == backends.name_of(x.data) == x.backend

    def test_native_subclass(self) -> None:
        class Special(np.ndarray):
            """A subclass of a native array."""

        assert backends.name_of(np.ones(2).view(Special)) == "numpy"

    @pytest.mark.parametrize(
        "value", [None, 1, 1.5, "a", [1], (), {}, object(), int, np.float64(1)]
    )
    def test_anything_else(self, value: Any) -> None:
        assert backends.name_of(value) is None

    def test_users_subclass_wraps_any_backend(self, frozen: ModuleType) -> None:
        class Mine(unify.Array):
            """Wraps any value."""

        assert backends.name_of(Mine([1.0])) == "numpy"
        assert backends.name_of(Mine(frozen.ones(1))) == "frozen"
        assert backends.name_of(Mine([1.0])) == "numpy"

    def test_an_unfinished_array_does_not_spoil_its_class(self) -> None:
        class Mine(unify.Array):
            """Accesses itself before it has data."""

            def __init__(self, data: Any) -> None:
                unify.is_native_array(self)
                self.was_array = backends.name_of(self)
                super().__init__(data)

        x = Mine([1.0])
        assert x.was_array is None
        assert backends.name_of(x) == "numpy"
        assert unify.to_list(x + 1) == [2.0]


class TestArraysIn:
    def test_looks_into_lists_tuples_and_dicts(self) -> None:
        """B20: choice of a backend."""
        a, b, c = unify.ones(1), np.ones(1), unify.zeros(1)
        found = list(backends.arrays_in([1, [a, ("x", {"k": [b], "l": None})], {"m": c}]))
        assert [id(x) for x in found] == [id(a), id(b), id(c)]

    def test_finds_nothing_in_scalars(self) -> None:
        assert list(backends.arrays_in([1, "text", None, [[], {}]])) == []


class Color(IntEnum):
    """An integer by inheritance."""

    RED = 2


class TestPythonScalar:
    @pytest.mark.parametrize("value", [True, 2, 2.5, 1j])
    def test_python_scalars_are_themselves(self, value: Any) -> None:
        assert backends.python_scalar(value) is value

    @pytest.mark.parametrize("name", ["bool", "int8", "uint64", "float16", "float32", "complex64"])
    def test_numpy_scalars_become_python_scalars(self, name: str) -> None:
        scalar = np.dtype(name).type(1)
        found = backends.python_scalar(scalar)
        assert found == 1
        assert type(found) in (bool, int, float, complex)

    @pytest.mark.parametrize("kind", [np.float64, np.complex128])
    def test_those_that_inherit_from_pythons_types_too(self, kind: Any) -> None:
        assert type(backends.python_scalar(kind(1))) in (float, complex)

    def test_long_double_becomes_a_python_scalar_or_none(self) -> None:
        """Its `item()` is a long double again, a data type that the standard lacks."""
        assert type(backends.python_scalar(np.longdouble(2))) in (float, type(None))
        x = unify.ones(2)
        assert (x * np.float64(2)).dtype is unify.float64
        try:
            product = x * np.longdouble(2)
        except TypeError:
            return
        assert product.dtype is unify.float64

    def test_time_spans_are_no_numbers(self) -> None:
        assert backends.python_scalar(np.timedelta64(1, "D")) is None

    @pytest.mark.parametrize("value", [None, "1", [1], np.ones(()), b"1", np.str_("a")])
    def test_anything_else_is_none(self, value: Any) -> None:
        assert backends.python_scalar(value) is None

    def test_enumerations_count_as_integers(self) -> None:
        x = unify.asarray([1, 2], dtype=unify.int8)
        assert (x * Color.RED).dtype is unify.int8
        assert unify.to_list(x * Color.RED) == [2, 4]
        assert unify.to_list(Color.RED - x) == [1, 0]


class TestDtypes:
    def test_native_dtype_of(self) -> None:
        assert backends.native_dtype_of(np.dtype("int8")) is unify.int8
        assert backends.native_dtype_of(np.int8) is unify.int8
        for other in ("int8", int, unify.int8, None, np.dtype("longdouble")):
            assert backends.native_dtype_of(other) is None

    def test_as_dtype(self) -> None:
        assert backends.as_dtype(np.dtype("int8")) is backends.as_dtype("int8") is unify.int8
        with pytest.raises(UnifyTypeError):
            backends.as_dtype("int128")


class TestTwoBackends:
    """Arrays of two backends in one call raise an error with argument, backends and remedy."""

    def test_top_level_and_bound(self, xp: ModuleType, frozen: ModuleType) -> None:
        x, y = xp.ones(2), frozen.ones(2)
        for namespace in (unify, xp):
            with pytest.raises(BackendError) as caught:
                namespace.add(x, y)
            for part in ("add", "'x2'", "frozen backend", x.backend, "; move it first"):
                assert part in str(caught.value)

    def test_operators_methods_sequences_and_keys(self, xp: ModuleType, frozen: ModuleType) -> None:
        x, y = xp.ones(2), frozen.ones(2)
        for call in (
            lambda: x + y,
            lambda: y - x,
            lambda: x == y,
            lambda: x.matmul(y),
            lambda: unify.concat([x, y]),
            lambda: unify.where(x > 0, x, y),
            lambda: x[y > 0],
            lambda: unify.sin(x, out=y),
        ):
            with pytest.raises(BackendError, match="backend"):
                call()

    def test_in_place_leaves_the_array_untouched(
        self, either: ModuleType, frozen: ModuleType
    ) -> None:
        x = either.ones(2)
        other = unify.get_backend("numpy" if x.backend == "frozen" else "frozen").ones(2)
        with pytest.raises(BackendError, match="add"):
            x += other
        with pytest.raises(BackendError, match="set_item"):
            x[:] = other
        assert either.to_list(x) == [1.0, 1.0]

    def test_asarray_moves_between_them(self, xp: ModuleType, frozen: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0])
        moved = frozen.asarray(x)
        assert moved.backend == "frozen"
        assert xp.to_list(xp.asarray(moved)) == [1.0, 2.0]
        assert xp.asarray([frozen.asarray(1.0), 2]).backend == x.backend

    def test_numpy_index_arrays_serve_every_backend(self, frozen: ModuleType) -> None:
        """docs/design.md, "Array API consumers": NumPy's arrays are indices and assigned values."""
        x = frozen.asarray([1, 2, 3])
        assert frozen.to_list(x[np.asarray([2, 0])]) == [3, 1]
        assert frozen.to_list(x[np.asarray([True, False, True])]) == [1, 3]
        x[np.asarray([0])] = 7
        assert frozen.to_list(x) == [7, 2, 3]
        x[1:] = np.asarray([8, 9])
        assert frozen.to_list(x) == [7, 8, 9]
