"""A look keeps the values of small arrays on its way: loops of looks take linear time."""

from __future__ import annotations

import gc
import pickle
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, ClassVar

import dask
import numpy as np
import pytest
from dask.callbacks import Callback

import arrayapi_unify as unify
from arrayapi_unify.backends.dask import _kept
from arrayapi_unify.binding import namespace_of
from tests.conftest import Logged

# Loggers that are made after a test has begun aren't heard.
distributed = pytest.importorskip("distributed")

STEPS = 12


@contextmanager
def counted() -> Iterator[list[Any]]:
    """Yield the tasks that are run in a block."""
    tasks: list[Any] = []
    with Callback(pretask=lambda key, *_: tasks.append(key)):
        yield tasks


def _root(xp: ModuleType, x: Any) -> Any:
    return x - (x * x - 2.0) / (2.0 * x)


def _in_place(xp: ModuleType, x: Any) -> Any:
    x -= (x * x - 2.0) / (2.0 * x)
    return x


def _written(xp: ModuleType, x: Any) -> Any:
    x[1:] = x[1:] - (x[1:] ** 2 - 2.0) / (2.0 * x[1:])
    return x


def _through_a_view(xp: ModuleType, x: Any) -> Any:
    view = x[::-1]
    view[...] = view - (view * view - 2.0) / (2.0 * view)
    return x


def _of_unknown_size(xp: ModuleType, x: Any) -> Any:
    x = _root(xp, x)
    x = x[x > 0.0]
    assert len(x) == 9
    return x


def _by_a_body(xp: ModuleType, x: Any) -> Any:
    return unify.softplus(_root(xp, x))


def _of_a_tuple(xp: ModuleType, x: Any) -> Any:
    return xp.broadcast_arrays(_root(xp, x), xp.ones(1))[0]


Step = Callable[[ModuleType, Any], Any]
STEPS_OF_LOOPS = [
    _root, _in_place, _written, _through_a_view, _of_unknown_size, _by_a_body, _of_a_tuple,
]  # fmt: skip


@pytest.mark.parametrize("step", STEPS_OF_LOOPS)
def test_a_later_step_runs_no_more_tasks_than_an_early_one(chunked: ModuleType, step: Step) -> None:
    xp, numpy = chunked, namespace_of("numpy")
    x, wanted = xp.linspace(1.0, 9.0, 9), numpy.linspace(1.0, 9.0, 9)
    runs = []
    for _ in range(STEPS):
        with counted() as tasks:
            x = step(xp, x)
            assert bool(xp.all(x > 0.0))
        wanted = step(numpy, wanted)
        runs.append(len(tasks))
    assert max(runs[2:]) == min(runs[2:]) <= runs[1], runs
    assert x.tolist() == wanted.tolist()


def test_arrays_beside_the_way_begin_with_what_was_on_it(chunked: ModuleType) -> None:
    """A state that its successor has replaced is on the way of a look, and nobody has it."""
    xp, numpy = chunked, namespace_of("numpy")
    runs, layers, found = [], [], []
    for namespace in (xp, numpy):
        x = namespace.linspace(0.0, 8.0, 9)
        state = namespace.zeros(9)
        for step in range(STEPS):
            old, state = state, state * 0.5
            changed = (old == 0.0) & (x < float(step))
            state = namespace.where(changed, x + 1.0, state)
            del old
            with counted() as tasks:
                assert bool(namespace.any(changed)) is (0 < step < 10)
            if namespace is xp:
                runs.append(len(tasks))
                layers.append(len(state.data.dask.layers))
        found.append(state.tolist())
    assert max(runs[3:]) <= runs[2], runs
    assert max(layers[3:]) <= layers[2], layers
    assert found[0] == found[1]


class _Store:
    """A thousand numbers, and the sizes of the parts that were read."""

    shape, dtype, ndim = (1000,), np.dtype(np.float64), 1
    sizes: ClassVar[list[int]] = []

    def __getitem__(self, key: Any) -> Any:
        found = np.arange(1000.0)[key]
        self.sizes.append(found.size)
        return found


