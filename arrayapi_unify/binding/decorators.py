"""The kind decorators: they turn a contract's definition into the public top-level function.

`unify.add` is the object that a decorator returns, for ever: setting a backend changes nothing
about it, overriding classes key their implementations by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import FunctionType
from typing import (
    Any,
    Literal,
    ParamSpec,
    Protocol,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    overload,
)

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import arrays_by_name, handler, name_of, python_scalar
from arrayapi_unify.binding import array_class, functions, namespace, source
from arrayapi_unify.binding.annotations import Role
from arrayapi_unify.binding.calls import SlowPath, StandaloneFunction, arrays_of, needs_no_dispatch
from arrayapi_unify.binding.contract import MISSING, Contract, DataDependent, read
from arrayapi_unify.binding.dtype_cache import cache_by_dtypes
from arrayapi_unify.binding.top_level import render_top_level, takes_anything
from arrayapi_unify.container_base import PLAIN_CONTAINERS, Nested, fast_tree_map
from arrayapi_unify.overrides import mismatch_error, takes_over

__all__ = ["PublicFunction", "compositional", "mixed", "primary", "standalone"]

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")
Kind = Literal["primary", "compositional", "mixed", "standalone"]


class PublicFunction(Protocol[P, R_co]):
    """A public function: call it, or read what it is."""

    __name__: str
    kind: Kind
    convenience: bool
    nestable: bool
    container_dependent: bool
    contract: Contract

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...
    @overload
    def __call__(self, x: Nested, /, *args: Any, **kwargs: Any) -> Any: ...
    @overload
    def __call__(self, x1: Any, x2: Nested, /, *args: Any, **kwargs: Any) -> Any: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function on the backend of its arguments; leaf by leaf where one is a nest."""

    def without_overrides(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function as if no argument overrode it."""


def _parts(values: Iterable[Any]) -> Iterator[Any]:
    """Return values, and those in a list or tuple in place of it."""
    for value in values:
        yield from value if isinstance(value, list | tuple) else (value,)


def _is_foreign(value: Any) -> bool:
    """Return True if a value is no builtin, Container, Python scalar, or array of a backend."""
    if isinstance(value, Nested) or type(value).__module__ == "builtins":
        return False
    return name_of(value) is None and python_scalar(value) is None


class Dispatch(SlowPath):
    """The slow path of a top-level function, and the tables of its fast path."""

    __slots__ = ("_takes_anything", "bare", "functions", "natives")

    def __init__(self, contract: Contract) -> None:
        """Start with empty tables: bindings fill them when a backend is first used."""
        super().__init__(contract)
        self._takes_anything = takes_anything(contract)
        # array class or backend name -> the bound function
        self.functions: dict[Any, Callable[..., Any]] = {}
        # array class -> native function, type of its results, what makes others of that type, and
        # the class of the Array; for who makes something new
        self.natives: dict[Any, tuple[Any, ...]] = {}
        # the same by types of native arrays, and the data types that the standard has
        self.bare: dict[Any, tuple[Any, ...]] = {}

    def slow(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Serve any call; raise our own error for one that doesn't fit the signature."""
        if not self._takes_anything:
            return super().slow(args, kwargs)
        while args and args[-1] is MISSING:
            args = args[:-1]
        if self.contract.signature_error(args, kwargs) is None:
            return super().slow(args, kwargs)
        raise self._signature_error(args, dict(kwargs))

    def _signature_error(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Exception:
        """Return the error for a call that doesn't fit; foreign and overriding classes get ours."""
        leading = sum(parameter.positional_only for parameter in self.contract.inputs)
        if len(args) > leading:
            # Arguments between them came by name; `*arguments` follow only if all were given.
            between = [name for name in self.contract.by_position[leading:] if name in kwargs]
            args = (*args[:leading], *map(kwargs.pop, between), *args[leading:])
        error = self.contract.signature_error(args, kwargs)
        assert error is not None
        given = [part for value in (*args, *kwargs.values()) for part in arrays_of(value)]
        foreign = [value for value in _parts(args[:leading]) if _is_foreign(value)]
        if foreign or any(map(takes_over, given)):
            return mismatch_error(self.contract.public, [*foreign, *given], error)
        return error

    def compute(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Choose the backend and let its binding compute."""
        name = self._backend(args, kwargs)
        return namespace.binding_of(name).bound[self.contract.qualified_name].compute(args, kwargs)

    def translate_failure(
        self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Exception:
        """Translate what a native function raised."""
        bound = namespace.binding_of(args[0].backend).bound[self.contract.qualified_name]
        return bound.translate_failure(error, args, kwargs)

    def make(self) -> FunctionType:
        """Make the function itself."""
        names = {
            "_table": self.functions,
            "_natives": self.natives,
            "_bare": self.bare,
            "_translate": self.translate_failure,
            "_set": handler.setting.read,
            "_ever_set": handler.ever_set,
            "_looped": PLAIN_CONTAINERS,
            "_slow": self.slow,
        }
        contract = self.contract
        made = _made(contract, render_top_level, names)
        made.__globals__["_each"] = fast_tree_map(made)
        return made

    def _backend(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        if handler.active_backend() is not None and self.contract.converts:
            # Arrays of any backend are converted to the one that is set.
            return handler.choose(self.contract.qualified_name, ())
        named = self.contract.named(args, kwargs)
        # A native `out` is refused as such, whatever its backend is.
        given = ((p, v) for p, v in named if p.role is not Role.OUT or isinstance(v, Array))
        arrays = (pair for p, value in given for pair in arrays_by_name(p.name, value))
        return handler.choose(self.contract.qualified_name, arrays)


def _define(function: FunctionType, kind: Kind, **flags: Any) -> Any:
    contract = read(function, kind, **flags)
    path = StandaloneFunction(contract) if kind == "standalone" else Dispatch(contract)
    contract.public = functions.set_metadata(
        path.make() if isinstance(path, Dispatch) else _standalone(path),
        contract,
        contract.public_module,
        without_overrides=path.without_overrides,
        dispatch=path if isinstance(path, Dispatch) else None,
    )
    array_class.define(contract)
    return contract.public


def _made(
    contract: Contract, render: Callable[[Contract], str], names: dict[str, Any]
) -> FunctionType:
    """Make a top-level function, compiled on its first call: most are never called in a program."""
    return functions.compile_on_first_call(
        contract.qualified_name, partial(render, contract), names
    )


def _needs_recovery(contract: Contract) -> bool:
    """Return True if errors of a function without arrays are translated on failure.

    The small helpers fail only if a user's function does; `*arguments` are passed on to it.
    """
    mixed = any(p.star or p.any_keyword for p in contract.parameters)
    return (
        bool(contract.parameters)
        and contract.category not in ("convenience", "general")
        and not mixed
    )


def _standalone(path: StandaloneFunction) -> FunctionType:
    """Return the function itself, behind overrides and Containers where it takes such."""
    contract = path.contract
    if contract.array_parameters:
        render = source.render_standalone
    elif contract.nestable or _needs_recovery(contract):
        render = source.render_with_recovery
    else:
        return functions.no_autograph(contract.function)
    names = {"_slow": path.slow, "_native": contract.function, "_recover": path.recover}
    names["_needs_no_dispatch"] = needs_no_dispatch
    if contract.cache_by_dtypes:
        names["_native"], names["_results"] = cache_by_dtypes(contract.function)
    return _made(contract, render, names)


class Flags(TypedDict, total=False):
    """The flags of a contract.

    A Container may stand for any argument of a `nestable` function, which is then called for each
    of its leaves; by default everything is nestable that takes an array, and everything that a
    backend or a body computes. A `container_dependent` function is called once, with the whole
    Container, and never nestable.
    """

    convenience: bool
    """A function for ease of use."""
    mutates: bool
    """The native function returns the new data of its first argument."""
    passes_through: bool
    """The argument itself is the result where nothing is to be done."""
    nestable: bool | None
    container_dependent: bool
    cache_by_dtypes: bool
    """A standalone function whose result depends only on the data types of two arrays."""
    data_dependent: DataDependent
    """The shape of the result depends on values, in some calls or all."""


class KindDecorator:
    """A kind, as the decorator of contracts: `@primary`, or `@standalone(convenience=True)`."""

    def __init__(self, kind: Kind) -> None:
        """Make the decorator of one kind."""
        self._kind: Kind = kind

    @overload
    def __call__(self, function: Callable[P, R], /) -> PublicFunction[P, R]: ...
    @overload
    def __call__(
        self, **flags: Unpack[Flags]
    ) -> Callable[[Callable[P, R]], PublicFunction[P, R]]: ...
    def __call__(self, function: Any = None, /, **flags: Any) -> Any:  # type: ignore[misc]  # flags aren't matched
        """Make the public function of a definition."""

        def define(definition: Callable[..., Any]) -> Any:
            return _define(cast(FunctionType, definition), self._kind, **flags)

        return define if function is None else define(function)


primary = KindDecorator("primary")
compositional = KindDecorator("compositional")
mixed = KindDecorator("mixed")
standalone = KindDecorator("standalone")
