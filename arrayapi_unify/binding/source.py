"""Source of the functions of one backend: exact type checks, native call, wrapping.

It is derived from the contract. In the sources `_M` stands for "not given". All names but the
parameters begin with an underscore, so that none of them can meet a parameter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arrayapi_unify.backends.kernel import FastKernel
from arrayapi_unify.binding.annotations import Role
from arrayapi_unify.binding.contract import Contract, Parameter, Returns
from arrayapi_unify.binding.functions import render_function

__all__ = [
    "PASSTHROUGH",
    "CodegenOptions",
    "header",
    "render_bound",
    "render_forwarded_args",
    "render_scalar_check",
    "render_slow_only",
    "render_standalone",
    "render_transpose",
    "render_try",
    "render_with_recovery",
    "render_wrap",
    "fast_kernel_lines",
    "view_lines",
]


@dataclass(frozen=True, slots=True)
class CodegenOptions:
    """The properties of a backend's function that its source depends on."""

    unwrap: bool
    """True if a native function is called, not the contract's body."""
    result_check: bool
    """True if native functions may return other types than that of native arrays."""
    natives: bool
    """True if native arrays are recognized by their exact type."""
    writes: bool
    """True if the native function writes into `out` itself."""
    compute_into: bool
    """True if the native function has `compute_into`, which may compute into `out`."""
    upcasts: bool
    """True if float16 and bfloat16 arrays are upcast to float32."""
    lists: bool
    """True if the backend's `asarray` has `from_list`, which makes arrays of plain lists."""
    from_list: bool
    """True if the native function has `from_list`, which makes arrays of plain lists."""
    fast_kernel: FastKernel | None
    view_emulation: bool | str
    """If the result is an emulated view: never, always, or the attribute that tells."""
    aliasing: bool
    """True if the library's own arrays may be aliases of memory that is written to elsewhere."""
    accepts_views: bool
    """True if an emulated view needs only its data: the result shares no memory with it."""

    def is_array(self, name: str) -> str:
        """Render the check that an argument is an Array that needs no slow path."""
        return f"_type({name}) in _kinds" if self.accepts_views else f"_type({name}) is _cls"


PASSTHROUGH: Final = CodegenOptions(
    unwrap=False,
    result_check=False,
    natives=False,
    writes=False,
    compute_into=False,
    upcasts=False,
    lists=False,
    from_list=False,
    fast_kernel=None,
    view_emulation=False,
    aliasing=False,
    accepts_views=False,
)
"""The options of a function that passes its arguments on."""


def header(contract: Contract) -> str:
    """Render the signature, with "not given" as the default of everything optional."""
    parts: list[str] = []
    slash = any(p.positional_only for p in contract.parameters)
    star = any(p.role is Role.STAR for p in contract.parameters)
    for parameter in contract.parameters:
        if slash and not parameter.positional_only:
            parts.append("/")
            slash = False
        if parameter.keyword_only and not star:
            parts.append("*")
            star = True
        parts.append(f"{parameter.name}=_M" if parameter.optional else parameter.source)
    return ", ".join([*parts, "/"] if slash else parts)


def render_forwarded_args(contract: Contract) -> tuple[str, str]:
    """Render the arguments that a generated function forwards: a tuple and a dict."""
    needed = [p for p in contract.parameters if not (p.optional or p.any_keyword)]
    positional = "".join(f"{p.source}, " for p in needed)
    rest = [p.name for p in contract.parameters if p.optional]
    keywords = [p.source for p in contract.parameters if p.any_keyword]
    if keywords:
        given = [*(f"{name!r}: {name}" for name in rest), *keywords]
        return f"({positional})", "{" + ", ".join(given) + "}"
    if rest == ["out"]:
        return f"({positional})", "{} if out is _M else {'out': out}"
    return f"({positional})", "{" + ", ".join(f"{name!r}: {name}" for name in rest) + "}"


