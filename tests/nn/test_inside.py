"""A Module inside another library's module trains there like its own modules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from tests.nn.networks import make_key
from tests.numbers import generator

RNG = generator(9)
X, Y = RNG.normal(size=(8, 3)), RNG.normal(size=(8, 2))
STEPS, RATE = 5, 0.1


def make(backend: str) -> Any:
    return unify.Sequential(
        unify.Linear(3, 4, key=make_key(backend)), unify.tanh,
        unify.Linear(4, 2, key=make_key(backend, 1)),
    )  # fmt: skip


def by_numpy() -> Any:
    """The weights after the steps of gradient descent, by their formulas."""
    v = {name: np.array(x) for name, x in make("numpy").v.leaf_items()}
    for _ in range(STEPS):
        hidden = np.tanh(X @ v["0/w"].T + v["0/b"])
        slope = 2 * (hidden @ v["2/w"].T + v["2/b"] - Y) / Y.size
        back = (slope @ v["2/w"]) * (1 - hidden**2)
        grads = {
            "0/w": back.T @ X,
            "0/b": back.sum(0),
            "2/w": slope.T @ hidden,
            "2/b": slope.sum(0),
        }
        v = {name: v[name] - RATE * grads[name] for name in v}
    return v


def check(found: dict[str, Any]) -> None:
    wanted = by_numpy()
    assert found.keys() == wanted.keys()
    for name, values in wanted.items():
        np.testing.assert_allclose(np.asarray(found[name]), values, rtol=1e-11, atol=1e-14)


class TestTorch:
    def test_in_a_module_of_pytorch(self) -> None:
        torch = pytest.importorskip("torch")

        class Theirs(torch.nn.Module):  # type: ignore[misc, name-defined]  # known when it runs
            def __init__(self) -> None:
                super().__init__()
                self.ours = make("torch")
                self.params = torch.nn.ParameterDict(
                    {k.replace("/", "_"): x.data for k, x in self.ours.v.leaf_items()}
                )

            def forward(self, x: Any) -> Any:
                v = {k.replace("_", "/"): x for k, x in self.params.items()}
                return unify.to_native(self.ours(x, v=unify.Container(v)))

        self.train(torch, net := Theirs())
        check({k.replace("_", "/"): x.detach() for k, x in net.params.items()})

    def test_as_a_module_of_pytorch(self) -> None:
        torch = pytest.importorskip("torch")

        class Ours(unify.Module):
            def __init__(self) -> None:
                self.net = make("torch")

            def _forward(self, x: Any) -> Any:
                return self.net(x)

        self.train(torch, net := torch.nn.Sequential(Ours().to_torch()))
        check({k[6:].replace(".", "/"): x.detach() for k, x in net.named_parameters()})

    def train(self, torch: Any, net: Any) -> None:
        optimizer = torch.optim.SGD(net.parameters(), lr=RATE)
        for _ in range(STEPS):
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(net(torch.from_numpy(X)), torch.from_numpy(Y))
            loss.backward()
            optimizer.step()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Keras and what it imports
class TestKeras:
    def test_in_a_layer_of_keras(self) -> None:
        pytest.importorskip("torch")  # before TensorFlow, if both are installed
        keras = pytest.importorskip("keras")

        class Theirs(keras.layers.Layer):  # type: ignore[misc, name-defined]  # known when it runs
            def __init__(self) -> None:
                super().__init__(dtype="float64")
                self.ours = make("tensorflow")
                self.places = {
                    name: self.add_weight(
                        shape=x.shape, dtype="float64", name=name.replace("/", "_"),
                        initializer=lambda *_, x=x, **__: x.data,
                    )
                    for name, x in self.ours.v.leaf_items()
                }  # fmt: skip

            def call(self, x: Any) -> Any:
                v = {name: weight.value for name, weight in self.places.items()}
                return unify.to_native(self.ours(x, v=unify.Container(v)))

        layer = Theirs()
        model = keras.Sequential([layer])
        model.compile(keras.optimizers.SGD(RATE), "mse")
        model.fit(X, Y, batch_size=len(X), epochs=STEPS, verbose=0, shuffle=False)
        found = {name: weight.numpy() for name, weight in layer.places.items()}
        wanted = by_numpy()
        for name, values in wanted.items():
            # Keras hands data out in float32.
            np.testing.assert_allclose(found[name], values, rtol=1e-4, atol=1e-6)


@pytest.mark.slow
class TestJax:
    @pytest.mark.slow
    @pytest.mark.parametrize("nested", [True, False])
    def test_in_a_function_of_jax(self, nested: bool) -> None:
        """Parameters are plain dicts of JAX arrays, as in Flax, or a Container."""
        jax = pytest.importorskip("jax")
        net = make("jax")
        params = net.v.copy()
        if nested:
            params = params.map(lambda x, _: x.data).to_dict()

        def loss(params: Any, x: Any, y: Any) -> Any:
            return jax.numpy.mean((unify.to_native(net(x, v=params)) - y) ** 2)

        @jax.jit
        def step(params: Any, x: Any, y: Any) -> Any:
            grads = jax.grad(loss)(params, x, y)
            return jax.tree.map(lambda p, g: p - RATE * g, params, grads)

        for _ in range(STEPS):
            params = step(params, jax.numpy.asarray(X), jax.numpy.asarray(Y))
        check(unify.Container(params).flatten())

    def test_as_a_field_of_a_tree(self) -> None:
        """As in Equinox: the tree holds the parameters, and the computation is static."""
        jax = pytest.importorskip("jax")
        net = make("jax")

        @jax.tree_util.register_pytree_node_class
        class Theirs:
            def __init__(self, v: Any) -> None:
                self.v = v

            def __call__(self, x: Any) -> Any:
                return unify.to_native(net(x, v=self.v))

            def tree_flatten(self) -> Any:
                return (self.v,), None

            @classmethod
            def tree_unflatten(cls, _: Any, parts: Any) -> Any:
                return cls(*parts)

        @jax.jit
        @jax.grad
        def slope(model: Any) -> Any:
            return jax.numpy.mean((model(jax.numpy.asarray(X)) - jax.numpy.asarray(Y)) ** 2)

        model = Theirs(net.v.copy())
        for _ in range(STEPS):
            model = jax.tree.map(lambda p, g: p - RATE * g, model, slope(model))
        check(model.v.flatten())
