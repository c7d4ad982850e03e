"""Source of functions of no backend: top-level ones, which find it, and standalone ones."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from arrayapi_unify.backends import DEFAULT
from arrayapi_unify.contracts.annotations import ARRAY_ROLES, Role
from arrayapi_unify.contracts.contract import Contract, Returns
from arrayapi_unify.rendering.lines import render_function
from arrayapi_unify.rendering.renderer import Renderer

__all__ = [
    "render_standalone", "render_top_level", "render_with_recovery", "takes_anything",
]  # fmt: skip


def render_standalone(contract: Contract) -> str:
    """Render a standalone function of arrays: its body serves what needs no dispatch."""
    renderer = Renderer(contract)
    star, lines = [p.name for p in contract.parameters if p.role is Role.STAR], [renderer.slow]
    if star and len(contract.parameters) == 1:
        lines.insert(0, f"if _needs_no_dispatch({star[0]}): return _native(*{star[0]})")
    if contract.cache_by_dtypes:
        lines = [
            f"if len({star[0]}) == 2:",
            f"    _a, _b = {star[0]}",
            "    _t = _results.get((_type(_a), _type(_b)))",
            "    _r = _t.get((_a._data.dtype, _b._data.dtype)) if _t else None",
            "    if _r is not None: return _r",
            *lines,
        ]
    return render_function(renderer.header, lines)


def render_with_recovery(contract: Contract) -> str:
    """Render a function that calls `_native` as it was called, and `_recover` if that raises."""
    renderer = Renderer(contract)
    lines = [
        "try:",
        *(f"    {line}" for line in renderer.call()),
        "except Exception as error:",
        f"    return _recover(error, {renderer.args}, {renderer.kwargs})",
        "return _r",
    ]
    return render_function(renderer.header, lines)


def render_top_level(contract: Contract) -> str:
    """Render a top-level function, which calls the function of the arrays' backend."""
    return render_function(*_TopLevel(contract).function())


def takes_anything(contract: Contract) -> bool:
    """Return True if a call that doesn't fit the signature gets to the slow path.

    That is so if arrays come first, and nothing else is required.
    """
    found = list(takewhile(lambda p: p.required and p.positional_only, contract.parameters))
    required = [p for p in contract.parameters if p.required or p.star]
    arrays = all(p.role in ARRAY_ROLES - {Role.KEY} for p in found)
    return bool(found) and found == required and arrays and not contract.converts


class _TopLevel(Renderer):
    """The source of one top-level function.

    `_table` maps the arrays' types (or, for functions without an array, the backends' names) to
    bound functions; `_natives` and `_bare` map types of arrays, and of native ones, to native
    functions and what makes an Array of their results. `_set` reads the setting of the backend.
    """

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
        alone, unset = ["not _more", "not _rest"], "not _ever_set"
        set_here = f"({unset} or _set().value in _b)"
        convert = "if _t is not None and _type(_r) is not _t: _r = _k(_r)"
        wrap = ["_a = _m()", "_a._data = _r", "return _a"]
        lines = [
            "try:",
            f"    _c = _type({first})",
            "    _n, _t, _k, _m = _natives[_c]",
            "except KeyError:",
            "    if _c in _bare:",
            "        _n, _t, _k, _m, _d, _b, _f, _from = _bare[_c]",
            f"        if {' and '.join([*same, *known, *alone, set_here])}:",
            "            try:",
            f"                _r = _n({', '.join(names)})",
            *(f"                {line}" for line in [convert, *wrap]),
            "            except Exception: pass  # the slow path says why",
            *(["    _n = _c in _looped and not _more and not _rest"] if loops else []),
            "else:",
            f"    if {' and '.join([*same, *alone, unset])}:",
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

    def _of_other_natives(self) -> list[str]:
        """Render the call of the bound function: native arrays beside lists, and reduced ones."""
        if not self.of_arrays:
            return []
        same = " and ".join(f"_type({name}) is _c" for name in self.names)
        second: list[str] = []
        lists: list[str] = []
        if len(self.names) == 2:
            x, y = self.names
            second = [f"if _c is list: _c = _type({y})"]
            for one, other, call in ((x, y, f"_f(_l, {y})"), (y, x, f"_f({x}, _l)")):
                # Other lists may have arrays of another backend, which decide.
                numbers = f"_type({one}) is list and (_l := _from({one})) is not None"
                fits = f"_from and _type({other}) is _c and {numbers}"
                lists += [
                    f"        if {fits}:",
                    f"            try: return {call}",
                    "            except Exception: pass  # the slow path says what is wrong",
                ]
        return [
            *second,
            "if _c in _bare and not _more and not _rest:",
            "    _, _, _, _, _, _b, _f, _from = _bare[_c]",
            "    if not _ever_set or _set().value in _b:",
            f"        if {same}: return _f({', '.join(self.names)})",
            *lists,
        ]

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
            "except KeyError: pass",  # the slow path's errors shall have no other for a context
            "else:",
            *(f"    {line}" for line in [*check, *self._forwarded()]),
            self.slow,
        ]
        return self.header, [*self._inlined(), *self._of_other_natives(), *lines]


def _missing(names: Iterable[str]) -> list[str]:
    return [f"{name}=_M" for name in names]
