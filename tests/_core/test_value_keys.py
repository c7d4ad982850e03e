"""Keys of values: equal for equal values of the same types, all through."""

from __future__ import annotations

import collections
import dataclasses
import decimal
import enum
import fractions
import itertools
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

from arrayapi_unify._core.value_keys import value_key


@dataclasses.dataclass(frozen=True)
class Frozen:
    value: Any


@dataclasses.dataclass(frozen=True, slots=True)
class Slotted:
    value: Any


class ByValue:
    """Compares by value, as Python compares."""

    __slots__ = ("__value", "more")

    def __init__(self, value: Any) -> None:
        self.__value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByValue) and self.__value == other.__value

    def __hash__(self) -> int:
        return hash(self.__value)


class One(enum.IntEnum):
    ONE = 1


class Pair(collections.namedtuple("Pair", "first second")):
    """A named tuple with attributes."""


Decimal, Fraction = decimal.Decimal, fractions.Fraction
ALIKE: Final[list[list[Any]]] = [
    [1, 1.0, True, 1 + 0j, Fraction(1), Decimal(1), Decimal("1.0"), One.ONE, np.int64(1),
     np.int8(1), np.float32(1), np.float64(1), np.True_],
    [0, 0.0, -0.0, False, Decimal(0), Decimal("-0"), np.float32(0.0), np.float32(-0.0), 0j, -0j],
]  # fmt: skip
HOLDERS: Final[dict[str, Callable[[Any], Any]]] = {
    "itself": lambda v: v,
    "dataclass": Frozen,
    "dataclass with slots": Slotted,
    "object": ByValue,
    "frozenset": lambda v: frozenset([v]),
    "tuple": lambda v: (v,),
    "named tuple": lambda v: Pair(v, 0),
    "value of a dict": lambda v: {"a": v},
    "key of a dict": lambda v: {v: "a"},
    "slice": lambda v: slice(v, None),
    "deep": lambda v: Frozen((ByValue(Frozen(v)),)),
}


def key(value: Any) -> Any:
    return value_key(value, lambda value: None)


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("values", ALIKE)
def test_equal_values_of_other_types_differ(values: list[Any], holder: str) -> None:
    hold = HOLDERS[holder]
    for first, second in itertools.combinations(values, 2):
        assert key(hold(first)) != key(hold(second)), (first, second)
    for value in values:
        assert key(hold(value)) == key(hold(value))
        hash(key(hold(value)))


@pytest.mark.parametrize("kind", [float, np.float32, np.float64, Decimal])
@pytest.mark.parametrize("holder", ["itself", "dataclass", "dataclass with slots", "frozenset"])
def test_nan_equals_itself(holder: str, kind: type) -> None:
    hold = HOLDERS[holder]
    assert key(hold(kind("nan"))) == key(hold(kind("nan")))


def test_objects_by_identity() -> None:
    class Plain:
        pass

    first, second = Plain(), Plain()
    assert key(first) == key(first) != key(second)
    assert key(np.sum) == key(np.sum) != key(np.max)
    assert key([].append) != key([].append)


def test_derived_collections_have_attributes() -> None:
    assert key(collections.defaultdict(int)) != key(collections.defaultdict(float))
    first, second = Pair(1, 2), Pair(1, 2)
    first.unit, second.unit = "m", "s"  # type: ignore[attr-defined]
    assert first == second
    assert key(first) != key(second)


def test_what_is_not_hashable() -> None:
    @dataclasses.dataclass
    class Changing:
        value: int

    for value in (Changing(1), {1}, bytearray(b"a"), (1, Changing(1)), Frozen(Changing(1))):
        if not isinstance(value, Frozen):
            with pytest.raises(TypeError, match="unhashable"):
                hash(key(value))
    # An attribute that isn't hashable counts by identity, if the object is hashable.
    held = ByValue(1)
    held.more = Changing(1)
    other = ByValue(1)
    other.more = Changing(1)
    assert hash(key(held)) == hash(key(held))
    assert key(held) != key(other)


def test_cycles() -> None:
    held = ByValue(1)
    held.more = held
    assert key(held) == key(held)
