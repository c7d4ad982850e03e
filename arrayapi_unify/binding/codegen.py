"""Source of the thin functions that users call, compiled once per shape of signature.

A wrapper that takes `*args, **kwargs` and walks a contract costs microseconds per call. A function
with the contract's own signature costs one Python frame: exact type check, native call, wrap. Such
functions differ only by signature, so their source is derived from the contract, and compiled once
for all of one shape (all binary ones, say). What a function needs are its global names: each has
its own. torch.compile asks of everything it meets where it can be found again, which it couldn't
say of what a closure holds.

In the sources below `_M` stands for "not given". All names but the parameters begin with an
underscore, so that none of them can meet a parameter.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType
from typing import Any, Final, cast

from arrayapi_unify.backends._common.shortcut import Shortcut
from arrayapi_unify.binding.contract import MISSING, Contract, Parameter, Returns
from arrayapi_unify.binding.documentation import documented
from arrayapi_unify.binding.roles import Role
from arrayapi_unify.errors import UnifyError
from arrayapi_unify.nesting import visible

__all__ = [
    "PLAIN_TYPES",
    "SCALAR_TYPES",
    "attempt",
    "bound",
    "dress",
    "follow_lines",
    "forwarding",
    "guarded",
    "header",
    "make_function",
    "only",
    "pass_on",
    "plain_data",
    "shortcut_lines",
]

# Tuples, where sets would do: torch.compile follows them. The commonest come first.
SCALAR_TYPES = (float, int, bool, complex)
# What an optional array parameter may be without any unwrapping.
PLAIN_TYPES = (*SCALAR_TYPES, type(None), type(MISSING))

_SEQUENCES = (list, tuple)


@functools.cache
def _compiled(source: str) -> CodeType:
    return compile(source, "<arrayapi_unify binding>", "exec")


def only(kinds: Iterable[type]) -> Callable[[Iterable[Any]], bool]:
    """Make the question whether all values are of these types, asked without a loop in Python."""
    known = frozenset(kinds)
    return lambda values: known.issuperset(map(type, values))


_NAMES: Final[dict[str, Any]] = {
    "_scalars": SCALAR_TYPES,
    "_only_scalars": only(SCALAR_TYPES),
    "_plain": PLAIN_TYPES,
    "_sequences": _SEQUENCES,
    "_type": type,
    "_M": MISSING,
    "_UnifyError": UnifyError,
    "_visible": visible,
}


def make_function(header: str, body: list[str], **names: Any) -> FunctionType:
    """Compile `def function(header): body`, in which `names` are the global names."""
    lines = [f"def function({header}):", *(f"    {line}" for line in body)]
    scope = {**_NAMES, **names}
    exec(_compiled("\n".join(lines)), scope)
    function = cast(FunctionType, scope.pop("function"))
    # The interpreter remembers in the code where it found a global name.
    function.__code__ = function.__code__.replace()
    # What autograph marks its own functions with: there is no source to rewrite, and no need.
    vars(function).update(autograph_info__={})
    return function


def dress(function: FunctionType, contract: Contract, module: str, **attributes: Any) -> Any:
    """Give a generated function the name, signature and documentation of its contract."""
    name = contract.name
    function.__code__ = function.__code__.replace(co_name=name, co_qualname=name)
    function.__name__ = function.__qualname__ = name
    function.__module__ = module
    function.__doc__ = documented(contract.function.__doc__, contract.takes_out)
    function.__annotations__ = contract.function.__annotations__
    function.__dict__.update(
        __signature__=contract.signature,
        kind=contract.kind,
        convenience=contract.convenience,
        nestable=contract.nestable,
        container_dependent=contract.container_dependent,
        contract=contract,
        **attributes,
    )
    return function


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
        if parameter.role is Role.STAR:
            parts.append(f"*{parameter.name}")
        else:
            parts.append(parameter.name if parameter.required else f"{parameter.name}=_M")
    return ", ".join([*parts, "/"] if slash else parts)


def pass_on(contract: Contract) -> tuple[str, str]:
    """Spell how a generated function hands all it got to the slow path: a tuple and a dict."""
    positional = "".join(
        f"*{p.name}, " if p.role is Role.STAR else f"{p.name}, "
        for p in contract.parameters
        if p.required or p.role is Role.STAR
    )
    rest = [p.name for p in contract.parameters if not p.required and p.role is not Role.STAR]
    return f"({positional})", "{" + ", ".join(f"{name!r}: {name}" for name in rest) + "}"


def _fast_check(contract: Contract, parameter: Parameter) -> str | None:
    """Spell the condition under which a parameter needs no slow path."""
    name = parameter.name
    if parameter.role is Role.OPERAND and contract.category == "creation":
        return f"_type({name}) in _scalars"  # a fill value is hardly ever an array
    if _may_be_scalar(contract, parameter):
        return f"(_type({name}) is _cls or _type({name}) in _scalars)"
    if parameter.role in (Role.ARRAY, Role.OPERAND):
        return f"_type({name}) is _cls"
    if parameter.role is Role.OPTIONAL:
        return f"_type({name}) in _plain"
    if parameter.role is Role.SEQUENCE:
        return (
            f"_type({name}) in _sequences and "
            f"len(_s := [_a._data for _a in {name} if _type(_a) is _cls]) == len({name}) > 0"
        )
    if parameter.role is Role.STAR:
        return f"len(_s := [_a._data for _a in {name} if _type(_a) is _cls]) == len({name}) > 0"
    if parameter.role is Role.OBJECT:
        return f"(_type({name}) is _cls or {plain_data(name)})"
    if parameter.role is Role.OUT:
        return f"{name} is _M"
    return None


def _may_be_scalar(contract: Contract, parameter: Parameter) -> bool:
    """Whether an operand may be a scalar without more ado: beside an array, as in `where`."""
    return parameter.role is Role.OPERAND and any(
        p.role is Role.ARRAY and p.required for p in contract.parameters
    )


def plain_data(name: str) -> str:
    """Spell that `asarray`'s argument is a scalar, or a list or tuple of nothing but scalars."""
    return f"_type({name}) in _scalars or _type({name}) in _sequences and _only_scalars({name})"


