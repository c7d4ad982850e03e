"""B29: compiled functions that compute derivatives.

PyTorch's compiler runs a derivative in Python. From the second call on such a function is traced
while it runs, so each test makes several calls, with other values each time.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import backends
from tests.installed import DIFFERENTIATING

pytestmark = pytest.mark.usefixtures("broken")  # the first call is compiled in pieces

FACTORS = (1.0, 2.0, -3.0, 0.5)


def values(x: Any) -> Any:
    return np.asarray(x)


def _cubes(v: Any, x: Any) -> Any:
    return unify.sum(v["w"] ** 3 * x)


def _step(v: Any, x: Any) -> Any:
    value, grads = unify.value_and_grad(_cubes)(v, x)
    return value, unify.Container({"w": v["w"] - 0.5 * grads["w"]})


def _compared(compiled: Callable[..., Any], xp: ModuleType, x: Any = (1.0, 4.0, -2.0)) -> None:
    x = np.asarray(x)
    for factor in FACTORS:
        w = np.linspace(1.0, 2.0, x.size).reshape(x.shape) * factor
        value, v = compiled(unify.Container(w=xp.asarray(w)), xp.asarray(x))
        np.testing.assert_allclose(values(value), np.sum(w**3 * x), rtol=1e-13)
        np.testing.assert_allclose(values(v.w), w - 1.5 * w**2 * x, rtol=1e-13)
        assert type(v) is unify.Container


def test_a_step(compiling: ModuleType) -> None:
    _compared(unify.compile(_step), compiling)


@pytest.mark.slow_on("torch")
def test_other_shapes(compiling: ModuleType) -> None:
    compiled = unify.compile(_step)
    for shape in ((3,), (2, 2), (), (3,)):
        _compared(compiled, compiling, np.full(shape, 3.0))


def test_more_shapes_than_are_traced(
    compiling: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arrayapi_unify.compilation._autodiff._SHAPES", 1)
    compiled = unify.compile(_step)
    for size in (1, 2, 3):
        _compared(compiled, compiling, np.full(size, 3.0))


@pytest.mark.slow_on("torch")
def test_python_runs_while_it_is_traced(compiling: ModuleType) -> None:
    """Python code runs during the first call only, which may trace repeatedly."""
    ran: list[int] = []

    def step(v: Any, x: Any) -> Any:
        ran.append(1)
        return _step(v, x)

    compiled = unify.compile(step)
    _compared(compiled, compiling)
    before = len(ran)
    _compared(compiled, compiling)
    assert len(ran) == before <= 3


@pytest.mark.slow_on("torch")
def test_derivatives_that_are_not_finite_are_zero(compiling: ModuleType) -> None:
    """B35: undefined derivatives."""
    slope = unify.compile(unify.grad(lambda x: unify.sum(unify.sqrt(x))))
    for x in ([0.0, 4.0], [1.0, 0.0], [0.0, 0.0], [4.0, 1.0]):
        wanted = [0.5 / np.sqrt(e) if e else 0.0 for e in x]
        np.testing.assert_allclose(values(slope(compiling.asarray(x))), wanted, rtol=1e-14)


@pytest.mark.slow_on("torch")
def test_what_is_written_reaches_the_caller(compiling: ModuleType) -> None:
    def function(x: Any) -> Any:
        slope = unify.grad(lambda y: unify.sum(y * y * y))(x)
        x[0] = slope[1]
        return slope

    compiled = unify.compile(function)
    for factor in FACTORS:
        x = compiling.asarray([1.0, factor])
        np.testing.assert_allclose(values(compiled(x)), [3.0, 3 * factor**2], rtol=1e-14)
        np.testing.assert_allclose(values(x), [3 * factor**2, factor], rtol=1e-14)


@pytest.mark.slow_on("torch")
def test_derivative_of_it(compiling: ModuleType) -> None:
    """A traced program is differentiable, too."""
    slope = unify.compile(lambda x: unify.sum(unify.grad(lambda y: unify.sum(y * y * y))(x)))
    x = compiling.asarray([1.0, 2.0])
    for _ in range(3):
        np.testing.assert_allclose(values(slope(x)), 15.0, rtol=1e-14)
        np.testing.assert_allclose(values(unify.grad(slope)(x)), [6.0, 12.0], rtol=1e-14)
    rows = compiling.asarray([[1.0, 2.0], [3.0, 1.0]])
    np.testing.assert_allclose(values(unify.vmap(slope)(rows)), [15.0, 30.0], rtol=1e-14)


def test_second_derivatives_of_it(compiling: ModuleType) -> None:
    """Derivatives that PyTorch's compiler generates have none, and gave zeros."""
    xp = compiling
    x, number = np.asarray([1.0, 2.0]), xp.asarray(2.0)
    both = xp.asarray(x)
    for cos in (unify.compile(unify.cos), unify.compiled_namespace(xp).cos):
        found = [
            (unify.grad(unify.grad(cos))(number), -np.cos(2.0)),
            (unify.grad(lambda y, cos=cos: unify.grad(cos)(y) * 3)(number), -3 * np.cos(2.0)),
            (unify.grad(unify.grad(unify.checkpoint(cos)))(number), -np.cos(2.0)),
            (
                unify.hessian(lambda x, cos=cos: unify.sum(cos(x)))(xp.asarray(x)),
                np.diag(-np.cos(x)),
            ),
            (unify.vmap(unify.grad(unify.grad(cos)))(both), -np.cos(x)),
            (unify.jvp(cos, (both,), (both,))[1], -x * np.sin(x)),
        ]
        for one, wanted in found:
            np.testing.assert_allclose(values(one), wanted, rtol=1e-14)


