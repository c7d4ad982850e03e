"""Users' subclasses of Array."""

from __future__ import annotations

import copy
import pickle
from types import ModuleType
from typing import Any

import pytest

import arrayapi_unify as unify


class Tagged(unify.Array):
    """A user's subclass with additional attributes."""

    tags: list[str]

    def __init__(self, data: Any, tags: list[str] | None = None) -> None:
        super().__init__(data)
        self.tags = tags or []


class Slotted(unify.Array):
    """A user's subclass with an additional slot."""

    __slots__ = ("unit",)
    unit: str


class TestSubclasses:
    """B49: without their own override the result is a plain Array."""

    def test_as_inputs(self, xp: ModuleType) -> None:
        x = Tagged(xp.asarray([1.0, 2.0]))
        plain = type(xp.ones(1))
        for result in (
            unify.sin(x),
            xp.sin(x),
            x.sin(),
            unify.add(2, x),
            xp.add(x, x),
            xp.ones(2).add(x),
            unify.concat([x, x]),
            xp.stack([x, xp.ones(2)]),
            unify.where(x > 1, x, 0),
            unify.asarray(x),
            unify.sum(x),
            xp.meshgrid(x)[0],
            unify.clip(x, max=x),
            x[0],
            x[x > 1],
            xp.ones(2)[x > 1],
            next(iter(x)),
            x.astype(xp.int8),
        ):
            assert type(result) is plain

    def test_operators(self, xp: ModuleType) -> None:
        x, y = Tagged(xp.asarray([1.0, 2.0])), xp.asarray([3.0, 4.0])
        plain = type(y)
        for result, expected in (
            (x + y, [4.0, 6.0]),
            (y + x, [4.0, 6.0]),
            (x - 1, [0.0, 1.0]),
            (1 - x, [0.0, -1.0]),
            (x * x, [1.0, 4.0]),
            (-x, [-1.0, -2.0]),
            (abs(x), [1.0, 2.0]),
            (x.data - y, [-2.0, -2.0]),
            (x - y.data, [-2.0, -2.0]),
            (y.data - x, [2.0, 2.0]),
            (x < y, [True, True]),
            (x == 1, [True, False]),
            ([3.0, 4.0] - x, [2.0, 2.0]),
            (x**2, [1.0, 4.0]),
        ):
            assert type(result) is plain
            assert result.tolist() == expected
        assert (x == object()).tolist() == [False, False]
        assert (x != "a").tolist() == [True, True]
        with pytest.raises(TypeError, match="unsupported operand"):
            x + object()

    def test_in_place_keeps_the_object_and_its_class(self, either: ModuleType) -> None:
        x = before = Tagged(either.asarray([1, 2]), ["a"])
        x += 1
        x *= either.asarray([2, 3])
        x -= x
        x |= 4
        assert x is before
        assert type(x) is Tagged
        assert x.tags == ["a"]
        assert x.tolist() == [4, 4]
        with pytest.raises(TypeError, match="unsupported operand"):
            x += object()

    def test_setitem(self, either: ModuleType) -> None:
        x = Tagged(either.asarray([1, 2, 3]))
        x[0] = 7
        x[x > 5] = x[1]
        x[1:] = Tagged(either.asarray([8, 9]))
        assert x.tolist() == [2, 8, 9]

    def test_as_out(self, either: ModuleType) -> None:
        x, out = either.asarray([1.0, 4.0]), Tagged(either.zeros(2))
        assert either.sqrt(x, out=out) is out
        assert unify.add(x, x, out=out) is out
        assert out.tolist() == [2.0, 8.0]


class TestCopies:
    def test_of_a_subclass(self, xp: ModuleType) -> None:
        x = Tagged(xp.ones(2), ["a"])
        y = copy.copy(x)
        assert type(y) is Tagged
        assert y.tags is x.tags
        z = copy.deepcopy(x)
        assert type(z) is Tagged
        assert z.tags == ["a"]

    def test_deepcopy_of_a_subclass_copies_its_attributes(self, xp: ModuleType) -> None:
        x = Tagged(xp.ones(2), ["a"])
        y = copy.deepcopy(x)
        y.tags.append("b")
        assert x.tags == ["a"]

    def test_of_a_subclass_with_slots(self, xp: ModuleType) -> None:
        x = Slotted(xp.ones(2))
        x.unit = "m"
        for y in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
            assert type(y) is Slotted
            assert y.unit == "m"

    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_subclass_with_attributes(self, xp: ModuleType, protocol: int) -> None:
        x = Tagged(xp.asarray([1.0, 2.0]), ["a"])
        y = pickle.loads(pickle.dumps(x, protocol))
        assert type(y) is Tagged
        assert y.tags == ["a"]
        assert y.tolist() == [1.0, 2.0]
        assert y.backend == x.backend
