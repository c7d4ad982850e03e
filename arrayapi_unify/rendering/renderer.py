"""Source of the functions of one backend: find the operands, call once, wrap once.

It is derived from the contract. In the sources `_M` stands for "not given". All names but the
parameters begin with an underscore, so that none of them can meet a parameter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arrayapi_unify.backends.kernel import Kernel
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import Parameter, Returns
from arrayapi_unify.rendering.signature import Signature, Source, attempt, indented
from arrayapi_unify.views.aliasing import register_alias

if TYPE_CHECKING:
    from arrayapi_unify.binding.call import SlowPath
    from arrayapi_unify.binding.conversions import Conversions
    from arrayapi_unify.views.factory import ViewFactory

__all__ = ["Renderer", "Target"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The values behind one function of a backend."""

    path: SlowPath
    """The slow path."""
    binding: Conversions
    native: Callable[..., Any] | None
    """The native function; None where the contract's body serves."""
    call: Callable[..., Any]
    """The function that the fast path calls: of native arrays, or the body."""
    kernel: Kernel
    """The record of the native function."""
    from_list: Callable[[Any], Any] | None
    """The function that makes native arrays of lists of numbers, and returns None for others."""
    into: Callable[[Any, Any], Any]
    """The function that stores a native result in `out`."""
    writes_out: bool
    """True if the native function takes `out`."""
    accepts_views: bool
    """True if it needs only the data of an emulated view."""
    view_factory: ViewFactory | None
    for_reduced_precision: Callable[..., Any] | None
    """The function of arrays of float16 or bfloat16; None where they are computed as others."""


