"""Convenience functions: defaults, caches, arguments, stable arithmetic, kinds."""

from __future__ import annotations

import threading
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.installed import INSTALLED


class TestDefault:
    """B9: standalone functions."""

    def test_documented_values(self) -> None:
        assert unify.default(None, 3) == 3
        assert unify.default(0, 3) == 0

    def test_arrays_are_there(self, xp: ModuleType) -> None:
        x = xp.asarray([0, 0])
        assert unify.default(x, 3) is x
        assert unify.exists(x)
        assert unify.default(x.data, 3) is x.data

    def test_functions_are_called_if_asked(self) -> None:
        assert unify.default(lambda: None, lambda: 3, with_callable=True) == 3
        assert unify.default(lambda: 2, lambda: 3, with_callable=True) == 2
        assert unify.default(max, 3) is max
        assert unify.default(None, max) is max

    def test_exceptions_count_as_nothing_if_asked(self) -> None:
        assert unify.default(lambda: {}["a"], 3, catch_exceptions=True) == 3
        with pytest.raises(KeyError):
            unify.default(lambda: {}["a"], 3, with_callable=True)


class TestTryElseNone:
    def test_passes_arguments_and_results(self) -> None:
        assert unify.try_else_none(int, "ff", base=16) == 255
        assert unify.try_else_none(int, "nonsense") is None

    def test_exits_pass(self) -> None:
        with pytest.raises(SystemExit):
            unify.try_else_none(exit)


class Receiver:
    """A class whose constructor has parameters."""

    def __init__(self, size: int, *, depth: int = 1) -> None:
        self.shape = (size, depth)


class TestArguments:
    def test_names_of_functions_classes_and_our_own(self) -> None:
        assert unify.arg_names(Receiver) == ["size", "depth"]
        assert unify.arg_names(Receiver(1).__init__) == ["size", "depth"]
        assert unify.arg_names(unify.add) == ["x1", "x2", "out"]

    def test_match(self) -> None:
        def first(size: int) -> None: ...

        given = {"size": 1, "depth": 2, "other": 3}
        assert unify.match_kwargs(given, Receiver) == {"size": 1, "depth": 2}
        assert unify.match_kwargs(given, first, Receiver) == [{"size": 1}, {"depth": 2}]
        both = unify.match_kwargs(given, first, Receiver, allow_duplicates=True)
        assert both == [{"size": 1}, {"size": 1, "depth": 2}]
        assert given == {"size": 1, "depth": 2, "other": 3}

    def test_nobody_to_match(self) -> None:
        with pytest.raises(UnifyValueError, match="match_kwargs: argument 'receivers'"):
            unify.match_kwargs({})


