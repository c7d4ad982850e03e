"""Transformations of functions: gradients, Jacobians, vmap, custom gradients, and compilation."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Array, Container
from arrayapi_unify.errors import BackendError, UnifyIndexError, UnifyTypeError, UnifyValueError
from tests.functional.differentiating import DIFFERENTIATING, on_each, same
from tests.test_tracing import COMPILERS

__all__ = ["on_each"]

X = np.asarray([[4.6, 2.1, 5.0], [2.8, 1.3, 6.2]])


def mean_of_squares(x: Any) -> Any:
    return unify.mean(unify.square(x))


class TestValueAndGrad:
    def test_mean_of_squares(self, on_each: ModuleType) -> None:
        """B38: value_and_grad and its like."""
        value, slope = unify.value_and_grad(mean_of_squares)(on_each.asarray(X))
        np.testing.assert_allclose(float(value), 16.42333, rtol=1e-6)
        same(value, np.mean(X**2))
        same(slope, X / 3)

    def test_several_arguments(self, on_each: ModuleType) -> None:
        x, y = on_each.asarray([1.0, 2.0]), on_each.asarray([3.0, 5.0])

        def func(x: Any, y: Any, *, scale: float) -> Any:
            return scale * unify.sum(x * y * y)

        value, slope = unify.value_and_grad(func, argnums=1)(x, y, scale=2.0)
        same(value, 118.0)
        same(slope, [12.0, 40.0])
        _, slopes = unify.value_and_grad(func, argnums=(1, 0))(x, y, scale=1.0)
        assert isinstance(slopes, tuple)
        same(slopes, ([6.0, 20.0], [9.0, 25.0]))

    def test_the_same_array_twice(self, on_each: ModuleType) -> None:
        """B33: repeated inputs."""
        x = on_each.asarray(3.0)
        same(unify.grad(lambda a, b: a * b * b, argnums=(0, 1))(x, x), (27.0, 27.0))

    def test_keeps_name_and_documentation(self) -> None:
        assert unify.value_and_grad(mean_of_squares).__name__ == "mean_of_squares"

    def test_argnums_out_of_bounds(self, on_each: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="argnums"):
            unify.value_and_grad(mean_of_squares, argnums=1)(on_each.ones(2))

    def test_on_numpy(self) -> None:
        """B40: gradients on NumPy."""
        with pytest.raises(BackendError, match=r"value_and_grad.*via=.torch"):
            unify.value_and_grad(mean_of_squares)(unify.ones(2))
        for backend in DIFFERENTIATING:
            value, slope = unify.value_and_grad(mean_of_squares, via=backend)(unify.asarray(X))
            assert value.backend == slope.backend == "numpy"
            same(slope, X / 3)


class TestGrad:
    def test_is_an_array(self, on_each: ModuleType) -> None:
        """B38: value_and_grad and its like."""
        slope = unify.grad(mean_of_squares)(on_each.asarray(X))
        assert isinstance(slope, Array)
        same(slope, X / 3)

    def test_of_grad_of_grad(self, on_each: ModuleType) -> None:
        x = on_each.asarray(2.0)
        f = unify.grad(unify.grad(unify.grad(lambda x: x**5 + unify.sin(x))))
        same(f(x), 60 * 4.0 - np.cos(2.0))

    def test_inside_of_a_function(self, on_each: ModuleType) -> None:
        """The inner derivative is with respect to the inner variable only."""
        x = on_each.asarray(3.0)
        same(unify.grad(lambda x: x * unify.grad(lambda y: x * y)(x))(x), 6.0)
        same(unify.grad(lambda x: x * unify.grad(lambda y: x * y * y)(x))(x), 54.0)

    def test_a_captured_array(self, on_each: ModuleType) -> None:
        x = on_each.asarray(3.0)
        same(unify.grad(lambda a: unify.grad(lambda b: a * a * b)(on_each.asarray(5.0)))(x), 6.0)

    def test_results_are_untracked(self) -> None:
        """B37: untracked results."""
        torch = pytest.importorskip("torch")
        x = torch.tensor(2.0, dtype=torch.float64)
        value, slope = unify.value_and_grad(lambda x: x**3)(x)
        assert not value.data.requires_grad
        assert not slope.data.requires_grad

    def test_is_differentiated_by_the_framework(self) -> None:
        torch = pytest.importorskip("torch")
        x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
        unify.grad(lambda x: x**3)(x).data.backward()
        assert x.grad.item() == 12.0
        jax = pytest.importorskip("jax")
        cube = unify.grad(lambda x: x**3)
        assert float(jax.grad(lambda x: cube(x).data)(2.0 * jax.numpy.ones(()))) == 12.0

    def test_undefined_ones_in_the_second_derivative(self, on_each: ModuleType) -> None:
        """B35: undefined derivatives."""
        f = unify.grad(lambda x: unify.sum(unify.grad(lambda y: unify.sum(unify.sqrt(y)))(x)))
        same(f(on_each.asarray([0.0, 4.0])), [0.0, -1 / 32])


class TestJac:
    def test_beside_the_formula(self, on_each: ModuleType) -> None:
        x = np.asarray([[1.0, 2.0], [3.0, 4.0]])
        found = unify.jac(lambda x: unify.matmul(x, x))(on_each.asarray(x))
        eye = np.eye(2)
        wanted = np.einsum("ik,jl->ijkl", eye, x.T) + np.einsum("ik,jl->ijkl", x, eye)
        same(found, wanted)

    def test_nests(self, on_each: ModuleType) -> None:
        def func(v: Any) -> Any:
            return {"sum": unify.sum(v.a), "both": (v.a * v.b, 3)}

        v = Container(a=on_each.asarray([1.0, 2.0]), b=on_each.asarray(5.0))
        found = unify.jac(func)(v)
        same(found["sum"].a, [1.0, 1.0])
        same(found["sum"].b, 0.0)
        same(found["both"][0].a, [[5.0, 0.0], [0.0, 5.0]])
        same(found["both"][0].b, [1.0, 2.0])
        assert found["both"][1] is None

    def test_several_arguments_and_bools(self, on_each: ModuleType) -> None:
        found = unify.jac(lambda x, y: x[:2] * y, argnums=(0, 1))(
            on_each.asarray([1.0, 2.0, 3.0]), on_each.asarray([True, False])
        )
        same(found[0], [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
        same(found[1], np.zeros((2, 2)))

    def test_of_nothing(self, on_each: ModuleType) -> None:
        same(unify.jac(lambda x: x[:0])(on_each.ones(3)), np.zeros((0, 3)))

    def test_complex_results_are_refused(self, on_each: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match="complex"):
            unify.jac(lambda x: x * 1j)(on_each.ones(2))

    def test_of_a_complex_argument(self, on_each: ModuleType) -> None:
        z = on_each.asarray([1 + 2j])
        same(unify.jac(lambda z: unify.real(z * z))(z), [[2 - 4j]])


class TestHessian:
    def test_beside_the_formula(self, on_each: ModuleType) -> None:
        a = np.asarray([[1.0, 2.0, 0.5], [0.0, 3.0, 1.0], [4.0, 1.0, 2.0]])
        x = np.asarray([0.5, -1.0, 2.0])
        m = on_each.asarray(a)
        found = unify.hessian(lambda x: unify.sum(x * unify.matmul(m, x)) + unify.sum(x**3))(
            on_each.asarray(x)
        )
        same(found, a + a.T + np.diag(6 * x))

    def test_of_a_container(self, on_each: ModuleType) -> None:
        c = Container(a=on_each.asarray([1.0, 2.0]), b=on_each.asarray(3.0))
        found = unify.hessian(lambda c: unify.sum(c.a**2) * c.b)(c)
        same(found.a.a, [[6.0, 0.0], [0.0, 6.0]])
        same(found.a.b, [2.0, 4.0])
        same(found.b.a, [2.0, 4.0])
        same(found.b.b, 0.0)

    def test_of_a_function_that_writes(self, on_each: ModuleType) -> None:
        def func(x: Any) -> Any:
            x[0] = x[0] * x[1]
            x *= x
            return unify.sum(x)

        x = on_each.asarray([2.0, 3.0])
        same(unify.hessian(func)(x), [[18.0, 24.0], [24.0, 10.0]])
        assert x.tolist() == [2.0, 3.0]


class TestJvp:
    def test_beside_the_formula(self, on_each: ModuleType) -> None:
        x, t = on_each.asarray([1.0, 2.0]), on_each.asarray([0.5, -1.0])
        ret, moved = unify.jvp(lambda x: {"y": unify.exp(x), "n": 3}, x, t)
        same(ret["y"], np.exp([1.0, 2.0]))
        same(moved["y"], np.exp([1.0, 2.0]) * [0.5, -1.0])

    def test_several_arguments(self, on_each: ModuleType) -> None:
        x, y = on_each.asarray(2.0), on_each.asarray(3.0)
        one, two = on_each.asarray(1.0), on_each.asarray(2.0)
        same(unify.jvp(lambda x, y: x * y, (x, y), (one, two)), (6.0, 7.0))
        # By position: the same array may have two directions.
        same(unify.jvp(lambda x, y: x * y * y, (x, x), (one, two)), (8.0, 20.0))

    def test_complex_numbers(self, on_each: ModuleType) -> None:
        z, t = on_each.asarray([1 + 2j]), on_each.asarray([1j])
        same(unify.jvp(lambda z: z * z, z, t), ([-3 + 4j], [-4 + 2j]))
        same(unify.jvp(unify.conj, z, t)[1], [-1j])

    def test_integers(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1, 2])
        same(unify.jvp(lambda x: x * x, x, x)[1], [2.0, 8.0])

    def test_inputs_stay(self, on_each: ModuleType) -> None:
        def func(x: Any) -> Any:
            x[0] = 2 * x[1]
            return x * x

        x, t = on_each.asarray([1.0, 2.0]), on_each.asarray([1.0, 1.0])
        same(unify.jvp(func, x, t), ([16.0, 4.0], [16.0, 4.0]))
        assert (x.tolist(), t.tolist()) == ([1.0, 2.0], [1.0, 1.0])

    def test_is_differentiated(self, on_each: ModuleType) -> None:
        x = on_each.asarray(2.0)
        same(unify.grad(lambda x: unify.jvp(lambda y: y**3, x, on_each.asarray(1.0))[1])(x), 12.0)

    def test_other_shapes_are_refused(self, on_each: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match=r"jvp.*tangents.*shape"):
            unify.jvp(unify.sin, on_each.ones(2), on_each.ones(3))
        with pytest.raises(UnifyValueError, match=r"jvp.*tangents.*structure"):
            unify.jvp(unify.sin, on_each.ones(2), (on_each.ones(2), on_each.ones(2)))


class TestVjp:
    def test_is_the_adjoint_of_jvp(self, on_each: ModuleType) -> None:
        generator = np.random.default_rng(3)
        x, t, u = (
            on_each.asarray(generator.normal(size=3) + 1j * generator.normal(size=3))
            for _ in range(3)
        )

        def func(z: Any) -> Any:
            return unify.exp(z) * unify.conj(z) + unify.abs(z)

        _, moved = unify.jvp(func, x, t)
        _, pull = unify.vjp(func, x)
        (pulled,) = pull(u)
        one = np.vdot(np.asarray(u), np.asarray(moved)).real
        np.testing.assert_allclose(np.vdot(np.asarray(pulled), np.asarray(t)).real, one, rtol=1e-12)

    def test_nests(self, on_each: ModuleType) -> None:
        c = Container(a=on_each.asarray([1.0, 2.0]), b=on_each.asarray(3.0))
        ret, pull = unify.vjp(lambda c, s: (c.a * c.b, c.b * s), c, on_each.asarray(5.0))
        same(ret, ([3.0, 6.0], 15.0))
        for _ in range(2):  # any number of times
            of_c, of_s = pull((on_each.asarray([1.0, 10.0]), on_each.asarray(100.0)))
            same(of_c.a, [3.0, 30.0])
            same(of_c.b, 521.0)
            same(of_s, 300.0)
        same(pull((None, 1))[0].a, [0.0, 0.0])

    def test_other_structures_are_refused(self, on_each: ModuleType) -> None:
        _, pull = unify.vjp(lambda x: (x, x), on_each.ones(2))
        with pytest.raises(UnifyValueError, match=r"vjp.*upstream"):
            pull(on_each.ones(2))

    def test_on_numpy(self) -> None:
        """B40: gradients on NumPy."""
        with pytest.raises(BackendError, match=r"vjp.*via="):
            unify.vjp(unify.sin, unify.ones(2))
        for backend in DIFFERENTIATING:
            ret, pull = unify.vjp(lambda x: x**2, unify.asarray([1.0, 2.0]), via=backend)
            (found,) = pull(unify.asarray([1.0, 10.0]))
            assert ret.backend == found.backend == "numpy"
            same(found, [2.0, 40.0])


def squares_and_more(x: Any) -> Any:
    return unify.sum(x * x), {"twice": 2 * x, "name": "aux", "count": 3}


class TestHasAux:
    """Results beside what is differentiated, as jax.value_and_grad has them."""

    def check(self, aux: Any) -> None:
        same(aux["twice"], [2.0, 4.0])
        assert (aux["name"], aux["count"]) == ("aux", 3)

    def test_value_and_grad(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0])
        (value, aux), slope = unify.value_and_grad(squares_and_more, has_aux=True)(x)
        same(value, 5.0)
        same(slope, [2.0, 4.0])
        self.check(aux)
        assert not unify.requires_gradient(aux["twice"])

    def test_grad_and_second_derivative(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0])
        slope, aux = unify.grad(squares_and_more, has_aux=True)(x)
        same(slope, [2.0, 4.0])
        self.check(aux)
        cube = unify.grad(lambda x: (unify.sum(x**3), x), has_aux=True)
        same(unify.grad(lambda x: unify.sum(cube(x)[0]))(x), [6.0, 12.0])

    def test_jac(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0])
        found, aux = unify.jac(lambda x: (x * x, squares_and_more(x)[1]), has_aux=True)(x)
        same(found, [[2.0, 0.0], [0.0, 4.0]])
        self.check(aux)

    @pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")  # of inductor itself
    def test_jac_of_compiled_functions(self, on_each: ModuleType) -> None:
        """PyTorch maps no derivative of a compiled function, and none inside a checkpoint."""
        x = on_each.asarray([1.0, 2.0])
        compiled = unify.compile(lambda x: unify.exp(x) * unify.sin(x))
        slope = np.exp([1.0, 2.0]) * (np.sin([1.0, 2.0]) + np.cos([1.0, 2.0]))
        np.testing.assert_allclose(np.asarray(unify.jac(compiled)(x)), np.diag(slope), rtol=1e-12)
        same(unify.checkpoint(unify.jac(lambda x: x * x))(x), [[2.0, 0.0], [0.0, 4.0]])

    def test_vjp(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0])
        value, pull, aux = unify.vjp(squares_and_more, x, has_aux=True)
        same(value, 5.0)
        same(pull(on_each.asarray(1.0)), ([2.0, 4.0],))
        self.check(aux)

    def test_via_another_backend(self, on_each: ModuleType) -> None:
        x, name = unify.numpy.asarray([1.0, 2.0]), on_each.ones(1).backend
        (_, aux), slope = unify.value_and_grad(squares_and_more, has_aux=True, via=name)(x)
        assert (slope.backend, aux["twice"].backend) == ("numpy", "numpy")
        _, _, aux = unify.vjp(squares_and_more, x, has_aux=True, via=name)
        assert aux["twice"].backend == "numpy"
        self.check(aux)

    @pytest.mark.parametrize("function", [unify.value_and_grad, unify.grad, unify.jac])
    def test_no_pair(self, on_each: ModuleType, function: Any) -> None:
        with pytest.raises(UnifyTypeError, match=r"no pair; return \(result, aux\)"):
            function(mean_of_squares, has_aux=True)(on_each.ones(2))


class TestVmap:
    def test_axes(self, xp: ModuleType) -> None:
        x = np.arange(6.0).reshape(2, 3)
        f = unify.vmap(lambda x, y: (unify.sum(x) * y, x), in_axes=(1, None), out_axes=(0, -1))
        sums, same_again = f(xp.asarray(x), xp.asarray(10.0))
        same(sums, x.sum(0) * 10)
        same(same_again, x)

    def test_nests(self, xp: ModuleType) -> None:
        c = Container(a=xp.asarray([[1.0, 2.0], [3.0, 4.0]]), b=xp.asarray([5.0, 6.0]))
        found = unify.vmap(lambda c, k: {"r": c.a * c.b + k}, in_axes=({"a": 0, "b": None}, None))(
            c, 1.0
        )
        same(found["r"], np.asarray([[1.0, 2.0], [3.0, 4.0]]) * [5.0, 6.0] + 1)

    def test_what_is_the_same_for_all(self, xp: ModuleType) -> None:
        f = unify.vmap(lambda x: (x, 3.0), out_axes=(0, None))
        found = f(xp.asarray([1.0, 2.0]))
        same(found[0], [1.0, 2.0])
        same(found[1], 3.0)

    def test_writes_stay_inside(self, xp: ModuleType) -> None:
        def func(x: Any) -> Any:
            x[0] = x[0] + 10.0
            x *= 2
            return x

        x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
        same(unify.vmap(func)(x), [[22.0, 4.0], [26.0, 8.0]])
        assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]

    def test_of_derivatives(self, on_each: ModuleType) -> None:
        x = on_each.asarray([[1.0, 2.0], [3.0, 4.0]])
        same(unify.vmap(unify.grad(lambda x: unify.sum(x**3)))(x), 3 * np.asarray(x) ** 2)
        found = unify.vmap(unify.hessian(lambda x: x[0] ** 2 * x[1]))(x)
        same(found, [[[4.0, 2.0], [2.0, 0.0]], [[8.0, 6.0], [6.0, 0.0]]])

    def test_is_differentiated(self, on_each: ModuleType) -> None:
        x = on_each.asarray([1.0, 2.0])
        same(unify.grad(lambda x: unify.sum(unify.vmap(lambda r: r**3)(x)))(x), [3.0, 12.0])

    def test_of_vmap(self, xp: ModuleType) -> None:
        f = unify.vmap(unify.vmap(lambda x, y: x * y, in_axes=(None, 0)), in_axes=(0, None))
        same(f(xp.asarray([1.0, 2.0]), xp.asarray([3.0, 5.0])), [[3.0, 5.0], [6.0, 10.0]])

    def test_refusals(self, xp: ModuleType) -> None:
        x = xp.ones((2, 3))
        with pytest.raises(UnifyValueError, match="different sizes"):
            unify.vmap(unify.add, in_axes=(0, 1))(x, x)
        with pytest.raises(UnifyValueError, match="names no axis"):
            unify.vmap(unify.sin, in_axes=None)(x)
        with pytest.raises(UnifyValueError, match="in_axes"):
            unify.vmap(unify.sin, in_axes=(0, 0))(x)
        with pytest.raises(UnifyIndexError, match="in_axes"):
            unify.vmap(unify.sin, in_axes=2)(x)
        with pytest.raises(UnifyIndexError, match="out_axes"):
            unify.vmap(unify.sum, out_axes=1)(x)
        with pytest.raises(UnifyTypeError, match="no array"):
            unify.vmap(unify.sin)(1.0)


class TestStopGradient:
    def test_is_a_constant(self, on_each: ModuleType) -> None:
        """B37: untracked results."""
        x = on_each.asarray([2.0, 3.0])
        same(unify.grad(lambda x: unify.sum(x * unify.stop_gradient(x)))(x), [2.0, 3.0])

    def test_is_a_copy(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0])
        copy = x.stop_gradient()
        copy[0] = 9.0
        assert x.tolist() == [1.0, 2.0]
        assert copy.dtype is x.dtype

    def test_the_type_of_a_tensor(self) -> None:
        torch = pytest.importorskip("torch")
        x = torch.nn.Parameter(torch.ones(2))
        assert type(unify.stop_gradient(x).data) is torch.nn.Parameter
        assert not unify.stop_gradient(x).data.requires_grad
        assert type(unify.stop_gradient(x, preserve_type=False).data) is torch.Tensor


class TestRequiresGradient:
    def test_inside_and_outside(self, on_each: ModuleType) -> None:
        """B37: untracked results."""
        seen: list[bool] = []

        def func(xs: Any) -> Any:
            seen.extend([unify.requires_gradient(xs[0]), unify.requires_gradient(xs[1])])
            return unify.sum(xs[0] * xs[1])

        x = on_each.asarray([1.0, 2.0])
        unify.execute_with_gradients(func, [x, x + 1], xs_grad_idxs=[[0]])
        assert seen == [True, False]
        assert not unify.requires_gradient(x)


class TestCheckpoint:
    def test_derivatives(self, on_each: ModuleType) -> None:
        calls: list[int] = []

        def func(c: Any, s: float) -> Any:
            calls.append(1)
            c.a[0] = c.a[0] * s
            return {"y": unify.sin(c.a) * c.b}

        remembered = unify.checkpoint(func)
        c = Container(a=on_each.asarray([1.0, 2.0]), b=on_each.asarray(3.0))
        _, grads = unify.value_and_grad(lambda c: unify.sum(remembered(c, 2.0)["y"]))(c)
        # JAX traces the function once, and runs the traced program twice.
        assert len(calls) == (1 if on_each.ones(1).backend == "jax" else 2)
        same(grads.a, 3 * np.cos([2.0, 2.0]) * [2.0, 1.0])
        same(grads.b, 2 * np.sin(2.0))
        assert c.a.tolist() == [1.0, 2.0]

    def test_second_derivatives_and_rows(self, on_each: ModuleType) -> None:
        f = unify.checkpoint(lambda x: unify.sum(unify.sin(x)))
        same(unify.hessian(f)(on_each.asarray([1.0, 2.0])), np.diag(-np.sin([1.0, 2.0])))
        x = on_each.asarray([[1.0], [2.0]])
        same(unify.vmap(unify.grad(f))(x), np.cos([[1.0], [2.0]]))

    def test_results_are_new_arrays(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0, 3.0])
        whole, part = unify.checkpoint(lambda x: (x, x[1:]))(x)
        whole[1], part[1] = 5.0, 7.0
        assert [y.tolist() for y in (x, whole, part)] == [[1, 2, 3], [1, 5, 3], [2, 7]]

    def test_without_derivatives(self, xp: ModuleType) -> None:
        same(unify.checkpoint(lambda x: x * 2)(xp.ones(2)), [2.0, 2.0])
        assert unify.checkpoint(lambda x: x * 2)(3.0) == 6.0

    def test_writes_reach_the_arguments(self, xp: ModuleType) -> None:
        """As in a call of the function itself; also where arguments share memory."""

        def write(x: Any, y: Any) -> Any:
            x[0] = x[1] * 2
            y += 1
            return unify.sum(x * y)

        x, y = xp.asarray([1.0, 2.0]), xp.asarray([3.0, 4.0])
        assert unify.checkpoint(write)(x, y).tolist() == 26.0
        assert (x.tolist(), y.tolist()) == ([4.0, 2.0], [4.0, 5.0])
        rows = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
        unify.checkpoint(write)(rows[0], y)
        assert rows.tolist() == [[4.0, 2.0], [3.0, 4.0]]
        z = xp.asarray([1.0, 2.0, 3.0])
        assert unify.checkpoint(write)(z[:2], z[1:]).tolist() == 24.0
        assert z.tolist() == [4.0, 3.0, 4.0]
        z = xp.asarray([1.0, 2.0, 3.0])
        assert unify.checkpoint(write)(z[::-1], z[:]).tolist() == 29.0
        assert z.tolist() == [2.0, 3.0, 5.0]

    def test_derivatives_of_writes(self, on_each: ModuleType) -> None:
        """Of [2b, b] after the write, [a, b] before it: 2 b c + b d + 5 b**2 for y = [c, d]."""

        def write(x: Any, y: Any) -> Any:
            x[0] = x[1] * 2
            return unify.sum(x * y)

        def loss(x: Any, y: Any) -> Any:
            x = x * 1.0
            ret = unify.checkpoint(write)(x, y)
            return ret + unify.sum(x * x)

        x, y = on_each.asarray([1.0, 2.0]), on_each.asarray([3.0, 4.0])
        by_x, by_y = unify.grad(loss, argnums=(0, 1))(x, y)
        assert by_x.tolist() == [0.0, 2 * 3.0 + 4.0 + 10 * 2.0]
        assert by_y.tolist() == [4.0, 2.0]


def inter(x: Any) -> Any:
    """Compute log1p(exp(x)), which overflows for large x."""
    return unify.log1p(unify.exp(x))


def rule(*args: Any) -> Any:
    """The derivative that it gets."""
    (xs, _), upstream = args
    return upstream * (1 - 10 / (1 + xs))


def slope(x: Any) -> Any:
    """Compute the rule's result for `inter(x) ** 2`, in NumPy."""
    return 2 * np.log1p(np.exp(x)) * (1 - 10 / (1 + x))


