"""NumPy's protocols: `np.sin(x)` and `np.sum(x)` of our arrays give our arrays.

Where a function of ours does the same, it is called, so that a trace and derivatives go on. What
NumPy alone has is computed on the host, and made an array of the same backend and device. An array
that is traced, or that something differentiates by, is refused: its result would be a constant.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from arrayapi_unify import backends
from arrayapi_unify._core import lazy_access
from arrayapi_unify.array_object.classes import BindingHooks
from arrayapi_unify.array_object.numpy_views import VALUES, VIEWS
from arrayapi_unify.array_object.operators import is_operand
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import BackendError, UnifyTypeError

__all__ = ["array_function", "array_ufunc"]

_COMPARISONS: Final = frozenset(
    {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}
)
# NumPy's functions that ours equal wherever ours take the arguments, and what ours are called.
_FUNCTIONS: Final = {
    "numpy": {
        **{name: name for name in (
            "all", "angle", "any", "append", "argmax", "argmin", "argsort", "argwhere", "average",
            "broadcast_to", "column_stack", "count_nonzero", "cross", "cumprod", "cumsum",
            "cumulative_prod", "cumulative_sum", "delete", "diff", "dot", "dstack", "ediff1d",
            "empty_like", "expand_dims", "flatnonzero", "flip", "full_like", "hstack", "inner",
            "insert", "isclose", "max", "mean", "median", "min", "moveaxis", "nanargmax",
            "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian", "nanmin",
            "nanprod", "nanstd", "nansum", "nanvar", "nonzero", "ones_like", "outer", "prod", "ptp",
            "repeat", "roll", "sinc", "sort", "stack", "std", "sum", "take_along_axis", "tensordot",
            "tile", "trace", "tril", "triu", "var", "vdot", "vstack", "where", "zeros_like",
        )},
        "amax": "max", "amin": "min", "around": "round", "clip": "clip", "concatenate": "concat",
        "round": "round",
    },
    "numpy.linalg": {
        name: f"linalg.{name}"
        for name in (
            "cholesky", "cond", "det", "eigh", "eigvalsh", "inv", "lstsq", "matrix_power", "norm",
            "slogdet", "solve",
        )
    },
    "numpy.fft": {
        name: f"fft.{name}"
        for name in (
            "fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "ifftn", "rfftn", "irfftn",
            "fftshift", "ifftshift",
        )
    },
}  # fmt: skip
_PARAMETERS: Final = {"ddof": "correction", "a_max": "max", "a_min": "min"}
# The parameters of functions that are written in C, whose signatures NumPy tells since 2.4.
_LIKE: Final[dict[str, Callable[..., None]]] = {
    "concatenate": lambda arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind": None,
    "dot": lambda a, b, out=None: None,
    "empty_like": lambda a, /, dtype=None, order="K", subok=True, shape=None, *, device=None: None,
    "inner": lambda a, b, /: None,
    "vdot": lambda a, b, /: None,
    "where": lambda condition, x=None, y=None, /: None,
}
# Conversions to NumPy's arrays, with which the callers continue, and questions about the memory
# that `np.asarray(x)` shares with x.
_CONVERSIONS: Final = frozenset({
    "atleast_1d", "atleast_2d", "atleast_3d", "copy", "may_share_memory", "shares_memory",
    # The labels that these return are usually compared with NumPy's arrays.
    "unique", "unique_all", "unique_counts", "unique_inverse", "unique_values",
})  # fmt: skip
# They write into their first argument.
_WRITE: Final = frozenset({"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"})
# Functions that need no values of an array.
_ATTRIBUTES: Final[dict[str, Callable[..., Any]]] = {
    "ndim": lambda a: a.ndim,
    "shape": lambda a: a.shape,
}


def array_ufunc(
    array: Any, ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call our function for a NumPy ufunc, or compute it on the host."""
    name = ufunc.__name__
    known = True
    if name in _COMPARISONS:
        inputs = tuple(_scalar_again(value) for value in inputs)
        known = all(map(is_operand, inputs))  # NumPy says how objects compare
    outs = kwargs.get("out", ())
    # NumPy asks those three; it may be a mask alone that is ours.
    candidates = (*inputs, *outs, kwargs.get("where"))
    first = next(value for value in candidates if isinstance(value, array))
    ours_too = known and method == "__call__"
    function = getattr(first.__array_namespace__(), name, None) if ours_too else None
    ours = not outs or (len(outs) == 1 and isinstance(outs[0], array))
    if function is None or not ours or kwargs.keys() - {"out"}:
        label = name if method == "__call__" else f"{name}.{method}"
        call = getattr(ufunc, method)
        return _on_host(array, f"np.{label}", call, inputs, kwargs, into=method == "at")
    return function(*inputs, out=outs[0]) if outs else function(*inputs)


