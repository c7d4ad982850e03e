"""`Array`: a slot that holds a native array, and the standard's array object around it.

Each backend has its own final subclass, made by `binding`, whose operators, methods and attributes
are bound to that backend; `type(x) is cls` then decides the fast path. `Array` itself serves the
subclasses that users write, through the top-level functions.
"""

from __future__ import annotations

import copy
import functools
import pickle
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, cast

from arrayapi_unify import backends
from arrayapi_unify._core.failures import raise_better
from arrayapi_unify._core.override_protocol import overrides
from arrayapi_unify._core.suggestions import ARRAY, WithForeignNames, set_foreign_names
from arrayapi_unify._namespace import Namespace
from arrayapi_unify.array_object import (
    formatting,
    interop,
    numpy_protocols,
)
from arrayapi_unify.array_object.classes import (
    ArrayMeta,
    BackendArrayMeta,
    BindingHooks,
    binding_for_pickle,
)
from arrayapi_unify.array_object.mixins import ArrayMethods
from arrayapi_unify.array_object.numpy_compat import ArrayWithNumPyMethods
from arrayapi_unify.backends._common.algorithms.graph_values import is_traced, map_values
from arrayapi_unify.devices import Device
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import (
    BackendError,
    UnifyAttributeError,
    UnifyError,
    UnifyTypeError,
    renamed,
    shown,
)
from arrayapi_unify.views import aliasing
from arrayapi_unify.views.view import is_read_only

if TYPE_CHECKING:
    from arrayapi_unify.array_object.mixins import ArrayOperators as ArrayWithOperators
else:
    from arrayapi_unify.array_object.operators import ArrayWithOperators

__all__ = ["Array"]


def _raise_fixed_error(name: str, value: Any, remedy: str) -> NoReturn:
    """Raise for an attribute that NumPy lets one set."""
    raise UnifyAttributeError(f"Array.{name} can't be set, here to {shown(value)}; write {remedy}")


class _NamesOfOthers(WithForeignNames):
    """Attributes that arrays of other libraries have; each says what to use in its place."""

    __slots__ = ()


set_foreign_names(_NamesOfOthers, ARRAY)