def second(x: Any) -> Any:
    """Compute the derivative of `slope`, with the rule for the inner function."""
    ruled = 1 - 10 / (1 + x)
    return 2 * ruled**2 + 2 * np.log1p(np.exp(x)) * 10 / (1 + x) ** 2


class TestBindCustomGradientFunction:
    """B39: custom gradients."""

    bound = staticmethod(unify.bind_custom_gradient_function(inter, rule))

    def test_the_worked_case(self, on_each: ModuleType) -> None:
        ret, grads = unify.execute_with_gradients(
            lambda x: self.bound(x) ** 2, on_each.asarray(50.0)
        )
        same(ret, 2500.0)
        np.testing.assert_allclose(float(grads), 80.392157, rtol=1e-7)
        same(grads, 100 * (1 - 10 / 51))

    def test_where_it_overflows(self, on_each: ModuleType) -> None:
        x = on_each.asarray([50.0, 800.0, 5.0])
        bound = unify.bind_custom_gradient_function(lambda x: unify.minimum(inter(x), 60.0), rule)
        _, grads = unify.execute_with_gradients(lambda x: unify.sum(bound(x) ** 2), x)
        values = np.minimum(np.asarray([50.0, np.inf, np.log1p(np.exp(5.0))]), 60.0)
        same(grads, 2 * values * (1 - 10 / (1 + np.asarray([50.0, 800.0, 5.0]))))

    def test_nests(self, on_each: ModuleType) -> None:
        seen: list[Any] = []

        def func(c: Any) -> Any:
            return {"y": c.a * c.b, "n": 3}

        def of(given: Any, upstream: Any) -> Any:
            seen.append((given, upstream))
            return Container(a=upstream["y"] * 10, b=None)

        c = Container(a=on_each.asarray([1.0, 2.0]), b=on_each.asarray([3.0, 4.0]))
        bound = unify.bind_custom_gradient_function(func, of)
        _, grads = unify.execute_with_gradients(lambda c: unify.sum(bound(c)["y"] * 7), c)
        same(grads.a, [70.0, 70.0])
        same(grads.b, [0.0, 0.0])
        (xs, ret), upstream = seen[-1]
        assert isinstance(xs, Container)
        assert ret["n"] == upstream["n"] == 3

    def test_tuples_of_one(self, on_each: ModuleType) -> None:
        """As the function's result, and as the rule's result."""
        bound = unify.bind_custom_gradient_function(
            lambda x: (x * x,), lambda given, upstream: (upstream[0] * 5.0,)
        )
        same(unify.grad(lambda x: bound(x)[0])(on_each.asarray(3.0)), 5.0)

    def test_an_array_twice(self, on_each: ModuleType) -> None:
        """B33: repeated inputs."""
        bound = unify.bind_custom_gradient_function(
            lambda xs: xs[0] * xs[1], lambda given, upstream: [upstream * 3, upstream * 4]
        )
        same(unify.grad(lambda x: bound([x, x]))(on_each.asarray(3.0)), 7.0)

    def test_nested(self, on_each: ModuleType) -> None:
        x = np.asarray([50.0, 5.0])

        def func(x: Any) -> Any:
            return unify.sum(self.bound(x) ** 2)

        given = on_each.asarray(x)
        same(unify.grad(func)(given), slope(x))
        same(unify.hessian(func)(given), np.diag(second(x)))
        same(unify.vmap(unify.grad(func))(given), slope(x))
        same(unify.grad(lambda x: unify.sum(unify.vmap(func)(x)))(given), slope(x))
        same(unify.vjp(lambda x: self.bound(x), given)[1](given)[0], x * (1 - 10 / (1 + x)))
        same(unify.jvp(self.bound, given, given)[1], x * (1 - 10 / (1 + x)))
        outer = unify.bind_custom_gradient_function(
            lambda x: self.bound(x), lambda given, up: up * unify.grad(func)(given[0])
        )
        same(unify.grad(lambda x: unify.sum(outer(x)))(given), slope(x))

    def test_written_to(self, on_each: ModuleType) -> None:
        def func(x: Any) -> Any:
            x *= 2
            return x + 0

        def of(given: Any, upstream: Any) -> Any:
            xs, _ = given
            xs += 1
            upstream *= 2
            return upstream * xs

        x = on_each.asarray([1.0, 2.0])
        bound = unify.bind_custom_gradient_function(func, of)
        same(unify.grad(lambda x: unify.sum(bound(x)))(x), [4.0, 6.0])
        assert x.tolist() == [1.0, 2.0]

    def test_integers_beside(self, on_each: ModuleType) -> None:
        bound = unify.bind_custom_gradient_function(
            lambda xs: unify.take(xs[0], xs[1]), lambda given, up: [2 * given[0][0], None]
        )
        i = on_each.asarray([1, 1])
        same(
            unify.grad(lambda x: unify.sum(bound([x, i])))(on_each.asarray([3.0, 4.0])), [6.0, 8.0]
        )

    def test_without_derivatives(self, xp: ModuleType) -> None:
        same(self.bound(xp.asarray(50.0)), 50.0)
        assert unify.bind_custom_gradient_function(lambda x: x * 2, rule)(3.0) == 6.0

    def test_other_shapes_are_refused(self, on_each: ModuleType) -> None:
        bound = unify.bind_custom_gradient_function(lambda x: x * 1, lambda g, up: up[0])
        with pytest.raises(UnifyValueError, match=r"custom_grad_fn.*shape"):
            unify.grad(lambda x: unify.sum(bound(x)))(on_each.ones(2))