def _scalar_again(value: Any) -> Any:
    """Return the scalar of a 0-d NumPy array: comparing a NumPy scalar makes one of it."""
    numpy = importlib.import_module("numpy")
    return value.item() if isinstance(value, numpy.ndarray) and not value.ndim else value


def array_function(
    array: Any,
    asked: Any,
    func: Any,
    types: Iterable[type],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Call our function for one of NumPy's, or compute it on the host.

    Of `np.zeros(3, like=x)`, NumPy passes no x on: `asked` is the array whose method it calls.
    """
    numpy = importlib.import_module("numpy")
    if not all(issubclass(kind, (array, numpy.ndarray)) for kind in types):
        return NotImplemented
    name = func.__name__
    if name in _CONVERSIONS:
        return func(*_mapped(array, args, _values), **kwargs)
    if name in _ATTRIBUTES and len(args) == 1 and isinstance(args[0], array):
        return _ATTRIBUTES[name](args[0])
    view = VIEWS.get(func.__module__, {}).get(name)
    result = NotImplemented if view is None else _viewed(array, view, func, args, kwargs)
    if result is not NotImplemented:
        return result
    call = _counterpart(array, func, args, kwargs)
    if call is not None:
        return call()
    if not any(isinstance(x, array) for x in _arrays(array, (args, kwargs))):
        return _made_like(asked, func, args, kwargs)
    return _on_host(array, _path(func), func, args, kwargs, into=name in _WRITE)


def _made_like(asked: Any, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Make an array by NumPy, and give it to the backend and device of another one."""
    dtype = kwargs.get("dtype")
    if isinstance(dtype, DType):
        kwargs = {**kwargs, "dtype": importlib.import_module("numpy").dtype(dtype.name)}
    return _ours(func(*args, **kwargs), asked, {})


def _path(func: Any) -> str:
    return f"{func.__module__}.{func.__name__}".replace("numpy", "np", 1)


def _viewed(
    array: Any, view: Callable[..., Any], func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call ours for one of NumPy's that returns views; NumPy says what is wrong with a call."""
    if func.__name__ in VALUES:
        _check(_path(func), list(_arrays(array, (args, kwargs))))
    try:
        return view(*args, **kwargs)
    except Exception:
        blank = _mapped(array, (args, kwargs), _blank)
        func(*blank[0], **blank[1])
        raise


def _blank(x: Any) -> Any:
    """Return an array of NumPy's of the same shape."""
    return importlib.import_module("numpy").zeros(x.shape, "int8")


def _counterpart(
    array: Any, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[[], Any] | None:
    """The call of our function that does the same; None where there is none."""
    path = _FUNCTIONS.get(func.__module__, {}).get(func.__name__)
    found = list(_arrays(array, (args, kwargs)))
    ours = next((x for x in found if isinstance(x, array)), None)
    if path is None or ours is None or not all(_is_operand(array, x) for x in found):
        return None
    function: Any = ours.__array_namespace__()
    for part in path.split("."):
        function = getattr(function, part, None)
    if function is None:
        return None
    try:
        given = _signature(func).bind(*args, **kwargs).arguments
    except TypeError:  # NumPy says what is wrong
        return None
    return _bind_arguments(array, function, _beside_defaults(func, given))


def _signature(func: Any) -> inspect.Signature:
    try:
        return inspect.signature(func)
    except ValueError:
        return inspect.signature(_LIKE[func.__name__])


def _beside_defaults(func: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what is as NumPy has it by default."""
    parameters = _signature(func).parameters
    return {name: v for name, v in given.items() if v is not parameters[name].default}


def _bind_arguments(array: Any, function: Any, given: dict[str, Any]) -> Callable[[], Any] | None:
    """Bind NumPy's arguments to our parameters; None where ours has no such one."""
    parameters = inspect.signature(function).parameters
    needed = [p for p in parameters.values() if p.default is p.empty]
    positional, rest = list(given.values())[: len(needed)], list(given.items())[len(needed) :]
    named = {_PARAMETERS.get(name, name): value for name, value in rest}
    if "dtype" in named and not _known(named["dtype"]):
        return None
    if len(positional) < len(needed) or named.keys() - parameters.keys():
        return None
    if not any(isinstance(x, array) for x in _arrays(array, positional)):
        return None  # NumPy's arrays with an option that is an Array, such as a tolerance
    suits = all(_suits(array, p.name, v) for p, v in zip(needed, positional, strict=True))
    # None means other things to NumPy, such as a flattened array.
    odd = any(v is None and parameters[name].default is not None for name, v in named.items())
    return None if odd or not suits else lambda: function(*positional, **named)


def _suits(array: Any, parameter: str, value: Any) -> bool:
    """Return True if our function takes a value; NumPy's take all that it can make an array of."""
    if parameter in ("x1", "x2"):
        return isinstance(value, bool | int | float | complex) or _is_operand(array, value)
    if isinstance(value, str | bytes):  # an array of text, which is NumPy's
        return False
    return _is_operand(array, value) or parameter not in ("x", "condition")


def _is_operand(array: Any, value: Any) -> bool:
    """Return True for an Array, or a plain array of NumPy's of a data type of ours."""
    ndarray = importlib.import_module("numpy").ndarray
    return isinstance(value, array) or (type(value) is ndarray and _known(value.dtype))


def _arrays(array: Any, nest: Any) -> Iterator[Any]:
    """The arrays in arguments, ours and NumPy's."""
    numpy = importlib.import_module("numpy")
    if isinstance(nest, (array, numpy.ndarray)):
        yield nest
    elif isinstance(nest, dict):
        yield from _arrays(array, list(nest.values()))
    elif isinstance(nest, (list, tuple)):
        for one in nest:
            yield from _arrays(array, one)


def _on_host(
    array: Any, name: str, call: Any, args: tuple[Any, ...], kwargs: dict[str, Any], into: bool
) -> Any:
    """Compute by NumPy, write what is to be written into ours, and give back ours."""
    mine = {id(x): x for x in _arrays(array, (args, kwargs)) if isinstance(x, array)}
    _check(name, list(mine.values()))
    outs = _outs(call, args, kwargs)
    candidates = (*outs, *(args[:1] if into else ()))
    written = [x for x in candidates if isinstance(x, array)]
    values = {key: _host_values(name, x) for key, x in mine.items()}
    values |= {id(x): importlib.import_module("numpy").array(x) for x in written}
    host = _mapped(array, (args, kwargs), lambda x: values[id(x)])
    result = call(*host[0], **host[1])
    for x in written:
        x[...] = values[id(x)]
    # An argument that NumPy returns is returned as the caller's own object.
    originals = {id(x): x for x in outs} | {id(values[key]): x for key, x in mine.items()}
    return _ours(result, next(iter(mine.values())), originals)


def _host_values(name: str, x: Any) -> Any:
    if backends.load(x.backend).lazy is None:
        return x.to_numpy()
    with lazy_access.asked(name, x._data):
        return x.to_numpy()


def _values(x: Any) -> Any:
    return importlib.import_module("numpy").asarray(x)


def _outs(call: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """Return what a call was given for `out`; of ufuncs NumPy passes it by name."""
    out = kwargs.get("out")
    if out is None and args:
        with suppress(TypeError, ValueError):  # NumPy says what is wrong, and ufuncs have none
            out = inspect.signature(call).bind(*args, **kwargs).arguments.get("out")
    return out if isinstance(out, tuple) else (out,)


def _check(name: str, arrays: list[Any]) -> None:
    """Raise for what the host would make a constant, and arrays of two backends."""
    remedy = "convert the array first with np.asarray(x)"
    found = sorted({x.backend for x in arrays})
    if len(found) > 1:
        raise BackendError(f"{name}: the arrays are of {' and '.join(found)}; {remedy}")
    for x in arrays:
        if _tracked(x):
            raise UnifyTypeError(
                f"{name} has no counterpart on the {x.backend} backend, and NumPy's would make a "
                f"constant of an array that is traced or differentiated by; use functions of "
                f"the namespace, or outside of traces and gradients {remedy}"
            )


def _tracked(x: Any) -> bool:
    """Return True if an array is traced, or derivatives by it may be taken."""
    if backends.load(x.backend).tracer_of(x.data) is not None:
        return True
    transforms = backends.file_of(x.backend, "gradients")
    if not hasattr(transforms, "DIFFERENTIATES"):
        return False
    return transforms.detached(x.data) is not x.data and transforms.tracking([x.data])


def _mapped(array: Any, nest: Any, function: Callable[[Any], Any]) -> Any:
    """Replace each of our arrays by `function` of it."""
    if isinstance(nest, array):
        return function(nest)
    if isinstance(nest, dict):
        return {key: _mapped(array, value, function) for key, value in nest.items()}
    if type(nest) in (list, tuple):
        return type(nest)(_mapped(array, one, function) for one in nest)
    return nest


def _known(dtype: Any) -> bool:
    """Return True if a data type is one of ours."""
    try:
        backends.as_dtype(dtype)
    except UnifyTypeError:
        return False
    return True


def _ours(result: Any, like: Any, originals: Mapping[int, Any]) -> Any:
    """Make arrays of what NumPy gave: numbers of the standard's data types, alone or in a nest."""
    numpy = importlib.import_module("numpy")
    if id(result) in originals:
        return originals[id(result)]
    if isinstance(result, (numpy.ndarray, numpy.generic)):
        if not _known(result.dtype):
            return result
        return BindingHooks.binding_of(like.backend).functions["asarray"](
            result, device=like.device
        )
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*(_ours(one, like, originals) for one in result))
    if type(result) in (list, tuple):
        return type(result)(_ours(one, like, originals) for one in result)
    return result
