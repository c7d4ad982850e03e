"""Writes to one array by several threads: none is lost, with views or without."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.views import aliasing

THREADS = 8
EACH = 20


@pytest.fixture(autouse=True)
def _turns() -> Iterator[None]:
    """Switch threads as often as Python allows."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def by_threads(work: Callable[[int], Any]) -> None:
    """Run `work` with the number of each thread, concurrently."""
    errors: list[BaseException] = []
    begin = threading.Barrier(THREADS)

    def run(number: int) -> None:
        begin.wait()
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def own(number: int) -> range:
    """Return the elements of one thread."""
    return range(number * EACH, (number + 1) * EACH)


@pytest.mark.slow_on("dask")
def test_elements(xp: ModuleType) -> None:
    for _ in range(3):
        y = xp.zeros(THREADS * EACH)

        def write(number: int, y: Any = y) -> None:
            for i in own(number):
                y[i] = float(i + 1)

        by_threads(write)
        assert y.tolist() == list(range(1, THREADS * EACH + 1))


@pytest.mark.slow_on("dask")
def test_elements_by_functions(xp: ModuleType) -> None:
    y = xp.zeros(THREADS * EACH)

    def write(number: int) -> None:
        for i in own(number):
            unify.set_item(y, (i,), xp.asarray(i + 1.0))

    by_threads(write)
    assert y.tolist() == list(range(1, THREADS * EACH + 1))


@pytest.mark.slow_on("dask")
def test_elements_while_views_are_taken(xp: ModuleType) -> None:
    """Taking a view gives the array a memory, at any moment of the writes of other threads."""
    for _ in range(3):
        y = xp.zeros(THREADS * EACH)

        def write(number: int, y: Any = y) -> None:
            for i in own(number):
                if i % EACH == EACH // 2 and number % 2:
                    view = y[i : i + 1]
                    view[0] = float(i + 1)
                else:
                    y[i] = float(i + 1)

        by_threads(write)
        assert y.tolist() == list(range(1, THREADS * EACH + 1))


def test_elements_while_a_derivative_may_be_asked_for() -> None:
    """A thread at an array counts, for PyTorch, as a derivative that needs it: writes copy."""
    xp = unify.get_backend("torch")
    _, pull = unify.vjp(xp.sin, xp.ones(1))
    for _ in range(20):
        test_elements_while_views_are_taken(xp)
        test_operators_in_place(xp)
    assert pull(xp.ones(1))


def test_operators_in_place(xp: ModuleType) -> None:
    y = xp.zeros(THREADS)
    parts = [y[i : i + 1] for i in range(THREADS)]

    def write(number: int) -> None:
        for _ in range(EACH):
            parts[number] += 1.0

    by_threads(write)
    assert y.tolist() == [EACH] * THREADS


@pytest.mark.slow_on("dask")
def test_elements_of_an_array_with_views(xp: ModuleType) -> None:
    y = xp.zeros(THREADS * EACH)
    tail, turned = y[1:], y[::-1]

    def write(number: int) -> None:
        for i in own(number):
            y[i] = float(i + 1)

    by_threads(write)
    expected = np.arange(1.0, THREADS * EACH + 1)
    assert np.array_equal(y.to_numpy(), expected)
    assert np.array_equal(tail.to_numpy(), expected[1:])
    assert np.array_equal(turned.to_numpy(), expected[::-1])


def test_windows_that_are_noted_while_the_dead_are_forgotten() -> None:
    """Each is registered afterwards: a write has to reach it."""

    class Window:
        _aliases: Any = None

    for _ in range(60):
        whole = Window()
        kept: list[list[Any]] = [[] for _ in range(THREADS)]

        def note(number: int, whole: Any = whole, kept: Any = kept) -> None:
            for step in range(60):
                alias = Window()
                aliasing.register_alias(whole, alias)  # type: ignore[arg-type]  # the minimal interface
                if step % 3 == 0:
                    kept[number].append(alias)

        by_threads(note)
        known = {id(alias) for alias in aliasing.aliases_of(whole)}  # type: ignore[arg-type]  # likewise
        assert all(id(alias) in known for aliases in kept for alias in aliases)
