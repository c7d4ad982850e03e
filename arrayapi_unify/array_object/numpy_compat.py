"""Methods and attributes of NumPy's arrays beyond those of the standard."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast

from arrayapi_unify._core.override_protocol import overrides
from arrayapi_unify.array_object.flat import FlatIterator
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.errors import raise_type_error, raise_value_error

if TYPE_CHECKING:
    from arrayapi_unify.array_object._array import Array

__all__ = ["COMPONENTS", "ArrayWithNumPyMethods", "check_order", "component"]

COMPONENTS: Final = ("real", "imag")
"""Functions that are attributes of Arrays and Containers, as they are of NumPy's arrays."""


def check_order(name: str, order: Any) -> None:
    """Refuse an order of the elements in memory that isn't that of all arrays here."""
    if order not in (None, "C", "A", "K"):
        raise_type_error(
            name, "order", f"is {order!r}, and arrays have the order 'C'",
            "leave it out, or transpose the array before and after",
        )  # fmt: skip


def component(
    name: str, function: Callable[[Any], Any], has_parts: Callable[[Any], bool]
) -> property:
    """Return the attribute `real` or `imag` of Arrays by the function of its name.

    `has_parts` says if that function has to be called.

    It is a view of complex numbers. Of other arrays, `real` is the array itself, and `imag`
    read-only zeros, as NumPy has them.
    """
    is_real = name == "real"

    def get(self: Any) -> Any:
        if has_parts(self):
            return function(self)
        return self if is_real else _read_only(function(self))

    def store(self: Any, value: Any) -> None:
        if not is_real and self.dtype.kind != "c":
            remedy = "cast the array to complex numbers first: astype(x, dtype)"
            raise_type_error(name, "self", f"has no {name}, its data type is {self.dtype}", remedy)
        get(self)[...] = value

    doc = f"The {name} components, as a view that may be written to; unify.{name}(x) is a function."
    return property(get, store, doc=doc)


def _read_only(x: Any) -> Any:
    """Return a view that refuses writes; the array itself while tf.function knows no sizes."""
    shape = x.shape
    return x if None in shape else x.broadcast_to(shape)


def _by_binding(name: str) -> property:
    """Return the attribute of all classes; binding the function puts a shorter one into them."""
    return component(
        name,
        lambda x: x._binding().functions[name](x),
        lambda x: x.dtype.kind == "c" or overrides(type(x)),
    )


def _checked_kth(name: str, x: Any, kth: Any, axis: int) -> int:
    """Return the axis, counted from 0, in which all places `kth` are."""
    axis = normalize_axis(name, axis, x.ndim)
    places = kth if isinstance(kth, list | tuple) else [kth]
    if not all(-x.shape[axis] <= place < x.shape[axis] for place in places):
        size = x.shape[axis]
        raise_value_error(name, "kth", f"is {kth}", f"pass places in an axis of {size} elements")
    return axis


class ArrayWithNumPyMethods:
    """The methods and attributes of NumPy's arrays that have other names in the standard.

    Only `Array` inherits it: what `self` is, the class that comes later says.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def real(self) -> Array:
            """The real components, as a view that may be written to."""

        @real.setter
        def real(self, value: Any) -> None: ...

        @property
        def imag(self) -> Array:
            """The imaginary components, as a view that may be written to."""

        @imag.setter
        def imag(self, value: Any) -> None: ...

    else:
        real, imag = map(_by_binding, COMPONENTS)

    @property
    def itemsize(self: Any) -> int:
        """The number of bytes of an element."""
        x: Array = self
        return x.dtype.itemsize

    @property
    def nbytes(self: Any) -> int:
        """The number of bytes of all elements; None if a size isn't known, as `size` is."""
        x: Array = self
        size: Any = x.size
        return cast(int, size if size is None else size * x.itemsize)

    @property
    def strides(self: Any) -> tuple[int, ...]:
        """The bytes from one element to the next along each axis, in the array that NumPy gets."""
        x: Array = self
        values: Any = x.__array__()
        return cast("tuple[int, ...]", values.strides)

    @property
    def flat(self: Any) -> FlatIterator:
        """The elements along one axis; what is assigned to them is written to this array."""
        return FlatIterator(self)

    @flat.setter
    def flat(self: Any, value: Any) -> None:
        FlatIterator(self)[...] = value

    def fill(self: Any, value: Any) -> None:
        """Assign one value to all elements."""
        x: Array = self
        x[...] = value

    def partition(self: Any, kth: Any, axis: int = -1) -> None:
        """Sort this array, which puts the elements at `kth` into their places."""
        x: Array = self
        x[...] = x.sort(axis=_checked_kth("partition", x, kth, axis))

    def argpartition(self: Any, kth: Any, axis: int | None = -1) -> Array:
        """Return the indices that sort the array: those at `kth` are in their places."""
        x: Array = self.ravel() if axis is None else self
        return x.argsort(axis=_checked_kth("argpartition", x, kth, -1 if axis is None else axis))

    def transpose(self: Any, *axes: Any) -> Array:
        """Return the axes in another order, the reverse one by default: `x.transpose(1, 0)`."""
        x: Array = self
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        if order is None or not axes:
            order = range(x.ndim - 1, -1, -1)
        return x.permute_dims(tuple(order))

    def flatten(self: Any, order: str = "C") -> Array:
        """Return a copy of the elements along one axis."""
        x: Any = self
        check_order("flatten", order)
        made: Array = x.reshape((-1,), copy=True) if order == "C" else x.ravel(order).copy()
        return made

    def copy(self: Any, order: str = "C") -> Array:
        """Return an array with its own copy of the data."""
        x: Array = self
        check_order("copy", order)
        return x.__copy__()

    def item(self: Any) -> bool | int | float | complex:
        """Return the only element as a Python scalar."""
        x: Array = self
        return x.to_scalar()

    def tolist(self: Any) -> Any:
        """Return the elements as nested lists of Python scalars, one of them for a 0-d array."""
        x: Array = self
        return x.to_list()