X = np.asarray([[2.0, 1.0], [0.5, 3.0]])
INVERSE = np.linalg.inv(X)
# Functions of a degree, and by Euler's theorem the gradient of the sum of x times the gradient.
HOMOGENEOUS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "prod": (unify.prod, 4 * np.prod(X) / X),
    "cumulative_prod": (
        lambda x: unify.sum(unify.cumulative_prod(unify.reshape(x, (-1,)))),
        (np.cumsum((np.arange(1, 5) * np.cumprod(X))[::-1])[::-1] / X.ravel()).reshape(2, 2),
    ),
    "pinv": (
        lambda x: unify.sum(unify.linalg.pinv(x)),
        np.outer(INVERSE.sum(axis=0), INVERSE.sum(axis=1)),
    ),
    "det": (unify.linalg.det, 2 * np.linalg.det(X) * INVERSE.T),
}


@pytest.mark.parametrize("name", HOMOGENEOUS)
def test_second_derivatives_of_rules(compiling: ModuleType, name: str) -> None:
    """Rules that call functions with rules: TensorFlow lost their tensors in the second graph."""
    function, wanted = HOMOGENEOUS[name]
    compiled = unify.compile(function)
    found = unify.grad(lambda x: unify.sum(unify.grad(compiled)(x) * x))(compiling.asarray(X))
    np.testing.assert_allclose(values(found), wanted, rtol=1e-12)


@pytest.mark.parametrize("backend", [name for name in DIFFERENTIATING if name == "torch"])
class TestWhatPyTorchCannotTraceSo:
    """It keeps the program of the first call, and the results remain right."""

    def test_arrays_from_elsewhere(self, backend: str) -> None:
        """They would be part of the program; a write to them is detected."""
        xp = unify.get_backend(backend)
        factor = xp.asarray([2.0])
        slope = unify.compile(unify.grad(lambda x: unify.sum(x * x * factor)))
        for number in FACTORS:
            factor[0] = number
            found = slope(xp.asarray([1.0, 3.0]))
            np.testing.assert_allclose(values(found), [2 * number, 6 * number], rtol=1e-14)

    @pytest.mark.slow_on("torch")
    def test_random_numbers_without_a_key(self, backend: str) -> None:
        """A trace would make them constants."""
        xp = unify.get_backend(backend)
        x = xp.asarray([1.0, 2.0])

        def noisy(y: Any) -> Any:
            noise = unify.random.random_normal(shape=(2,))
            return unify.sum(y * unify.to_backend(noise, backend))

        slope = unify.compile(unify.grad(noisy))
        unify.random.seed(3)
        found = [values(slope(x)).tolist() for _ in range(4)]
        unify.random.seed(3)
        assert found == [values(unify.grad(noisy)(x)).tolist() for _ in range(4)]

    def test_values_that_python_looks_at(self, backend: str) -> None:
        xp = unify.get_backend(backend)

        def bent(y: Any) -> Any:
            return unify.sum(y * y) if y[0] > 0 else unify.sum(y)

        slope = unify.compile(unify.grad(bent))
        for number in (1.0, -1.0, 2.0, -2.0):
            wanted = [2 * number, 8.0] if number > 0 else [1.0, 1.0]
            np.testing.assert_allclose(values(slope(xp.asarray([number, 4.0]))), wanted)

    def test_what_a_module_remembers(self, backend: str) -> None:
        """No tensor without values remains in it: it stores the same as uncompiled."""
        xp = unify.get_backend(backend)
        with unify.use_backend(backend):
            nets = [unify.BatchNorm(2), unify.BatchNorm(2)]

        def made(net: Any) -> Any:
            return unify.value_and_grad(lambda v, x: unify.sum(net(x, v=v) ** 2))

        steps = unify.compile(made(nets[0])), made(nets[1])
        for factor in FACTORS:
            x = xp.asarray([[1.0, 2.0], [3.0, 5.0]]) * factor
            for net, step in zip(nets, steps, strict=True):
                step(net.v.copy(), x)
            for ours, wanted in zip(*(net.buffers.values() for net in nets), strict=True):
                np.testing.assert_allclose(values(ours), values(wanted), rtol=1e-14)


class TestThreads:
    def test_only_the_thread_that_traces_takes_arrays_for_traced(self) -> None:
        """PyTorch's own flag is global to the process."""
        compilation = importlib.import_module("arrayapi_unify.backends.torch._compilation")
        backend = backends.load("torch")
        with compilation._compiling():
            with ThreadPoolExecutor(1) as pool:
                assert not pool.submit(lambda: bool(backend.is_compiling())).result()
            assert backend.is_compiling()
        assert not backend.is_compiling()


def test_a_data_type_as_an_argument_breaks_no_graph() -> None:
    """In float16 the data types of the arguments are looked at, also of `dtype=`."""
    pytest.importorskip("torch")
    xp: Any = unify.compiled_namespace("torch", backend="eager", fullgraph=True)
    x = unify.get_backend("torch").asarray([1.0, 2.0], dtype=unify.float16)
    assert xp.cumsum(x, dtype=unify.float16).tolist() == [1.0, 3.0]
