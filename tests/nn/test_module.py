"""`Module`: variables, functional calls, modes, shared weights, and errors."""

from __future__ import annotations

import copy
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.installed import DIFFERENTIATING, INSTALLED
from tests.nn.networks import Nested, Network, Tied, make_key

every = pytest.mark.parametrize("backend", INSTALLED)
differentiating = pytest.mark.parametrize("backend", DIFFERENTIATING)


def numbers(backend: str, *shape: int) -> Any:
    values = np.random.default_rng(7).normal(size=shape)
    return unify.get_backend(backend).asarray(values)


@every
class TestNetwork:
    @pytest.mark.parametrize("first", [True, False])
    def test_layers_before_and_after_super(self, backend: str, first: bool) -> None:
        """B27: modules."""
        net = Network(make_key(backend), first)
        y = net(numbers(backend, 3))
        assert y.shape == (3,)
        assert y.backend == backend
        assert isinstance(net.v, unify.Container)
        assert {k: x.shape for k, x in net.v.leaf_items()} == {
            "_layer/w": (3, 3),
            "_layer/b": (3,),
        }

    def test_computes_what_numpy_does(self, backend: str) -> None:
        net = Network(make_key(backend))
        net.v._layer.b = numbers(backend, 3)
        x = numbers(backend, 2, 3)
        w, b = (np.asarray(net.v["_layer/" + n]) for n in "wb")
        np.testing.assert_allclose(np.asarray(net(x)), np.asarray(x) @ w.T + b, rtol=1e-14)

    def test_functional_call_takes_others_and_changes_nothing(self, backend: str) -> None:
        net = Network(make_key(backend))
        before = net.v.copy()
        params = {"_layer": {"w": numbers(backend, 3, 3), "b": numbers(backend, 3)}}
        x = numbers(backend, 3)
        w, b = (np.asarray(params["_layer"][n]) for n in "wb")
        for given in (params, unify.Container(params)):
            y = np.asarray(net(x, v=given))
            np.testing.assert_allclose(y, w @ np.asarray(x) + b, rtol=1e-14)
        assert net.v.identical(before)
        assert np.array_equal(np.asarray(net(x)), np.asarray(net(x, v=before)))

    def test_native_variables(self, backend: str) -> None:
        net = Network(make_key(backend))
        params = net.v.map(lambda array, _: array.data)
        y, z = net(numbers(backend, 3).data, v=params), net(numbers(backend, 3))
        # Matrix products in other layouts are summed in another order on some processors.
        np.testing.assert_allclose(np.asarray(y), np.asarray(z), rtol=1e-14)

    def test_same_numbers_from_the_same_key(self, backend: str) -> None:
        ours, theirs = (Nested(make_key(b, 5)).eval() for b in (backend, "numpy"))
        for (name, x), (other, y) in zip(ours.v.leaf_items(), theirs.v.leaf_items(), strict=True):
            assert name == other
            np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=1e-15)
        y, z = ours(numbers(backend, 2, 3)), theirs(numbers("numpy", 2, 3))
        np.testing.assert_allclose(np.asarray(y), np.asarray(z), rtol=1e-13)


