"""General functions: arrays as other values, and helpers of Python."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from arrayapi_unify import backends
from arrayapi_unify._core import lazy_access
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import DEFAULT, name_of
from arrayapi_unify.binding import binding_of, primary, standalone
from arrayapi_unify.binding._reading import primaries_of
from arrayapi_unify.binding.bound import BoundFunction
from arrayapi_unify.binding.namespace import complete
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.annotations import (
    ArrayIn,
    ArrayOrAny,
    NumericOperand,
    OptionalNumeric,
    Out,
)
from arrayapi_unify.contracts.contract import FunctionRecord
from arrayapi_unify.errors import (
    BackendError,
    ComputingError,
    describe,
    raise_type_error,
    raise_value_error,
)
from arrayapi_unify.functional._cache import Cache
from arrayapi_unify.functional._common import check_function


@standalone
def is_array(x: Any, /) -> bool:
    """Return True if a value is an array, wrapped or native.

    Parameters
    ----------
    x
        Any value.

    Returns
    -------
    True or False.

    References
    ----------
    B41: native types (docs/behaviours.md).

    Examples
    --------
    >>> unify.is_array(unify.array([1])), unify.is_array([1])
    (True, False)
    """
    return isinstance(x, Array) or backends.name_of(x) is not None


@standalone
def is_native_array(x: Any, /) -> bool:
    """Return True if a value is an array of a loaded framework itself.

    Parameters
    ----------
    x
        Any value.

    Returns
    -------
    True or False. It is False for an Array.

    References
    ----------
    B41: native types (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.array([1])
    >>> unify.is_native_array(x), unify.is_native_array(x.data)
    (False, True)
    """
    return not isinstance(x, Array) and backends.name_of(x) is not None


@standalone
def to_native(x: ArrayOrAny, /) -> Any:
    """Return the native array of an array, without a copy.

    Parameters
    ----------
    x
        An Array; or lists, tuples and dicts with Arrays in them; or anything else.

    Returns
    -------
    The native array. Lists, tuples and dicts are built anew with native arrays in them. Anything
    else is returned as it is.

    References
    ----------
    B22: native arrays (docs/behaviours.md).

    Examples
    --------
    >>> unify.to_native(unify.array([1, 2]))
    array([1, 2])
    """
    if isinstance(x, Array):
        return x.data
    if isinstance(x, tuple):
        parts = [to_native(part) for part in x]
        return type(x)(*parts) if hasattr(x, "_fields") else tuple(parts)
    if isinstance(x, list):
        return [to_native(part) for part in x]
    if isinstance(x, dict):
        return {key: to_native(value) for key, value in x.items()}
    return x


@primary
def to_numpy(x: ArrayIn, /, *, copy: bool | None = None) -> Any:
    """Return the values as a NumPy array.

    The result is a view of the array's memory where that is possible. A view of an array of JAX or
    TensorFlow, whose arrays never change, is read-only; so is a view of a tensor that autograd
    tracks. Of the former ``np.asarray(x)`` gives an array that can be written to, and the writes
    are seen; of the latter it is a copy.

    Parameters
    ----------
    x
        Array of any shape and data type, on any device.
    copy
        True always copies. False never copies, and raises where a copy is necessary. None copies
        only where it is necessary.

    Returns
    -------
    A ``numpy.ndarray``.

    Raises
    ------
    UnifyValueError
        If `copy` is False and a copy is necessary.

    References
    ----------
    B22: native arrays (docs/behaviours.md).

    Examples
    --------
    >>> unify.to_numpy(unify.array([1, 2]))
    array([1, 2])
    """


@primary
def to_list(x: ArrayIn, /) -> Any:
    """Return the elements as nested lists of Python scalars.

    Parameters
    ----------
    x
        Array of any shape and data type.

    Returns
    -------
    The lists. A zero-dimensional array gives a scalar.

    References
    ----------
    NumPy's ``ndarray.tolist``.

    Examples
    --------
    >>> unify.to_list(unify.array([[1, 2], [3, 4]]))
    [[1, 2], [3, 4]]
    """


@primary
def to_scalar(x: ArrayIn, /) -> bool | int | float | complex:
    """Return the only element as a Python scalar.

    Parameters
    ----------
    x
        Array with exactly one element.

    Returns
    -------
    The scalar.

    Raises
    ------
    UnifyValueError
        If the array hasn't exactly one element.

    References
    ----------
    NumPy's ``ndarray.item``.

    Examples
    --------
    >>> unify.to_scalar(unify.array([[2.5]]))
    2.5
    """


def _device_for(x: Array, target: Any) -> Any:
    """Return x's device if the target backend has it too, else None (its default)."""
    return x.device if x.device in target.backend.devices() else None


@standalone(convenience=True)
def to_backend(x: ArrayIn, backend: str, /) -> Array:
    """Return an array of another backend, with the same values, data type and device.

    Memory is shared where both backends can reach it (through DLPack, or NumPy's protocol on the
    CPU), and either both or neither can write to it. Otherwise it is copied.

    Parameters
    ----------
    x
        Array, native or wrapped.
    backend
        Name of the backend, such as ``"numpy"``.

    Returns
    -------
    Array of that backend. An Array that belongs to it already is returned itself.

    Raises
    ------
    BackendError
        If the other backend can't hold the array; the message names both backends.
    UnifyValueError
        If there is no such backend.

    References
    ----------
    B20: choice of a backend (docs/behaviours.md).

    Examples
    --------
    >>> unify.to_backend(unify.array([1, 2]), "numpy")
    unify.array([1, 2])
    """
    source = x if isinstance(x, Array) else Array(x)
    if source.backend == backend:
        return source
    target = binding_of(backend)
    try:
        made = _exchange(source, target)
    except ComputingError:
        raise
    except Exception as error:
        raise BackendError(
            f"to_backend: a {source.dtype} array of shape {source.shape} on {source.device} can't "
            f"go from the {source.backend} to the {backend} backend: {error}; move it to a device "
            f"that both have with x.to_device('cpu'), or convert unify.stop_gradient(x)"
        ) from error
    if made.dtype is not source.dtype:
        raise BackendError(
            f"to_backend: the {backend} backend made {made.dtype} of a {source.dtype} array of "
            f"the {source.backend} backend; cast it first with astype"
        )
    return made


def _exchange(source: Array, target: Any) -> Array:
    backend = backends.load(source.backend)
    if backend.lazy is not None:
        with lazy_access.asked("to_backend", source.data):
            return _by_values(source, backend.to_numpy(source.data), target)
    try:
        made = target.functions["from_dlpack"](source)
    except Exception:
        # Not every framework exports every data type by DLPack; the CPU's memory all can read.
        return _by_values(source, backend.to_numpy(source.data), target)
    return cast(Array, made)


def _by_values(source: Array, values: Any, target: Any) -> Array:
    device = _device_for(source, target)
    return cast(Array, target.functions["asarray"](values, dtype=source.dtype, device=device))


R = TypeVar("R")


@standalone(convenience=True)
def exists(x: Any, /) -> bool:
    """Return True if a value isn't None.

    Parameters
    ----------
    x
        Any value.

    Returns
    -------
    True or False.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.exists(None), unify.exists(0)
    (False, True)
    """
    return x is not None


@standalone(convenience=True)
def default(
    x: Any, default_val: Any, /, *, catch_exceptions: bool = False, with_callable: bool = False
) -> Any:
    """Return a value unless it is None, else another value.

    Parameters
    ----------
    x
        The value. With `with_callable` or `catch_exceptions`, it may be a function without
        parameters that returns the value.
    default_val
        The other value. With `with_callable`, it may be a function without parameters, which is
        called only if it is needed.
    catch_exceptions
        If True, an exception in a function `x` counts as None.
    with_callable
        If True, functions are called.

    Returns
    -------
    One of the two values.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.default(None, 3), unify.default(0, 3)
    (3, 0)
    >>> unify.default(lambda: 1 / 0, 3, catch_exceptions=True)
    3
    """
    if callable(x) and (with_callable or catch_exceptions):
        try:
            x = x()
        except Exception:
            if not catch_exceptions:
                raise
            x = None
    if x is not None:
        return x
    return default_val() if with_callable and callable(default_val) else default_val


@standalone(convenience=True)
def try_else_none(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call a function, and return None if it raises an exception.

    Parameters
    ----------
    function
        Function to call.
    args
        Its arguments.
    kwargs
        Its keyword arguments.

    Returns
    -------
    What the function returns, or None.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.try_else_none(int, "12"), unify.try_else_none(int, "twelve")
    (12, None)
    """
    try:
        return function(*args, **kwargs)
    except Exception:
        return None


@standalone(convenience=True)
def arg_names(receiver: Callable[..., Any], /) -> list[str]:
    """Return the names of the parameters of a function or of a class's constructor.

    Parameters
    ----------
    receiver
        Function or class.

    Returns
    -------
    The names in their order, without `self` or `cls`.

    Raises
    ------
    TypeError
        If `receiver` can't be called.
    ValueError
        If it is a built-in one that doesn't tell its parameters.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.arg_names(unify.tan)
    ['x', 'out']
    """
    check_function("arg_names", "receiver", receiver)
    return list(inspect.signature(receiver).parameters)


@standalone(convenience=True)
def match_kwargs(
    kwargs: dict[str, Any], /, *receivers: Callable[..., Any], allow_duplicates: bool = False
) -> Any:
    """Distribute keyword arguments among the functions that have parameters of these names.

    Parameters
    ----------
    kwargs
        The arguments by name. An argument that no receiver takes is left out.
    receivers
        Functions or classes, at least one. Earlier ones choose first.
    allow_duplicates
        If True, an argument goes to all receivers that accept it, not only to the first one.

    Returns
    -------
    A list of dicts, one for each receiver. For a single receiver it is the dict itself.

    Raises
    ------
    UnifyValueError
        If there is no receiver.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

    Examples
    --------
    >>> def first(a, b): ...
    >>> def second(b, c): ...
    >>> unify.match_kwargs({"a": 1, "b": 2, "c": 3}, first, second)
    [{'a': 1, 'b': 2}, {'c': 3}]
    """
    if not receivers:
        raise_value_error("match_kwargs", "receivers", "is empty", "pass at least one function")
    if not isinstance(kwargs, Mapping):
        raise_type_error(
            "match_kwargs", "kwargs", f"is {describe(kwargs)}", "pass a dict of arguments by name"
        )
    for receiver in receivers:
        check_function("match_kwargs", "receivers", receiver)
    left = dict(kwargs)
    dealt: list[dict[str, Any]] = []
    for receiver in receivers:
        taken = {name: left[name] for name in arg_names(receiver) if name in left}
        dealt.append(taken)
        if not allow_duplicates:
            left = {name: value for name, value in left.items() if name not in taken}
    return dealt[0] if len(dealt) == 1 else dealt


@standalone(convenience=True)
def cache_fn(
    function: Callable[..., R], /, *, cache: bool = False, max_size: int = 128
) -> Callable[..., R]:
    """Make a function that can remember its results.

    A call with ``cache=True`` returns the result of an earlier call with equal arguments, the same
    object. If there was none, the function is called. A call with ``cache=False`` always calls the
    function, and remembers nothing.

    Arguments are equal if their types and values are: 1, 1.0 and True differ. Arrays are equal if
    backend, data type, device, shape and values are. This holds inside lists, tuples, sets and
    dicts, too. Calls whose arguments can't be compared like this (unhashable objects, arrays that
    are being traced) are not remembered. If there are too many results, the one that wasn't used
    for the longest time is forgotten. Threads may share the function.

    Parameters
    ----------
    function
        Function without a parameter `cache` of its own.
    cache
        What `cache` is in a call that doesn't give it.
    max_size
        Maximum number of cached results.

    Returns
    -------
    The function, with the additional parameter `cache`.

    Raises
    ------
    UnifyTypeError
        If the function has a parameter `cache` itself.
    UnifyValueError
        If `max_size` isn't positive.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

    Examples
    --------
    >>> calls = []
    >>> @unify.cache_fn
    ... def square(x):
    ...     calls.append(x)
    ...     return x * x
    >>> square(3, cache=True), square(3, cache=True), len(calls)
    (9, 9, 1)
    """
    if not isinstance(max_size, int):
        problem = f"is {describe(max_size)}"
        raise_type_error("cache_fn", "max_size", problem, "pass an integer")
    if max_size < 1:
        raise_value_error("cache_fn", "max_size", f"is {max_size}", "pass 1 or more")
    # Some functions of the standard library have no signature to look at.
    if "cache" in (try_else_none(arg_names, function) or ()):
        raise_type_error(
            "cache_fn", "function", "has a parameter 'cache' itself",
            "give that parameter another name",
        )  # fmt: skip
    results, by_default = Cache(max_size), cache

    @functools.wraps(function)
    def cached(*args: Any, cache: bool | None = None, **kwargs: Any) -> R:
        if by_default if cache is None else cache:
            return results.call(function, args, kwargs)
        return function(*args, **kwargs)

    return cached


def _operand(x: Any) -> Any:
    """Return an Array for a native array, so that operators are ours."""
    return x if isinstance(x, Array) or name_of(x) is None else Array(x)


def _stored(function: str, result: Any, out: Any) -> Any:
    """Return a result, or store it in `out`, if that fits: errors name the function."""
    if out is None:
        return result
    # A number has no backend: it goes where `out` is.
    home = result if isinstance(result, Array) else out
    binding = binding_of(home.backend if isinstance(home, Array) else DEFAULT)
    native = binding.functions["asarray"](result)._data
    return BoundFunction(CONTRACTS[function], binding, None).store(native, out)


@standalone(convenience=True)
def stable_divide(
    numerator: NumericOperand,
    denominator: NumericOperand,
    /,
    *,
    min_denominator: OptionalNumeric = None,
    out: Out = None,
) -> Any:
    """Quotient, with a small number added to the denominator to prevent a division by zero.

    Parameters
    ----------
    numerator
        Array or number.
    denominator
        Array or number. A negative one may still become zero.
    min_denominator
        Number added to the denominator; 1e-12 by default.

    Returns
    -------
    ``numerator / (denominator + min_denominator)``: a number if all arguments are numbers and there
    is no `out`, an Array otherwise.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.stable_divide(1.0, 0.0, min_denominator=1.0)
    1.0
    >>> unify.stable_divide(unify.array([2.0, 3.0]), unify.array([0.0, 2.0]), min_denominator=1.0)
    unify.array([2., 1.])
    """
    small = 1e-12 if min_denominator is None else _operand(min_denominator)
    divisor = _operand(denominator) + small
    return _stored("stable_divide", _operand(numerator) / divisor, out)


@standalone(convenience=True)
def stable_pow(
    base: NumericOperand,
    exponent: NumericOperand,
    /,
    *,
    min_base: OptionalNumeric = None,
    out: Out = None,
) -> Any:
    """Power, with a small number added to the base to prevent a negative power of zero.

    Parameters
    ----------
    base
        Array or number. A negative one may still become zero.
    exponent
        Array or number.
    min_base
        Number added to the base; 1e-5 by default.

    Returns
    -------
    ``(base + min_base) ** exponent``: a number if all arguments are numbers and there is no `out`,
    an Array otherwise.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.stable_pow(0.0, -2, min_base=0.5)
    4.0
    >>> unify.stable_pow(unify.array([1.0, 3.0]), 2, min_base=1.0)
    unify.array([ 4., 16.])
    """
    small = 1e-5 if min_base is None else _operand(min_base)
    base = _operand(base) + small
    return _stored("stable_pow", base ** _operand(exponent), out)


@standalone(convenience=True)
def overridable_functions() -> frozenset[Callable[..., Any]]:
    """Set of the functions that a class may override by ``__ivy_array_function__``.

    Returns
    -------
    The public functions that take arrays: those that the method of a class gets as `func`.

    References
    ----------
    B48: overrides (docs/behaviours.md).

    Examples
    --------
    >>> unify.add in unify.overridable_functions(), unify.ones in unify.overridable_functions()
    (True, False)
    >>> sorted(f.__name__ for f in unify.overridable_functions() if f.kind == "primary")[:3]
    ['abs', 'acos', 'acosh']
    """
    complete()
    return frozenset(one.public for one in CONTRACTS.values() if one.overridable)


@standalone(convenience=True)
def functions_used(name: str, /) -> frozenset[str]:
    """Return the names of the primary functions that the body of a function may call.

    A class with ``__ivy_run_bodies__`` that overrides these runs the function. A call needs fewer:
    a body chooses by data types and by optional arguments.

    Parameters
    ----------
    name
        Qualified name of a public function, such as ``"kron"`` or ``"special.erf"``.

    Returns
    -------
    The qualified names of functions that a class may override: the name itself for a primary
    function, none for a standalone one.

    Raises
    ------
    UnifyTypeError
        If `name` is no string.
    UnifyValueError
        If no function has this name.
    BackendError
        If the package is installed without its sources, which are read.

    References
    ----------
    B48: overrides (docs/behaviours.md).

    Examples
    --------
    >>> sorted(unify.functions_used("kron"))
    ['multiply', 'reshape']
    >>> unify.functions_used("add")
    frozenset({'add'})
    """
    complete()
    if not isinstance(name, str):
        raise_type_error("functions_used", "name", f"is {describe(name)}", "pass a string")
    if not CONTRACTS.lists(name):
        raise_value_error(
            "functions_used", "name", f"is {name!r}, which no function is called",
            "pass a key of unify.kinds()",
        )  # fmt: skip
    try:
        return primaries_of(name)
    except OSError as error:
        raise BackendError(
            f"functions_used: reads sources of arrayapi_unify, and there are none ({error}); "
            f"install the package with its .py files"
        ) from error


@standalone(convenience=True)
def kinds() -> dict[str, FunctionRecord]:
    """List every public function, with its kind and its flags.

    Returns
    -------
    A dict of records by qualified name, such as ``"linalg.svd"``. A record has the function's
    `category`, its `kind` (``"primary"``, ``"compositional"``, ``"mixed"`` or ``"standalone"``) and
    the names of its `flags`. `missing_on` names the backends in use that lack it.

    References
    ----------
    B1: kinds of functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.kinds()["linalg.svd"].kind, unify.kinds()["default"].flags
    ('primary', ('convenience',))
    """
    complete()
    return {name: contract.record for name, contract in sorted(CONTRACTS.items())}
