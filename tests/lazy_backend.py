"""The smallest lazy backend: arrays that record how NumPy computes them.

A native array is a name in a graph, as Dask's are, and a collection of Dask. `COMPUTED` lists the
names that were computed, so that tests see each computation. Shapes and data types come from calls
of the same functions with stand-ins, which have no memory of their own.
"""

from __future__ import annotations

import functools
import importlib
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Final

import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify._core import lazy_access
from arrayapi_unify.backends._common.algorithms import numpy_dtypes
from arrayapi_unify.backends._common.algorithms.memory import derived
from arrayapi_unify.backends._common.checks.arguments import raise_copy_error
from arrayapi_unify.backends._common.protocols.defaults import *  # noqa: F403  # the protocol's defaults
from arrayapi_unify.backends._common.protocols.inspection import Info
from arrayapi_unify.backends._common.protocols.lazy import forwarded, rebuilding
from arrayapi_unify.backends.numpy._errors import translate_error as translate_error
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.contract import Returns
from arrayapi_unify.devices import CPU
from tests.registered import registered as _registered

NAME: Final = "lazy"
DTYPES = numpy_dtypes.DTYPES
as_dtype, dtype_of = numpy_dtypes.as_dtype, numpy_dtypes.dtype_of
VIEW_EMULATION: Final = True
LAZY_REFRESH: Final = True
CAPABILITIES: Final = {
    "boolean indexing": True,
    "data-dependent shapes": True,
    "max dimensions": 64,
    "lazy": True,
}

COMPUTED: Final[list[str]] = []
"""The names of the arrays that were computed, in their order."""

# The size that stands for one that isn't known: a prime that no test has.
_UNKNOWN: Final = 7919
_numbers: Final = itertools.count()


class Recorded:
    """An array as a name in a graph of calls."""

    def __init__(self, name: str, graph: Mapping[str, Any], shape: Any, dtype: Any) -> None:
        self.name, self.graph = name, dict(graph)
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __reduce__(self) -> Any:
        return Recorded, (self.name, self.graph, self.shape, self.dtype)

    # --- Dask's protocol -----------------------------------------------------------------------

    def __dask_graph__(self) -> Any:
        return self.graph

    def __dask_keys__(self) -> Any:
        return [self.name]

    def __dask_layers__(self) -> Any:
        return (self.name,)

    def __dask_tokenize__(self) -> Any:
        return self.name

    def __dask_postcompute__(self) -> Any:
        return _only, ()

    def __dask_postpersist__(self) -> Any:
        return _persisted, (self.name, self.shape, self.dtype)

    @staticmethod
    def __dask_scheduler__(graph: Any, keys: Any, **kwargs: Any) -> Any:
        dask: Any = importlib.import_module("dask")
        return dask.get(graph, keys, **kwargs)

    @staticmethod
    def __dask_optimize__(graph: Any, keys: Any, **kwargs: Any) -> Any:
        return graph


def _only(values: Any) -> Any:
    (value,) = values
    return np.array(value)


def _persisted(graph: Any, name: str, shape: Any, dtype: Any, **_: Any) -> Recorded:
    return Recorded(name, graph, shape, dtype)


# --- the graph ------------------------------------------------------------------------------------


def constant(value: Any, shape: Any = None) -> Recorded:
    """Return an array of a value, repeated in a shape; it is as large as that is, computed."""
    value = np.array(value)
    name = f"constant-{next(_numbers)}"
    if shape is None:
        return Recorded(name, {name: value}, value.shape, value.dtype)
    return Recorded(name, {name: (np.broadcast_to, value, list(shape))}, shape, value.dtype)


def stand_in(x: Any) -> Any:
    """Return an array of the shape and data type of a recorded one, in no memory."""
    if isinstance(x, Recorded):
        shape = [_UNKNOWN if size is None else size for size in x.shape]
        return np.broadcast_to(np.ones((), x.dtype), shape)
    return type(x)(map(stand_in, x)) if type(x) in (list, tuple) else x


def _sizes(shape: Any) -> Any:
    return tuple(None if size == _UNKNOWN else size for size in shape)


def _referenced(value: Any, graph: dict[str, Any]) -> Any:
    """Return an argument with names in place of arrays, whose graphs are added."""
    if isinstance(value, Recorded):
        graph.update(value.graph)
        return value.name
    if isinstance(value, str):
        return (_part, [value], 0)  # else it could be a name
    if type(value) in (list, tuple):
        return (type(value), [_referenced(part, graph) for part in value])
    return value


