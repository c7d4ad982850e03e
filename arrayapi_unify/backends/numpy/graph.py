"""Tracing of NumPy's functions: by its two protocols, and by a proxy with its methods."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from arrayapi_unify.backends._common.algorithms.equivalents import NativeCall
from arrayapi_unify.backends._common.algorithms.graph_values import (
    GraphError,
    Recorder,
    StandIn,
    place,
    value_needed,
)
from arrayapi_unify.backends.numpy._equivalents import (
    FAST_CALLS,
    equivalent as equivalent,
    name_of as name_of,
    normalize_call as normalize_call,
    portable as portable,
)

TRACES_EAGERLY: Final = True
CHANGES: Final[dict[Any, Any]] = {}
WHOLE: Final = np.asarray
INFIX: Final = {np.add: " + ", np.subtract: " - ", np.multiply: " * ", np.divide: " / "}
PLACES: Final[dict[str, str]] = {}


def is_library(target: Any) -> bool:
    """Return True for a function of NumPy's, which may return a scalar, but no Python number."""
    return str(getattr(target, "__module__", "")).partition(".")[0] == "numpy"


def takes_scalars(target: Any) -> bool:
    """Return True for functions to which a scalar of NumPy's is a 0-d array."""
    return isinstance(target, np.ufunc)


def CONSTANT(value: float) -> Any:
    """Return a float as a 0-d array, with which NumPy computes in half the time."""
    made = np.asarray(value)
    made.flags.writeable = False
    return made


def is_array(value: Any) -> bool:
    """Return True if a result is an array, or the scalar that NumPy returns for a 0-d one."""
    return isinstance(value, np.ndarray | np.generic)


def whole(value: Any) -> Any:
    """Return an array, also of a scalar."""
    return np.asarray(value)


def memory_of(x: Any) -> Any:
    """Return a key that is equal for arrays of one memory."""
    base = x.base
    while base is not None:
        x, base = base, getattr(base, "base", None)
    return id(x)


META: Final = frozenset({"shape", "ndim", "size", "result_type", "can_cast", "iscomplexobj",
                         "isrealobj", "broadcast_shapes", "isscalar"})  # fmt: skip


def is_plain(target: Any, result: Any) -> bool:
    """Return True if a result that isn't an array follows from shapes and data types."""
    return getattr(target, "__name__", "") in META


def proxy(recorder: Recorder, ref: int, value: Any) -> Array:
    """Return the proxy of an array."""
    return Array(recorder, ref, value)


_WRITERS: Final = {
    np.copyto: 0, np.put: 0, np.place: 0, np.putmask: 0, np.fill_diagonal: 0,
    np.put_along_axis: 0,
}  # fmt: skip
# Methods with the arguments of the function that has their name.
_METHODS: Final = (
    "all", "any", "argmax", "argmin", "argsort", "choose", "clip", "compress", "conj", "conjugate",
    "copy", "cumprod", "cumsum", "diagonal", "dot", "max", "mean", "min", "nonzero", "partition",
    "prod", "ptp", "ravel", "repeat", "round", "searchsorted", "squeeze", "std", "sum", "swapaxes",
    "take", "trace", "var",
)  # fmt: skip
_BINARY: Final = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.divide,
    "floordiv": np.floor_divide, "mod": np.remainder, "pow": np.power, "matmul": np.matmul,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor, "lshift": np.left_shift,
    "rshift": np.right_shift,
}  # fmt: skip
_COMPARING: Final = {
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
    "eq": np.equal, "ne": np.not_equal,
}  # fmt: skip
_UNARY: Final = {
    "neg": np.negative, "pos": np.positive, "abs": np.absolute, "invert": np.invert,
}  # fmt: skip


def _astype(x: Any, dtype: Any, **kwargs: Any) -> Any:
    return x.astype(dtype, **kwargs)


def _view(x: Any, *args: Any) -> Any:
    return x.view(*args)


def _flatten(x: Any) -> Any:
    return x.flatten()


def _sort(x: Any, axis: int = -1) -> None:
    x.sort(axis)


def _fill(x: Any, value: Any) -> None:
    x.fill(value)


