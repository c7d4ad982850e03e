"""Contracts of the data type functions: casts, promotion, limits, kinds and default data types."""

from __future__ import annotations

import importlib
from typing import Any

from arrayapi_unify import backends, dtypes, limits
from arrayapi_unify._core.settings import Change
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional, primary, standalone
from arrayapi_unify.contracts.annotations import (
    ArrayDTypeOrScalar,
    ArrayIn,
    ArrayOrAny,
    ArrayOrDType,
    DTypeIn,
    OptionalDevice,
    Out,
)
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import (
    UnifyTypeError,
    UnifyValueError,
    about_argument,
    describe,
    raise_type_error,
)
from arrayapi_unify.limits import FInfo, IInfo


def _dtype_of(value: Any) -> DType:
    """Return the data type of an array (native or wrapped), or the one that `value` names."""
    if isinstance(value, Array):
        return value.dtype
    name = backends.name_of(value)
    return backends.as_dtype(value) if name is None else backends.load(name).dtype_of(value)


def _given_dtype(value: Any) -> DType:
    """Return the data type of an argument of `result_type`."""
    try:
        return _dtype_of(value)
    except UnifyTypeError as error:
        raise about_argument(error, "result_type", "arrays_and_dtypes") from None


@primary(passes_through=True)
def astype(
    x: ArrayIn,
    /,
    dtype: DTypeIn,
    *,
    copy: bool = True,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Cast an array to a data type, whatever the promotion rules say.

    Floats become integers by truncation toward zero; what NaN and infinities become depends on the
    backend. Numbers become bool by comparison with zero.

    Parameters
    ----------
    x
        Array of any shape and data type.
    dtype
        Data type of the result.
    copy
        True always copies. False returns `x` itself if it has that data type already, and a copy
        otherwise.
    device
        Device of the result; that of `x` by default.

    Returns
    -------
    Array of x's shape and of that data type.

    Raises
    ------
    UnifyTypeError
        If `x` is complex and `dtype` isn't: take ``real(x)`` or ``abs(x)`` first.

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
    """Return True if a data type casts to another one without loss.

    The answer follows the promotion table: it is true where ``result_type(from_, to)`` is `to`.

    Parameters
    ----------
    from_
        Data type, or an array, which stands for its data type.
    to
        Data type to cast to.

    Returns
    -------
    True or False.

    Raises
    ------
    UnifyTypeError
        If an argument is neither an array nor a data type of the standard.

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
    """Limits of a floating-point data type.

    For a complex data type they are those of its components.

    Parameters
    ----------
    type
        Data type, or an array, which stands for its data type.

    Returns
    -------
    An object with the attributes `bits`, `eps`, `max`, `min` and `smallest_normal`, which are
    Python numbers, and `dtype`.

    Raises
    ------
    UnifyTypeError
        If the data type isn't floating-point.

    References
    ----------
    Array API standard 2025.12, ``finfo``.

    Examples
    --------
    >>> unify.finfo(unify.complex64).dtype, unify.finfo(unify.float64).eps
    (float32, 2.220446049250313e-16)
    """
    return limits.finfo(_dtype_of(type))


@standalone
def iinfo(type: ArrayOrDType, /) -> IInfo:
    """Limits of an integer data type.

    Parameters
    ----------
    type
        Data type, or an array, which stands for its data type.

    Returns
    -------
    An object with the attributes `bits`, `max` and `min`, which are Python integers, and `dtype`.

    Raises
    ------
    UnifyTypeError
        If the data type isn't an integer one.

    References
    ----------
    Array API standard 2025.12, ``iinfo``.

    Examples
    --------
    >>> unify.iinfo(unify.int8).min, unify.iinfo(unify.uint16).max
    (-128, 65535)
    """
    return limits.iinfo(_dtype_of(type))


@compositional
def iscomplexobj(x: ArrayIn, /) -> bool:
    """Return True if the data type of an array is complex, whatever the values are.

    Parameters
    ----------
    x
        Array, nested list or scalar.

    Returns
    -------
    True or False.

    References
    ----------
    NumPy's ``iscomplexobj``.

    Examples
    --------
    >>> unify.iscomplexobj(unify.array([1j])), unify.iscomplexobj([1.0])
    (True, False)
    """
    return x.dtype.kind == "c"


@standalone(nestable=True)
def isdtype(dtype: DTypeIn, kind: DType | str | tuple[DType | str, ...]) -> bool:
    """Return True if a data type is of a kind.

    Parameters
    ----------
    dtype
        Data type to test.
    kind
        A data type; or one of ``"bool"``, ``"signed integer"``, ``"unsigned integer"``,
        ``"integral"``, ``"real floating"``, ``"complex floating"`` and ``"numeric"``; or a tuple of
        those, any of which may hold.

    Returns
    -------
    True or False.

    Raises
    ------
    UnifyTypeError
        If an argument is no data type, or no kind.
    UnifyValueError
        If there is no kind of that name.

    References
    ----------
    Array API standard 2025.12, ``isdtype``.

    Examples
    --------
    >>> unify.isdtype(unify.float32, "real floating"), unify.isdtype(unify.bool, "numeric")
    (True, False)
    """
    return dtypes.isdtype(backends.as_dtype(dtype), kind)


@standalone(convenience=True)
def isscalar(element: Any, /) -> bool:
    """Return True for a number or a string, and a scalar of NumPy; an array is none.

    Parameters
    ----------
    element
        Any object.

    Returns
    -------
    True or False.

    References
    ----------
    NumPy's ``isscalar``.

    Examples
    --------
    >>> unify.isscalar(3.0), unify.isscalar(unify.array(3.0)), unify.isscalar([3.0])
    (True, False, False)
    """
    return not isinstance(element, Array) and bool(
        importlib.import_module("numpy").isscalar(element)
    )


@standalone(nestable=True, convenience=True)
def issubdtype(arg1: Any, arg2: Any, /) -> bool:
    """Return True if a data type is another one, or one of NumPy's kinds, such as `np.floating`.

    Parameters
    ----------
    arg1
        Data type in any form: of the namespace, of NumPy or of a library.
    arg2
        Data type, or an abstract one of NumPy's.

    Returns
    -------
    True or False.

    Raises
    ------
    UnifyTypeError
        If an argument is no data type.

    References
    ----------
    NumPy's ``issubdtype``. bfloat16 counts as a floating-point number, as float16 does.

    Examples
    --------
    >>> import numpy as np
    >>> unify.issubdtype(unify.float32, np.floating), unify.issubdtype(unify.int8, unify.int16)
    (True, False)
    """
    numpy = importlib.import_module("numpy")
    kinds = []
    for name, given in (("arg1", arg1), ("arg2", arg2)):
        abstract = isinstance(given, type) and issubclass(given, numpy.generic)
        kinds.append(given if abstract else backends.as_dtype(given))
        if kinds[-1] is None:
            raise_type_error("issubdtype", name, f"is {describe(given)}", "pass a data type")
    if dtypes.bfloat16 in kinds and kinds[0] is not kinds[1]:  # NumPy takes it for bytes
        return isinstance(kinds[1], type) and bool(numpy.issubdtype(numpy.float16, kinds[1]))
    return bool(numpy.issubdtype(*kinds))


@standalone(cache_by_dtypes=True)
def result_type(
    *arrays_and_dtypes: ArrayDTypeOrScalar,
) -> DType:
    """Data type of the result of an operation on the arguments.

    Arrays and data types are promoted by one table (docs/promotion.md). Python scalars take the
    data type that results. One of a higher kind raises it to int64, float64 or complex. Where
    integers alone become floating-point numbers, these are of the default data type. So are
    Python scalars without an array or a data type: that of their highest kind.

    Parameters
    ----------
    arrays_and_dtypes
        Arrays, data types and Python scalars; at least one of them.

    Returns
    -------
    The data type.

    Raises
    ------
    UnifyTypeError
        If an argument is none of these.
    UnifyValueError
        If there is no argument.

    References
    ----------
    Array API standard 2025.12, ``result_type``.

    Examples
    --------
    >>> unify.result_type(unify.int8, unify.uint8), unify.result_type(unify.float32, 1j)
    (int16, complex64)
    >>> unify.result_type(1, 2.0)
    float64
    """
    typed: list[DType] = []
    scalars: list[Any] = []
    for value in arrays_and_dtypes:
        if isinstance(value, Array):
            typed.append(value.dtype)
        elif (scalar := backends.python_scalar(value)) is not None:
            scalars.append(scalar)
        else:
            typed.append(_given_dtype(value))
    if not arrays_and_dtypes:
        raise UnifyValueError("result_type: there is no argument; pass an array or a data type")
    if not typed:
        return dtypes.of_scalars(scalars)
    result = dtypes.promote(*typed)
    for scalar in scalars:
        result = dtypes.promote_scalar(result, scalar)
    floating = any(given.kind in "fc" for given in typed)
    return result if floating else dtypes.in_default(result)


@standalone(convenience=True)
def dtype(x: ArrayOrAny, /) -> DType:
    """Return the data type of an array, or the one that something names.

    Parameters
    ----------
    x
        Array, native or wrapped; or what ``np.dtype`` takes: a name, a class, a data type.

    Returns
    -------
    Its `DType`.

    Raises
    ------
    UnifyTypeError
        If `x` is neither an array nor names a data type of the standard.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.dtype(unify.array([1.5, 2.5])), unify.dtype("i2")
    (float64, int16)
    """
    return _dtype_of(x)


@standalone(convenience=True, nestable=True)
def as_unify_dtype(dtype: Any, /) -> DType:
    """Return the `DType` that something names.

    Parameters
    ----------
    dtype
        A data type: a `DType`, its name, a Python type or a native data type.

    Returns
    -------
    The `DType`.

    Raises
    ------
    UnifyTypeError
        If `dtype` names no data type of the standard.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.as_unify_dtype("float32"), unify.as_unify_dtype(int)
    (float32, int64)
    """
    return backends.as_dtype(dtype)


@primary(convenience=True)
def as_native_dtype(dtype: DTypeIn, /) -> Any:
    """Return the current backend's own data type for something that names a data type.

    Parameters
    ----------
    dtype
        A data type: a `DType`, its name, a Python type or a native data type.

    Returns
    -------
    The native data type.

    Raises
    ------
    UnifyTypeError
        If `dtype` names no data type of the standard.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.as_native_dtype(unify.float32)
    dtype('float32')
    """


@standalone(convenience=True)
def is_native_dtype(dtype: Any, /) -> bool:
    """Return True if a value is a data type of a loaded framework.

    Parameters
    ----------
    dtype
        Any value. A `DType` or the name of a data type is no native data type.

    Returns
    -------
    True or False.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

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
def default_dtype(dtype: Any = None, *, item: Any = None) -> DType:
    """Return a data type if one is given, else that of a value, else the default one.

    As a context manager, what it returns is the default data type of its kind for the block, for
    the current thread or async task: ``with unify.default_dtype("float32"):``.

    Parameters
    ----------
    dtype
        Anything that names a data type, or None.
    item
        A Python scalar, a nesting of them or an array: its data type is the one that
        ``asarray(item)`` has.

    Returns
    -------
    The data type. Without arguments it is the default floating-point one, which is float64 unless
    it was set.

    Raises
    ------
    UnifyTypeError
        If `dtype` or `item` has no data type of the standard.

    References
    ----------
    B16 and B50: convenience functions, settings (docs/behaviours.md).

    Examples
    --------
    >>> unify.default_dtype(), unify.default_dtype(item=[1, 2]), unify.default_dtype(item=1j)
    (float64, int64, complex128)
    >>> with unify.default_dtype("float32"):
    ...     unify.zeros(2).dtype
    float32
    """
    return _default(dtype, item, dtypes.default_float())


@standalone(convenience=True)
def default_int_dtype() -> DType:
    """Return the data type that Python integers become: int64, unless it was set.

    Returns
    -------
    The data type.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.default_int_dtype()
    int64
    """
    return dtypes.default_int()


@standalone(convenience=True)
def default_float_dtype() -> DType:
    """Return the data type that Python floats become: float64, unless it was set.

    Returns
    -------
    The data type.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.default_float_dtype()
    float64
    """
    return dtypes.default_float()


@standalone(convenience=True)
def default_complex_dtype() -> DType:
    """Return the data type that Python complex numbers become.

    Unless it was set, it has the precision of the default floating-point data type.

    Returns
    -------
    The data type.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> with unify.default_dtype(unify.float32):
    ...     unify.default_complex_dtype()
    complex64
    """
    return dtypes.default_complex()


@standalone(convenience=True)
def set_default_dtype(dtype: Any, /) -> Change[DType]:
    """Make a data type the default one of its kind: integer, real or complex.

    The setting holds at once, for the whole process, all threads included. It is no context
    manager: ``with unify.default_dtype(dtype):`` is a block, which holds for the current thread or
    async task and comes first.

    Parameters
    ----------
    dtype
        A data type: a `DType`, its name, a Python type or a native data type.

    Returns
    -------
    The change. Its method ``undo`` takes it back.

    Raises
    ------
    UnifyTypeError
        If `dtype` isn't a numeric data type of the standard.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> change = unify.set_default_dtype(unify.float32)
    >>> unify.ones(2).dtype
    float32
    >>> change.undo()
    >>> unify.ones(2).dtype
    float64
    """
    return dtypes.set_default("set_default_dtype", backends.as_dtype(dtype))


@standalone(convenience=True)
def set_default_int_dtype(dtype: Any, /) -> Change[DType]:
    """Set the data type that Python integers become.

    The setting holds at once, for the whole process, all threads included. It is no context
    manager: ``with unify.default_dtype(dtype):`` is a block, which holds for the current thread or
    async task and comes first.

    Parameters
    ----------
    dtype
        A data type: a `DType`, its name, a Python type or a native data type.

    Returns
    -------
    The change. Its method ``undo`` takes it back.

    Raises
    ------
    UnifyTypeError
        If `dtype` isn't an integer data type.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> change = unify.set_default_int_dtype(unify.int32)
    >>> unify.asarray([1, 2]).dtype
    int32
    >>> change.undo()
    """
    return dtypes.set_default("set_default_int_dtype", backends.as_dtype(dtype), ("integral",))


@standalone(convenience=True)
def set_default_float_dtype(dtype: Any, /) -> Change[DType]:
    """Set the data type that Python floats become.

    The setting holds at once, for the whole process, all threads included. It is no context
    manager: ``with unify.default_dtype(dtype):`` is a block, which holds for the current thread or
    async task and comes first.

    Parameters
    ----------
    dtype
        A data type: a `DType`, its name, a Python type or a native data type.

    Returns
    -------
    The change. Its method ``undo`` takes it back.

    Raises
    ------
    UnifyTypeError
        If `dtype` isn't a real floating-point data type.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> change = unify.set_default_float_dtype(unify.float32)
    >>> unify.zeros(2).dtype
    float32
    >>> change.undo()
    """
    return dtypes.set_default(
        "set_default_float_dtype", backends.as_dtype(dtype), ("real floating",)
    )


@standalone(convenience=True)
def set_default_complex_dtype(dtype: Any, /) -> Change[DType]:
    """Set the data type that Python complex numbers become.

    The setting holds at once, for the whole process, all threads included. It is no context
    manager: ``with unify.default_dtype(dtype):`` is a block, which holds for the current thread or
    async task and comes first.

    Parameters
    ----------
    dtype
        A data type: a `DType`, its name, a Python type or a native data type.

    Returns
    -------
    The change. Its method ``undo`` takes it back.

    Raises
    ------
    UnifyTypeError
        If `dtype` isn't a complex data type.

    References
    ----------
    B16: convenience functions (docs/behaviours.md).

    Examples
    --------
    >>> change = unify.set_default_complex_dtype(unify.complex64)
    >>> unify.asarray(1j).dtype
    complex64
    >>> change.undo()
    """
    return dtypes.set_default(
        "set_default_complex_dtype", backends.as_dtype(dtype), ("complex floating",)
    )
