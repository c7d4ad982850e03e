"""B29: `compiled_namespace`, with every function compiled."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.errors import UnifyAxisError, UnifyValueError
from tests.compilation.conftest import Recorder
from tests.installed import DIFFERENTIATING

VALUES = [3.0, 1.0, 2.0, 2.0]
# Calls, and NumPy's results.
CALLS: list[tuple[Any, Any]] = [
    (lambda xp, x: xp.sum(x, axis=0), lambda x: x.sum()),
    (lambda xp, x: xp.add(x, 1.0), lambda x: x + 1),
    (lambda xp, x: xp.concat([x, x]), lambda x: np.concatenate([x, x])),
    (lambda xp, x: xp.astype(x, xp.int8), lambda x: x.astype(np.int8)),
    (lambda xp, x: xp.unstack(x)[1], lambda x: x[1]),
    (lambda xp, x: xp.linalg.vector_norm(x), lambda x: np.linalg.norm(x)),
    (lambda xp, x: xp.fft.rfft(x), lambda x: np.fft.rfft(x)),
    (lambda xp, x: xp.zeros(2), lambda x: np.zeros(2)),
    (lambda xp, x: xp.asarray(x, dtype=xp.float32), lambda x: x.astype(np.float32)),
    (lambda xp, x: xp.get_item(x, slice(1, None)), lambda x: x[1:]),
    (lambda xp, x: xp.get_item(x, xp.greater(x, 1.5)), lambda x: x[x > 1.5]),
    (lambda xp, x: xp.repeat(x, 2), lambda x: np.repeat(x, 2)),
    (lambda xp, x: xp.repeat(x, xp.asarray([0, 1, 2, 0])), lambda x: np.repeat(x, [0, 1, 2, 0])),
    (lambda xp, x: xp.unique_values(x), lambda x: np.unique(x)),
    (lambda xp, x: xp.nonzero(x)[0], lambda x: np.nonzero(x)[0]),
    (lambda xp, x: xp.bincount(xp.astype(x, xp.int64)), lambda x: np.bincount(x.astype(int))),
]


@pytest.fixture(params=DIFFERENTIATING)
def compiled(request: pytest.FixtureRequest, quick: None) -> Iterator[ModuleType]:
    """A new namespace for this test, without programs of other tests."""
    made = importlib.import_module("arrayapi_unify.compilation._namespace")._made
    before = dict(made)
    made.clear()
    yield unify.compiled_namespace(request.param)
    made.clear()
    made.update(before)


class TestCalls:
    """Compiled functions give the results of the eager ones."""

    @pytest.mark.parametrize("call", CALLS)
    def test_equals_numpy(self, compiled: ModuleType, call: Any) -> None:
        """B29: compile."""
        function, wanted = call
        for _ in range(2):
            found = np.asarray(function(compiled, compiled.asarray(VALUES)))
            np.testing.assert_allclose(found, wanted(np.array(VALUES)), rtol=1e-12, atol=1e-14)

    def test_writes(self, compiled: ModuleType) -> None:
        x, out = compiled.asarray(VALUES), compiled.zeros(4)
        compiled.set_item(x, 1, 7.0)
        assert x.tolist() == [3.0, 7.0, 2.0, 2.0]
        compiled.add(x, x, out=out)
        assert out.tolist() == [6.0, 14.0, 4.0, 4.0]

    @pytest.mark.slow
    def test_is_compiled(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The library's compiler gets a function of arrays, and isn't called without arrays."""
        jax = pytest.importorskip("jax")
        seen: list[tuple[int, ...]] = []
        jit = jax.jit

        def spy(function: Any, **options: Any) -> Any:
            def traced(*natives: Any) -> Any:
                seen.append(tuple(x.ndim for x in natives))
                assert all(isinstance(x, jax.core.Tracer) for x in natives)
                return function(*natives)

            return jit(traced, **options)

        module = importlib.import_module("arrayapi_unify.backends.jax._compilation")
        # The backend's files call jax.jit at import, so all are imported before the spy.
        _ = importlib.import_module("arrayapi_unify.backends.jax").sum
        monkeypatch.setattr(module.jax, "jit", spy)
        xp = unify.compiled_namespace("jax", inline=True)  # an option, so a separate namespace
        x = xp.asarray(VALUES)
        assert not seen
        for axis in (0, 0, None):
            xp.sum(x, axis=axis)
        xp.multiply(x, 2.0)
        assert seen == [(1,), (1,), (1,)]
        xp.unique_values(x)
        assert seen == [(1,)] * 3


