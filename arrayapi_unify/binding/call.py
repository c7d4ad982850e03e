"""The slow path of a call: classify the arguments, map over Containers, try overrides, compute.

It is the same at the top level and on a backend; only the top level chooses the backend. A call
with Containers is made once for each of their leaves. `bound` computes on one backend.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any, NoReturn

from arrayapi_unify._core.container_base import PLAIN_CONTAINERS, Nested, fast_tree_map
from arrayapi_unify._core.failures import (
    deep_nest_error,
    is_builtin,
    is_ours,
    raise_better,
    raised_in_callback,
    shorten,
)
from arrayapi_unify._core.override_protocol import (
    DeclinedError,
    call_overrides,
    mismatch_error,
    raise_declined_in_body,
    run_bodies,
)
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.classes import BindingHooks
from arrayapi_unify.backends import DEFAULT, arrays_by_name, handler, name_of, python_scalar
from arrayapi_unify.binding.arguments import Arguments, RareDTypeError, admit_all, body_arguments
from arrayapi_unify.contracts.annotations import Role, coerce_call
from arrayapi_unify.contracts.contract import MISSING, Contract
from arrayapi_unify.errors import UnifyError, UnifyTypeError, about, describe, shown, translate

__all__ = ["Dispatch", "SlowPath", "StandaloneFunction"]


class SlowPath:
    """The calls of one function that its fast path leaves, through whichever entry point.

    Subclasses compute: on a backend, on the one that they choose, or without any.
    """

    __slots__ = ("_takes_a_nest", "contract")
    backend_name = ""
    """The backend on which the function runs; none where its arguments decide."""
    coerces = False
    """True if the static arguments of a call that failed are coerced, and it is made again."""

    def __init__(self, contract: Contract) -> None:
        """Serve the calls of a contract."""
        self.contract = contract
        # A nest alone is a whole call, for each of its leaves.
        self._takes_a_nest = contract.nestable and len(contract.required) <= 1

    def function(self) -> Callable[..., Any]:
        """Return what is called for each leaf of a Container."""
        return self.contract.public

    def _compute_as_numpy(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Serve a call with parameters that only NumPy has."""
        raise NotImplementedError

    def _compute(self, args: tuple[Any, ...], kwargs: dict[str, Any], found: Arguments) -> Any:
        """Serve a call that nothing overrides, with no Container among its arguments."""
        raise NotImplementedError

    def _translated(self, error: Exception, given: list[tuple[str, Any]]) -> Exception:
        """Return an error of a library as one of ours."""
        raise NotImplementedError

    def slow(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Serve any call; `args` and `kwargs` are all that the function was handed."""
        if not kwargs and len(args) == 1 and isinstance(args[0], Nested) and self._takes_a_nest:
            return self._of_one(args[0])
        args, kwargs = self.contract.given_arguments(args, kwargs)
        try:
            found = Arguments(self.contract, args, kwargs)
            if found.nested is not None:
                return self._each(found.nested, self.function(), args, kwargs)
            if found.overridden:
                return self._overridden(found, args, kwargs)
        except RecursionError as error:
            raise self.error_to_raise(error, args, kwargs) from None
        return self.compute(args, kwargs, found)

    def _overridden(self, found: Arguments, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Let the overriding arguments handle a call, or the body, if they decline and ask for it.

        The functions that the body calls find the overriding arguments again.
        """
        contract = self.contract
        if contract.imports and self._moves(found):
            return self.compute(args, kwargs, found)
        try:
            return call_overrides(contract.public, found.relevant, args, kwargs)[1]
        except DeclinedError:
            if not contract.array_parameters:
                return self.compute(args, kwargs, found)
            has_body = contract.kind in ("compositional", "mixed") and "out" not in kwargs
            if not has_body or not run_bodies(found.relevant):
                raise
        host = found.host
        if host is not None:
            args, kwargs = admit_all(contract, args, kwargs, host)
        of_arrays = found.backend if host is None else host.backend
        given = of_arrays or _first_backend(found.relevant) or handler.active_backend()
        backend = self.backend_name or given or DEFAULT
        binding = BindingHooks.binding_of(backend)
        args, kwargs = body_arguments(contract, args, kwargs, binding)
        try:
            return binding.backend.suppress_warnings(contract.function)(*args, **kwargs)
        except TypeError as error:
            raise_declined_in_body(contract.qualified_name, error)
            raise

    def _moves(self, found: Arguments) -> bool:
        """Return True if an object goes to another backend, where its class has no say."""
        wanted = self.backend_name or handler.active_backend()
        given = found.backend or _first_backend(found.relevant)
        return None not in (wanted, given) and wanted != given

    def without_overrides(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function as if no argument overrode it."""
        found = Arguments(self.contract, args, kwargs)
        if found.nested is not None:
            return self._each(found.nested, self.without_overrides, args, kwargs)
        return self.compute(args, kwargs, found)

    def compute(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], found: Arguments | None = None
    ) -> Any:
        """Compute, or raise an error that names the function and its arguments."""
        try:
            if self.contract.is_numpys(args, kwargs):
                return self._compute_as_numpy(args, kwargs)
            return self._compute(args, kwargs, found or Arguments(self.contract, args, kwargs))
        except RareDTypeError:
            raise
        except Exception as error:
            self._fail(error, args, kwargs)

    def recover(
        self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any], again: bool = False
    ) -> Any:
        """Make a call in which the fast path failed in another way, or say what is wrong with it.

        `again` says that a fast kernel failed, after which the native function has its turn.
        """
        try:
            if isinstance(error, RareDTypeError) or (
                again and not isinstance(error, UnifyError | MemoryError)
            ):
                return self.slow(args, kwargs)
            args, kwargs = self.contract.given_arguments(args, kwargs)
            if getattr(error, "failed_leafwise", None) is not self.contract:
                nested = self._nested(args, kwargs)
                if nested is not None:
                    return self._each(nested, self.function(), args, kwargs)
            if self.contract.is_numpys(args, kwargs):
                return self.compute(args, kwargs)
            # If memory was short, a write may have happened.
            mine = self.coerces and not isinstance(error, MemoryError)
            if mine and not raised_in_callback(error, (*args, *kwargs.values())):
                coerced = coerce_call(self.contract, args, kwargs)
                if coerced is not None:
                    return self.compute(*coerced)
            self._fail(error, args, kwargs)
        finally:
            del error  # see `errors`: an error that is raised here holds this frame

    def _fail(self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> NoReturn:
        """Raise what says best why a call failed; what the caller's own function raised stays."""
        try:
            if raised_in_callback(error, (*args, *kwargs.values())):
                shorten(error)
                raise error
            raise_better(error, self.error_to_raise(error, args, kwargs))
        finally:
            del error

    def error_to_raise(
        self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Exception:
        """Return what to raise where the computation raised `error`: it names this function."""
        there = tuple(value for value in args if value is not MISSING)
        mismatch = self.contract.signature_error(there, kwargs)
        if mismatch is not None and (len(there) < len(args) or isinstance(error, TypeError)):
            return mismatch
        args, kwargs = self.contract.given_arguments(args, kwargs)
        given = [(p.name, value) for p, value in self.contract.named(args, kwargs)]
        of_numpy = kwargs.keys() - self.contract.by_name.keys()
        given += [(n, value) for n, value in kwargs.items() if n in of_numpy]
        name = self.contract.qualified_name
        if isinstance(error, RecursionError):
            return deep_nest_error(error, name, given)
        if isinstance(error, UnifyError):
            better = _shape_by_numbers(name, given) or self._arrays_one_by_one(given)
            return better or about(error, name, self.backend_name, given)
        return self._translated(error, given)

    def _arrays_one_by_one(self, given: list[tuple[str, Any]]) -> UnifyTypeError | None:
        """Return the error for `stack(x, y)`, in which the second array is taken for the axis."""
        first = self.contract.parameters[0]
        if first.role is not Role.SEQUENCE or len(given) < 2 or name_of(given[1][1]) is None:
            return None
        if given[1][0] == "out":
            return None
        name, (argument, value) = self.contract.qualified_name, given[1]
        return UnifyTypeError(
            f"{name}: argument {argument!r} is {describe(value)}; pass the arrays as one list: "
            f"{name}([x, y])"
        )

    def _nested(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Nested | None:
        try:
            return Arguments(self.contract, args, kwargs).nested
        except RecursionError as error:
            raise self.error_to_raise(error, args, kwargs) from None

    def _of_one(self, nested: Nested) -> Any:
        """Serve a call with a nest and nothing else."""
        function = self.function()
        try:
            result = fast_tree_map(function)(nested) if type(nested) in PLAIN_CONTAINERS else None
        except Exception as error:
            vars(error)["failed_leafwise"] = self.contract
            raise
        return self._each(nested, function, (nested,), {}) if result is None else result

    def _each(
        self,
        nested: Nested,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """Call `function` for each leaf of the Containers, of which `nested` is the first.

        An error is marked, so that it isn't taken for the failure of a call with the nests.
        """
        try:
            return nested._call_leafwise(self.contract, function, args, kwargs)
        except Exception as error:
            vars(error)["failed_leafwise"] = self.contract
            shorten(error)
            raise


class StandaloneFunction(SlowPath):
    """A standalone function: what is computed is its own body."""

    __slots__ = ()

    def _compute(self, args: tuple[Any, ...], kwargs: dict[str, Any], found: Arguments) -> Any:
        host = found.host
        if host is not None and not self.contract.star:
            args, kwargs = admit_all(self.contract, args, kwargs, host)
        return self.contract.function(*args, **kwargs)

    def _translated(self, error: Exception, given: list[tuple[str, Any]]) -> Exception:
        """Say which function failed, where a line of ours did; what others raise is theirs."""
        if not is_ours(error) or any(is_builtin(value) for _, value in given):
            return error
        return translate(error, self.contract.qualified_name, "", given)


class Dispatch(SlowPath):
    """A function of the top level, which chooses the backend, and the tables of its fast path.

    Bindings fill the tables when a backend is first used. They begin empty.
    """

    __slots__ = ("bare", "functions", "natives", "open_ended")

    def __init__(self, contract: Contract, open_ended: bool) -> None:
        """Serve a contract; `open_ended` says if calls that don't fit its signature arrive here."""
        super().__init__(contract)
        self.open_ended = open_ended
        # array class or backend name -> the bound function
        self.functions: dict[Any, Callable[..., Any]] = {}
        # class of arrays, native or not -> native function, type of its results, what makes others
        # of that type, the class of the Array, and the data types of native arrays (None for
        # Arrays); for functions that make something new
        self.natives: dict[Any, tuple[Any, ...]] = {}
        # type of native arrays -> the backends of which one may be set, the bound function, and
        # what makes arrays of lists of numbers; for the same functions
        self.bare: dict[Any, tuple[Any, ...]] = {}

    def clear(self) -> None:
        """Empty the tables, so that all calls pass through here."""
        for table in (self.functions, self.natives, self.bare):
            table.clear()

    def slow(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Serve any call; raise our own error for one that doesn't fit the signature."""
        if self.open_ended:
            args, kwargs = self.contract.resolved(args, kwargs)
            if self.contract.signature_error(args, kwargs) is not None:
                raise self._signature_error(args, dict(kwargs))
        return super().slow(args, kwargs)

    def compute(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], found: Arguments | None = None
    ) -> Any:
        """Choose the backend and let its binding compute."""
        found = found or Arguments(self.contract, args, kwargs)
        binding = BindingHooks.binding_of(self._choose_backend(args, kwargs, found))
        return binding.bound[self.contract.qualified_name].compute(args, kwargs, found)

    def _choose_backend(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], found: Arguments
    ) -> str:
        """Choose the backend that is set, else that of the arrays, else NumPy."""
        name, active = self.contract.qualified_name, handler.active_backend()
        if active is not None and self.contract.converts:
            return handler.choose(name, ())  # which arrays of any backend are converted to
        agreed = found.backend if active in (None, found.backend) else None
        if agreed and not (found.mixed or handler.log_level):
            return agreed
        # The names of the arguments are for an error, or the log.
        named = self.contract.named(args, kwargs)
        given = ((p, v) for p, v in named if p.role is not Role.OUT or isinstance(v, Array))
        pairs = (pair for p, v in given for pair in arrays_by_name(p.name, v))
        return handler.choose(name, pairs)

    def translate_failure(
        self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Exception:
        """Return what to raise where a native function failed that the fast path called."""
        binding = BindingHooks.binding_of(args[0].backend)
        return binding.bound[self.contract.qualified_name].error_to_raise(error, args, kwargs)

    def _signature_error(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Exception:
        """Return the error for a call that doesn't fit; foreign and overriding classes get ours."""
        leading = sum(parameter.positional_only for parameter in self.contract.inputs)
        if len(args) > leading:
            # Arguments between them came by name; `*arguments` follow only if all were given.
            between = [name for name in self.contract.by_position[leading:] if name in kwargs]
            args = (*args[:leading], *map(kwargs.pop, between), *args[leading:])
        error = self.contract.signature_error(args, kwargs)
        assert error is not None
        found = Arguments(self.contract)
        for value in (*args, *kwargs.values()):
            found.add(value)
        parts = chain.from_iterable(
            value if isinstance(value, list | tuple) else (value,) for value in args[:leading]
        )
        foreign = [value for value in parts if _is_foreign(value)]
        if foreign or found.overridden:
            return mismatch_error(self.contract.public, [*foreign, *found.relevant], error)
        return error


def _shape_by_numbers(function: str, given: list[tuple[str, Any]]) -> UnifyTypeError | None:
    """Return the error for `zeros(2, 3)`, in which NumPy, too, takes 3 for the data type."""
    if len(given) < 2 or given[0][0] != "shape" or type(dict(given).get("dtype")) is not int:
        return None
    numbers = ", ".join(shown(value) for _, value in given)
    return UnifyTypeError(
        f"{function}: argument 'dtype' is an integer, not a data type; pass the shape as one "
        f"tuple: {function}(({numbers}))"
    )


def _first_backend(values: list[Any]) -> str | None:
    return next(filter(None, map(_backend_of, values)), None)


def _backend_of(value: Any) -> str | None:
    """Return the backend of the namespace that an object names, if it is one of ours."""
    try:
        return getattr(value.__array_namespace__(), "__unify_backend__", None)
    except Exception:  # of a user's class
        return None


def _is_foreign(value: Any) -> bool:
    """Return True if a value is no builtin, Container, Python scalar, or array of a backend."""
    if isinstance(value, Nested) or type(value).__module__ == "builtins":
        return False
    return name_of(value) is None and python_scalar(value) is None
