"""Exceptions: their classes, and the messages of translated and refused calls."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import errors
from tests.installed import INSTALLED


class TestClasses:
    @pytest.mark.parametrize(
        ("ours", "builtin"),
        [
            (errors.BackendError, TypeError),
            (errors.UnifyTypeError, TypeError),
            (errors.UnifyValueError, ValueError),
            (errors.UnifyIndexError, IndexError),
            (errors.UnifyOverflowError, OverflowError),
            (errors.UnifyArithmeticError, ArithmeticError),
            (errors.UnifyBufferError, BufferError),
            (errors.UnifyRuntimeError, RuntimeError),
        ],
    )
    def test_each_is_ours_and_the_builtin_one(
        self, ours: type[Exception], builtin: type[Exception]
    ) -> None:
        assert issubclass(ours, errors.UnifyError)
        assert issubclass(ours, builtin)

    def test_every_class_is_exported(self) -> None:
        assert all(hasattr(errors, name) for name in errors.__all__)
        defined = {
            name
            for name, value in vars(errors).items()
            if isinstance(value, type) and issubclass(value, errors.UnifyError | Warning)
        }
        assert defined == set(errors.__all__)

    @pytest.mark.parametrize("name", errors.__all__)
    def test_survives_pickling(self, name: str) -> None:
        error = getattr(errors, name)("what happened")
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == "what happened"

    def test_top_level_has_the_two_that_users_catch(self) -> None:
        assert unify.BackendError is errors.BackendError
        assert unify.UnifyError is errors.UnifyError


class TestDescribe:
    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (np.ones((2, 3), np.float32), "float32 array of shape (2, 3)"),
            (None, "None"),
            (2.5, "2.5"),
            ("a", "'a'"),
            (slice(1, 2), "slice(1, 2, None)"),
            ([1, (2, None)], "[1, (2, None)]"),
            (object(), "an object"),
            (list(range(9)), "a list"),
        ],
    )
    def test_says_what_an_argument_is(self, value: Any, text: str) -> None:
        assert errors.describe(value) == text

    def test_an_array_of_ours_reads_as_a_native_one(self) -> None:
        assert errors.describe(unify.ones((2,))) == "float64 array of shape (2,)"


class TestTranslate:
    @pytest.mark.parametrize(
        ("native", "ours"),
        [
            (OverflowError, errors.UnifyOverflowError),
            (ZeroDivisionError, errors.UnifyArithmeticError),
            (FloatingPointError, errors.UnifyArithmeticError),
            (IndexError, errors.UnifyIndexError),
            (np.exceptions.AxisError, errors.UnifyIndexError),
            (BufferError, errors.UnifyBufferError),
            (ValueError, errors.UnifyValueError),
            (np.linalg.LinAlgError, errors.UnifyLinAlgError),
            (TypeError, errors.UnifyTypeError),
            (MemoryError, errors.UnifyRuntimeError),
        ],
    )
    def test_native_class_becomes_ours(
        self, native: type[Exception], ours: type[Exception]
    ) -> None:
        assert type(errors.translate(native("why"), "f", "numpy", [])) is ours

    def test_message_names_function_arguments_backend_cause_and_remedy(self) -> None:
        error = errors.translate(
            ValueError("no room"), "linalg.det", "torch", [("x", np.ones((2, 2))), ("n", 2)]
        )
        assert str(error) == (
            "linalg.det(x=float64 array of shape (2, 2), n=2) failed on the torch backend: "
            "no room; see the documentation of the function"
        )

    @pytest.mark.parametrize(
        ("error", "remedy"),
        [
            (ValueError("the shapes differ"), "; make the arguments' shapes fit"),
            (ValueError("the fifth argument is odd"), "; see the documentation of the function"),
            (TypeError("no loop for dtype int8"), "; cast the argument first: astype(x, dtype)"),
            (TypeError("'x' is no name"), "; see the documentation of the function"),
            (ValueError("it is odd; pass an even one"), "; pass an even one"),
            (RuntimeError("out of luck"), "out of luck"),
        ],
    )
    def test_remedy_is_given_where_it_is_right(self, error: Exception, remedy: str) -> None:
        message = str(errors.translate(error, "f", "numpy", []))
        assert message.endswith(remedy)
        assert message.count(";") == remedy.count(";")

    def test_ours_passes_through_untouched(self) -> None:
        inner = errors.UnifyValueError("said better")
        assert errors.translate(inner, "f", "numpy", []) is inner


class TestRefuse:
    def test_message_has_the_four_parts(self) -> None:
        with pytest.raises(errors.UnifyIndexError) as caught:
            errors.raise_argument_error(errors.UnifyIndexError, "take", "axis", "is 7", "use 0")
        assert str(caught.value) == "take: argument 'axis' is 7; use 0"


class TestMessagesOfCalls:
    @pytest.mark.parametrize(
        "call",
        [
            lambda x, y: unify.add(x, y),
            lambda x, y: x.__array_namespace__().add(x, y),
            lambda x, y: x.add(y),
            lambda x, y: x + y,
            lambda x, y: x + y.data,
            lambda x, y: x.data + y,
        ],
        ids=["top", "bound", "method", "operator", "native right", "native left"],
    )
    def test_failing_native_call_names_all(self, call: Any) -> None:
        with pytest.raises(errors.UnifyValueError) as caught:
            call(unify.ones((2,)), unify.ones((3,)))
        message = str(caught.value)
        assert "add(x1=float64 array of shape (2,), x2=float64 array of shape (3,))" in message
        assert "numpy backend" in message
        assert "; " in message
        assert isinstance(caught.value.__cause__, ValueError)

    def test_reflected_operator_names_the_operands_in_their_order(self) -> None:
        with pytest.raises(errors.UnifyOverflowError, match=r"subtract\(x1=300, x2=int8 array"):
            300 - unify.asarray([1], dtype="int8")

    def test_in_place_operator_names_its_function(self) -> None:
        x = unify.ones((2,))
        with pytest.raises(errors.UnifyValueError, match=r"add\(x1=.*numpy backend.*; "):
            x += unify.ones((3,))

    def test_index_error_names_key(self) -> None:
        with pytest.raises(errors.UnifyIndexError, match=r"get_item\(x=.*key=5\).*numpy backend"):
            unify.ones((2,))[5]

    @pytest.mark.parametrize(
        "call",
        [
            lambda x: unify.log(x),
            lambda x: x.log(),
            lambda x: 1 / x,
            lambda x: unify.log(x.data),
            lambda x: (x + 1) / 0.0,
        ],
    )
    def test_a_warning_that_the_user_made_an_error_is_no_failure_of_the_backend(
        self, call: Any
    ) -> None:
        """With `-W error` NumPy's RuntimeWarning is raised unchanged, as by NumPy."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(RuntimeWarning, match="divide by zero"):
                call(unify.zeros(1))

    def test_extension_function_has_its_qualified_name(self) -> None:
        with pytest.raises(errors.UnifyError, match=r"^linalg\.inv"):
            unify.linalg.inv(unify.ones((2, 3)))


@pytest.mark.parametrize("backend", INSTALLED)
def test_axes_are_refused_as_numpys(backend: str) -> None:
    """B20, B77: the error is NumPy's AxisError, which is a ValueError and an IndexError."""
    xp = unify.get_backend(backend)
    for call in (
        lambda: xp.sum(xp.ones(2), axis=1),
        lambda: xp.concat([xp.ones(2)], axis=2),
        lambda: xp.sort(xp.ones(()), axis=0),
        lambda: xp.ones(2).sum(axis=-2),
        lambda: np.sum(xp.ones(2), axis=1),
    ):
        with pytest.raises(np.exceptions.AxisError) as caught:
            call()
        assert isinstance(caught.value, ValueError)
        assert isinstance(caught.value, errors.UnifyIndexError)
