"""The kind decorators: they turn a contract's definition into the public top-level function.

`unify.add` is the object that a decorator returns, for ever: setting a backend changes nothing
about it, overriding classes key their implementations by it. Its source finds the function of the
backend by type, and calls it.

A function that requires nothing but arrays also takes `*_rest` and `**_more`. A call that doesn't
fit then reaches the slow path, where an argument may override the function. `out` is in `**_more`:
an empty dict costs no more than a default does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import takewhile
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

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import DEFAULT, handler
from arrayapi_unify.binding import array_class
from arrayapi_unify.binding.arguments import needs_no_dispatch
from arrayapi_unify.binding.call import Dispatch, SlowPath, StandaloneFunction
from arrayapi_unify.container_base import PLAIN_CONTAINERS, Nested, fast_tree_map
from arrayapi_unify.contracts.annotations import ARRAY_ROLES, Role
from arrayapi_unify.contracts.contract import Contract, DataDependent, Returns
from arrayapi_unify.contracts.reading import read
from arrayapi_unify.rendering import functions, unbound
from arrayapi_unify.rendering.renderer import Renderer

__all__ = ["PublicFunction", "cache_by_dtypes", "compositional", "mixed", "primary", "standalone"]

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")
_Cache = dict[tuple[type, type], dict[tuple[Any, Any], Any]]
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


primary: Final[KindDecorator] = KindDecorator("primary")
compositional: Final[KindDecorator] = KindDecorator("compositional")
mixed: Final[KindDecorator] = KindDecorator("mixed")
standalone: Final[KindDecorator] = KindDecorator("standalone")


def _top_level(dispatch: Dispatch) -> FunctionType:
    """Make a function of the top level."""
    names = {
        "_table": dispatch.functions,
        "_natives": dispatch.natives,
        "_bare": dispatch.bare,
        "_translate": dispatch.translate_failure,
        "_set": handler.setting.read,
        "_ever_set": handler.ever_set,
        "_looped": PLAIN_CONTAINERS,
        "_slow": dispatch.slow,
    }
    made = _made(dispatch.contract, _render_top_level, names)
    made.__globals__["_each"] = fast_tree_map(made)
    return made


def _define(function: FunctionType, kind: Kind, **flags: Any) -> Any:
    contract = read(function, kind, **flags)
    dispatch = None if kind == "standalone" else Dispatch(contract, _takes_anything(contract))
    path = dispatch or StandaloneFunction(contract)
    contract.public = functions.set_metadata(
        _top_level(dispatch) if dispatch else _standalone(path),
        contract,
        contract.public_module,
        without_overrides=path.without_overrides,
        dispatch=dispatch,
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
    return bool(contract.parameters) and contract.category != "general" and not mixed


def _standalone(path: SlowPath) -> FunctionType:
    """Return the function itself, behind overrides and Containers where it takes such."""
    contract = path.contract
    if contract.array_parameters:
        render = unbound.render_standalone
    elif contract.nestable or _needs_recovery(contract):
        render = unbound.render_with_recovery
    else:
        return functions.no_autograph(contract.function)
    names = {"_slow": path.slow, "_native": contract.function, "_recover": path.recover}
    names["_needs_no_dispatch"] = needs_no_dispatch
    if contract.cache_by_dtypes:
        names["_native"], names["_results"] = cache_by_dtypes(contract.function)
    return _made(contract, render, names)


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

    dtypes.when_floats_change(forget)
    return remember, seen


def _exact(value: Any) -> bool:
    """Return True if an array is of a backend's own class, which overrides nothing."""
    return isinstance(value, Array) and type(value) is value._binding().array


def _takes_anything(contract: Contract) -> bool:
    """Return True if a call that doesn't fit the signature gets to the slow path.

    That is so if arrays come first, and nothing else is required.
    """
    found = list(takewhile(lambda p: p.required and p.positional_only, contract.parameters))
    required = [p for p in contract.parameters if p.required or p.star]
    arrays = all(p.role in ARRAY_ROLES - {Role.KEY} for p in found)
    return bool(found) and found == required and arrays and not contract.converts


def _render_top_level(contract: Contract) -> str:
    """Render the top-level function of a contract."""
    return functions.render_function(*_TopLevel(contract).function())


