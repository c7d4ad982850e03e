"""`execute_with_gradients`: its shapes, its rules, and its errors."""

from __future__ import annotations

from collections import namedtuple
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Array, Container
from arrayapi_unify.errors import (
    BackendError,
    UnifyIndexError,
    UnifyKeyError,
    UnifyTypeError,
    UnifyValueError,
)
from tests.functional.differentiating import DIFFERENTIATING, on_each, same

__all__ = ["on_each"]

Pair = namedtuple("Pair", ["a", "b"])


def product(xs: Any) -> Any:
    return unify.sum(xs[0] * xs[1])


class TestExecuteWithGradients:
    def test_value_and_derivative(self, on_each: ModuleType) -> None:
        """B30: execute_with_gradients."""
        ret, grads = unify.execute_with_gradients(
            lambda x: unify.sum(x * x), on_each.asarray([1.0, 2.0, 3.0])
        )
        same(ret, 14.0)
        same(grads, [2.0, 4.0, 6.0])
        assert ret.backend == grads.backend == on_each.ones(1).backend

    def test_a_native_array(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0]).data
        ret, grads = on_each.execute_with_gradients(lambda x: x[0] * x[1], x)
        assert isinstance(ret, Array)
        same(grads, [2.0, 1.0])

    def test_the_function_gets_arrays(self, on_each: ModuleType) -> None:
        def func(xs: Any) -> Any:
            assert isinstance(xs[0], Array)
            assert isinstance(xs[1]["b"], Array)
            return xs[0] * xs[1]["b"]

        x = on_each.asarray(2.0)
        _, grads = unify.execute_with_gradients(func, [x.data, {"b": on_each.asarray(5.0)}])
        same(grads[0], 5.0)
        same(grads[1]["b"], 2.0)

    def test_it_may_return_natives(self, on_each: ModuleType) -> None:
        ret, grads = unify.execute_with_gradients(
            lambda x: unify.sum(x * x).data, on_each.asarray([1.0, 2.0])
        )
        assert isinstance(ret, Array)
        same(grads, [2.0, 4.0])

    def test_with_another_backend_set(self, on_each: ModuleType) -> None:
        with unify.use_backend("numpy"), pytest.raises(BackendError, match="to_backend"):
            unify.execute_with_gradients(unify.sum, on_each.ones(2))


