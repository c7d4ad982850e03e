"""The operators of one backend's array class: the functions' natives, one Python frame away."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, cast

from arrayapi_unify._core.failures import raise_better
from arrayapi_unify._core.override_protocol import takes_over
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.operators import (
    ARITHMETIC,
    COMPARISON,
    UNARY,
    UNLIKE,
    compared,
    is_operand,
    swapped,
    unless_declined,
)
from arrayapi_unify.backends._common.algorithms.graph_values import StandIn
from arrayapi_unify.backends._common.algorithms.memory import uncastable
from arrayapi_unify.backends.kernel import kernel_of
from arrayapi_unify.binding.bound import BoundFunction
from arrayapi_unify.dtypes import same_kind
from arrayapi_unify.errors import UnifyError
from arrayapi_unify.rendering.functions import compile_function
from arrayapi_unify.rendering.operators import SpecialMethod
from arrayapi_unify.rendering.signature import Source
from arrayapi_unify.views import writes

if TYPE_CHECKING:
    from arrayapi_unify.binding.namespace import Binding

__all__ = ["OPERATOR_FUNCTIONS", "Operators"]

OPERATOR_FUNCTIONS: Final = (
    *ARITHMETIC.values(), *COMPARISON.values(), *UNARY.values(),
    "get_item", "set_item", "asarray", "to_scalar", "matrix_transpose",
)  # fmt: skip
"""The functions that the special methods are made of."""


class Operators:
    """The special methods of one array class of a backend."""

    def __init__(self, binding: Binding, emulated: bool) -> None:
        """Make those of Arrays whose views are emulated, or of others."""
        backend = binding.backend
        self._binding = binding
        self._backend = backend
        self._emulated = emulated

    def every(self) -> dict[str, Any]:
        """Make all special methods."""
        bound = self._binding.bound
        made = self.writing()
        made["__getitem__"] = self._getitem(bound["get_item"])
        for name, function in {**ARITHMETIC, **COMPARISON}.items():
            for key in (f"__{name}__", f"__r{name}__")[: 2 if name in ARITHMETIC else 1]:
                reflected = key.startswith("__r") and key != f"__{name}__"
                made[key] = self._binary(key, bound[function], reflected)
        for name, function in UNARY.items():
            made[f"__{name}__"] = self._unary(f"__{name}__", bound[function])
        return {**self._named(made), **self._transposes()}

    def of_emulated_views(self) -> dict[str, Any]:
        """Make the special methods that differ for Arrays whose views are emulated."""
        source = SpecialMethod(self._binding.bound["get_item"].target).get_emulated_item()
        read = self._compiled(self._path("__getitem__"), source)
        return self._named({**self.writing(), "__getitem__": read})

    def writing(self) -> dict[str, Any]:
        """Make `x[key] = value` and `x op= y`."""
        in_place = self.in_place()
        made = {f"__i{name}__": in_place[function] for name, function in ARITHMETIC.items()}
        return {"__setitem__": self._setitem(self._binding.bound["set_item"]), **made}

    def in_place(self) -> dict[str, Any]:
        """Make `x op= y` of every arithmetic function, by the function's name."""
        bound = self._binding.bound
        return {f: self._in_place(f"__i{name}__", bound[f]) for name, f in ARITHMETIC.items()}

    def in_place_of_any(self) -> dict[str, Callable[[Any, Any], Any]]:
        """Make `x op= y` for classes of which nothing is known: those of users, and of float16."""

        def chosen(name: str, operator: Any) -> Callable[[Any, Any], Any]:
            def in_place(self: Any, other: Any) -> Any:
                data = self._data
                if isinstance(data, StandIn) and not data.recorder.inside:
                    return data.recorder.in_place(name, operator, (self, other), {})
                call = operator.slow if reduced(data) else operator
                return call(self, other)

            return in_place

        reduced = self._binding.is_reduced_precision
        return {name: chosen(name, found) for name, found in self.in_place().items()}

    def _named(self, made: dict[str, Any]) -> dict[str, Any]:
        for name, operator in made.items():
            operator.__qualname__ = f"{self._binding.array.__name__}.{name}"
        return made

    def _compiled(self, path: str, source: Source, guard_writes: Any = None) -> FunctionType:
        """Compile a special method that default data types don't change."""
        made = compile_function(f"{self._binding.name}.{path}", *source)
        if guard_writes is not None:
            guard_writes(made.__globals__)
        return made

    def _path(self, key: str) -> str:
        """Return the name under which a special method's lines are filed."""
        return f"emulated.{key}" if self._emulated else key

    # --- operators that compute -----------------------------------------------------------------

    def _binary(self, key: str, bound: BoundFunction, reflected: bool) -> Any:
        method = swapped(key.strip("_"))

        def call(*both: Any) -> Any:
            return bound.slow(both, {})

        def slow(self: Any, other: Any) -> Any:
            if key in UNLIKE:
                return compared(call, self, other, key)
            if reflected:
                return unless_declined(call, other, self, other, None)
            return unless_declined(call, self, other, other, method)

        return bound.generated.make(
            key, lambda: SpecialMethod(bound.target).binary(reflected, slow)
        )

    def _unary(self, key: str, bound: BoundFunction) -> Any:
        return bound.generated.make(key, lambda: SpecialMethod(bound.target).unary())

    def _transposes(self) -> dict[str, property]:
        """Make `x.T` and `x.mT`, frames shorter than those of `Array`."""
        slow = cast("Callable[[Any], Any]", cast(property, vars(Array)["T"]).fget)
        source = SpecialMethod(self._binding.bound["matrix_transpose"].target).transpose(slow)
        transpose = self._binding.functions["matrix_transpose"]
        return {
            "T": property(self._compiled("T", source), doc=Array.T.__doc__),
            "mT": property(transpose, doc=Array.mT.__doc__),
        }

    # --- writes ---------------------------------------------------------------------------------

    def _in_place(self, key: str, bound: BoundFunction) -> Any:
        """Make `x op= y`: it keeps x's dtype and shape, and changes x only when it succeeds."""
        assert bound.native is not None  # the operators' functions are primary
        change: Callable[[Any, Any], Any] = self._backend.in_place(bound.native)
        update = writes.writer(self._backend)

        def slow(self: Any, other: Any) -> Any:
            # NotImplemented lets Python go on to `x = x op y`, which knows the override protocol.
            if takes_over(other) or not is_operand(other):
                return NotImplemented
            try:
                operand = bound.arguments.operand(self, other)
                update(self, bound.in_place(change, self._data, operand), operand)
            except Exception as error:
                failed(error, (self, other), {})
            return self

        def failed(error: Exception, given: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            try:
                raise_better(error, _in_place_error(bound, error, *given))
            finally:
                del error

        kernel = None if self._emulated else kernel_of(change).in_place_kernel
        method = SpecialMethod(bound.target, self._emulated)
        source = method.in_place(change, kernel, slow, failed)
        kernel_of_writes = self._binding.bound["set_item"].kernel
        guard_writes = None if self._emulated else kernel_of_writes.guard_writes
        made = self._compiled(self._path(key), source, guard_writes)
        vars(made).update(slow=slow)
        return made

    def _setitem(self, bound: BoundFunction) -> Any:
        source = SpecialMethod(bound.target, self._emulated).set_item()
        guard_writes = None if self._emulated else bound.kernel.guard_writes
        return self._compiled(self._path("__setitem__"), source, guard_writes)

    def _getitem(self, bound: BoundFunction) -> Any:
        asarray = self._binding.bound["asarray"].native
        return self._compiled("__getitem__", SpecialMethod(bound.target).get_item(asarray))


def _in_place_error(bound: BoundFunction, error: Exception, x: Any, other: Any) -> Exception:
    """Return what to raise where `x op= other` failed: why x can't store it, if that is why."""
    if isinstance(error, UnifyError):
        return error
    try:
        result = bound.slow((x, other), {})
    except UnifyError as better:
        return better
    remedy = f"write x = {bound.contract.qualified_name}(x, y) instead"
    if result.shape != x.shape:
        problem = f"an array of shape {x.shape} can't store the result's {result.shape}"
        error = ValueError(f"{problem}; {remedy}")
    elif not same_kind(result.dtype, x.dtype):
        error = TypeError(f"{uncastable(result.dtype, x.dtype)}; {remedy}")
    return bound.error_to_raise(error, (x, other), {})