class _TopLevel(Renderer):
    """The source of one top-level function.

    `_table` maps the arrays' types (or, for functions without an array, the backends' names) to
    bound functions; `_natives` and `_bare` map types of arrays, and of native ones, to native
    functions and what makes an Array of their results. `_set` reads the setting of the backend.
    """

    def _signature(self) -> tuple[str, str, str]:
        contract = self.contract
        self.open_ended = _takes_anything(contract)
        # It takes only arrays (and `out`), and returns a new one.
        self.of_arrays = (
            contract.kind == "primary"
            and contract.returns is Returns.ARRAY
            and not contract.mutates
            and not contract.passes_through
            and contract.of_arrays_alone
            and self.open_ended
        )
        if not self.open_ended:
            return super()._signature()
        leading, positional, _, by_keyword = self._groups()
        numpy = contract.numpy
        if set(self.given) == set(self.idle):  # nothing optional but what is rare
            positional = by_keyword = []
        elif numpy is not None:
            positions = (*contract.by_position, *numpy.positions)
            rest = [name for name in positional if name not in positions]
            positional = [name for name in positional if name in positions]
            by_keyword = [name for name in (*rest, *by_keyword) if name in contract.by_name]
        if "out" not in positional:
            by_keyword = [name for name in by_keyword if name != "out"]
        self.named = [*positional, *by_keyword]
        parts = [*_missing(leading), "/", *_missing(positional)]
        parts += ["*_rest", *_missing(by_keyword), "**_more"]
        self.positional = positional
        given = ", ".join([*(f"{name!r}: {name}" for name in self.named), "**_more"])
        return (
            ", ".join(parts),
            f"({', '.join(leading)}, *_rest)",
            f"{{{given}}}" if self.named else "_more",
        )

    def _deciding_type(self) -> str | None:
        """Render the type that decides about the backend; None where no array is required."""
        for p in self.contract.parameters:
            name = p.name
            if p.role in (Role.ARRAY, Role.OPERAND):
                return f"_type({name})"
            if p.role is Role.SEQUENCE:
                return f"_type({name}[0]) if _type({name}) in _sequences and {name} else None"
            if p.role is Role.STAR:
                return f"_type({name}[0]) if {name} else None"
        return None

    def _inlined(self) -> list[str]:
        """Render the native call of a top-level function itself, which saves a second frame.

        `_natives` has the types of arrays for which it makes something new: what shares memory with
        its argument may have to be known to it, which the backend's function sees to. A nest that
        is all there is gets its loop outside of the handler, where what a leaf raises has no other
        error for its context.
        """
        if not self.of_arrays:
            return []
        names, first = self.names, self.first
        loops = self.contract.nestable and len(names) == 1
        same = [f"_type({name}) is _c" for name in names[1:]]
        known = [f"{name}.dtype in _d" for name in names]
        alone = ["not _more", "not _rest", "not _ever_set"]
        convert = "if _t is not None and _type(_r) is not _t: _r = _k(_r)"
        wrap = ["_a = _m()", "_a._data = _r", "return _a"]
        lines = [
            "try:",
            f"    _c = _type({first})",
            "    _n, _t, _k, _m = _natives[_c]",
            "except KeyError:",
            "    if _c in _bare:",
            "        _n, _t, _k, _m, _d = _bare[_c]",
            f"        if {' and '.join([*same, *known, *alone])}:",
            "            try:",
            f"                _r = _n({', '.join(names)})",
            *(f"                {line}" for line in [convert, *wrap]),
            "            except Exception: pass  # the slow path says why",
            *(["    _n = _c in _looped and not _more and not _rest"] if loops else []),
            "else:",
            f"    if {' and '.join([*same, *alone])}:",
            "        try:",
            f"            _r = _n({', '.join(f'{name}._data' for name in names)})",
            "        except _UnifyError:",
            "            raise",
            "        except Exception as error:",
            f"            raise _translate(error, {self.args}, {self.kwargs}) from error",
            *(f"        {line}" for line in [convert, *wrap]),
        ]
        if loops:
            lines += [
                "if _n is True:",
                f"    _r = _each({first})",
                "    if _r is not None: return _r",
            ]
        return lines

    def _forwarded(self) -> list[str]:
        """Render the call of the bound function `_f` with all that was given."""
        leading, positional, _, by_keyword = self._groups()
        if self.open_ended:
            positional, by_keyword = self.positional, self.named[len(self.positional) :]
        optional = [n for n in (*leading, *positional, *by_keyword) if n in self.given]
        required = [p.source for p in self.required]
        required += ["*_rest"] if self.variadic else []
        rest = [n if n not in by_keyword else f"{n}={n}" for n in optional]
        calls = [f"return _f({', '.join(required + rest)})"]
        if optional:
            nothing_given = " and ".join(f"{name} is _M" for name in optional)
            calls.insert(0, f"if {nothing_given}: return _f({', '.join(required)})")
        if not self.open_ended:
            return calls
        lines = ["if not _more and not _rest:", *(f"    {call}" for call in calls)]
        if self.contract.takes_out and "out" not in self.named:
            given = ", ".join([*required, *rest, "out=_more['out']"])
            lines.append(f"if not _rest and 'out' in _more and len(_more) == 1: return _f({given})")
        return [*lines, self.slow]

    def function(self) -> tuple[str, list[str]]:
        """Render the function: it looks up the backend's function by type and calls it."""
        contract, decides = self.contract, self._deciding_type()
        if decides is None or contract.converts:
            lookup = [f"_f = _table[_set().value or {DEFAULT!r}]"]
            check = [f"if out is not _M: {self.slow}"] if contract.takes_out else []
            if contract.converts:
                check = [f"if not ({self.scalar_check(self.first)}): {self.slow}"]
        else:
            lookup = [f"_c = {decides}", "_f = _table[_c]"]
            if self.of_arrays and len(self.names) == 2:
                # The second operand decides where the first one is a scalar or a list.
                second = f"if _c is list or _c in _scalars: _c = _type({self.names[1]})"
                lookup.insert(1, second)
            # `_ever_set` is empty until a backend is set: reading a context variable costs as much
            # as all the rest of the dispatch.
            check = [
                "if _ever_set:",
                "    _s = _set().value",
                f"    if _s is not None and _s != _c.__unify_backend__: {self.slow}",
            ]
        lines = [
            "try:",
            *(f"    {line}" for line in lookup),
            "except KeyError:",
            f"    {self.slow}",
        ]
        return self.header, [*self._inlined(), *lines, *check, *self._forwarded()]


def _missing(names: Iterable[str]) -> list[str]:
    return [f"{name}=_M" for name in names]
