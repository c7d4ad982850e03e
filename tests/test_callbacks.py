"""Calls into user code: declined operators, mismatches of handlers, exceptions."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import BackendError


class Declining:
    """Its override declines everything; its operators return results."""

    def __ivy_array_function__(self, *given: Any) -> Any:
        return NotImplemented

    def __radd__(self, other: Any) -> str:
        return "radd"

    def __add__(self, other: Any) -> Any:
        return NotImplemented

    def __rpow__(self, other: Any) -> str:
        return "rpow"


class Handling:
    """It passes a call to its handler, as in the handlers pattern."""

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return HANDLERS[func.__name__](*args, **kwargs)


def _own_type_error(x: Any) -> Any:
    raise TypeError("mine() takes another thing")


HANDLERS: dict[str, Callable[..., Any]] = {
    "abs": lambda x: "handled",
    "sin": _own_type_error,
    "add": lambda x1, x2: _own_type_error(x1),
}


class TestDeclinedOperators:
    """B48: Python asks the other operand."""

    def test_its_reflected_operator_answers(self, xp: ModuleType) -> None:
        x = xp.ones(2)
        assert x + Declining() == "radd"
        assert x ** Declining() == "rpow"

    def test_nobody_answers(self, xp: ModuleType) -> None:
        for call in (lambda: xp.ones(2) - Declining(), lambda: Declining() + xp.ones(2)):
            with pytest.raises(TypeError, match=r"(subtract|add): every overriding type"):
                call()

    def test_of_a_subclass(self, xp: ModuleType) -> None:
        class Mine(unify.Array):
            """A user's subclass."""

        assert Mine(xp.ones(2)) + Declining() == "radd"

    def test_functions_still_say_who_declined(self, xp: ModuleType) -> None:
        with pytest.raises(BackendError, match="Declining"):
            xp.add(xp.ones(2), Declining())


class TestPythonsFunctions:
    """B44: special methods go through the functions."""

    def test_divmod(self, xp: ModuleType) -> None:
        x = xp.asarray([7.5, -7.5])
        quotient, rest = divmod(x, 2)
        expected = divmod(np.asarray([7.5, -7.5]), 2)
        assert quotient.tolist() == expected[0].tolist()
        assert rest.tolist() == expected[1].tolist()
        assert [part.tolist() for part in divmod(9, xp.asarray([2, 4]))] == [[4, 2], [1, 1]]

    def test_rounding(self, xp: ModuleType) -> None:
        x = xp.asarray([1.5, 2.5, -1.25])
        assert round(x).tolist() == [2.0, 2.0, -1.0]
        np.testing.assert_allclose(np.asarray(round(x, 1)), [1.5, 2.5, -1.2], rtol=1e-15)
        assert round(x * 10, -1).tolist() == [20.0, 20.0, -10.0]
        assert math.floor(x).tolist() == [1.0, 2.0, -2.0]
        assert math.ceil(x).tolist() == [2.0, 3.0, -1.0]
        assert math.trunc(x).tolist() == [1.0, 2.0, -1.0]
        assert abs(x).tolist() == [1.5, 2.5, 1.25]


class TestMismatchesOfHandlers:
    """B48: arguments that a handler doesn't take raise `BackendError`."""

    def test_the_error_names_function_and_types(self) -> None:
        HANDLERS["add"] = lambda x1: None
        try:
            with pytest.raises(BackendError, match=r"add: the override of Handling.*Handling"):
                unify.add(Handling(), 2)
        finally:
            HANDLERS["add"] = lambda x1, x2: _own_type_error(x1)

    @pytest.mark.parametrize("call", [lambda x: unify.sin(x), lambda x: unify.add(x, 1)])
    def test_a_handlers_own_error_is_its_own(self, call: Callable[[Any], Any]) -> None:
        with pytest.raises(TypeError, match="mine") as caught:
            call(Handling())
        assert type(caught.value) is TypeError


class TestUsersExceptions:
    """B52: an exception of the user's own code reaches the user unchanged."""

    @pytest.mark.parametrize(
        "error", [KeyError("mine"), TypeError("mine"), ValueError("mine"), KeyboardInterrupt()]
    )
    def test_of_a_callback(self, xp: ModuleType, error: BaseException) -> None:
        def to_q(x: Any, v: Any = None) -> Any:
            raise error

        class Calling:
            def __call__(self, x: Any, v: Any = None) -> Any:
                return to_q(x)

        x = xp.ones((1, 2, 4))
        for function in (to_q, Calling()):
            for namespace in (xp, unify):
                with pytest.raises(type(error)) as caught:
                    namespace.multi_head_attention(x, 1.0, 2, to_q_fn=function)
                assert caught.value is error

    def test_of_a_function_that_is_mapped(self, xp: ModuleType) -> None:
        error = ZeroDivisionError("mine")

        def function(*given: Any) -> Any:
            raise error

        container = unify.Container(a=xp.ones(1))
        with pytest.raises(ZeroDivisionError) as caught:
            unify.nested_map(function, container)
        assert caught.value is error
