"""Contracts of the general functions: between our arrays, native arrays and Python values."""

from __future__ import annotations

from typing import Any, cast

from arrayapi_unify import backends
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import binding_of, primary, standalone
from arrayapi_unify.binding.annotations import ArrayIn, ArrayOrAny
from arrayapi_unify.errors import BackendError

__all__ = [
    "is_array",
    "is_native_array",
    "to_backend",
    "to_list",
    "to_native",
    "to_numpy",
    "to_scalar",
]


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
    except Exception as error:
        raise BackendError(
            f"to_backend: a {source.dtype} array of shape {source.shape} on {source.device} can't "
            f"go from the {source.backend} to the {backend} backend: {error}; move it to a device "
            f"that both have with x.to_device('cpu'), or detach it from gradients, first"
        ) from error
    if made.dtype is not source.dtype:
        raise BackendError(
            f"to_backend: the {backend} backend made {made.dtype} of a {source.dtype} array of "
            f"the {source.backend} backend; cast it first with astype"
        )
    return made


def _exchange(source: Array, target: Any) -> Array:
    try:
        made = target.functions["from_dlpack"](source)
    except Exception:
        # Not every framework exports every data type by DLPack; the CPU's memory all can read.
        values = backends.load(source.backend).to_numpy(source.data)
        device = _device_for(source, target)
        return cast(Array, target.functions["asarray"](values, dtype=source.dtype, device=device))
    return cast(Array, made)