class TestResults:
    """B31: outputs of gradients."""

    def _func(self, x: Any) -> Any:
        s = unify.sum(x * x)
        return [s, {"x": (s * 2, s * 3)}, (s * 4,)]

    def test_several_have_the_structure_of_the_results(self, on_each: ModuleType) -> None:
        ret, grads = unify.execute_with_gradients(self._func, on_each.asarray([1.0, 2.0]))
        assert isinstance(ret, list)
        assert isinstance(grads, list)
        same(ret[1]["x"], (10.0, 15.0))
        same(grads[0], [2.0, 4.0])
        same(grads[1], {"x": ([4.0, 8.0], [6.0, 12.0])})
        same(grads[2], ([8.0, 16.0],))

    def test_an_index_selects_one(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0])
        ret, grads = unify.execute_with_gradients(self._func, x, ret_grad_idxs=[[1, "x", 0]])
        same(ret[0], 5.0)
        same(grads, [4.0, 8.0])

    def test_an_index_selects_a_node_of_several(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0])
        _, grads = unify.execute_with_gradients(self._func, x, ret_grad_idxs=[[1, "x"]])
        same(grads, ([4.0, 8.0], [6.0, 12.0]))

    def test_several_indices_keep_the_structure(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0])
        _, grads = unify.execute_with_gradients(self._func, x, ret_grad_idxs=[[2, 0], [1, "x", 1]])
        assert len(grads) == 2
        same(grads[0], {"x": ([6.0, 12.0],)})
        same(grads[1], ([8.0, 16.0],))

    def test_containers(self, on_each: ModuleType) -> None:
        def func(x: Any) -> Any:
            s = unify.sum(x)
            return Container(a=s, b=Container(c=2 * s, d=3 * s))

        x = on_each.ones(2)
        ret, grads = unify.execute_with_gradients(func, x)
        assert isinstance(ret, Container)
        assert isinstance(grads, Container)
        same(grads.b.d, [3.0, 3.0])
        _, grads = unify.execute_with_gradients(func, x, ret_grad_idxs=[["b/c"]])
        same(grads, [2.0, 2.0])

    def test_other_parts_may_have_dimensions(self, on_each: ModuleType) -> None:
        ret, grads = unify.execute_with_gradients(
            lambda x: (unify.sum(x), x * 2, "text"), on_each.ones(2), ret_grad_idxs=[[0]]
        )
        same(ret[1], [2.0, 2.0])
        assert ret[2] == "text"
        same(grads, [1.0, 1.0])

    def test_a_constant_has_zeros(self, on_each: ModuleType) -> None:
        ret, grads = unify.execute_with_gradients(
            lambda x: (3.0, on_each.asarray(4), unify.sum(x)), on_each.ones(2)
        )
        assert ret[0] == 3.0
        same(grads, ([0.0, 0.0], [0.0, 0.0], [1.0, 1.0]))

    @pytest.mark.parametrize("shape", [(2,), (1,), (0,)])
    def test_dimensions_are_refused(self, on_each: ModuleType, shape: tuple[int, ...]) -> None:
        with pytest.raises(UnifyValueError, match=r"execute_with_gradients.*shape.*unify\.jac"):
            unify.execute_with_gradients(lambda x: x * 2, on_each.ones(shape))

    def test_complex_numbers_are_refused(self, on_each: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match="complex"):
            unify.execute_with_gradients(lambda x: x * 1j, on_each.asarray(1.0))

    def test_an_index_that_leads_nowhere(self, on_each: ModuleType) -> None:
        x = on_each.ones(2)
        with pytest.raises(UnifyIndexError, match="leads nowhere"):
            unify.execute_with_gradients(lambda x: [unify.sum(x)], x, ret_grad_idxs=[[1]])
        with pytest.raises(UnifyKeyError, match="leads nowhere"):
            unify.execute_with_gradients(product, {"a": x}, xs_grad_idxs=[["b"]])
        with pytest.raises(UnifyTypeError, match="list of nest indices"):
            unify.execute_with_gradients(product, [x, x], xs_grad_idxs="ab")