def _fast_check(contract: Contract, options: CodegenOptions, parameter: Parameter) -> str | None:
    """Render the condition under which a parameter needs no slow path."""
    name = parameter.name
    all_arrays = (
        f"len(_s := [_a._data for _a in {name} if {options.is_array('_a')}]) == len({name})"
    )
    if parameter.role is Role.OPERAND and contract.category == "creation":
        return f"_type({name}) in _scalars"  # a fill value is hardly ever an array
    if _may_be_scalar(contract, parameter):
        return f"({options.is_array(name)} or _type({name}) in _scalars)"
    if parameter.role in (Role.ARRAY, Role.OPERAND):
        return options.is_array(name)
    if parameter.role is Role.OPTIONAL:
        return f"_type({name}) in _optional_types"
    if parameter.role is Role.SEQUENCE:
        return f"_type({name}) in _sequences and {all_arrays} > 0"
    if parameter.role is Role.STAR:
        return f"{all_arrays} > 0"
    if parameter.role is Role.OBJECT:
        return f"({options.is_array(name)} or {render_scalar_check(name)})"
    return None


def _may_be_scalar(contract: Contract, parameter: Parameter) -> bool:
    """Return True if an operand may be a scalar since another argument is an array: `where`."""
    return parameter.role is Role.OPERAND and any(
        p.role is Role.ARRAY and p.required for p in contract.parameters
    )


def render_scalar_check(name: str) -> str:
    """Render the check that `asarray`'s argument is a scalar, or a list or tuple of scalars."""
    values = f"_scalar_set.issuperset(map(_type, {name}))"
    return f"(_t := _type({name})) in _sequences and {values} or _t in _scalars"


def _argument(contract: Contract, options: CodegenOptions, parameter: Parameter) -> str:
    """Render what the native function (or the contract's body) gets for a parameter."""
    name, unwrap = parameter.name, options.unwrap
    if parameter.any_keyword:
        return parameter.source
    fill = parameter.role is Role.OPERAND and contract.category == "creation"
    if not unwrap or fill:
        value = parameter.source
    elif _may_be_scalar(contract, parameter) or parameter.role is Role.OBJECT:
        value = f"{name}._data if {options.is_array(name)} else {name}"
    elif parameter.role in (Role.ARRAY, Role.OPERAND):
        value = f"{name}._data"
    elif parameter.role is Role.SEQUENCE:
        value = "_s"
    elif parameter.role is Role.STAR:
        value = "*_s"
    elif parameter.role is Role.DTYPE:
        value = f"_dtype({name})"
    elif parameter.role is Role.DEVICE:
        value = f"_device({name})"
    else:
        value = name
    standalone = contract.kind == "standalone" and not contract.nestable
    whole = contract.container_dependent or standalone  # it takes a Container for what it is
    visible = whole or parameter.role is not Role.STATIC
    if not visible and (parameter.annotation == "Any" or not unwrap or contract.kind == "mixed"):
        # A backend may ignore an argument of its own, and a body any argument: a Container there
        # would go unnoticed. A body may serve a mixed function, too.
        value = f"_reject_nested({value})"
    if parameter.is_number and contract.category != "creation":
        value = f"_single({name})"  # libraries and bodies take arrays there, each some of them
    if not parameter.optional:
        return value
    if parameter.is_flag:
        # A Container has no truth value and raises; not every native function evaluates it.
        value = f"{value} and True"
    return f"{parameter.default!r} if {name} is _M else {value}"


def fast_kernel_lines(fast_kernel: FastKernel | None, arguments: list[str]) -> list[str]:
    """Render the native call with nothing but what is required."""
    given = ", ".join(arguments)
    if fast_kernel is None:
        return [f"_r = _native({given})"]
    check = (
        [f"if _r.dtype is not _guard_dtype: _r = _fix_up(_r, {given})"]
        if fast_kernel.fix_up
        else []
    )
    return [f"_r = _fast_kernel({given})", *check]


def render_try(
    condition: str, lines: list[str], again: bool, args: str, kwargs: str = "{}"
) -> list[str]:
    """Render lines in a `try` under a condition, and what happens if they fail.

    A Container for an argument that is no array reaches the native function, and raises there.
    `again` says that they call something shorter, after which the native function has its turn.
    """
    given = f"{args}, {kwargs}, True" if again else f"{args}, {kwargs}"
    return [
        f"if {condition}:",
        "    try:",
        *(f"        {line}" for line in lines),
        f"    except Exception as error: return _recover(error, {given})",
    ]


