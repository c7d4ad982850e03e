"""Every backend accepts and refuses the same arguments, with the same class of exception.

In a call that succeeds on NumPy, one argument is replaced by a possibly invalid one.
`ARRAYAPI_UNIFY_INVALID_CALLS` sets the number of invalid values for each parameter (all of them:
99); `tox -e tests` has one, and `tox -e differential` more.
"""

from __future__ import annotations

import functools
import os
import random
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS, Contract
from arrayapi_unify.contracts.annotations import Role, coerce
from arrayapi_unify.contracts.contract import Parameter
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.differential.arguments import cases
from tests.differential.case import ArrayArg, Case
from tests.differential.coverage import NOT_COMPARED, parameters
from tests.differential.outcome import run
from tests.installed import INSTALLED


class Thing:
    """An object of an unknown class."""

    def __repr__(self) -> str:
        return "Thing()"


INVALID_VALUES: Final = (
    1.5, True, "text", None, Thing(), [0], (0,), (1.0,), {}, ..., {0}, range(1), np.int64(1),
    np.float32(1.0), ArrayArg(np.array(1)), ArrayArg(np.array([1.5])),
)  # fmt: skip
_EACH: Final = int(os.environ.get("ARRAYAPI_UNIFY_INVALID_CALLS", "1"))
# Intentional exceptions; any other comes from code that didn't check an invalid value.
_USUAL: Final = {None, "ValueError", "TypeError", "IndexError", "OverflowError"}
FUNCTIONS: Final = parameters(
    lambda name: bool(CONTRACTS[name].array_parameters) or CONTRACTS[name].kind != "standalone"
)


@functools.cache
def right_calls(function: str) -> list[Case]:
    """Draw calls that succeed on NumPy, some of which have each parameter."""
    contract, found, seen = CONTRACTS[function], [], set()

    @settings(
        max_examples=10,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(function))
    def draw(case: Case) -> None:
        names = {parameter.name for parameter, _ in contract.named(case.args, case.kwargs)}
        if (not found or not names <= seen) and run(case, namespace_of("numpy")).error is None:
            found.append(case)
            seen.update(names)

    draw()
    return found


def with_one(contract: Contract, case: Case, parameter: Parameter, value: Any) -> Case:
    """Return the call with another argument for a parameter."""
    place = [p.name for p in contract.parameters].index(parameter.name)
    if parameter.keyword_only or (place >= len(case.args) and not parameter.positional_only):
        return Case(case.function, case.args, {**case.kwargs, parameter.name: value})
    return Case(case.function, (*case.args[:place], value, *case.args[place + 1 :]), case.kwargs)


def invalid_calls(function: str) -> Iterator[Case]:
    contract = CONTRACTS[function]
    calls = right_calls(function)
    draw = random.Random(function)
    for parameter in contract.parameters:
        if parameter.role is Role.DEVICE or not calls:
            continue
        giving = [c for c in calls if parameter in [p for p, _ in contract.named(c.args, c.kwargs)]]
        base = (giving or calls)[0]
        for value in draw.sample(INVALID_VALUES, min(_EACH, len(INVALID_VALUES))):
            yield with_one(contract, base, parameter, value)


@pytest.mark.sample(12)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_all_backends_refuse_the_same(function: str) -> None:
    """B48 and B54: all backends refuse or all accept an invalid argument."""
    for case in invalid_calls(function):
        outcomes = {name: run(case, namespace_of(name)) for name in INSTALLED}
        classes = {outcome.error_class for outcome in outcomes.values()}
        assert len(classes) == 1, f"{case}\n{outcomes}"
        assert classes <= _USUAL, f"{case}\n{outcomes}"


def test_calls_are_found() -> None:
    """Otherwise a function could pass without a single call."""
    names = [name for name in FUNCTIONS if name.values[0] not in NOT_COMPARED]
    assert len(names) > 200
    for name in random.Random(0).sample(names, 10):
        assert list(invalid_calls(str(name.values[0])))


