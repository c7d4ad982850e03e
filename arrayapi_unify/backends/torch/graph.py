"""Tracing of PyTorch's functions, by a function mode and by a `__torch_function__` proxy."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, cast

import torch
from torch.overrides import TorchFunctionMode

from arrayapi_unify._core.locks import once
from arrayapi_unify.backends._common.algorithms.equivalents import NativeCall
from arrayapi_unify.backends._common.algorithms.graph_values import (
    GraphError,
    Recorder,
    StandIn,
    map_values,
    place,
    value_needed,
)
from arrayapi_unify.backends.torch._equivalents import (
    equivalent as equivalent,
    is_exact,
    is_real,
    name_of as name_of,
    normalize_call as normalize_call,
    portable as portable,
)

TRACES_EAGERLY: Final = True
CHANGES: Final[dict[Any, Any]] = {}
WHOLE: Final = None
CONSTANT: Final = None  # PyTorch is faster with a float
DTYPE_IS_NOT: Final = "is not"
INFIX: Final = {torch.add: " + ", torch.sub: " - ", torch.mul: " * ", torch.div: " / "}
# The internal names of classes with functions, and the names that users write.
PLACES: Final = {
    "builtins.TensorBase": "torch.Tensor",
    "torch._VariableFunctionsClass": "torch",
    "torch._C.TensorBase": "torch.Tensor",
    "torch._tensor.Tensor": "torch.Tensor",
}
Native = torch.Tensor


def is_array(value: Any) -> bool:
    """Return True if a result is a tensor."""
    return isinstance(value, Native)


def whole(value: Any) -> Any:
    """Return the tensor."""
    return value


def memory_of(x: Any) -> Any:
    """Return what tells the memory of one tensor from that of others."""
    try:
        return x.untyped_storage()._cdata
    except (RuntimeError, NotImplementedError):  # sparse, or transformed
        return id(x)


_META: Final = frozenset({
    "shape", "dtype", "device", "ndim", "size", "dim", "numel", "nelement", "stride", "is_cuda",
    "layout", "requires_grad", "is_floating_point", "is_complex", "is_contiguous", "element_size",
    "result_type", "can_cast", "promote_types", "is_tensor", "broadcast_shapes", "get_device",
    "is_sparse", "names", "type", "itemsize", "nbytes", "is_leaf", "is_conj", "is_neg",
    "is_signed", "grad_fn", "is_nested", "is_quantized", "is_cpu", "is_meta", "__len__", "len",
    "__repr__", "__format__", "__hash__", "storage_offset", "is_inference", "grad",
})  # fmt: skip


def _label(target: Any) -> str:
    name = getattr(target, "__name__", "")
    if name == "__get__":  # the getter of an attribute
        name = getattr(target.__self__, "__name__", "")
    return str(name)


def is_plain(target: Any, result: Any) -> bool:
    """Return True if a result that isn't a tensor follows from shapes and data types alone."""
    return _label(target) in _META


def proxy(recorder: Recorder, ref: int, value: Any) -> Tensor:
    """Return what stands for a tensor."""
    return Tensor(recorder, ref, value)


_REFUSED: Final = frozenset({"backward", "grad_", "vmap", "tensor", "as_tensor", "asarray"})


