"""Refusals that several backends share: each has one error class, wording and argument name.

A `check_*` checks its arguments, and raises if they are wrong. A `raise_*` only raises: it is for
natives that have checked already, so that a correct call costs no further Python call. Shapes may
hold None for a size that tf.function doesn't know. If a library refuses a call itself, its native
function checks nothing; `_common.checks.diagnostics` calls these functions after the failure.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from numbers import Real
from typing import Any, Final, NoReturn

from arrayapi_unify import limits
from arrayapi_unify.backends._common.checks.indexing import first_outside
from arrayapi_unify.backends._common.checks.shapes import alike
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import (
    UnifyBufferError,
    UnifyError,
    UnifyIndexError,
    UnifyTypeError,
    UnifyValueError,
    describe,
    fault,
    raise_argument_error,
    raise_type_error,
    raise_value_error,
)

Shape = Sequence[int | None]

# Names of accelerators in the frameworks.
_OTHER_NAMES: Final = ("cuda", "rocm", "hip", "xpu", "gpu")
VALUES_ARE_COPIED: Final = "Python values have to be copied into an array"


# --- data types -------------------------------------------------------------------------------


class UndefinedError(TypeError):
    """A native function was called with data types for which there is none."""


def raise_undefined_error(function: str, argument: str, dtype: DType) -> NoReturn:
    """Raise for a data type for which NumPy and the standard define nothing either."""
    of_complex = "take real(x), imag(x) or abs(x) first"
    remedy = of_complex if dtype.kind == "c" else "cast it first, e.g. with astype(x, dtype)"
    problem = f"has, or promotes to, {dtype}, for which the function isn't defined"
    raise_type_error(function, argument, problem, remedy)


class TracedError(TypeError):
    """A library was asked for the values of an array that it is tracing."""


class TrackedError(TracedError):
    """Values were asked for that would be constants, where a derivative is being computed."""


class ElsewhereError(UnifyValueError):
    """A look at values of which other processes have parts."""


def traced_error(function: str, argument: str, error: Exception | None = None) -> UnifyTypeError:
    """Return the error for an array without values, which a compiler or a derivative follows."""
    if isinstance(error, TrackedError):
        argument = "x" if function == "__dlpack__" else argument
        return UnifyTypeError(
            f"{function}: argument {argument!r} is being differentiated, and Python's and NumPy's "
            f"values have no derivative; convert unify.stop_gradient({argument}), or compute with "
            f"unify's functions"
        )
    selects = function in ("get_item", "set_item")
    argument = "key" if selects else argument
    wanted = "a mask" if selects else "Python's if, while and float"
    return UnifyTypeError(
        f"{function}: argument {argument!r} is being traced, so that its values aren't known; use "
        f"unify.where, or unify.cond and unify.while_loop, in place of {wanted}"
    )


def check_number(value: Any) -> None:
    """Raise for what is no real number, where the library takes arrays and complex numbers too."""
    if type(value) is not int and not isinstance(value, Real):
        raise TypeError(f"a {type(value).__qualname__} is no real number")


def raise_dtype_error(function: str, argument: str, dtype: Any) -> NoReturn:
    """Raise for a library's data type that neither the standard nor `REDUCED_PRECISION` has."""
    raise_type_error(
        function, argument,
        f"has data type {str(dtype).removeprefix('torch.')}, which the standard doesn't have",
        "cast it to one of its data types first, or to float16 or bfloat16",
    )  # fmt: skip


def raise_complex_error(function: str, argument: str, target: Any) -> NoReturn:
    """Raise for complex values for a real data type."""
    problem = f"is complex, so {target} would lose its imaginary part"
    raise_type_error(function, argument, problem, "take real(x) or abs(x) first")


def check_complex(function: str, argument: str, source: DType, target: DType) -> None:
    """Raise for complex values for a real data type."""
    if source.kind == "c" and target.kind in "iuf":
        raise_complex_error(function, argument, target)


def raise_cast_error(function: str, source: Any, target: Any) -> NoReturn:
    """Refuse to cast complex numbers to a real data type, as the standard does."""
    problem = f"is {target}, to which {source} doesn't cast"
    raise_type_error(function, "dtype", problem, "take real(x) or abs(x) first")


def check_cast(function: str, source: DType, target: DType) -> None:
    """Refuse to cast complex numbers to a real data type."""
    if source.kind == "c" and target.kind in "iuf":
        raise_cast_error(function, source, target)


