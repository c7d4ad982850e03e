"""`get_item` and `set_item` on JAX arrays: compiled once for each kind of key, traced or not."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from arrayapi_unify.backends.jax.indexing import get_item, set_item
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.backends.indexing_keys import HUGE, KEYS, MASK, MASKS, SMALL, assigned
from tests.conftest import Logged


def native(key: Any) -> Any:
    """The key with JAX's arrays in place of NumPy's."""
    if isinstance(key, tuple):
        return tuple(map(native, key))
    return jnp.asarray(key) if isinstance(key, np.ndarray) else key


@pytest.mark.sample(10)
class TestAgainstNumpy:
    @pytest.mark.parametrize("key", KEYS + MASKS, ids=repr)
    def test_select(self, key: Any) -> None:
        result = get_item(jnp.asarray(SMALL), native(key))
        np.testing.assert_array_equal(result, SMALL[key], strict=True)

    @pytest.mark.parametrize("key", KEYS + MASKS, ids=repr)
    def test_assign(self, key: Any) -> None:
        values = 100 + np.arange(np.size(SMALL[key])).reshape(np.shape(SMALL[key]))
        for value in (values, np.float32(7)):
            result = set_item(jnp.asarray(SMALL), native(key), jnp.asarray(value))
            np.testing.assert_array_equal(result, assigned(key, value), strict=True)
        result = set_item(jnp.asarray(SMALL), native(key), 5)
        np.testing.assert_array_equal(result, assigned(key, 5), strict=True)

    @pytest.mark.parametrize("key", KEYS, ids=repr)
    def test_traced(self, key: Any) -> None:
        x = jnp.asarray(SMALL)
        values = 100.0 + np.arange(np.size(SMALL[key])).reshape(np.shape(SMALL[key]))
        selected = jax.jit(lambda x: get_item(x, native(key)))(x)
        np.testing.assert_array_equal(selected, SMALL[key], strict=True)
        both = jax.jit(lambda x, value: set_item(x, native(key), value))(x, values)
        only_value = jax.jit(lambda value: set_item(x, native(key), value))(values)
        for result in (both, only_value):
            np.testing.assert_array_equal(result, assigned(key, values), strict=True)

    @pytest.mark.parametrize("key", [1, slice(None, 2), (slice(None, None, -2), 1)], ids=repr)
    def test_vmap(self, key: Any) -> None:
        stack = jnp.stack([jnp.asarray(SMALL), -jnp.asarray(SMALL)])
        selected = jax.vmap(lambda x: get_item(x, key))(stack)
        np.testing.assert_array_equal(selected, [SMALL[key], -SMALL[key]])
        result = jax.vmap(lambda x, value: set_item(x, key, value))(stack, jnp.asarray([5.0, 6]))
        np.testing.assert_array_equal(result[0], assigned(key, 5))

    @pytest.mark.parametrize("key", MASKS, ids=repr)
    def test_masks_of_constants_within_a_trace(self, key: Any) -> None:
        x, ours = jnp.asarray(SMALL), native(key)
        result = jax.jit(lambda factor: get_item(x, ours) * factor)(2.0)
        np.testing.assert_array_equal(result, SMALL[key] * 2)
        values = 100.0 + np.arange(SMALL[key].size).reshape(SMALL[key].shape)
        result = jax.jit(lambda value: set_item(x, ours, value))(values)
        np.testing.assert_array_equal(result, assigned(key, values))

    @pytest.mark.parametrize("dtype", ["int8", "uint8"])
    def test_narrow_indices_of_a_long_axis(self, dtype: str) -> None:
        """JAX adds the size of the axis in the data type of the indices."""
        places = np.asarray([100, -1 if dtype == "int8" else 250], dtype)
        expected = np.arange(300)
        result = get_item(jnp.arange(300), jnp.asarray(places))
        assert result.tolist() == expected[places].tolist()
        expected[places] = 7
        assert set_item(jnp.arange(300), jnp.asarray(places), 7).tolist() == expected.tolist()

    @pytest.mark.parametrize("value", [[3.0], [[3.0]]])
    @pytest.mark.parametrize("key", [(1, ...), slice(1, 2)], ids=repr)
    def test_leading_axes_of_size_one_are_dropped(self, key: Any, value: Any) -> None:
        assert set_item(jnp.zeros(2), key, jnp.asarray(value)).tolist() == [0, 3]

    @pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float32", "complex64"])
    @pytest.mark.parametrize("value", [True, 1, 0.5, 1e300, float("nan")], ids=repr)
    def test_scalars_are_cast_as_arrays_are(self, dtype: str, value: Any) -> None:
        x = jnp.zeros(2, dtype)
        expected = set_item(x, slice(1, 2), jnp.asarray([value]))
        result = set_item(x, 1, value)
        assert result.dtype == x.dtype
        np.testing.assert_array_equal(result, expected)


class TestErrors:
    @pytest.mark.parametrize("key", [HUGE, -HUGE, 3, (0, 4), (0, ..., -5)], ids=repr)
    def test_integers_out_of_bounds(self, key: Any) -> None:
        for run in (get_item, jax.jit(get_item, static_argnums=1)):
            with pytest.raises(IndexError, match="out of bounds"):
                run(jnp.asarray(SMALL), key)
        with pytest.raises(IndexError, match="out of bounds"):
            set_item(jnp.asarray(SMALL), key, 1.0)

    @pytest.mark.parametrize("indices", [[3], [0, -4]])
    def test_arrays_out_of_bounds(self, indices: Any) -> None:
        with pytest.raises(IndexError, match="axis 0 with size 3"):
            get_item(jnp.asarray(SMALL), jnp.asarray(indices))
        with pytest.raises(IndexError, match="axis 0 with size 3"):
            set_item(jnp.asarray(SMALL), jnp.asarray(indices), 1)

    def test_index_arrays_that_dont_broadcast(self) -> None:
        with pytest.raises(IndexError, match=r"\(2,\), \(3,\)"):
            get_item(jnp.asarray(SMALL), (jnp.asarray([0, 1]), jnp.asarray([0, 1, 2])))

    @pytest.mark.parametrize("key", [0, slice(2), (..., 1), MASK[:, 0]], ids=repr)
    def test_values(self, key: Any) -> None:
        x = jnp.asarray(SMALL)
        with pytest.raises(UnifyValueError, match=r"set_item.*\(7,\).*broadcast"):
            set_item(x, native(key), jnp.ones(7))
        for value in (1j, jnp.asarray(1j)):
            with pytest.raises(UnifyTypeError, match="complex"):
                set_item(x, native(key), value)
        with pytest.raises(OverflowError):
            set_item(x.astype("int8"), native(key), 300)


class TestDerivatives:
    @pytest.mark.parametrize("compiled", [False, True])
    def test_of_several_values_for_one_element_the_last_counts(self, compiled: bool) -> None:
        def loss(x: Any, value: Any) -> Any:
            return jnp.sum(set_item(x, jnp.asarray([1, 1, 0]), value) ** 2)

        gradient = jax.grad(loss, (0, 1))
        run = jax.jit(gradient) if compiled else gradient
        of_x, of_value = run(jnp.arange(4.0), jnp.asarray([1.0, 2.0, 3.0]))
        assert of_x.tolist() == [0, 0, 4, 6]
        assert of_value.tolist() == [0, 4, 6]

    @pytest.mark.parametrize(
        ("key", "left"), [(0, [1, 2, 3]), (slice(1, 3), [0, 3]), (slice(None, None, -2), [0, 2])]
    )
    def test_what_is_replaced_has_none(self, key: Any, left: list[int]) -> None:
        x, value = jnp.arange(4.0), jnp.asarray(5.0)
        of_x, of_value = jax.grad(lambda x, v: jnp.sum(set_item(x, key, v) ** 2), (0, 1))(x, value)
        assert of_x.tolist() == [2.0 * i if i in left else 0 for i in range(4)]
        assert of_value == 10 * (4 - len(left))

    def test_of_a_selection(self) -> None:
        gradient = jax.grad(lambda x: jnp.sum(get_item(x, slice(None, None, -2)) ** 2))
        assert gradient(jnp.arange(4.0)).tolist() == [0, 2, 0, 6]


def test_a_loop_over_rows_compiles_once(logged: Logged) -> None:
    x, row = jnp.zeros((50, 3)), jnp.ones(3)
    with jax.log_compiles():
        for i in range(-50, 50):
            row = get_item(x, i) + 1
            x = set_item(x, i, row)
            get_item(x, (slice(i % 40, i % 40 + 5, 2), i % 3))
    compiled = [text for text in logged.messages if "Compiling" in text]
    assert 0 < len(compiled) < 10
