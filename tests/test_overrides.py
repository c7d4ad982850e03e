"""The override protocol in isolation: the order and arguments of its calls."""

from __future__ import annotations

from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify._core.override_protocol import PROTOCOL, call_overrides, overriding, takes_over
from arrayapi_unify.errors import BackendError


class Base:
    """Declines, and records the call."""

    def __init__(self, log: list[Any]) -> None:
        self.log = log

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        self.log.append(self)
        return NotImplemented


class Derived(Base):
    """A subclass, which is tried first."""


class Cousin(Base):
    """Another subclass of the same class."""


class Stranger:
    """Declines too, unrelated to the others."""

    __ivy_array_function__ = Base.__ivy_array_function__

    def __init__(self, log: list[Any]) -> None:
        self.log = log


class Taker(Base):
    """Handles everything."""

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return func, types, args, kwargs


class TestTakesOver:
    def test_class_with_the_protocol(self) -> None:
        assert takes_over(Base([]))

    @pytest.mark.parametrize("value", [None, 1, [], object(), "a"])
    def test_class_without_it(self, value: Any) -> None:
        assert not takes_over(value)

    def test_array_has_the_protocol_without_overriding(self) -> None:
        assert hasattr(unify.Array, PROTOCOL)
        assert not takes_over(unify.ones(2))

    def test_plain_subclass_of_array_does_not_override(self) -> None:
        class Plain(unify.Array):
            """A subclass without changes."""

        assert not takes_over(Plain([1.0]))

    def test_the_class_decides_not_the_instance(self) -> None:
        class Bare:
            """No protocol: an instance attribute isn't an implementation (NEP 18)."""

        value = Bare()
        value.__ivy_array_function__ = lambda *args: None  # type: ignore[attr-defined]
        assert not takes_over(value)


class TestOrder:
    """B48: NEP 18's order."""

    def test_left_to_right(self) -> None:
        a, b = Base([]), Stranger([])
        assert overriding([a, b]) == [a, b]
        assert overriding([b, a]) == [b, a]

    def test_subclass_goes_before_its_superclass(self) -> None:
        base, derived = Base([]), Derived([])
        assert overriding([base, derived]) == [derived, base]
        assert overriding([derived, base]) == [derived, base]

    def test_unrelated_ones_keep_their_place(self) -> None:
        stranger, base, derived = Stranger([]), Base([]), Derived([])
        assert overriding([stranger, base, derived]) == [stranger, derived, base]
        assert overriding([base, stranger, derived]) == [derived, base, stranger]

    def test_sisters_go_left_to_right_before_their_superclass(self) -> None:
        base, derived, cousin = Base([]), Derived([]), Cousin([])
        assert overriding([base, cousin, derived]) == [cousin, derived, base]

    def test_one_per_type(self) -> None:
        first, second = Base([]), Base([])
        assert overriding([first, second]) == [first]

    def test_others_are_left_out(self) -> None:
        base = Base([])
        assert overriding([1, unify.ones(1), base, None]) == [base]


class TestCallOverrides:
    def test_nobody_overrides(self) -> None:
        assert call_overrides(unify.add, [1, unify.ones(1)], (), {}) == (False, None)

    def test_not_implemented_passes_on(self) -> None:
        log: list[Any] = []
        base, taker = Base(log), Taker(log)
        handled, result = call_overrides(unify.add, [base, taker], (base, taker), {"k": 1})
        assert handled
        assert log == []  # Taker is a subclass, so it came first
        stranger = Stranger(log)
        handled, result = call_overrides(unify.add, [stranger, taker], (stranger, taker), {"k": 1})
        assert handled
        assert log == [stranger]
        assert result[0] is unify.add
        assert set(result[1]) == {Stranger, Taker}
        assert result[2:] == ((stranger, taker), {"k": 1})

    def test_all_are_asked_once_in_order(self) -> None:
        log: list[Any] = []
        base, derived, stranger = Base(log), Derived(log), Stranger(log)
        with pytest.raises(BackendError):
            call_overrides(unify.add, [stranger, base, derived, Base(log)], (), {})
        assert log == [stranger, derived, base]

    def test_error_names_function_types_and_remedy(self) -> None:
        with pytest.raises(BackendError) as caught:
            call_overrides(unify.linalg.inv, [Base([]), Stranger([])], (), {})
        message = str(caught.value)
        assert "inv" in message
        assert "Base" in message
        assert "Stranger" in message
        assert "; " in message
        assert isinstance(caught.value, TypeError)

    def test_none_is_an_answer(self) -> None:
        class Nothing:
            """Returns None."""

            def __ivy_array_function__(self, *args: Any) -> None:
                return None

        assert call_overrides(unify.add, [Nothing()], (), {}) == (True, None)