class Array(
    ArrayMethods,
    ArrayWithNumPyMethods,
    ArrayWithOperators,
    _NamesOfOthers,
    metaclass=ArrayMeta,
):
    """An array of any backend that behaves as the standard's array object.

    `Array(native)` wraps a native array without a copy; any other data goes through `asarray`.
    `x.data` is the native array itself.

    Source: Array API standard 2025.12, "Array object".

    Examples
    --------
    >>> x = unify.array([[1, 2], [3, 4]])
    >>> x @ x
    unify.array([[ 7, 10],
                 [15, 22]])
    >>> x.T[0, :].sum()
    unify.array(4)
    """

    __slots__ = ("__weakref__", "_aliases", "_data", "_view")
    _data: Any
    # See `views.memory`: unset where the library's own memory is all there is to know.
    _aliases: Any
    _view: Any

    def __init__(self, data: Any, *more: Any, **named: Any) -> None:
        """Hold the native array of `data`; only subclasses written by users come here.

        What a class takes beyond the data is for its own `__new__`, as with `object`.
        """
        if (more or named) and type(self).__new__ is object.__new__:
            raise UnifyTypeError(
                f"{type(self).__name__}(data): there are more arguments than the data; write an "
                f"__init__ that takes them, and that calls super().__init__(data)"
            )
        aliasing.share_memory_with(self, BindingHooks.make(data))

    def _binding(self) -> Any:
        return BindingHooks.binding_of(self.__unify_backend__)

    @property
    def __unify_backend__(self) -> str:
        """The name of the backend, under the name that the registry looks for."""
        return cast(str, backends.name_of(self._data))

    # --- attributes -------------------------------------------------------------------------

    @property
    def data(self) -> Any:
        """The native array itself, not a copy."""
        return self._data

    @property
    def backend(self) -> str:
        """The name of the backend that holds the data."""
        return self.__unify_backend__

    @property
    def dtype(self) -> DType:
        """The data type of the elements."""
        return backends.load(self.backend).dtype_of(self._data)

    @dtype.setter
    def dtype(self, dtype: Any) -> NoReturn:
        _raise_fixed_error("dtype", dtype, "x = x.astype(dtype)")

    @property
    def device(self) -> Device:
        """The device on which the data lives."""
        return backends.load(self.backend).device_of(self._data)

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        return backends.load(self.backend).shape_of(self._data)

    @shape.setter
    def shape(self, shape: Any) -> NoReturn:
        _raise_fixed_error("shape", shape, "x = x.reshape(shape)")

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements; None if a size isn't known, as the standard has it."""
        count = 1
        for side in self.shape:
            if side is None:  # the annotation is for arrays of which all is known
                return cast(int, None)
            count *= side
        return count

    @property
    def T(self) -> Array:  # the standard's name
        """The array with its axes in reverse order, as NumPy has it; the standard's has two."""
        if self.ndim == 2:
            return self.matrix_transpose()
        return self.permute_dims(tuple(range(self.ndim - 1, -1, -1)))

    @property
    def mT(self) -> Array:
        """The transpose of each matrix in the last two dimensions."""
        return self.matrix_transpose()

    # --- namespace and interchange ----------------------------------------------------------

    def __array_namespace__(self, /, *, api_version: str | None = None) -> Namespace:
        """Return the namespace bound to this array's backend, the same module every time."""
        return cast(Namespace, self._binding().namespace_for(api_version))

    def __dlpack__(
        self,
        /,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Export the data as a DLPack capsule, marked as read-only where it is.

        JAX's and TensorFlow's memory on the CPU always is. What the capsule can't say, or a
        consumer may not take (negative strides), is copied unless `copy` is False. PyTorch writes
        to read-only memory anyway: give it `unify.to_backend(x, "torch")`, or a copy.
        """
        if copy is False:
            interop.check_in_place(self)
        return interop.exported(
            backends.load(self.backend), self._data, is_read_only(self),
            stream=stream, max_version=max_version, dl_device=dl_device, copy=copy,
        )  # fmt: skip

    def __dlpack_device__(self, /) -> tuple[Any, int]:
        """Return the device type and number in DLPack's numbering."""
        return backends.load(self.backend).dlpack_device(self._data)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the values as a NumPy array that can be written to.

        A write to it is one to this array. JAX's and TensorFlow's memory never changes: there it is
        a copy that this array follows, as long as it lives. `copy=False` gives the read-only view
        of their memory, and raises where there is none. Of a read-only array there is only such a
        view.
        """
        return interop.as_numpy(backends.load(self.backend), self, dtype, copy)

    # Dask and SciPy's sparse matrices leave an operation to the operand of the highest priority.
    __array_priority__ = 1000

    def __arrow_array__(self, type: Any = None) -> Any:
        """Return the elements of one axis as an array of PyArrow, also for pandas."""
        return interop.as_arrow(self, type)

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        """Export the elements of one axis by Arrow's C interface, for polars."""
        return interop.as_arrow(self).__arrow_c_array__(requested_schema)

    def __dask_tokenize__(self) -> Any:
        """Return the token of the array as a chunk of a Dask array."""
        return interop.dask_token(self)

    def _native_of(self, backend: str) -> Any:
        """Return the native array of a backend: the data, or what `asarray` makes of it there."""
        if self.backend == backend:
            return self._data
        return BindingHooks.binding_of(backend).functions["asarray"](self)._data

    @property
    def __jax_array__(self) -> Callable[[], Any]:
        """Give `jnp.asarray(x)` and `jnp.array(x)` the native array; the rest of JAX finds nothing.

        JAX's operators would take it, too, and `native + x` would be no Array.
        """
        if not interop.converting():
            raise AttributeError("a JAX function doesn't take an Array; pass jnp.asarray(x)")
        return functools.partial(self._native_of, "jax")

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        """Raise: TensorFlow would make a tensor of the array, and drop our class without a word.

        Its arithmetic then hands over to ours, so that `tensor + x` is an Array; its comparisons
        don't, so that `tensor < x` raises where `x > tensor` works. `tf.convert_to_tensor(x)` asks
        the backend once this has failed.
        """
        backends.load("tensorflow")
        raise BackendError(
            "a TensorFlow function doesn't take an Array; pass x.data (after "
            "unify.to_backend(x, 'tensorflow') where it is of another backend)"
        )

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Answer a NumPy ufunc with the function of the same meaning, or with NumPy's result."""
        return numpy_protocols.array_ufunc(Array, ufunc, method, inputs, kwargs)

    def __array_function__(
        self, func: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Answer a function of NumPy with ours of the same meaning, or with NumPy's result."""
        return numpy_protocols.array_function(Array, self, func, types, args, kwargs)

    def __ivy_array_function__(
        self, func: Any, types: tuple[type, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Run the function without overrides; a subclass calls it through `super()`.

        If an unrelated class that isn't an Array overrides functions, it declines, as NumPy's does,
        so that the class is tried.
        """
        if any(overrides(kind) and not issubclass(kind, Array) for kind in types):
            return NotImplemented
        binding = self._binding()
        bound = binding.functions[func.contract.qualified_name]
        if any(map(is_traced, backends.arrays_in((args, kwargs)))):
            return _recorded(binding, bound, args, kwargs)
        return bound.without_overrides(*args, **kwargs)

    # Tells `overrides.takes_over` that this one isn't an override.
    __ivy_array_function__.is_default = True  # type: ignore[attr-defined]  # a flag on a function

    # --- one element ------------------------------------------------------------------------

    def __bool__(self) -> bool:
        """Truth of the only element."""
        return bool(self._scalar("bool(x)"))

    def __int__(self) -> int:
        """Return the only element as an integer, truncated toward zero."""
        return int(self._real_scalar("int(x)"))

    def __float__(self) -> float:
        """Return the only element as a float."""
        return float(self._real_scalar("float(x)"))

    def __complex__(self) -> complex:
        """Return the only element as a complex number."""
        return complex(self._scalar("complex(x)"))

    def __index__(self) -> int:
        """Return the only element of an integer array, for use as an index."""
        if self.dtype.kind not in "iu" or self.ndim:
            raise UnifyTypeError(
                f"operator.index(x): argument 'x' has data type {self.dtype} and shape "
                f"{self.shape}, but only a 0-d integer array can be an index; cast it with "
                f"astype(x, unify.int64) or pick an element"
            )
        return cast(int, self._scalar("operator.index(x)"))

    def _scalar(self, function: str) -> Any:
        """Return the only element; errors name the function that asks for it."""
        try:
            return self.to_scalar()
        except UnifyError as error:
            raise_better(error, renamed(error, "to_scalar", function))

    def _real_scalar(self, function: str) -> float:
        if self.dtype.kind == "c" and self.size == 1:
            raise UnifyTypeError(
                f"{function}: argument 'x' has data type {self.dtype}; take real(x) or abs(x) first"
            )
        return cast(float, self._scalar(function))

    # --- sequence ---------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return the size of the first dimension."""
        shape = self.shape
        if not shape:
            raise UnifyTypeError("len(x): a 0-d array has no length; use x.size")
        return shape[0]

    def __iter__(self) -> Iterator[Array]:
        """Iterate over the first dimension."""
        if not self.ndim:
            raise UnifyTypeError("iter(x): a 0-d array can't be iterated; use x.item()")
        return map(self.__getitem__, range(len(self)))

    def __contains__(self, value: Any) -> bool:
        """Return True if any element equals `value`."""
        equal = self == value
        return bool(equal.any()) if isinstance(equal, Array) else bool(equal)

    def __getitem__(self, key: Any, /) -> Array:
        """Select by integers, slices, ellipsis, None, masks and integer arrays."""
        return self.get_item(key)

    def __setitem__(self, key: Any, value: Any, /) -> None:
        """Assign, cast to this array's data type; a failed assignment changes nothing."""
        self.set_item(key, value)

    def __delitem__(self, key: Any, /) -> NoReturn:
        """Raise: an array has one size."""
        raise UnifyTypeError(
            f"del x[key]: an array of shape {self.shape} keeps its elements; select the others, "
            f"as in x = x[mask]"
        )

    # --- text, copies, pickles --------------------------------------------------------------

    def __repr__(self) -> str:
        """Show the values, and dtype, backend and device where they aren't the defaults."""
        return formatting.represent(self)

    def __format__(self, spec: str) -> str:
        """Format a single element as its scalar; other arrays have only the plain form."""
        if not spec:
            return str(self)
        if self.ndim:
            raise UnifyTypeError(
                f"format {spec!r} needs a 0-d array, this one has shape {self.shape}; "
                f"pick an element first"
            )
        try:
            return format(self.to_scalar(), spec)
        except UnifyTypeError:  # of what is differentiated, too
            return format(self.stop_gradient().to_scalar(), spec)

    def __copy__(self) -> Array:
        """Return an array with its own copy of the data."""
        return self._copied(self._attributes())

    def __deepcopy__(self, memo: dict[int, Any]) -> Array:
        """Return an array with its own copy of the data, and of what a subclass adds."""
        return self._copied(copy.deepcopy(self._attributes(), memo))

    def _attributes(self) -> dict[str, Any]:
        """Return a subclass's other attributes, in its `__dict__` or in slots."""
        state: Any = object.__reduce_ex__(self, 2)[2]
        in_dict, in_slots = state if isinstance(state, tuple) else (state, None)
        attributes = {**(in_dict or {}), **(in_slots or {})}
        for own in ("_aliases", "_data", "_view"):
            attributes.pop(own, None)
        return attributes

    def _copied(self, attributes: dict[str, Any]) -> Array:
        ours = isinstance(type(self), BackendArrayMeta)
        data = backends.load(self.backend).copy(self._data)
        if ours:
            return cast(Array, self._binding().wrap(data))
        new: Array = object.__new__(type(self))  # a `__new__` of the class wants its arguments
        new._data = data
        for name, value in attributes.items():
            setattr(new, name, value)
        return new

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickle by value: any backend can be loaded where only its name is known.

        A backend may have another way for arrays that are more than their values.
        """
        backend = backends.load(self.backend)
        kind = None if isinstance(type(self), BackendArrayMeta) else type(self)
        found = backend.pickled(self._data)
        if found is not None:
            return _unpickle_native, (kind, self.backend, *found), (None, self._attributes())
        arguments = (kind, self.backend, self.dtype, str(self.device))
        values = self.to_numpy()
        # The pair that pickle understands: nothing for a __dict__, attributes to be set.
        return _unpickle, (*arguments, values), (None, self._attributes())


def _unpickle(
    kind: type[Array] | None, backend: str, dtype: DType, device: str, values: Any
) -> Array:
    binding = binding_for_pickle(backend)
    there: str | None = device
    try:
        binding.backend.native_device(Device(device))
    except UnifyError:  # a device, or a mesh, that this machine doesn't have
        there = None
    try:
        made = binding.functions["asarray"](values, dtype=dtype, device=there, copy=True)
    except UnifyTypeError as error:
        raise pickle.UnpicklingError(str(error)) from error
    return _of_kind(kind, made)


def _unpickle_native(
    kind: type[Array] | None, backend: str, make: Callable[..., Any], arguments: tuple[Any, ...]
) -> Array:
    return _of_kind(kind, binding_for_pickle(backend).wrap(make(*arguments)))


def _of_kind(kind: type[Array] | None, made: Any) -> Array:
    """Return an Array of a class that a user wrote, if there is one."""
    if kind is None:
        return cast(Array, made)
    new = object.__new__(kind)
    new._data = made._data
    return new


def _recorded(binding: Any, function: Any, args: Any, kwargs: Any) -> Any:
    """Call a function that a graph records, with plain Arrays in place of overriding ones."""
    plain: dict[int, tuple[Array, Array]] = {}

    def taken(value: Any) -> Any:
        if not isinstance(value, Array) or not overrides(type(value)):
            return value
        return plain.setdefault(id(value), (value, binding.wrap(value._data)))[1]

    given, named = map_values((args, kwargs), taken)
    found = function(*given, **named)
    for array, made in plain.values():
        array._data = made._data  # a write may have given it another one
    return next((array for array, made in plain.values() if made is found), found)
