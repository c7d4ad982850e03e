"""B60: NumPy's arrays next to an Array are operands, through each entry point, on every backend."""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import BackendError, UnifyTypeError
from tests.installed import DIFFERENTIATING
from tests.tables import each

VALUES = np.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
OTHER = np.asarray([[2.0, 2.0, 1.0], [3.0, 1.0, 2.0]])
MASK = np.asarray([True, False, True])
INDICES = np.asarray([1, 0, 1])
ARITHMETIC = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow,
]  # fmt: skip
IN_PLACE = [
    operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv,
    operator.imod, operator.ipow,
]  # fmt: skip
COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]

# Calls with an array `x` of the values above, for ours and NumPy's namespace alike.
CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda xp, x: xp.add(x, OTHER),
    "reflected add": lambda xp, x: xp.add(OTHER, x),
    "where, condition": lambda xp, x: xp.where(MASK, x, 0.0),
    "where, both": lambda xp, x: xp.where(x > 2, OTHER, -OTHER),
    "concat": lambda xp, x: xp.concat([OTHER, x], axis=1),
    "stack": lambda xp, x: xp.stack((x, OTHER)),
    "clip": lambda xp, x: xp.clip(x, OTHER, OTHER + 1),
    "take": lambda xp, x: xp.take(x, INDICES, axis=1),
    "repeat": lambda xp, x: xp.repeat(x, INDICES, axis=1),
    "tensordot": lambda xp, x: xp.tensordot(x, OTHER),
    "searchsorted": lambda xp, x: xp.searchsorted(x[0, :], OTHER[0]),
    "broadcast_arrays": lambda xp, x: xp.broadcast_arrays(x, OTHER[0])[1],
    "meshgrid": lambda xp, x: xp.meshgrid(x[0, :], OTHER[0])[1],
    "einsum": lambda xp, x: xp.einsum("ij,ij->i", x, OTHER),
    "isin": lambda xp, x: xp.isin(x, OTHER),
    "full_like": lambda xp, x: xp.full_like(x, np.asarray(2.0)),
    "solve": lambda xp, x: xp.linalg.solve(x[:, :2], OTHER[:, :2]),
    "index array": lambda xp, x: x[INDICES],
    "mask": lambda xp, x: x[:, MASK],
    "pair of index arrays": lambda xp, x: x[INDICES, INDICES],
    "no index": lambda xp, x: x[np.asarray([], dtype=int)],
    "list": lambda xp, x: xp.add(x, [OTHER[0], OTHER[1]]),
}


def same(result: Any, expected: Any, backend: str) -> None:
    assert isinstance(result, unify.Array)
    assert result.backend == backend
    assert result.dtype.name == expected.dtype.name
    np.testing.assert_allclose(np.asarray(result), expected)


@pytest.fixture
def x(xp: ModuleType) -> Any:
    return xp.asarray(VALUES, copy=True)


class TestCalls:
    @each("name", CALLS)
    def test_namespaces(self, xp: ModuleType, x: Any, name: str) -> None:
        expected = CALLS[name](np, VALUES)
        for namespace in (unify, xp):
            same(CALLS[name](namespace, x), expected, x.backend)

    def test_methods(self, x: Any) -> None:
        same(x.add(OTHER), VALUES + OTHER, x.backend)
        same(x.concat([OTHER]), np.concat([VALUES, OTHER]), x.backend)
        same((x > 2).where(OTHER, 0.0), np.where(VALUES > 2, OTHER, 0.0), x.backend)

    def test_keyword_out_and_containers(self, xp: ModuleType, x: Any) -> None:
        out = xp.zeros((2, 3))
        assert unify.add(VALUES, OTHER, out=out) is out
        same(out, VALUES + OTHER, x.backend)
        nested = unify.add(unify.Container(a=x, b={"c": x}), OTHER)
        same(nested.b.c, VALUES + OTHER, x.backend)

    def test_standalone_functions(self, xp: ModuleType, x: Any) -> None:
        assert unify.array_namespace(VALUES, x) is xp
        with unify.use_backend(name_of(xp)):
            assert unify.array_namespace(VALUES, x, VALUES) is xp
        assert unify.result_type(x, VALUES.astype("float32")) is xp.float64
        same(unify.stable_divide(x, OTHER), VALUES / OTHER, x.backend)

    def test_numpys_own_functions(self, x: Any) -> None:
        same(np.concatenate([OTHER, x]), np.concatenate([OTHER, VALUES]), x.backend)
        same(np.where(MASK, x, OTHER), np.where(MASK, VALUES, OTHER), x.backend)
        same(np.multiply(OTHER, x), OTHER * VALUES, x.backend)


