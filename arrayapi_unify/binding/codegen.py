"""Source of the functions of one backend: exact type checks, native call, wrapping.

It is derived from the contract. In the sources `_M` stands for "not given". All names but the
parameters begin with an underscore, so that none of them can meet a parameter.
"""

from __future__ import annotations

from arrayapi_unify.backends._common.shortcut import Shortcut
from arrayapi_unify.binding.contract import Contract, Parameter, Returns
from arrayapi_unify.binding.flavour import HANDING_ON, Flavour
from arrayapi_unify.binding.functions import spelled
from arrayapi_unify.binding.roles import Role

__all__ = [
    "attempt",
    "bound",
    "view_lines",
    "forwarding",
    "guarded",
    "header",
    "new_array",
    "pass_on",
    "plain_data",
    "shortcut_lines",
    "standalone",
    "transposing",
]


def header(contract: Contract) -> str:
    """Spell the signature, with "not given" as the default of everything optional."""
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
        parts.append(f"{parameter.name}=_M" if parameter.optional else parameter.spelled)
    return ", ".join([*parts, "/"] if slash else parts)


def pass_on(contract: Contract) -> tuple[str, str]:
    """Spell how a generated function hands all it got to the slow path: a tuple and a dict."""
    needed = [p for p in contract.parameters if not (p.optional or p.any_keyword)]
    positional = "".join(f"{p.spelled}, " for p in needed)
    rest = [p.name for p in contract.parameters if p.optional]
    keywords = [p.spelled for p in contract.parameters if p.any_keyword]
    if keywords:
        given = [*(f"{name!r}: {name}" for name in rest), *keywords]
        return f"({positional})", "{" + ", ".join(given) + "}"
    if rest == ["out"]:
        return f"({positional})", "{} if out is _M else {'out': out}"
    return f"({positional})", "{" + ", ".join(f"{name!r}: {name}" for name in rest) + "}"


def _fast_check(contract: Contract, flavour: Flavour, parameter: Parameter) -> str | None:
    """Spell the condition under which a parameter needs no slow path."""
    name = parameter.name
    all_arrays = (
        f"len(_s := [_a._data for _a in {name} if {flavour.is_array('_a')}]) == len({name})"
    )
    if parameter.role is Role.OPERAND and contract.category == "creation":
        return f"_type({name}) in _scalars"  # a fill value is hardly ever an array
    if _may_be_scalar(contract, parameter):
        return f"({flavour.is_array(name)} or _type({name}) in _scalars)"
    if parameter.role in (Role.ARRAY, Role.OPERAND):
        return flavour.is_array(name)
    if parameter.role is Role.OPTIONAL:
        return f"_type({name}) in _plain"
    if parameter.role is Role.SEQUENCE:
        return f"_type({name}) in _sequences and {all_arrays} > 0"
    if parameter.role is Role.STAR:
        return f"{all_arrays} > 0"
    if parameter.role is Role.OBJECT:
        return f"({flavour.is_array(name)} or {plain_data(name)})"
    return None


def _may_be_scalar(contract: Contract, parameter: Parameter) -> bool:
    """Whether an operand may be a scalar without more ado: beside an array, as in `where`."""
    return parameter.role is Role.OPERAND and any(
        p.role is Role.ARRAY and p.required for p in contract.parameters
    )


def plain_data(name: str) -> str:
    """Spell that `asarray`'s argument is a scalar, or a list or tuple of nothing but scalars."""
    values = f"_scalar_set.issuperset(map(_type, {name}))"
    return f"(_t := _type({name})) in _sequences and {values} or _t in _scalars"


def _argument(contract: Contract, flavour: Flavour, parameter: Parameter) -> str:
    """Spell what the native function (or the contract's body) gets for a parameter."""
    name, unwrap = parameter.name, flavour.unwrap
    if parameter.any_keyword:
        return parameter.spelled
    fill = parameter.role is Role.OPERAND and contract.category == "creation"
    if not unwrap or fill:
        value = parameter.spelled
    elif _may_be_scalar(contract, parameter) or parameter.role is Role.OBJECT:
        value = f"{name}._data if {flavour.is_array(name)} else {name}"
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
    visible = whole or parameter.role is not Role.PLAIN
    if not visible and (parameter.annotation == "Any" or not unwrap or contract.kind == "mixed"):
        # What is up to the backend may be ignored by it, and so may anything by a body, which
        # may serve a mixed function too.
        value = f"_visible({value})"
    if parameter.is_number and contract.category != "creation":
        value = f"_single({name})"  # libraries and bodies take arrays there, each some of them
    if not parameter.optional:
        return value
    if parameter.is_flag:
        # Its truth is asked for, which a Container hasn't: not every native function does that.
        value = f"{value} and True"
    return f"{parameter.default!r} if {name} is _M else {value}"


