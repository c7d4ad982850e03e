"""Compiled functions keep limited programs, and warn of the argument that causes many."""

from __future__ import annotations

import gc
import warnings
import weakref
from types import ModuleType
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify import Array
from arrayapi_unify.compilation import _lru_cache
from tests.installed import EAGER
from tests.stress.threads import at_once


@pytest.fixture(params=EAGER)
def xp(request: pytest.FixtureRequest, quick: None) -> ModuleType:
    found: ModuleType = unify.get_backend(request.param)
    return found


class Setting:
    """A hashable value."""


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep three programs, and warn after two values."""
    monkeypatch.setattr(_lru_cache.LRUCache.__init__, "__defaults__", (3,))
    monkeypatch.setattr(_lru_cache, "_MANY", 2)


def scaled(x: Array, factor: Any, *, setting: Any = None) -> Array:
    return x * factor


@pytest.mark.usefixtures("few")
def test_warning_names_function_and_argument(xp: ModuleType) -> None:
    compiled, x = unify.compile(scaled), xp.ones(2)
    compiled(x, 1.0)
    compiled(x, 2.0)
    with pytest.warns(RuntimeWarning, match=r"scaled.*'factor'.*3\.0.*as an array"):
        compiled(x, 3.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for factor in (3.0, 4.0, 1.0):  # warned once
            assert compiled(x, factor).tolist() == [factor, factor]


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("backend", [name for name in EAGER if name != "torch"])
def test_what_is_no_longer_kept_is_free(backend: str) -> None:
    """PyTorch's own compiler keeps the code of all functions that it has analysed."""
    compiled, x = unify.compile(scaled), unify.get_backend(backend).ones(2)
    first = Setting()
    dead = weakref.ref(first)
    compiled(x, 1.0, setting=first)
    del first
    compiled(x, 1.0, setting=Setting())
    with pytest.warns(RuntimeWarning, match="'setting'"):
        compiled(x, 1.0, setting=Setting())
    for _ in range(2):
        compiled(x, 1.0, setting=Setting())
    gc.collect()
    assert dead() is None


@pytest.mark.usefixtures("few")
def test_the_one_asked_for_stays() -> None:
    kept: _lru_cache.LRUCache[str] = _lru_cache.LRUCache()
    for key in "abc":
        kept.put(key, key)
    assert kept.get("a") == "a"
    kept.put("d", "d")
    assert [kept.get(key) for key in "abcd"] == ["a", None, "c", "d"]
    assert len(kept) == 3


@pytest.mark.usefixtures("few")
def test_no_warning_where_shapes_change(xp: ModuleType) -> None:
    compiled = unify.compile(scaled)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for size in range(1, 6):
            assert compiled(xp.ones(size), 2.0).tolist() == [2.0] * size


class TestThreads:
    def test_a_look_is_never_in_vain(self) -> None:
        kept: _lru_cache.LRUCache[object] = _lru_cache.LRUCache()
        value = kept.put("key", object())
        found: set[object] = set()

        def ask(number: int) -> None:
            found.update([kept.get("key") for _ in range(5000)])

        assert at_once(ask) == []
        assert found == {value}

    def test_the_first_value_of_a_key_is_the_one_for_all(self) -> None:
        kept: _lru_cache.LRUCache[object] = _lru_cache.LRUCache(2)
        found: list[object] = []
        assert at_once(lambda number: found.append(kept.put("key", object()))) == []
        assert len(set(found)) == len(kept) == 1
        assert at_once(lambda number: [kept.put((number, i), i) for i in range(2000)]) == []
        assert len(kept) == 2
