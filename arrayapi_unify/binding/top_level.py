"""Source of the top-level functions: they find the backend's function by type, and call it.

A function that requires nothing but arrays also takes `*_rest` and `**_more`. A call that doesn't
fit then reaches the slow path, where an argument may override the function. `out` is in `**_more`:
an empty dict costs no more than a default does.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from arrayapi_unify.backends import DEFAULT
from arrayapi_unify.binding.annotations import ARRAY_ROLES, Role
from arrayapi_unify.binding.contract import Contract, Parameter, Returns
from arrayapi_unify.binding.functions import render_function
from arrayapi_unify.binding.source import header, render_forwarded_args, render_scalar_check

__all__ = ["render_top_level", "takes_anything"]


def _first_type(contract: Contract) -> str | None:
    """Render the type that decides a top-level call's backend; None where no array is required."""
    for parameter in contract.parameters:
        name = parameter.name
        if parameter.role in (Role.ARRAY, Role.OPERAND):
            return f"_type({name})"
        if parameter.role is Role.SEQUENCE:
            return f"_type({name}[0]) if _type({name}) in _sequences and {name} else None"
        if parameter.role is Role.STAR:
            return f"_type({name}[0]) if {name} else None"
    return None


def _leading(contract: Contract) -> list[Parameter]:
    """Return the arrays that come first, if nothing else is required; or else nothing."""
    found = list(takewhile(lambda p: p.required and p.positional_only, contract.parameters))
    required = [p for p in contract.parameters if p.required or p.star]
    arrays = all(p.role in ARRAY_ROLES - {Role.KEY} for p in found)
    return found if found == required and arrays and not contract.converts else []


def takes_anything(contract: Contract) -> bool:
    """Return True if a call that doesn't fit the signature gets to the slow path."""
    return bool(_leading(contract))


def _signature(contract: Contract) -> tuple[str, str, str]:
    """Render the parameters, and how to hand all that was given to the slow path."""
    if not takes_anything(contract):
        return header(contract), *render_forwarded_args(contract)
    named = [p for p in contract.inputs if p.optional and not p.positional_only]
    leading = [p.name for p in contract.inputs if p.positional_only]
    either = [p.name for p in named if not p.keyword_only]
    parts = [*_missing(leading), "/", *_missing(either), "*_rest"]
    parts += [*_missing(p.name for p in named if p.keyword_only), "**_more"]
    given = [f"{p.name!r}: {p.name}" for p in named]
    kwargs = "{" + ", ".join([*given, "**_more"]) + "}" if named else "_more"
    return ", ".join(parts), f"({', '.join(leading)}, *_rest)", kwargs


def _missing(names: Iterable[str]) -> list[str]:
    return [f"{name}=_M" for name in names]


def _straight(contract: Contract) -> bool:
    """Return True if a function takes only arrays (and `out`) and returns a new one."""
    return (
        contract.kind == "primary"
        and contract.returns is Returns.ARRAY
        and not contract.mutates
        and not contract.passes_through
        and any(True for _ in contract.inputs)
        and contract.of_arrays_alone
        and takes_anything(contract)
    )


def _inlined(contract: Contract) -> list[str]:
    """Render the native call of a top-level function itself, which saves a second frame.

    `_natives` has the types of arrays for which it makes something new: what shares memory with its
    argument may have to be known to it, which the backend's function sees to.
    """
    if not _straight(contract):
        return []
    names = [p.name for p in contract.inputs]
    checks = [f"_type({name}) is _c" for name in names[1:]]
    _, args, kwargs = _signature(contract)
    call = ", ".join(f"{name}._data" for name in names)
    loops = contract.nestable and len(names) == 1
    looped = ["    _n = _c in _looped and not _more and not _rest"] if loops else []
    return [
        "try:",
        f"    _c = _type({names[0]})",
        "    _n, _t, _k, _m = _natives[_c]",
        "except KeyError:",
        *(f"    {line}" for line in _of_native_arrays(names)),
        *looped,
        "else:",
        f"    if {' and '.join([*checks, 'not _more', 'not _rest', 'not _ever_set'])}:",
        "        try:",
        f"            _r = _n({call})",
        "        except _UnifyError:",
        "            raise",
        "        except Exception as error:",
        f"            raise _translate(error, {args}, {kwargs}) from error",
        "        if _t is not None and _type(_r) is not _t: _r = _k(_r)",
        "        _a = _m()",
        "        _a._data = _r",
        "        return _a",
        *(_each(names[0]) if loops else []),
    ]


