"""`get_item` and `set_item` on tensors: the fastest kernel for each kind of key, traced or not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from arrayapi_unify.backends.tensorflow.indexing import get_item, set_item, take
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.backends.indexing_keys import HUGE, KEYS, MASK, MASKS, SMALL, assigned


def native(key: Any) -> Any:
    """The key with tensors in place of NumPy's."""
    if isinstance(key, tuple):
        return tuple(map(native, key))
    return tf.constant(key) if isinstance(key, np.ndarray) else key


KNOWN = tf.TensorSpec([3, 4], tf.float64)
UNKNOWN = tf.TensorSpec([None, None], tf.float64)
INDICES = [2, 0, -1]


def x() -> Any:
    return tf.constant(SMALL)


def same(result: Any, expected: Any) -> None:
    np.testing.assert_array_equal(result.numpy(), expected, strict=True)


@pytest.mark.sample(20)
class TestAgainstNumpy:
    @pytest.mark.parametrize("key", KEYS + MASKS, ids=repr)
    def test_select(self, key: Any) -> None:
        same(get_item(x(), native(key)), SMALL[key])

    @pytest.mark.parametrize("key", KEYS + MASKS, ids=repr)
    def test_assign(self, key: Any) -> None:
        values = 100 + np.arange(np.size(SMALL[key])).reshape(np.shape(SMALL[key]))
        for value in (values, np.float32(7)):
            same(set_item(x(), native(key), tf.constant(value)), assigned(key, value))
        same(set_item(x(), native(key), 5), assigned(key, 5))

    @pytest.mark.parametrize("spec", [KNOWN, UNKNOWN], ids=["known", "unknown"])
    @pytest.mark.parametrize("key", KEYS + MASKS, ids=repr)
    def test_traced(self, key: Any, spec: Any) -> None:
        values = 100.0 + np.arange(np.size(SMALL[key])).reshape(np.shape(SMALL[key]))

        def traced(function: Any) -> Any:
            return tf.function(function, input_signature=[spec], autograph=False)(x())

        same(traced(lambda x: get_item(x, native(key))), SMALL[key])
        same(traced(lambda x: set_item(x, native(key), 5)), assigned(key, 5))
        value = tf.constant(values)
        same(traced(lambda x: set_item(x, native(key), value)), assigned(key, values))

    @pytest.mark.parametrize("spec", [KNOWN, UNKNOWN], ids=["known", "unknown"])
    def test_take_counts_from_the_end(self, spec: Any) -> None:
        def taken(x: Any) -> Any:
            return take(x, tf.constant(INDICES), axis=0)

        traced = tf.function(taken, input_signature=[spec], autograph=False)
        for run in (taken, traced):
            same(run(x()), SMALL[INDICES])

    @pytest.mark.parametrize("value", [[3.0], [[3.0]]])
    @pytest.mark.parametrize("key", [(1, ...), slice(1, 2)], ids=repr)
    def test_leading_axes_of_size_one_are_dropped(self, key: Any, value: Any) -> None:
        assert set_item(tf.zeros(2), key, tf.constant(value)).numpy().tolist() == [0, 3]

    @pytest.mark.parametrize("dtype", ["bool", "uint8", "uint16", "int64", "float32", "complex64"])
    @pytest.mark.parametrize("value", [True, 1, 0.5, 1e300, float("nan")], ids=repr)
    @pytest.mark.parametrize("key", [1, slice(1, 2)], ids=repr)
    def test_scalars_are_cast_as_arrays_are(self, key: Any, dtype: str, value: Any) -> None:
        zeros = tf.zeros(2, dtype)
        expected = set_item(zeros, slice(1, 2), tf.constant(np.asarray([value])))
        result = set_item(zeros, key, value)
        assert result.dtype is zeros.dtype
        np.testing.assert_array_equal(result.numpy(), expected.numpy())


class TestKeptConstants:
    """Constants are cached by value, and some equal values are different."""

    @pytest.mark.parametrize("key", [0, slice(1), slice(None)], ids=repr)
    @pytest.mark.parametrize(
        "values", [(0.0, -0.0, 0), (0j, complex(0, -0.0), complex(-0.0, 0)), (1, True, 1.0)]
    )
    def test_equal_values(self, key: Any, values: tuple[Any, ...]) -> None:
        zeros = tf.fill([1], tf.constant(9, tf.complex128))
        for value in values:
            expected = np.full(1, value, np.complex128)
            result = set_item(zeros, key, value).numpy()
            np.testing.assert_array_equal(result.view(np.int64), expected.view(np.int64))

    @pytest.mark.parametrize("rank", [0, 1])
    @pytest.mark.parametrize("given", ["scalar", "tensor"])
    def test_results_have_memory_of_their_own(self, given: str, rank: int) -> None:
        zeros = tf.zeros([3] * rank)
        value = 1.0 if given == "scalar" else tf.ones([3] * rank)
        first, second = set_item(zeros, ..., value), set_item(zeros, ..., value)
        views = [np.asarray(memoryview(first)), np.asarray(memoryview(second))]
        assert not np.shares_memory(*views)
        if given == "tensor":
            assert not np.shares_memory(views[0], np.asarray(memoryview(value)))

    def test_a_trace_leaves_nothing_behind(self) -> None:
        def function(x: Any) -> Any:
            return set_item(set_item(x, slice(2, 3), 17.25), (1, 1), 17.25)

        traced = tf.function(function, autograph=False)(x())
        same(function(x()), traced.numpy())