class Renderer(Signature):
    """The source of one function of a backend, as lines by their purpose."""

    def __init__(self, target: Target) -> None:
        """Render the calls of a target."""
        super().__init__(target.path)
        self.target = target
        self.unwraps = target.native is not None
        self.fast_kernel = target.kernel.fast_kernel
        # If the result is an emulated view: never, always, or the attribute that tells.
        self.view_emulation = target.view_factory.when if target.view_factory else False
        self._backend = target.binding.backend
        self.use(_cls=target.binding.array)
        # True if the library's arrays may be aliases of memory that is written to elsewhere.
        self._has_aliases = isinstance(self._backend.VIEW_EMULATION, str)

    def is_array(self, kind: str) -> str:
        """Render the check that a type is that of Arrays which need no slow path."""
        plain, emulated = f"{kind} is _cls", self.target.binding.emulated_array
        views = f"({plain} or {kind} is {self.use(_emulated=emulated)})"
        return views if self.target.accepts_views else plain

    # --- arguments ------------------------------------------------------------------------------

    def fast_check(self, p: Parameter) -> str | None:
        """Render the condition under which a parameter needs no slow path."""
        name, kind, is_array = p.name, f"_type({p.name})", self.is_array
        if self._may_be_missing(p) and p.role is Role.STATIC:
            return f"{name} is not _M"
        arrays = f"len(_s := [_a._data for _a in {name} if {is_array('_type(_a)')}]) == len({name})"
        if p.role is Role.OPERAND and self.contract.category == "creation":
            return f"_type({name}) in _scalars"  # a fill value is hardly ever an array
        if self._may_be_scalar(p):
            return f"({is_array(kind)} or _type({name}) in _scalars)"
        return {
            Role.ARRAY: is_array(kind),
            Role.OPERAND: is_array(kind),
            Role.OPTIONAL: f"_type({name}) in _optional_types",
            Role.SEQUENCE: f"_type({name}) in _sequences and {arrays} > 0",
            Role.STAR: f"{arrays} > 0",
            # A body gets Arrays, which the slow path makes of other objects.
            Role.OBJECT: f"({is_array(kind)} or {self.scalar_check(name)})"
            if self.unwraps
            else is_array(kind),
        }.get(p.role)

    def _may_be_scalar(self, p: Parameter) -> bool:
        """Return True if an operand may be a scalar since another argument is an array: `where`."""
        return p.role is Role.OPERAND and any(
            other.role is Role.ARRAY and other.required for other in self.contract.parameters
        )

    def value(self, p: Parameter) -> str:
        """Render a parameter as the native function (or the contract's body) takes it."""
        name, binding = p.name, self.target.binding
        fill = p.role is Role.OPERAND and self.contract.category == "creation"
        if not self.unwraps or fill:
            return p.source
        if self._may_be_scalar(p) or p.role is Role.OBJECT:
            return f"{name}._data if {self.is_array(f'_type({name})')} else {name}"
        needed = any(q.role is Role.DTYPE and q.required for q in self.contract.parameters)
        dtype = self.use(_dtype=binding.needed_dtype if needed else binding.native_dtype)
        return {
            Role.ARRAY: f"{name}._data",
            Role.OPERAND: f"{name}._data",
            Role.SEQUENCE: "_s",
            Role.STAR: "*_s",
            Role.DTYPE: f"{dtype}({name})",
            Role.DEVICE: f"{self.use(_device=binding.native_device)}({name})",
        }.get(p.role, name)

    # --- calls and results ----------------------------------------------------------------------

    def attempt(self, lines: list[str]) -> list[str]:
        """Render lines in a `try`, and what happens if they fail."""
        again = self.fast_kernel is not None
        return attempt(lines, f"{self.args}, {self.kwargs}", again)

    def call(self, operands: list[str] | None = None) -> list[str]:
        """Render the native call; with nothing optional given it needs no keyword at all."""
        kernel, use, native = self.fast_kernel, self.use, self.use(_native=self.target.call)
        values = operands or [self.argument(p) for p in self.required]
        given = ", ".join(values)
        short = [f"_r = {native}({given})"]
        if kernel is not None:
            check = f"if _r.dtype is not {use(_guard_dtype=kernel.dtype)}"
            fix_up = f"{check}: _r = {use(_fix_up=kernel.fix_up)}(_r, {given})"
            call = f"_r = {use(_fast_kernel=kernel.call)}({given})"
            conditions = [kernel.when.format(*values)] if kernel.when else []
            if kernel.argument is not None:
                conditions.append(f"{values[0]}.dtype is {use(_usual=kernel.argument)}")
            if conditions:
                call = f"{call} if {' and '.join(conditions)} else {native}({given})"
            short = [call, *([fix_up] if kernel.fix_up else [])]
        return self.if_nothing_given(short, f"_r = {native}({', '.join(self.all_arguments())})")

    def new(self, has_aliases: bool) -> list[str]:
        """Render the lines that make `_a` an Array of `_r`.

        For Arrays with registered aliases (`views.aliasing.register_alias`), it has none. Python
        takes longer to find out that nothing is known than all of this.
        """
        convert = f"_r = {self.use(_as_native_array=self._backend.as_native_array)}(_r)"
        kind = self._backend.RESULT_TYPE
        known = (
            []
            if kind is None
            else [f"if _type(_r) is not {self.use(_result_type=kind)}: {convert}"]
        )
        aliases = ["_a._aliases = None"] if has_aliases else []
        return [*known, "_a = _cls()", "_a._data = _r", *aliases]

    def _view(self, method: str, given: str, otherwise: str) -> list[str]:
        """Render the call of the factory of views, and another one if an option is given."""
        make = self.use(_make_view=self.target.view_factory)
        nothing_given = " and ".join(f"{p.name} is _M" for p in self.optional)
        call = f"return {make}{method}({given})"
        return (
            [f"if {nothing_given}: {call}", f"return {make}.{otherwise}"]
            if self.optional
            else [call]
        )

    def view(self) -> list[str]:
        """Render that a result follows the array that it was taken of (`views.factory`).

        Always, never, or when an attribute of the native array says so.
        """
        when, given = self.view_emulation, ", ".join(["_r", *(p.source for p in self.required)])
        calls = self._view("", given, f"given(_r, {self.args}, {self.kwargs})")
        if isinstance(when, str):
            return [f"if {self.first}._data.{when}:", *indented(calls)]
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
        return self._view(".fresh", ", ".join(needed), f"fresh({given})")

    def wrapped(self) -> list[str]:
        """Render the wrap of the result."""
        contract, first, binding = self.contract, self.first, self.target.binding
        view, aliasing = self.view(), isinstance(self.view_emulation, str)
        if self.view_emulation is True:
            return view
        if contract.returns is Returns.ARRAYS:
            if aliasing:
                return [
                    *view,
                    f"return {self.use(_wrap_aliases=binding.wrap_aliases)}({first}, _r)",
                ]
            each = [*self.new(self._has_aliases), "_all.append(_a)"]
            kind = contract.result_type
            result = f"{self.use(_result=kind)}(*_all)" if kind else "tuple(_all)"
            return ["_all = []", "for _r in _r:", *indented(each), f"return {result}"]
        same = []
        if contract.passes_through:
            # An argument of this role was found to be an Array before.
            known = contract.parameters[0].role is Role.ARRAY
            is_array = "" if known else f"_type({first}) is _cls and "
            same = [f"if {is_array}_r is {first}._data: return {first}"]
        mark = [f"{self.use(_register_alias=register_alias)}({first}, _a)"] if aliasing else []
        new = self.new(self._has_aliases and not aliasing)
        return [*view, *same, *new, *mark, "return _a"]

    def computed(self, operands: list[str] | None = None) -> list[str]:
        """Render the call and the wrap of its result."""
        if self.unwraps and self.contract.returns is not Returns.OTHER:
            return self._fresh_view() or [*self.call(operands), *self.wrapped()]
        return self.returned(self.target.call)

    def _into_out(self, checks: list[str]) -> list[str]:
        """Render the call for `out`, where no other parameter of `idle` is given."""
        contract, target, use = self.contract, self.target, self.use
        if not (contract.takes_out and contract.returns is Returns.ARRAY):
            return []
        others = [self.all_missing(self.idle[1:])] if len(self.idle) > 1 else []
        check = " and ".join(["out is not _M", "_type(out) is _cls", *others, *checks])
        given = ", ".join(self.all_arguments())
        if [p.role for p in self.inputs] == [Role.OPERAND, Role.OPERAND] and self.unwraps:
            first, second = self.names
            check = check.replace(checks[1], f"({checks[1]} or _type({second}) in _scalars)")
            given = f"{first}._data, {second} if _type({second}) in _scalars else {second}._data"
        if target.writes_out and self._backend.VIEW_EMULATION is not True:
            call = f"_r = {use(_whole=target.native)}({given}, out=out._data)"
            store = f"return out if _r is out._data else {use(_into=target.into)}(out, _r)"
            return [f"if {check}:", f"    {call}", f"    {store}"]
        result = f"{use(_native=target.call)}({given}){'' if self.unwraps else '._data'}"
        return [f"if {check}: return {use(_into=target.into)}(out, {result})"]

    # --- operands -------------------------------------------------------------------------------

    def _is_native(self, name: str) -> str:
        """Render the check that an argument is an array of the library, of a known data type."""
        known, exact = self.target.binding.standard_dtypes, self._backend.NATIVE_TYPE
        is_exact = f"_type({name}) is {self.use(_exact=exact)}"
        return f"{is_exact} and {name}.dtype in {self.use(_known=known)}"

    def _operands(self) -> dict[str, dict[str, str]]:
        """Render the checks for operands that are no Arrays, and the native ones."""
        names, found = self.names, dict[str, dict[str, str]]()
        binary = [p.role for p in self.inputs] == [Role.OPERAND, Role.OPERAND]
        library = self._backend.NATIVE_TYPE is not None and not self.view_emulation
        natives = self.unwraps and library and self.contract.of_arrays_alone
        pairs = (names, names[::-1]) if binary and self.unwraps else ()
        for one, other in pairs:
            fits = f"_type({other}) in _scalars"
            fits = f"({fits} or {self._is_native(other)})" if natives else fits
            check = f"{self.is_array(f'_type({one})')} and {fits}"
            found[check] = {one: f"{one}._data", other: other}
        if natives and (binary or (len(names) == 1 and self.contract.returns is Returns.ARRAY)):
            found[" and ".join(map(self._is_native, names))] = {name: name for name in names}
        for one, other in pairs if library and self.target.from_list else ():
            is_array, value = self.is_array(f"_type({one})"), f"{one}._data"
            if natives:
                value = f"{value} if {is_array} else {one}"
                is_array = f"({is_array} or {self._is_native(one)})"
            made = f"(_l := {self.use(_from_list=self.target.from_list)}({other}))"
            check = f"_type({other}) is list and {is_array} and {made} is not None"
            found[check] = {one: value, other: "_l"}
        return found

    # --- functions ------------------------------------------------------------------------------

    def function(self) -> Source:
        """Render the function of a backend."""
        contract = self.contract
        if any(p.role is Role.KEY for p in contract.parameters):
            return self.use.function(self.header, [self.slow])  # operators are its fast path
        checks = [check for p in self.inputs if (check := self.fast_check(p))]
        checks += ["not _rest"] if self.variadic else []
        checks += [f"not {self.overridden}"] if self.overridden else []
        idle, operands = [self.nothing_idle] if self.idle else [], self._operands()
        fast, out = " and ".join([*checks, *idle]), self._into_out(checks)
        if operands:
            lines = self._of_operands(fast, out, operands)
        else:
            lines = [f"if {fast}:", *indented(self.computed()), *out] if fast else self.computed()
        lines = self.attempt(lines)
        if fast:
            lines += [*self._of_reduced_precision(), self.slow]
        return self.use.function(self.header, [*self._from_list(), *lines])

    def _of_operands(
        self, fast: str, out: list[str], operands: dict[str, dict[str, str]]
    ) -> list[str]:
        """Render the choice of the operands, and one call for all choices.

        The call is before the rarer choices, which go back to it: TensorFlow notes the line of each
        operation, and Python counts lines from the beginning of a function.
        """
        chosen, idle = ["_x", "_y"][: len(self.names)], [self.nothing_idle] if self.idle else []
        take = f"{', '.join(chosen)} = "
        lines = [f"if {fast}: {take}{', '.join(f'{name}._data' for name in self.names)}"]
        computed = ["if _x is not None:", *indented(self.computed(chosen))]
        choices = {
            check: ", ".join(values[name] for name in self.names)
            for check, values in operands.items()
        }
        if len(choices) == 1:
            ((check, value),) = choices.items()
            fits = " and ".join([check, *idle])
            return [*lines, f"else: {take}{value} if {fits} else None", *computed, *out]
        for check in idle:
            computed += [f"if not ({check}):", *indented([*out, "break"])]
        first = "if"
        for check, value in choices.items():
            computed.append(f"{first} {check}: {take}{value}")
            first = "elif"
        again = indented([*computed, "else: break"])
        return [*lines, "else: _x = None", "while True:", *again]

    def _from_list(self) -> list[str]:
        """Render the call of `asarray` with nothing but a list, or a tuple, of numbers."""
        if self.target.kernel.from_list is None:
            return []
        rest = [other.name for other in self.optional]
        rest += [extra for extra in self.idle if extra not in rest and extra != "out"]
        is_list = f"((_t := _type({self.first})) is list or _t is tuple)"
        check = " and ".join([is_list, *(f"{other} is _M" for other in rest)])
        wrapped = self.new(self._has_aliases)
        new = [*(line for line in wrapped if line.startswith("_a")), "return _a"]  # no scalar
        call = f"_r = {self.use(_from_list=self.target.from_list)}({self.first})"
        tried = self.attempt([call, "if _r is not None:", *indented(new)])
        return [f"if {check}:", *indented(tried)]

    def _of_reduced_precision(self) -> list[str]:
        """Render the call for arrays of float16 or bfloat16."""
        target, first = self.target, self.first
        if target.for_reduced_precision is None:
            return []
        classes = tuple(target.binding.reduced_precision.values())
        reduced = f"_type({first}) in {self.use(_reduced_precision=classes)}"
        if self._backend.NATIVE_TYPE is not None and not self.view_emulation:
            is_exact = f"_type({first}) is {self.use(_exact=self._backend.NATIVE_TYPE)}"
            is_reduced = self.use(_is_reduced=target.binding.is_reduced_precision)
            reduced = f"({reduced} or {is_exact} and {is_reduced}({first}))"
        checks = [*([self.nothing_idle] if self.idle else []), reduced]
        checks += [f"_type({name}) is _type({first})" for name in self.names[1:]]
        compute = self.use(_for_reduced_precision=target.for_reduced_precision)
        return [f"if {' and '.join(checks)}: return {compute}({', '.join(self.names)})"]

    def attribute(self, condition: str, slow: Callable[[Any], Any]) -> Source:
        """Render the function behind an attribute of one array, under one more condition.

        `slow` serves what remains.
        """
        again, array = self.fast_kernel is not None, self.first
        lines = attempt(self.computed(), f"({array},), {{}}", again)
        check = f"if _type({array}) is _cls and {condition}:"
        otherwise = f"return {self.use(_slow=slow)}({array})"
        return self.use.function("x, /", [check, *indented(lines), otherwise])
