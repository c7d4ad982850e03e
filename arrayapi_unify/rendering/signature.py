"""Sources with the global names that they carry, and the parts that a contract alone determines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from arrayapi_unify._core.override_protocol import TRUSTED, takes_over
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import Parameter

if TYPE_CHECKING:
    from arrayapi_unify.binding.call import SlowPath

__all__ = ["PLACEHOLDER", "Names", "Signature", "Source", "attempt", "indented"]

PLACEHOLDER: Final = "function"
"""The name of each function in its source, which many functions may share."""


class Source(NamedTuple):
    """The source of a function, and the values of its global names."""

    text: str
    names: dict[str, Any]


class Names(dict[str, Any]):
    """The global names of a function, each defined where its source uses it."""

    def __call__(self, **named: Any) -> str:
        """Define names, and return the last one.

        >>> names = Names()
        >>> f"return {names(_native=abs)}(x)", names
        ('return _native(x)', {'_native': <built-in function abs>})
        """
        self.update(named)
        return next(reversed(named))

    def function(self, header: str, body: Iterable[str]) -> Source:
        """Render a function with those of the names that it uses."""
        text = "\n".join([f"def {PLACEHOLDER}({header}):", *indented(body), ""])
        used = set(re.findall(r"\w+", text))
        return Source(text, {name: value for name, value in self.items() if name in used})


def indented(lines: Iterable[str]) -> list[str]:
    """Return lines of a block."""
    return [f"    {line}" for line in lines]


def attempt(lines: list[str], given: str, again: bool = False) -> list[str]:
    """Render lines in a `try`, and what happens if they fail.

    A Container for an argument that is no array reaches the native function, and raises there.
    `again` says that they call a fast kernel, after which the native function has its turn.
    """
    given = f"{given}, True" if again else given
    failed = f"except Exception as error: return _recover(error, {given})"
    return ["try:", *indented(lines), failed]


class Signature:
    """The parameters of one function, in the source of a function that passes them on."""

    unwraps = False
    """True if a native function is called, not the contract's body."""

    def __init__(self, path: SlowPath) -> None:
        """Render the function in front of a slow path."""
        self.contract = contract = path.contract
        self.use = Names(_slow=path.slow, _recover=path.recover)
        self.inputs = tuple(contract.inputs)
        self.required = [p for p in self.inputs if not p.optional]
        self.optional = [p for p in self.inputs if p.optional]
        self.names = [p.name for p in self.inputs]
        self.first = self.names[0] if self.names else ""
        numpy = contract.numpy
        self.variadic = numpy.variadic if numpy else ""
        # Not served by the fast path: `out`, and parameters that only NumPy has.
        extras = [n for n in numpy.order if n not in contract.by_name] if numpy else []
        self.idle = [*(["out"] if contract.takes_out else []), *extras]
        # All that may be not given.
        self.given = [*(p.name for p in contract.parameters if p.optional), *extras]
        self.header, self.args, self.kwargs = self._signature()

    @property
    def nothing_idle(self) -> str:
        """Render the check that nothing is given of what the fast path doesn't take."""
        return self.all_missing(self.idle)

    @property
    def overridden(self) -> str:
        """Render the check that an argument overrides a function that declares no arrays."""
        if self.contract.array_parameters or not self.contract.overridable:
            return ""
        names = [p.name for p in self.required if not p.star]
        unknown, check = self.use(_trusted=TRUSTED), self.use(_takes_over=takes_over)
        checks = (f"_type({name}) not in {unknown} and {check}({name})" for name in names)
        return f"({' or '.join(checks)})"

    def all_missing(self, names: list[str]) -> str:
        """Render the check that none of the names is given.

        Three names are the same object only where none is given.
        """
        return " is ".join(names if len(names) > 2 else [*names, "_M"])

    @property
    def slow(self) -> str:
        """Source that hands everything to the slow path."""
        return f"return _slow({self.args}, {self.kwargs})"

    def _signature(self) -> tuple[str, str, str]:
        """Render the parameters, "not given" as the default of what is optional.

        The others are the tuple and the dict that a generated function forwards.
        """
        leading, positional, star, by_keyword = self._groups()
        defaults = {p.name for p in self.required if not self._may_be_missing(p)}
        shown = [name if name in defaults else f"{name}=_M" for name in (*leading, *positional)]
        parts = [*shown[: len(leading)], *(["/"] if leading else []), *shown[len(leading) :]]
        if by_keyword and not star:
            star = "*"
        parts += [star] if star else []
        parts += [f"{name}=_M" for name in by_keyword]
        parts += [p.source for p in self.required if p.any_keyword]
        rest = "*_rest, " if self.variadic else ""
        given = "".join(f"{p.source}, " for p in self.required if not p.any_keyword) + rest
        optional = [n for n in (*leading, *positional, *by_keyword) if n in self.given]
        lengths = [p.source for p in self.required if p.any_keyword]
        kwargs = "{" + ", ".join([*(f"{name!r}: {name}" for name in optional), *lengths]) + "}"
        if optional and set(optional) == set(self.idle) and not lengths:
            kwargs = f"{{}} if {self.nothing_idle} else {kwargs}"
        return ", ".join(parts), f"({given})", kwargs

    def _groups(self) -> tuple[list[str], list[str], str, list[str]]:
        """Return the names of the parameters: positional-only, positional, a star, keyword-only.

        NumPy's positions follow those of the contract.
        """
        numpy, parameters = self.contract.numpy, self.contract.parameters
        order = numpy.order if numpy else ()
        plain = [p for p in parameters if not p.star]
        leading = [p.name for p in plain if p.positional_only and not self._may_be_named(p)]
        positional = [p.name for p in plain if not p.keyword_only and p.name not in leading]
        star = next((p.source for p in parameters if p.star and not p.any_keyword), "")
        further = [name for name in order if name not in leading and name not in positional]
        if not (star or self.variadic):
            positional += further
        by_keyword = [p.name for p in plain if p.keyword_only and p.name not in positional]
        if star or self.variadic:
            by_keyword += [name for name in further if name not in by_keyword]
        return leading, positional, star or ("*_rest" if self.variadic else ""), by_keyword

    def _may_be_named(self, p: Parameter) -> bool:
        """Return True if NumPy takes a positional-only parameter of the contract by keyword."""
        return self.contract.numpy is not None and p.name in self.contract.numpy.named

    def _may_be_missing(self, p: Parameter) -> bool:
        """Return True if NumPy doesn't require a parameter of the contract."""
        return self.contract.numpy is not None and p.name in self.contract.numpy.optional

    def if_nothing_given(self, short: list[str], long: str) -> list[str]:
        """Render the short form of a call for where no optional argument is given."""
        if not self.optional:
            return short
        condition = " and ".join(f"{p.name} is _M" for p in self.optional)
        if len(short) == 1:
            return [f"if {condition}: {short[0]}", f"else: {long}"]
        return [f"if {condition}:", *indented(short), f"else: {long}"]

    def returned(self, function: Callable[..., Any]) -> list[str]:
        """Render the call of a function whose result is that of this one."""
        native, given = self.use(_native=function), map(self.argument, self.required)
        long = f"return {native}({', '.join(self.all_arguments())})"
        return self.if_nothing_given([f"return {native}({', '.join(given)})"], long)

    def scalar_check(self, name: str) -> str:
        """Render the check that `asarray`'s argument is a scalar, or a list or tuple of scalars."""
        values = f"_scalar_set.issuperset(map(_type, {name}))"
        return f"(_t := _type({name})) in _sequences and {values} or _t in _scalars"

    def value(self, p: Parameter) -> str:
        """Render a parameter as the called function takes it."""
        return p.source

    def argument(self, p: Parameter) -> str:
        """Render what is passed for a parameter, given or not."""
        contract = self.contract
        if p.any_keyword:
            return p.source
        value = self.value(p)
        standalone = contract.kind == "standalone" and not contract.nestable
        whole = contract.container_dependent or standalone  # it takes a Container for what it is
        hidden = p.role is Role.STATIC and not whole
        passed = p.annotation == "Any" or not self.unwraps or contract.kind == "mixed"
        if hidden and passed:
            # A backend may ignore an argument of its own, and a body any argument: a Container
            # there would go unnoticed. A body may serve a mixed function, too.
            value = f"_reject_nested({value})"
        if p.is_number and contract.category != "creation":
            value = f"_single({p.name})"  # libraries and bodies take arrays there, some of them
        if not p.optional:
            return value
        if p.is_flag:
            # A Container has no truth value and raises; not every native function evaluates it.
            value = f"{value} and True"
        return f"{p.default!r} if {p.name} is _M else {value}"

    def all_arguments(self) -> list[str]:
        """Render all arguments, the optional ones given or not."""
        named = [
            (f"{p.name}=" if p.keyword_only else "") + f"({self.argument(p)})"
            for p in self.optional
        ]
        return [*map(self.argument, self.required), *named]
