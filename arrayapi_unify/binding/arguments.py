"""The arguments of a slow call: one pass says what is among them, and they are converted.

The pass looks at each argument once, and into its lists. It finds what decides about the call:
Containers, overriding classes, arrays of backends, data types. The conversion serves Arrays, native
arrays, scalars and lists, and NumPy's arrays next to an Array (`admit`), and raises for all others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Final

from arrayapi_unify import dtypes
from arrayapi_unify._core.container_base import Nested
from arrayapi_unify._core.override_protocol import TRUSTED, takes_over
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.classes import BindingHooks
from arrayapi_unify.array_object.lazy_arrays import integer_bounds
from arrayapi_unify.backends import DEFAULT, name_of, python_scalar
from arrayapi_unify.backends._common.checks.arguments import raise_dtype_error
from arrayapi_unify.backends.handler import check_backend, host_of, is_guest
from arrayapi_unify.contracts.annotations import Role, coerce, compile_coercers
from arrayapi_unify.contracts.contract import MISSING, Contract, Parameter
from arrayapi_unify.devices import Device
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import (
    BackendError,
    UnifyError,
    UnifyTypeError,
    UnifyValueError,
    a_kind,
    about_argument,
    describe,
    raise_argument_error,
)

if TYPE_CHECKING:
    from arrayapi_unify.binding.namespace import Binding

__all__ = [
    "ArgumentConverter", "Arguments", "RareDTypeError", "admit", "admit_all",
    "body_arguments", "needs_no_dispatch", "register_array_type",
]  # fmt: skip

_SCALAR_TYPES: Final = frozenset({bool, int, float, complex})
# Types of values that are no arrays, and decide nothing about a call.
_STATIC_TYPES: Final = _SCALAR_TYPES | {
    str, slice, type(None), type(Ellipsis), type(MISSING), DType, Device,
}  # fmt: skip
# The array classes of the backends. Neither these nor static values override, or are Containers.
_ARRAY_TYPES: Final[dict[type, str]] = {}
TRUSTED.update(_STATIC_TYPES)
_NO_DISPATCH: Final = frozenset({Role.DTYPE, Role.DEVICE, Role.STATIC})


class RareDTypeError(Exception):
    """A data type of which the fast path knows nothing: the slow one makes the call."""


def register_array_type(kind: type, backend: str) -> None:
    """Declare an array class of a backend: values of this very type don't override functions."""
    _ARRAY_TYPES[kind] = backend
    TRUSTED.add(kind)


def needs_no_dispatch(values: Iterable[Any]) -> bool:
    """Return True if all values, and the items of lists and tuples, are of trusted types."""
    for value in values:
        kind = type(value)
        if kind not in TRUSTED and (
            kind not in (list, tuple) or not TRUSTED.issuperset(map(type, value))
        ):
            return False
    return True


# --- NumPy's arrays next to an Array (docs/interop.md) ------------------------------------------


def _check_plain(function: str, argument: str, value: Any) -> None:
    """Raise for NumPy's arrays of a class that means more than its elements."""
    numpy = sys.modules["numpy"]
    kinds = {numpy.ma.MaskedArray: "x.filled(value)", numpy.matrix: "np.asarray(x)"}
    for kind, remedy in kinds.items() if type(value) is not numpy.ndarray else ():
        if isinstance(value, kind):
            problem = f"is a {kind.__module__}.{kind.__qualname__}, which is no plain array"
            raise_argument_error(UnifyTypeError, function, argument, problem, f"pass {remedy}")


def admit(function: str, argument: str, value: Any, host: Array) -> Any:
    """Return an argument with Arrays on the device of `host` in place of NumPy's arrays."""
    if isinstance(value, list | tuple):
        parts = [admit(function, f"{argument}[{i}]", part, host) for i, part in enumerate(value)]
        return tuple(parts) if isinstance(value, tuple) else parts
    if not is_guest(value):
        return value
    _check_plain(function, argument, value)
    asarray = BindingHooks.binding_of(host.backend).functions["asarray"]
    try:
        return asarray(value, device=host.device)
    except UnifyError as error:
        raise about_argument(error, function, argument) from None


