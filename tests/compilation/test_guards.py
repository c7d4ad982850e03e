"""Generated guards, compared with the traversal that computes a call's key."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.compilation._call_key import Leaves, function_of
from arrayapi_unify.compilation._guards import GuardBuilder, GuardFailed

Pair = namedtuple("Pair", "first second")
BINDING = unify.binding.binding_of("numpy")
XP: Any = namespace_of("numpy")


class Own(unify.Container):
    """A user-defined class."""


def reader(*args: Any) -> Callable[..., Any] | None:
    """Return the generated guard of such calls, which returns their native arrays, or None."""
    guards = GuardBuilder.of(args, BINDING.array)
    if guards is None:
        return None
    lines = [*guards.lines, f"return [{', '.join(guards.natives)}]"]
    return function_of("read", guards.parameters, lines, dict(guards.names))


def taken_apart(*args: Any) -> tuple[Any, list[Any]]:
    leaves = Leaves(BINDING)
    return [leaves.key(x) for x in args], leaves.natives


def _array(kind: str) -> Any:
    x = XP.ones(2)
    return x if kind == "array" else x.data


ARRAYS = st.sampled_from(["array", "native"]).map(_array)
PLAIN = st.sampled_from([0, 1, True, False, None, "a", "0", 0.0, -0.0, 1.0, float("nan"), 1j, -1j])
NAMES = st.lists(st.sampled_from(["a", "b", "c"]), unique=True, max_size=3)


def _nests(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    def of_names(names: list[str]) -> st.SearchStrategy[Any]:
        nodes = st.tuples(*[inner for _ in names])
        made = nodes.map(lambda values: dict(zip(names, values, strict=True)))
        return made | made.map(unify.Container) | made.map(Own)

    several = st.lists(inner, max_size=3)
    return NAMES.flatmap(of_names) | several | several.map(tuple)


CALLS = st.recursive(ARRAYS | PLAIN, _nests, max_leaves=6)


class TestReading:
    @given(CALLS, CALLS)
    def test_accepts_what_has_the_same_key(self, first: Any, second: Any) -> None:
        """A guard extracts the traversal's arrays, and rejects calls with other keys."""
        known, natives = taken_apart(first)
        read = reader(first)
        if not natives:
            assert read is None
            return
        assert read is not None
        assert all(a is b for a, b in zip(read(first), natives, strict=True))
        # The type of a positional argument itself is checked before this.
        other, natives = taken_apart(second)
        if type(first) is type(second):
            if other == known:
                assert all(a is b for a, b in zip(read(second), natives, strict=True))
            else:
                with pytest.raises(GuardFailed):
                    read(second)

    @pytest.mark.parametrize(
        ("first", "second"),
        [
            ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
            ((0.0,), (-0.0,)),
            ([1], [True]),
            ([1], [1.0]),
            ([[]], [()]),
            ({"a": []}, unify.Container(a=[])),
            (unify.Container(a=1), Own(a=1)),
            ([XP.ones(1)], [np.ones(1)]),
            ([1, 2], [1]),
        ],
    )
    def test_refuses(self, first: Any, second: Any) -> None:
        x = XP.ones(2)
        read = reader([x, first])
        assert read is not None
        read([x, first])
        with pytest.raises(GuardFailed):
            read([x, second])

    @pytest.mark.parametrize(
        "value",
        [
            OrderedDict(a=1),
            Pair(1, 2),
            slice(0, 1),
            np.float64(1),
            object(),
            [],
            [1, 2],
            [XP.ones(2)] * 2,
            [type("Mine", (unify.Array,), {})(XP.ones(2))],
        ],
    )
    def test_leaves_the_rest_to_the_walk(self, value: Any) -> None:
        assert reader(value) is None


class TestCompiled:
    @pytest.fixture
    def walks(self, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
        """The arguments of the traversals."""
        traversed: list[Any] = []
        key = Leaves.key

        def seen(self: Leaves, value: Any) -> Any:
            traversed.append(value)
            return key(self, value)

        monkeypatch.setattr(Leaves, "key", seen)
        return traversed

    @pytest.mark.parametrize("backend", ["numpy", "tensorflow", "jax"])
    def test_walks_once(self, backend: str, walks: list[Any]) -> None:
        xp: ModuleType = namespace_of(backend)

        def total(v: Any, state: Any, scale: float) -> Any:
            return unify.Container(s=v.w * scale + state[0], q=v.below.b), (state[1],)

        compiled = unify.compile(total)
        for number in (1.0, 2.0, 3.0):
            v = unify.Container(w=xp.full(2, number), below={"b": xp.arange(3) * number})
            state = (xp.full(2, 10.0), xp.full(1, number))
            walks.clear()
            found, (last,) = compiled(v, state, 2.0)
            assert bool(walks) is (number == 1.0)
            assert found.s.tolist() == [2 * number + 10] * 2
            assert found.q.tolist() == [0, number, 2 * number]
            assert last.tolist() == [number]
            # NumPy's graphs share the memory; the others return the caller's own.
            assert last is state[1] or (
                backend == "numpy" and np.shares_memory(last.data, state[1].data)
            )
        # A different call has its own program.
        found, _ = compiled(v, state, 0.5)
        assert walks
        assert found.s.tolist() == [11.5] * 2
        with pytest.raises(AttributeError, match="below"):
            compiled(unify.Container(w=v.w), state, 2.0)

    def test_without_arrays_the_backend_that_is_set_counts(self) -> None:
        compiled = unify.compile(lambda n: unify.arange(n))
        for backend in ("numpy", "jax", "jax", "tensorflow", "numpy"):
            with unify.use_backend(backend):
                assert compiled(3).backend == backend

    @pytest.mark.parametrize("backend", ["numpy", "tensorflow", "jax"])
    def test_other_shapes_and_data_types(self, backend: str) -> None:
        xp: ModuleType = namespace_of(backend)
        compiled = unify.compile(lambda v, x: [xp.sum(v["w"]) + x.shape[0], (x, {"n": x.ndim})])
        for shape in ((2,), (3,), (2,), (2, 2), (3,)):
            for dtype in (xp.float64, xp.float32, xp.float64):
                x = xp.ones(shape, dtype=dtype)
                total, (same, number) = compiled({"w": x}, x + 1)
                assert total.dtype == dtype
                assert float(total) == float(np.prod(shape)) + shape[0]
                assert same.tolist() == np.full(shape, 2.0).tolist()
                assert number == {"n": len(shape)}
