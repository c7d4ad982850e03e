"""Methods and attributes of NumPy's arrays beyond those of the standard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arrayapi_unify.array_object._array import Array

__all__ = ["ArrayWithNumPyMethods"]


class ArrayWithNumPyMethods:
    """The methods and attributes of NumPy's arrays that have other names in the standard.

    Only `Array` inherits it: what `self` is, the class that comes later says.
    """

    __slots__ = ()

    @property
    def itemsize(self: Any) -> int:
        """The number of bytes of an element."""
        x: Array = self
        return x.dtype.itemsize

    @property
    def nbytes(self: Any) -> int:
        """The number of bytes of all elements."""
        x: Array = self
        return x.size * x.itemsize

    def transpose(self: Any, *axes: Any) -> Array:
        """Return the axes in another order, the reverse one by default: `x.transpose(1, 0)`."""
        x: Array = self
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        if order is None or not axes:
            order = range(x.ndim - 1, -1, -1)
        return x.permute_dims(tuple(order))

    def flatten(self: Any) -> Array:
        """Return a copy of the elements along one axis."""
        x: Array = self
        return x.reshape((-1,), copy=True)

    def copy(self: Any) -> Array:
        """Return an array with its own copy of the data."""
        x: Array = self
        return x.__copy__()

    def item(self: Any) -> bool | int | float | complex:
        """Return the only element as a Python scalar."""
        x: Array = self
        return x.to_scalar()

    def tolist(self: Any) -> Any:
        """Return the elements as nested lists of Python scalars, one of them for a 0-d array."""
        x: Array = self
        return x.to_list()
