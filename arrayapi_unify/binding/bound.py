"""A contract on one backend: the slow path behind the generated function.

Everything rare is here, in the order in which it matters: overriding classes, arrays of another
backend, native arrays, scalars and lists, `out=`, and the wrapping of what comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from arrayapi_unify import container_base, dtypes
from arrayapi_unify.array_object import Array, following
from arrayapi_unify.backends import DEFAULT, name_of, python_scalar
from arrayapi_unify.backends._common.shortcut import Shortcut
from arrayapi_unify.backends.handler import check_member
from arrayapi_unify.binding.contract import Contract, Parameter
from arrayapi_unify.binding.roles import Role
from arrayapi_unify.binding.sharing import follower
from arrayapi_unify.errors import (
    BackendError,
    UnifyError,
    UnifyTypeError,
    UnifyValueError,
    refuse,
    translate,
)
from arrayapi_unify.overrides import call_overrides, takes_over

if TYPE_CHECKING:
    from arrayapi_unify.binding.namespace import Binding

__all__ = ["BoundFunction", "leafwise", "overridden", "relevant"]


def relevant(contract: Contract, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """Collect the arguments that may override or choose a backend, left to right."""
    found: list[Any] = []
    for parameter, value in contract.named(args, kwargs):
        if parameter.role in (Role.DTYPE, Role.DEVICE, Role.PLAIN):
            continue
        found.extend(_arrays(value))
    return found


def _arrays(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        if not _plain_numbers(value):
            for item in value:
                yield from _arrays(item)
    elif takes_over(value) or name_of(value) is not None:
        yield value


def overridden(
    contract: Contract, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[bool, Any]:
    """Let overriding arguments handle the call; says whether one did, and its result."""
    return call_overrides(contract.public, relevant(contract, args, kwargs), args, kwargs)


def leafwise(
    contract: Contract,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> tuple[bool, Any]:
    """Call `function` for each leaf of the Containers; says whether there are any, and the result.

    Args and kwargs are canonical: what the caller gave.
    """
    nested = container_base.find(args, kwargs) if contract.nestable else None
    if nested is None:
        return False, None
    try:
        return True, nested._call_leafwise(contract, function, args, kwargs)
    except Exception as error:
        # So that nobody takes it for the failure of a call with the Containers themselves.
        vars(error)["failed_leafwise"] = contract
        raise


class BoundFunction:
    """One contract on one backend; `native` is None where the contract's body serves."""

    __slots__ = ("binding", "body", "contract", "follower", "native")

    def __init__(
        self, contract: Contract, binding: Binding, native: Callable[..., Any] | None
    ) -> None:
        """Join a contract with a backend's native function."""
        self.contract = contract
        self.binding = binding
        self.native = native
        self.body = binding.backend.quiet(contract.function)
        self.follower = follower(binding, contract, native)

    @property
    def plain(self) -> Callable[..., Any]:
        """What serves a call in which everything is as it should be: natives in, a native out."""
        native = self.native or self.body
        # A native function may name the library's own function that does just the same.
        found: Callable[..., Any] = getattr(native, "direct", None) or native
        return found

    @property
    def shortcut(self) -> Shortcut | None:
        """What the generated functions call where nothing optional was given."""
        return getattr(self.native, "shortcut", None)

    def shortcut_names(self) -> dict[str, Any]:
        """Return what the generated functions call it, and its check."""
        found = self.shortcut
        if found is None:
            return {}
        return {"_short": found.call, "_sure": found.dtype, "_settle": found.settle}

    def slow(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Serve any call that the fast path didn't: overrides first, then `compute`."""
        args, kwargs = self.contract.canonical(args, kwargs)
        handled, result = overridden(self.contract, args, kwargs)
        if not handled:
            handled, result = self._leafwise(args, kwargs)
        return result if handled else self.compute(args, kwargs)

    def _leafwise(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[bool, Any]:
        function = self.binding.functions[self.contract.qualified_name]
        return leafwise(self.contract, function, args, kwargs)

    def compute(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Convert the arguments, call the native function (or the body), wrap the result."""
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        out: Any = None
        for parameter, value in self.contract.named(args, kwargs):
            if parameter.role is Role.OUT:
                out = value
            elif parameter.role is Role.STAR:
                positional += [self._array(parameter, item) for item in value]
            elif parameter.name in kwargs:
                keywords[parameter.name] = self.convert(parameter, value)
            else:
                positional.append(self.convert(parameter, value))
        self._arrays_for_scalars(positional)
        try:
            if self.contract.mutates:
                return self._update(args[0], positional)
            if self.contract.passes_through and out is None and isinstance(args[0], Array):
                return self._pass_through(args[0], positional, keywords)
            if self.follower is not None and out is None:
                return self._view(args, positional, keywords)
            return self._run(positional, keywords, out)
        except UnifyError:
            raise
        except Exception as error:
            raise self.fail(error, args, kwargs) from error

    def without_overrides(self, *args: Any, **kwargs: Any) -> Any:
        """Compute as if no argument overrode the function."""
        handled, result = leafwise(self.contract, self.without_overrides, args, kwargs)
        return result if handled else self.compute(args, kwargs)

    def rescue(self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Make a call that failed for each leaf of its Containers; raise where it has none."""
        args, kwargs = self.contract.canonical(args, kwargs)
        if getattr(error, "failed_leafwise", None) is not self.contract:
            handled, result = self._leafwise(args, kwargs)
            if handled:
                return result
        if isinstance(error, UnifyError):
            raise error
        raise self.fail(error, args, kwargs) from error

    def retry(self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Make a call whose shortcut failed by the native function itself."""
        if isinstance(error, UnifyError):
            return self.rescue(error, args, kwargs)
        return self.slow(args, kwargs)

    def fail(self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Exception:
        """Translate what a native function raised, naming function, arguments and backend."""
        args, kwargs = self.contract.canonical(args, kwargs)
        given = ((p.name, value) for p, value in self.contract.named(args, kwargs))
        error = self.binding.backend.translate_error(error)
        return translate(error, self.contract.qualified_name, self.binding.name, given)

    # --- arguments --------------------------------------------------------------------------

    def convert(self, parameter: Parameter, value: Any) -> Any:
        """Return what the native function takes for a parameter's value."""
        role = parameter.role
        if role is Role.PLAIN:
            return value
        if self.native is None and role in (Role.DTYPE, Role.DEVICE):
            return value  # the functions that a body calls convert it
        if role is Role.DTYPE:
            return self.binding.native_dtype(value)
        if role is Role.DEVICE:
            return self.binding.native_device(value)
        if role is Role.OBJECT:
            return self._unwrap_nested(value)
        if role is Role.KEY:
            return self._key(value)
        if role is Role.SEQUENCE:
            return self._sequence(parameter, value)
        if value is None and role is Role.OPTIONAL:
            return None
        if role in (Role.OPERAND, Role.OPTIONAL):
            scalar = python_scalar(value)
            if scalar is not None:
                return scalar
        return self._array(parameter, value)

    def _array(self, parameter: Parameter, value: Any) -> Any:
        """Return the native array of one array argument (an Array where the body serves)."""
        if isinstance(value, Array):
            check_member(self.contract.name, parameter.name, value, self.binding.name)
            return value._data if self.native else self.binding.wrap(value._data)
        found = name_of(value)
        if found == DEFAULT and self.contract.mutates:
            # What consumers assign is often made by NumPy, whatever x's backend is.
            value, found = self.binding.functions["asarray"](value)._data, self.binding.name
        if found is not None:
            check_member(self.contract.name, parameter.name, value, self.binding.name)
            return value if self.native else self.binding.wrap(value)
        if python_scalar(value) is not None or isinstance(value, list | tuple):
            array = self.binding.functions["asarray"](value)
            return array._data if self.native else array
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
            refuse(
                BackendError,
                self.contract.qualified_name,
                parameter.name,
                f"is a {type(value).__qualname__}, not a list or tuple of arrays",
                "pass a list of arrays",
            )
        if not value:
            refuse(
                UnifyValueError,
                self.contract.qualified_name,
                parameter.name,
                "holds no array",
                "pass at least one array",
            )
        return [self._array(parameter, item) for item in value]

    def _unwrap_nested(self, value: Any) -> Any:
        if isinstance(value, Array):
            return value._data
        if isinstance(value, list | tuple) and not _plain_numbers(value):
            return [self._unwrap_nested(item) for item in value]
        return value

    def _key(self, key: Any) -> Any:
        """Return an index with native arrays in place of everything that stands for an array."""
        if isinstance(key, tuple):
            return tuple(self._key(part) for part in key)
        if isinstance(key, Array):
            check_member(self.contract.name, "key", key, self.binding.name)
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

    def _arrays_for_scalars(self, positional: list[Any]) -> None:
        """Make an array of the first operand where all operands are scalars."""
        operands = [
            i
            for i, p in enumerate(self.contract.parameters[: len(positional)])
            if p.role in (Role.ARRAY, Role.OPERAND)
        ]
        if not operands or self.contract.category == "creation":
            return
        if all(python_scalar(positional[i]) is not None for i in operands):
            for i in operands:
                array = self.binding.functions["asarray"](positional[i])
                positional[i] = array._data if self.native else array

    # --- results ----------------------------------------------------------------------------

    def _run(self, positional: list[Any], keywords: dict[str, Any], out: Any) -> Any:
        if self.native is None:
            result = self.body(*positional, **keywords)
            return result if out is None else self._store(result._data, out)
        if out is None:
            return self.binding.wrap_result(self.native(*positional, **keywords), self.contract)
        self._check_out(out)
        if getattr(self.native, "supports_native_out", False) and self.binding.is_window(out):
            self.native(*positional, **keywords, out=out._data)
            return out
        return self._store(self.native(*positional, **keywords), out)

    def _pass_through(self, array: Array, positional: list[Any], keywords: dict[str, Any]) -> Array:
        """Run a function whose result may be its argument: then it is the same Array, too."""
        assert self.native is not None  # contract bodies return Arrays anyway
        data = self.native(*positional, **keywords)
        same = data is positional[0] and isinstance(array, self.binding.array)
        return array if same else self.binding.wrap(self.binding.backend.canonical(data))

    def _view(self, args: tuple[Any, ...], natives: list[Any], keywords: dict[str, Any]) -> Any:
        """Run a function whose result shares the memory of its argument."""
        assert self.native is not None
        assert self.follower is not None
        result = self.native(*natives, **keywords)
        # Natives share memory too; what is no array has none.
        sources = [
            given if isinstance(given, Array) else self.binding.wrap(native)
            for given, native in zip(args[: self._arrays_first], natives, strict=False)
        ]
        return self.follower(result, *sources, *natives[len(sources) :], **keywords)

    @property
    def _arrays_first(self) -> int | None:
        """How many arguments are arrays: the first one, or all of them."""
        return None if self.contract.parameters[0].role is Role.STAR else 1

    def _update(self, target: Any, positional: list[Any]) -> Any:
        """Run a function that changes its first argument; a native one stays as it is."""
        assert self.native is not None  # contract bodies can't change an array's data
        if not isinstance(target, Array):
            target = self.binding.wrap(self.binding.backend.copy(target))
        following.update(target, self.native, *positional[1:])
        return target

    def _check_out(self, out: Any) -> None:
        if not isinstance(out, Array):
            refuse(
                UnifyTypeError,
                self.contract.qualified_name,
                "out",
                f"is a {type(out).__module__}.{type(out).__qualname__}, not an Array",
                "wrap it first with unify.Array(native)",
            )
        check_member(self.contract.name, "out", out, self.binding.name)

    def _store(self, result: Any, out: Any) -> Any:
        """Write a native result into `out`; nothing is written unless all of it fits."""
        self._check_out(out)
        backend = self.binding.backend
        result = backend.canonical(result)
        shape = backend.shape_of(result)
        if shape != out.shape:
            refuse(
                UnifyValueError,
                self.contract.qualified_name,
                "out",
                f"has shape {out.shape}, the result has {shape}",
                "pass an array of the result's shape",
            )
        dtype = backend.dtype_of(result)
        if not dtypes.can_cast(dtype, out.dtype):
            refuse(
                UnifyTypeError,
                self.contract.qualified_name,
                "out",
                f"has data type {out.dtype}, to which the result's {dtype} doesn't cast safely",
                f"pass an array of {dtype}",
            )
        following.update(out, backend.write, result)
        return out


_NUMBERS = frozenset({bool, int, float, complex})


def _plain_numbers(values: list[Any] | tuple[Any, ...]) -> bool:
    """Whether a list holds nothing but Python scalars, found without a loop in Python."""
    return _NUMBERS.issuperset(map(type, values))