class TestVariables:
    def test_names_of_nested_layers(self) -> None:
        net = Nested(make_key("numpy"))
        assert list(net.v.key_chains()) == [
            "gain", "blocks/0/w", "blocks/0/b", "blocks/1/inner/scale", "blocks/1/inner/offset",
            "heads/a/w", "heads/a/b",
        ]  # fmt: skip
        assert list(net.buffers.key_chains()) == [
            "blocks/1/inner/running_mean", "blocks/1/inner/running_var", "dropout/key",
        ]  # fmt: skip
        assert list(net.modules()) == [
            "", "blocks/0", "blocks/1/inner", "heads/a", "dropout",
        ]  # fmt: skip

    def test_writes_go_through(self) -> None:
        net = Network(make_key("numpy"))
        net.v._layer.w = unify.eye(3)
        net.v["_layer/b"] = unify.ones(3)
        assert net(unify.zeros(3)).tolist() == [1.0, 1.0, 1.0]
        assert net._layer.v.w.tolist() == unify.eye(3).tolist()

    def test_setting_all(self) -> None:
        net = Network(make_key("numpy"))
        net.v = net.v * 0
        net.v += 1
        assert net(unify.ones(3)).tolist() == [4.0] * 3
        assert type(net.v * 0) is unify.Container

    @pytest.mark.parametrize(
        ("params", "told"),
        [
            ({"_layer": {"w": np.zeros((3, 3))}}, r"lacks \['_layer/b'\]"),
            ({"layer": {}}, r"lacks \['_layer/w', '_layer/b'\] and has \['layer'\]"),
            ({"_layer": {}, "a": {"b": 1, "c": {"d": 2}}}, r"has \['a/b', 'a/c/d'\], which"),
            ({"_layer": {"w": np.zeros((3, 3)), "b": 1.0}}, r"'v/_layer/b' is 1.0"),
            ({"_layer": 1}, r"'v/_layer' is 1"),
        ],
    )
    def test_names_that_do_not_fit(self, params: Any, told: str) -> None:
        net = Network(make_key("numpy"))
        before = net.v.copy()
        with pytest.raises((UnifyValueError, UnifyTypeError), match=told):
            net(unify.zeros(3), v=params)
        with pytest.raises((UnifyValueError, UnifyTypeError), match=told):
            net.v = params
        assert net.v.identical(before)

    def test_a_wrong_shape_changes_nothing(self) -> None:
        net = Network(make_key("numpy"))
        before = net.v.copy()
        with pytest.raises(UnifyValueError, match=r"shape \(4,\) at '_layer/b' where \(3,\)"):
            net.v = {"_layer": {"w": unify.zeros((3, 3)), "b": unify.zeros(4)}}
        with pytest.raises(UnifyValueError, match=r"shape \(4,\)"):
            net.v._layer.b = unify.zeros(4)
        assert net.v.identical(before)

    def test_all_that_does_not_fit_is_told_at_once(self) -> None:
        net = Nested(make_key("numpy"))
        params = net.v.to_dict()
        params["heads"]["b"] = {f"w{place}": unify.ones(2) for place in range(12)}
        params["heads"]["a"] = {name: unify.ones(9) for name in ("w", "b")}
        del params["blocks"]["1"]
        with pytest.raises(UnifyValueError) as caught:
            net.v = params
        told = str(caught.value)
        assert "lacks ['blocks/1/inner/scale', 'blocks/1/inner/offset'] and has [" in told
        assert all(f"'heads/b/w{place}'" in told for place in range(12))
        assert "has shape (9,) at 'heads/a/w' where (2, 4) is wanted" in told
        assert "has shape (9,) at 'heads/a/b' where (2,) is wanted; pass" in told

    def test_unknown_names_and_deletion(self) -> None:
        net = Network(make_key("numpy"))
        with pytest.raises(UnifyValueError, match="'nope' is no name of a variable"):
            net.v._layer.nope = unify.zeros(3)
        with pytest.raises(UnifyTypeError, match="can't be deleted"):
            del net.v["_layer/w"]
        with pytest.raises(UnifyTypeError, match="can't be deleted"):
            del net.v._layer

    def test_names_that_are_taken(self) -> None:
        net = Network(make_key("numpy"))
        with pytest.raises(UnifyValueError, match="'_layer'"):
            net.v._layer = unify.zeros(3)
        with pytest.raises(UnifyTypeError, match="'train' is a method"):
            net.train = 3
        net.v.own = unify.zeros(3)
        with pytest.raises(UnifyValueError, match="'own'"):
            net.buffers.own = unify.zeros(3)

    def test_one_array_for_two_variables_stays_two(self) -> None:
        net = unify.Sequential(unify.Linear(2, 2), unify.Linear(2, 2))
        w, b = unify.zeros((2, 2)), unify.zeros(2)
        net.v = {"0": {"w": w, "b": b}, "1": {"w": w, "b": b}}
        net.v["0/w"] += 1
        assert list(net.v.key_chains()) == ["0/w", "0/b", "1/w", "1/b"]
        assert net.v["1/w"].tolist() == [[0.0, 0.0], [0.0, 0.0]]

    def test_copies_have_variables_of_their_own(self) -> None:
        net = Tied(make_key("numpy"))
        for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
            assert other.v.identical(net.v)
            other.v.table.w = unify.zeros((5, 3))
            assert other(unify.asarray([1])).tolist() == [[0.0] * 5]
            assert float(unify.sum(unify.abs(net.v.table.w))) > 0


