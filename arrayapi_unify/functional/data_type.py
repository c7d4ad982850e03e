"""Contracts of the data type functions: casts, promotion, limits, kinds and default data types."""

from __future__ import annotations

from typing import Any

from arrayapi_unify import backends, dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import primary, standalone
from arrayapi_unify.binding.roles import (
    ArrayDTypeOrScalar,
    ArrayIn,
    ArrayOrDType,
    DTypeIn,
    OptionalDevice,
    Out,
)
from arrayapi_unify.dtypes import DefaultDType, DType, FInfo, IInfo
from arrayapi_unify.errors import UnifyValueError

__all__ = [
    "as_native_dtype",
    "as_unify_dtype",
    "astype",
    "can_cast",
    "default_complex_dtype",
    "default_dtype",
    "default_float_dtype",
    "default_int_dtype",
    "dtype",
    "finfo",
    "iinfo",
    "is_native_dtype",
    "isdtype",
    "result_type",
    "set_default_complex_dtype",
    "set_default_dtype",
    "set_default_float_dtype",
    "set_default_int_dtype",
]


def _dtype_of(value: Any) -> DType:
    """Return the data type of an array (native or wrapped), or the one that `value` names."""
    if isinstance(value, Array):
        return value.dtype
    name = backends.name_of(value)
    return backends.as_dtype(value) if name is None else backends.load(name).dtype_of(value)


