"""Optimizers compared with PyTorch's, and their state in files and compiled steps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Container, optimizers
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.installed import DIFFERENTIATING, INSTALLED
from tests.nn.test_module import COMPILERS

START = np.asarray([[0.5, -1.5, 2.0], [0.25, 3.0, -0.125]])
SAME = {
    "sgd": (lambda: optimizers.SGD(0.1), lambda t, p: t.SGD(p, lr=0.1)),
    "momentum": (
        lambda: optimizers.SGD(0.1, momentum=0.8, nesterov=True),
        lambda t, p: t.SGD(p, lr=0.1, momentum=0.8, nesterov=True),
    ),
    "adam": (
        lambda: optimizers.Adam(0.1, beta1=0.8, beta2=0.95, epsilon=1e-6),
        lambda t, p: t.Adam(p, lr=0.1, betas=(0.8, 0.95), eps=1e-6),
    ),
    "adamw": (
        lambda: optimizers.AdamW(0.1, weight_decay=0.3),
        lambda t, p: t.AdamW(p, lr=0.1, weight_decay=0.3),
    ),
}  # fmt: skip


def slope(w: Any) -> Any:
    return 0.3 * w**3 - w


def lamb(w: Any, count: int, lr: float, decay: float) -> Any:
    """Algorithm 2 of arXiv:1904.00962 in NumPy."""
    m = v = np.zeros_like(w)
    for step in range(1, count + 1):
        g = slope(w)
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        r = m / (1 - 0.9**step) / (np.sqrt(v / (1 - 0.999**step)) + 1e-6) + decay * w
        w = w - lr * min(np.linalg.norm(w) / np.linalg.norm(r), 10.0) * r
    return w


@pytest.mark.parametrize("backend", INSTALLED)
class TestSteps:
    @pytest.mark.parametrize("name", SAME)
    def test_are_pytorchs(self, backend: str, name: str) -> None:
        torch = pytest.importorskip("torch")
        make, other = SAME[name]
        ours = make()
        w = torch.tensor(START, requires_grad=True)
        theirs = other(torch.optim, [w])
        v = Container(a={"w": unify.get_backend(backend).asarray(START)})
        for _ in range(6):
            w.grad = slope(w.detach())
            theirs.step()
            v = ours.step(v, slope(v))
            np.testing.assert_allclose(np.asarray(v.a.w), w.detach().numpy(), rtol=1e-12)
        assert int(ours.state["step"]) == 6

    def test_lamb(self, backend: str) -> None:
        v, ours = unify.get_backend(backend).asarray(START), optimizers.Lamb(0.1, weight_decay=0.2)
        for _ in range(4):
            v = ours.step(v, slope(v))
        np.testing.assert_allclose(np.asarray(v), lamb(START, 4, 0.1, 0.2), rtol=1e-12)

    @pytest.mark.parametrize("name", SAME)
    def test_continue_from_a_file(self, backend: str, name: str, tmp_path: Path) -> None:
        first, other = SAME[name][0](), SAME[name][0]()
        v = Container(w=unify.get_backend(backend).asarray(START))
        for _ in range(2):
            v = first.step(v, slope(v))
        first.state.save(tmp_path / "state")
        other.state = Container.load(tmp_path / "state")
        assert other.step(v, slope(v)).identical(first.step(v, slope(v)))

    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    def test_keep_the_data_type(self, backend: str, dtype: str) -> None:
        for make in (*(pair[0] for pair in SAME.values()), lambda: optimizers.Lamb(0.1)):
            optimizer = make()
            v = optimizer.step(w := unify.get_backend(backend).ones(3, dtype=dtype), w)
            kept = [x for k, x in optimizer.state.leaf_items() if k != "step"]
            assert {str(x.dtype) for x in (v, *kept)} == {dtype}

    def test_reset_and_another_rate(self, backend: str) -> None:
        adam, w = optimizers.Adam(0.1), unify.get_backend(backend).asarray(START)
        first = adam.step(w, w)
        adam.step(w, w)
        adam.reset()
        assert bool(unify.all(adam.step(w, w) == first))
        adam.reset()
        adam.lr = 0.2
        np.testing.assert_allclose(w - adam.step(w, w), 2 * np.asarray(w - first), rtol=1e-12)


@pytest.mark.parametrize("backend", DIFFERENTIATING)
@pytest.mark.parametrize("make", [optimizers.Adam, lambda: optimizers.SGD(0.1, momentum=0.5)])
def test_compiled_steps(backend: str, make: Callable[[], Any]) -> None:
    optimizer, v = make(), Container(w=unify.get_backend(backend).asarray(START))
    step, state, w = optimizer.stateless_step, optimizer.init(v), v
    if backend != "torch":  # its compiler breaks the graph at functions of nests
        step = COMPILERS[backend](step)
    for _ in range(3):
        w, state = step(w, slope(w), state)
        v = optimizer.step(v, slope(v))
    np.testing.assert_allclose(np.asarray(w.w), np.asarray(v.w), rtol=1e-13)
    assert int(state["step"]) == int(optimizer.state["step"]) == 3


class TestRefused:
    def test_what_is_no_number(self) -> None:
        with pytest.raises(UnifyTypeError, match="SGD: argument 'lr' is 'fast'"):
            optimizers.SGD("fast")  # type: ignore[arg-type]  # the tested error
        with pytest.raises(UnifyValueError, match="Adam: argument 'beta2' is 1"):
            optimizers.Adam(beta2=1)

    def test_nothing_to_step(self) -> None:
        with pytest.raises(UnifyTypeError, match=r"Adam\.init: argument 'v' holds no arrays"):
            optimizers.Adam().step(Container(), Container())

    def test_other_names(self) -> None:
        with pytest.raises(UnifyValueError, match="dcdw"):
            optimizers.SGD().step(Container(a=unify.ones(1)), Container(b=unify.ones(1)))

    def test_a_state_without_values(self) -> None:
        jax = pytest.importorskip("jax")
        adam, w = optimizers.Adam(), unify.get_backend("jax").ones(2)
        with pytest.raises(UnifyTypeError, match=r"Adam\.step: can't keep a state that is being"):
            jax.jit(adam.step)(w, w)
        assert len(adam.state) == 0


def test_shows_its_options() -> None:
    shown = "unify.nn.optimizers.SGD(lr=0.1, momentum=0.5, nesterov=False)"
    assert repr(optimizers.SGD(0.1, momentum=0.5)) == shown


@pytest.mark.parametrize("backend", INSTALLED)
class TestComplex:
    """A complex number is two numbers for PyTorch's optimizers, each with its own square."""

    @pytest.mark.slow_on("jax", "tensorflow")
    @pytest.mark.parametrize("name", SAME)
    def test_are_pytorchs(self, backend: str, name: str) -> None:
        torch = pytest.importorskip("torch")
        make, other = SAME[name]
        ours = make()
        start = START[0] + 1j * START[1]
        w = torch.tensor(start, requires_grad=True)
        theirs = other(torch.optim, [w])
        z = unify.get_backend(backend).asarray(start)
        for _ in range(20):
            z = ours.step(z, 2 * (z - (1 + 3j)))
            theirs.zero_grad()
            (w - (1 + 3j)).abs().pow(2).sum().backward()
            theirs.step()
        np.testing.assert_allclose(np.asarray(z), w.detach().numpy(), rtol=1e-12)

    @pytest.mark.slow_on("jax", "tensorflow", "dask")
    def test_lamb_arrives(self, backend: str) -> None:
        ours, z = optimizers.Lamb(0.05), unify.get_backend(backend).asarray([0.5 + 0.2j])
        for _ in range(200):
            z = ours.step(z, 2 * (z - (1 + 3j)))
        np.testing.assert_allclose(np.asarray(z), [1 + 3j], rtol=1e-3)