def _run(native: Any, defaults: Any, args: Any, names: Any, values: Any) -> Any:
    call = functools.partial(native, *args, **dict(zip(names, values, strict=True)))
    return call() if defaults is None else dtypes.call_with_defaults(defaults, call)


def _part(results: Any, number: int) -> Any:
    return results[number]


def recorded(native: Any, like: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Record a call whose results have the shapes and data types of `like`."""
    graph: dict[str, Any] = {}
    given = [_referenced(value, graph) for value in args]
    named = [_referenced(value, graph) for value in kwargs.values()]
    name = f"{native.__name__}-{next(_numbers)}"
    # A worker knows nothing of what is set where the call was made.
    graph[name] = (_run, native, dtypes.held_defaults(), given, list(kwargs), named)
    if not isinstance(like, tuple):
        return Recorded(name, graph, _sizes(like.shape), like.dtype)
    parts = []
    for number, part in enumerate(like):
        key = f"{name}-{number}"
        whole = {**graph, key: (_part, name, number)}
        parts.append(Recorded(key, whole, _sizes(part.shape), part.dtype))
    return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)


def evaluated(xs: Sequence[Recorded]) -> list[Any]:
    """Compute arrays in one pass; each name is computed once."""
    graph: dict[str, Any] = {}
    for x in xs:
        graph.update(x.graph)
        COMPUTED.append(x.name)
    known: dict[str, Any] = {}

    def value(task: Any) -> Any:
        if isinstance(task, str) and task in graph:
            if task not in known:
                known[task] = value(graph[task])
            return known[task]
        if type(task) is tuple and task and callable(task[0]):
            return task[0](*map(value, task[1:]))
        return [value(part) for part in task] if type(task) is list else task

    return [np.array(value(x.name)) for x in xs]


# --- the protocol ---------------------------------------------------------------------------------


class _Lazy:
    """The functions that a larger backend has in `_lazy.py`."""

    compute = staticmethod(evaluated)

    @staticmethod
    def known_shape(x: Recorded) -> tuple[int, ...]:
        lazy_access.look(x, "the sizes that aren't known")
        (value,) = evaluated([x])
        x.shape = value.shape
        return value.shape

    @staticmethod
    def noting(native: Any) -> Any:
        return native

    @staticmethod
    def summary(x: Recorded) -> str:
        return f"steps={len(x.graph)}"

    @staticmethod
    def members(rebuild: Any) -> Mapping[str, Any]:
        return {
            **forwarded(
                "__dask_graph__", "__dask_keys__", "__dask_layers__", "__dask_optimize__",
                "__dask_scheduler__",
            ),
            **rebuilding(rebuild, "__dask_postcompute__", "__dask_postpersist__"),
            "__dask_tokenize__": lambda self: ("Array", self.data.name),
        }  # fmt: skip


lazy: Any = _Lazy  # type: ignore[no-redef]  # one of the defaults


def is_native_type(kind: type) -> bool:
    return issubclass(kind, Recorded)


def shape_of(x: Recorded) -> tuple[int, ...]:
    return x.shape


def pickled(x: Recorded) -> Any:  # type: ignore[no-redef]  # one of the defaults
    return x.__reduce__()


def copy(x: Recorded) -> Recorded:
    return Recorded(x.name, x.graph, x.shape, x.dtype)


def write(target: Recorded, value: Recorded) -> Recorded:
    return (
        value
        if value.dtype == target.dtype
        else _lifted("data_type", "astype")(value, target.dtype)
    )


write_through = write
in_place = functools.partial(derived, shape_of=shape_of, dtype_of=dtype_of, write=write)


def to_numpy(x: Recorded, /, *, copy: bool | None = None) -> Any:
    if copy is False:
        raise_copy_error("to_numpy", "the values are computed")
    lazy_access.look(x)
    return evaluated([x])[0]


def join_complex(real: Recorded, imag: Recorded) -> Recorded:
    return _recording(_numpy().join_complex)(real, imag)


# --- native functions -----------------------------------------------------------------------------


def _numpy(category: str = "") -> Any:
    path = f"arrayapi_unify.backends.numpy.{category}"
    return importlib.import_module(path.rstrip("."))


class _Native:
    """A native function of NumPy's backend, which is pickled as its name."""

    def __init__(self, category: str, name: str) -> None:
        self.category, self.__name__ = category, name
        self.__doc__ = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return getattr(_numpy(self.category), self.__name__)(*args, **kwargs)

    def __reduce__(self) -> Any:
        return _Native, (self.category, self.__name__)


def _recording(native: Any, name: str = "", passes_through: bool = False) -> Callable[..., Any]:
    @functools.wraps(native)
    def function(*args: Any, **kwargs: Any) -> Any:
        standing = [stand_in(value) for value in args]
        with np.errstate(all="ignore"):
            like = native(*standing, **{key: stand_in(value) for key, value in kwargs.items()})
        if passes_through and like is standing[0] and isinstance(args[0], Recorded):
            return args[0]
        if name == "nonzero":
            like = tuple(map(_of_unknown_size, like))
        elif name == "unique_values":
            like = _of_unknown_size(like)
        return recorded(native, like, args, kwargs)

    vars(function).clear()  # the faster functions of NumPy itself
    return function


def _of_unknown_size(like: Any) -> Any:
    return np.broadcast_to(np.ones((), like.dtype), (_UNKNOWN,))


@functools.cache
def _lifted(category: str, name: str) -> Callable[..., Any]:
    contract = CONTRACTS[
        name if category not in ("linalg", "fft", "random") else f"{category}.{name}"
    ]
    return _recording(_Native(category, name), name, contract.passes_through)


def _get_item(x: Recorded, key: Any, /) -> Recorded:
    native = _Native("indexing", "get_item")
    if isinstance(key, Recorded) and key.dtype == bool:
        like = _of_unknown_size(np.broadcast_to(np.ones((), x.dtype), (_UNKNOWN,)))
        return recorded(native, like, (x, key), {})
    keys = key if type(key) is tuple else (key,)
    for part in keys:
        if isinstance(part, slice):  # Dask takes nothing else either
            assert {type(v) for v in (part.start, part.stop, part.step)} <= {int, type(None)}, part
    return _recording(native)(x, key)


def _assigned(x: Any, key: Any, value: Any) -> Any:
    y = np.array(x)
    _numpy("indexing").set_item(y, key, value)
    return y


def _take(x: Recorded, indices: Recorded, /, *, axis: int | None = None) -> Recorded:
    lazy_access.look(indices, "the bounds of the indices", "pass indices that hold values")
    evaluated([indices])
    native = _Native("indexing", "take")
    like = np.take(stand_in(x), np.zeros(indices.shape, np.int64), axis=axis)
    return recorded(native, like, (x, indices), {"axis": axis})


def asarray(obj: Any, /, *, dtype: Any = None, device: Any = None, copy: Any = None) -> Recorded:
    if isinstance(obj, Recorded):
        return _lifted("creation", "asarray")(obj, dtype=dtype, copy=copy)
    native = _numpy("creation").asarray
    return constant(native(obj, dtype=dtype, device=device, copy=copy))


def _of_scalar(name: str) -> Callable[..., Any]:
    native = getattr(_numpy("general"), name)

    def function(x: Recorded, /) -> Any:
        return native(to_numpy(x))

    return function


def _info() -> Info:
    return Info(lambda: (CPU,), CAPABILITIES)


@functools.cache
def _modules() -> dict[str, ModuleType]:
    """Make the category files; a backend of its own package has them on disk."""
    made: dict[str, ModuleType] = {}
    special = {
        "asarray": asarray, "get_item": _get_item, "set_item": _recording(_assigned),
        "take": _take, "to_list": _of_scalar("to_list"), "to_scalar": _of_scalar("to_scalar"),
        "to_numpy": to_numpy, "__array_namespace_info__": _info,
    }  # fmt: skip
    primary = [c for c in CONTRACTS.values() if c.kind == "primary"]
    for category in {c.category for c in primary}:
        module = ModuleType(f"{__name__}.{category}")
        for contract in primary:
            if contract.category == category:
                native = special.get(contract.name)
                if native is None and contract.returns is not Returns.OTHER:
                    native = _lifted(category, contract.name)
                if native is not None:
                    setattr(module, contract.name, native)
        made[module.__name__] = module
    return made


@contextmanager
def registered() -> Iterator[ModuleType]:
    """Register the backend for one test, and yield its namespace."""
    made = _modules()
    sys.modules.update(made)
    try:
        with _registered(NAME, framework=__name__, package=__name__) as namespace:
            COMPUTED.clear()
            yield namespace
    finally:
        for name in made:
            sys.modules.pop(name, None)
