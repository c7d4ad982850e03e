"""Source of the functions of one backend: exact type checks, native call, wrapping.

It is derived from the contract. In the sources `_M` stands for "not given". All names but the
parameters begin with an underscore, so that none of them can meet a parameter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import Contract, Parameter, Returns
from arrayapi_unify.rendering.lines import attempt, kernel_call, wrap

if TYPE_CHECKING:
    from arrayapi_unify.binding.bound import BoundFunction

__all__ = ["Renderer"]


class Renderer:
    """The source of one function of a contract, as lines by their purpose."""

    def __init__(self, contract: Contract, bound: BoundFunction | None = None) -> None:
        """Render a contract on one backend, or a function that passes its arguments on."""
        self.contract = contract
        self.bound = bound
        # True if a native function is called, not the contract's body.
        self.unwrap = bound is not None and bound.native is not None
        self.fast_kernel = bound.kernel.fast_kernel if bound else None
        # If the result is an emulated view: never, always, or the attribute that tells.
        factory = bound.view_factory if bound else None
        self.view_emulation = factory.when if factory else False
        self._backend: Any = bound.binding.backend if bound else None
        # True if the library's arrays may be aliases of memory that is written to elsewhere.
        self._has_aliases = isinstance(getattr(self._backend, "VIEW_EMULATION", None), str)
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

    def is_array(self, name: str) -> str:
        """Render the check that an argument is an Array that needs no slow path."""
        views = self.bound is not None and self.bound.accepts_views
        return f"_type({name}) in _kinds" if views else f"_type({name}) is _cls"

    @property
    def nothing_idle(self) -> str:
        """Render the check that nothing is given of what the fast path doesn't take.

        Three names are the same object only where none is given.
        """
        return self._all_missing(self.idle)

    def _all_missing(self, names: list[str]) -> str:
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
        if not star:
            positional += further
        by_keyword = [p.name for p in plain if p.keyword_only and p.name not in positional]
        if star:
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
        return [f"if {condition}:", *(f"    {line}" for line in short), "else:", f"    {long}"]

    # --- arguments ------------------------------------------------------------------------------

    def fast_check(self, p: Parameter) -> str | None:
        """Render the condition under which a parameter needs no slow path."""
        name, is_array = p.name, self.is_array
        if self._may_be_missing(p) and p.role is Role.STATIC:
            return f"{name} is not _M"
        arrays = f"len(_s := [_a._data for _a in {name} if {is_array('_a')}]) == len({name})"
        if p.role is Role.OPERAND and self.contract.category == "creation":
            return f"_type({name}) in _scalars"  # a fill value is hardly ever an array
        if self._may_be_scalar(p):
            return f"({is_array(name)} or _type({name}) in _scalars)"
        return {
            Role.ARRAY: is_array(name),
            Role.OPERAND: is_array(name),
            Role.OPTIONAL: f"_type({name}) in _optional_types",
            Role.SEQUENCE: f"_type({name}) in _sequences and {arrays} > 0",
            Role.STAR: f"{arrays} > 0",
            # A body gets Arrays, which the slow path makes of other objects.
            Role.OBJECT: f"({is_array(name)} or {self.scalar_check(name)})"
            if self.unwrap
            else is_array(name),
        }.get(p.role)

    def _may_be_scalar(self, p: Parameter) -> bool:
        """Return True if an operand may be a scalar since another argument is an array: `where`."""
        return p.role is Role.OPERAND and any(
            other.role is Role.ARRAY and other.required for other in self.contract.parameters
        )

    def scalar_check(self, name: str) -> str:
        """Render the check that `asarray`'s argument is a scalar, or a list or tuple of scalars."""
        values = f"_scalar_set.issuperset(map(_type, {name}))"
        return f"(_t := _type({name})) in _sequences and {values} or _t in _scalars"

    def _unwrapped(self, p: Parameter) -> str:
        """Render a parameter as the native function (or the contract's body) takes it."""
        name = p.name
        fill = p.role is Role.OPERAND and self.contract.category == "creation"
        if not self.unwrap or fill:
            return p.source
        if self._may_be_scalar(p) or p.role is Role.OBJECT:
            return f"{name}._data if {self.is_array(name)} else {name}"
        return {
            Role.ARRAY: f"{name}._data",
            Role.OPERAND: f"{name}._data",
            Role.SEQUENCE: "_s",
            Role.STAR: "*_s",
            Role.DTYPE: f"_dtype({name})",
            Role.DEVICE: f"_device({name})",
        }.get(p.role, name)

    def argument(self, p: Parameter) -> str:
        """Render what is passed for a parameter, given or not."""
        contract = self.contract
        if p.any_keyword:
            return p.source
        value = self._unwrapped(p)
        standalone = contract.kind == "standalone" and not contract.nestable
        whole = contract.container_dependent or standalone  # it takes a Container for what it is
        hidden = p.role is Role.STATIC and not whole
        passed = p.annotation == "Any" or not self.unwrap or contract.kind == "mixed"
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

    # --- calls and results ----------------------------------------------------------------------

    def attempts(self, tried: dict[str, list[str]]) -> list[str]:
        """Render lines under their conditions, and what happens if they fail."""
        again = self.fast_kernel is not None
        return [
            line
            for condition, lines in tried.items()
            for line in attempt(condition, lines, again, self.args, self.kwargs)
        ]

    def call(self) -> list[str]:
        """Render the native call; with nothing optional given it needs no keyword at all."""
        short = kernel_call(self.fast_kernel, [*map(self.argument, self.required)])
        return self.if_nothing_given(short, f"_r = _native({', '.join(self.all_arguments())})")

    def view(self) -> list[str]:
        """Render that a result follows the array that it was taken of (`views.factory`).

        Always, never, or when an attribute of the native array says so.
        """
        when = self.view_emulation
        calls = [f"return _make_view(_r, {', '.join(p.source for p in self.required)})"]
        if self.optional:
            nothing_given = " and ".join(f"{p.name} is _M" for p in self.optional)
            calls = [
                f"if {nothing_given}: {calls[0]}",
                f"return _make_view.given(_r, {self.args}, {self.kwargs})",
            ]
        if isinstance(when, str):
            calls = [f"if {self.first}._data.{when}:", *(f"    {call}" for call in calls)]
        return calls if when else []

    def _fresh_view(self) -> list[str]:
        """Render a call whose result always follows memory that changes outside of our control.

        The source's version has to be known before the native function reads it.
        """
        contract = self.contract
        if not (self.view_emulation is True and self._has_aliases):
            return []
        if contract.returns is not Returns.ARRAY or contract.parameters[0].role is not Role.ARRAY:
            return []
        needed = [p.source for p in self.required]
        given = ", ".join(needed + self.all_arguments()[len(needed) :])
        calls = [f"return _make_view.fresh({', '.join(needed)})"]
        if self.optional:
            nothing_given = " and ".join(f"{p.name} is _M" for p in self.optional)
            calls = [f"if {nothing_given}: {calls[0]}", f"return _make_view.fresh({given})"]
        return calls

    def wrapped(self) -> list[str]:
        """Render what makes of the result what the user gets."""
        contract, first = self.contract, self.first
        if not self.unwrap or contract.returns is Returns.OTHER:
            return ["return _r"]
        aliasing = isinstance(self.view_emulation, str)
        if contract.returns is Returns.ARRAYS:
            if aliasing:
                return [*self.view(), f"return _wrap_aliases({first}, _r)"]
            each = [*wrap(self._backend, self._has_aliases), "_all.append(_a)"]
            result = "_result(*_all)" if contract.result_type else "tuple(_all)"
            loop = ["_all = []", "for _r in _r:", *(f"    {line}" for line in each)]
            return [*self.view(), *loop, f"return {result}"]
        same = []
        if contract.passes_through:
            # An argument of this role was found to be an Array before.
            known = contract.parameters[0].role is Role.ARRAY
            is_array = "" if known else f"_type({first}) is _cls and "
            same = [f"if {is_array}_r is {first}._data: return {first}"]
        mark = [f"_register_alias({first}, _a)"] if aliasing else []
        new = wrap(self._backend, self._has_aliases and not aliasing)
        return [*self.view(), *same, *new, *mark, "return _a"]

    def computed(self) -> list[str]:
        """Render the call and what makes of its result what the user gets."""
        return self._fresh_view() or [*self.call(), *self.wrapped()]

    def _into_out(self) -> list[str]:
        """Render the native call whose result is stored in `out`."""
        assert self.bound is not None
        if self.bound.writes_out and self._backend.VIEW_EMULATION is False:
            return [f"_whole({', '.join(self.all_arguments())}, out=out._data)", "return out"]
        calls = self.call()
        if self.bound.kernel.compute_into is not None:
            natives = ", ".join(f"{name}._data" for name in self.names)
            calls = [f"if _compute_into({natives}, out._data): return out", *calls]
        return [*calls, f"return _into(out, {'_r' if self.unwrap else '_r._data'})"]

    # --- other operands than Arrays ------------------------------------------------------------

    def _form(self, kind: str, name: str) -> tuple[str, str]:
        """Render the check that an operand is of a kind, and what the native function gets."""
        return {
            "array": (self.is_array(name), f"{name}._data"),
            "scalar": (f"_type({name}) in _scalars", name),
            "native": (f"_type({name}) is _exact and {name}.dtype in _known", name),
            "list": (f"_type({name}) is list and (_l := _from_list({name})) is not None", "_l"),
        }[kind]

    def _mixed(self, kind: str, of: str = "array") -> Iterator[tuple[str, list[str]]]:
        """Render the calls of a binary function with an array and an operand of another kind."""
        for array, other in (self.names, self.names[::-1]):
            forms = {array: self._form(of, array), other: self._form(kind, other)}
            given = [forms[name][1] for name in self.names]
            yield (
                f"{forms[array][0]} and {forms[other][0]}",
                kernel_call(self.fast_kernel, given),
            )

    def _other_operands(self) -> dict[str, list[str]]:
        """Render the checks for operands that are no Arrays, and the calls."""
        contract, found = self.contract, dict[str, list[str]]()
        binary = [p.role for p in self.inputs] == [Role.OPERAND, Role.OPERAND]
        if binary:
            found |= self._mixed("scalar")
        if self._backend.NATIVE_TYPE is None or self.view_emulation:
            return found
        arrays = contract.of_arrays_alone
        if binary and arrays:
            found |= self._mixed("native")
        if arrays and (binary or (len(self.names) == 1 and contract.returns is Returns.ARRAY)):
            checks = " and ".join(self._form("native", name)[0] for name in self.names)
            found[checks] = kernel_call(self.fast_kernel, self.names)
        if binary and self.bound and self.bound.binding.from_list is not None:
            found |= self._mixed("list")
            found |= self._mixed("list", of="native") if arrays else {}
        return found

    def _from_list(self, wrapped: list[str]) -> dict[str, list[str]]:
        """Render the check for a list without options, and the call where its items are scalars."""
        name, *rest = self.names
        rest += [extra for extra in self.idle if extra not in rest and extra != "out"]
        is_list = f"((_t := _type({name})) is list or _t is tuple)"
        return {
            " and ".join([is_list, *(f"{other} is _M" for other in rest)]): [
                f"_r = _from_list({name})",
                "if _r is not None:",
                *(f"    {line}" for line in wrapped if line.startswith(("_a", "return _a"))),
            ]
        }

    # --- functions ------------------------------------------------------------------------------

    def function(self) -> tuple[str, list[str]]:
        """Render the function of a backend: its parameters, and its lines."""
        contract, bound = self.contract, self.bound
        assert bound is not None
        if any(p.role is Role.KEY for p in contract.parameters):
            return self.header, [self.slow]  # the operators are these functions' fast path
        wrapped = self.wrapped()
        checks = [check for p in self.inputs if (check := self.fast_check(p))]
        checks += ["not _rest"] if self.variadic else []
        fast = " and ".join([*checks, *([self.nothing_idle] if self.idle else [])])
        lines = self.attempts({fast or "True": self.computed()})
        if bound.kernel.from_list is not None:
            lines = self.attempts(self._from_list(wrapped)) + lines
        if self.idle:
            into = {}
            if contract.takes_out and contract.returns is Returns.ARRAY:
                only = [self._all_missing(self.idle[1:])] if len(self.idle) > 1 else []
                into = {" and ".join(["_type(out) is _cls", *only, *checks]): self._into_out()}
            lines.append(
                f"if not ({self.nothing_idle}):"
                if len(self.idle) > 1
                else f"if {self.idle[0]} is not _M:"
            )
            lines += [f"    {line}" for line in [*self.attempts(into), self.slow]]
        if self.unwrap:
            others = self._other_operands()
            lines += self.attempts({when: [*calls, *wrapped] for when, calls in others.items()})
        if bound.upcasts:
            same = "".join(f" and _type({name}) is _type({self.first})" for name in self.names[1:])
            reduced = f"_type({self.first}) in _reduced_precision"
            if self._backend.NATIVE_TYPE is not None and not self.view_emulation:
                reduced = (
                    f"({reduced} or _type({self.first}) is _exact and _is_reduced({self.first}))"
                )
            call = f"return _for_reduced_precision({', '.join(self.names)})"
            lines.append(f"if {reduced}{same}: {call}")
        return self.header, [*lines, self.slow]

    def attribute(self, condition: str) -> list[str]:
        """Render what a function of one array does for an attribute, under one more condition.

        `_slow` serves what remains: it gets the array alone.
        """
        again = self.fast_kernel is not None
        check = f"_type({self.first}) is _cls and {condition}"
        fast = attempt(check, self.computed(), again, f"({self.first},)")
        return [*fast, f"return _slow({self.first})"]