class TestArguments:
    """B32: nests of gradients."""

    def _xs(self, xp: ModuleType) -> list[Any]:
        return [xp.asarray([1.0, 2.0]), xp.asarray([3.0])]

    @pytest.mark.parametrize(
        ("indices", "wanted"),
        [([[0]], [3.0, 3.0]), ([[1]], [3.0]), (None, ([3.0, 3.0], [3.0]))],
    )
    def test_selection(self, on_each: ModuleType, indices: Any, wanted: Any) -> None:
        ret, grads = unify.execute_with_gradients(product, self._xs(on_each), xs_grad_idxs=indices)
        same(ret, 9.0)
        same(grads, wanted)

    @pytest.mark.parametrize("kind", [list, tuple, lambda xs: Pair(*xs)])
    def test_the_type_stays(self, on_each: ModuleType, kind: Any) -> None:
        xs = kind(self._xs(on_each))
        _, grads = unify.execute_with_gradients(product, xs)
        assert type(grads) is type(xs)
        same(tuple(grads), ([3.0, 3.0], [3.0]))

    def test_dicts_and_containers(self, on_each: ModuleType) -> None:
        def func(v: Any) -> Any:
            return v["a"] * v["b"]["c"]

        nest = {"a": on_each.asarray(2.0), "b": {"c": on_each.asarray(5.0)}}
        _, grads = unify.execute_with_gradients(func, nest)
        same(grads, {"a": 5.0, "b": {"c": 2.0}})
        _, grads = unify.execute_with_gradients(func, Container(nest))
        assert isinstance(grads, Container)
        same(grads.b.c, 2.0)

    def test_several_indices_keep_the_structure(self, on_each: ModuleType) -> None:
        c = Container(a=on_each.asarray(2.0), b=on_each.asarray(3.0), d=on_each.asarray(5.0))
        _, grads = unify.execute_with_gradients(
            lambda c: c.a * c.b * c.d, c, xs_grad_idxs=[["d"], ["a"]]
        )
        assert list(grads.keys()) == ["a", "d"]
        same(grads.a, 15.0)
        same(grads.d, 6.0)

    def test_what_is_no_array(self, on_each: ModuleType) -> None:
        xs = [on_each.asarray(3.0), 2.0, "text", None]
        ret, grads = unify.execute_with_gradients(lambda xs: xs[0] ** xs[1], xs)
        same(ret, 9.0)
        assert grads[1:] == [None, None, None]
        same(grads[0], 6.0)

    @pytest.mark.parametrize("xs", [[], {}, 3.0, [1.0, "a"], None])
    def test_no_array_is_refused(self, xs: Any) -> None:
        with pytest.raises(UnifyTypeError, match="no array"):
            unify.execute_with_gradients(lambda x: x, xs)

    def test_selecting_no_array_is_refused(self, on_each: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match="no array"):
            unify.execute_with_gradients(product, [on_each.ones(2), 2.0], xs_grad_idxs=[[1]])

    def test_what_is_not_used(self, on_each: ModuleType) -> None:
        """B36: unused inputs."""
        c = Container(a=on_each.asarray([1.0, 2.0]), b=on_each.asarray([3.0]))
        _, grads = unify.execute_with_gradients(lambda c: unify.sum(c.a), c)
        same(grads.a, [1.0, 1.0])
        same(grads.b, [0.0])

    def test_unselected_ones_stay_as_they_are(self, on_each: ModuleType) -> None:
        """Integers that select elements remain integers."""
        xs = [on_each.asarray([1.0, 2.0, 3.0]), on_each.asarray([2, 2])]
        _, grads = unify.execute_with_gradients(
            lambda xs: unify.sum(unify.take(xs[0], xs[1])), xs, xs_grad_idxs=[[0]]
        )
        same(grads, [0.0, 0.0, 2.0])

    def test_bools(self, on_each: ModuleType) -> None:
        xs = [on_each.asarray([1.0, 2.0]), on_each.asarray([True, False])]
        _, grads = unify.execute_with_gradients(
            lambda xs: unify.sum(unify.where(xs[1], xs[0], 0.0)), xs
        )
        same(grads[0], [1.0, 0.0])
        same(grads[1], [0.0, 0.0])
        assert grads[1].dtype is unify.float64


class TestDuplicates:
    """B33: repeated inputs."""

    def test_in_a_container(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0])
        _, grads = unify.execute_with_gradients(
            lambda c: unify.sum(c.a * c.b * c.b), Container(a=x, b=x)
        )
        same(grads.a, [3.0, 12.0])
        same(grads.b, [3.0, 12.0])

    def test_in_a_list_of_natives(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0]).data
        _, grads = unify.execute_with_gradients(lambda xs: unify.sum(xs[0] * xs[1] * xs[1]), [x, x])
        same(tuple(grads), ([3.0, 12.0], [3.0, 12.0]))

    def test_equal_arrays_are_two(self, on_each: ModuleType) -> None:
        xs = [on_each.asarray([1.0, 2.0]), on_each.asarray([1.0, 2.0])]
        _, grads = unify.execute_with_gradients(lambda xs: unify.sum(xs[0] * xs[1] ** 2), xs)
        same(tuple(grads), ([1.0, 4.0], [2.0, 8.0]))

    def test_they_can_be_written_to_apart(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0])
        _, grads = unify.execute_with_gradients(product, [x, x])
        grads[0][0] = 9.0
        same(grads[1], [2.0, 4.0])

    def test_derivatives_that_are_one_sum(self, on_each: ModuleType) -> None:
        """The framework may return one array for both, or a broadcast element."""
        xs = [on_each.ones(3), on_each.ones(3)]
        _, grads = unify.execute_with_gradients(lambda xs: unify.sum(xs[0] + xs[1]), xs)
        grads[0][0] = 9.0
        same(grads[0], [9.0, 1.0, 1.0])
        same(grads[1], [1.0, 1.0, 1.0])

    def test_the_documented_example(self, on_each: ModuleType) -> None:
        def func(xs: Any) -> Any:
            return unify.mean(xs[0] + xs[1].b)

        x = on_each.asarray([1.0, 2.0, 3.0])
        x = Container(a=x, b=x)
        y = on_each.asarray([4.0, 5.0, 6.0])
        y = Container(b=y, c=x)
        ret, grads = unify.execute_with_gradients(
            func, [x, y], xs_grad_idxs=[[0]], ret_grad_idxs=[["a"]]
        )
        same(ret.a, 7.0)
        same(ret.b, 7.0)
        assert isinstance(grads, Container)
        same(grads.a, [1 / 3] * 3)
        same(grads.b, [1 / 3] * 3)