class TestOperators:
    @pytest.mark.parametrize("op", ARITHMETIC + COMPARISONS)
    def test_both_sides(self, x: Any, op: Callable[[Any, Any], Any]) -> None:
        same(op(x, OTHER), op(VALUES, OTHER), x.backend)
        same(op(OTHER, x), op(OTHER, VALUES), x.backend)

    def test_matmul_and_divmod(self, x: Any) -> None:
        same(x @ OTHER.T, VALUES @ OTHER.T, x.backend)
        same(OTHER.T @ x, OTHER.T @ VALUES, x.backend)
        for result, expected in ((divmod(x, OTHER), divmod(VALUES, OTHER)),):
            for mine, theirs in zip(result, expected, strict=True):
                same(mine, theirs, x.backend)

    @pytest.mark.parametrize("op", [operator.and_, operator.or_, operator.xor])
    def test_of_bits(self, x: Any, op: Callable[[Any, Any], Any]) -> None:
        same(op(x > 2, OTHER > 1), op(VALUES > 2, OTHER > 1), x.backend)
        same(op(OTHER > 1, x > 2), op(OTHER > 1, VALUES > 2), x.backend)

    @pytest.mark.parametrize("op", IN_PLACE)
    def test_in_place(self, x: Any, op: Callable[[Any, Any], Any]) -> None:
        row, expected = x[0, :], op(VALUES.copy(), OTHER)
        assert op(x, OTHER) is x
        same(x, expected, x.backend)
        same(row, expected[0], x.backend)

    def test_in_place_into_numpys(self, x: Any) -> None:
        values = OTHER.copy()
        same = values
        values += x
        assert values is same
        assert type(values) is np.ndarray
        np.testing.assert_array_equal(values, OTHER + VALUES)

    def test_in_place_keeps_the_data_type(self, xp: ModuleType) -> None:
        x = xp.ones(3, dtype="float32")
        x += VALUES[0]
        same(x, (VALUES[0] + 1).astype("float32"), x.backend)
        integers = xp.ones(3, dtype="int32")
        with pytest.raises(UnifyTypeError, match="float64"):
            integers += VALUES[0]


class TestDataTypes:
    @each("array", ["int8", "float32", "float16", "bool", "complex64"])
    @each("numpys", ["int16", "float64", "float16", "float32", "complex128"])
    def test_count(self, xp: ModuleType, array: str, numpys: str) -> None:
        x = xp.ones(3, dtype=array)
        for ones in (np.ones(3, numpys), np.ones((), numpys)):
            expected = xp.result_type(array, numpys)
            assert (x * ones).dtype is expected
            assert xp.where(x == 1, ones, x).dtype is expected

    def test_scalars_of_numpy_count_as_pythons(self, xp: ModuleType) -> None:
        assert (xp.ones(3, dtype="float32") * np.float64(2.0)).dtype is xp.float32

    def test_foreign_byte_order(self, x: Any) -> None:
        same(x + OTHER.astype(">f8"), VALUES + OTHER, x.backend)


class TestWrites:
    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ((slice(None), MASK), OTHER[:, MASK]),
            (INDICES, OTHER[INDICES]),
            ((0, INDICES), np.float32([7, 8, 9])),
            (Ellipsis, OTHER[0]),
            (VALUES > 2, np.asarray(-1.0)),
        ],
    )
    def test_set_item(self, x: Any, key: Any, value: Any) -> None:
        expected = VALUES.copy()
        view = x[0, :]
        expected[key] = value
        x[key] = value
        same(x, expected, x.backend)
        same(view, expected[0], x.backend)

    def test_the_values_are_copied(self, xp: ModuleType) -> None:
        values = np.ones(3)
        result = xp.concat([xp.zeros(1), values]) + xp.where(xp.ones(4) > 0, np.ones(4), 0.0)
        values[:] = 5.0
        same(result, np.asarray([1.0, 2.0, 2.0, 2.0]), result.backend)

    def test_a_native_argument_isnt_written_to(self, xp: ModuleType) -> None:
        values = np.ones(3)
        same(unify.set_item(values, 0, xp.asarray(2.0)), np.asarray([2.0, 1.0, 1.0]), name_of(xp))
        np.testing.assert_array_equal(values, np.ones(3))


def name_of(xp: ModuleType) -> str:
    return xp.__unify_backend__


