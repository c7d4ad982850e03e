"""The override protocol in isolation: the order and arguments of its calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify._core.override_protocol import PROTOCOL, call_overrides, overriding, takes_over
from arrayapi_unify.errors import BackendError
from arrayapi_unify.overrides import map_arrays


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


class TestMethodsOfTheClass:
    """PyTorch's protocol is a class method."""

    class ByClass:
        @classmethod
        def __ivy_array_function__(cls, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
            return cls.__name__, func.__name__, types, args, kwargs

    class Derived(ByClass):
        pass

    class Static:
        @staticmethod
        def __ivy_array_function__(func: Any, types: Any, args: Any, kwargs: Any) -> Any:
            return func.__name__, types, args, kwargs

    @pytest.mark.parametrize("kind", [ByClass, Derived])
    def test_class_methods(self, kind: Any) -> None:
        x = kind()
        wanted = (kind.__name__, "add", (kind,), (1, x), {})
        assert unify.add(1, x) == wanted  # type: ignore[comparison-overlap]  # what the class returns

    def test_static_methods(self) -> None:
        x = self.Static()
        wanted = ("sin", (self.Static,), (x,), {"out": None})
        assert unify.sin(x, out=None) == wanted  # type: ignore[comparison-overlap]  # see above

    def test_class_methods_of_subclasses_of_array(self) -> None:
        class Own(unify.Array):
            @classmethod
            def __ivy_array_function__(cls, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
                return cls, func

        assert Own([1.0]) + 1 == (Own, unify.add)

    def test_wrong_signature(self) -> None:
        class Wrong:
            @classmethod
            def __ivy_array_function__(cls, func: Any) -> None: ...

        with pytest.raises(BackendError, match=r"the override of .*Wrong doesn't take these"):
            unify.sin(Wrong())


class Proxy:
    """Wraps an array by `map_arrays`."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        def unwrap(x: Any) -> Any:
            return x.array if isinstance(x, Proxy) else x

        return map_arrays(func, args, kwargs, unwrap, Proxy)


class TestMapArrays:
    X = Proxy(unify.asarray([2.0, 1.0, 2.0]))

    def values(self, x: Any) -> Any:
        assert type(x) is Proxy
        assert isinstance(x.array, unify.Array)
        return x.array.tolist()

    def test_arguments(self) -> None:
        assert self.values(unify.add(self.X, 1)) == [3.0, 2.0, 3.0]
        assert self.values(unify.concat([self.X, unify.ones(1)])) == [2.0, 1.0, 2.0, 1.0]
        assert self.values(unify.clip(unify.ones(3), self.X, None)) == [2.0, 1.0, 2.0]
        assert self.values(unify.where(self.X.array > 1, self.X, 0.0)) == [2.0, 0.0, 2.0]

    def test_results(self) -> None:
        found = unify.unique_counts(self.X)
        assert type(found).__name__ == type(unify.unique_counts(self.X.array)).__name__
        assert self.values(found.values) == [1.0, 2.0]
        assert self.values(found.counts) == [1, 2]
        assert unify.result_type(self.X, unify.float32) is unify.float64
        assert type(unify.to_numpy(self.X)) is Proxy  # NumPy's array is one, too

    def test_nests_and_containers(self) -> None:
        found = map_arrays(
            lambda nest, more: {"a": nest["a"][0] + more.b, "n": 3},
            [{"a": (self.X,)}], {"more": unify.Container({"b": self.X})},
            lambda x: x.array if isinstance(x, Proxy) else x, Proxy,
        )  # fmt: skip
        assert self.values(found["a"]) == [4.0, 2.0, 4.0]
        assert found["n"] == 3

    def test_what_is_written_to_is_returned(self) -> None:
        out = Proxy(unify.zeros(3))
        assert unify.sqrt(self.X, out=out) is out  # type: ignore[comparison-overlap]  # an object
        assert self.values(out) == np.sqrt([2.0, 1.0, 2.0]).tolist()
        assert unify.set_item(out, 0, 7.0) is out  # type: ignore[comparison-overlap]  # an object
        assert out.array[0] == 7.0