class TestNamespace:
    """It is an ordinary namespace."""

    def test_has_what_the_eager_one_has(self, compiled: ModuleType) -> None:
        backend = compiled.__unify_backend__
        eager = unify.get_backend(backend)
        assert set(dir(compiled)) == {*dir(eager), "data_dependent"}
        assert compiled.__array_api_version__ == eager.__array_api_version__
        assert compiled.float32 is unify.float32
        assert compiled.pi == eager.pi
        assert compiled.sum.__doc__ == eager.sum.__doc__
        with pytest.raises(AttributeError, match="nope"):
            _ = compiled.nope

    def test_is_the_same_each_time(self, compiled: ModuleType) -> None:
        backend = compiled.__unify_backend__
        assert unify.compiled_namespace(unify.get_backend(backend)) is compiled
        assert unify.compiled_namespace(backend, dynamic=True) is not compiled
        assert compiled.sum is compiled.sum

    def test_lists_shapes_that_depend_on_values(self, compiled: ModuleType) -> None:
        """The contracts declare them, and so does `kinds()`."""
        wanted = {
            "argwhere", "bincount", "delete", "flatnonzero", "get_item", "insert", "intersect1d",
            "nonzero", "repeat", "set_item", "setdiff1d", "union1d", "unique", "unique_all",
            "unique_counts", "unique_inverse", "unique_values",
        }  # fmt: skip
        assert set(compiled.data_dependent) == wanted
        assert {n for n, r in unify.kinds().items() if "data_dependent" in r.flags} == wanted
        assert compiled.data_dependent["repeat"] == "an array of counts"

    def test_numpy_has_graphs(self, graphs: Recorder) -> None:
        xp = unify.compiled_namespace("numpy")
        assert xp.sum(xp.asarray(VALUES)).tolist() == 8.0
        assert [shape for ((_, shape),) in graphs.traced] == [(4,)]

    def test_mistakes(self, compiled: ModuleType) -> None:
        with pytest.raises(TypeError, match="x2"):
            compiled.add(compiled.asarray(VALUES))
        with pytest.raises(UnifyValueError, match="compiled_namespace: argument 'backend'"):
            unify.compiled_namespace("nope")

    def test_axes_out_of_bounds(self, compiled: ModuleType) -> None:
        """A compiler that traces the call doesn't trace the error of NumPy."""
        x = compiled.asarray(VALUES)
        for call in (
            lambda: compiled.sum(x, axis=(5,)),
            lambda: compiled.expand_dims(x, axis=(3,)),
            lambda: compiled.cumulative_sum(x, axis=7),
        ):
            with pytest.raises(UnifyAxisError, match="out of bounds"):
                call()


class TestDraws:
    """Random draws aren't frozen into a compiled program."""

    def test_draws_differ(self, compiled: ModuleType) -> None:
        x = compiled.asarray(VALUES)
        with_state = compiled.random.shuffle
        unify.random.seed(0)
        found = {tuple(with_state(x).tolist()) for _ in range(20)}
        unify.random.seed(0)
        assert len(found) > 1

    @pytest.mark.slow_on("torch")
    def test_draws_with_keys_are_the_eager_ones(self, compiled: ModuleType) -> None:
        eager = unify.get_backend(compiled.__unify_backend__)
        key = eager.random.key(3)
        found = compiled.random.permutation(key, compiled.asarray(VALUES))
        assert found.tolist() == eager.random.permutation(key, eager.asarray(VALUES)).tolist()


def test_every_function_that_gives_arrays_is_compiled() -> None:
    """Except for functions with a state, without array arguments or results, and of memory."""
    pytest.importorskip("jax")
    xp, eager = unify.compiled_namespace("jax"), unify.get_backend("jax")
    same = {
        name
        for name, contract in CONTRACTS.items()
        if "." not in name and contract.kind != "standalone"
        if getattr(xp, name) is getattr(eager, name)
    }
    assert same == {
        "__array_namespace_info__", "as_native_dtype", "atleast_1d", "atleast_2d", "atleast_3d",
        "default_device", "from_dlpack", "iscomplexobj", "ndim", "num_gpus", "requires_gradient",
        "set_default_device", "shape", "size", "to_list", "to_numpy", "to_scalar",
        "total_mem_on_dev", "used_mem_on_dev",
    }  # fmt: skip
