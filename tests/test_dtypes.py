"""Data types: singletons, kinds, the promotion table and defaults."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from itertools import permutations, product
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import arrayapi_unify as unify
from arrayapi_unify import backends, dtypes
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.tables import each

# The tables of the standard, "Type Promotion Rules", 2025.12, row by row as they are printed.
_SIGNED = """
        int8  int16 int32 int64
int8    int8  int16 int32 int64
int16   int16 int16 int32 int64
int32   int32 int32 int32 int64
int64   int64 int64 int64 int64
"""
_UNSIGNED = _SIGNED.replace("int", "uint")
_MIXED = """
        uint8 uint16 uint32
int8    int16 int32  int64
int16   int16 int32  int64
int32   int32 int32  int64
int64   int64 int64  int64
"""
_FLOATING = """
           float32    float64    complex64  complex128
float32    float32    float64    complex64  complex128
float64    float64    float64    complex128 complex128
complex64  complex64  complex128 complex64  complex128
complex128 complex128 complex128 complex128 complex128
"""
_BOOL = """
     bool
bool bool
"""


def _table() -> dict[tuple[str, str], str]:
    found = {}
    for text in (_SIGNED, _UNSIGNED, _MIXED, _FLOATING, _BOOL):
        header, *rows = [line.split() for line in text.strip().splitlines()]
        for row, *results in rows:
            for column, result in zip(header, results, strict=True):
                found[row, column] = found[column, row] = result
    return found


STANDARD = _table()
PAIRS = list(product(dtypes.ALL, repeat=2))
dtype_of_any_kind = st.sampled_from(dtypes.ALL)


class TestDType:
    def test_there_are_the_thirteen_of_the_standard(self) -> None:
        assert {d.name for d in dtypes.ALL} == {name for pair in STANDARD for name in pair}
        assert len(dtypes.ALL) == 13

    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    def test_attributes_agree_with_numpy(self, dtype: DType) -> None:
        native = np.dtype(dtype.name)
        assert dtype.kind == native.kind
        assert dtype.itemsize == native.itemsize
        assert dtype.bits == native.itemsize * 8
        assert dtype in dtypes.KINDS[dtype.category]

    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    def test_numpy_takes_it(self, dtype: DType) -> None:
        assert np.dtype(dtype) == np.dtype(dtype.name)  # type: ignore[call-overload]
        assert np.zeros(1, dtype=dtype).dtype.name == dtype.name  # type: ignore[call-overload]

    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    def test_copies_and_pickles_are_the_singleton(self, dtype: DType) -> None:
        assert copy.copy(dtype) is dtype
        assert copy.deepcopy([dtype])[0] is dtype
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(dtype, protocol)) is dtype

    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    def test_top_level_and_namespaces_have_it(self, xp: Any, dtype: DType) -> None:
        assert getattr(unify, dtype.name) is dtype
        assert getattr(xp, dtype.name) is dtype

    def test_makes_arrays(self, xp: ModuleType) -> None:
        """`xp.float32(3)` is a 0-d array, as NumPy's types make scalars."""
        with unify.use_backend(xp.ones(1).backend):
            for dtype, value in (
                (xp.float32, 3),
                (xp.int64, 3.7),
                (xp.bool, 1),
                (xp.uint64, 2**63),
            ):
                made, wanted = dtype(value), np.dtype(dtype.name).type(value)
                assert (made.backend, made.shape, made.dtype) == (xp.ones(1).backend, (), dtype)
                assert made.item() == wanted
            assert float(xp.float64()) == 0.0
        assert xp.float32(xp.asarray([1, 2])).tolist() == [1.0, 2.0]

    def test_equality_and_hash(self) -> None:
        assert len(set(dtypes.ALL)) == 13
        for a, b in permutations(dtypes.ALL, 2):
            assert a != b

    def test_is_immutable(self) -> None:
        with pytest.raises(AttributeError, match="immutable"):
            dtypes.int8.bits = 16

    def test_repr_is_the_name(self) -> None:
        assert repr(dtypes.uint16) == str(dtypes.uint16) == "uint16"


