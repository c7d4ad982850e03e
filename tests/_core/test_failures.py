"""B54: an error names the function that was called, whichever function in it raised."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify._core.failures import raise_better
from arrayapi_unify.errors import UnifyError, UnifyValueError
from tests.fuzz.things import Shaped, Unprintable, cyclic, cyclic_dict, deep

Call = Callable[[ModuleType], Any]

BY_MESSAGE: dict[str, Call] = {
    "sin: argument 'x' is or contains None": lambda xp: xp.sin([None]),
    "sin: argument 'x' is, or holds, a list whose parts differ": lambda xp: xp.sin([[1], [2, 3]]),
    "add: argument 'x2' is, or holds, a list": lambda xp: xp.add(xp.ones(2), [[1], [2, 3]]),
    "concat: argument 'arrays[1]' is or contains": lambda xp: xp.concat([xp.ones(2), ["a"]]),
    "sum: argument 'dtype' is [1]": lambda xp: xp.sum(xp.ones(2), dtype=[1]),
    "zeros: argument 'device' is [1]": lambda xp: xp.zeros(2, device=[1]),
    "nn.adam_update(w=float64 array of shape (2,)": lambda xp: unify.adam_update(
        xp.ones(2), xp.ones(3), 0.1, xp.ones(2), xp.ones(2), 1
    ),
    "set_default_dtype: argument 'dtype' is [1]": lambda xp: unify.set_default_dtype([1]),
    "nested_map(fn=5, nest=[1]) failed: 'int' object is not callable; pass a function": (
        lambda xp: unify.nested_map(5, [1])
    ),
    "get_backend(backend=float64 array of shape (2,)) failed": lambda xp: unify.get_backend(
        xp.ones(2)
    ),
}


@pytest.mark.parametrize("message", BY_MESSAGE)
def test_the_outer_function_is_named(xp: ModuleType, message: str) -> None:
    with pytest.raises(UnifyError) as caught:
        BY_MESSAGE[message](xp)
    assert str(caught.value).startswith(message)


class TestNesting:
    """Nests that are deeper than any array, or contain themselves, are refused in finite time."""

    @pytest.mark.parametrize("nest", [deep(70), deep(2000), cyclic(), [cyclic()]])
    def test_of_an_argument(self, xp: ModuleType, nest: Any) -> None:
        for call in (lambda: xp.sin(nest), lambda: unify.add(xp.ones(1), nest)):
            with pytest.raises(UnifyError, match=r"^(sin|add): argument 'x2?' "):
                call()
        with pytest.raises(UnifyError, match=r"^nn.relu: argument 'out' "):
            xp.relu(xp.ones(1), out=nest)

    @pytest.mark.parametrize("nest", [deep(2000), cyclic(), cyclic_dict()])
    def test_of_a_nest(self, nest: Any) -> None:
        with pytest.raises(UnifyValueError, match=r"^nested_map: argument 'nest' holds itself"):
            unify.nested_map(lambda x: x, nest)

    def test_the_users_own_recursion_is_the_users(self, xp: ModuleType) -> None:
        def forever(x: Any) -> Any:
            return forever(x)

        with pytest.raises(RecursionError):
            unify.nested_map(forever, [xp.ones(1)])


class TestUsersErrors:
    """B52: exceptions of users' functions reach the user unchanged, also those of ours in them."""

    def test_ours_inside_of_theirs(self, xp: ModuleType) -> None:
        def inner(x: Any) -> Any:
            return unify.sum(x, axis=5)

        with pytest.raises(UnifyError, match=r"^sum: argument 'axis' is 5"):
            unify.nested_map(inner, [xp.ones(2)])

    def test_of_a_function_without_lines(self) -> None:
        with pytest.raises(TypeError) as caught:
            unify.nested_map(len, [1])
        assert type(caught.value) is TypeError


@pytest.mark.parametrize("strange", [Shaped, Shaped(), Unprintable(), [Unprintable()]])
def test_any_object_is_described(xp: ModuleType, strange: Any) -> None:
    for call in (
        lambda: xp.sum(strange),
        lambda: xp.sum(xp.ones(2), axis=strange),
        lambda: xp.sum(xp.ones(2), dtype=strange),
        lambda: xp.zeros(strange),
        lambda: xp.zeros(2, device=strange),
    ):
        with pytest.raises(UnifyError) as caught:
            call()
        assert str(caught.value).startswith(("sum", "zeros"))


def again(error: Exception, better: Exception) -> None:
    try:
        raise error
    except UnifyValueError as raised:
        raise_better(raised, better)


def test_an_error_that_is_raised_again_is_not_its_own_cause() -> None:
    """Protocols pass an error of ours through a library, and it is better than what it led to."""
    first = UnifyValueError("first")
    first.__cause__ = ValueError("library's")
    second = UnifyValueError("second")
    second.__cause__ = UnifyValueError("between")
    second.__cause__.__cause__ = first
    for error in (second, first, second):
        with pytest.raises(UnifyValueError, match="first"):
            again(error, first)
        assert str(first.__cause__) == "library's"
        assert first.__cause__.__cause__ is None


def test_cyclic_causes_end() -> None:
    error = UnifyValueError("cyclic")
    error.__cause__ = UnifyValueError("its cause")
    error.__cause__.__cause__ = error.__cause__
    with pytest.raises(UnifyValueError, match="better"):
        again(error, UnifyValueError("better"))
