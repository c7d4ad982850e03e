"""Source of the thin functions that users call, compiled once per shape of signature.

A wrapper that takes `*args, **kwargs` and walks a contract costs microseconds per call. A function
with the contract's own signature costs one Python frame: exact type check, native call, wrap. Such
functions differ only by signature, so their source is derived from the contract; functions of one
shape (all binary ones, say) share one compiled factory, and each of them is a plain closure, which
tracers such as torch.compile follow.

In the sources below `_M` stands for "not given". All names but the parameters begin with an
underscore, so that none of them can meet a parameter.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any, cast

from arrayapi_unify.backends import DEFAULT
from arrayapi_unify.binding.contract import MISSING, Contract, Parameter, Returns, Role
from arrayapi_unify.errors import UnifyError
from arrayapi_unify.nesting import visible

__all__ = [
    "PLAIN_TYPES",
    "SCALAR_TYPES",
    "bound",
    "compile_factory",
    "dress",
    "forwarding",
    "guarded",
    "public",
]

SCALAR_TYPES = frozenset({bool, int, float, complex})
# What an optional array parameter may be without any unwrapping.
PLAIN_TYPES = SCALAR_TYPES | {type(None), type(MISSING)}

_SEQUENCES = frozenset({list, tuple})
_CLOSURE = (
    "_native, _cls, _slow, _fail, _canonical, _own, _result_type, _wrap, _dtype, _device, "
    "_table, _natives, _stack, _ever_set, _rescue, _visible, "
    "_scalars, _plain, _sequences, _type, _M, _UnifyError"
)


@functools.cache
def _compiled(source: str) -> Callable[..., FunctionType]:
    scope: dict[str, Any] = {}
    exec(compile(source, "<arrayapi_unify binding>", "exec"), scope)
    return cast("Callable[..., FunctionType]", scope["factory"])


def compile_factory(header: str, body: list[str], **closure: Any) -> FunctionType:
    """Compile `def function(header): body` and close it over `closure`."""
    lines = [f"def factory({_CLOSURE}):", f"    def function({header}):"]
    lines += [f"        {line}" for line in body]
    lines.append("    return function")
    values = dict.fromkeys(_CLOSURE.split(", "))
    values |= {"_scalars": SCALAR_TYPES, "_plain": PLAIN_TYPES, "_sequences": _SEQUENCES}
    values |= {"_visible": visible, "_type": type, "_M": MISSING, "_UnifyError": UnifyError}
    values |= closure
    return _compiled("\n".join(lines))(**values)


def dress(function: FunctionType, contract: Contract, module: str, **attributes: Any) -> Any:
    """Give a generated function the name, signature and documentation of its contract."""
    name = contract.name
    function.__code__ = function.__code__.replace(co_name=name, co_qualname=name)
    function.__name__ = function.__qualname__ = name
    function.__module__ = module
    function.__doc__ = contract.function.__doc__
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


def _header(contract: Contract) -> str:
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


def _pass_on(contract: Contract) -> tuple[str, str]:
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
        return f"(_type({name}) is _cls or {_plain_data(name)})"
    if parameter.role is Role.OUT:
        return f"{name} is _M"
    return None


def _plain_data(name: str) -> str:
    """Spell that `asarray`'s argument is a scalar, or a list or tuple of nothing but scalars."""
    return (
        f"_type({name}) in _scalars or "
        f"_type({name}) in _sequences and _scalars.issuperset(map(_type, {name}))"
    )


def _argument(contract: Contract, parameter: Parameter, unwrap: bool) -> str:
    """Spell what the native function (or the contract's body) gets for a parameter."""
    name = parameter.name
    fill = parameter.role is Role.OPERAND and contract.category == "creation"
    if not unwrap or fill:
        value = f"*{name}" if parameter.role is Role.STAR else name
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
    if parameter.required or parameter.role is Role.STAR:
        return value
    if parameter.is_flag:
        # Its truth is asked for, which a Container hasn't: not every native function does that.
        value = f"{value} and True"
    elif parameter.role is Role.PLAIN and parameter.annotation == "Any":
        # What is up to the backend may be ignored by it.
        value = f"_visible({value})"
    return f"{parameter.default!r} if {name} is _M else {value}"