class TestShared:
    def test_is_one_variable(self) -> None:
        net = Tied(make_key("numpy"))
        assert list(net.v.key_chains()) == ["table/w"]
        net.v.table.w = unify.ones((5, 3))
        assert net.out.v.w.tolist() == net.again.v.w.tolist() == [[1.0] * 3] * 5
        assert net(unify.asarray([0])).tolist() == [[6.0] * 5]
        doubled = net(unify.asarray([0]), v=net.v * 2)
        assert doubled.tolist() == [[24.0] * 5]

    @pytest.mark.slow_on("jax")
    @differentiating
    def test_training_keeps_it_one(self, backend: str) -> None:
        """Compared with the gradient of PyTorch's tied layers, after three steps."""
        torch = pytest.importorskip("torch")
        net, indices = Tied(make_key(backend)), [0, 1, 1, 4]
        table = torch.nn.Parameter(torch.from_numpy(np.array(net.v.table.w)))
        given = unify.get_backend(backend).asarray(indices)
        step = unify.value_and_grad(lambda v: unify.sum(net(given, v=v) ** 2))
        for _ in range(3):
            _, grads = step(net.v)
            net.v = unify.gradient_descent_update(net.v, grads, 1e-3)
            y = torch.nn.functional.linear(2 * table[indices], table)
            (slope,) = torch.autograd.grad((y**2).sum(), table)
            with torch.no_grad():
                table -= 1e-3 * slope
        np.testing.assert_allclose(np.asarray(net.out.v.w), table.detach().numpy(), rtol=1e-12)


class TestModes:
    def test_train_and_eval_reach_all_layers(self) -> None:
        net = Nested(make_key("numpy"))
        assert net.training
        assert net.eval() is net
        assert not any(module.training for module in net.modules().values())
        assert all(module.training for module in net.train().modules().values())

    def test_what_eval_computes_changes_nothing(self) -> None:
        net = Nested(make_key("numpy")).eval()
        before, x = net.buffers.copy(), numbers("numpy", 4, 3)
        assert net(x).tolist() == net(x).tolist()
        assert net.buffers.identical(before)

    def test_training_renews_buffers(self) -> None:
        net = Nested(make_key("numpy"))
        before, x = net.buffers.copy(), numbers("numpy", 4, 3)
        assert net(x).tolist() != net(x).tolist()
        for name in before.key_chains():
            assert net.buffers[name].tolist() != before[name].tolist()


class TestMoves:
    @every
    def test_to_backend(self, backend: str) -> None:
        net, x = Nested(make_key("numpy")).eval(), numbers("numpy", 4, 3)
        expected, given = np.asarray(net(x)), unify.to_backend(x, backend)
        assert net.to_backend(backend) is net
        arrays = [*net.v.leaves(), *net.buffers.leaves()]
        assert {array.backend for array in arrays} == {backend}
        np.testing.assert_allclose(np.asarray(net(given)), expected, rtol=1e-13)

    @every
    def test_has_memory_of_its_own(self, backend: str) -> None:
        net = Network(make_key("numpy"))
        w = net.v._layer.w
        net.to_backend(backend)
        before = np.array(net.v._layer.w)
        if backend != "numpy":  # the same backend keeps its array
            w[...] = 0.0
        assert np.array_equal(np.asarray(net.v._layer.w), before)
        assert before.any()

    @every
    def test_to_device(self, backend: str) -> None:
        net = Nested(make_key(backend)).to_device("cpu")
        assert {str(x.device) for x in (*net.v.leaves(), *net.buffers.leaves())} == {"cpu"}

    def test_an_unknown_place_changes_nothing(self) -> None:
        net = Network(make_key("numpy"))
        with pytest.raises(UnifyValueError):
            net.to_device("mars:0")
        with pytest.raises(UnifyValueError, match="mars"):
            net.to_backend("mars")
        assert net.v._layer.w.backend == "numpy"


@differentiating
class TestTransformed:
    @pytest.mark.slow_on("jax")
    def test_derivative_is_pytorchs(self, backend: str) -> None:
        torch = pytest.importorskip("torch")
        net, x = Network(make_key(backend)), numbers(backend, 4, 3)
        value, grads = unify.value_and_grad(lambda v: unify.sum(unify.tanh(net(x, v=v))))(net.v)
        theirs = torch.nn.Linear(3, 3, dtype=torch.float64)
        with torch.no_grad():
            theirs.weight.copy_(torch.from_numpy(np.array(net.v._layer.w)))
            theirs.bias.copy_(torch.from_numpy(np.array(net.v._layer.b)))
        expected = theirs(torch.from_numpy(np.array(x))).tanh().sum()
        expected.backward()
        assert float(value) == pytest.approx(expected.item(), rel=1e-14)
        np.testing.assert_allclose(grads._layer.w, theirs.weight.grad, rtol=1e-12)
        np.testing.assert_allclose(grads._layer.b, theirs.bias.grad, rtol=1e-12)
        assert type(grads) is unify.Container

    @pytest.mark.slow
    def test_compiled_with_buffers(self, backend: str) -> None:
        """A compiled step gives the state that the untraced one leaves in the Module."""
        net, x = Nested(make_key(backend)), numbers(backend, 4, 3)
        v, buffers = net.v.copy(), net.buffers.copy()
        compiled = COMPILERS[backend](lambda v, buffers, x: net.stateless_call(v, buffers, x))
        y, renewed = compiled(v, buffers, x)
        assert net.buffers.identical(buffers)
        np.testing.assert_allclose(np.asarray(y), np.asarray(net(x)), rtol=1e-12)
        for name, array in net.buffers.leaf_items():
            np.testing.assert_allclose(np.asarray(renewed[name]), np.asarray(array), rtol=1e-12)

    def test_rows_by_vmap(self, backend: str) -> None:
        net, x = Network(make_key(backend)), numbers(backend, 4, 3)
        rows = unify.vmap(lambda row: net(row))(x)
        np.testing.assert_allclose(np.asarray(rows), np.asarray(net(x)), rtol=1e-13)


