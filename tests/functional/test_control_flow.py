"""Loops and branches compared with Python's own: eager, traced, and differentiated."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.differential.tracing import COMPILERS
from tests.functional.differentiating import DIFFERENTIATING, on_each as on_each
from tests.numbers import generator

GENERATOR = generator(31)
X = GENERATOR.normal(size=(5, 3))


@pytest.fixture(params=[False, True], ids=["eager", "traced"])
def call(request: pytest.FixtureRequest, on_each: ModuleType) -> Callable[..., Any]:
    """Call a function of Arrays eagerly, or compiled by the framework."""
    name = on_each.__unify_backend__

    def called(function: Callable[..., Any], *arrays: Any) -> Any:
        if not request.param:
            return function(*map(on_each.asarray, arrays))

        def natives(*given: Any) -> Any:
            return [x.data for x in function(*map(on_each.asarray, given))]

        given = [on_each.asarray(a).data for a in arrays]
        return [unify.asarray(x) for x in COMPILERS[name](natives)(*given)]

    def slope(function: Callable[..., Any], x: Any) -> Any:
        # torch.compile follows no derivative while it traces; its compiled functions have
        # derivatives.
        if not request.param or name != "torch":
            return called(lambda x: [unify.grad(function)(x)], x)[0]
        compiled = COMPILERS[name](lambda x: function(on_each.asarray(x)).data)
        return unify.grad(lambda x: on_each.asarray(compiled(x.data)))(on_each.asarray(x))

    vars(called).update(slope=slope)
    return called


def step(carry: Any, x: Any) -> tuple[Any, Any]:
    total = unify.tanh(carry["total"] * 0.5 + x)
    return {"total": total, "count": carry["count"] + 1}, (total * 2.0, x)


def by_numpy(xs: Any, reverse: bool = False) -> tuple[Any, Any]:
    total, kept = np.zeros(3), []
    for x in xs[::-1] if reverse else xs:
        total = np.tanh(total * 0.5 + x)
        kept.append(total * 2)
    return total, np.stack(kept[::-1] if reverse else kept)


class TestScan:
    @pytest.mark.parametrize("reverse", [False, True])
    def test_as_a_loop(self, xp: ModuleType, reverse: bool) -> None:
        init = {"total": xp.zeros(3), "count": 0}
        carry, (kept, rows) = xp.scan(step, init, xp.asarray(X), reverse=reverse)
        total, expected = by_numpy(X, reverse)
        np.testing.assert_allclose(np.asarray(carry["total"]), total, rtol=1e-14)
        np.testing.assert_allclose(np.asarray(kept), expected, rtol=1e-14)
        np.testing.assert_array_equal(np.asarray(rows), X)
        assert carry["count"].tolist() == 5
        assert carry["count"].dtype is unify.int64

    @pytest.mark.slow_on("torch")
    @pytest.mark.parametrize("reverse", [False, True])
    def test_traced(self, call: Any, reverse: bool) -> None:
        def function(xs: Any) -> Any:
            init = {"total": unify.zeros_like(xs[0, ...]), "count": unify.sum(xs) * 0.0}
            carry, (kept, _) = unify.scan(step, init, xs, reverse=reverse)
            return carry["total"], kept, carry["count"]

        found = call(function, X)
        total, expected = by_numpy(X, reverse)
        np.testing.assert_allclose(np.asarray(found[0]), total, rtol=1e-13)
        np.testing.assert_allclose(np.asarray(found[1]), expected, rtol=1e-13)
        assert float(found[2]) == 5.0

    @pytest.mark.parametrize("name", [n for n in DIFFERENTIATING if n != "torch"])
    def test_a_traced_loop_is_not_unrolled(self, name: str) -> None:
        xp, calls = unify.get_backend(name), []

        def counted(total: Any, x: Any) -> Any:
            calls.append(x)
            return total + x, None

        def function(xs: Any) -> Any:
            return unify.scan(counted, 0.0, xp.asarray(xs))[0].data

        found = COMPILERS[name](function)(xp.arange(100.0).data)
        assert float(found) == 4950.0
        assert len(calls) <= 2

    def test_a_length_and_no_arrays(self, xp: ModuleType) -> None:
        carry, kept = xp.scan(lambda c, x: (c * 2, (c, x)), xp.asarray(1.0), None, length=4)
        assert carry.tolist() == 16.0
        assert kept[0].tolist() == [1.0, 2.0, 4.0, 8.0]
        assert kept[1] is None

    def test_no_steps(self, xp: ModuleType) -> None:
        """Without steps, the stacked outputs have the shapes that a step would give."""
        carry, kept = xp.scan(lambda c, x: (c, (x, c > 0)), xp.ones(2), xp.zeros((0, 3)))
        assert carry.tolist() == [1.0, 1.0]
        assert kept[0].shape == (0, 3)
        assert kept[1].shape == (0, 2)
        assert kept[1].dtype is unify.bool

    def test_writes_change_nothing_outside(self, xp: ModuleType) -> None:
        init, xs = xp.zeros(2), xp.asarray([[1.0, 2.0], [3.0, 4.0]])

        def writing(carry: Any, x: Any) -> Any:
            carry += x
            x[0] = 0.0
            return carry, carry

        carry, kept = xp.scan(writing, init, xs)
        assert carry.tolist() == [4.0, 6.0]
        assert kept.tolist() == [[1.0, 2.0], [4.0, 6.0]]
        assert init.tolist() == [0.0, 0.0]
        assert xs.tolist() == [[1.0, 2.0], [3.0, 4.0]]

    def test_containers_and_native_arrays(self, xp: ModuleType) -> None:
        init = unify.Container(a=xp.zeros(()).data)
        carry, kept = unify.scan(lambda c, x: (c + x, c), init, xp.arange(3.0).data)
        assert isinstance(carry, unify.Container)
        assert carry.a.tolist() == 3.0
        assert kept.a.tolist() == [0.0, 0.0, 1.0]

    @pytest.mark.slow_on("torch")
    def test_derivatives(self, call: Any) -> None:
        """Derivatives of the same loop, unrolled, and finite differences."""

        def total(xs: Any) -> Any:
            init = {"total": unify.zeros_like(xs[0, ...]), "count": unify.sum(xs) * 0.0}
            carry, (kept, _) = unify.scan(step, init, xs)
            return unify.sum(carry["total"] * carry["total"]) + unify.sum(kept)

        def plain(xs: Any) -> Any:
            last, kept = by_numpy(xs)
            return np.sum(last * last) + np.sum(kept)

        expected = np.empty_like(X)
        for place in np.ndindex(X.shape):
            move = np.zeros_like(X)
            move[place] = 1e-6
            expected[place] = (plain(X + move) - plain(X - move)) / 2e-6
        found = call.slope(total, X)
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-6, atol=1e-8)

    @pytest.mark.parametrize(
        ("returned", "words"),
        [
            (lambda c: (c, c), r"returns a tuple of \[0, 1\] where an array went in"),
            (lambda c: xp_float32(c), "returns float32 of shape"),
            (lambda c: c[:1], r"returns float64 of shape \(1,\) where float64 of shape \(2,\)"),
            (lambda c: "text", "returns a str where an array went in"),
        ],
    )
    def test_what_goes_round_stays_what_it_is(
        self, xp: ModuleType, returned: Any, words: str
    ) -> None:
        with pytest.raises(UnifyTypeError, match=f"scan: argument 'f' {words}"):
            xp.scan(lambda c, x: (returned(c), x), xp.zeros(2), xp.zeros(3))

    def test_mistakes(self, xp: ModuleType) -> None:
        with pytest.raises(
            UnifyTypeError, match=r"scan: argument 'f' returns an array; return a tuple"
        ):
            xp.scan(lambda c, x: c, xp.zeros(2), xp.zeros(3))
        with pytest.raises(UnifyValueError, match="'xs' tells 2 numbers of steps"):
            xp.scan(lambda c, x: (c, x), xp.zeros(2), (xp.zeros(3), xp.zeros(2)))
        with pytest.raises(UnifyValueError, match="'xs' tells 0 numbers of steps"):
            xp.scan(lambda c, x: (c, x), xp.zeros(2))
        with pytest.raises(UnifyValueError, match="'xs' holds an array without an axis"):
            xp.scan(lambda c, x: (c, x), xp.zeros(2), xp.zeros(()))


def xp_float32(x: Any) -> Any:
    return x.astype(unify.float32)


def collatz(state: Any) -> Any:
    n, steps = state
    return unify.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1


class TestWhileLoop:
    def test_as_a_loop(self, xp: ModuleType) -> None:
        n, steps = xp.while_loop(lambda s: s[0] > 1, collatz, (xp.asarray(27), 0))
        assert n.tolist() == 1
        assert steps.tolist() == 111

    def test_traced(self, call: Any) -> None:
        found = call(
            lambda n: list(unify.while_loop(lambda s: s[0] > 1, collatz, (n, n * 0))),
            np.asarray(27),
        )
        assert [int(x) for x in found] == [1, 111]

    def test_no_step(self, xp: ModuleType) -> None:
        start = xp.asarray([1.0, 2.0])
        found = xp.while_loop(lambda x: False, lambda x: x * 2.0, start)
        assert found.tolist() == [1.0, 2.0]
        assert found is not start

    def test_derivative_where_values_are_known(self, on_each: ModuleType) -> None:
        def function(x: Any) -> Any:
            return unify.while_loop(lambda v: v < 100.0, lambda v: v * v, x)

        assert float(unify.grad(function)(on_each.asarray(3.0))) == 8 * 3.0**7

    @pytest.mark.parametrize("test", [lambda x: x, lambda x: x.astype(unify.bool), lambda x: "no"])
    def test_a_test_that_is_no_bool(self, xp: ModuleType, test: Any) -> None:
        with pytest.raises(UnifyTypeError, match="while_loop: argument 'cond_fun' gives"):
            xp.while_loop(test, lambda x: x, xp.ones(2))

    def test_what_goes_round_stays_what_it_is(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match="while_loop: argument 'body_fun' returns float64"):
            xp.while_loop(lambda x: True, lambda x: x[:1], xp.ones(2))


class TestCond:
    @pytest.mark.slow_on("torch")
    @pytest.mark.parametrize("sign", [1.0, -1.0])
    def test_one_of_two(self, call: Any, sign: float) -> None:
        def function(x: Any) -> Any:
            return unify.cond(
                unify.sum(x) > 0,
                lambda x, y: (x, unify.sum(x) + y),
                lambda x, y: (unify.exp(x), y * 1.0),
                x, 3.0,
            )  # fmt: skip

        x = sign * np.asarray([1.0, 2.0])
        found = [np.asarray(part) for part in call(function, x)]
        expected = (x, 6.0) if sign > 0 else (np.exp(x), 3.0)
        for one, wanted in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, wanted, rtol=1e-15)

    def test_the_other_one_is_not_called(self, xp: ModuleType) -> None:
        def refuse(x: Any) -> Any:
            raise AssertionError

        assert xp.cond(True, lambda x: x, refuse, xp.ones(2)).tolist() == [1.0, 1.0]
        assert xp.cond(xp.asarray(False), refuse, lambda x: x + 1, xp.ones(2)).tolist() == [2.0] * 2

    @pytest.mark.slow_on("torch")
    @pytest.mark.parametrize("x", [4.0, -4.0])
    def test_derivative_of_the_one(self, call: Any, x: float) -> None:
        def root(x: Any) -> Any:
            return unify.cond(x > 0, unify.sqrt, lambda x: x * 3.0, x)

        found = call.slope(root, np.asarray(x))
        assert float(found) == (0.25 if x > 0 else 3.0)

    def test_of_many_rows(self, on_each: ModuleType) -> None:
        function = unify.vmap(lambda x: unify.cond(x > 0, lambda x: x, lambda x: x * -2.0, x))
        assert function(on_each.asarray([1.0, -1.0, 2.0])).tolist() == [1.0, 2.0, 2.0]

    def test_writes_reach_the_operands(self, xp: ModuleType) -> None:
        """As in a call of the function itself; so operands may share memory."""

        def write(x: Any, y: Any) -> Any:
            x[0] = 7.0
            return y * 2

        x = xp.asarray([1.0, 2.0, 3.0])
        assert unify.cond(True, write, write, x, x[::-1]).tolist() == [6.0, 4.0, 14.0]
        assert x.tolist() == [7.0, 2.0, 3.0]

    @pytest.mark.slow_on("torch")
    @pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")
    @pytest.mark.parametrize("sign", [1.0, -1.0])
    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_writes_while_traced(self, backend: str, sign: float) -> None:
        xp = unify.get_backend(backend)

        def write(x: Any) -> Any:
            x[0] = 7.0
            return x * 2

        def share(x: Any, y: Any) -> Any:
            x[0] = 7.0
            return y

        def function(x: Any) -> Any:
            ret = unify.cond(x[1] > 0, write, lambda x: x * 3, x)
            return ret, x

        x = sign * np.asarray([[1.0, 2.0], [3.0, 4.0]])
        found = [xp.asarray(part) for part in unify.vmap(function)(xp.asarray(x))]
        written = np.stack([[7.0, 7.0], x[:, 1]], axis=1)
        expected = (written * 2, written) if sign > 0 else (x * 3, x)
        for one, wanted in zip(found, expected, strict=True):
            np.testing.assert_array_equal(np.asarray(one), wanted)
        y = xp.asarray(x[0])
        ret, same = unify.compile(function)(y)
        np.testing.assert_array_equal(np.asarray(ret), expected[0][0])
        np.testing.assert_array_equal(np.asarray(same), expected[1][0])
        np.testing.assert_array_equal(np.asarray(y), expected[1][0])
        with pytest.raises(UnifyValueError, match="share memory"):
            unify.compile(lambda x: unify.cond(x[0] > 0, share, share, x, x[1:]))(y)
        add = unify.compile(lambda x: unify.cond(x[0] > 0, unify.add, unify.subtract, x, x[:]))
        branch = np.add if y[0] > 0 else np.subtract
        np.testing.assert_array_equal(np.asarray(add(y)), branch(np.asarray(y), np.asarray(y)))

    @pytest.mark.slow_on("torch")
    @pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")
    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_writes_that_no_result_shows(self, backend: str) -> None:
        xp = unify.get_backend(backend)

        def write(x: Any, y: Any) -> Any:
            x[::-1] = 3.0
            return (y > 0,)

        x, y = xp.ones(4), xp.ones(4)
        found = unify.compile(lambda x, y: unify.cond(xp.sum(x) > 0, write, write, x, y))(x, y)
        assert found[0].tolist() == [True] * 4
        assert x.tolist() == [3.0] * 4

    def test_results_that_differ_while_they_are_traced(self) -> None:
        jax, xp = pytest.importorskip("jax"), unify.get_backend("jax")

        def function(x: Any) -> Any:
            return unify.cond(xp.asarray(x) > 0, lambda: xp.zeros(2), lambda: xp.zeros(3)).data

        with pytest.raises(UnifyTypeError, match="cond: argument 'false_fun' returns float64"):
            jax.jit(function)(1.0)

    def test_a_predicate_that_is_no_bool(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match="cond: argument 'pred' gives int64"):
            xp.cond(xp.asarray(1), lambda: 1, lambda: 2)


class TestForiLoop:
    def test_as_a_loop(self, xp: ModuleType) -> None:
        found = xp.fori_loop(2, 6, lambda i, v: v * i, xp.asarray(1))
        assert found.tolist() == math.prod(range(2, 6))
        assert xp.fori_loop(3, 3, lambda i, v: v * i, xp.asarray(1)).tolist() == 1
        assert xp.fori_loop(3, 1, lambda i, v: v * i, xp.asarray(1)).tolist() == 1

    @pytest.mark.slow_on("torch")
    @pytest.mark.parametrize("known", [True, False])
    def test_bounds_that_are_traced(self, call: Any, known: bool) -> None:
        def function(x: Any, n: Any) -> Any:
            return [unify.fori_loop(0, 4 if known else n, lambda i, v: v * 2.0 + i, x)]

        found = call(function, np.asarray([1.0, 0.0]), np.asarray(4))
        assert np.asarray(found[0]).tolist() == [27.0, 11.0]

    @pytest.mark.slow_on("torch")
    def test_derivative(self, call: Any) -> None:
        def power(x: Any) -> Any:
            return unify.fori_loop(0, 3, lambda i, v: v * x, x)

        found = call.slope(power, np.asarray(2.0))
        assert float(found) == 4 * 2.0**3

    def test_what_goes_round_stays_what_it_is(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match="fori_loop: argument 'body_fun' returns"):
            xp.fori_loop(0, 3, lambda i, v: (v, v), xp.ones(2))


class TestStructure:
    """A value in the loop state that is no array stays the same."""

    @pytest.mark.parametrize("other", [0, "b", None, 1.0])
    def test_other_values_stay(self, other: Any, on_each: ModuleType) -> None:
        start = (on_each.asarray(0.0), "a")
        for loop in (
            lambda: unify.scan(lambda c, x: ((c[0] + x, other), x), start, on_each.ones(3)),
            lambda: unify.fori_loop(0, 2, lambda i, c: (c[0] + 1, other), start),
            lambda: unify.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, other), start),
        ):
            with pytest.raises(UnifyTypeError, match="where 'a' went in"):
                loop()
        found = unify.fori_loop(0, 2, lambda i, c: (c[0] + 1, "a"), start)
        assert (float(found[0]), found[1]) == (2.0, "a")

    def test_number_of_a_higher_kind(self, on_each: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match=r"returns 0.5 where an array of int64 went in"):
            unify.scan(lambda c, x: (0.5, x), on_each.asarray(0), on_each.ones(3))

    def test_what_is_kept(self, on_each: ModuleType) -> None:
        kept = iter([on_each.asarray(1.0), None])
        with pytest.raises(UnifyTypeError, match="keeps a NoneType of a step, and an array before"):
            unify.scan(lambda c, _: (c, next(kept)), on_each.asarray(0.0), None, 2)