def _calls(contract: Contract, unwrap: bool) -> list[str]:
    """Spell the native call; with nothing optional given it needs no keyword at all."""
    inputs = tuple(contract.inputs)
    needed = [_argument(contract, p, unwrap) for p in inputs if p.required or p.role is Role.STAR]
    optional = [p for p in inputs if not p.required and p.role is not Role.STAR]
    call = f"_r = _native({', '.join(needed)})"
    if not optional:
        return [call]
    values = [
        (f"{p.name}=" if p.keyword_only else "") + f"({_argument(contract, p, unwrap)})"
        for p in optional
    ]
    return [
        f"if {' and '.join(f'{p.name} is _M' for p in optional)}:",
        f"    {call}",
        "else:",
        f"    _r = _native({', '.join(needed + values)})",
    ]


def _wrap_lines(contract: Contract, unwrap: bool, result_check: bool) -> list[str]:
    """Spell how the result becomes what the user gets."""
    if not unwrap or contract.returns is Returns.PLAIN:
        return ["return _r"]
    if contract.returns is Returns.ARRAYS:
        return ["return _wrap(_r)"]
    check = ["if _type(_r) is not _result_type: _r = _canonical(_r)"] if result_check else []
    if contract.passes_through:
        name = contract.parameters[0].name
        check = [f"if _type({name}) is _cls and _r is {name}._data: return {name}", *check]
    return [*check, "_a = _cls()", "_a._data = _r", "return _a"]


def _scalar_branches(contract: Contract) -> list[str]:
    """Spell the two calls of a binary function with one Python scalar."""
    operands = [p.name for p in contract.inputs if p.role is Role.OPERAND]
    if len(operands) != 2 or len(tuple(contract.inputs)) != 2:
        return []
    first, second = operands
    no_out = " and out is _M" if contract.takes_out else ""
    return [
        f"elif _type({first}) is _cls and _type({second}) in _scalars{no_out}:",
        f"    _r = _native({first}._data, {second})",
        f"elif _type({second}) is _cls and _type({first}) in _scalars{no_out}:",
        f"    _r = _native({first}, {second}._data)",
    ]


def bound(contract: Contract, unwrap: bool, result_check: bool, **closure: Any) -> FunctionType:
    """Make the function of one backend: `unwrap` for native functions, not for contract bodies."""
    args, kwargs = _pass_on(contract)
    slow = f"return _slow({args}, {kwargs})"
    if any(p.role is Role.KEY for p in contract.parameters):
        return forwarding(contract, **closure)  # the operators are these functions' fast path
    checks = [check for p in contract.parameters if (check := _fast_check(contract, p))]
    scalars = _scalar_branches(contract) if unwrap else []
    lines = [
        "try:",
        f"    if {' and '.join(checks) or 'True'}:",
        *(f"        {line}" for line in _calls(contract, unwrap)),
        *(f"    {line}" for line in scalars),
        "    else:",
        f"        {slow}",
        *(f"    {line}" for line in _wrap_lines(contract, unwrap, result_check)),
        # A Container for an argument that is no array reaches the native function, and raises.
        "except Exception as error:",
        f"    return _rescue(error, {args}, {kwargs})",
    ]
    return compile_factory(_header(contract), lines, **closure)


def forwarding(contract: Contract, **closure: Any) -> FunctionType:
    """Make a function that hands everything to `_slow`."""
    args, kwargs = _pass_on(contract)
    return compile_factory(_header(contract), [f"return _slow({args}, {kwargs})"], **closure)


def guarded(contract: Contract, **closure: Any) -> FunctionType:
    """Make a function that calls `_native` as it was called itself, and `_rescue` if it raises."""
    args, kwargs = _pass_on(contract)
    lines = [
        "try:",
        *(f"    {line}" for line in _calls(contract, unwrap=False)),
        "except Exception as error:",
        f"    return _rescue(error, {args}, {kwargs})",
        "return _r",
    ]
    return compile_factory(_header(contract), lines, **closure)


