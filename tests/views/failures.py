"""Calls that fail, in every possible way, with an array that has no other reference.

`WAYS` maps a name to a function of a namespace and an array of shape (2, 3), which raises.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import arrayapi_unify as unify

__all__ = ["WAYS", "Way"]

Way = Callable[[ModuleType, Any], Any]
WAYS: dict[str, Way] = {}

# An axis, an index and a size that no array here has.
_FAR = 7


def _way(function: Way) -> Way:
    WAYS[function.__name__.strip("_").replace("_", " ")] = function
    return function


class _Broken(Exception):
    """An exception that user functions raise."""


class _Declines:
    """An override that declines every call."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return NotImplemented


class _Overrides(_Declines):
    """An override that raises."""

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        raise _Broken


def _raising(x: Any, *more: Any) -> Any:
    raise _Broken(x.shape)


def _of_another(xp: ModuleType) -> Any:
    """Return an array of another backend than the namespace's."""
    name = "numpy" if xp.zeros(1).backend != "numpy" else "torch"
    return unify.get_backend(name).ones((2, 3))


# --- arguments of a call ----------------------------------------------------------------------


@_way
def _shape(xp: ModuleType, x: Any) -> Any:
    return xp.add(x, xp.zeros((5, 4)))


@_way
def _shape_of_a_product(xp: ModuleType, x: Any) -> Any:
    return xp.matmul(x, x)


@_way
def _new_shape(xp: ModuleType, x: Any) -> Any:
    return xp.reshape(x, (_FAR, _FAR))


@_way
def _shapes_of_a_list(xp: ModuleType, x: Any) -> Any:
    return xp.concat([x, xp.zeros(1)])


@_way
def _dtype(xp: ModuleType, x: Any) -> Any:
    return xp.bitwise_and(x, x)


@_way
def _dtype_by_name(xp: ModuleType, x: Any) -> Any:
    return xp.astype(x, "float31")


@_way
def _key(xp: ModuleType, x: Any) -> Any:
    return x[_FAR]


@_way
def _kind_of_key(xp: ModuleType, x: Any) -> Any:
    return x["a"]


@_way
def _keys_too_many(xp: ModuleType, x: Any) -> Any:
    return x[0, 0, 0, 0]


@_way
def _axis(xp: ModuleType, x: Any) -> Any:
    return xp.sum(x, axis=_FAR)


@_way
def _axis_of_a_view(xp: ModuleType, x: Any) -> Any:
    return xp.flip(x, axis=_FAR)


@_way
def _keyword(xp: ModuleType, x: Any) -> Any:
    return xp.sum(x, axes=0)


@_way
def _device(xp: ModuleType, x: Any) -> Any:
    return xp.zeros_like(x, device="nowhere")


@_way
def _backends(xp: ModuleType, x: Any) -> Any:
    return unify.add(x, _of_another(xp))


@_way
def _backends_in_a_namespace(xp: ModuleType, x: Any) -> Any:
    return xp.add(x, _of_another(xp))


@_way
def _list(xp: ModuleType, x: Any) -> Any:
    return xp.add([1, "a"], x)


@_way
def _arrays_in_a_list(xp: ModuleType, x: Any) -> Any:
    return xp.asarray([[x, x], "a"])


@_way
def _object(xp: ModuleType, x: Any) -> Any:
    return xp.add(x, object())


@_way
def _value(xp: ModuleType, x: Any) -> Any:
    return xp.linalg.inv(xp.zeros((3, 3)) * x[0])


# --- entry points -----------------------------------------------------------------------------


@_way
def _top_level(xp: ModuleType, x: Any) -> Any:
    return unify.add(x, xp.zeros((5, 4)))


@_way
def _top_level_by_keyword(xp: ModuleType, x: Any) -> Any:
    return unify.sum(x, axis=_FAR)


@_way
def _top_level_mismatch(xp: ModuleType, x: Any) -> Any:
    return unify.add(x)


@_way
def _method(xp: ModuleType, x: Any) -> Any:
    return x.sum(axis=_FAR)


@_way
def _method_of_a_view(xp: ModuleType, x: Any) -> Any:
    return x.mT.reshape((_FAR, _FAR))


@_way
def _operator(xp: ModuleType, x: Any) -> Any:
    return x + xp.zeros((5, 4))


@_way
def _operator_with_an_object(xp: ModuleType, x: Any) -> Any:
    return x + object()


@_way
def _reflected_operator(xp: ModuleType, x: Any) -> Any:
    return "a" * x


@_way
def _scalar(xp: ModuleType, x: Any) -> Any:
    return float(x)


@_way
def _iteration(xp: ModuleType, x: Any) -> Any:
    return iter(xp.sum(x) * x[0, 0])


@_way
def _numpy_function(xp: ModuleType, x: Any) -> Any:
    return np.concatenate([x, xp.zeros(1)])


@_way
def _numpy_ufunc(xp: ModuleType, x: Any) -> Any:
    return np.add(x, np.zeros((5, 4)))


# --- writes -----------------------------------------------------------------------------------


@_way
def _in_place_shape(xp: ModuleType, x: Any) -> Any:
    x += xp.zeros((5, 4))


@_way
def _in_place_dtype(xp: ModuleType, x: Any) -> Any:
    x += 1j


@_way
def _in_place_override(xp: ModuleType, x: Any) -> Any:
    x += _Declines(x)


