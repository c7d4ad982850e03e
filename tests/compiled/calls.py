"""Calls of a function with arrays of one data type and size, for programs of many functions.

The calls come from `tests/differential`: drawn from the contract, or with every special value. Here
their arrays are longer, and calls of one data type and size share arrays, since a compiler fuses
functions of one array.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final
from unittest import mock

import ml_dtypes
import numpy as np
from hypothesis import strategies as st

from arrayapi_unify import dtypes
from arrayapi_unify.contracts import CONTRACTS, Contract
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.dtypes import DType
from tests.differential import decompositions, special, strategies
from tests.differential.arguments import CallBuilder, draw_case, legal_dtypes
from tests.differential.case import ArrayArg, Case, replaced
from tests.differential.coverage import GIVE_NO_ARRAYS, compared, takes_arrays
from tests.differential.runner import check_examples
from tests.differential.strategies import Draw, Shape

__all__ = ["DTYPES", "FUNCTIONS", "REDUCED", "SIZES", "Call", "calls_of", "scalar_calls", "takes"]

REDUCED: Final = {"float16": np.dtype(np.float16), "bfloat16": np.dtype(ml_dtypes.bfloat16)}
DTYPES: Final = (*map(str, dtypes.ALL), *REDUCED)
_LEFT_OUT: Final = {"empty_like"}  # its values are unspecified
FUNCTIONS: Final = tuple(
    f for f in compared() if takes_arrays(f) and f not in GIVE_NO_ARRAYS | _LEFT_OUT
)
# A remainder behind vectors of 32 numbers, several rows of vectors, and no whole vector.
_SHAPES: Final[dict[str, tuple[Shape, ...]]] = {
    "4": ((4,), (2, 2), (1, 4), (2, 1, 2)),
    "33": ((33,), (33,), (3, 11), (33, 1), (1, 3, 11)),
    "1000": ((1000,), (1000,), (8, 125), (4, 250), (2, 10, 50), (4, 1, 250)),
}
SIZES: Final = (*_SHAPES, "special")
_ORDINARY: Final = ("wide", "moderate", "small")
_SPECIAL: Final = ("special", "light")
_LARGE: Final = {"meshgrid"}  # of three arrays of 1,000 elements
# Values in place of an array, which a compiler computes in the loop of the function.
_CHANGES: Final = {
    "xp.negative(xp.abs($))": "iuf", "xp.bitwise_invert($)": "biu", "xp.multiply($, 0)": "iufc",
    "xp.logical_not($)": "biufc", "$[::2]": "biufc", "xp.flip($)": "biufc", "$.T": "biufc",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Call:
    """A call, and what its first array is replaced by; `$` is the array."""

    case: Case
    change: str = "$"

    def __repr__(self) -> str:
        """Return the call as source, with the change."""
        return str(self.case) if self.change == "$" else f"{self.case} of {self.change}"


def takes(function: str, dtype: str) -> bool:
    """Return True if a function accepts arrays of a data type, or draws them of any.

    Decompositions in float16 and bfloat16 are rounded from float32, and not unique.
    """
    if dtype in REDUCED and function in decompositions.CHECKS:
        return False
    plain = "float32" if dtype in REDUCED else dtype
    return any(str(first) == plain for first, _ in legal_dtypes(function)[0])


@functools.cache
def _numbers(dtype: DType, magnitude: str) -> Any:
    """Draw some numbers of a magnitude, for the elements of arrays."""
    found: list[Any] = []
    numbers = strategies.elements(dtype, magnitude)
    check_examples(st.lists(numbers, min_size=40, max_size=40), found.extend)
    if magnitude == "wide" and dtype.kind == "f":  # mostly far from overflow
        found += [s * 2.0**n / 3 for n in range(-66, 67) for s in (-1, 1)]
    with np.errstate(all="ignore"):
        return np.unique(np.array(found, str(dtype)))


@functools.cache
def _draw_all_numbers() -> None:
    """Draw the numbers first: Hypothesis refuses to draw while it draws a call."""
    for dtype, magnitude in itertools.product(dtypes.ALL, (*strategies.MAGNITUDES, "tiny")):
        _numbers(dtype, magnitude)


@functools.cache
def _array(shape: Shape, dtype: DType, magnitude: str, number: int) -> ArrayArg:
    rng = np.random.default_rng(zlib.crc32(f"{shape}{dtype}{magnitude}{number}".encode()))
    return ArrayArg(rng.choice(_numbers(dtype, magnitude), math.prod(shape)).reshape(shape))


class _Builder(CallBuilder):
    """Draws a call without faults, from the arrays that all calls of a data type and size share."""

    own: DType
    magnitude_order: tuple[str, ...]

    def __init__(self, draw: Draw, contract: Contract) -> None:
        super().__init__(draw, contract)
        self.fault = None
        self._made = 0

    def array(
        self, shape: Shape, dtype: DType | None = None, magnitudes: tuple[str, ...] | None = None
    ) -> ArrayArg:
        """Take an array, and for the next argument another one."""
        allowed = magnitudes or self.magnitudes
        magnitude = next((m for m in self.magnitude_order if m in allowed), allowed[0])
        self._made += 1
        return _array(tuple(shape), dtype or self.dtype(), magnitude, self._made)

    def pair(self) -> list[DType]:
        """Draw a pair that begins with the data type, mostly the same twice."""
        if self._dtypes is None:
            legal = [p for p in legal_dtypes(self.contract.qualified_name)[0] if p[0] is self.own]
            others = [p for p in legal if p[1] is not self.own]
            same = (self.own, self.own)
            chosen = self.one_of(*others) if others and self.chance(4) else same
            self._dtypes = list(chosen if chosen in legal else legal[0])
        return self._dtypes

    def any_dtype(self, kinds: str = "buifc") -> DType:
        """Draw the data type where it is of these kinds, mostly."""
        own = self.own.kind in kinds and not self.chance(4)
        return self.own if own else super().any_dtype(kinds)


@st.composite
def _cases(draw: Draw, function: str, dtype: str, special_ones: bool) -> Case:
    order = (*_SPECIAL, *_ORDINARY) if special_ones else (*_ORDINARY, *_SPECIAL)
    shared = type("_", (_Builder,), {"own": dtypes.as_dtype(dtype), "magnitude_order": order})
    return draw_case(draw, CONTRACTS[function], shared)


def _drawn(function: str, dtype: str, size: str) -> list[Case]:
    """Draw a few calls; a function with shapes of its own keeps them."""
    _draw_all_numbers()
    found: list[Case] = []
    again = 1 + zlib.crc32(f"{function}{dtype}{size}".encode()) % 1000
    shapes = _SHAPES["33" if size == "special" or function in _LARGE else size]
    with mock.patch.object(strategies, "SHAPES", shapes):
        check_examples(_cases(function, dtype, size == "special"), found.append, again=again)
    return found[::-1]  # the first one of Hypothesis is the simplest


def _special(function: str, dtype: str) -> Iterator[Case]:
    """Yield the calls with all special values, and with rows of them."""
    category = CONTRACTS[function].category
    required = [p for p in CONTRACTS[function].inputs if p.required]
    if category in special.CATEGORIES and len(required) < 3:
        kinds = ("floating", "others")
        yield from (case for kind in kinds for case in special.special_cases(function, kind))
    elif special.goes_along_rows(function):
        yield from special.row_cases(function)


def _halved(case: Case, half: str) -> Case:
    """Return a call with float16 or bfloat16 in place of float32."""

    def narrow(array: ArrayArg) -> ArrayArg:
        if array.values.dtype != np.float32:
            return array
        with np.errstate(all="ignore"):
            return ArrayArg(array.values.astype(REDUCED[half]), array.view)

    return Case(case.function, *replaced([case.args, case.kwargs], narrow))


def calls_of(function: str, dtype: str, size: str) -> Iterator[list[Call]]:
    """Yield alternatives: the calls to make, each before what replaces it where it is refused."""
    plain = "float32" if dtype in REDUCED else dtype
    cases = [c for c in _special(function, plain) if str(c.arrays()[0].dtype) == plain]
    rows = [cases[:2]] if size == "special" and cases else []
    rows += [[case] for case in _drawn(function, plain, size) if not rows]
    chance = random.Random(f"{function}{dtype}{size}")
    for row in rows:
        halved = [_halved(case, dtype) if dtype in REDUCED else case for case in row]
        kinds = {str(d): d.kind for d in dtypes.ALL} | dict.fromkeys(REDUCED, "f")
        changes = [change for change, kind in _CHANGES.items() if kinds[dtype] in kind]
        changes = ["$"] * 7 + changes * all(case.arrays() for case in halved)
        yield [Call(case, chance.choice(changes)) for case in halved]
        yield [Call(case) for case in halved]


def scalar_calls(function: str, dtype: str) -> list[Call]:
    """Return the calls with every scalar on either side of an array of special values."""
    roles = [p.role for p in CONTRACTS[function].inputs]
    cases = special.special_cases(function, "scalars") if roles == [Role.OPERAND] * 2 else []
    return [Call(case) for case in cases if str(case.arrays()[0].dtype) == dtype]
