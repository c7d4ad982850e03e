"""NumPy arrays out of anything that holds values: what `asarray` and `full` begin with.

The NumPy backend returns them as they are, the others move them into their own memory.
`dtype` is NumPy's here.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import countOf
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms.numpy_dtypes import BY_NAME, DTYPES, as_dtype
from arrayapi_unify.backends._common.checks.arguments import (
    VALUES_ARE_COPIED,
    raise_complex_error,
    raise_copy_error,
    raise_dtype_error,
)
from arrayapi_unify.errors import describe, raise_type_error

NDArray = npt.NDArray[Any]
NativeDType = np.dtype[Any]

# From the highest kind to the lowest: a list of mixed scalars takes the highest one in it.
_SCALAR_KINDS: Final[dict[type, Callable[[], dtypes.DType]]] = {
    complex: dtypes.default_complex,
    float: dtypes.default_float,
    int: dtypes.default_int,
    bool: lambda: dtypes.bool,
}
_SCALARS: Final = frozenset(_SCALAR_KINDS)
_SEQUENCES: Final = (list, tuple, range)
_VALUES: Final = (np.generic, *_SCALARS, *_SEQUENCES)
_STANDARD: Final = frozenset(DTYPES.values())
# bfloat16 is of a kind that NumPy knows nothing of.
_REAL: Final = "iufV"


def convert(
    function: str, argument: str, obj: Any, dtype: NativeDType | None, copy: bool | None
) -> NDArray:
    """Make an array of whatever `asarray` takes."""
    if dtype is None and copy is not False and (found := of_one_kind(obj)) is not None:
        return found
    if isinstance(obj, np.ndarray):
        return convert_array(function, argument, obj, dtype, copy)
    if not isinstance(obj, _VALUES):
        return _from_protocol(function, argument, obj, dtype, copy)
    if copy is False:
        raise_copy_error(function, VALUES_ARE_COPIED)
    if isinstance(obj, np.generic):
        return convert_array(function, argument, np.asarray(obj), dtype, None)
    return _from_python(function, argument, obj, dtype)


def of_one_kind(obj: Any) -> NDArray | None:
    """Return an array of a list of numbers of one type, the commonest argument of all."""
    default = default_of(obj)
    if default is None:
        return None
    try:
        return np.array(obj, BY_NAME[default.name])
    except OverflowError:
        return None  # an integer beyond the default data type


def default_of(obj: Any) -> dtypes.DType | None:
    """Return the data type of a list of numbers of one type; None of anything else."""
    if (type(obj) is not list and type(obj) is not tuple) or not obj:
        return None
    default = _SCALAR_KINDS.get(kind := type(obj[0]))
    # A set of the types would be found more slowly.
    if default is None or countOf(map(type, obj), kind) != len(obj):
        return None
    return default()


def convert_array(
    function: str, argument: str, x: NDArray, dtype: NativeDType | None, copy: bool | None
) -> NDArray:
    """Cast and copy a NumPy array as requested; a subclass of ndarray becomes a plain one."""
    as_it_is = dtype is None or dtype == x.dtype
    if as_it_is and not copy and type(x) is np.ndarray and x.dtype in _STANDARD:
        return x
    target = castable(function, argument, x.dtype, dtype)
    if copy is not False:
        return np.array(x, copy=copy) if x.dtype == target else _cast(x, target)
    # Arrays of foreign byte order are valid as they are, only slower.
    if x.dtype != target and as_dtype(x.dtype) is not as_dtype(target):
        raise_copy_error(function, f"a cast from {x.dtype} to {target} needs a copy")
    return np.asarray(x)


@np.errstate(all="ignore")
def _cast(values: Any, dtype: NativeDType) -> NDArray:
    """Make an array; what overflows is infinite, and no warning, as with `astype`."""
    return np.array(values, dtype=dtype)


def castable(
    function: str, argument: str, source: NativeDType, dtype: NativeDType | None
) -> NativeDType:
    """Return the data type that values of `source` shall have, or refuse them."""
    if dtype is None:
        ours = as_dtype(source)
        if ours is not None:
            return DTYPES[ours]
    elif source.kind == "c" and dtype.kind in _REAL:
        raise_complex_error(function, argument, dtype)
    elif source.kind in "biufc" or as_dtype(source) is not None:
        return dtype
    raise_dtype_error(function, argument, source)


def _from_python(function: str, argument: str, obj: Any, dtype: NativeDType | None) -> NDArray:
    """Make an array of a Python scalar or of nested lists.

    NumPy's own inference doesn't serve: it makes float64 of `[2**63, 1]`, objects of larger
    integers and of `None`, and strings of strings.
    """
    scalars: set[type] = set()
    arrays: set[NativeDType] = set()
    if isinstance(obj, _SEQUENCES):
        _scan(function, argument, obj, scalars, arrays)
    else:
        scalars.add(_scalar_type(obj))
    # Python scalars are weak next to arrays, as in arithmetic (NEP 50).
    natural = _together(arrays, scalars) if arrays else _default(scalars)
    target = natural
    if arrays or dtype is not None:
        target = castable(function, argument, natural, dtype)
    try:
        return _cast(obj, target) if arrays or dtype is not None else np.array(obj, dtype=target)
    except OverflowError:
        if dtype is None and not arrays and natural == np.int64:
            return np.array(obj, dtype=np.uint64)
        raise


def _together(arrays: set[NativeDType], scalars: set[type]) -> NativeDType:
    """Return the data type of arrays and scalars; NumPy itself promotes bfloat16 differently."""
    found = {as_dtype(native) for native in arrays}
    if dtypes.bfloat16 not in found or None in found:
        return np.result_type(*arrays, *(kind(0) for kind in scalars))
    result = dtypes.promote(*(dtype for dtype in found if dtype is not None))
    for kind in scalars:
        result = dtypes.promote_scalar(result, kind(0))
    return DTYPES[result]


def _default(scalars: set[type]) -> NativeDType:
    """Return the default data type of the highest kind among the scalars, a float of none."""
    for kind, default in _SCALAR_KINDS.items():
        if kind in scalars:
            return BY_NAME[default().name]
    return BY_NAME[dtypes.default_float().name]


def _scalar_type(value: Any) -> type:
    """Return which of Python's number types `value` (of a subclass, perhaps) belongs to."""
    kind = type(value)
    if kind in _SCALARS:
        return kind
    return next(base for base in (bool, int, float, complex) if isinstance(value, base))