class TestLongGraphs:
    def _long(self, x: Any) -> Any:
        """Return a function of x with two layers a step: each step uses an early one, too."""
        parts = [x]
        for i in range(_kept.LONG * 4):
            parts.append(parts[-1] * 0.5 + parts[i // 2])
        return parts[-1]

    @pytest.mark.slow
    def test_give_values(self, xp: ModuleType) -> None:
        """Dask fuses them to one task, whose calls are nested too deeply for Python."""
        x = xp.asarray([0.5, 0.25])
        long = self._long(x)
        assert len(long.data.dask.layers) > _kept.LONG
        assert long.tolist() == self._long(np.asarray([0.5, 0.25])).tolist()

    @pytest.mark.parametrize("inline", [False, True])
    def test_read_no_more_of_a_store(self, xp: ModuleType, inline: bool) -> None:
        import dask.array as da

        _Store.sizes.clear()
        native = da.from_array(_Store(), chunks=1000, inline_array=inline)
        x = unify.Array(native)[3:5]
        for _ in range(_kept.LONG):
            x = x + 0.0
        assert x.tolist() == [3.0, 4.0]
        assert max(_Store.sizes) == 2


class TestKept:
    def test_a_value_is_computed_once(self, chunked: ModuleType) -> None:
        xp = chunked
        x = xp.exp(xp.linspace(0.0, 1.0, 9))
        y = x + 1.0
        assert bool(xp.all(y > 1.0))
        with counted() as tasks:
            found = unify.compute(x, y)
        assert not [key for key in tasks if "exp" in str(key)]
        wanted = np.exp(np.linspace(0.0, 1.0, 9))
        assert [part.tolist() for part in found] == [wanted.tolist(), (wanted + 1.0).tolist()]

    def test_large_ones_stay_graphs(self, xp: ModuleType) -> None:
        size = _kept.MOST_BYTES // 8
        small, large = xp.ones(size) + 1.0, xp.ones(size + 1) + 1.0
        layers = large.data.dask
        assert float(xp.sum(small)) + float(xp.sum(large)) == 2.0 * (2 * size + 1)
        assert len(small.data.dask.layers) == 1
        assert large.data.dask is layers

    def test_a_write_to_what_was_computed_changes_nothing(self, chunked: ModuleType) -> None:
        for n in (3, 9):  # one block, and several ones
            x = chunked.ones(n) + 1.0
            found = unify.compute(x)
            found[...] = 0.0
            assert x.tolist() == [2.0] * n

    def test_a_write_changes_one_array_alone(self, chunked: ModuleType) -> None:
        x = chunked.ones(9) + 1.0
        y = chunked.asarray(x, copy=True)
        assert bool(chunked.all(x == y))
        x[0] = 7.0
        assert (x.tolist(), y.tolist()) == ([7.0] + [2.0] * 8, [2.0] * 9)

    def test_graphs_from_before_and_after_fit_together(self, chunked: ModuleType) -> None:
        xp = chunked
        x = xp.linspace(0.0, 1.0, 9) * 3.0
        before = xp.cumulative_sum(x)
        assert bool(xp.any(x > 1.0))
        wanted = np.linspace(0.0, 1.0, 9) * 3.0
        together = before[::-1] + x
        np.testing.assert_allclose(together.tolist(), np.cumsum(wanted)[::-1] + wanted, rtol=1e-15)

    def test_pickles(self, chunked: ModuleType) -> None:
        x = chunked.linspace(0.0, 1.0, 9) * 3.0
        assert bool(chunked.any(x > 1.0))
        assert pickle.loads(pickle.dumps(x)).tolist() == (np.linspace(0.0, 1.0, 9) * 3.0).tolist()

    def test_a_long_graph_behind_a_look_is_cut_where_values_are_known(self, xp: ModuleType) -> None:
        x = xp.linspace(0.0, 1.0, 9)
        middle = xp.sin(xp.exp(x))
        behind = xp.cos(middle) + xp.exp(x)
        look = middle * 2.0
        del middle
        assert bool(xp.any(look > 1.0))
        names = {name.partition("-")[0] for name in behind.data.dask.layers}
        assert names == {"add", "cos", "sin", "exp"}
        assert [name for name, parts in behind.data.dask.dependencies.items() if not parts] == [
            name for name in behind.data.dask.layers if name.startswith(("sin", "exp"))
        ]
        with counted() as tasks:
            values = unify.compute(behind)
        assert not [key for key in tasks if str(key[0]).startswith(("sin", "exp"))]
        plain = np.linspace(0.0, 1.0, 9)
        np.testing.assert_allclose(
            values, np.cos(np.sin(np.exp(plain))) + np.exp(plain), rtol=1e-15
        )

    def test_a_mask_does_not_travel_with_what_it_selected(self, xp: ModuleType) -> None:
        x = xp.asarray(np.arange(10_000.0)) + 0.5
        part = x[x < 3.0]
        behind = part + 1.0
        assert part.shape == (3,)
        assert bool(xp.all(part > 0.0))
        assert len(pickle.dumps(behind.data)) < 10_000
        assert pickle.loads(pickle.dumps(behind.data)).compute().tolist() == [1.5, 2.5, 3.5]

    def test_nothing_is_kept_alive(self, chunked: ModuleType) -> None:
        x = chunked.linspace(0.0, 1.0, 9) * 3.0
        reference = weakref.ref(x.data)
        assert bool(chunked.any(x > 1.0))
        del x
        gc.collect()
        assert reference() is None

    def test_without_dimensions_and_elements(self, chunked: ModuleType) -> None:
        xp = chunked
        scalar, empty = xp.asarray(2.0) * 3.0, xp.ones((0, 3)) + 1.0
        assert float(scalar + xp.sum(empty)) == 6.0
        assert (float(scalar), empty.tolist(), empty.shape) == (6.0, [], (0, 3))

    def test_sizes_of_blocks(self, chunked: ModuleType) -> None:
        values = np.arange(60.0).reshape(6, 10) % 7
        x = chunked.asarray(values)[chunked.asarray(values[:, 0] > 2.0)]
        wanted = values[values[:, 0] > 2.0]
        assert x.shape == wanted.shape
        assert tuple(map(sum, x.data.chunks)) == wanted.shape
        assert x.tolist() == wanted.tolist()

    def test_threads_look_at_once(self, chunked: ModuleType) -> None:
        xp, errors = chunked, []
        x = xp.linspace(1.0, 9.0, 9)
        for _ in range(5):
            x = _root(xp, x)

        def look() -> None:
            try:
                for i in range(10):
                    y = x + float(i)
                    assert bool(xp.all(y > float(i)))
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=look) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_cluster_never_has_two_graphs_of_one_name(chunked: ModuleType, logged: Logged) -> None:
    """Its scheduler warns of that; the persisted blocks are known by the graph of before."""
    options = {"n_workers": 1, "threads_per_worker": 2, "dashboard_address": None}
    with (
        distributed.LocalCluster(processes=False, **options) as cluster,
        distributed.Client(cluster) as client,
        dask.config.set({"optimization.fuse.active": False}),  # each name is a task then
    ):
        x, held = chunked.linspace(1.0, 9.0, 9), []
        for _ in range(4):
            x = _root(chunked, x)
            held += [client.persist(x), client.compute(x)]
            assert bool(chunked.all(x > 0.0))
        assert x.tolist() == held[-2].tolist() == held[-1].result().tolist()
    assert [message for message in logged.messages if "run_spec" in message] == []


@pytest.mark.parametrize("scheduler", ["synchronous", "threads"])
def test_each_scheduler_of_one_process_keeps(chunked: ModuleType, scheduler: str) -> None:
    with dask.config.set(scheduler=scheduler):
        x = _root(chunked, chunked.linspace(1.0, 9.0, 9))
        assert bool(chunked.all(x > 0.0))
        assert len(x.data.dask.layers) == 1
        wanted = [(n + 2.0 / n) / 2.0 for n in range(1, 10)]
        np.testing.assert_allclose(x.tolist(), wanted, rtol=1e-15)
