"""B58: what the core presumes of no backend: that arrays have values, sizes, memory, a compiler."""

from __future__ import annotations

import copy
import importlib
import operator
import pickle
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Array, backends
from arrayapi_unify.errors import (
    BackendError,
    ComputingError,
    ComputingWarning,
    UnifyTypeError,
    UnifyValueError,
)
from arrayapi_unify.functional._common import known
from arrayapi_unify.views import layouts
from arrayapi_unify.views.emulation import ensure_view
from tests import lazy_backend
from tests.installed import INSTALLED
from tests.lazy_backend import COMPUTED
from tests.registered import registered
from tests.toy.library import Grid

VALUES = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


@pytest.fixture
def xp() -> Iterator[ModuleType]:
    """The namespace of the smallest lazy backend; nothing is computed yet."""
    with lazy_backend.registered() as namespace:
        yield namespace


@pytest.fixture
def x(xp: ModuleType) -> Array:
    return xp.asarray(VALUES)


class TestNothingIsComputed:
    def test_functions_operators_views_and_writes(self, xp: ModuleType, x: Array) -> None:
        with unify.computing("refuse"):
            y = xp.sqrt(x * x) + 1
            row = y[0, :]
            row[1:] = 7.0
            y[:, 0] += 1.0
            z = unify.stack([xp.sum(y, axis=0), xp.reshape(x, (3, 2))[:, 0]])
            assert (z.shape, z.dtype, z.ndim, z.size, len(z)) == ((2, 3), unify.float64, 2, 6, 2)
        assert COMPUTED == []
        expected = np.sqrt(np.square(VALUES)) + 1
        expected[0, 1:] = 7.0
        expected[:, 0] += 1.0
        assert y.tolist() == expected.tolist()
        assert z.tolist() == [expected.sum(0).tolist(), [1.0, 3.0, 5.0]]

    def test_text(self, xp: ModuleType, x: Array) -> None:
        text = "unify.array(<lazy>, shape=(2, 3), dtype=float64, steps=1, backend='lazy')"
        container = unify.Container(a=x[0, 0])
        assert repr(x) == str(x) == f"{x}" == text
        assert "<float64 array of shape (), lazy>" in repr(container)
        assert "..." in container._repr_html_()
        assert "shape=(None,)" in repr(x[x > 2.0])
        assert COMPUTED == []

    def test_copies_and_pickles_keep_the_graph(self, x: Array) -> None:
        huge = Array(lazy_backend.constant(1.5, (10**7, 10**6)))
        stored = pickle.dumps(huge[1, :9] + 1.0)
        assert len(stored) < 1000
        assert pickle.loads(stored).tolist() == [2.5] * 9
        COMPUTED.clear()
        y = copy.deepcopy(x)
        y[0, 0] = 9.0
        z = copy.copy(y)
        assert COMPUTED == []
        assert (x[0, 0].item(), y[0, 0].item(), z[0, 0].item()) == (1.0, 9.0, 9.0)
        assert pickle.loads(pickle.dumps(y)).tolist() == y.tolist()

    def test_a_users_class_is_pickled_with_its_attributes(self, x: Array) -> None:
        named = Named(x)
        named.name = "speed"
        found = pickle.loads(pickle.dumps(named))
        assert (type(found), found.name, COMPUTED) == (Named, "speed", [])
        assert found.tolist() == VALUES

    def test_devices(self, xp: ModuleType, x: Array) -> None:
        assert x.device == "cpu"
        assert x.to_device(x.device) is x
        assert xp.zeros(3, device=x.device).device is x.device
        assert xp.asarray(x, device=x.device) is x
        assert COMPUTED == []


class Named(Array):
    """A user's class with an attribute."""

    name: str


