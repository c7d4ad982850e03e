"""Nested lists that hold a framework's own arrays, stacked without a way through the host.

Lists of plain Python and NumPy data go through `_common.algorithms.conversion`; these don't:
traced arrays have no values yet, and gradients flow through a stack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from arrayapi_unify import dtypes
from arrayapi_unify.backends import python_scalar
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import raise_value_error

_SEQUENCES: Final = (list, tuple)
_SCALARS: Final = frozenset({bool, int, float, complex})


def contains(obj: Any, is_native: Callable[[Any], bool]) -> bool:
    """Return True if nested lists hold a native array."""
    if not isinstance(obj, _SEQUENCES):
        return is_native(obj)
    if _SCALARS.issuperset(map(type, obj)):
        return False
    return any(contains(item, is_native) for item in obj)


def natural_dtype(obj: Any, dtype_of: Callable[[Any], DType]) -> DType:
    """Return the data type that the arrays in nested lists promote to; scalars are weak.

    `dtype_of` answers for the leaves that aren't scalars; there is at least one.
    """
    arrays: list[DType] = []
    scalars: list[Any] = []
    _survey(obj, dtype_of, arrays, scalars)
    result = dtypes.promote(*arrays)
    for scalar in scalars:
        result = dtypes.promote_scalar(result, scalar)
    return result


def _survey(
    obj: Any, dtype_of: Callable[[Any], DType], arrays: list[DType], scalars: list[Any]
) -> None:
    if isinstance(obj, _SEQUENCES):
        for item in obj:
            _survey(item, dtype_of, arrays, scalars)
        return
    scalar = python_scalar(obj)
    if scalar is None:
        arrays.append(dtype_of(obj))
    else:
        scalars.append(scalar)


def stacked(
    function: str,
    obj: Any,
    leaf: Callable[[Any], Any],
    stack: Callable[[Sequence[Any]], Any],
    shape_of: Callable[[Any], Sequence[int]],
) -> Any:
    """Stack nested lists, given how to make an array of a leaf and how to stack arrays."""
    if not isinstance(obj, _SEQUENCES):
        return leaf(obj)
    parts = [stacked(function, item, leaf, stack, shape_of) for item in obj]
    shapes = {tuple(shape_of(part)) for part in parts}
    if len(shapes) > 1:
        raise_value_error(
            function, "obj", f"nests elements of the shapes {', '.join(map(str, sorted(shapes)))}",
            "nest elements of one shape",
        )  # fmt: skip
    return stack(parts)