class TestNumbers:
    def test_integers(self, on_each: ModuleType) -> None:
        """B34: gradients of integers."""
        x = on_each.asarray([[1, 4, 6], [2, 6, 9]])
        ret, grads = unify.execute_with_gradients(lambda x: unify.mean(unify.square(x)), x)
        same(ret, 29.0)
        same(grads, np.asarray([[1, 4, 6], [2, 6, 9]]) / 3)
        assert x.dtype is unify.int64
        assert grads.dtype is unify.float64

    def test_the_default_data_type(self, on_each: ModuleType) -> None:
        """B34: gradients of integers."""
        with unify.default_dtype("float32"):
            _, grads = unify.execute_with_gradients(
                lambda x: unify.sum(x * x), on_each.asarray([1, 2])
            )
        assert grads.dtype is unify.float32
        same(grads, [2.0, 4.0])

    @pytest.mark.parametrize(
        ("func", "at", "wanted"),
        [
            (unify.sqrt, [0.0, 4.0], [0.0, 0.25]),
            (lambda x: x / x, [0.0, 2.0], [0.0, 0.0]),
            (unify.log, [-1.0, 0.0, 2.0], [-1.0, 0.0, 0.5]),
        ],
    )
    def test_what_is_undefined(self, on_each: ModuleType, func: Any, at: Any, wanted: Any) -> None:
        """B35: undefined derivatives."""
        _, grads = unify.execute_with_gradients(lambda x: unify.sum(func(x)), on_each.asarray(at))
        same(grads, wanted)

    def test_complex_numbers(self, on_each: ModuleType) -> None:
        """The gradient of |z|**2 + Re(a z) is 2 z + conj(a): the direction of steepest ascent."""
        z, a = np.asarray([1 + 2j, -3j]), np.asarray([0.5 - 1j, 2 + 1j])
        given = on_each.asarray(a)
        _, grads = unify.execute_with_gradients(
            lambda z: unify.sum(unify.abs(z) ** 2 + unify.real(given * z)), on_each.asarray(z)
        )
        same(grads, 2 * z + np.conj(a))

    def test_a_large_sum_is_no_infinity(self, on_each: ModuleType) -> None:
        """The sum of these derivatives overflows, although none of them does."""
        _, grads = unify.execute_with_gradients(
            lambda x: unify.sum(x * 1.2e308), on_each.asarray([0.0, 0.0])
        )
        same(grads, [1.2e308, 1.2e308])


def _adds_up(x: Any) -> Any:
    x[0] = 3.0 * x[1]
    view = x[1:]
    view *= x[0]
    x += 1.0
    return unify.sum(x * x)


def _adds_up_purely(x: Any) -> Any:
    first = 3.0 * x[1]
    rest = x[1:] * first + 1.0
    return (first + 1.0) ** 2 + unify.sum(rest * rest)