def _scan(
    function: str, argument: str, obj: Any, scalars: set[type], arrays: set[NativeDType]
) -> None:
    """Collect the types of the scalars, and the data types of the arrays, in nested lists."""
    kinds = set(map(type, obj))
    if kinds <= _SCALARS:
        scalars |= kinds
        return
    for item in obj:
        if isinstance(item, _SEQUENCES):
            _scan(function, argument, item, scalars, arrays)
        elif isinstance(item, np.ndarray | np.generic):
            arrays.add(item.dtype)
        elif isinstance(item, int | float | complex):
            scalars.add(_scalar_type(item))
        else:
            arrays.add(_from_protocol(function, argument, item, None, None).dtype)


def _from_protocol(
    function: str, argument: str, obj: Any, dtype: NativeDType | None, copy: bool | None
) -> NDArray:
    """Make an array of an object with `__array__`, the buffer protocol or DLPack."""
    if isinstance(obj, bytes | bytearray):
        obj = memoryview(obj)  # NumPy takes bytes for a string
    if hasattr(obj, "__array__") or hasattr(obj, "__array_interface__") or _is_buffer(obj):
        x = np.array(obj, copy=copy)
    elif hasattr(obj, "__dlpack__"):
        x = shared(obj, copy)
        x = x.copy() if copy else x  # exporters older than DLPack 1.0 always share
    else:
        raise_type_error(
            function,
            argument,
            f"is or contains {describe(obj)}, which is no array data",
            "pass numbers, nested lists of numbers, or an object with __array__, the buffer "
            "protocol or DLPack",
        )
    return convert_array(function, argument, x, dtype, False if copy is False else None)


def _is_buffer(obj: Any) -> bool:
    try:
        memoryview(obj)
    except TypeError:
        return False
    return True


def shared(x: Any, copy: bool | None) -> NDArray:
    """Share the memory of an object on the CPU; copy only what can't be shared."""
    try:
        return np.from_dlpack(x, copy=False) if copy is False else np.from_dlpack(x)
    except TypeError:
        # Exporters older than DLPack 1.0 don't know `copy`; they only ever share.
        return np.from_dlpack(x)
    except BufferError:
        # Such as read-only memory behind an old exporter, or foreign byte order.
        if copy is False or not hasattr(x, "__array__"):
            raise
        return np.array(x)