WITH_AUX = unify.grad(lambda x: (unify.sum(x * x), 3 * x), has_aux=True)
COMPILED: dict[str, Callable[[Any], Any]] = {
    "has_aux": lambda x: unify.multiply(*WITH_AUX(x)),
    "grad": unify.grad(lambda x: unify.sum(unify.sin(x) ** 2)),
    "hessian": unify.hessian(lambda x: unify.sum(unify.sin(x) ** 2)),
    "vmap": unify.vmap(lambda x: unify.sin(x) ** 2),
    "jvp": lambda x: unify.jvp(unify.sin, x, x)[1],
    "vjp": lambda x: unify.vjp(unify.sin, x)[1](x)[0],
    "custom rule": TestBindCustomGradientFunction.bound,
    "grad of a custom rule": unify.grad(
        lambda x: unify.sum(TestBindCustomGradientFunction.bound(x))
    ),
    "checkpoint": unify.grad(unify.checkpoint(lambda x: unify.sum(unify.sin(x)))),
    "execute": lambda x: unify.execute_with_gradients(lambda xs: unify.sum(xs[0] * xs[1]), [x, x])[
        1
    ][0],
}


@pytest.mark.slow_on("torch")
@pytest.mark.sample(3)
@pytest.mark.parametrize("name", COMPILED)
@pytest.mark.parametrize("backend", DIFFERENTIATING)
def test_compiled(backend: str, name: str) -> None:
    """B39: compiled code computes the same."""
    xp, function = unify.get_backend(backend), COMPILED[name]
    native = xp.asarray([0.5, 1.25, 2.5]).data

    def on_native(native: Any) -> Any:
        return unify.to_native(function(unify.Array(native)))

    if backend == "torch":
        import torch

        torch._dynamo.reset()
        found = torch.compile(on_native, backend="eager")(native)
    else:
        found = COMPILERS[backend](on_native, native)
    np.testing.assert_allclose(np.asarray(found), np.asarray(on_native(native)), rtol=1e-13)