def _of_native_arrays(names: list[str]) -> list[str]:
    """Render the call with native arrays alone, whose types `_bare` has."""
    checks = [f"_type({name}) is _c" for name in names[1:]]
    dtypes = [f"{name}.dtype in _d" for name in names]
    return [
        "if _c in _bare:",
        "    _n, _t, _k, _m, _d = _bare[_c]",
        f"    if {' and '.join([*checks, *dtypes, 'not _more', 'not _rest', 'not _ever_set'])}:",
        "        try:",
        f"            _r = _n({', '.join(names)})",
        "            if _t is not None and _type(_r) is not _t: _r = _k(_r)",
        "            _a = _m()",
        "            _a._data = _r",
        "            return _a",
        "        except Exception: pass  # the slow path says why",
    ]


def _decided_by_second(contract: Contract) -> list[str]:
    """Render the check that a second operand decides where the first one is a scalar or a list."""
    names = [p.name for p in contract.inputs]
    if len(names) != 2 or not _straight(contract):
        return []
    return [f"if _c is list or _c in _scalars: _c = _type({names[1]})"]


def _each(name: str) -> list[str]:
    """Render the loop over a nest that is all there is.

    It stands outside of the handler, where what a leaf raises has no other error for its context.
    """
    return ["if _n is True:", f"    _r = _each({name})", "    if _r is not None: return _r"]


def _forwarded(contract: Contract, slow: str) -> list[str]:
    """Render the call of the bound function `_f` with all that was given."""
    open_ended = takes_anything(contract)
    optional = [p for p in (contract.inputs if open_ended else contract.parameters) if p.optional]
    first = [p.source for p in contract.inputs if not p.optional]
    rest = [f"{p.name}={p.name}" if p.keyword_only else p.name for p in optional]
    calls = [f"return _f({', '.join(first + rest)})"]
    if optional:
        nothing_given = " and ".join(f"{p.name} is _M" for p in optional)
        calls.insert(0, f"if {nothing_given}: return _f({', '.join(first)})")
    if not open_ended:
        return calls
    lines = ["if not _more and not _rest:", *(f"    {call}" for call in calls)]
    if contract.takes_out:
        with_out = ", ".join([*first, *rest, "out=_more['out']"])
        lines.append(f"if not _rest and 'out' in _more and len(_more) == 1: return _f({with_out})")
    return [*lines, slow]


def render_top_level(contract: Contract) -> str:
    """Render the top-level function: it looks up the backend's function by type and calls it.

    `_table` maps the arrays' types (or, for functions without an array, the backends' names) to
    bound functions, `_natives` the types to native functions and what makes an Array of their
    results; `_set` reads the setting of
    the backend.
    """
    parameters, args, kwargs = _signature(contract)
    slow = f"return _slow({args}, {kwargs})"
    decides = _first_type(contract)
    if decides is None or contract.converts:
        lookup = [f"_f = _table[_set().value or {DEFAULT!r}]"]
        check = [f"if out is not _M: {slow}"] if contract.takes_out else []
        if contract.converts:
            check = [f"if not ({render_scalar_check(contract.parameters[0].name)}): {slow}"]
    else:
        lookup = [f"_c = {decides}", *_decided_by_second(contract), "_f = _table[_c]"]
        # `_ever_set` is empty until somebody sets a backend: reading a context variable costs
        # as much as all the rest of the dispatch.
        check = [
            "if _ever_set:",
            "    _s = _set().value",
            f"    if _s is not None and _s != _c.__unify_backend__: {slow}",
        ]
    lines = [
        *_inlined(contract),
        "try:",
        *(f"    {line}" for line in lookup),
        "except KeyError:",
        f"    {slow}",
        *check,
        *_forwarded(contract, slow),
    ]
    return render_function(parameters, lines)