class TestErrors:
    @pytest.mark.parametrize("key", [HUGE, -HUGE, 3, (0, 4), (0, ..., -5)], ids=repr)
    def test_integers_out_of_bounds(self, key: Any) -> None:
        for _ in range(2):  # such a key isn't cached either
            with pytest.raises(IndexError, match="out of bounds"):
                get_item(x(), key)
            with pytest.raises(IndexError, match="out of bounds"):
                set_item(x(), key, 1.0)

    @pytest.mark.parametrize("shape", [(3, 4), (3, 0)])
    @pytest.mark.parametrize("indices", [[3], [0, -4]])
    def test_arrays_out_of_bounds(self, indices: Any, shape: Any) -> None:
        for key in (tf.constant(indices), tf.constant(indices, tf.int8)):
            with pytest.raises((IndexError, tf.errors.InvalidArgumentError)):
                get_item(tf.zeros(shape), key)
            with pytest.raises((IndexError, tf.errors.InvalidArgumentError)):
                set_item(tf.zeros(shape), key, 1.0)

    @pytest.mark.parametrize("key", [0, (1, 1), slice(2), (..., 1), MASK[:, 0]], ids=repr)
    def test_values(self, key: Any) -> None:
        with pytest.raises(UnifyValueError, match=r"set_item.*\(7,\).*broadcast"):
            set_item(x(), native(key), tf.ones(7))
        for value in (1j, tf.constant(1j)):
            with pytest.raises(UnifyTypeError, match="complex"):
                set_item(x(), native(key), value)
        with pytest.raises(OverflowError, match="300"):
            set_item(tf.zeros((3, 4), tf.int8), native(key), 300)


def gradients(function: Any, *values: Any) -> list[Any]:
    with tf.GradientTape() as tape:
        tape.watch(values)
        result = function(*values)
    found = tape.gradient(result, values, unconnected_gradients="zero")
    return [tf.convert_to_tensor(gradient).numpy().tolist() for gradient in found]


class TestDerivatives:
    @pytest.mark.parametrize("how", ["eager", "traced", "xla"])
    def test_of_several_values_for_one_element_the_last_counts(self, how: str) -> None:
        """TensorFlow's own derivative of a scatter counts each of them."""

        def loss(x: Any, value: Any) -> Any:
            return tf.reduce_sum(set_item(x, tf.constant([1, 1, -4]), value) ** 2)

        options = {"autograph": False, "jit_compile": how == "xla"}
        run = loss if how == "eager" else tf.function(loss, **options)
        of_x, of_value = gradients(run, tf.range(4.0), tf.constant([1.0, 2.0, 3.0]))
        assert of_x == [0, 0, 4, 6]
        assert of_value == [0, 4, 6]

    def test_of_rows_and_columns(self) -> None:
        def loss(x: Any, value: Any) -> Any:
            return tf.reduce_sum(set_item(x, (slice(None), tf.constant([1, 1, 0])), value))

        of_x, of_value = gradients(loss, x(), tf.constant([1.0, 2.0, 3.0], tf.float64))
        assert of_x == [[0, 0, 1, 1]] * 3
        assert of_value == [0, 3, 3]

    def test_the_last_value_stays(self) -> None:
        places = tf.constant([2, 2, -1, 0])
        changed = set_item(x(), places, tf.constant([[5.0], [6], [7], [8]]))
        same(changed, assigned(places.numpy(), [[5.0], [6], [7], [8]]))

    @pytest.mark.parametrize(
        ("key", "left"), [(0, [1, 2, 3]), (slice(1, 3), [0, 3]), (slice(None, None, -2), [0, 2])]
    )
    def test_what_is_replaced_has_none(self, key: Any, left: list[int]) -> None:
        def loss(x: Any, value: Any) -> Any:
            return tf.reduce_sum(set_item(x, key, value) ** 2)

        of_x, of_value = gradients(loss, tf.range(4.0), tf.constant(5.0))
        assert of_x == [2.0 * i if i in left else 0 for i in range(4)]
        assert of_value == 10 * (4 - len(left))

    def test_of_second_order(self) -> None:
        x = tf.range(4.0)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                loss = tf.reduce_sum(set_item(set_item(x, 0, 3.0), tf.constant([1, 1]), x[3]) ** 3)
            gradient = inner.gradient(loss, x)
        hessian = outer.jacobian(gradient, x).numpy().tolist()
        assert hessian == np.diag([0, 0, 12, 36]).tolist()