def _argument(contract: Contract, parameter: Parameter, unwrap: bool) -> str:
    """Spell what the native function (or the contract's body) gets for a parameter."""
    name = parameter.name
    fill = parameter.role is Role.OPERAND and contract.category == "creation"
    if not unwrap or fill:
        value = f"*{name}" if parameter.role is Role.STAR else name
    elif _may_be_scalar(contract, parameter):
        value = f"{name}._data if _type({name}) is _cls else {name}"
    elif parameter.role in (Role.ARRAY, Role.OPERAND):
        value = f"{name}._data"
    elif parameter.role is Role.OBJECT:
        value = f"{name}._data if _type({name}) is _cls else {name}"
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
    if parameter.role is Role.PLAIN and (parameter.annotation == "Any" or not unwrap):
        # What is up to the backend may be ignored by it, and so may anything by a body.
        value = f"_visible({value})"
    if parameter.required or parameter.role is Role.STAR:
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


def _calls(contract: Contract, unwrap: bool, shortcut: Shortcut | None) -> list[str]:
    """Spell the native call; with nothing optional given it needs no keyword at all."""
    inputs = tuple(contract.inputs)
    needed = [_argument(contract, p, unwrap) for p in inputs if p.required or p.role is Role.STAR]
    optional = [p for p in inputs if not p.required and p.role is not Role.STAR]
    call = shortcut_lines(shortcut, needed)
    if not optional:
        return call
    values = [
        (f"{p.name}=" if p.keyword_only else "") + f"({_argument(contract, p, unwrap)})"
        for p in optional
    ]
    return [
        f"if {' and '.join(f'{p.name} is _M' for p in optional)}:",
        *(f"    {line}" for line in call),
        "else:",
        f"    _r = _native({', '.join(needed + values)})",
    ]