class TestWrites:
    """Inputs are never modified, and functions that write are differentiated like others."""

    @pytest.mark.parametrize("order", ["selected", "unselected", "integers"])
    def test_inputs_stay(self, on_each: ModuleType, order: str) -> None:
        x = on_each.asarray([1.0, 2.0, 4.0])
        other = on_each.asarray([1, 2, 4] if order == "integers" else [1.0, 2.0, 4.0])
        native = x.data

        def func(xs: Any) -> Any:
            xs[0][1] = 7.0
            xs[1] += 1
            xs[1][0] = 5
            return unify.sum(xs[0] * xs[1])

        indices = [[0]] if order == "unselected" else None
        _, grads = unify.execute_with_gradients(func, [x, other], xs_grad_idxs=indices)
        assert x.data is native
        assert x.tolist() == [1.0, 2.0, 4.0]
        assert other.tolist() == [1, 2, 4]
        same(grads if order == "unselected" else grads[0], [5.0, 0.0, 5.0])

    def test_derivative(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0, 4.0])
        ret, grads = unify.execute_with_gradients(_adds_up, x)
        value, wanted = unify.execute_with_gradients(_adds_up_purely, x)
        same(ret, float(value))
        same(grads, np.asarray(wanted))
        steps = np.eye(3) * 1e-6
        at = np.asarray([1.0, 2.0, 4.0])

        def plain(v: Any) -> float:
            return float(_adds_up(unify.asarray(v.copy())))

        differences = [(plain(at + s) - plain(at - s)) / 2e-6 for s in steps]
        same(grads, differences, rtol=1e-7)


class TestTracking:
    """B37: untracked results."""

    def test_torch(self) -> None:
        torch = pytest.importorskip("torch")
        x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
        other = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
        ret, grads = unify.execute_with_gradients(
            lambda xs: unify.sum(xs[0] ** 2 * xs[1]), [x, other], xs_grad_idxs=[[0]]
        )
        assert not ret.data.requires_grad
        assert not grads.data.requires_grad
        assert x.requires_grad
        assert (x.grad, other.grad) == (None, None)

    def test_torch_keeps_them(self) -> None:
        torch = pytest.importorskip("torch")
        x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
        _, grads = unify.execute_with_gradients(lambda x: unify.sum(x**3), x, retain_grads=True)
        assert grads.data.requires_grad
        grads.data.sum().backward()
        assert x.grad.tolist() == [6.0, 12.0]

    def test_torch_without_gradients(self) -> None:
        """In any mode set outside."""
        torch = pytest.importorskip("torch")
        for mode in (torch.no_grad, torch.inference_mode):
            with mode():
                x = torch.tensor([1.0, 2.0], dtype=torch.float64)
                _, grads = unify.execute_with_gradients(lambda x: unify.sum(x**3), x)
            same(grads, [3.0, 12.0])

    def test_tensorflow(self) -> None:
        tf = pytest.importorskip("tensorflow")
        x = tf.Variable([1.0, 2.0], dtype=tf.float64)
        for keep in (False, True):
            with tf.GradientTape() as tape:
                _, grads = unify.execute_with_gradients(
                    lambda x: unify.sum(x**3), x, retain_grads=keep
                )
                total = tf.reduce_sum(grads.data)
            found = tape.gradient(total, x)
            assert (None if found is None else found.numpy().tolist()) == (
                [6.0, 12.0] if keep else None
            )

    def test_jax(self) -> None:
        jax = pytest.importorskip("jax")

        def slope(x: Any, keep: bool) -> Any:
            _, grads = unify.execute_with_gradients(lambda x: unify.sum(x**3), x, retain_grads=keep)
            return grads.data.sum()

        x = unify.get_backend("jax").asarray([1.0, 2.0]).data
        assert jax.grad(slope)(x, False).tolist() == [0.0, 0.0]
        assert jax.grad(slope)(x, True).tolist() == [6.0, 12.0]

    @pytest.mark.parametrize(("keep", "wanted"), [(False, [0.0, 0.0]), (True, [6.0, 12.0])])
    def test_one_inside_the_other(self, on_each: ModuleType, keep: bool, wanted: Any) -> None:
        def outer(x: Any) -> Any:
            _, grads = unify.execute_with_gradients(lambda x: unify.sum(x**3), x, retain_grads=keep)
            return unify.sum(grads)

        _, grads = unify.execute_with_gradients(outer, on_each.asarray([1.0, 2.0]))
        same(grads, wanted)


