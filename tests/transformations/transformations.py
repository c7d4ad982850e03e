"""Transformations of functions of arrays to tuples, each with its meaning on NumPy's arrays."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final, NamedTuple

import numpy as np

import arrayapi_unify as unify

__all__ = ["DERIVATIVES", "TRANSFORMATIONS", "NotSmooth", "Place", "Transformation"]

Function = Callable[..., tuple[Any, ...]]


class Place(NamedTuple):
    """A backend's namespace, and other arguments of the same shapes."""

    xp: ModuleType
    others: Callable[[], Sequence[Any]]


class Transformation(NamedTuple):
    """The transformed function, as ours make it and as a loop of NumPy's would."""

    ours: Callable[[Place, Function], Function]
    numpy: Callable[[Function], Function]
    rows: bool = False
    """True if the arguments have another axis in front."""
    writes: bool = True
    """True if a write to an argument reaches the caller's array, and is compared."""
    share: bool = True
    """True if arguments that share memory are taken."""
    aliases: bool = False
    """True if results share memory as those of the function do; else they are new arrays."""


def _same(function: Function) -> Function:
    return function


def _rowwise(function: Function) -> Function:
    """Return the function of rows as a loop."""

    def looped(*arrays: Any) -> tuple[Any, ...]:
        made = [function(*[np.array(x[i]) for x in arrays]) for i in range(len(arrays[0]))]
        return tuple([np.stack(parts) for parts in zip(*made, strict=True)])

    return looped


def _scan(place: Place, function: Function) -> Function:
    def step(state: Any, row: Any) -> tuple[Any, Any]:
        state[0] += 1
        return state, function(*row)

    def scanned(*arrays: Any) -> tuple[Any, ...]:
        state, ret = unify.scan(step, place.xp.zeros(2), arrays)
        return *ret, state

    return scanned


def _scan_numpy(function: Function) -> Function:
    return lambda *arrays: (*_rowwise(function)(*arrays), np.asarray([float(len(arrays[0])), 0.0]))


def _cond(place: Place, function: Function) -> Function:
    def turned(*arrays: Any) -> tuple[Any, ...]:
        return function(*[place.xp.flip(x) for x in arrays])

    def chosen(*arrays: Any) -> tuple[Any, ...]:
        one = place.xp.any(place.xp.astype(arrays[0], place.xp.bool))
        return unify.cond(one, function, turned, *arrays)

    return chosen


def _cond_numpy(function: Function) -> Function:
    def chosen(*arrays: Any) -> tuple[Any, ...]:
        if np.any(arrays[0].astype(bool)):
            return function(*arrays)
        return function(*[np.flip(x) for x in arrays])

    return chosen


def _states(function: Function, xp: Any, arrays: Sequence[Any]) -> Any:
    """Return a loop's next state: the arguments mirrored, and the results for them.

    They are copies, as a loop in Python would write to its first arguments.
    """
    arrays = [xp.asarray(xp.flip(x), copy=True) for x in arrays]
    ret = function(*arrays)
    return (*arrays, *ret)


def _fori_loop(place: Place, function: Function) -> Function:
    def looped(*arrays: Any) -> tuple[Any, ...]:
        n = len(arrays)

        def body(i: Any, state: Any) -> Any:
            del i
            return _states(function, place.xp, state[:n])

        first = _states(function, place.xp, arrays)
        return tuple(unify.fori_loop(0, 2, body, first)[n:])

    return looped


def _while_loop(place: Place, function: Function) -> Function:
    def looped(*arrays: Any) -> tuple[Any, ...]:
        n = len(arrays)

        def body(state: Any) -> Any:
            return state[0] + 1, _states(function, place.xp, state[1][:n])

        first = place.xp.asarray(0), _states(function, place.xp, arrays)
        return tuple(unify.while_loop(lambda state: state[0] < 2, body, first)[1][n:])

    return looped


def _loop_numpy(function: Function) -> Function:
    def looped(*arrays: Any) -> tuple[Any, ...]:
        state: tuple[Any, ...] = arrays
        for _ in range(3):
            state = _states(function, np, state[: len(arrays)])
        return state[len(arrays) :]

    return looped


def _portable(place: Place, function: Function) -> Function:
    del place
    inner = unify.portable(lambda *arrays: function(*arrays))

    def called(*arrays: Any) -> tuple[Any, ...]:
        return tuple(map(unify.asarray, inner(*[x.data for x in arrays])))

    return called


def _threads(place: Place, function: Function) -> Function:
    """Call with other arguments in another thread at the same time."""

    def both(*arrays: Any) -> tuple[Any, ...]:
        other = threading.Thread(target=_quietly, args=(function, place.others()))
        other.start()
        try:
            return function(*arrays)
        finally:
            other.join()

    return both


def _quietly(function: Function, arrays: Sequence[Any]) -> None:
    """Call a function; its errors don't count, as they do in the other thread."""
    try:
        function(*arrays)
    except Exception:
        return


def _graph(place: Place, function: Function) -> Function:
    def called(*arrays: Any) -> tuple[Any, ...]:
        return tuple(unify.compile_graph(function, *place.others())(*arrays))

    return called


def _subclass(place: Place, function: Function) -> Function:
    plain = type("Plain", (unify.Array,), {})
    del place
    return lambda *arrays: function(*[plain(x) for x in arrays])


