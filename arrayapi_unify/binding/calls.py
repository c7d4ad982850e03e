"""The slow path: normalize arguments, map over Containers, try overrides, compute; in this order.

A call with Containers is made once for each of their leaves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from arrayapi_unify.backends import name_of
from arrayapi_unify.binding.annotations import Role
from arrayapi_unify.binding.contract import MISSING, Contract
from arrayapi_unify.container_base import PLAIN_CONTAINERS, Nested, fast_tree_map, find
from arrayapi_unify.devices import Device
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import UnifyError, about, check_depth, translate
from arrayapi_unify.overrides import call_overrides, takes_over

__all__ = [
    "RareDTypeError",
    "SlowPath",
    "StandaloneFunction",
    "all_python_scalars",
    "all_trusted",
    "arrays_of",
    "is_ours",
    "needs_no_dispatch",
    "raised_in_callback",
    "register_trusted_types",
]

# Types whose values neither override functions nor are Containers; backends add their arrays'.
_TRUSTED: Final[set[type]] = {
    bool, int, float, complex, str, slice, type(None), type(Ellipsis), type(MISSING), DType, Device,
}  # fmt: skip
_NUMBERS: Final = frozenset({bool, int, float, complex})
_MISUSES: Final = (
    TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RuntimeError,
)  # fmt: skip
_PACKAGE: Final = __name__.partition(".")[0]


class RareDTypeError(Exception):
    """A data type of which the fast path knows nothing: the slow one makes the call."""


def register_trusted_types(*kinds: type) -> None:
    """Declare that values of these very types neither override functions nor are Containers."""
    _TRUSTED.update(kinds)


def all_trusted(values: Iterable[Any]) -> bool:
    """Return True if all values are of trusted types; lists are none."""
    return _TRUSTED.issuperset(map(type, values))


def needs_no_dispatch(values: Iterable[Any]) -> bool:
    """Return True if all values, and the items of lists and tuples, are of trusted types."""
    for value in values:
        kind = type(value)
        if kind not in _TRUSTED and (
            kind not in (list, tuple) or not _TRUSTED.issuperset(map(type, value))
        ):
            return False
    return True


def all_python_scalars(values: list[Any] | tuple[Any, ...]) -> bool:
    """Return True if a list holds only Python scalars; there is no loop in Python."""
    return _NUMBERS.issuperset(map(type, values))


def raised_in_callback(error: BaseException, values: Iterable[Any]) -> bool:
    """Return True if a function that the caller gave raised the error."""
    codes = set()
    for value in values:
        if callable(value):
            function = getattr(value, "func", value)
            # The code of the function, of a method, or of the `__call__` of an instance's class.
            for one in (function, vars(type(function)).get("__call__")):
                codes.add(getattr(getattr(one, "__func__", one), "__code__", None))
    trace = error.__traceback__ if codes - {None} else None
    while trace is not None:
        if trace.tb_frame.f_code in codes:
            return True
        trace = trace.tb_next
    return False


def _relevant(contract: Contract, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """Collect the arguments that may override or choose a backend, left to right."""
    found: list[Any] = []
    for parameter, value in contract.named(args, kwargs):
        if parameter.role not in (Role.DTYPE, Role.DEVICE, Role.STATIC):
            found.extend(arrays_of(value))
    return found


def arrays_of(value: Any) -> Iterator[Any]:
    """Find what overrides, or is an array, in an argument."""
    if isinstance(value, list | tuple):
        if not all_python_scalars(value):
            for item in value:
                yield from arrays_of(item)
    elif takes_over(value) or name_of(value) is not None:
        yield value


class SlowPath:
    """One function, as far as a call of it is the same at the top level and on each backend."""

    __slots__ = ("_takes_a_nest", "contract")

    def __init__(self, contract: Contract) -> None:
        """Serve the calls of a contract."""
        self.contract = contract
        # A nest alone is a whole call, for each of its leaves.
        self._takes_a_nest = contract.nestable and len(contract.required) <= 1

    def function(self) -> Callable[..., Any]:
        """Return what is called for each leaf of a Container."""
        public: Callable[..., Any] = self.contract.public
        return public

    def compute(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Serve a call that nobody overrides, with no Container among its arguments."""
        raise NotImplementedError

    def coerce_call(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        """Return the arguments to try again with after a failure; None where they stay."""
        return None

    def translate_failure(
        self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Exception:
        """Return what to raise where the computation raised `error`."""
        return error

    def restate_error(
        self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Exception:
        """Return what to raise instead of an error of ours: one about this function."""
        if not isinstance(error, UnifyError):
            return error
        args, kwargs = self.contract.given_arguments(args, kwargs)
        given = ((p.name, value) for p, value in self.contract.named(args, kwargs))
        return about(error, self.contract.qualified_name, self.backend_name, given)

    @property
    def backend_name(self) -> str:
        """The backend on which the function runs; none where its arguments decide."""
        return ""

    def too_deep(
        self, error: RecursionError, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Exception:
        """Return what to raise where the search of lists for arrays didn't end."""
        try:
            given = ((p.name, value) for p, value in self.contract.named(args, kwargs))
            check_depth(self.contract.qualified_name, given)
        except UnifyError as better:
            return better
        return error

    def slow(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Serve any call; `args` and `kwargs` are all that the function was handed."""
        if not kwargs and len(args) == 1 and isinstance(args[0], Nested) and self._takes_a_nest:
            return self._of_one(args[0])
        args, kwargs = self.contract.given_arguments(args, kwargs)
        if needs_no_dispatch(args) and (not kwargs or needs_no_dispatch(kwargs.values())):
            return self.compute(args, kwargs)
        try:
            handled, result = self._leafwise(self.function(), args, kwargs)
            if not handled:
                relevant = _relevant(self.contract, args, kwargs)
                handled, result = call_overrides(self.contract.public, relevant, args, kwargs)
            return result if handled else self.compute(args, kwargs)
        except RecursionError as error:
            raise self.too_deep(error, args, kwargs) from None

    def _of_one(self, nested: Nested) -> Any:
        """Serve a call with a nest and nothing else."""
        function = self.function()
        try:
            result = fast_tree_map(function)(nested) if type(nested) in PLAIN_CONTAINERS else None
        except Exception as error:
            self._blame_leaves(error)
            raise
        return self._each(nested, function, (nested,), {}) if result is None else result

    def without_overrides(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function as if no argument overrode it."""
        handled, result = self._leafwise(self.without_overrides, args, kwargs)
        return result if handled else self.compute(args, kwargs)

    def recover(self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Make a call that failed for each leaf of its Containers; raise where it has none."""
        failure = error
        try:
            if isinstance(error, RareDTypeError):
                return self.slow(args, kwargs)
            args, kwargs = self.contract.given_arguments(args, kwargs)
            if getattr(error, "failed_leafwise", None) is not self.contract:
                try:
                    handled, result = self._leafwise(self.function(), args, kwargs)
                except RecursionError as deep:
                    raise self.too_deep(deep, args, kwargs) from None
                if handled:
                    return result
            if raised_in_callback(error, (value for _, value in self.contract.named(args, kwargs))):
                raise error
            # If memory was short, a write may have happened.
            again = None if isinstance(error, MemoryError) else self.coerce_call(args, kwargs)
            if again is not None:
                return self.compute(*again)
            failure = self.error_to_raise(error, args, kwargs)
            if failure is error:
                raise error
            raise failure from error
        finally:
            del error, failure  # see `errors`: an error that is raised here holds this frame

    def error_to_raise(
        self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Exception:
        """Return what to raise where the call failed for another reason than its form."""
        ours = isinstance(error, UnifyError)
        return (self.restate_error if ours else self.translate_failure)(error, args, kwargs)

    def _leafwise(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[bool, Any]:
        """Call `function` for each leaf of the Containers; says whether there are any."""
        nested = find(args, kwargs) if self.contract.nestable else None
        if nested is None:
            return False, None
        return True, self._each(nested, function, args, kwargs)

    def _each(
        self,
        nested: Nested,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """Call `function` for each leaf."""
        try:
            return nested._call_leafwise(self.contract, function, args, kwargs)
        except Exception as error:
            self._blame_leaves(error)
            raise

    def _blame_leaves(self, error: Exception) -> None:
        """Mark an error, so that nobody takes it for the failure of a call with the nests."""
        vars(error)["failed_leafwise"] = self.contract


class StandaloneFunction(SlowPath):
    """A standalone function: what is computed is its own body."""

    __slots__ = ()

    def compute(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the body."""
        try:
            return self.contract.function(*args, **kwargs)
        except Exception as error:
            if raised_in_callback(error, (*args, *kwargs.values())):
                raise
            failure = self.error_to_raise(error, args, kwargs)
            try:
                if failure is error:
                    raise
                raise failure from error
            finally:
                del failure  # see `errors`

    def translate_failure(
        self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Exception:
        """Say which function failed, where a line of ours did; what others raise is theirs."""
        given = [(p.name, value) for p, value in self.contract.named(args, kwargs)]
        if isinstance(error, RecursionError):
            return self.too_deep(error, args, kwargs)
        if not is_ours(error) or any(map(_is_builtin, (value for _, value in given))):
            return error
        return translate(error, self.contract.qualified_name, "", given)


def is_ours(error: BaseException) -> bool:
    """Return True if a line of this package failed, or one of Python's library that it called.

    Errors of the system, such as for a file, remain its own.
    """
    owner, trace = "", error.__traceback__
    while trace is not None:
        # Generated functions have no module: torch.compile would look for names there.
        found = trace.tb_frame.f_globals.get("__name__") or trace.tb_frame.f_code.co_filename
        name = _PACKAGE if _PACKAGE in str(found) else str(found).partition(".")[0]
        owner = owner if name in sys.stdlib_module_names else name
        trace = trace.tb_next
    ours = owner == _PACKAGE and isinstance(error, _MISUSES)
    return ours and not isinstance(error, NotImplementedError | RecursionError)


def _is_builtin(value: Any) -> bool:
    """Return True if a value is a function without Python code, whose errors have no frame."""
    return (
        callable(value)
        and not isinstance(value, type)
        and name_of(value) is None
        and (not hasattr(value, "__code__") and not hasattr(type(value), "__code__"))
    )