class TestVia:
    """B40: gradients on NumPy."""

    def test_numpy_names_the_remedy(self) -> None:
        with pytest.raises(BackendError, match=r"execute_with_gradients.*numpy.*via=.torch."):
            unify.execute_with_gradients(unify.sum, unify.ones(2))

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_another_backend(self, backend: str) -> None:
        x = unify.asarray([1.0, 2.0])
        seen: list[str] = []

        def func(xs: Any) -> Any:
            seen.extend([xs.a.backend, unify.ones(1).backend])
            xs.a[0] *= 1.0
            return unify.sum(xs.a * xs.b * xs.b)

        ret, grads = unify.execute_with_gradients(func, Container(a=x, b=x), via=backend)
        assert set(seen) == {backend}
        assert ret.backend == grads.a.backend == "numpy"
        same(ret, 9.0)
        same(grads.a, [3.0, 12.0])
        same(grads.b, [3.0, 12.0])
        assert x.tolist() == [1.0, 2.0]
        assert unify.current_backend_str() == "numpy"

    def test_memory_is_shared(self) -> None:
        pytest.importorskip("torch")
        x = unify.asarray([1.0, 2.0])
        address: list[int] = []

        def func(y: Any) -> Any:
            address.append(y.data.data_ptr())
            return unify.sum(y)

        unify.execute_with_gradients(func, x, via="torch")
        assert address == [x.data.ctypes.data]

    def test_an_unknown_one(self) -> None:
        with pytest.raises(UnifyValueError, match="nope"):
            unify.execute_with_gradients(unify.sum, unify.ones(2), via="nope")

    def test_numpy_is_no_way_out(self) -> None:
        with pytest.raises(BackendError, match="can't differentiate"):
            unify.execute_with_gradients(unify.sum, unify.ones(2), via="numpy")


class TestErrors:
    def test_of_the_users_own_code(self, on_each: ModuleType) -> None:
        """B52: errors of users' code."""

        class Mine(Exception):
            """An exception of a user."""

        error = Mine("as it is")

        def func(x: Any) -> Any:
            raise error

        with pytest.raises(Mine) as caught:
            unify.execute_with_gradients(func, on_each.ones(2))
        assert caught.value is error

    def test_a_result_of_another_backend(self, on_each: ModuleType) -> None:
        with pytest.raises(BackendError, match="to_backend"):
            unify.execute_with_gradients(lambda x: unify.asarray(1.0), on_each.ones(2))


class TestConversions:
    """Values of Python and NumPy have no derivative: while one is computed they are refused."""

    @pytest.mark.parametrize(
        "convert",
        [np.asarray, np.array, unify.to_numpy, lambda x: x.tolist(), lambda x: float(x[0]),
         lambda x: x[0].item(), lambda x: complex(x[0]), np.from_dlpack,
         lambda x: unify.to_backend(x, "numpy")],
    )  # fmt: skip
    def test_of_what_is_differentiated(self, on_each: ModuleType, convert: Any) -> None:
        x = on_each.asarray([1.0, 2.0])
        for derivative in (
            lambda f: unify.grad(f)(x),
            lambda f: unify.jvp(f, (x,), (x,)),
            lambda f: unify.hessian(f)(x),
        ):
            with pytest.raises((UnifyTypeError, BackendError), match="stop_gradient"):
                derivative(lambda x: unify.sum(x * on_each.asarray(convert(x))))

    def test_of_constants(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0])
        shown: list[Any] = []

        def func(x: Any) -> Any:
            constant = unify.stop_gradient(x)
            shown.extend([repr(x), str(x), f"{x[0]:.1f}", len(x), constant.tolist()])
            place = int(unify.argmax(x))
            return x[place] * float(constant[1]) if x[0] < x[1] else x[0]

        same(unify.grad(func)(x), [0.0, 2.0])
        assert shown[2:] == ["1.0", 2, [1.0, 2.0]]
        assert "1., 2." in shown[0] or "traced" in shown[0]

    def test_after_the_derivative(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0])
        value, slope = unify.value_and_grad(unify.sum)(x)
        assert (float(value), slope.tolist(), x.tolist()) == (3.0, [1.0, 1.0], [1.0, 2.0])