def _calls(contract: Contract, options: CodegenOptions) -> list[str]:
    """Render the native call; with nothing optional given it needs no keyword at all."""
    inputs = tuple(contract.inputs)
    needed = [_argument(contract, options, p) for p in inputs if not p.optional]
    optional = [p for p in inputs if p.optional]
    call = fast_kernel_lines(options.fast_kernel, needed)
    if not optional:
        return call
    return [
        f"if {' and '.join(f'{p.name} is _M' for p in optional)}:",
        *(f"    {line}" for line in call),
        "else:",
        f"    _r = _native({', '.join(needed + _optional(contract, options))})",
    ]


def _optional(contract: Contract, options: CodegenOptions) -> list[str]:
    """Render the optional arguments, given or not."""
    return [
        (f"{p.name}=" if p.keyword_only else "") + f"({_argument(contract, options, p)})"
        for p in contract.inputs
        if p.optional
    ]


def view_lines(when: bool | str, contract: Contract) -> list[str]:
    """Render that a result follows the array that it was taken of (`views.factory`).

    Always, never, or when an attribute of the native array says so.
    """
    args, kwargs = render_forwarded_args(contract)
    optional = [p for p in contract.inputs if p.optional]
    given = ", ".join(p.source for p in contract.inputs if not p.optional)
    calls = [f"return _make_view(_r, {given})"]
    if optional:
        nothing_given = " and ".join(f"{p.name} is _M" for p in optional)
        calls = [
            f"if {nothing_given}: {calls[0]}",
            f"return _make_view.given(_r, {args}, {kwargs})",
        ]
    first = contract.parameters[0].name
    if isinstance(when, str):
        calls = [f"if {first}._data.{when}:", *(f"    {call}" for call in calls)]
    return calls if when else []


def _fresh_view_lines(contract: Contract, options: CodegenOptions) -> list[str]:
    """Render a call whose result always follows memory that may change behind its back.

    The source's version has to be known before the native function reads it.
    """
    if not (options.aliasing and options.view_emulation is True):
        return []
    if contract.returns is not Returns.ARRAY or contract.parameters[0].role is not Role.ARRAY:
        return []
    needed = [p.source for p in contract.inputs if not p.optional]
    optional = [p.name for p in contract.inputs if p.optional]
    calls = [f"return _make_view.fresh({', '.join(needed)})"]
    if optional:
        nothing_given = " and ".join(f"{name} is _M" for name in optional)
        given = ", ".join(needed + _optional(contract, options))
        calls = [f"if {nothing_given}: {calls[0]}", f"return _make_view.fresh({given})"]
    return calls


def render_wrap(aliasing: bool) -> list[str]:
    """Render the lines that make `_a` an Array of `_r`.

    Where Arrays know of their aliases (`views.emulation.register_alias`), it has none. Python takes
    longer to find out that nothing is known than all of this.
    """
    return ["_a = _cls()", "_a._data = _r", *(["_a._aliases = None"] if aliasing else [])]


def _wrap_lines(contract: Contract, options: CodegenOptions) -> list[str]:
    """Source by which the result becomes what the user gets."""
    if not options.unwrap or contract.returns is Returns.OTHER:
        return ["return _r"]
    first = contract.parameters[0].name
    view = view_lines(options.view_emulation, contract)
    aliasing = isinstance(options.view_emulation, str)
    check = []
    if options.result_check:
        check = ["if _type(_r) is not _result_type: _r = _as_native_array(_r)"]
    if contract.returns is Returns.ARRAYS:
        if aliasing:
            return [*view, f"return _wrap_aliases({first}, _r)"]
        wrap = [*check, *render_wrap(options.aliasing), "_all.append(_a)"]
        result = "_result(*_all)" if contract.result_type else "tuple(_all)"
        each = [f"    {line}" for line in wrap]
        return [*view, "_all = []", "for _r in _r:", *each, f"return {result}"]
    if contract.passes_through:
        # An argument of this role was found to be an Array before.
        known = contract.parameters[0].role is Role.ARRAY
        is_array = "" if known else f"_type({first}) is _cls and "
        check = [f"if {is_array}_r is {first}._data: return {first}", *check]
    mark = [f"_register_alias({first}, _a)"] if aliasing else []
    return [*view, *check, *render_wrap(options.aliasing and not aliasing), *mark, "return _a"]