def shortcut_lines(shortcut: Shortcut | None, arguments: list[str]) -> list[str]:
    """Spell the native call with nothing but what is required."""
    given = ", ".join(arguments)
    if shortcut is None:
        return [f"_r = _native({given})"]
    check = [f"if _r.dtype is not _sure: _r = _settle(_r, {given})"] if shortcut.settle else []
    return [f"_r = _short({given})", *check]


def attempt(
    condition: str, lines: list[str], again: bool, args: str, kwargs: str = "{}"
) -> list[str]:
    """Spell that these lines are tried under a condition, and what happens if they fail.

    A Container for an argument that is no array reaches the native function, and raises there.
    `again` says that they call something shorter, after which the native function has its turn.
    """
    handler = "_retry" if again else "_rescue"
    return [
        f"if {condition}:",
        "    try:",
        *(f"        {line}" for line in lines),
        f"    except Exception as error: return {handler}(error, {args}, {kwargs})",
    ]


def _calls(contract: Contract, flavour: Flavour) -> list[str]:
    """Spell the native call; with nothing optional given it needs no keyword at all."""
    inputs = tuple(contract.inputs)
    needed = [_argument(contract, flavour, p) for p in inputs if not p.optional]
    optional = [p for p in inputs if p.optional]
    call = shortcut_lines(flavour.shortcut, needed)
    if not optional:
        return call
    return [
        f"if {' and '.join(f'{p.name} is _M' for p in optional)}:",
        *(f"    {line}" for line in call),
        "else:",
        f"    _r = _native({', '.join(needed + _optional(contract, flavour))})",
    ]


def _optional(contract: Contract, flavour: Flavour) -> list[str]:
    """Spell the optional arguments, given or not."""
    return [
        (f"{p.name}=" if p.keyword_only else "") + f"({_argument(contract, flavour, p)})"
        for p in contract.inputs
        if p.optional
    ]


def view_lines(when: bool | str, contract: Contract) -> list[str]:
    """Spell that a result follows the array that it was taken of (`binding.sharing`).

    Always, never, or when an attribute of the native array says so.
    """
    args, kwargs = pass_on(contract)
    optional = [p for p in contract.inputs if p.optional]
    given = ", ".join(p.spelled for p in contract.inputs if not p.optional)
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


def _fresh_view_lines(contract: Contract, flavour: Flavour) -> list[str]:
    """Spell a call whose result always follows memory that may change behind its back.

    The source's version has to be known before the native function reads it.
    """
    if not (flavour.aliasing and flavour.view_emulation is True):
        return []
    if contract.returns is not Returns.ARRAY or contract.parameters[0].role is not Role.ARRAY:
        return []
    needed = [p.spelled for p in contract.inputs if not p.optional]
    optional = [p.name for p in contract.inputs if p.optional]
    calls = [f"return _make_view.fresh({', '.join(needed)})"]
    if optional:
        nothing_given = " and ".join(f"{name} is _M" for name in optional)
        given = ", ".join(needed + _optional(contract, flavour))
        calls = [f"if {nothing_given}: {calls[0]}", f"return _make_view.fresh({given})"]
    return calls


def new_array(aliasing: bool) -> list[str]:
    """Spell that `_a` is an Array of `_r`.

    Where Arrays know of their aliases (`view_emulation.register_alias`), it has none. Python takes
    longer to find out that nothing is known than all of this.
    """
    return ["_a = _cls()", "_a._data = _r", *(["_a._aliases = None"] if aliasing else [])]


def _wrap_lines(contract: Contract, flavour: Flavour) -> list[str]:
    """Spell how the result becomes what the user gets."""
    if not flavour.unwrap or contract.returns is Returns.PLAIN:
        return ["return _r"]
    first = contract.parameters[0].name
    view = view_lines(flavour.view_emulation, contract)
    aliasing = isinstance(flavour.view_emulation, str)
    check = []
    if flavour.result_check:
        check = ["if _type(_r) is not _result_type: _r = _canonical(_r)"]
    if contract.returns is Returns.ARRAYS:
        if aliasing:
            return [*view, f"return _wrap_aliases({first}, _r)"]
        wrap = [*check, *new_array(flavour.aliasing), "_all.append(_a)"]
        result = "_result(*_all)" if contract.result_type else "tuple(_all)"
        each = [f"    {line}" for line in wrap]
        return [*view, "_all = []", "for _r in _r:", *each, f"return {result}"]
    if contract.passes_through:
        # Whether an argument of this role is an Array was asked before.
        known = contract.parameters[0].role is Role.ARRAY
        is_array = "" if known else f"_type({first}) is _cls and "
        check = [f"if {is_array}_r is {first}._data: return {first}", *check]
    mark = [f"_register_alias({first}, _a)"] if aliasing else []
    return [*view, *check, *new_array(flavour.aliasing and not aliasing), *mark, "return _a"]


