"""The kind decorators: they turn a contract's definition into the public top-level function.

`unify.add` is the object that a decorator returns, for ever: setting a backend changes nothing
about it, overriding classes key their implementations by it. Its source finds the function of the
backend by type, and calls it.

A function that requires nothing but arrays also takes `*_rest` and `**_more`. A call that doesn't
fit then reaches the slow path, where an argument may override the function. `out` is in `**_more`:
an empty dict costs no more than a default does.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import (
    Any,
    Final,
    Literal,
    ParamSpec,
    Protocol,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    overload,
)  # fmt: skip

from arrayapi_unify._core import settings
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import array_class
from arrayapi_unify.binding.arguments import needs_no_dispatch
from arrayapi_unify.binding.call import Dispatch, SlowPath, StandaloneFunction
from arrayapi_unify.contracts.contract import Contract, DataDependent
from arrayapi_unify.contracts.reading import read
from arrayapi_unify.rendering import functions, unbound
from arrayapi_unify.rendering.signature import Source

__all__ = [
    "FunctionAttributes", "PublicFunction", "cache_by_dtypes", "compositional", "mixed", "primary",
    "standalone",
]  # fmt: skip

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")
_Cache = dict[tuple[type, type], dict[tuple[Any, Any], Any]]
Kind = Literal["primary", "compositional", "mixed", "standalone"]


class FunctionAttributes(Protocol):
    """The attributes of a public function."""

    __name__: str
    kind: Kind
    convenience: bool
    nestable: bool
    container_dependent: bool
    contract: Contract

    def without_overrides(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function as if no argument overrode it."""


class PublicFunction(FunctionAttributes, Protocol[P, R_co]):
    """A public function as this package calls it; `_signatures.pyi` has what users may pass."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Call the function on the backend of its arguments; leaf by leaf where one is a nest."""


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
    overridable: bool
    """An argument may override the function, though none is declared as an array."""
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


primary: Final[KindDecorator] = KindDecorator("primary")
compositional: Final[KindDecorator] = KindDecorator("compositional")
mixed: Final[KindDecorator] = KindDecorator("mixed")
standalone: Final[KindDecorator] = KindDecorator("standalone")


def _define(function: FunctionType, kind: Kind, **flags: Any) -> Any:
    contract = read(function, kind, **flags)
    dispatch = (
        None if kind == "standalone" else Dispatch(contract, unbound.takes_anything(contract))
    )
    path = dispatch or StandaloneFunction(contract)
    render = _renderer(path)
    contract.public = functions.set_metadata(
        functions.compile_on_first_call(contract.qualified_name, render)
        if render
        else functions.no_autograph(contract.function),
        contract,
        contract.public_module,
        without_overrides=path.without_overrides,
        dispatch=dispatch,
    )
    array_class.define(contract)
    return contract.public


def _needs_recovery(contract: Contract) -> bool:
    """Return True if errors of a function without arrays are translated on failure.

    The small helpers fail only if a user's function does; `*arguments` are passed on to it.
    """
    mixed = any(p.star or p.any_keyword for p in contract.parameters)
    return bool(contract.parameters) and contract.category != "general" and not mixed


def _renderer(path: SlowPath) -> Callable[[FunctionType], Source] | None:
    """Return the renderer of a function, or None where the definition itself is public.

    A standalone function is rendered where it takes overriding arguments or Containers.
    """
    contract = path.contract
    if isinstance(path, Dispatch):
        return lambda made: unbound.TopLevel(path, made).function()
    if contract.overridable:
        body: Callable[..., Any] = contract.function
        results: _Cache | None = None
        if contract.cache_by_dtypes:
            body, results = cache_by_dtypes(body)
        return lambda made: unbound.render_standalone(path, body, needs_no_dispatch, results)
    if contract.nestable or _needs_recovery(contract):
        return lambda made: unbound.render_with_recovery(path)
    return None


def cache_by_dtypes(function: Callable[..., Any]) -> tuple[Callable[..., Any], _Cache]:
    """Return the function with a cache: by the classes of two arrays, then by native data types.

    The result for integers may depend on the default data types. When one other than float64 and
    complex128 is set, nothing is cached any more.
    """
    seen: _Cache = {}
    memory: _Cache | None = seen

    def forget() -> None:
        nonlocal memory
        memory = None
        seen.clear()

    def remember(*values: Any) -> Any:
        result = function(*values)
        if len(values) == 2 and memory is not None:
            a, b = values
            if _exact(a) and _exact(b):
                known = memory.setdefault((type(a), type(b)), {})
                known[a._data.dtype, b._data.dtype] = result
        return result

    settings.FLOATS.call(forget)
    return remember, seen


def _exact(value: Any) -> bool:
    """Return True if an array is of a backend's own class, which overrides nothing."""
    return isinstance(value, Array) and type(value) is value._binding().array