@pytest.mark.parametrize("backend", [b for b in ("tensorflow", "jax") if b in INSTALLED])
class TestTraced:
    @pytest.mark.slow
    def test_no_value_no_buffer(self, backend: str) -> None:
        net, x = Nested(make_key(backend)), numbers(backend, 4, 3)
        before = net.buffers.copy()
        with pytest.raises(Exception, match=r"stateless_call"):
            COMPILERS[backend](lambda x: net(x))(x)
        assert net.buffers.identical(before)

    def test_no_value_no_variable(self, backend: str) -> None:
        net, x = Network(make_key(backend)), numbers(backend, 3)

        def set_it(x: Any) -> Any:
            net.v._layer.b = x
            return x

        with pytest.raises(Exception, match="can't keep an array that is being traced"):
            COMPILERS[backend](set_it)(x)


def _jit(function: Any) -> Any:
    import jax

    return jax.jit(function)


def _tf_function(function: Any) -> Any:
    import tensorflow as tf

    return tf.function(function)


def _torch_compile(function: Any) -> Any:
    import torch

    return torch.compile(function, fullgraph=True, backend="eager")


COMPILERS = {"jax": _jit, "tensorflow": _tf_function, "torch": _torch_compile}


class TestForward:
    def test_a_module_without_one(self) -> None:
        class Empty(unify.Module):
            pass

        with pytest.raises(NotImplementedError, match="Empty has no _forward"):
            Empty()(1)

    def test_what_users_raise_passes(self) -> None:
        """B52: errors of users' code."""

        class Failing(unify.Module):
            def _forward(self) -> None:
                raise LookupError("mine")

        net = Failing()
        with pytest.raises(LookupError, match="mine"):
            net(v={})
        assert net.v.identical(unify.Container())

    def test_an_error_ends_the_functional_call(self) -> None:
        net = Network(make_key("numpy"))
        with pytest.raises(UnifyValueError):
            net(unify.zeros(4), v=net.v * 0)
        assert net(unify.ones(3)).tolist() != [0.0] * 3


class TestThreads:
    def test_each_has_functional_calls_of_its_own(self) -> None:
        net, x = Network(make_key("numpy")), unify.ones(3)
        met = threading.Barrier(4)

        class Meeting(unify.Module):
            def __init__(self) -> None:
                self.net = net

            def _forward(self, x: Any) -> Any:
                met.wait(10)  # all are inside of a call now
                return self.net(x)

        both = Meeting()

        def compute(factor: float) -> list[float]:
            found: list[float] = both(x, v=both.v * factor).tolist()
            return found

        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(compute, (0.0, 1.0, 2.0, 4.0)))
        once = np.asarray(net(x))
        np.testing.assert_allclose(found, [0 * once, once, 2 * once, 4 * once], rtol=1e-14)


class TestText:
    def test_shapes_and_counts(self) -> None:
        assert repr(Tied(make_key("numpy"))) == (
            "Tied: 15 numbers in 1 variable\n"
            "  table: Embedding(5, 3)  w float64 (5, 3)\n"
            "  out: Linear(3, 5, bias=False)  w float64 (5, 3) (shared)\n"
            "  again: the same Embedding as above"
        )
        shown = repr(Nested(make_key("numpy"))).splitlines()
        assert shown[0] == "Nested: 36 numbers in 7 variables,  gain float64 (2,)"
        assert shown[1] == "  blocks/0: Linear(3, 4)  w float64 (4, 3), b float64 (4,)"
        assert shown[-1] == "  dropout: Dropout(0.5)  (key uint32 (2,))"