class TestAsNumpys:
    """B68: data types are equal to, hash as, and tell what NumPy's do."""

    @pytest.mark.parametrize("dtype", dtypes.EVERY, ids=str)
    def test_equality_and_hash(self, xp: ModuleType, dtype: DType) -> None:
        native = np.dtype(dtype)  # type: ignore[call-overload]
        library = backends.load(xp.__unify_backend__).DTYPES[dtype]
        assert hash(dtype) == hash(native)
        assert {native: "found"}[xp.zeros(1, dtype=dtype).dtype] == "found"
        assert {dtype: "found"}[native] == "found"
        assert len({native, dtype}) == 1
        for same in (native, native.type, dtype.name, library):
            assert dtype == same
            assert same == dtype
        for other in dtypes.EVERY:
            native = np.dtype(other)  # type: ignore[call-overload]
            for different in (native, native.type, other.name) if other is not dtype else ():
                assert dtype != different
                assert different != dtype

    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    def test_attributes(self, dtype: DType) -> None:
        native = np.dtype(dtype.name)
        for name in ("type", "char", "str", "kind", "itemsize", "name", "num", "byteorder"):
            assert getattr(dtype, name) == getattr(native, name), name
        for name in ("alignment", "isnative", "hasobject", "fields", "names", "subdtype"):
            assert getattr(dtype, name) == getattr(native, name), name
        assert not hasattr(dtype, "newname")

    @pytest.mark.parametrize(
        "other",
        ["f8", "<f8", ">f8", "d", "foo", "f8,f8", float, int, object, np.floating, np.datetime64,
         np.dtype("M8[s]"), np.dtype(">f8"), np.dtype("f8,f8"), 3, object(), unify.Array],
        ids=lambda value: str(value).partition(" at 0x")[0],
    )  # fmt: skip
    def test_compares_as_numpys(self, other: Any) -> None:
        assert (unify.float64 == other) is (np.dtype("f8") == other)
        assert (other == unify.float64) is (other == np.dtype("f8"))

    def test_differs_from_none_and_arrays(self) -> None:
        """NumPy takes None for float64."""
        for other in (None, np.ones(2), unify.ones(2)):
            assert (unify.float64 == other) is False

    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    def test_what_numpy_takes_names_one(self, xp: ModuleType, dtype: DType) -> None:
        """B68: and `dtype=`, as `unify.dtype`, takes what NumPy takes."""
        native = np.dtype(dtype.name)
        for named in (native, native.type, native.str, native.char, dtype.name, dtype):
            assert unify.dtype(named) is dtype
            assert xp.zeros(1, dtype=named).dtype is dtype

    @pytest.mark.parametrize("wrong", ["foo", "U3", "M8[s]", "f8,f8", object, list, 3], ids=str)
    def test_others_are_refused(self, wrong: Any) -> None:
        with pytest.raises(UnifyTypeError, match="is no data type"):
            unify.dtype(wrong)

    def test_names_of_pythons_types_are_the_defaults(self) -> None:
        assert unify.dtype("int") is unify.int64
        with unify.default_dtype("float32"):
            assert unify.dtype("float") is unify.dtype(float) is unify.float32

    def test_numpy_is_not_imported_before(self) -> None:
        code = (
            "import sys; from arrayapi_unify import dtypes; before = 'numpy' in sys.modules\n"
            "assert dtypes.float32 != dtypes.float64 and dtypes.float32 == 'float32'\n"
            "dtypes.promote(dtypes.int8, dtypes.bfloat16); dtypes.isdtype(dtypes.int8, 'numeric')\n"
            "assert not before and 'numpy' not in sys.modules\n"
            "found = hash(dtypes.float32); import numpy; assert found == hash(numpy.dtype('f4'))"
        )
        subprocess.run([sys.executable, "-c", code], check=True)