class Counted:
    """A function that counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.calls += 1
        return [args, kwargs]


class TestCacheFn:
    """B9: standalone functions."""

    def test_calls_once(self) -> None:
        f = Counted()
        cached = unify.cache_fn(f)
        first = cached(3, cache=True)
        assert cached(3, cache=True) is first
        assert f.calls == 1

    def test_only_where_it_is_asked_for(self) -> None:
        f = Counted()
        cached = unify.cache_fn(f)
        cached(3, cache=True)
        cached(3)
        cached(3, cache=False)
        assert f.calls == 3

    def test_by_default_if_wished(self) -> None:
        f = Counted()
        cached = unify.cache_fn(f, cache=True)
        cached(3)
        cached(3)
        assert f.calls == 1
        cached(3, cache=False)
        assert f.calls == 2

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (1, 1.0), (1, True), (0.0, -0.0), ([1], (1,)), ([1, 2], [2, 1]), ({"a": 1}, {"a": 2}),
            ({1}, frozenset({1})), ([[1.0]], [[1]]), ("1", 1), (None, 0),
        ],
    )  # fmt: skip
    def test_tells_types_and_values_apart(self, one: Any, other: Any) -> None:
        f = Counted()
        cached = unify.cache_fn(f, cache=True)
        results = cached(one), cached(other)
        assert f.calls == 2
        assert cached(one) is results[0]
        assert cached(other) is results[1]
        assert f.calls == 2

    def test_nan_equals_itself_and_keywords_have_no_order(self) -> None:
        f = Counted()
        cached = unify.cache_fn(f, cache=True)
        cached(a=float("nan"), b={"x": [{1, 2}]})
        cached(b={"x": [{2, 1}]}, a=float("nan"))
        assert f.calls == 1

    @pytest.mark.eager
    def test_arrays_count_by_value(self, xp: ModuleType) -> None:
        f = Counted()
        cached = unify.cache_fn(f, cache=True)
        x = xp.asarray([1.0, 2.0])
        cached([x])
        cached([xp.asarray([1.0, 2.0])])
        assert f.calls == 1
        for other in (x.astype(xp.float32), xp.asarray([1.0, 3.0]), xp.reshape(x, (2, 1)), x.data):
            cached([other])
        assert f.calls == 5
        x[0] = 7.0  # a changed array is a different argument
        cached([x])
        assert f.calls == 6

    def test_backends_are_told_apart(self) -> None:
        f = Counted()
        cached = unify.cache_fn(f, cache=True)
        for backend in INSTALLED:
            cached(unify.get_backend(backend).ones(2))
        assert f.calls == len(INSTALLED)

    def test_what_has_no_value_is_never_remembered(self) -> None:
        f = Counted()
        cached = unify.cache_fn(f, cache=True)
        for _ in range(2):
            cached(slice(None), bytearray(b"unhashable"))
        assert f.calls == 2

    def test_is_bounded_and_forgets_what_was_used_least(self) -> None:
        f = Counted()
        cached = unify.cache_fn(f, cache=True, max_size=2)
        for value in (1, 2, 1, 3):
            cached(value)
        assert f.calls == 3
        cached(1)
        assert f.calls == 3
        cached(2)
        assert f.calls == 4

    def test_exceptions_are_not_remembered(self) -> None:
        cached = unify.cache_fn(lambda value: 1 / value, cache=True)
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                cached(0)

    def test_recursion_and_threads(self) -> None:
        calls = []

        @unify.cache_fn
        def fibonacci(n: int) -> int:
            calls.append(n)
            return n if n < 2 else sum(fibonacci(n - k, cache=True) for k in (1, 2))

        threads = [threading.Thread(target=lambda: fibonacci(20, cache=True)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert fibonacci(20, cache=True) == 6765
        assert len(calls) <= 4 * 21
        assert fibonacci.__name__ == "fibonacci"

    def test_mistakes(self) -> None:
        with pytest.raises(UnifyValueError, match="cache_fn: argument 'max_size' is 0"):
            unify.cache_fn(len, max_size=0)
        with pytest.raises(UnifyTypeError, match="cache_fn: argument 'function'"):
            unify.cache_fn(lambda cache: cache)


class TestStableArithmetic:
    def test_documented_value(self) -> None:
        """B9: standalone functions."""
        result = unify.stable_divide(1.0, 0.0, min_denominator=1.0)
        assert (result, type(result)) == (1.0, float)

    def test_arrays_of_every_backend(self, xp: ModuleType) -> None:
        x, y = xp.asarray([1.0, 2.0]), xp.asarray([0.0, 3.0])
        for first, second in ((x, y), (x.data, y), (x, y.data), (x.data, y.data)):
            result = unify.stable_divide(first, second, min_denominator=1.0)
            assert isinstance(result, type(x))
            assert result.tolist() == [1.0, 0.5]
        assert x.stable_divide(0.0, min_denominator=xp.asarray([1.0, 4.0])).tolist() == [1.0, 0.5]
        assert unify.stable_divide(3, y, min_denominator=1).tolist() == [3.0, 0.75]
        assert unify.stable_divide(1.0, y).tolist() == [1e12, pytest.approx(1 / 3)]

    def test_powers(self, xp: ModuleType) -> None:
        x = xp.asarray([0.0, 3.0])
        assert unify.stable_pow(x, -1, min_base=1.0).tolist() == [1.0, 0.25]
        assert x.stable_pow(xp.asarray([2, 1]), min_base=1.0).tolist() == [1.0, 4.0]
        assert unify.stable_pow(0, -1) == pytest.approx(1e5)
        assert unify.stable_pow(2.0, x.data, min_base=0.0).tolist() == [1.0, 8.0]


class TestKinds:
    """B1: kinds of functions."""

    def test_lists_every_public_function(self) -> None:
        listed = unify.kinds()
        assert set(listed) == set(CONTRACTS)
        assert list(listed) == sorted(listed)
        for name, record in listed.items():
            public = CONTRACTS[name].public
            assert (record.kind, record.category) == (public.kind, public.contract.category)

    @pytest.mark.parametrize(
        ("name", "kind"),
        [
            ("tan", "primary"), ("nn.cross_entropy", "compositional"), ("nn.linear", "mixed"),
            ("nn.softmax", "mixed"), ("cache_fn", "standalone"), ("linalg.svd", "primary"),
        ],
    )  # fmt: skip
    def test_documented_kinds(self, name: str, kind: str) -> None:
        assert unify.kinds()[name].kind == kind

    def test_flags_are_the_contracts(self) -> None:
        assert "convenience" in unify.kinds()["default"].flags
        assert "convenience" not in unify.kinds()["tan"].flags


def test_numpy_scalars_are_values_too() -> None:
    f = Counted()
    cached = unify.cache_fn(f, cache=True)
    cached(np.float64(1.5))
    cached(np.float64(1.5))
    assert f.calls == 1