class TestDependence:
    """B72: a function that returns nothing that depends on the arrays is refused."""

    @pytest.mark.parametrize(
        "result", [None, "text", 2.0, (), "array", "stopped"], ids=lambda result: repr(result)
    )
    def test_nothing_depends(self, on_each: ModuleType, result: Any) -> None:
        x = on_each.asarray([1.0, 2.0])
        other = on_each.asarray(3.0)
        if result == "stopped" and x.backend == "jax":  # whose constants of a trace are traced
            assert unify.grad(lambda x: unify.sum(unify.stop_gradient(x)))(x).tolist() == [0.0, 0.0]
            return

        def func(x: Any) -> Any:
            if result == "stopped":
                return unify.sum(unify.stop_gradient(x))
            return other if result == "array" else result

        for derivative in (
            lambda: unify.grad(func)(x),
            lambda: unify.value_and_grad(func)(x),
            lambda: unify.execute_with_gradients(func, x),
            lambda: unify.jac(func)(x),
            lambda: unify.hessian(func)(x),
            lambda: unify.jvp(func, (x,), (x,)),
            lambda: unify.vjp(func, x),
            lambda: unify.vmap(unify.grad(func))(x),
        ):
            with pytest.raises(UnifyTypeError, match="returns no array that depends"):
                derivative()

    @pytest.mark.parametrize("name", ["floor", "sign", "round"])
    def test_steps_have_zeros(self, on_each: ModuleType, name: str) -> None:
        step = getattr(unify, name)
        same(unify.grad(lambda x: unify.sum(step(x)))(on_each.asarray([0.5, 2.5])), [0.0, 0.0])

    def test_derivatives_may_be_constant(self, on_each: ModuleType) -> None:
        x = on_each.asarray([0.5, 2.5])
        same(unify.hessian(lambda x: unify.sum(3 * x))(x), np.zeros((2, 2)))
        same(unify.grad(unify.grad(lambda x: 3 * x))(on_each.asarray(1.0)), 0.0)


class TestZeros:
    """PyTorch has zeros without memory, which nothing can read."""

    @pytest.mark.parametrize(
        "func",
        [lambda x: unify.sum(unify.abs(x)), lambda x: unify.linalg.vector_norm(x, ord=1),
         lambda x: unify.mae(x, unify.zeros_like(x))],
    )  # fmt: skip
    def test_second_derivatives(self, on_each: ModuleType, func: Any) -> None:
        x = on_each.asarray([1.0, -2.0, 0.0])
        found = unify.hessian(func)(x)
        assert "0." in repr(found)
        same(found, np.zeros((3, 3)))
        same(unify.grad(lambda x: unify.sum(unify.grad(func)(x)))(x), np.zeros(3))
        same(unify.jvp(unify.grad(func), (x,), (x,))[1], np.zeros(3))


@pytest.mark.slow_on("torch")
@pytest.mark.parametrize("program", ["compile", "checkpoint", "compile_graph", "vmap"])
@pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")  # of inductor itself
def test_tangents_that_are_constant(on_each: ModuleType, program: str) -> None:
    """A derivative with known values, inside a function that is traced, stays outside of it."""
    x, tangent = on_each.asarray([1.0, 2.0]), on_each.asarray([3.0, 4.0])

    def func(x: Any) -> Any:
        return unify.jvp(lambda z: (z,), (x,), (tangent,))

    if program == "vmap":
        (value,), (slope,) = unify.vmap(func)(on_each.stack([x, x]))
        same(slope, [[3.0, 4.0]] * 2)
    else:
        made: Any = getattr(unify, program)
        run = made(func, x) if program == "compile_graph" else made(func)
        (value,), (slope,) = run(x)
        same(value, [1.0, 2.0])
        same(slope, [3.0, 4.0])