class TestPromote:
    @pytest.mark.parametrize(("a", "b"), list(STANDARD))
    def test_standards_tables(self, a: str, b: str) -> None:
        assert unify.result_type(getattr(unify, a), getattr(unify, b)).name == STANDARD[a, b]

    @each("a, b", PAIRS)
    def test_every_pair_as_in_numpy(self, a: DType, b: DType) -> None:
        expected = np.promote_types(a.name, b.name)
        assert dtypes.promote(a, b).name == expected.name
        assert unify.result_type(unify.zeros(1, dtype=a), b).name == expected.name

    @given(st.lists(dtype_of_any_kind, min_size=1, max_size=5), st.randoms())
    def test_order_does_not_matter(self, many: list[DType], random: Any) -> None:
        shuffled = list(many)
        random.shuffle(shuffled)
        assert dtypes.promote(*shuffled) is dtypes.promote(*many)

    @given(st.lists(dtype_of_any_kind, min_size=1, max_size=5))
    def test_result_holds_every_operand_and_is_the_smallest(self, many: list[DType]) -> None:
        result = dtypes.promote(*many)
        holding = [d for d in dtypes.ALL if all(dtypes.can_cast(m, d) for m in many)]
        assert result in holding
        assert result.itemsize == min(d.itemsize for d in holding)

    def test_one_alone_is_itself(self) -> None:
        assert [dtypes.promote(d) for d in dtypes.ALL] == list(dtypes.ALL)


class TestPromoteScalar:
    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    @pytest.mark.parametrize("scalar", [True, 1, 1.5, 1j], ids=repr)
    def test_as_in_numpy(self, dtype: DType, scalar: Any) -> None:
        expected = np.result_type(np.dtype(dtype.name), scalar).name
        assert dtypes.promote_scalar(dtype, scalar).name == expected
        assert unify.result_type(dtype, scalar).name == expected
        assert unify.result_type(scalar, unify.zeros(1, dtype=dtype)).name == expected
        assert (unify.ones(1, dtype=dtype) * scalar).dtype.name == expected

    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    def test_numpy_scalar_counts_as_python_scalar(self, dtype: DType) -> None:
        assert unify.result_type(dtype, np.float64(2)) is unify.result_type(dtype, 2.0)
        assert unify.result_type(dtype, np.int64(2)) is unify.result_type(dtype, 2)

    def test_default_is_what_integers_become(self) -> None:
        with unify.default_dtype(unify.float32), unify.default_dtype(unify.int32):
            assert unify.result_type(unify.int8, 1.5) is unify.float32
            assert unify.result_type(unify.int8, 1j) is unify.complex64
            assert unify.result_type(unify.int64, unify.uint64) is unify.float32
            assert unify.result_type(unify.float64, 1.5) is unify.float64
            assert unify.result_type(unify.bool, 1) is unify.int64

    @pytest.mark.parametrize("scalars", [(True,), (1,), (2.5,), (1j,), (1, 2.0), (1j, 1, True)])
    def test_scalars_alone_are_of_the_default_types(self, scalars: tuple[Any, ...]) -> None:
        expected = np.result_type(*scalars).name
        assert unify.result_type(*scalars).name == expected
        assert unify.result_type(*scalars[::-1]).name == expected
        with unify.default_dtype(unify.float32), unify.default_dtype(unify.int32):
            smaller = {"float64": "float32", "complex128": "complex64", "int64": "int32"}
            assert unify.result_type(*scalars).name == smaller.get(expected, expected)

    def test_no_argument_is_refused(self) -> None:
        """By the exception that np.result_type() raises, which consumers catch."""
        with pytest.raises(ValueError, match="at least one array or dtype"):
            np.result_type()
        with pytest.raises(UnifyValueError, match="no argument"):
            unify.result_type()