class Arguments:
    """All that decides about a call, found in one pass over its arguments, from left to right.

    A Container decides alone: the pass ends with the first, if a call may have some.
    """

    __slots__ = (
        "_declared", "_nestable", "arrays", "backend", "dtypes", "mixed", "nested", "overridden",
        "relevant",
    )  # fmt: skip

    def __init__(
        self, contract: Contract, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> None:
        """Look at the arguments that the caller gave."""
        self._nestable = contract.nestable
        self._declared = bool(contract.array_parameters) or not contract.overridable
        self.nested: Nested | None = None
        self.overridden = False
        self.relevant: list[Any] = []  # what overrides, and the arrays next to it
        self.arrays: list[Any] = []  # native or wrapped, those to write into excepted
        self.backend: str | None = None  # that of the first array
        self.mixed = False  # whether there are arrays of other backends
        self.dtypes: tuple[Any, ...] = ()
        roles = contract.roles
        if len(args) > len(roles):  # `*arrays` takes any number, and a call that doesn't fit, too
            roles += roles[-1:] * (len(args) - len(roles))
        for i, value in enumerate(args):
            self.add(value, roles[i])
            if self.nested is not None:
                return
        if kwargs:
            for name, value in kwargs.items():
                parameter = contract.by_name.get(name)  # None for a keyword of `**lengths`
                self.add(value, parameter.role if parameter else Role.STATIC)

    def add(self, value: Any, role: Role = Role.ARRAY) -> None:
        """Look at one argument, and at the items of lists and tuples."""
        kind = type(value)
        if role is Role.DTYPE and value is not None:
            self.dtypes += (value,)
        backend = _ARRAY_TYPES.get(kind)
        if backend is None:
            if kind in _STATIC_TYPES:
                return
            if isinstance(value, (list, tuple)):  # faster than their union
                if not _STATIC_TYPES.issuperset(map(type, value)):
                    for item in value:
                        self.add(item, role)
                return
            if self._nestable and isinstance(value, Nested):
                self.nested = value
                return
            backend = name_of(value)
            overrides = takes_over(value) and not (self._declared and role in _NO_DISPATCH)
            self.overridden = self.overridden or overrides
            if backend is None:
                if overrides:
                    self.relevant.append(value)
                return
        if role not in _NO_DISPATCH or not self._declared:
            self.relevant.append(value)
        # A native `out` is refused as such, whatever its backend is.
        if role is not Role.OUT:
            self.arrays.append(value)
        elif not isinstance(value, Array):
            return
        if self.backend is None:
            self.backend = backend
        elif self.backend != backend:
            self.mixed = True

    @property
    def host(self) -> Array | None:
        """The Array that NumPy's arrays follow, where there are arrays of several backends."""
        return host_of(self.relevant) if self.mixed else None


def _mapped(
    contract: Contract,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    change: Callable[[Parameter, Any], Any],
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Change the arguments of a call that may be or hold arrays."""

    def changed(name: str, value: Any) -> Any:
        parameter = contract.by_name.get(name)  # None for a keyword of `**lengths`
        if parameter is None or parameter.role in _NO_DISPATCH or parameter.role is Role.OUT:
            return value
        return change(parameter, value)

    names = chain(contract.by_position, repeat(contract.by_position[-1]))  # `*arrays`
    positional = tuple(map(changed, names, args))
    return positional, {name: changed(name, value) for name, value in kwargs.items()}


def admit_all(
    contract: Contract, args: tuple[Any, ...], kwargs: dict[str, Any], host: Array
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of a call with Arrays on the device of `host` in place of NumPy's."""
    name = contract.qualified_name
    return _mapped(contract, args, kwargs, lambda p, x: admit(name, p.name, x, host))


def body_arguments(
    contract: Contract, args: tuple[Any, ...], kwargs: dict[str, Any], binding: Binding
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of a call with what a body takes next to those that override."""
    converter = ArgumentConverter(contract, binding, unwraps=False)

    def change(parameter: Parameter, value: Any) -> Any:
        return value if _overrides(value) else converter.convert(parameter.name, value)

    return _mapped(contract, args, kwargs, change)


def _overrides(value: Any) -> bool:
    """Return True for an object whose class overrides, also in lists and tuples of lists."""
    return any(map(_overrides, value)) if isinstance(value, list | tuple) else takes_over(value)


class ArgumentConverter:
    """The arguments of one contract on one backend.

    They become what a native function takes: native arrays; or Arrays where the body serves.
    """

    __slots__ = ("_binding", "_contract", "_operands", "_unwraps")

    def __init__(self, contract: Contract, binding: Binding, unwraps: bool) -> None:
        """Convert for a native function (`unwraps`) or for the contract's body."""
        compile_coercers(contract)
        self._contract = contract
        self._binding = binding
        self._unwraps = unwraps
        # The places of the arguments of which one has to be an array.
        self._operands = [
            i
            for i, p in enumerate(contract.parameters)
            if p.role in (Role.ARRAY, Role.OPERAND)
            and contract.category != "creation"
            and Role.SEQUENCE not in contract.roles
        ]

    def operand(self, x: Array, other: Any) -> Any:
        """Return the other operand of ``x op= other`` for the native function."""
        parameter = self._contract.parameters[1]
        if x.backend != DEFAULT:
            other = admit(self._contract.qualified_name, parameter.name, other, x)
        return self.convert(parameter.name, other)

    def convert_all(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        """Convert all arguments of a call; where all operands are scalars, they become arrays."""
        names = self._contract.by_position
        if len(args) > len(names):  # `*arrays` takes any number
            names += names[-1:] * (len(args) - len(names))
        positional = [self.convert(*given) for given in zip(names, args, strict=False)]
        keywords = {name: self.convert(name, value) for name, value in kwargs.items()}
        given = [i for i in self._operands if i < len(positional)]
        if given and all(python_scalar(positional[i]) is not None for i in given):
            for i in given:
                positional[i] = self._array(self._contract.parameters[i], positional[i])
        return positional, keywords

    def convert(self, name: str, value: Any) -> Any:
        """Return what the native function takes for a parameter's value."""
        parameter = self._contract.by_name.get(name)
        if parameter is None or parameter.role is Role.OUT:  # None for a keyword of `**lengths`
            return value
        return _CONVERTERS[parameter.role](self, parameter, value)

    def _dtype(self, parameter: Parameter, value: Any) -> Any:
        # The functions that a body calls convert what data types and devices stand for.
        return self._binding.any_dtype(value, parameter.required) if self._unwraps else value

    def _device(self, parameter: Parameter, value: Any) -> Any:
        return self._binding.native_device(value) if self._unwraps else value

    def _static(self, parameter: Parameter, value: Any) -> Any:
        if parameter.name not in self._contract.coercers:
            return value
        coerced = coerce(self._contract, parameter, value)
        # Natives know no Arrays; a number that is an array of no axes is a number to them.
        return coerced.item() if self._unwraps and isinstance(coerced, Array) else coerced

    def _operand(self, parameter: Parameter, value: Any) -> Any:
        scalar = python_scalar(value)
        return self._array(parameter, value) if scalar is None else scalar

    def _optional(self, parameter: Parameter, value: Any) -> Any:
        if value is None:
            return None
        take = self._operand if parameter.name in self._contract.takes_numbers else self._array
        return take(parameter, value)

    def _array(self, parameter: Parameter, value: Any) -> Any:
        """Return the native array of one array argument (an Array where the body serves)."""
        contract, binding = self._contract, self._binding
        if isinstance(value, Array):
            check_backend(contract.name, parameter.name, value, binding.name)
            if self._unwraps:
                return value._data
            # A body may return views of it; it gets no other class that a user wrote.
            return value if type(value) in _ARRAY_TYPES else binding.share(value)
        if name_of(value) is not None:
            check_backend(contract.name, parameter.name, value, binding.name)
            if binding.name == DEFAULT:
                _check_plain(contract.qualified_name, parameter.name, value)
            if binding.backend.as_dtype(value.dtype) is None:
                raise_dtype_error(contract.qualified_name, parameter.name, value.dtype)
            return value if self._unwraps else binding.wrap(value)
        if python_scalar(value) is not None or isinstance(value, list | tuple):
            try:
                array = binding.functions["asarray"](value)
            except UnifyError as error:
                raise about_argument(error, contract.qualified_name, parameter.name) from error
            return array._data if self._unwraps else array
        if value is MISSING:
            raise TypeError(f"{contract.name}() is missing its argument {parameter.name!r}")
        if type(value).__module__ == "builtins":
            problem, remedy = f"is {describe(value)}, which is no array", "pass an array or numbers"
        else:
            problem = f"is {a_kind(value)}, which the {binding.name} backend doesn't take"
            remedy = "convert it with unify.asarray, or give its class __ivy_array_function__"
        raise_argument_error(BackendError, contract.qualified_name, parameter.name, problem, remedy)

    def _sequence(self, parameter: Parameter, value: Any) -> list[Any]:
        function, name = self._contract.qualified_name, parameter.name
        if isinstance(value, Array) and value.ndim:
            value = list(value)
        if not isinstance(value, list | tuple):
            problem = f"is a {type(value).__qualname__}, not a list or tuple of arrays"
            raise_argument_error(BackendError, function, name, problem, "pass a list of arrays")
        if not value:
            remedy = "pass at least one array"
            raise_argument_error(UnifyValueError, function, name, "holds no array", remedy)
        try:
            return [self._array(parameter, item) for item in value]
        except UnifyError:
            for i, item in enumerate(value):  # once more, to name the element
                self._array(replace(parameter, name=f"{name}[{i}]"), item)
            raise

    def _object(self, parameter: Parameter, value: Any) -> Any:
        if not self._unwraps:
            if isinstance(value, list | tuple):
                return [self._object(parameter, item) for item in value]
            # A number next to arrays keeps its weak data type.
            scalar = python_scalar(value)
            alone = parameter is self._contract.array_parameters[0]
            return self._array(parameter, value) if alone or scalar is None else scalar
        if isinstance(value, Array):
            return value._data
        if isinstance(value, list | tuple) and not _SCALAR_TYPES.issuperset(map(type, value)):
            return [self._object(parameter, item) for item in value]
        return value

    def _key(self, parameter: Parameter, key: Any) -> Any:
        """Return an index with native arrays in place of everything that stands for an array."""
        if isinstance(key, tuple):
            return tuple(self._key(parameter, part) for part in key)
        if type(key) is slice:
            return integer_bounds(self._contract.qualified_name, parameter.name, key)
        if isinstance(key, Array):
            check_backend(self._contract.name, parameter.name, key, self._binding.name)
            return key._data
        if isinstance(key, list) or name_of(key) not in (None, self._binding.name):
            # Index arrays of NumPy are what consumers build, whatever x's backend is.
            return self._index_array(key)
        scalar = python_scalar(key)
        return key if scalar is None else scalar

    def _index_array(self, key: Any) -> Any:
        asarray = self._binding.functions["asarray"]
        array = asarray(key)
        if isinstance(key, list) and not array.size:
            array = asarray(key, dtype=dtypes.int64)  # an empty list says nothing of its type
        return array._data


# The conversions of arguments for the native function, by the parameter's role.
_CONVERTERS: Final[dict[Role, Callable[[ArgumentConverter, Parameter, Any], Any]]] = {
    Role.ARRAY: ArgumentConverter._array,
    Role.STAR: ArgumentConverter._array,
    Role.OPERAND: ArgumentConverter._operand,
    Role.OPTIONAL: ArgumentConverter._optional,
    Role.SEQUENCE: ArgumentConverter._sequence,
    Role.OBJECT: ArgumentConverter._object,
    Role.KEY: ArgumentConverter._key,
    Role.DTYPE: ArgumentConverter._dtype,
    Role.DEVICE: ArgumentConverter._device,
    Role.STATIC: ArgumentConverter._static,
}
