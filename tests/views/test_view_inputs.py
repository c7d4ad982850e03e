"""Calls with emulated views use their current data."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest
import torch

import arrayapi_unify as unify
import arrayapi_unify.torch as xp
from arrayapi_unify.errors import UnifyError
from arrayapi_unify.views.view import view_of
from tests.tables import each

Pair = tuple[Callable[[Any], Any], Callable[[Any], Any]]

VALUES: Final = np.array([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]])

VIEWS: Final[dict[str, Pair]] = {
    "flip": (lambda x: xp.flip(x), lambda x: np.flip(x)),
    "flip of an axis": (lambda x: xp.flip(x, axis=1), lambda x: np.flip(x, 1)),
    "flip from the end": (lambda x: xp.flip(x, axis=-2), lambda x: np.flip(x, -2)),
    "slice": (lambda x: x[:, ::-2], lambda x: x[:, ::-2]),
    "diagonal": (lambda x: xp.linalg.diagonal(x), lambda x: np.diagonal(x)),
    "other diagonal": (
        lambda x: xp.linalg.diagonal(x, offset=1),
        lambda x: np.diagonal(x, 1),
    ),
    "broadcast": (lambda x: xp.broadcast_to(x, (2, 2, 3)), lambda x: np.broadcast_to(x, (2, 2, 3))),
    "flip of a flip": (lambda x: xp.flip(xp.flip(x), axis=0), lambda x: np.flip(np.flip(x), 0)),
}

CALLS: Final[dict[str, Pair]] = {
    "sum": (lambda v: xp.sum(v, axis=0), lambda v: np.sum(v, axis=0)),
    "exp": (lambda v: xp.exp(v), lambda v: np.exp(v)),
    "top level": (lambda v: unify.exp(v), lambda v: np.exp(v)),
    "method": (lambda v: v.std(), lambda v: np.std(v)),
    "operator": (lambda v: 2.0 - v, lambda v: 2.0 - v),
    "other operand": (lambda v: xp.asarray(1.5) * v, lambda v: 1.5 * v),
    "of two": (lambda v: xp.add(v, v), lambda v: v + v),
    "into out": (
        lambda v: xp.multiply(v, 2.0, out=xp.zeros(v.shape)),
        lambda v: v * 2.0,
    ),
    "argmax": (lambda v: xp.argmax(v), lambda v: np.argmax(v)),
    "beside a scalar": (lambda v: xp.maximum(2.5, v), lambda v: np.maximum(2.5, v)),
    "beside a native tensor": (
        lambda v: xp.add(v, torch.ones((), dtype=torch.float64)),
        lambda v: v + 1.0,
    ),
    "of three": (lambda v: xp.where(v > 2.0, v, -1.0), lambda v: np.where(v > 2.0, v, -1.0)),
    "of any number": (
        lambda v: xp.stack(xp.broadcast_arrays(v, xp.ones(v.shape))),
        lambda v: np.stack(np.broadcast_arrays(v, np.ones(v.shape))),
    ),
    "of a list": (
        lambda v: xp.stack([v, xp.zeros(v.shape), v]),
        lambda v: np.stack([v, np.zeros(v.shape), v]),
    ),
}


def same(ours: Any, wanted: Any) -> None:
    np.testing.assert_allclose(np.asarray(ours), wanted, rtol=1e-14, strict=True)


WRITES: Final[dict[str, Pair]] = {
    "ours": (lambda x: x.__setitem__((0, 0), 7.0),) * 2,
    "native": (lambda x: x.data.mul_(-3.0), lambda x: x.__imul__(-3.0)),
    "through another view": (
        lambda x: xp.flip(x, axis=0).__setitem__((0, 1), 8.5),
        lambda x: np.flip(x, 0).__setitem__((0, 1), 8.5),
    ),
    "in place": (lambda x: x.__iadd__(0.25),) * 2,
}


@each("write, view, call", itertools.product(WRITES, VIEWS, CALLS))
def test_each_call_sees_each_write(write: str, view: str, call: str) -> None:
    x, plain = xp.asarray(VALUES.copy()), VALUES.copy()
    ours, theirs = VIEWS[view][0](x), VIEWS[view][1](plain)
    f, g = CALLS[call]
    same(f(ours), g(theirs))
    WRITES[write][0](x)
    WRITES[write][1](plain)
    same(f(ours), g(theirs))
    same(f(ours), g(theirs))  # the cached data is the same


def test_a_write_to_a_view_that_stood_in_reaches_its_source() -> None:
    x = xp.asarray(VALUES.copy())
    view = xp.flip(x, axis=1)
    xp.exp(view)
    view[0, 0] = 9.0
    view += 1.0
    expected = VALUES.copy()
    np.flip(expected, 1)[0, 0] = 9.0
    same(x, expected + 1.0)
    same(xp.sum(view, axis=0), np.flip(expected + 1.0, 1).sum(axis=0))


def test_out_that_follows_is_written_through() -> None:
    x = xp.asarray(VALUES.copy())
    view = xp.flip(x, axis=0)
    assert xp.multiply(view, view, out=view) is view
    same(x, VALUES**2)


def test_what_is_read_only_stays_so() -> None:
    x = xp.asarray(VALUES.copy())
    diagonal = xp.linalg.diagonal(x)
    xp.exp(diagonal)
    with pytest.raises(UnifyError, match="read-only"):
        diagonal[0] = 1.0
    with pytest.raises(UnifyError, match="read-only"):
        xp.exp(diagonal, out=diagonal)
    same(x, VALUES)


def test_of_views_that_are_only_read_no_memory_is_made() -> None:
    x = xp.asarray(VALUES.copy())
    views = [xp.flip(x, axis=1), xp.linalg.diagonal(x), xp.broadcast_to(x, (2, 2, 3))]
    for view in views:
        assert xp.sum(view * view - 1.0).ndim == 0
    x[0, 0] = 8.0
    assert float(views[1][0]) == 8.0
    assert view_of(x) is None
    views[0][0, 0] = 9.0
    assert view_of(x) is not None
    assert float(x[0, 2]) == 9.0


def test_a_late_view_outlives_its_source_and_is_viewed_itself() -> None:
    plain = VALUES.copy()
    view, twin = xp.flip(xp.asarray(plain), axis=0), np.flip(plain, 0)
    part, twin_part = view[:, ::-1], twin[:, ::-1]
    part[0, 0] = twin_part[0, 0] = 7.0
    again, twin_again = xp.flip(xp.flip(view)), np.flip(np.flip(twin))
    again += 1.0
    twin_again += 1.0
    for ours, theirs in ((view, twin), (part, twin_part), (again, twin_again)):
        same(ours, theirs)


def test_a_window_keeps_no_windows_alive_but_the_first_array() -> None:
    x = xp.asarray(VALUES.copy().reshape(-1))
    seen = [weakref.ref(x)]
    while x.size > 1:
        x = x[1:]
        seen.append(weakref.ref(x))
    alive = [ref() is not None for ref in seen]
    assert alive == [True, *[False] * 4, True]


def test_a_zero_dimensional_flip_is_a_copy() -> None:
    x = xp.asarray(2.0)
    flipped = xp.flip(x)
    x[...] = 3.0
    assert float(flipped) == 2.0


def test_an_overriding_class_gets_the_array_that_follows() -> None:
    class Other:
        def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
            return args

    x, other = xp.asarray(VALUES.copy()), Other()
    view = xp.flip(x)
    assert xp.add(view, other)[0] is view
    assert xp.add(other, view)[1] is view


def test_derivatives_pass_through_what_stands_in() -> None:
    native = torch.tensor(VALUES, requires_grad=True)
    x = unify.Array(native)
    weights = xp.asarray([1.0, 2.0, 3.0])
    xp.sum(xp.flip(x, axis=1) * weights).data.backward()
    assert native.grad is not None
    np.testing.assert_array_equal(native.grad.numpy(), np.tile([3.0, 2.0, 1.0], (2, 1)))


def test_a_flip_is_computed_once_until_somebody_writes() -> None:
    x = xp.asarray(VALUES, copy=True)
    view = xp.flip(x)
    first = view.data
    assert view.data is first
    x.data[0, 0] = 5.0
    assert view.data is not first
    assert float(view[1, 2]) == 5.0