def _pair(contract: Contract) -> tuple[str, str] | None:
    """Return the names of the operands of a binary function."""
    operands = [p.name for p in contract.inputs if p.role is Role.OPERAND]
    whole = len(operands) == 2 and len(tuple(contract.inputs)) == 2
    return (operands[0], operands[1]) if whole else None


def _scalar_calls(contract: Contract, options: CodegenOptions) -> dict[str, list[str]]:
    """Render the checks for one Python scalar in a call of a binary function, and the calls."""
    pair = _pair(contract)
    if pair is None:
        return {}
    a, b = pair
    first, second = _render_mixed_calls(options, a, b)
    return {
        f"{options.is_array(a)} and _type({b}) in _scalars": first,
        f"{options.is_array(b)} and _type({a}) in _scalars": second,
    }


def _render_mixed_calls(options: CodegenOptions, a: str, b: str) -> tuple[list[str], list[str]]:
    """Render the calls with the data of the first operand alone, and with that of the second."""
    calls = ([f"{a}._data", b], [a, f"{b}._data"])
    first, second = (fast_kernel_lines(options.fast_kernel, call) for call in calls)
    return first, second


def _is_native(name: str) -> str:
    """Render the check that an argument is a native array of a data type of the standard."""
    return f"_type({name}) is _exact and {name}.dtype in _known"


def _native_calls(contract: Contract, options: CodegenOptions) -> dict[str, list[str]]:
    """Render the checks for native arguments of a function of arrays alone, and the calls."""
    names = [p.name for p in contract.inputs]
    if not contract.of_arrays_alone:
        return {}
    if len(names) == 1 and contract.returns is Returns.ARRAY:
        return {_is_native(names[0]): fast_kernel_lines(options.fast_kernel, names)}
    if _pair(contract) is None:
        return {}
    a, b = names
    first, second = _render_mixed_calls(options, a, b)
    return {
        f"{options.is_array(a)} and {_is_native(b)}": first,
        f"{options.is_array(b)} and {_is_native(a)}": second,
        f"{_is_native(a)} and {_is_native(b)}": fast_kernel_lines(options.fast_kernel, names),
    }


def _list_calls(contract: Contract, options: CodegenOptions) -> dict[str, list[str]]:
    """Render the checks for a list of numbers beside an Array, and the calls."""
    pair = _pair(contract)
    if pair is None or not options.lists:
        return {}
    a, b = pair
    first = fast_kernel_lines(options.fast_kernel, [f"{a}._data", "_l"])
    second = fast_kernel_lines(options.fast_kernel, ["_l", f"{b}._data"])
    plain = "_type({0}) is list and (_l := _from_list({0})) is not None"
    return {
        f"{options.is_array(a)} and {plain.format(b)}": first,
        f"{options.is_array(b)} and {plain.format(a)}": second,
    }


def _for_reduced_precision(contract: Contract, options: CodegenOptions) -> list[str]:
    """Render the call with arrays of one half alone."""
    if not options.upcasts:
        return []
    first, *rest = (p.name for p in contract.inputs)
    same = [
        f"_type({first}) in _reduced_precision",
        *(f"_type({name}) is _type({first})" for name in rest),
    ]
    return [f"if {' and '.join(same)}: return _for_reduced_precision({', '.join([first, *rest])})"]


def _into_out(contract: Contract, options: CodegenOptions) -> list[str]:
    """Render the native call whose result is stored in `out`."""
    if not options.writes:
        calls = _calls(contract, options)
        if options.compute_into:
            natives = ", ".join(f"{p.name}._data" for p in contract.inputs)
            calls = [f"if _compute_into({natives}, out._data): return out", *calls]
        return [*calls, f"return _into(out, {'_r' if options.unwrap else '_r._data'})"]
    given = [_argument(contract, options, p) for p in contract.inputs if p.required]
    given += _optional(contract, options)
    return [f"_whole({', '.join(given)}, out=out._data)", "return out"]