def _recorded(
    recorder: Recorder, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Record a function of PyTorch's; what it writes to is known by the tensors' versions."""
    if _label(function) in _REFUSED or function is torch.autograd.grad:
        raise GraphError(
            f"compile_graph: at {place()}, {_label(function)} of a traced tensor can't be part of "
            f"a graph; compile the function with unify.compile"
        )
    given: list[Any] = []
    map_values([args, kwargs], lambda v: given.append(v) if type(v) is Tensor else None)
    if _label(function) in ("__set__", "set_") or _label(function).startswith("requires_grad_"):
        raise value_needed(_label(function))
    function, args = _functional(function, args)
    name = _label(function)
    in_place = name.endswith("_") and not name.endswith("__")
    writes = tuple(given[:1]) if in_place or name == "setitem" else ()
    out = kwargs.get("out")
    if out is not None:
        writes = (out,) if not isinstance(out, tuple) else out
    if function is operator.setitem or in_place:
        writes = (args[0],)
    before = _versions(recorder, given)
    result = recorder.native(function, args, kwargs, writes)
    if not writes and before != _versions(recorder, given):
        raise GraphError(
            f"compile_graph: at {place()}, {name} writes to a tensor on the side; use the function "
            f"that returns a new one"
        )
    return result


def _versions(recorder: Any, given: list[Any]) -> list[int]:
    with recorder.paused():
        return [x.shown._version for x in given if not x.shown.is_inference()]


_SPECIAL: Final = {
    "__add__": torch.add, "__radd__": torch.add, "__sub__": torch.sub, "__mul__": torch.mul,
    "__rmul__": torch.mul, "__truediv__": torch.div, "__matmul__": torch.matmul,
    "__neg__": torch.negative, "__lt__": torch.lt, "__le__": torch.le, "__gt__": torch.gt,
    "__ge__": torch.ge, "__eq__": torch.eq, "__ne__": torch.ne, "__abs__": torch.abs,
    "__getitem__": operator.getitem, "__setitem__": operator.setitem, "__pow__": torch.pow,
    "neg": torch.negative, "subtract": torch.sub, "multiply": torch.mul, "divide": torch.div,
    "true_divide": torch.div, "less": torch.lt, "less_equal": torch.le, "greater": torch.gt,
    "greater_equal": torch.ge, "not_equal": torch.ne, "concat": torch.cat,
    "concatenate": torch.cat, "absolute": torch.abs, "arcsin": torch.asin, "mm": torch.matmul,
    "__iadd__": Native.add_, "__isub__": Native.sub_, "__imul__": Native.mul_,
    "__itruediv__": Native.div_, "__ipow__": Native.pow_,
}  # fmt: skip


@functools.cache
def _plain_function(name: str) -> Any:
    function = getattr(torch, name, None)
    return function if callable(function) and hasattr(Native, name) else None


def _functional(function: Any, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """Return the function for a method or an operator of the same meaning."""
    name = _label(function)
    found = _SPECIAL.get(name)
    if found is None and not name.startswith("_") and getattr(Native, name, None) is function:
        found = _plain_function(name)
    if found is torch.reshape or found is torch.permute:
        if len(args) > 2 or (len(args) == 2 and type(args[1]) is int):
            args = (args[0], tuple(args[1:]))
        elif len(args) == 2:
            args = (args[0], tuple(args[1]))
    return (found, args) if found is not None else (function, args)


class _Mode(TorchFunctionMode):
    """Sees every function of PyTorch's, also those that make tensors of nothing."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self._recorder: Any = recorder

    def __torch_function__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Record a function."""
        if self._recorder.inside:
            return function(*args, **(kwargs or {}))
        return _seen(self._recorder, function, args, kwargs or {})


def _seen(recorder: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    found: list[Any] = []
    map_values([args, kwargs], lambda v: found.append(v) if type(v) is Tensor else None)
    if found or _label(function) in ("__setitem__",):
        return _recorded(recorder, function, args, kwargs)
    if _label(function) in _META or _label(function).startswith("__"):
        with recorder.paused():
            return function(*args, **kwargs)
    with recorder.paused():
        given: list[Any] = []
        map_values([args, kwargs], lambda v: given.append(v) if is_array(v) else None)
        if given and not function_makes_tensor(function, args, kwargs):
            return function(*args, **kwargs)
    return _recorded(recorder, function, args, kwargs)


def function_makes_tensor(function: Any, args: Any, kwargs: Any) -> bool:
    """Return True if a function of constants returns a tensor; other results aren't recorded."""
    name = _label(function)
    return name not in ("item", "tolist", "numpy", "equal", "allclose", "is_nonzero")


@contextmanager
def tracing(recorder: Recorder) -> Iterator[None]:
    """See PyTorch's functions while a function is traced."""
    with _Mode(recorder):
        yield


def copied(native: Any) -> Any:
    """Return a copy of an argument; a tracked one stays what is tracked."""
    return native if native.requires_grad else native.clone()


class Tensor(StandIn):
    """Stands for a `torch.Tensor`; PyTorch's functions come back to it.

    It isn't one, and doesn't say so: PyTorch takes what does for memory of its own.
    """

    __slots__ = ()

    @classmethod
    def __torch_function__(
        cls, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Record a function that no mode saw."""
        found: list[Any] = []
        map_values([args, kwargs or {}], lambda v: found.append(v) if type(v) is Tensor else None)
        return _recorded(found[0].recorder, function, args, kwargs or {})

    def __getattr__(self, name: str) -> Any:
        member = getattr(Native, name)
        if callable(member):
            return functools.partial(_method, member, self)
        if name in _META:
            with self.recorder.paused():  # type: ignore[attr-defined]  # the recorder has it
                return getattr(self.shown, name)
        return self.recorder.native(_attribute(name), (self,), {})

    def __iter__(self) -> Any:
        return (operator.getitem(cast(Any, self), i) for i in range(len(self)))

    def __bool__(self) -> bool:
        raise value_needed("bool")

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        """Raise: NumPy's results would be unknown to the trace."""
        raise value_needed("a NumPy function or np.asarray")


def _method(member: Any, *args: Any, **kwargs: Any) -> Any:
    recorder = args[0].recorder
    if _label(member) in _META:
        with recorder.paused():
            return member(args[0].shown, *args[1:], **kwargs)
    return _recorded(recorder, member, args, kwargs)


@once
def _attribute(name: str) -> Callable[[Any], Any]:
    def get(x: Any) -> Any:
        return getattr(x, name)

    get.__name__ = get.__qualname__ = name
    return get


def _special(name: str) -> Callable[..., Any]:
    member = getattr(Native, name)

    def method(self: Tensor, *args: Any) -> Any:
        return _recorded(self.recorder, member, (self, *args), {})

    return method


def _reflected(name: str) -> Callable[..., Any]:
    direct = {"__rsub__": torch.rsub}.get(name)
    own: Any = getattr(operator, name.replace("__r", "").rstrip("_"), None)

    def method(self: Tensor, other: Any) -> Any:
        if direct is not None:
            return self.recorder.native(direct, (self, other), {})
        return self.recorder.native(own, (other, self), {})

    return method


for _name in (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
    "lshift", "rshift", "iadd", "isub", "imul", "itruediv", "ipow", "radd", "rmul", "lt", "le",
    "gt", "ge", "eq", "ne", "neg", "abs", "invert", "getitem", "setitem", "iand", "ior", "ixor",
):  # fmt: skip
    setattr(Tensor, f"__{_name}__", _special(f"__{_name}__"))
for _name in ("rsub", "rtruediv", "rpow", "rfloordiv", "rmod", "rmatmul"):
    setattr(Tensor, f"__{_name}__", _reflected(f"__{_name}__"))


def _refusing(name: str) -> Callable[..., Any]:
    def refuse(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        raise value_needed(name)

    return refuse


for _name in ("__int__", "__float__", "__complex__", "__index__", "__contains__", "item", "tolist",
              "numpy", "__dlpack__", "data_ptr", "untyped_storage", "__reduce_ex__"):  # fmt: skip
    setattr(Tensor, _name, _refusing(_name.strip("_")))

STAND_IN: Final = Tensor


def assignment(x: Any, key: Any, value: Any) -> Callable[..., Any] | None:
    """Return PyTorch's own assignment, where it casts nothing and only integers select."""
    parts = key if type(key) is tuple else (key,)
    plain = type(value) is float and x.dtype is torch.float64
    simple = x.ndim and all(type(p) is int or (type(p) is slice and p.step is None) for p in parts)
    tracked = x.requires_grad or getattr(value, "requires_grad", False)
    return operator.setitem if plain and simple and not tracked else None


def update(name: str, x: Any, other: Any) -> NativeCall | None:
    """Return PyTorch's own `x op= y`, where it casts nothing and no memory is shared."""
    method: Any = {"add": Native.add_, "subtract": Native.sub_, "multiply": Native.mul_,
              "divide": Native.div_}.get(name)  # fmt: skip
    if method is None or x.requires_grad or getattr(other, "requires_grad", False):
        return None
    scalar = is_real(x) and is_exact(x, other)
    alike = is_real(x) and getattr(other, "dtype", None) is x.dtype
    apart = scalar or (alike and memory_of(x.shown) != memory_of(_shown(other)))
    return (method, (x, other), {}) if apart and _broadcasts(x, other) else None


def _shown(x: Any) -> Any:
    return x.shown if type(x) is Tensor else x


def _broadcasts(x: Any, other: Any) -> bool:
    shape = getattr(other, "shape", ())
    joined: Any = torch.broadcast_shapes(x.shape, shape)  # type: ignore[no-untyped-call]  # torch has no types for it
    return bool(joined == x.shape)