def _pair(contract: Contract) -> tuple[str, str] | None:
    """Return the names of the operands of a binary function."""
    operands = [p.name for p in contract.inputs if p.role is Role.OPERAND]
    whole = len(operands) == 2 and len(tuple(contract.inputs)) == 2
    return (operands[0], operands[1]) if whole else None


def _scalar_calls(contract: Contract, flavour: Flavour) -> dict[str, list[str]]:
    """Spell when a binary function is called with one Python scalar, and the call."""
    pair = _pair(contract)
    if pair is None:
        return {}
    a, b = pair
    first, second = _halfway(flavour, a, b)
    return {
        f"{flavour.is_array(a)} and _type({b}) in _scalars": first,
        f"{flavour.is_array(b)} and _type({a}) in _scalars": second,
    }


def _halfway(flavour: Flavour, a: str, b: str) -> tuple[list[str], list[str]]:
    """Spell the calls with the data of the first operand alone, and with that of the second."""
    calls = ([f"{a}._data", b], [a, f"{b}._data"])
    first, second = (shortcut_lines(flavour.shortcut, call) for call in calls)
    return first, second


def _is_native(name: str) -> str:
    """Spell that an argument is a native array, of a data type that the standard has."""
    return f"_type({name}) is _exact and {name}.dtype in _known"


def _native_calls(contract: Contract, flavour: Flavour) -> dict[str, list[str]]:
    """Spell when a function of arrays alone is called with native ones, and the call."""
    names = [p.name for p in contract.inputs]
    if not contract.of_arrays_alone:
        return {}
    if len(names) == 1 and contract.returns is Returns.ARRAY:
        return {_is_native(names[0]): shortcut_lines(flavour.shortcut, names)}
    if _pair(contract) is None:
        return {}
    a, b = names
    first, second = _halfway(flavour, a, b)
    return {
        f"{flavour.is_array(a)} and {_is_native(b)}": first,
        f"{flavour.is_array(b)} and {_is_native(a)}": second,
        f"{_is_native(a)} and {_is_native(b)}": shortcut_lines(flavour.shortcut, names),
    }


def _list_calls(contract: Contract, flavour: Flavour) -> dict[str, list[str]]:
    """Spell when a list of numbers stands beside an Array, and the call with the array of it."""
    pair = _pair(contract)
    if pair is None or not flavour.lists:
        return {}
    a, b = pair
    first = shortcut_lines(flavour.shortcut, [f"{a}._data", "_l"])
    second = shortcut_lines(flavour.shortcut, ["_l", f"{b}._data"])
    plain = "_type({0}) is list and (_l := _of_list({0})) is not None"
    return {
        f"{flavour.is_array(a)} and {plain.format(b)}": first,
        f"{flavour.is_array(b)} and {plain.format(a)}": second,
    }


def _of_halves(contract: Contract, flavour: Flavour) -> list[str]:
    """Spell the call with arrays of one half alone."""
    if not flavour.widens:
        return []
    first, *rest = (p.name for p in contract.inputs)
    same = [f"_type({first}) in _halves", *(f"_type({name}) is _type({first})" for name in rest)]
    return [f"if {' and '.join(same)}: return _of_halves({', '.join([first, *rest])})"]


def _into_out(contract: Contract, flavour: Flavour) -> list[str]:
    """Spell the native call whose result is stored in `out`."""
    if not flavour.writes:
        calls = _calls(contract, flavour)
        if flavour.computes_into:
            natives = ", ".join(f"{p.name}._data" for p in contract.inputs)
            calls = [f"if _compute_into({natives}, out._data): return out", *calls]
        return [*calls, f"return _into(out, {'_r' if flavour.unwrap else '_r._data'})"]
    given = [_argument(contract, flavour, p) for p in contract.inputs if p.required]
    given += _optional(contract, flavour)
    return [f"_whole({', '.join(given)}, out=out._data)", "return out"]