@pytest.mark.parametrize("backend", INSTALLED)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
class TestReducedPrecision:
    @pytest.mark.slow_on("jax", "tensorflow")
    @pytest.mark.parametrize("gradient", [0.0, 1e-3, 1e-6, 300.0])
    @pytest.mark.parametrize("make", [optimizers.Adam, optimizers.AdamW, optimizers.Lamb])
    def test_steps_are_those_of_float32(
        self, backend: str, dtype: str, gradient: float, make: Any
    ) -> None:
        """Squares leave the range of float16 below 1e-4 and above 256."""
        xp = unify.get_backend(backend)
        ours, wide = make(0.25), make(0.25)
        w, x = (xp.asarray([1.0], dtype=t) for t in (dtype, "float32"))
        g = xp.asarray([gradient], dtype=dtype)
        w, x = ours.step(w, g), wide.step(x, g.astype("float32"))
        assert str(w.dtype) == dtype
        assert abs(float(w[0]) - float(x[0])) <= 2.0**-8
        moments = [value for name, value in ours.state.items() if name != "step"]
        assert [str(m.dtype) for m in moments] == ["float32", "float32"]

    def test_norms(self, backend: str, dtype: str) -> None:
        x = unify.get_backend(backend).asarray([6e4, 8e4 if dtype == "bfloat16" else 6e4])
        norm = float(unify.linalg.vector_norm(x))
        clipped = unify.clip_by_global_norm([x.astype(dtype)], 1.0)[0]
        assert str(clipped.dtype) == dtype
        np.testing.assert_allclose(clipped.astype("float64").tolist(), (x / norm).tolist(), 1e-2)


class TestAccumulateState:
    def test_the_rate_is_the_optimizers(self) -> None:
        inner = optimizers.SGD(0.5)
        twice = optimizers.Accumulate(inner, 2)
        twice.lr = 0.0
        w = unify.asarray([4.0])
        for gradient in (1.0, 3.0):
            w = twice.step(w, unify.asarray([gradient]))
        assert (w.tolist(), inner.lr, twice.lr) == ([4.0], 0.0, 0.0)

    @pytest.mark.parametrize("wrong", [np.inf, np.nan])
    def test_a_group_forgets_the_one_before(self, wrong: float) -> None:
        twice, w = optimizers.Accumulate(optimizers.SGD(0.5), 2), unify.asarray([4.0])
        for gradient in (wrong, 1.0):
            twice.step(w, unify.asarray([gradient]))
        for gradient in (1.0, 3.0):
            w = twice.step(w, unify.asarray([gradient]))
        assert w.tolist() == [3.0]