@primary(passes_through=True)
def astype(
    x: ArrayIn,
    dtype: DTypeIn,
    /,
    *,
    copy: bool = True,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Cast an array to a data type, whatever the promotion rules say.

    Floats become integers by truncation toward zero (NaN and infinities give values that depend
    on the backend), numbers become bool by comparison with zero.

    Parameters
    ----------
    x
        Array of any shape and data type.
    dtype
        Data type of the result.
    copy
        True always copies; False returns `x` itself where it has `dtype` already, and a copy where
        it hasn't.
    device
        Device of the result; None keeps x's.

    Raises
    ------
    UnifyTypeError
        For a complex `x` and a real `dtype`: take `real(x)` or `abs(x)` first.

    References
    ----------
    Array API standard 2025.12, ``astype``.

    Examples
    --------
    >>> unify.astype(unify.array([-1.7, 0., 2.5]), unify.int8)
    unify.array([-1,  0,  2], dtype=int8)
    """


@standalone(convenience=True)
def can_cast(from_: ArrayOrDType, to: DTypeIn, /) -> bool:
    """Say whether a data type, or that of an array, casts to another one without loss.

    The answer follows the promotion table: it is True where `result_type(from_, to)` is `to`.

    References
    ----------
    Array API standard 2025.12, ``can_cast``.

    Examples
    --------
    >>> unify.can_cast(unify.int32, unify.int64), unify.can_cast(unify.int64, unify.int8)
    (True, False)
    """
    return dtypes.can_cast(_dtype_of(from_), backends.as_dtype(to))


@standalone
def finfo(type: ArrayOrDType, /) -> FInfo:
    """Return the machine limits of a floating-point data type, or of an array's.

    For a complex data type they are those of its components. The attributes are `bits`, `eps`,
    `max`, `min`, `smallest_normal` (Python numbers) and `dtype`.

    References
    ----------
    Array API standard 2025.12, ``finfo``.

    Examples
    --------
    >>> unify.finfo(unify.complex64).dtype, unify.finfo(unify.float64).eps
    (float32, 2.220446049250313e-16)
    """
    return dtypes.finfo(_dtype_of(type))


@standalone
def iinfo(type: ArrayOrDType, /) -> IInfo:
    """Return the machine limits of an integer data type, or of an array's.

    The attributes are `bits`, `max`, `min` (Python integers) and `dtype`.

    References
    ----------
    Array API standard 2025.12, ``iinfo``.

    Examples
    --------
    >>> unify.iinfo(unify.int8).min, unify.iinfo(unify.uint16).max
    (-128, 65535)
    """
    return dtypes.iinfo(_dtype_of(type))


@standalone(nestable=True)
def isdtype(dtype: DTypeIn, kind: DType | str | tuple[DType | str, ...]) -> bool:
    """Say whether a data type is of a kind.

    A kind is a data type, a tuple of kinds, or one of "bool", "signed integer",
    "unsigned integer", "integral", "real floating", "complex floating" and "numeric".

    References
    ----------
    Array API standard 2025.12, ``isdtype``.

    Examples
    --------
    >>> unify.isdtype(unify.float32, "real floating"), unify.isdtype(unify.bool, "numeric")
    (True, False)
    """
    return dtypes.isdtype(backends.as_dtype(dtype), kind)


@standalone
def result_type(
    *arrays_and_dtypes: ArrayDTypeOrScalar,
) -> DType:
    """Return the data type that an operation of the arguments has.

    Arrays and data types promote by the table in the documentation; Python scalars then take the
    result's data type, or, where they are of a higher kind, bring int64, float64 or complex.

    Raises
    ------
    UnifyValueError
        If there is neither an array nor a data type among the arguments.

    References
    ----------
    Array API standard 2025.12, ``result_type``.

    Examples
    --------
    >>> unify.result_type(unify.int8, unify.uint8), unify.result_type(unify.float32, 1j)
    (int16, complex64)
    """
    scalars = [s for v in arrays_and_dtypes if (s := backends.python_scalar(v)) is not None]
    typed = [_dtype_of(v) for v in arrays_and_dtypes if backends.python_scalar(v) is None]
    if not typed:
        raise UnifyValueError(
            "result_type: at least one argument must be an array or a data type; "
            "use default_dtype(item=value) for the data type of a lone scalar"
        )
    result = dtypes.promote(*typed)
    for scalar in scalars:
        result = dtypes.promote_scalar(result, scalar)
    return result


@standalone(convenience=True)
def dtype(x: ArrayIn, /) -> DType:
    """Return the data type of an array, native or wrapped.

    Examples
    --------
    >>> unify.dtype(unify.array([1.5, 2.5]))
    float64
    """
    return _dtype_of(x)


@standalone(convenience=True, nestable=True)
def as_unify_dtype(dtype: Any, /) -> DType:
    """Return the `DType` for a `DType`, its name, a Python type or a native data type.

    Examples
    --------
    >>> unify.as_unify_dtype("float32"), unify.as_unify_dtype(int)
    (float32, int64)
    """
    return backends.as_dtype(dtype)


@primary(convenience=True)
def as_native_dtype(dtype: DTypeIn, /) -> Any:
    """Return the current backend's own data type for anything that names a data type.

    Examples
    --------
    >>> unify.as_native_dtype(unify.float32)
    dtype('float32')
    """


@standalone(convenience=True)
def is_native_dtype(dtype: Any, /) -> bool:
    """Say whether `dtype` is a data type of a loaded framework (not a `DType`, not a name).

    Examples
    --------
    >>> unify.is_native_dtype(unify.as_native_dtype("int8")), unify.is_native_dtype(unify.int8)
    (True, False)
    """
    return backends.native_dtype_of(dtype) is not None


def _default(given: Any, item: Any, default: DTypeIn) -> DType:
    """Return the data type that is given, else that of `item`, else the default one."""
    if given is not None:
        return backends.as_dtype(given)
    if item is None:
        return default
    if isinstance(item, list | tuple):
        found = [_default(None, part, default) for part in item]
        return dtypes.promote(*found) if found else default
    scalar = backends.python_scalar(item)
    return _dtype_of(item) if scalar is None else dtypes.of_scalar(scalar)


@standalone(convenience=True)
def default_dtype(*, dtype: Any = None, item: Any = None) -> DType:
    """Return `dtype` if it is given, else the data type that `item` becomes, else the default.

    Parameters
    ----------
    dtype
        Anything that names a data type, or None.
    item
        A Python scalar, a nesting of them or an array: the data type that `asarray(item)` has.

    Returns
    -------
    The data type; with no argument the default floating-point one, float64 unless it was set.

    Examples
    --------
    >>> unify.default_dtype(), unify.default_dtype(item=[1, 2]), unify.default_dtype(item=1j)
    (float64, int64, complex128)
    """
    return _default(dtype, item, dtypes.default_float())


@standalone(convenience=True)
def default_int_dtype() -> DType:
    """Return the data type that Python integers become, int64 unless it was set.

    Examples
    --------
    >>> unify.default_int_dtype()
    int64
    """
    return dtypes.default_int()


@standalone(convenience=True)
def default_float_dtype() -> DType:
    """Return the data type that Python floats become, float64 unless it was set.

    Examples
    --------
    >>> unify.default_float_dtype()
    float64
    """
    return dtypes.default_float()


@standalone(convenience=True)
def default_complex_dtype() -> DType:
    """Return the data type that Python complex numbers become.

    Unless it was set it has the precision of the default floating-point data type.

    Examples
    --------
    >>> with unify.set_default_dtype(unify.float32):
    ...     unify.default_complex_dtype()
    complex64
    """
    return dtypes.default_complex()


@standalone(convenience=True)
def set_default_dtype(dtype: Any, /) -> DefaultDType:
    """Make a data type the default of its kind (integer, real or complex floating-point).

    It takes effect at once, for the current thread or async task; as a context manager it ends
    with the block.

    Examples
    --------
    >>> with unify.set_default_dtype(unify.float32):
    ...     unify.ones(2)
    unify.array([1., 1.], dtype=float32)
    >>> unify.ones(2)
    unify.array([1., 1.])
    """
    return dtypes.set_default(backends.as_dtype(dtype))


@standalone(convenience=True)
def set_default_int_dtype(dtype: Any, /) -> DefaultDType:
    """Make a data type the one that Python integers become; also a context manager.

    Examples
    --------
    >>> with unify.set_default_int_dtype(unify.int32):
    ...     unify.asarray([1, 2])
    unify.array([1, 2], dtype=int32)
    """
    return dtypes.set_default(backends.as_dtype(dtype), ("integral",))


@standalone(convenience=True)
def set_default_float_dtype(dtype: Any, /) -> DefaultDType:
    """Make a data type the one that Python floats become; also a context manager.

    Examples
    --------
    >>> with unify.set_default_float_dtype(unify.float32):
    ...     unify.zeros(2)
    unify.array([0., 0.], dtype=float32)
    """
    return dtypes.set_default(backends.as_dtype(dtype), ("real floating",))


@standalone(convenience=True)
def set_default_complex_dtype(dtype: Any, /) -> DefaultDType:
    """Make a data type the one that Python complex numbers become; also a context manager.

    Examples
    --------
    >>> with unify.set_default_complex_dtype(unify.complex64):
    ...     unify.asarray(1j)
    unify.array(0.+1.j, dtype=complex64)
    """
    return dtypes.set_default(backends.as_dtype(dtype), ("complex floating",))