@_way
def _item(xp: ModuleType, x: Any) -> Any:
    x[_FAR] = 1.0


@_way
def _item_shape(xp: ModuleType, x: Any) -> Any:
    x[0] = xp.zeros(_FAR)


@_way
def _item_dtype(xp: ModuleType, x: Any) -> Any:
    x[0] = "a"


@_way
def _item_of_a_view(xp: ModuleType, x: Any) -> Any:
    view = x[1:]
    view[0] = 1.0
    view[_FAR] = 1.0


@_way
def _read_only(xp: ModuleType, x: Any) -> Any:
    xp.broadcast_to(x, (4, 2, 3))[0] = 1.0


@_way
def _out_shape(xp: ModuleType, x: Any) -> Any:
    xp.add(x, x, out=xp.zeros((5, 4)))


@_way
def _out_dtype(xp: ModuleType, x: Any) -> Any:
    xp.add(x, x, out=xp.zeros((2, 3), dtype=xp.int64))


@_way
def _out_kind(xp: ModuleType, x: Any) -> Any:
    xp.add(x, x, out=np.zeros((2, 3)))


@_way
def _exported(xp: ModuleType, x: Any) -> Any:
    np.asarray(x)[_FAR] = 1.0


# --- Containers, overrides, user functions ----------------------------------------------------


@_way
def _container(xp: ModuleType, x: Any) -> Any:
    return xp.add(unify.Container(a=x, b=xp.zeros((5, 4))), x)


@_way
def _container_operator(xp: ModuleType, x: Any) -> Any:
    return unify.Container(a=xp.zeros((2, 3)), b={"c": xp.zeros((5, 4))}) + x


@_way
def _container_in_place(xp: ModuleType, x: Any) -> Any:
    container = unify.Container(a=x, b=xp.zeros((5, 4)))
    container += xp.ones((2, 3))


@_way
def _container_key(xp: ModuleType, x: Any) -> Any:
    return unify.Container(a=x)["b/c"]


@_way
def _containers_that_differ(xp: ModuleType, x: Any) -> Any:
    return xp.add(unify.Container(a=x), unify.Container(b=x))


@_way
def _container_out(xp: ModuleType, x: Any) -> Any:
    xp.add(x, 1.0, out=unify.Container(a=x, b=xp.zeros((5, 4))))


@_way
def _declined(xp: ModuleType, x: Any) -> Any:
    return unify.add(x, _Declines(x))


@_way
def _overridden(xp: ModuleType, x: Any) -> Any:
    return unify.add(x, _Overrides(x))


@_way
def _callback(xp: ModuleType, x: Any) -> Any:
    return unify.nested_map(_raising, [x])


@_way
def _callback_of_a_loop(xp: ModuleType, x: Any) -> Any:
    return xp.while_loop(lambda y: True, _raising, (x,))


@_way
def _vmap(xp: ModuleType, x: Any) -> Any:
    return xp.vmap(_raising)(x)


@_way
def _vmap_axis(xp: ModuleType, x: Any) -> Any:
    return xp.vmap(lambda y: y, in_axes=_FAR)(x)


@_way
def _gradient(xp: ModuleType, x: Any) -> Any:
    return xp.grad(_raising)(x)


@_way
def _gradient_of_no_number(xp: ModuleType, x: Any) -> Any:
    return xp.grad(lambda y: y * 2.0)(x)


@_way
def _gradient_of_a_failing_function(xp: ModuleType, x: Any) -> Any:
    return xp.value_and_grad(lambda y: xp.sum(xp.matmul(y, y)))(x)


@_way
def _body(xp: ModuleType, x: Any) -> Any:
    """A compositional function."""
    return xp.huber_loss(x, xp.zeros((5, 4)))


@_way
def _body_value(xp: ModuleType, x: Any) -> Any:
    return xp.huber_loss(x, x, reduction="some")


@_way
def _module(xp: ModuleType, x: Any) -> Any:
    with unify.use_backend(x.backend):
        return unify.Linear(_FAR, 2)(x)


@_way
def _compiled(xp: ModuleType, x: Any) -> Any:
    return unify.compile(lambda y: xp.matmul(y, y))(x)


@_way
def _compiled_raising(xp: ModuleType, x: Any) -> Any:
    return unify.compile(_raising)(x)


@_way
def _graph(xp: ModuleType, x: Any) -> Any:
    return unify.compile_graph(lambda y: xp.matmul(y, y), x)


@_way
def _graph_of_a_value(xp: ModuleType, x: Any) -> Any:
    return unify.compile_graph(lambda y: y if xp.sum(y) > 0 else -y, x)


@_way
def _graph_call(xp: ModuleType, x: Any) -> Any:
    return unify.compile_graph(lambda y: y + xp.ones((2, 3)), xp.ones((2, 3)))(x[:, :2])


# --- files ------------------------------------------------------------------------------------


@_way
def _saved_nowhere(xp: ModuleType, x: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        unify.Container(a=x).save(str(Path(folder) / "none" / "none.npz"))


@_way
def _saved_objects(xp: ModuleType, x: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        unify.Container(a=x, b=object()).save(str(Path(folder) / "c.npz"))


@_way
def _loaded(xp: ModuleType, x: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.npz"
        path.write_bytes(b"none")
        return xp.add(unify.Container.load(str(path)), x)