class TestCanCast:
    def test_documented_examples(self) -> None:
        """B16: convenience functions."""
        assert unify.can_cast(unify.int32, unify.int64) is True
        assert unify.can_cast(unify.int64, unify.int8) is False

    @each("a, b", PAIRS)
    def test_says_what_promotion_says(self, a: DType, b: DType) -> None:
        assert unify.can_cast(a, b) is (dtypes.promote(a, b) is b)
        assert unify.can_cast(unify.zeros(1, dtype=a), b) is unify.can_cast(a, b)
        assert unify.can_cast(np.dtype(a.name), b.name) is unify.can_cast(a, b)  # type: ignore[arg-type]

    @each("a, b", PAIRS)
    def test_same_kind_as_in_numpy(self, a: DType, b: DType) -> None:
        """The rule that decides if `b_array += a_array` works."""
        assert dtypes.same_kind(a, b) is np.can_cast(a.name, b.name, "same_kind")


class TestIsdtype:
    KINDS = (
        "bool",
        "signed integer",
        "unsigned integer",
        "integral",
        "real floating",
        "complex floating",
        "numeric",
    )

    @pytest.mark.parametrize(("dtype", "kind"), list(product(dtypes.ALL, KINDS)), ids=str)
    def test_as_in_numpy(self, dtype: DType, kind: str) -> None:
        assert unify.isdtype(dtype, kind) is np.isdtype(np.dtype(dtype.name), kind)

    def test_dtype_and_tuple(self) -> None:
        assert unify.isdtype(unify.int8, unify.int8)
        assert not unify.isdtype(unify.int8, unify.int16)
        assert unify.isdtype(unify.int8, ("bool", ("real floating", unify.int8)))
        assert not unify.isdtype(unify.int8, ())

    def test_unknown_kind_lists_the_known_ones(self) -> None:
        with pytest.raises(UnifyValueError, match=r"'float'.*'real floating'"):
            unify.isdtype(unify.int8, "float")


class TestAsDtype:
    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    def test_names_and_native_data_types(self, dtype: DType) -> None:
        native = np.dtype(dtype.name)
        for spelling in (dtype, dtype.name, native, native.type, native.newbyteorder(">")):
            assert unify.as_unify_dtype(spelling) is dtype
            assert unify.zeros(1, dtype=spelling).dtype is dtype  # type: ignore[arg-type]

    def test_python_types_are_the_defaults(self) -> None:
        for kind, dtype in {
            bool: "bool",
            int: "int64",
            float: "float64",
            complex: "complex128",
        }.items():
            assert unify.as_unify_dtype(kind).name == dtype
            assert unify.ones(1, dtype=kind).dtype.name == dtype  # type: ignore[arg-type]
        with unify.default_dtype("float32"):
            assert unify.as_unify_dtype(float) is unify.float32

    @pytest.mark.parametrize(
        "value", ["float8", np.longdouble, "str", str, 3, None, [], np.dtype("O")]
    )
    def test_anything_else_is_refused_and_the_known_ones_listed(self, value: Any) -> None:
        with pytest.raises(UnifyTypeError, match=r"is no data type.*float32.*complex128"):
            unify.as_unify_dtype(value)

    def test_native_and_back(self) -> None:
        assert unify.as_native_dtype("int8") == np.dtype("int8")  # type: ignore[arg-type]
        assert unify.is_native_dtype(np.float32)
        assert unify.is_native_dtype(np.dtype("int8"))
        for other in (unify.float32, "float32", float, None, np.ones(1)):
            assert not unify.is_native_dtype(other)

    def test_dtype_of_arrays(self) -> None:
        assert unify.dtype(np.zeros(1, "u2")) is unify.uint16
        assert unify.dtype(unify.zeros(1, dtype=unify.complex64)) is unify.complex64