def raise_integer_error(value: int, dtype: Any) -> NoReturn:
    """Raise for a Python integer that a data type can't hold; binding says in which call."""
    size = value.bit_length()
    shown = str(value) if size <= 128 else f"of {size} bits"
    raise OverflowError(f"Python integer {shown} out of bounds for {dtype}")


def check_integer(value: int, dtype: DType) -> None:
    """Refuse a Python integer out of the range of numbers of a data type, finite ones if floats."""
    if dtype.kind in "iu":
        info = limits.iinfo(dtype)
        fits = info.min <= value <= info.max
    else:
        fits = dtype.kind == "b" or abs(value) <= int(limits.finfo(dtype).max)
    if not fits:
        raise_integer_error(value, dtype)


class UnfitDTypeError(TypeError):
    """A result that can't be stored, as the library says it of two data types."""

    def __init__(self, message: str, result: str) -> None:
        """Know the data type of the result."""
        super().__init__(message)
        self.result = result


def raise_out_dtype_error(function: str, dtype: object, wanted: object) -> NoReturn:
    """Raise for an `out` to whose data type the result's doesn't cast."""
    problem = f"has data type {dtype}, to which the result's {wanted} doesn't cast safely"
    raise_type_error(function, "out", problem, f"pass an array of {wanted}")


# --- indices ----------------------------------------------------------------------------------


def raise_no_axis_error(shape: Shape) -> NoReturn:
    """Refuse to `take` from an array of several axes, or none, without being told along which."""
    problem = f"is None, but x has shape {tuple(shape)}"
    raise_value_error("take", "axis", problem, "say along which axis to take")


def raise_indices_error(function: str, dtype: Any) -> NoReturn:
    """Raise for indices that are no integers."""
    problem = f"has data type {dtype}"
    raise_type_error(function, "indices", problem, "pass integers; a mask selects with x[m]")


def check_rank_of_indices(indices: Shape, shape: Shape) -> None:
    """Raise for indices along an axis that have not as many axes as the array."""
    if len(indices) != len(shape):
        problem = f"has shape {tuple(indices)}, but x has shape {tuple(shape)}"
        raise_value_error("take_along_axis", "indices", problem, "pass indices of as many axes")


def check_within(function: str, indices: Any, axis: int, size: int) -> None:
    """Raise for indices, as NumPy reads them, out of the bounds of an axis (a number from 0)."""
    wrong = first_outside(indices, size)
    if wrong is not None:
        problem = f"holds {wrong}, but axis {axis} has size {size}"
        remedy = f"use indices from {-size} to {size - 1}" if size else "x holds nothing to take"
        raise_argument_error(UnifyIndexError, function, "indices", problem, remedy)


def trimmed_shape(shape: Shape, selected: Shape) -> tuple[Any, ...]:
    """Return the shape of a value without axes of size one that stand in front of the selection.

    Refuse a value that then doesn't broadcast to what `x[key] = value` selects.
    """
    extra = max(len(shape) - len(selected), 0)
    trimmed = tuple(shape[extra:])
    pairs = zip(reversed(trimmed), reversed(selected), strict=False)
    fits = all(size == 1 for size in shape[:extra])
    if not fits or any(a not in (1, b, None) and b is not None for a, b in pairs):
        selected = tuple(selected)
        _raise_value_error(shape, f"which doesn't broadcast to the selected {selected}")
    return trimmed


def check_element(shape: Shape, key: Any, ndim: int) -> None:
    """Refuse a value with axes where integers alone select, which NumPy takes for one element."""
    parts = key if type(key) is tuple else (key,)
    if shape and len(parts) == ndim and all(map(_is_integer, parts)):
        _raise_value_error(shape, "but the key selects one element, to which it doesn't broadcast")


def _is_integer(part: Any) -> bool:
    """Return True if a part of a key is an integer or a 0-d array, unless that is of bool."""
    if type(part) is int:
        return True
    return getattr(part, "shape", None) == () and "bool" not in str(part.dtype)


def _raise_value_error(shape: Shape, problem: str) -> NoReturn:
    problem, remedy = f"has shape {tuple(shape)}, {problem}", "pass a scalar or an array that fits"
    raise_value_error("set_item", "value", problem, remedy)


# --- values -----------------------------------------------------------------------------------


def check_repeats(dtype: DType, shape: Shape, size: int | None, negative: bool) -> None:
    """Raise for counts that aren't one, or one for each of `size` elements, or negative."""
    kind: type[UnifyError] = UnifyValueError
    if dtype.kind not in "biu":
        kind, problem, remedy = UnifyTypeError, f"has data type {dtype}", "pass integers"
    elif len(shape) > 1 or (shape and size is not None and shape[0] not in (1, size, None)):
        problem = f"has shape {tuple(shape)}, but there are {size} elements to repeat"
        remedy = "pass one count, or one for each element"
    elif negative:
        raise_negative_repeats_error()
    else:
        return
    _raise_repeats_error(kind, problem, remedy)


