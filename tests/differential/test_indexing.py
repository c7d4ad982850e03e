"""`x[key]`, `x[key] = value` and `x[key] += value`, and programs of views and writes."""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import namespace_of
from tests.differential.arguments import cases
from tests.differential.case import Case, build, literal
from tests.differential.check import report
from tests.differential.compare import compare
from tests.differential.drive import for_all
from tests.differential.outcome import Outcome, outcome_of, values_of


def _same(other: ModuleType, source: str, apply: Callable[[ModuleType], Outcome]) -> str | None:
    expected, got = apply(namespace_of("numpy")), apply(other)
    found = compare(Case("get_item"), expected, got)
    return None if found is None else report(source, other, (found, expected, got))


def _named(case: Case) -> list[Any]:
    return [*case.args, *case.kwargs.values()]


def test_get(other: ModuleType) -> None:
    def check(case: Case) -> str | None:
        x, key = _named(case)
        source = f"operator.getitem({x!r}, {literal(key)})"
        return _same(
            other, source, lambda xp: outcome_of(lambda: operator.getitem(*build([x, key], xp)), xp)
        )

    for_all(cases("get_item"), check, other)


def _assigned(case: Case, add: bool, xp: ModuleType) -> Outcome:
    """Assign; what was selected before keeps its values, and a failure changes nothing."""

    def action() -> Any:
        x, key, value = build(_named(case), xp)
        before = values_of(x)
        selected = x[key]
        kept = values_of(selected)
        try:
            if add:
                x[key] += value
            else:
                x[key] = value
        except Exception:
            assert repr(values_of(x)) == repr(before), "a failure changed the array"
            raise
        assert repr(values_of(selected)) == repr(kept), "the write reached another array"
        return x

    return outcome_of(action, xp)


def _of_higher_kind(value: Any, x: Any) -> bool:
    kinds = "buifc"
    given = np.asarray(getattr(value, "values", value)).dtype.kind
    return kinds.index(given) > kinds.index(x.values.dtype.kind)


def _both_fail(case: Case, other: ModuleType) -> bool:
    return all(_assigned(case, True, xp).error for xp in (namespace_of("numpy"), other))


@pytest.mark.parametrize("add", [False, True], ids=["set", "add"])
def test_set(add: bool, other: ModuleType) -> None:
    def check(case: Case) -> str | None:
        x, key, value = _named(case)
        sign = "+=" if add else "="
        source = f"x = {x!r}; x[{literal(key)}] {sign} {literal(value)}"
        if add and _of_higher_kind(value, x) and _both_fail(case, other):
            return None  # the shape may not fit either, and it is open which is found first
        return _same(other, source, lambda xp: _assigned(case, add, xp))

    for_all(cases("set_item"), check, other)


# --- programs ---------------------------------------------------------------------------------


def _get(key: Any) -> Callable[[ModuleType, Any], Any]:
    return lambda xp, x: x[key]


_KEYS = (0, -1, None, Ellipsis, slice(1, None), slice(None, None, -1), (Ellipsis, 0), slice(0, 0))
_VIEWS: dict[str, Callable[[ModuleType, Any], Any]] = {
    "y": lambda xp, x: x,
    "xp.asarray(y)": lambda xp, x: xp.asarray(x),
    "xp.asarray(y, copy=True)": lambda xp, x: xp.asarray(x, copy=True),
    "xp.astype(y, y.dtype, copy=False)": lambda xp, x: xp.astype(x, x.dtype, copy=False),
    "xp.reshape(y, (-1,))": lambda xp, x: xp.reshape(x, (-1,)),
    "xp.flip(y)": lambda xp, x: xp.flip(x),
    "xp.expand_dims(y, axis=0)": lambda xp, x: xp.expand_dims(x, axis=0),
    "xp.broadcast_to(y, (2, *y.shape))": lambda xp, x: xp.broadcast_to(x, (2, *x.shape)),
    "xp.matrix_transpose(y)": lambda xp, x: xp.matrix_transpose(x),
    "xp.real(y)": lambda xp, x: xp.real(x),
    "y.to_device(y.device)": lambda xp, x: x.to_device(x.device),
    "xp.broadcast_arrays(y)[0]": lambda xp, x: xp.broadcast_arrays(x)[0],
    "xp.unstack(y)[0]": lambda xp, x: xp.unstack(x)[0],
    "xp.from_dlpack(y)": lambda xp, x: xp.from_dlpack(x),
    **{f"y[{literal(key)}]": _get(key) for key in _KEYS},
}


def _add(xp: ModuleType, x: Any) -> None:
    x += 10


def _square(xp: ModuleType, x: Any) -> None:
    x **= 2


def _set(key: Any) -> Callable[[ModuleType, Any], None]:
    return lambda xp, x: operator.setitem(x, key, 7)


_WRITES: dict[str, Callable[[ModuleType, Any], None]] = {
    "y += 10": _add,
    "y **= 2": _square,
    "xp.set_item(y, ..., 3)": lambda xp, x: xp.set_item(x, Ellipsis, 3),
    "y[y > 1] = 5": lambda xp, x: operator.setitem(x, x > 1, 5),
    **{f"y[{literal(key)}] = 7": _set(key) for key in _KEYS},
}
_STEPS = st.tuples(st.integers(0, 5), st.sampled_from([*_VIEWS, *_WRITES, *_WRITES]))
_PROGRAMS = st.tuples(
    st.sampled_from([(), (3,), (2, 3), (1,), (0, 2)]), st.lists(_STEPS, min_size=2, max_size=7)
)


def _ran(program: tuple[tuple[int, ...], list[tuple[int, str]]], xp: ModuleType) -> Outcome:
    """Run a program; all arrays that it made, and the steps that failed, are the outcome."""
    shape, steps = program

    def action() -> list[Any]:
        size = xp.prod(xp.asarray([*shape, 1])).item()
        arrays: list[Array] = [xp.reshape(xp.arange(size), shape)]
        failures: list[str] = []
        for which, step in steps:
            x = arrays[which % len(arrays)]
            try:
                if step in _VIEWS:
                    arrays.append(_VIEWS[step](xp, x))
                else:
                    _WRITES[step](xp, x)
            except (IndexError, ValueError, TypeError) as error:
                failures.append(f"{step}: {Outcome(error=error).error_class}")
        return [*arrays, *failures]

    return outcome_of(action, xp)


def test_programs_of_views_and_writes(other: ModuleType) -> None:
    """`x[key] = value` and `x op= y` change one array, whatever views there are (docs/views.md)."""

    def check(program: Any) -> str | None:
        shape, steps = program
        text = "; ".join(f"(array {which}) {step}" for which, step in steps)
        return _same(other, f"an array of shape {shape}; {text}", lambda xp: _ran(program, xp))

    for_all(_PROGRAMS, check, other)