def _from_list(contract: Contract, wrapped: list[str]) -> dict[str, list[str]]:
    """Render the check for a list without options, and the call where its items are scalars."""
    name, *rest = (p.name for p in contract.inputs)
    plain = f"((_t := _type({name})) is list or _t is tuple)"
    return {
        " and ".join([plain, *(f"{other} is _M" for other in rest)]): [
            f"_r = _from_list({name})",
            "if _r is not None:",
            *(f"    {line}" for line in wrapped if line.startswith(("_a", "return _a"))),
        ]
    }


def render_bound(contract: Contract, options: CodegenOptions) -> str:
    """Render the function of one backend."""
    if any(p.role is Role.KEY for p in contract.parameters):
        return render_slow_only(contract)  # the operators are these functions' fast path
    args, kwargs = render_forwarded_args(contract)
    slow = f"return _slow({args}, {kwargs})"
    unwrap, fast_kernel = options.unwrap, options.fast_kernel

    def attempts(tried: dict[str, list[str]]) -> list[str]:
        return [
            line
            for condition, lines in tried.items()
            for line in render_try(condition, lines, fast_kernel is not None, args, kwargs)
        ]

    checks = [check for p in contract.inputs if (check := _fast_check(contract, options, p))]
    wrapped = _wrap_lines(contract, options)
    no_out = " and ".join([*checks, *(["out is _M"] if contract.takes_out else [])])
    call = _fresh_view_lines(contract, options) or [*_calls(contract, options), *wrapped]
    lines = attempts({no_out or "True": call})
    if options.from_list:
        lines = attempts(_from_list(contract, wrapped)) + lines
    if contract.takes_out:
        into = {}
        if contract.returns is Returns.ARRAY and not (options.writes and options.view_emulation):
            into = {" and ".join(["_type(out) is _cls", *checks]): _into_out(contract, options)}
        lines += ["if out is not _M:", *(f"    {line}" for line in [*attempts(into), slow])]
    others = _scalar_calls(contract, options) if unwrap else {}
    if unwrap and options.natives and not options.view_emulation:
        others |= _native_calls(contract, options) | _list_calls(contract, options)
    lines += attempts({condition: [*calls, *wrapped] for condition, calls in others.items()})
    return render_function(
        header(contract), [*lines, *_for_reduced_precision(contract, options), slow]
    )


def render_transpose(contract: Contract, options: CodegenOptions, condition: str) -> list[str]:
    """Render what a function of one array does for an attribute, under one more condition.

    `_slow` serves what remains: it gets the array alone.
    """
    calls = _calls(contract, options)
    call = _fresh_view_lines(contract, options) or [*calls, *_wrap_lines(contract, options)]
    first = contract.parameters[0].name
    fast = render_try(
        f"_type({first}) is _cls and {condition}",
        call,
        options.fast_kernel is not None,
        f"({first},)",
    )
    return [*fast, f"return _slow({first})"]


def render_slow_only(contract: Contract) -> str:
    """Render a function that hands everything to `_slow`."""
    args, kwargs = render_forwarded_args(contract)
    return render_function(header(contract), [f"return _slow({args}, {kwargs})"])


def render_standalone(contract: Contract) -> str:
    """Render a standalone function of arrays: its body serves what nobody has to be asked about."""
    args, kwargs = render_forwarded_args(contract)
    star = [p.name for p in contract.parameters if p.role is Role.STAR]
    if not star or len(contract.parameters) > 1:
        return render_slow_only(contract)
    short = f"if _needs_no_dispatch({star[0]}): return _native(*{star[0]})"
    lines = [short, f"return _slow({args}, {kwargs})"]
    if contract.cache_by_dtypes:
        lines = [
            f"if len({star[0]}) == 2:",
            f"    _a, _b = {star[0]}",
            "    _t = _results.get((_type(_a), _type(_b)))",
            "    _r = _t.get((_a._data.dtype, _b._data.dtype)) if _t else None",
            "    if _r is not None: return _r",
            *lines,
        ]
    return render_function(header(contract), lines)


def render_with_recovery(contract: Contract) -> str:
    """Render a function that calls `_native` as it was called, and `_recover` if that raises."""
    args, kwargs = render_forwarded_args(contract)
    lines = [
        "try:",
        *(f"    {line}" for line in _calls(contract, PASSTHROUGH)),
        "except Exception as error:",
        f"    return _recover(error, {args}, {kwargs})",
        "return _r",
    ]
    return render_function(header(contract), lines)
