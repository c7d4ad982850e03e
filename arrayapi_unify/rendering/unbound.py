"""Source of functions of no backend: top-level ones, which find it, and standalone ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import takewhile
from types import FunctionType
from typing import TYPE_CHECKING, Any

from arrayapi_unify._core.container_base import PLAIN_CONTAINERS, fast_tree_map
from arrayapi_unify.backends import DEFAULT, handler
from arrayapi_unify.contracts.annotations import ARRAY_ROLES, Role
from arrayapi_unify.contracts.contract import Contract, Returns
from arrayapi_unify.rendering.signature import Signature, Source, attempt, indented

if TYPE_CHECKING:
    from arrayapi_unify.binding.call import Dispatch, SlowPath

__all__ = [
    "TopLevel", "render_standalone", "render_with_recovery", "takes_anything",
]  # fmt: skip


def render_standalone(
    path: SlowPath,
    body: Callable[..., Any],
    needs_no_dispatch: Callable[[tuple[Any, ...]], bool],
    results: Any = None,
) -> Source:
    """Render a standalone function of arrays: its body serves what needs no dispatch.

    `results` are those of two arrays, by the classes and then by the native data types.
    """
    signature, contract = Signature(path), path.contract
    use, lines = signature.use, [signature.slow]
    star = next((p.name for p in contract.parameters if p.star), "")
    if star and not contract.array_parameters:  # the body refuses objects
        lines = [
            "try:",
            *indented([f"return {use(_native=body)}(*{star})"]),
            "except Exception: pass",
        ]
        lines.append(signature.slow)
    elif star and len(contract.parameters) == 1:
        alone, native = use(_needs_no_dispatch=needs_no_dispatch), use(_native=body)
        lines.insert(0, f"if {alone}({star}): return {native}(*{star})")
    elif signature.overridden:
        tried = attempt(signature.returned(body), f"{signature.args}, {signature.kwargs}")
        lines = [f"if {signature.overridden}: {signature.slow}", *tried]
    if results is not None:
        lines = [
            f"if len({star}) == 2:",
            f"    _a, _b = {star}",
            f"    _t = {use(_results=results)}.get((_type(_a), _type(_b)))",
            "    _r = _t.get((_a._data.dtype, _b._data.dtype)) if _t else None",
            "    if _r is not None: return _r",
            *lines,
        ]
    return use.function(signature.header, lines)


def render_with_recovery(path: SlowPath) -> Source:
    """Render a function that calls its body as it was called, and recovers if that raises."""
    signature = Signature(path)
    lines = signature.returned(path.contract.function)
    tried = attempt(lines, f"{signature.args}, {signature.kwargs}")
    return signature.use.function(signature.header, tried)


def takes_anything(contract: Contract) -> bool:
    """Return True if a call that doesn't fit the signature gets to the slow path.

    That is so if arrays come first, and nothing else is required.
    """
    found = list(takewhile(lambda p: p.required and p.positional_only, contract.parameters))
    required = [p for p in contract.parameters if p.required or p.star]
    arrays = all(p.role in ARRAY_ROLES - {Role.KEY} for p in found)
    return bool(found) and found == required and arrays and not contract.converts


class TopLevel(Signature):
    """The source of one top-level function, which looks into the tables of `Dispatch`."""

    def __init__(self, dispatch: Dispatch, function: FunctionType) -> None:
        """Render a function."""
        super().__init__(dispatch)
        self.use(
            _table=dispatch.functions,
            _natives=dispatch.natives,
            _bare=dispatch.bare,
            _translate=dispatch.translate_failure,
            _looped=PLAIN_CONTAINERS,
            _each=fast_tree_map(function),
            _set=handler.setting.read,
            # It is empty until a backend is set: reading a context variable costs as much as all
            # the rest of the dispatch.
            _ever_set=handler.ever_set,
        )

    def _signature(self) -> tuple[str, str, str]:
        contract = self.contract
        self.open_ended = takes_anything(contract)
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

    def _may_run(self, backends: str) -> str:
        """Render the check that no other backend is set than one of `backends`."""
        return f"(not _ever_set or _set().value in {backends})"

    def _inlined(self) -> list[str]:
        """Render the native call of a top-level function itself, which saves a second frame.

        That is for functions that make something new: what shares memory with its argument may
        have to be known to it, which the backend's function sees to. A nest that is all there is
        gets its loop outside of the handler, where the error of a leaf has no other for its
        context.
        """
        names, first = self.names, self.first
        checks = [*(f"_type({name}) is _c" for name in names[1:]), "not _more", "not _rest"]
        checks.append(self._may_run("(None, _m.__unify_backend__)"))
        known = " and ".join(f"{name}.dtype in _d" for name in names)
        arrays = ", ".join(f"{name}._data" for name in names)
        failed = f"_translate(error, {self.args}, {self.kwargs})"
        lines = [
            f"_c = _type({first})",
            "try: _n, _t, _k, _m, _d = _natives[_c]",
            "except KeyError: pass",
            "else:",
            f"    if {' and '.join(checks)} and (_d is None or {known}):",
            "        try:",
            f"            _r = _n({arrays}) if _d is None else _n({', '.join(names)})",
            "            if _t is not None and _type(_r) is not _t: _r = _k(_r)",
            "            _a = _m()",
            "            _a._data = _r",
            "            return _a",
            "        except Exception as error:  # of native arrays the slow path says why",
            "            if _d is None and isinstance(error, _UnifyError): raise",
            f"            if _d is None: raise {failed} from error",
        ]
        if self.contract.nestable and len(names) == 1:
            nest = "_c in _looped and not _more and not _rest"
            lines.append(f"if {nest} and (_r := _each({first})) is not None: return _r")
        return lines

    def _of_other_natives(self) -> list[str]:
        """Render the call of the bound function: native arrays beside lists, and reduced ones."""
        names = self.names
        fits = f"_c in _bare and not _more and not _rest and {self._may_run('_bare[_c][0]')}"
        if len(names) != 2:
            fits = " and ".join([fits, *(f"_type({name}) is _c" for name in names[1:])])
            return [f"if {fits}: return _bare[_c][1]({', '.join(names)})"]
        x, y = names
        lines = [
            # The second operand decides where the first one is a scalar or a list.
            f"if _c is list or _c in _scalars: _c = _type({y})",
            f"if {fits}:",
            "    _, _f, _from = _bare[_c]",
            f"    if _type({x}) is _c and _type({y}) is _c: return _f({x}, {y})",
        ]
        for one, other, call in ((x, y, f"_f(_l, {y})"), (y, x, f"_f({x}, _l)")):
            # Other lists may have arrays of another backend, which decide.
            numbers = f"_type({one}) is list and (_l := _from({one})) is not None"
            lines += [
                f"    if _from and _type({other}) is _c and {numbers}:",
                f"        try: return {call}",
                "        except Exception: pass  # the slow path says what is wrong",
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
            # Flags may all be True: three names of one object don't tell that nothing is given.
            nothing_given = " is ".join([*optional, "_M"])
            calls.insert(0, f"if {nothing_given}: return _f({', '.join(required)})")
        if not self._out_in_more:
            return calls
        given = ", ".join([*required, *rest, "out=_more['out']"])
        only_out = "len(_more) == 1 and 'out' in _more"
        other = f"return _f({given}) if {only_out} else _slow({self.args}, {self.kwargs})"
        if len(calls) == 1:
            return [f"if not _more: {calls[0]}", other]
        return ["if not _more:", *indented(calls), other]

    @property
    def _out_in_more(self) -> bool:
        return self.open_ended and self.contract.takes_out and "out" not in self.named

    def function(self) -> Source:
        """Render the function: it looks up the backend's function by type and calls it."""
        contract, decides = self.contract, self._deciding_type()
        lines, unfit = [], ["_f is None"]
        if decides is None or contract.converts:
            key = f"_set().value or {DEFAULT!r}"
            unfit += ["out is not _M"] if contract.takes_out else []
            unfit += [f"not ({self.scalar_check(self.first)})"] if contract.converts else []
            unfit += [self.overridden] if self.overridden else []
        else:
            key = "_c"
            lines = [*self._inlined(), *self._of_other_natives()] if self.of_arrays else []
            lines = lines or [f"_c = {decides}"]
            unfit += ["_rest"] if self.open_ended else []
            unfit += ["_more"] if self.open_ended and not self._out_in_more else []
            elsewhere = "is not None and _s != _c.__unify_backend__"
            unfit.append(f"_ever_set and (_s := _set().value) {elsewhere}")
        lines += [
            f"try: _f = _table[{key}]",
            "except KeyError: _f = None",  # the slow path's errors have no other for a context
            f"if {' or '.join(unfit)}: {self.slow}",
            *self._forwarded(),
        ]
        return self.use.function(self.header, lines)


def _missing(names: Iterable[str]) -> list[str]:
    return [f"{name}=_M" for name in names]