@pytest.mark.parametrize("name", INSTALLED)
class TestTaken:
    """Arguments that are accepted in place of others, on each backend."""

    def test_an_integer_as_a_shape(self, name: str) -> None:
        xp = namespace_of(name)
        x = xp.ones((2, 3))
        assert xp.reshape(x, -1).shape == xp.reshape(x, np.int64(6)).shape == (6,)
        assert xp.broadcast_to(xp.ones(1), 3).shape == (3,)
        assert xp.tile(xp.ones(2), 2).shape == (4,)
        assert xp.zeros(xp.asarray(3)).shape == (3,)

    def test_lists_and_ranges_as_axes(self, name: str) -> None:
        xp = namespace_of(name)
        x = xp.ones((2, 3, 1))
        assert xp.sum(x, axis=[0, 1]).shape == (1,)
        assert float(xp.sum(x, axis=range(3))) == 6.0
        assert xp.squeeze(x, axis=[2]).shape == (2, 3)
        assert xp.permute_dims(x, [2, 0, 1]).shape == (1, 2, 3)
        assert unify.sum(x, axis=[]).shape == x.sum(axis=[]).shape == (2, 3, 1)

    def test_negative_sizes_are_refused(self, name: str) -> None:
        """Only -1 is an inferred size, and only once."""
        xp = namespace_of(name)
        for x in (xp.ones((2, 3)), xp.ones((0, 3))):
            for shape in (-2, (-2,), [-3], (-2, 3), (3, -2), (2, 3, -9), (-1, -1), np.int64(-2)):
                for copy in (None, True):
                    with pytest.raises(UnifyValueError, match="reshape: argument 'shape' is"):
                        xp.reshape(x, shape, copy=copy)
        assert xp.reshape(xp.ones((2, 3)), (3, -1)).shape == (3, 2)
        assert xp.reshape(xp.ones(1), []).shape == ()

    def test_floats_as_sizes_are_refused(self, name: str) -> None:
        xp = namespace_of(name)
        x = xp.ones((2, 3))
        for call in (
            lambda: xp.reshape(x, (3.0, 2.0)),
            lambda: xp.linspace(0, 1, 5.0),
            lambda: xp.zeros(2.0),
            lambda: xp.sum(x, axis=1.0),
            lambda: xp.broadcast_to(x, {}),
            lambda: xp.astype(x, None),
        ):
            with pytest.raises(UnifyTypeError):
                call()

    def test_the_error_names_what_to_pass(self, name: str) -> None:
        xp = namespace_of(name)
        with pytest.raises(UnifyTypeError) as caught:
            xp.sum(xp.ones(2), axis="first")
        assert str(caught.value) == (
            "sum: argument 'axis' is 'first'; pass an integer or a tuple of integers or None"
        )
        with pytest.raises(UnifyValueError, match="'mean' or 'sum' or 'none'"):
            xp.cross_entropy(xp.ones(2), xp.ones(2), reduction="foo")

    def test_a_product_with_a_number(self, name: str) -> None:
        x = namespace_of(name).ones((2, 2))
        messages = set()
        for call in (lambda: x @ 2, lambda: 2 @ x):
            with pytest.raises(UnifyValueError, match=r"^matmul: argument 'x[12]' ") as caught:
                call()
            messages.add(str(caught.value))
        assert len(messages) == 2


@pytest.mark.parametrize(
    ("function", "parameter", "value", "form"),
    [
        ("sum", "axis", [0, np.int64(1)], (0, 1)),
        ("reshape", "shape", 3, (3,)),
        ("zeros", "shape", 3, 3),
        ("sum", "keepdims", 0, False),
        ("fft.fftn", "axes", None, None),
        ("linalg.matrix_norm", "ord", "fro", "fro"),
        ("linalg.matrix_norm", "ord", np.float32(2), 2.0),
    ],
)
def test_the_form_that_an_annotation_names(
    function: str, parameter: str, value: Any, form: Any
) -> None:
    contract = CONTRACTS[function]
    found = coerce(contract, next(p for p in contract.parameters if p.name == parameter), value)
    assert found == form
    assert type(found) is type(form)