class TestDefaults:
    """B16: convenience functions."""

    def test_from_the_start(self) -> None:
        assert unify.default_int_dtype() is unify.int64
        assert unify.default_float_dtype() is unify.float64
        assert unify.default_complex_dtype() is unify.complex128

    def test_from_the_start_in_a_fresh_process(self) -> None:
        code = "import arrayapi_unify as u; print(u.ones(1).dtype, u.asarray([1]).dtype)"
        run = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        assert run.stdout.split() == ["float64", "int64"]

    def test_float_changes_what_is_created(self, xp: Any) -> None:
        for namespace in (unify, xp):
            with namespace.default_dtype(namespace.float32) as chosen:
                assert chosen is namespace.float32
                made = [
                    namespace.ones(3),
                    namespace.zeros(3),
                    namespace.empty(1),
                    namespace.full(2, 1.5),
                    namespace.eye(2),
                    namespace.linspace(0.0, 1.0, 2),
                    namespace.arange(2.0),
                    namespace.asarray([1.5, 2]),
                    namespace.asarray([]),
                ]
                assert {x.dtype.name for x in made} == {"float32"}
                assert namespace.asarray(1j).dtype is namespace.complex64
                assert namespace.asarray([1]).dtype is namespace.int64
            assert namespace.ones(3).dtype is namespace.float64

    def test_without_with_it_lasts(self) -> None:
        change = unify.set_default_dtype(unify.float32)
        assert unify.ones(1).dtype is unify.float32
        change.undo()
        assert unify.ones(1).dtype is unify.float64

    def test_int_changes_what_is_created(self) -> None:
        with unify.default_dtype(unify.int32):
            assert unify.asarray([1]).dtype is unify.int32
            assert unify.arange(2).dtype is unify.int32
            assert unify.full(1, 3).dtype is unify.int32
            assert unify.asarray([1.0]).dtype is unify.float64

    def test_complex_is_of_the_floats_precision_unless_set(self) -> None:
        with unify.default_dtype(unify.float32):
            assert unify.default_complex_dtype() is unify.complex64
            with unify.default_dtype(unify.complex128):
                assert unify.default_complex_dtype() is unify.complex128
            assert unify.default_complex_dtype() is unify.complex64

    def test_nested_and_left_by_an_exception(self) -> None:
        with unify.default_dtype("float32"):
            with pytest.raises(KeyError), unify.default_dtype("float64"):
                raise KeyError
            assert unify.default_float_dtype() is unify.float32
        assert unify.default_float_dtype() is unify.float64

    @pytest.mark.parametrize(
        ("setter", "dtype"),
        [
            ("set_default_dtype", "bool"),
            ("set_default_int_dtype", "float32"),
            ("set_default_int_dtype", "bool"),
            ("set_default_float_dtype", "int8"),
            ("set_default_complex_dtype", "float32"),
        ],
    )
    def test_the_wrong_kind_is_refused(self, setter: str, dtype: str) -> None:
        with pytest.raises(UnifyTypeError, match=f"{dtype} can't be the default"):
            getattr(unify, setter)(dtype)

    @pytest.mark.parametrize(
        ("item", "expected"),
        [
            (True, "bool"),
            (1, "int64"),
            (1.5, "float64"),
            (1j, "complex128"),
            ([1, 2.5], "float64"),
            ([[True], [1]], "int64"),
            (np.ones(1, "f4"), "float32"),
            ([], "float64"),
            (np.float32(1), "float64"),
        ],
    )
    def test_default_dtype_of_an_item(self, item: Any, expected: str) -> None:
        assert unify.default_dtype(item=item).name == expected
        assert unify.default_dtype(item=item, dtype="int8") is unify.int8

    @pytest.mark.parametrize("item", [True, 3, 1.5, 2j, [1, 2.0], [[1], [2]], (1, 1j), []])
    def test_default_dtype_is_what_asarray_makes(self, item: Any) -> None:
        assert unify.default_dtype(item=item) is unify.asarray(item).dtype
