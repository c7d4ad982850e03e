"""The programs notice each function whose result wrongly shares, or doesn't share, memory.

They also notice if NumPy gets a copy of an array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from arrayapi_unify.binding import namespace_of
from tests.differential.case import Case
from tests.differential.runner import quick
from tests.examples import EXAMPLES
from tests.installed import INSTALLED
from tests.views.implementations import Bound, Reference
from tests.views.state_machine import run_again, run_programs
from tests.views.strategies import VIEWS

# A run ends at the first program that notices. The rarest views, `squeeze` and `real`, need eighty
# on average and up to 240, so fewer would depend on chance.
WITHIN = 2000
# A backend with native views, and in longer runs one with emulated views; the others are only
# slower.
BACKENDS = ["numpy", *(name for name in ("tensorflow",) if name in INSTALLED and not quick())]

Function = Callable[..., Any]


def _is_basic(key: Any) -> bool:
    parts = key if isinstance(key, tuple) else (key,)
    return all(k is None or k is Ellipsis or isinstance(k, int | slice) for k in parts)


def unshared(implementation: Bound, name: str) -> Function:
    """Return a version of a function that returns copies."""
    function = getattr(implementation, name)

    def broken(*args: Any, **kwargs: Any) -> Any:
        made = function(*args, **kwargs)
        if isinstance(made, tuple | list):
            return [implementation.xp.asarray(x, copy=True) for x in made]
        return implementation.xp.asarray(made, copy=True)

    return broken


def _progression(key: Any, size: int) -> slice | None:
    """Return the slice that is equivalent to an index array, if there is one."""
    array = np.asarray(key)
    if array.ndim != 1 or not array.size or array.dtype.kind != "i":
        return None
    numbers = (array % size).tolist()
    found = slice(numbers[0], numbers[0] + len(numbers))
    return found if numbers == list(range(found.start, found.stop)) else None


def _shared_selection(implementation: Bound) -> Function:
    function = implementation.get_item

    def broken(x: Any, key: Any) -> Any:
        whole = key[0] if isinstance(key, tuple) and len(key) == 1 else key
        alone = x.ndim > 0 and not _is_basic(key) and not isinstance(whole, tuple)
        same = _progression(whole, x.shape[0]) if alone else None
        return function(x, key if same is None else same)

    return broken


def _uncopied(name: str) -> Callable[[Bound], Function]:
    def break_it(implementation: Bound) -> Function:
        function = getattr(implementation, name)

        def broken(x: Any, *args: Any, copy: bool | None = None, **kwargs: Any) -> Any:
            return function(x, *args, copy=None if copy is None else False, **kwargs)

        return broken

    return break_it


SHARING: dict[str, Callable[[Bound], Function]] = {
    "get_item": _shared_selection,
    "astype": _uncopied("astype"),
    "asarray": _uncopied("asarray"),
    "positive": lambda implementation: lambda x: implementation.xp.reshape(x, x.shape),
    "tile": lambda implementation: lambda x, repetitions: implementation.xp.reshape(x, x.shape),
}


def _fails(backend: str, name: str, broken: Callable[[Bound], Function]) -> None:
    def implementation() -> Bound:
        made = Bound(namespace_of(backend))
        setattr(made, name, broken(made))
        return made

    with pytest.raises(
        AssertionError,
        match=r"shares memory with|NumPy refuses|the last step raises|what NumPy was given",
    ):
        run_programs(implementation, WITHIN)


@pytest.mark.sample(1)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", [*VIEWS, "broadcast_arrays"])
def test_a_view_that_is_a_copy(name: str, backend: str) -> None:
    _fails(backend, name, lambda implementation: unshared(implementation, name))


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_numpy_is_given_is_a_copy(backend: str) -> None:
    _fails(
        backend,
        "export",
        lambda implementation: lambda x: implementation.exported.append(np.array(x)),
    )


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize("name", SHARING)
def test_a_copy_that_is_a_view(name: str) -> None:
    _fails("numpy", name, SHARING[name])


def test_numpy_itself_passes() -> None:
    run_programs(Reference, 40)


@pytest.mark.parametrize("name", [name for name in INSTALLED if name == "torch"])
def test_a_layout_that_is_taken_for_that_of_c(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    aliasing = namespace_of(name).zeros(1)._binding().backend.aliasing
    monkeypatch.setattr(aliasing, "strides_of", lambda x: None)
    programs = [example for example in EXAMPLES if not isinstance(example, Case)]
    transposed = [program for program in programs if program[1].name in ("T", "mT")]
    assert len(transposed) > 1
    for program in transposed:
        with pytest.raises(AssertionError, match=r"shares memory with|the last step raises"):
            run_again(lambda: Bound(namespace_of(name)), program)