class Array(StandIn):
    """Stands for an `np.ndarray`; NumPy's functions come back to it."""

    __slots__ = ()

    @property  # type: ignore[misc]  # read-only, so that `isinstance(x, np.ndarray)` holds
    def __class__(self) -> type:
        return np.ndarray

    dtype = property(lambda self: self.shown.dtype)
    shape = property(lambda self: self.shown.shape)
    ndim = property(lambda self: self.shown.ndim)
    size = property(lambda self: self.shown.size)
    itemsize = property(lambda self: self.shown.itemsize)
    nbytes = property(lambda self: self.shown.nbytes)
    flags = property(lambda self: self.__array__())
    T = property(lambda self: self.recorder.native(np.transpose, (self,), {}))
    mT = property(lambda self: self.recorder.native(np.swapaxes, (self, -2, -1), {}))
    real = property(lambda self: self.recorder.native(np.real, (self,), {}))
    imag = property(lambda self: self.recorder.native(np.imag, (self,), {}))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Record a ufunc."""
        target = ufunc if method == "__call__" else getattr(ufunc, method)
        out = kwargs.get("out", ())
        if len(out) == 1:
            kwargs["out"] = out[0]
        written = (inputs[0],) if method == "at" else out
        return self.recorder.native(target, inputs, kwargs, written)

    def __array_function__(
        self, function: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Record a function."""
        written: tuple[Any, ...] = ()
        if function in _WRITERS:
            written = (args[_WRITERS[function]],)
        elif kwargs.get("out") is not None:
            written = (kwargs["out"],)
        return self.recorder.native(function, args, kwargs, written)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """Raise: the trace would not record NumPy's calls with the values."""
        raise GraphError(
            f"compile_graph: at {place()}, np.asarray, np.array, an assignment or another library "
            f"takes the values of a traced array; use np.copy(x), np.stack([x, y]) or "
            f"unify.asarray(x), and make arrays that are written to by np.zeros_like(x) or "
            f"unify.zeros(shape)"
        )

    def __getitem__(self, key: Any) -> Any:
        return self.recorder.native(operator.getitem, (self, key), {})

    def __setitem__(self, key: Any, value: Any) -> None:
        self.recorder.native(operator.setitem, (self, key, value), {}, (self,))

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def reshape(self, *shape: Any, **kwargs: Any) -> Any:
        """Reshape."""
        shape = shape[0] if len(shape) == 1 else shape
        return self.recorder.native(np.reshape, (self, shape), kwargs)

    def transpose(self, *axes: Any) -> Any:
        """Permute."""
        axes = axes[0] if len(axes) == 1 else axes
        return self.recorder.native(np.transpose, (self, axes) if axes else (self,), {})

    def astype(self, dtype: Any, **kwargs: Any) -> Any:
        """Cast."""
        return self.recorder.native(_astype, (self, dtype), kwargs)

    def view(self, *args: Any) -> Any:
        """View."""
        return self.recorder.native(_view, (self, *args), {})

    def flatten(self) -> Any:
        """Copy into one axis."""
        return self.recorder.native(_flatten, (self,), {})

    def sort(self, axis: int = -1) -> None:
        """Sort in place."""
        self.recorder.native(_sort, (self, axis), {}, (self,))

    def fill(self, value: Any) -> None:
        """Fill."""
        self.recorder.native(_fill, (self, value), {}, (self,))


_astype.__name__, _view.__name__, _flatten.__name__ = "astype", "view", "flatten"
_sort.__name__, _fill.__name__ = "sort_", "fill_"


def _method(name: str) -> Callable[..., Any]:
    function = getattr(np, name)

    def method(self: Array, *args: Any, **kwargs: Any) -> Any:
        written = (kwargs["out"],) if kwargs.get("out") is not None else ()
        return self.recorder.native(function, (self, *args), kwargs, written)

    return method


def _operator(ufunc: Any, how: str = "") -> Callable[..., Any]:
    def plain(self: Array, *other: Any) -> Any:
        return self.recorder.native(ufunc, (self, *other), {})

    def reflected(self: Array, other: Any) -> Any:
        return self.recorder.native(ufunc, (other, self), {})

    def in_place(self: Array, other: Any) -> Any:
        self.recorder.native(ufunc, (self, other), {"out": self}, (self,))
        return self

    return {"": plain, "r": reflected, "i": in_place}[how]


def _refusing(name: str) -> Callable[..., Any]:
    def refuse(self: Array, *args: Any) -> Any:
        raise value_needed(name)

    return refuse


for _name in _METHODS:
    setattr(Array, _name, _method(_name))
for _name, _ufunc in {**_COMPARING, **_UNARY, **_BINARY}.items():
    setattr(Array, f"__{_name}__", _operator(_ufunc))
for _name, _ufunc in _BINARY.items():
    setattr(Array, f"__r{_name}__", _operator(_ufunc, "r"))
    setattr(Array, f"__i{_name}__", _operator(_ufunc, "i"))
for _name in ("bool", "int", "float", "complex", "index", "contains"):
    setattr(Array, f"__{_name}__", _refusing(_name))
for _name in (
    "item",
    "tolist",
    "tobytes",
    "dump",
    "dumps",
    "tofile",
    "__dlpack__",
    "__reduce_ex__",
):
    setattr(Array, _name, _refusing(_name))

STAND_IN: Final = Array
DTYPE_IS_NOT: Final = "!="


@contextmanager
def tracing(recorder: Recorder) -> Iterator[None]:
    """Do nothing: proxies record all calls that matter."""
    yield


def copied(native: Any) -> Any:
    """Return a copy of an argument."""
    return np.copy(native, order="K")


def assignment(x: Any, key: Any, value: Any) -> Callable[..., Any] | None:
    """Return NumPy's own assignment, where it casts nothing and no mask selects."""
    plain = type(value) is float and x.dtype.char == "d"
    if not plain and getattr(value, "dtype", None) != x.dtype:
        return None
    parts = key if type(key) is tuple else (key,)
    simple = x.ndim and all(type(part) in _KEYS for part in parts)
    return operator.setitem if simple else None


_KEYS: Final = frozenset({int, slice, type(None), type(Ellipsis)})


def update(name: str, x: Any, other: Any) -> NativeCall | None:
    """Return NumPy's own `x op= y`."""
    ufunc: Any = FAST_CALLS.get(name)
    if ufunc is None or ufunc.signature is not None:
        return None
    return ufunc, (x, other), {"out": x}