class TestHugeArrays:
    SHAPE = (10**7, 10**6)

    def test_views_need_no_memory(self, xp: ModuleType) -> None:
        """A layout is a model: of such an array it would take nine terabytes."""
        x = Array(lazy_backend.constant(1.0, self.SHAPE))
        corner, row = x[:2, -2:].T, x[1, :]
        parts = [ensure_view(lazy_backend, one).region for one in (x, corner, row)]  # type: ignore[arg-type]  # a module
        assert [part.size for part in parts] == [10**13, 4, 10**6]
        sizes = [high - low for low, high in (part.bounds for part in parts)]
        assert sizes == [10**13, 10**6 + 2, 10**6]
        assert row[:3].tolist() == [1.0, 1.0, 1.0]

    @pytest.mark.parametrize("kind", ["f", "c"])
    @pytest.mark.parametrize("shape", [(3, 4), (2**12, 2**11), (5, 2**22), (0, 2**30), (2**23,)])
    def test_layouts_are_numpys(self, shape: tuple[int, ...], kind: str) -> None:
        like = np.empty(shape, np.complex64 if kind == "c" else np.int8)
        found = layouts.new(shape, kind)
        assert (found.shape, found.dtype, found.nbytes) == (shape, like.dtype, like.nbytes)
        assert layouts.is_plain(found)
        if like.size:
            assert found.strides == like.strides
            assert layouts.bounds(found)[1] - layouts.bounds(found)[0] == like.nbytes
            strides = tuple(step // like.itemsize for step in like.strides)
            assert layouts.new(shape, kind, strides).strides == like.strides

    def test_an_item_of_a_layout_is_recognised_unread(self) -> None:
        whole = layouts.new((2**12, 2**12), "f")
        last = whole[-1:, -1:]
        assert layouts.is_item(last, whole, (slice(-1, None), slice(-1, None)))
        assert layouts.is_item(whole[5, ..., 7], whole, (5, 7))
        assert layouts.is_item(whole[..., 7], whole, (..., 7))
        assert layouts.is_item(whole[3], whole, 3)
        assert not layouts.is_item(whole[3], whole, 4)
        assert not layouts.is_item(whole[5, ..., 7], whole, (5, 8))


class TestUnknownSizes:
    def test_refused_they_are_none(self, x: Array) -> None:
        y = x[x > 2.0]
        with unify.computing("refuse"):
            assert (y.shape, y.size, y.nbytes, y.ndim) == ((None,), None, None, 1)
            with pytest.raises(ComputingError, match=r"^len\(x\): argument 'x' is a lazy float64"):
                len(y)
            with pytest.raises(ComputingError, match=r"of shape \(unknown,\), of which the sizes"):
                list(y)
        assert COMPUTED == []

    def test_an_unknown_size_is_not_taken_for_none(self, x: Array) -> None:
        """The size is None, which isn't true: as if there were no element."""
        with unify.computing("refuse"):
            assert unify.nanargmax(x[x > 2.0]).shape == ()
            match = (
                r"^histogram: argument 'x' is a lazy .* \(unknown,\), and a size .* is needed; call"
            )
            with pytest.raises(ComputingError, match=match):
                unify.histogram(x[x > 2.0], bins=2)
            with pytest.raises(UnifyTypeError, match=r"^bitwise_and: argument 'x1' has"):
                unify.bitwise_and(x, x)
        assert unify.nanargmax(x[x > 2.0]).item() == 3
        counts, edges = unify.histogram(x[x > 2.0], bins=2)
        assert (counts.tolist(), edges.tolist()) == ([2, 2], [3.0, 4.5, 6.0])

    def test_allowed_they_are_computed_once(self, x: Array) -> None:
        y = x[x > 2.0]
        assert (y.shape, y.size, len(y), len(COMPUTED)) == ((4,), 4, 4, 1)
        assert [float(v) for v in y] == [3.0, 4.0, 5.0, 6.0]

    def test_views_and_writes(self, x: Array) -> None:
        y = x[x > 2.0]
        with unify.computing("refuse"):
            y[...] = 1.5
            z = y + 1.0
        assert z.tolist() == [2.5] * 4


LOOKS: dict[str, Callable[[Any, Any], Any]] = {
    "bool(x)": lambda xp, x: bool(xp.any(x)),
    "int(x)": lambda xp, x: int(xp.sum(x)),
    "float(x)": lambda xp, x: float(xp.sum(x)),
    "complex(x)": lambda xp, x: complex(xp.sum(x)),
    "operator.index(x)": lambda xp, x: operator.index(xp.argmax(x)),
    "item(x)": lambda xp, x: xp.sum(x).item(),
    "format(x)": lambda xp, x: f"{xp.sum(x):.2f}",
    "np.asarray(x)": lambda xp, x: np.asarray(x).tolist(),
    "__dlpack__": lambda xp, x: np.from_dlpack(x).tolist(),
    "to_list": lambda xp, x: x.tolist(),
    "to_numpy": lambda xp, x: x.to_numpy().tolist(),
    "to_scalar": lambda xp, x: unify.to_scalar(xp.sum(x)),
    "to_backend": lambda xp, x: unify.to_backend(x, "numpy").tolist(),
    "np.unwrap": lambda xp, x: np.unwrap(x).tolist(),
    "take": lambda xp, x: xp.take(x, xp.asarray([2, 0]), axis=1).tolist(),
    "get_item": lambda xp, x: x[:, xp.argmin(x) :].tolist(),
}
"""A look for each function that a message has to name."""
SUBJECTS = {"take": "indices", "get_item": "key[1].start", "__dlpack__": "self"}


class TestLooks:
    @pytest.mark.parametrize("function", LOOKS)
    def test_refused(self, xp: ModuleType, x: Array, function: str) -> None:
        with unify.computing("refuse"), pytest.raises(ComputingError) as caught:
            LOOKS[function](xp, x)
        message, subject = str(caught.value), SUBJECTS.get(function, "x")
        assert message.startswith(f"{function}: argument {subject!r} is a lazy "), message
        assert " would be computed; " in message
        assert COMPUTED == []

    @pytest.mark.parametrize("function", LOOKS)
    def test_warned_at_the_line_of_the_user(self, xp: ModuleType, x: Array, function: str) -> None:
        with unify.computing("warn"), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = LOOKS[function](xp, x)
        ours = [one for one in caught if one.category is ComputingWarning]
        assert str(ours[0].message).startswith(f"{function}: argument ")
        inside = Path(unify.__file__).parent
        assert not any(Path(one.filename).is_relative_to(inside) for one in ours)
        assert found == LOOKS[function](unify.get_backend("numpy"), unify.array(VALUES))

    def test_allowed_nothing_is_said(self, xp: ModuleType, x: Array) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert [look(xp, x) for look in LOOKS.values()]

    def test_branches_and_loops(self, xp: ModuleType, x: Array) -> None:
        calls = (
            lambda: unify.cond(xp.any(x > 9.0), lambda x: x, lambda x: -x, x),
            lambda: unify.while_loop(lambda x: xp.all(x < 9.0), lambda x: x * 2.0, x),
        )
        match = r"^(cond: argument 'pred'|while_loop: argument 'cond_fun\(...\)') is a lazy bool "
        for call in calls:
            with unify.computing("refuse"), pytest.raises(ComputingError, match=match):
                call()
        assert COMPUTED == []
        assert calls[0]().tolist() == (-np.asarray(VALUES)).tolist()
        assert calls[1]().tolist() == (2 * np.asarray(VALUES)).tolist()

    def test_a_body_names_itself_and_what_looked(self, xp: ModuleType) -> None:
        x = xp.asarray([1, 2])
        match = (
            r"^bincount\(x=int64 array of shape \(2,\)\) failed on .*: to_scalar: argument 'x' is a"
        )
        with unify.computing("refuse"), pytest.raises(ComputingError, match=match):
            unify.bincount(x)

    def test_a_value_that_would_only_save_work(self, xp: ModuleType, x: Array) -> None:
        assert known(xp.sum(x)) is None
        assert known(unify.sum(unify.array(VALUES))) == 21.0
        assert COMPUTED == []

    def test_a_write_of_numpy_reaches_its_own_copy(self, x: Array) -> None:
        """The mirror of a lazy array would be its whole memory, which may be larger than any."""
        values = np.asarray(x[0, :])
        values[...] = 9.0
        assert x.tolist() == VALUES
        with pytest.raises(ValueError, match="copy"):
            np.asarray(x, copy=False)


class TestFiles:
    def test_a_container_is_saved_by_its_values(self, x: Array, tmp_path: Path) -> None:
        file = tmp_path / "values.npz"
        container = unify.Container(a={"b": x})
        match = r"^Container\.save: argument 'a/b' is a lazy float64 array"
        with unify.computing("refuse"), pytest.raises(ComputingError, match=match):
            container.save(file)
        container.save(file)
        assert unify.Container.load(file).a.b.tolist() == VALUES

    def test_results_for_lazy_arguments_are_not_kept(self, x: Array) -> None:
        """To find out if they are the same ones would take their values."""
        cached = unify.cache_fn(lambda x: x + 1.0)
        with unify.computing("refuse"):
            assert cached(x, cache=True) is not cached(x, cache=True)
        assert COMPUTED == []


class TestPolicy:
    def test_setting_and_block(self, x: Array) -> None:
        change = unify.set_computing("refuse")
        try:
            assert unify.computing() == "refuse"
            with pytest.raises(ComputingError):
                x.tolist()
            with unify.computing("allow"):
                assert x.tolist() == VALUES
        finally:
            change.undo()
        assert unify.computing() == "allow"

    def test_what_is_none(self) -> None:
        match = r"^computing: argument 'policy' is 'never', which is no policy; pass one of 'allow'"
        with pytest.raises(UnifyValueError, match=match):
            unify.computing("never")
        with pytest.raises(UnifyValueError, match=r"^set_computing: argument 'policy' is 1"):
            unify.set_computing(1)  # type: ignore[arg-type]  # what it refuses
        block = unify.set_computing("warn")
        with pytest.raises(TypeError, match=r"with unify\.computing\('warn'\)"), block:
            pass
        assert unify.computing() == "allow"

    def test_a_pickled_policy_is_a_block(self, x: Array) -> None:
        with pickle.loads(pickle.dumps(unify.computing("refuse"))), pytest.raises(ComputingError):
            x.tolist()

    @pytest.mark.parametrize("policy", ["warn", "refuse"])
    def test_eager_arrays_have_their_values(self, policy: str) -> None:
        x = unify.array(VALUES)
        with unify.computing(policy), warnings.catch_warnings():
            warnings.simplefilter("error")
            assert (float(x[0, 0]), x.tolist(), np.asarray(x).shape) == (1.0, VALUES, (2, 3))


class TestCompute:
    def test_several_in_one_pass(self, xp: ModuleType, x: Array) -> None:
        total = xp.sum(x)
        with unify.computing("refuse"):
            found = unify.compute(x + total, {"mean": total / 6, "name": "speed"}, [x.data])
        assert len(COMPUTED) == 3
        assert isinstance(found, tuple)
        values, named, (native,) = found
        assert (values.backend, values.tolist()) == ("numpy", (np.asarray(VALUES) + 21).tolist())
        assert (named["mean"].item(), named["name"]) == (3.5, "speed")
        assert type(native) is np.ndarray

    def test_one_and_containers(self, x: Array) -> None:
        assert unify.compute(x).backend == "numpy"
        found = unify.compute(unify.Container(a=x, b=unify.Container(c=x)))
        assert found.b.c.backend == "numpy"
        assert len(COMPUTED) == 2  # once for each call
        assert unify.compute() == ()

    def test_the_identity_of_eager_arrays(self) -> None:
        x, nest = unify.array(VALUES), [unify.array([1.0]), {"a": 2}]
        assert unify.compute(x) is x
        assert unify.compute(nest) is nest
        several = unify.compute(x, nest)
        assert several[0] is x
        assert several[1] is nest

    def test_is_lazy(self, x: Array) -> None:
        assert (unify.is_lazy(x), unify.is_lazy(x.data), unify.is_lazy(x + 1)) == (True, True, True)
        computed = unify.compute(x)
        for value in (computed, computed.data, 1.0, None, [x]):
            assert not unify.is_lazy(value)


class TestCheck:
    """A copy that is its source lets writes to the copy reach the source, without an error."""

    def test_a_backend_whose_copies_are_copies(self, xp: ModuleType) -> None:
        with unify.computing("refuse"):
            assert backends.check("lazy") == []
        assert [backends.check(name) for name in ("numpy", "torch", "jax")] == [[], [], []]

    @pytest.mark.parametrize("shares", [True, False])
    def test_one_that_returns_its_argument(
        self, shares: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        creation: Any = importlib.import_module("tests.toy.creation")
        right = creation.asarray

        def asarray(obj: Any, /, *, dtype: Any = None, device: Any = None, copy: Any = None) -> Any:
            if isinstance(obj, Grid) and copy:
                found = Grid(obj.values)
                return found if shares else obj
            return right(obj, copy=copy)

        with registered("toy", framework="tests.toy.library", package="tests.toy"):
            assert backends.check("toy") == ["join_complex"]
            monkeypatch.setattr(creation, "asarray", asarray)
            lacking, wrong = backends.check("toy")
        assert lacking == "join_complex"
        assert wrong.startswith("asarray(x, copy=True) returns x, or shares its memory")


class TestWithoutACompiler:
    def test_compile_says_what_to_do(self, x: Array) -> None:
        match = (
            r"^compile: the lazy backend has no compiler, .*; call the function as it is, or move"
        )
        with pytest.raises(BackendError, match=match):
            unify.compile(lambda x: x + 1.0)(x)
        with pytest.raises(BackendError, match=match.replace("compile", "compile_graph", 1)):
            unify.compile_graph(lambda x: x + 1.0, x)

    def test_grad_proposes_those_that_can(self, x: Array) -> None:
        for given in (x, unify.array(VALUES)):
            with pytest.raises(
                BackendError, match="can't differentiate; pass via='torch'"
            ) as caught:
                unify.grad(unify.sum)(given)
            assert "'lazy'" not in str(caught.value).partition(";")[2]

    def test_grad_on_another_backend(self, x: Array) -> None:
        found = unify.grad(lambda x: unify.sum(x * x), via="jax")(x)
        assert (found.backend, found.tolist()) == ("lazy", [[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]])


def test_default_data_types_are_those_of_the_call(xp: ModuleType) -> None:
    """A worker that computes a block doesn't know what is set where the call was made."""
    with unify.default_dtype("float32"):
        x = xp.mean(xp.asarray([1, 2]))
    assert x.dtype == unify.float32
    assert unify.compute(x).dtype == unify.float32


def test_capabilities_say_what_the_namespace_is(xp: ModuleType) -> None:
    for name in ("lazy", *INSTALLED):
        found = unify.get_backend(name).__array_namespace_info__().capabilities()
        assert found.get("lazy", False) == unify.is_lazy(unify.get_backend(name).ones(1))
    found = xp.__array_namespace_info__().capabilities()
    assert (found["lazy"], found["data-dependent shapes"], found["boolean indexing"]) == (True,) * 3


class TestCollections:
    """An Array is a collection of the library where a native array is one, and only there."""

    def test_only_where_the_library_has_them(self, x: Array) -> None:
        assert not hasattr(unify.array(VALUES), "__dask_graph__")
        assert callable(x.__dask_graph__)  # type: ignore[attr-defined]  # of this backend only

    def test_protocol(self, x: Any) -> None:
        y = x + 1.0
        native = y.data
        assert y.__dask_graph__() is native.__dask_graph__()
        assert y.__dask_keys__() == [native.name]
        assert y.__dask_layers__() == (native.name,)
        assert y.__dask_scheduler__ is native.__dask_scheduler__
        assert y.__dask_optimize__ is native.__dask_optimize__
        assert (
            y.__dask_tokenize__() != native.__dask_tokenize__()
        )  # one gives an Array, one doesn't
        assert y.__dask_tokenize__() == pickle.loads(pickle.dumps(y)).__dask_tokenize__()
        assert COMPUTED == []

    def test_results_are_arrays(self, x: Any) -> None:
        y = x + 1.0
        (computed,) = lazy_backend.evaluated([y.data])
        expected = (np.asarray(VALUES) + 1).tolist()
        function, arguments = pickle.loads(pickle.dumps(y.__dask_postcompute__()))
        found = function([computed], *arguments)
        assert (type(found), found.tolist()) == (type(unify.array(VALUES)), expected)
        function, arguments = pickle.loads(pickle.dumps(y.__dask_postpersist__()))
        found = function({y.data.name: computed}, *arguments)
        assert (type(found), found.tolist()) == (type(y), expected)