def weighted(x: Any, weights: Any = OTHER) -> Any:
    """Compute with operators, keys and writes; NumPy's arrays are constants."""
    y = unify.where(MASK, x * weights, weights) + x[:, INDICES]
    y[:, MASK] = y[:, MASK] + OTHER[:, MASK]
    y += OTHER
    return unify.sum(y * weights)


def expected_value(backend: str) -> float:
    with unify.use_backend("numpy"):
        return float(weighted(unify.asarray(VALUES), unify.asarray(OTHER)))


class TestTraces:
    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_gradients(self, backend: str) -> None:
        x = unify.get_backend(backend).asarray(VALUES)
        other = unify.get_backend(backend).asarray(OTHER)
        expected = unify.grad(weighted)(x, other)
        for call in (lambda: unify.grad(weighted)(x), lambda: unify.grad(weighted)(x, OTHER)):
            same(call(), np.asarray(expected), backend)
        _, move = unify.jvp(lambda x: x * OTHER, (x,), (OTHER,))
        same(move, OTHER * OTHER, backend)
        same(unify.vmap(lambda a, b: a * b)(x, OTHER), VALUES * OTHER, backend)

    @pytest.mark.eager
    def test_graphs(self, xp: ModuleType) -> None:
        x, value = xp.asarray(VALUES), expected_value(name_of(xp))
        graph = unify.compile_graph(weighted, x)
        assert float(graph(x)) == value
        given = unify.compile_graph(weighted, x, OTHER)
        assert float(given(x, OTHER)) == value
        assert float(given(x, OTHER + 1)) != value
        constant = unify.compile_graph(lambda x: x * OTHER, x).to_backend("numpy")
        same(constant(unify.asarray(VALUES)), VALUES * OTHER, "numpy")

    def test_control_flow(self, xp: ModuleType) -> None:
        x, name = xp.asarray(VALUES), name_of(xp)
        total, _ = unify.scan(lambda c, row: (c + row, c), np.zeros(3), x)
        same(total, VALUES.sum(0), name)
        total, _ = unify.scan(lambda c, row: (c + row, c), xp.zeros(3), VALUES)
        same(total, VALUES.sum(0), name)
        chosen = unify.cond(np.asarray(True), lambda x: OTHER, lambda x: x, x)
        same(chosen, OTHER, name)


REFUSED = {
    "numpy.ma.MaskedArray": np.ma.masked_array(VALUES, VALUES > 2),
    "numpy.matrix": VALUES.view(np.matrix),
    "object": VALUES.astype(object),
    "<U1": np.full((2, 3), "a"),
    "datetime64": np.full((2, 3), "2020-01-01", "M8[D]"),
}


class TestErrors:
    @each("kind", REFUSED)
    def test_refused_by_name(self, x: Any, kind: str) -> None:
        value = REFUSED[kind]
        calls: list[Callable[[], Any]] = [
            lambda: x + value,
            lambda: x == value,
            lambda: unify.add(value, x),
            lambda: unify.concat([x, value]),
            lambda: operator.iadd(x, value),
            lambda: operator.setitem(x, 0, value),
        ]
        for call in calls:
            with pytest.raises(UnifyTypeError, match=f"{kind}.*; (pass|cast)"):
                call()
        same(x, VALUES, x.backend)

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_other_mixtures(self, backend: str) -> None:
        xp = unify.get_backend(backend)
        x = xp.asarray(VALUES)
        with unify.use_backend(backend), pytest.raises(BackendError, match="numpy backend"):
            unify.add(VALUES, OTHER)
        with pytest.raises(BackendError, match="numpy backend"):
            xp.add(VALUES, OTHER)
        for namespace in (unify, xp):
            with pytest.raises(BackendError, match="numpy backend"):
                namespace.add(x.data, OTHER)
            with pytest.raises(BackendError, match="numpy backend"):
                namespace.add(x, unify.get_backend("numpy").asarray(OTHER))
            with pytest.raises(UnifyTypeError, match=r"numpy\.ndarray, not an Array"):
                namespace.add(x, OTHER, out=OTHER)
        with unify.use_backend("numpy"), pytest.raises(BackendError, match="which is set"):
            unify.add(x, OTHER)

    def test_a_set_backend_of_the_array(self, xp: ModuleType, x: Any) -> None:
        with unify.use_backend(name_of(xp)):
            same(unify.add(OTHER, x), VALUES + OTHER, x.backend)

    def test_overrides_get_the_array_itself(self, x: Any) -> None:
        class Takes:
            def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
                return args, types

        mine = Takes()
        args, types = unify.concat([x, OTHER, mine])
        assert args[0][1] is OTHER
        assert np.ndarray in types
