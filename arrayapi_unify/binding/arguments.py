"""Conversion of a slow call's arguments to those of the native function.

It serves native arrays, scalars, lists, and NumPy arrays in an index, and raises for all others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import DEFAULT, name_of, python_scalar
from arrayapi_unify.backends._common.checks import raise_dtype_error
from arrayapi_unify.backends.handler import check_backend
from arrayapi_unify.binding.annotations import Role
from arrayapi_unify.binding.calls import SlowPath, all_python_scalars
from arrayapi_unify.binding.coercion import coerce, is_coercible, takes_numbers
from arrayapi_unify.binding.contract import MISSING, Contract, Parameter
from arrayapi_unify.errors import (
    BackendError,
    UnifyError,
    UnifyValueError,
    about_argument,
    raise_argument_error,
)

if TYPE_CHECKING:
    from arrayapi_unify.binding.namespace import Binding

__all__ = ["ArgumentConverter"]


class ArgumentConverter(SlowPath):
    """One contract on one backend, as far as its arguments go.

    They become what `native` takes: native arrays; Arrays where it is None, and a body serves.
    """

    __slots__ = ("_operands", "binding", "native")

    def __init__(
        self, contract: Contract, binding: Binding, native: Callable[..., Any] | None
    ) -> None:
        """Note the contract and the native function for which arguments are converted."""
        super().__init__(contract)
        self.binding = binding
        self.native = native
        self._operands = () if contract.category == "creation" else _operands(contract)

    def convert(self, name: str, value: Any) -> Any:
        """Return what the native function takes for a parameter's value."""
        parameter = self.contract.by_name.get(name)
        if parameter is None:  # a keyword of `**lengths`
            return value
        if parameter.role is Role.DTYPE and self.native:
            return self.binding.any_dtype(value, needed=parameter.required)
        if parameter.role is Role.DEVICE and self.native:
            return self.binding.native_device(value)
        if is_coercible(self.contract, parameter):
            return self._static(parameter, value)
        # The functions that a body calls convert what the others stand for.
        convert = _CONVERTERS.get(parameter.role)
        return convert(self, parameter, value) if convert else value

    def _operand(self, parameter: Parameter, value: Any) -> Any:
        scalar = python_scalar(value)
        return self._array(parameter, value) if scalar is None else scalar

    def _static(self, parameter: Parameter, value: Any) -> Any:
        coerced = coerce(self.contract, parameter, value)
        # Natives know no Arrays; a number that is an array of no axes is a number to them.
        return coerced.item() if self.native and isinstance(coerced, Array) else coerced

    def _optional(self, parameter: Parameter, value: Any) -> Any:
        if value is None:
            return None
        take = self._operand if takes_numbers(self.contract, parameter) else self._array
        return take(parameter, value)

    def _array(self, parameter: Parameter, value: Any) -> Any:
        """Return the native array of one array argument (an Array where the body serves)."""
        if isinstance(value, Array):
            check_backend(self.contract.name, parameter.name, value, self.binding.name)
            return value._data if self.native else self.binding.wrap(value._data)
        found = name_of(value)
        if found == DEFAULT and self.contract.mutates:
            # The values that consumers assign are often made by NumPy, whatever x's backend is.
            value, found = self.binding.functions["asarray"](value)._data, self.binding.name
        if found is not None:
            check_backend(self.contract.name, parameter.name, value, self.binding.name)
            if self.binding.backend.as_dtype(value.dtype) is None:
                raise_dtype_error(self.contract.qualified_name, parameter.name, value.dtype)
            return value if self.native else self.binding.wrap(value)
        if python_scalar(value) is not None or isinstance(value, list | tuple):
            try:
                array = self.binding.functions["asarray"](value)
            except UnifyError as error:
                raise about_argument(error, self.contract.qualified_name, parameter.name) from error
            return array._data if self.native else array
        if value is MISSING:
            raise TypeError(f"{self.contract.name}() is missing its argument {parameter.name!r}")
        raise BackendError(
            f"{self.contract.qualified_name}: argument {parameter.name!r} is a "
            f"{type(value).__module__}.{type(value).__qualname__}, which the {self.binding.name} "
            f"backend doesn't take; convert it with unify.asarray, or give its class "
            f"__ivy_array_function__"
        )

    def _sequence(self, parameter: Parameter, value: Any) -> list[Any]:
        if isinstance(value, Array) and value.ndim:
            value = list(value)
        if not isinstance(value, list | tuple):
            raise_argument_error(
                BackendError,
                self.contract.qualified_name,
                parameter.name,
                f"is a {type(value).__qualname__}, not a list or tuple of arrays",
                "pass a list of arrays",
            )
        if not value:
            raise_argument_error(
                UnifyValueError,
                self.contract.qualified_name,
                parameter.name,
                "holds no array",
                "pass at least one array",
            )
        try:
            return [self._array(parameter, item) for item in value]
        except UnifyError:
            for i, item in enumerate(value):  # once more, to name the element
                self._array(replace(parameter, name=f"{parameter.name}[{i}]"), item)
            raise

    def _object(self, parameter: Parameter, value: Any) -> Any:
        if isinstance(value, Array):
            return value._data
        if isinstance(value, list | tuple) and not all_python_scalars(value):
            return [self._object(parameter, item) for item in value]
        return value

    def _key(self, parameter: Parameter, key: Any) -> Any:
        """Return an index with native arrays in place of everything that stands for an array."""
        if isinstance(key, tuple):
            return tuple(self._key(parameter, part) for part in key)
        if isinstance(key, Array):
            check_backend(self.contract.name, parameter.name, key, self.binding.name)
            return key._data
        if isinstance(key, list) or name_of(key) not in (None, self.binding.name):
            # Index arrays of NumPy are what consumers build, whatever x's backend is.
            return self._index_array(key)
        scalar = python_scalar(key)
        return key if scalar is None else scalar

    def _index_array(self, key: Any) -> Any:
        asarray = self.binding.functions["asarray"]
        array = asarray(key)
        if isinstance(key, list) and not array.size:
            array = asarray(key, dtype=dtypes.int64)  # an empty list says nothing of its type
        return array._data

    def arrays_for_scalars(self, positional: list[Any]) -> None:
        """Make arrays of the operands where all of them are scalars."""
        given = [i for i in self._operands if i < len(positional)]
        if all(python_scalar(positional[i]) is not None for i in given):
            for i in given:
                positional[i] = self._array(self.contract.parameters[i], positional[i])


# The conversions of arguments for the native function, by the parameter's role.
_CONVERTERS: Final[dict[Role, Callable[[ArgumentConverter, Parameter, Any], Any]]] = {
    Role.ARRAY: ArgumentConverter._array,
    Role.STAR: ArgumentConverter._array,
    Role.OPERAND: ArgumentConverter._operand,
    Role.OPTIONAL: ArgumentConverter._optional,
    Role.SEQUENCE: ArgumentConverter._sequence,
    Role.OBJECT: ArgumentConverter._object,
    Role.KEY: ArgumentConverter._key,
}


def _operands(contract: Contract) -> tuple[int, ...]:
    """Return the places of the arguments of which one has to be an array."""
    pairs = enumerate(contract.parameters)
    return tuple(i for i, p in pairs if p.role in (Role.ARRAY, Role.OPERAND))