def _first_type(contract: Contract) -> str | None:
    """Spell the type that decides a top-level call's backend; None where no array is required."""
    for parameter in contract.parameters:
        name = parameter.name
        if parameter.role in (Role.ARRAY, Role.OPERAND):
            return f"_type({name})"
        if parameter.role is Role.SEQUENCE:
            return f"_type({name}[0]) if _type({name}) in _sequences and {name} else None"
        if parameter.role is Role.STAR:
            return f"_type({name}[0]) if {name} else None"
    return None


def _straight(contract: Contract) -> bool:
    """Whether a function takes nothing but arrays (and `out`) and returns one array."""
    inputs = list(contract.inputs)
    return (
        contract.kind == "primary"
        and contract.returns is Returns.ARRAY
        and not contract.mutates
        and bool(inputs)
        and all(p.required and p.role in (Role.ARRAY, Role.OPERAND) for p in inputs)
    )


def _inlined(contract: Contract) -> list[str]:
    """Spell the native call of a top-level function itself, which saves a second frame."""
    if not _straight(contract):
        return []
    names = [p.name for p in contract.inputs]
    checks = [f"_type({name}) is _c" for name in names[1:]]
    checks += [f"{p.name} is _M" for p in contract.parameters if p.role is Role.OUT]
    args, kwargs = _pass_on(contract)
    call = ", ".join(f"{name}._data" for name in names)
    return [
        "try:",
        f"    _c = _type({names[0]})",
        "    _n, _t, _k = _natives[_c]",
        "except KeyError:",
        f"    return _slow({args}, {kwargs})",
        f"if {' and '.join([*checks, 'not _ever_set'])}:",
        "    try:",
        f"        _r = _n({call})",
        "    except _UnifyError:",
        "        raise",
        "    except Exception as error:",
        f"        raise _fail(error, {args}, {kwargs}) from error",
        "    if _t is not None and _type(_r) is not _t: _r = _k(_r)",
        "    _a = _c()",
        "    _a._data = _r",
        "    return _a",
    ]


def _forwarded(contract: Contract) -> list[str]:
    """Spell the call of the bound function `_f` with all that was given."""
    parameters = contract.parameters
    star = [p for p in parameters if p.role is Role.STAR]
    optional = [p for p in parameters if not p.required and p not in star]
    first = [f"*{p.name}" if p in star else p.name for p in parameters if p not in optional]
    rest = [f"{p.name}={p.name}" if p.keyword_only else p.name for p in optional]
    everything = f"return _f({', '.join(first + rest)})"
    if not optional:
        return [everything]
    nothing_given = " and ".join(f"{p.name} is _M" for p in optional)
    return [f"if {nothing_given}: return _f({', '.join(first)})", everything]


def public(contract: Contract, **closure: Any) -> FunctionType:
    """Make the top-level function: looks up the backend's function by type and calls it.

    `_table` maps the arrays' types (or, for functions without an array, the backends' names) to
    bound functions, `_natives` the types to native functions; `_stack` reads the backends that
    are set.
    """
    args, kwargs = _pass_on(contract)
    slow = f"return _slow({args}, {kwargs})"
    decides = _first_type(contract)
    if decides is None or contract.converts:
        lookup = ["_s = _stack()", f"_f = _table[{DEFAULT!r} if _s is None else _s[-1]]"]
        check = [f"if out is not _M: {slow}"] if contract.takes_out else []
        if contract.converts:
            check = [f"if not ({_plain_data(contract.parameters[0].name)}): {slow}"]
    else:
        lookup = [f"_c = {decides}", "_f = _table[_c]"]
        # `_ever_set` is empty until somebody sets a backend: reading a context variable costs
        # as much as all the rest of the dispatch.
        check = [
            "if _ever_set:",
            "    _s = _stack()",
            f"    if _s is not None and _s[-1] != _c.__unify_backend__: {slow}",
        ]
    lines = [
        *_inlined(contract),
        "try:",
        *(f"    {line}" for line in lookup),
        "except KeyError:",
        f"    {slow}",
        *check,
        *_forwarded(contract),
    ]
    return compile_factory(_header(contract), lines, **closure)