def _of_list(contract: Contract, wrapped: list[str]) -> dict[str, list[str]]:
    """Spell when the argument is a list with no wish besides, and what is done if it is plain."""
    name, *rest = (p.name for p in contract.inputs)
    plain = f"((_t := _type({name})) is list or _t is tuple)"
    return {
        " and ".join([plain, *(f"{other} is _M" for other in rest)]): [
            f"_r = _of_list({name})",
            "if _r is not None:",
            *(f"    {line}" for line in wrapped if line.startswith(("_a", "return _a"))),
        ]
    }


def bound(contract: Contract, flavour: Flavour) -> str:
    """Spell the function of one backend."""
    if any(p.role is Role.KEY for p in contract.parameters):
        return forwarding(contract)  # the operators are these functions' fast path
    args, kwargs = pass_on(contract)
    slow = f"return _slow({args}, {kwargs})"
    unwrap, shortcut = flavour.unwrap, flavour.shortcut

    def attempts(tried: dict[str, list[str]]) -> list[str]:
        return [
            line
            for condition, lines in tried.items()
            for line in attempt(condition, lines, shortcut is not None, args, kwargs)
        ]

    checks = [check for p in contract.inputs if (check := _fast_check(contract, flavour, p))]
    wrapped = _wrap_lines(contract, flavour)
    no_out = " and ".join([*checks, *(["out is _M"] if contract.takes_out else [])])
    call = _fresh_view_lines(contract, flavour) or [*_calls(contract, flavour), *wrapped]
    lines = attempts({no_out or "True": call})
    if flavour.of_list:
        lines = attempts(_of_list(contract, wrapped)) + lines
    if contract.takes_out:
        into = {}
        if contract.returns is Returns.ARRAY and not (flavour.writes and flavour.view_emulation):
            into = {" and ".join(["_type(out) is _cls", *checks]): _into_out(contract, flavour)}
        lines += ["if out is not _M:", *(f"    {line}" for line in [*attempts(into), slow])]
    others = _scalar_calls(contract, flavour) if unwrap else {}
    if unwrap and flavour.natives and not flavour.view_emulation:
        others |= _native_calls(contract, flavour) | _list_calls(contract, flavour)
    lines += attempts({condition: [*calls, *wrapped] for condition, calls in others.items()})
    return spelled(header(contract), [*lines, *_of_halves(contract, flavour), slow])


def transposing(contract: Contract, flavour: Flavour, condition: str) -> list[str]:
    """Spell what a function of one array does for an attribute, under one more condition.

    `_slow` serves what remains: it gets the array alone.
    """
    calls = _calls(contract, flavour)
    call = _fresh_view_lines(contract, flavour) or [*calls, *_wrap_lines(contract, flavour)]
    first = contract.parameters[0].name
    fast = attempt(
        f"_type({first}) is _cls and {condition}", call, flavour.shortcut is not None, f"({first},)"
    )
    return [*fast, f"return _slow({first})"]


def forwarding(contract: Contract) -> str:
    """Spell a function that hands everything to `_slow`."""
    args, kwargs = pass_on(contract)
    return spelled(header(contract), [f"return _slow({args}, {kwargs})"])


def standalone(contract: Contract) -> str:
    """Spell a standalone function of arrays: its body serves what nobody has to be asked about."""
    args, kwargs = pass_on(contract)
    star = [p.name for p in contract.parameters if p.role is Role.STAR]
    if not star or len(contract.parameters) > 1:
        return forwarding(contract)
    short = f"if _ordinary({star[0]}): return _native(*{star[0]})"
    lines = [short, f"return _slow({args}, {kwargs})"]
    if contract.by_dtypes:
        lines = [
            f"if len({star[0]}) == 2:",
            f"    _a, _b = {star[0]}",
            "    _t = _seen.get((_type(_a), _type(_b)))",
            "    _r = _t.get((_a._data.dtype, _b._data.dtype)) if _t else None",
            "    if _r is not None: return _r",
            *lines,
        ]
    return spelled(header(contract), lines)


def guarded(contract: Contract) -> str:
    """Spell a function that calls `_native` as it was called itself, and `_rescue` if it raises."""
    args, kwargs = pass_on(contract)
    lines = [
        "try:",
        *(f"    {line}" for line in _calls(contract, HANDING_ON)),
        "except Exception as error:",
        f"    return _rescue(error, {args}, {kwargs})",
        "return _r",
    ]
    return spelled(header(contract), lines)