def follow_lines(when: bool | str, contract: Contract) -> list[str]:
    """Spell that a result follows the array that it was taken of (`binding.sharing`).

    Always, never, or when an attribute of the native array says so.
    """
    args, kwargs = pass_on(contract)
    optional = [p for p in contract.inputs if not p.required and p.role is not Role.STAR]
    given = ", ".join(_spelled(p) for p in contract.inputs if p not in optional)
    calls = [f"return _follow(_r, {given})"]
    if optional:
        nothing_given = " and ".join(f"{p.name} is _M" for p in optional)
        calls = [f"if {nothing_given}: {calls[0]}", f"return _follow.given(_r, {args}, {kwargs})"]
    first = contract.parameters[0].name
    if isinstance(when, str):
        calls = [f"if {first}._data.{when}:", *(f"    {call}" for call in calls)]
    return calls if when else []


def _spelled(parameter: Parameter) -> str:
    return f"*{parameter.name}" if parameter.role is Role.STAR else parameter.name


def _wrap_lines(
    contract: Contract, unwrap: bool, result_check: bool, following: bool | str
) -> list[str]:
    """Spell how the result becomes what the user gets."""
    if not unwrap or contract.returns is Returns.PLAIN:
        return ["return _r"]
    first = contract.parameters[0].name
    follow = follow_lines(following, contract)
    if contract.returns is Returns.ARRAYS:
        return (
            [*follow, "return _wrap(_r)"]
            if not isinstance(following, str)
            else [*follow, f"return _alias({first}, _r)"]
        )
    check = ["if _type(_r) is not _result_type: _r = _canonical(_r)"] if result_check else []
    if contract.passes_through:
        check = [f"if _type({first}) is _cls and _r is {first}._data: return {first}", *check]
    mark = [f"_note({first}, _a)"] if isinstance(following, str) else []
    return [*follow, *check, "_a = _cls()", "_a._data = _r", *mark, "return _a"]


def _scalar_calls(contract: Contract, shortcut: Shortcut | None) -> dict[str, list[str]]:
    """Spell when a binary function is called with one Python scalar, and the call."""
    operands = [p.name for p in contract.inputs if p.role is Role.OPERAND]
    if len(operands) != 2 or len(tuple(contract.inputs)) != 2:
        return {}
    no_out = " and out is _M" if contract.takes_out else ""
    first, second = operands
    return {
        f"_type({first}) is _cls and _type({second}) in _scalars{no_out}": shortcut_lines(
            shortcut, [f"{first}._data", second]
        ),
        f"_type({second}) is _cls and _type({first}) in _scalars{no_out}": shortcut_lines(
            shortcut, [first, f"{second}._data"]
        ),
    }


def bound(
    contract: Contract,
    unwrap: bool,
    result_check: bool,
    shortcut: Shortcut | None = None,
    following: bool | str = False,
    **names: Any,
) -> FunctionType:
    """Make the function of one backend: `unwrap` for native functions, not for contract bodies."""
    args, kwargs = pass_on(contract)
    slow = f"return _slow({args}, {kwargs})"
    if any(p.role is Role.KEY for p in contract.parameters):
        return forwarding(contract, **names)  # the operators are these functions' fast path
    checks = [check for p in contract.parameters if (check := _fast_check(contract, p))]
    scalars = _scalar_calls(contract, shortcut) if unwrap else {}
    wrapped = _wrap_lines(contract, unwrap, result_check, following)
    attempts = {" and ".join(checks) or "True": _calls(contract, unwrap, shortcut), **scalars}
    lines = [
        line
        for condition, calls in attempts.items()
        for line in attempt(condition, [*calls, *wrapped], shortcut is not None, args, kwargs)
    ]
    return make_function(header(contract), [*lines, slow], **names)


def forwarding(contract: Contract, **names: Any) -> FunctionType:
    """Make a function that hands everything to `_slow`."""
    args, kwargs = pass_on(contract)
    return make_function(header(contract), [f"return _slow({args}, {kwargs})"], **names)


def guarded(contract: Contract, **names: Any) -> FunctionType:
    """Make a function that calls `_native` as it was called itself, and `_rescue` if it raises."""
    args, kwargs = pass_on(contract)
    lines = [
        "try:",
        *(f"    {line}" for line in _calls(contract, unwrap=False, shortcut=None)),
        "except Exception as error:",
        f"    return _rescue(error, {args}, {kwargs})",
        "return _r",
    ]
    return make_function(header(contract), lines, **names)