def tangent(shape: Sequence[int]) -> Any:
    """Return a direction for arguments of a shape."""
    return np.cos(np.arange(np.prod(shape, dtype=int)) + 1.0).reshape(shape)


def _jvp(place: Place, function: Function) -> Function:
    def derived(*arrays: Any) -> tuple[Any, ...]:
        directions = tuple([place.xp.asarray(tangent(x.shape)) for x in arrays])
        values, tangents = unify.jvp(function, arrays, directions)
        return *values, *tangents

    return derived


def _vjp(place: Place, function: Function) -> Function:
    def derived(*arrays: Any) -> tuple[Any, ...]:
        values, pull = unify.vjp(function, *arrays)
        back = pull(tuple(map(place.xp.ones_like, values)))
        return *values, _along(place.xp, arrays, back)

    return derived


def _jacobian(place: Place, function: Function) -> Function:
    xp = place.xp

    def derived(*arrays: Any) -> tuple[Any, ...]:
        every = tuple(range(len(arrays)))
        rows = unify.jac(lambda *arrays: function(*arrays), argnums=every)(*arrays)
        directions = [xp.asarray(tangent(x.shape)) for x in arrays]
        tangents = [
            sum([xp.tensordot(row, v, axes=v.ndim) for row, v in zip(of, directions, strict=True)])
            for of in rows
        ]
        values = function(*[xp.asarray(x, copy=True) for x in arrays])
        return *[xp.asarray(x, copy=True) for x in values], *tangents

    return derived


def _along(xp: ModuleType, arrays: Sequence[Any], gradients: Sequence[Any]) -> Any:
    pairs = zip(arrays, gradients, strict=True)
    return sum([xp.sum(g * xp.asarray(tangent(x.shape))) for x, g in pairs])


def _gradient(place: Place, function: Function) -> Function:
    xp = place.xp

    def loss(*arrays: Any) -> Any:
        ret = function(*arrays)
        return sum([xp.sum(x) for x in ret])

    def derived(*arrays: Any) -> tuple[Any, ...]:
        every = tuple(range(len(arrays)))
        value, gradients = unify.value_and_grad(loss, argnums=every)(*arrays)
        return value, _along(xp, arrays, gradients)

    return derived


class NotSmooth(ValueError):
    """A program has no derivative at its arguments, or one that differences don't give."""


def _differences(function: Function, arrays: Sequence[Any]) -> tuple[Any, list[Any]]:
    """Return the values of a function, and their derivatives along a direction."""

    def at(step: float) -> tuple[Any, ...]:
        moved = [x + step * tangent(x.shape) for x in arrays]
        return function(*[np.asarray(x) for x in moved])

    step = 1e-6
    low, values, high = at(-step), at(0.0), at(step)
    found = []
    for below, value, above in zip(low, values, high, strict=True):
        if value.dtype != np.float64 or not np.all(np.isfinite(value)):
            raise NotSmooth
        left, right = (value - below) / step, (above - value) / step
        if not np.allclose(left, right, rtol=1e-3, atol=1e-3):
            raise NotSmooth
        found.append((above - below) / (2 * step))
    # Steep functions have no differences of enough digits, and constant ones no derivative.
    if not any(np.any(x) for x in found) or any(np.any(np.abs(x) > 1e3) for x in found):
        raise NotSmooth
    return values, found


def _jvp_numpy(function: Function) -> Function:
    def derived(*arrays: Any) -> tuple[Any, ...]:
        values, tangents = _differences(function, arrays)
        return *values, *tangents

    return derived


def _vjp_numpy(function: Function) -> Function:
    def derived(*arrays: Any) -> tuple[Any, ...]:
        values, tangents = _differences(function, arrays)
        return *values, np.asarray(sum([np.sum(x) for x in tangents]))

    return derived


def _gradient_numpy(function: Function) -> Function:
    def derived(*arrays: Any) -> tuple[Any, ...]:
        values, tangents = _differences(function, arrays)
        return np.asarray(sum(map(np.sum, values))), np.asarray(sum(map(np.sum, tangents)))

    return derived


DERIVATIVES: Final = {
    "jvp": Transformation(_jvp, _jvp_numpy, writes=False, share=False),
    "jac": Transformation(_jacobian, _jvp_numpy, writes=False, share=False),
    "vjp": Transformation(_vjp, _vjp_numpy, writes=False, share=False),
    "value_and_grad": Transformation(_gradient, _gradient_numpy, writes=False, share=False),
}

TRANSFORMATIONS: Final = {
    "eager": Transformation(lambda place, f: f, _same, aliases=True),
    "compile": Transformation(lambda place, f: unify.compile(f), _same, aliases=True),
    "compile_graph": Transformation(_graph, _same, aliases=True),
    "vmap": Transformation(lambda place, f: unify.vmap(f), _rowwise, rows=True, writes=False),
    "checkpoint": Transformation(lambda place, f: unify.checkpoint(f), _same),
    "scan": Transformation(_scan, _scan_numpy, rows=True, writes=False),
    "cond": Transformation(_cond, _cond_numpy, aliases=True),
    "fori_loop": Transformation(_fori_loop, _loop_numpy, writes=False, share=False),
    "while_loop": Transformation(_while_loop, _loop_numpy, writes=False, share=False),
    "portable": Transformation(_portable, _same, writes=False, share=False),
    "threads": Transformation(_threads, _same, aliases=True),
    "subclass": Transformation(_subclass, _same, aliases=True),
}