def whole_repeats(repeats: Any) -> int:
    """Return a count that may be of another type than int as one; refuse what is no integer."""
    try:
        return operator.index(repeats)
    except TypeError:
        _raise_repeats_error(UnifyTypeError, f"is {repeats!r}", "pass integers")


def raise_negative_repeats_error() -> NoReturn:
    """Refuse to repeat elements less than no times."""
    _raise_repeats_error(UnifyValueError, "holds a negative count", "pass counts of 0 or more")


def _raise_repeats_error(kind: type[UnifyError], problem: str, remedy: str) -> NoReturn:
    raise_argument_error(kind, "repeat", "repeats", problem, remedy)


def raise_times_error(n: int) -> NoReturn:
    """Refuse to take differences of a negative order."""
    raise_value_error("diff", "n", f"is {n}", "pass 0 or more")


def raise_negative_powers_error() -> NoReturn:
    """Refuse to raise integers to negative integers, whose results are fractions."""
    problem, remedy = "holds a negative integer, and x1 integers", "make one of them floating-point"
    raise_value_error("pow", "x2", problem, remedy)


def check_search(
    shape: Shape, side: str = "left", sorter: tuple[DType, Shape] | None = None
) -> None:
    """Raise for what `searchsorted` can't search; `sorter` is its data type and shape."""
    if len(shape) != 1:
        problem = f"has {len(shape)} axes"
        raise_value_error("searchsorted", "x1", problem, "pass a 1-d array")
    if side not in ("left", "right"):
        raise_value_error("searchsorted", "side", f"is {side!r}", "pass 'left' or 'right'")
    if sorter is None:
        return
    kind: type[UnifyError] = UnifyValueError
    dtype, given = sorter
    if dtype.kind not in "iu":
        kind, problem = UnifyTypeError, f"has data type {dtype}"
    elif not alike(given, shape, None):
        problem = f"has shape {tuple(given)}, but x1 has shape {tuple(shape)}"
    else:
        return
    raise_argument_error(kind, "searchsorted", "sorter", problem, "pass what argsort(x1) returns")


# --- memory and devices -----------------------------------------------------------------------


def raise_elsewhere_error(function: str, argument: str, count: int, remedy: str) -> NoReturn:
    """Refuse to read an array of which each of several processes has a part."""
    problem = f"lies in {count} processes, of which each has a part"
    raise_argument_error(ElsewhereError, function, argument, problem, remedy)


def raise_parts_error(method: str) -> NoReturn:
    """Refuse to export an array that lies on several devices."""
    problem = "lies on several devices, which have no memory together"
    remedy = "move it to one of them with to_device, or pass to_numpy(x)"
    raise_argument_error(UnifyBufferError, method, "self", problem, remedy)


def raise_copy_error(function: str, why: str, kind: type[UnifyError] = UnifyValueError) -> NoReturn:
    """Refuse to copy, which `copy=False` forbids, where there is no other way."""
    raise_argument_error(kind, function, "copy", f"is False, but {why}", "pass copy=None")


def raise_view_error(place: Any) -> NoReturn:
    """Raise for a view by NumPy of memory that NumPy doesn't reach."""
    raise_copy_error("to_numpy", f"an array on {place} shares no memory with NumPy")


def check_dlpack(x: Any) -> None:
    """Raise for what can't be imported through DLPack."""
    if not (hasattr(x, "__dlpack__") and hasattr(x, "__dlpack_device__")):
        problem = f"is {describe(x)}, which doesn't support DLPack"
        raise_type_error("from_dlpack", "x", problem, "use asarray(x)")


def raise_stream_error(stream: Any) -> NoReturn:
    """Raise for a stream where there is none, or the library orders its transfers itself."""
    problem = f"is {stream!r}, but transfers to this device take none"
    raise_value_error("to_device", "stream", problem, "drop it")


def raise_device_error(backend: str, device: Any, known: Sequence[Any]) -> NoReturn:
    """Raise for a device that the machine doesn't have."""
    listed = ", ".join(repr(str(one)) for one in known)
    other = any(word in str(device).lower() for word in _OTHER_NAMES)
    hint = " (a GPU is called 'gpu:0')" if other else ""
    problem = f"isn't a device of the {backend} backend"
    raise fault(UnifyValueError, str(device), problem, f"its devices are {listed}{hint}")
