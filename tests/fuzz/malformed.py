"""Malformed calls: valid calls with one fault, arguments and kinds in equal shares."""

from __future__ import annotations

import inspect
import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from tests.differential.case import ArrayArg
from tests.fuzz.source import Call, Source
from tests.fuzz.surface import Target

__all__ = ["KINDS", "malformed"]

Draw = random.Random
Wrong = Callable[[Draw, Any], Any]


def _one_of(*texts: str) -> Wrong:
    return lambda draw, value: Source(draw.choice(texts))


_TYPES: Final = _one_of(
    "None", "'text'", "b'bytes'", "Thing()", "Thing", "Shaped", "Shaped()", "Unprintable()",
    "Liar()", "{}", "{'a': 1}", "{0}", "...", "slice(0, 1)", "range(2)", "iter([1, 2])", "double",
    "raises", "no_arguments", "len", "unify", "True", "1.5", "1j", "-1", "np.int64(1)",
    "np.float32(1.5)", "'float32'", "unify.float32", "xp.float64", "float", "object()", "type",
    "(1.0,)", "[True]", "unify.Container(a=1)", "Exception('text')", "memoryview(b'ab')",
)  # fmt: skip
_DTYPES: Final = _one_of(
    *(f"xp.ones((2, 3), dtype='{dtype}')" for dtype in (
        "bool", "int8", "uint8", "uint64", "int64", "float32", "complex64", "complex128",
        "float16", "bfloat16",
    )), "OBJECTS", "TEXTS", "TIMES", "RECORDS", "np.ones((2, 3), '>f8')", "np.ones(2, 'g')",
    "xp.asarray(True)", "xp.asarray(1j)",
)  # fmt: skip
_SPECIAL: Final = _one_of(
    "nan", "inf", "-inf", "complex(nan, inf)", "np.float64('nan')", "xp.asarray(nan)", "[nan]",
    "xp.asarray([nan, inf])", "(inf, inf)", "xp.full((2, 3), -inf)",
)  # fmt: skip
_HUGE: Final = _one_of(
    "2**31", "-2**31", "2**40", "2**62", "2**63", "-2**63", "2**64", "10**18", "-10**18", "10**30",
    "10**400", "(2**31, 2**31)", "(2**62,)", "[2**40]", "(2**64, 1)", "range(10**18)", "1e300",
    "xp.asarray(2**40)", "np.uint64(2**63)", "(1,) * 100", "[0] * 70", "(2,) * 40",
)  # fmt: skip
_NESTED: Final = _one_of(
    "[]", "[[]]", "[None]", "[[1], [2, 3]]", "[[1, 2], 3]", "[Thing()]", "['a', 1]", "[[[]], []]",
    "deep(70)", "deep(2000)", "deep(100000)", "cyclic()", "cyclic_dict()", "(cyclic(),)",
    "[xp.ones(2), xp.ones(3)]", "[xp.ones(2), 1]", "[{}]", "[Unprintable()]", "[1, [2, [3, []]]]",
    "[10**400]", "[1, 'a']", "((1, 2), [3])", "[[1.0, None]]", "[[[1], [2]], [[3]]]", "[Shaped]",
)  # fmt: skip
_OTHERS: Final = _one_of(
    "other.ones((2, 3))", "other.ones(2).data", "other.asarray(1)", "other.asarray(1).data",
    "[other.ones(2)]", "[other.ones(2).data, xp.ones(2)]", "(other.asarray(1),)",
    "{'a': other.ones(2)}", "other.asarray([1, 0])", "other.float32", "np.ones((2, 3))",
)  # fmt: skip


def _rank(draw: Draw, value: Any) -> Any:
    """Give an array another number of axes."""
    if not isinstance(value, ArrayArg):
        return Source(draw.choice(("xp.asarray(1.0)", "xp.ones(3)", "xp.ones((1,) * 33)",
                                   "xp.ones((2, 3, 1, 2))", "xp.ones((1,) * 5)")))  # fmt: skip
    axes = draw.choice((0, 1, 2, 3, 4, 7, 33))
    shape = value.values.shape
    more = (1,) * max(0, axes - len(shape))
    return _made(value.values.dtype, more + shape[max(0, len(shape) - axes) :])


def _size(draw: Draw, value: Any) -> Any:
    """Make an axis longer or shorter."""
    if not isinstance(value, ArrayArg) or not value.values.ndim:
        return Source(draw.choice(("xp.ones(0)", "xp.ones((0, 3))", "xp.ones(7)", "(3, 0)",
                                   "(-1, -1)", "0", "xp.ones((5, 5))", "[1] * 9")))  # fmt: skip
    shape = list(value.values.shape)
    shape[draw.randrange(len(shape))] = draw.choice((0, 1, 2, 3, 5, 11))
    return _made(value.values.dtype, tuple(shape))


def _made(dtype: Any, shape: tuple[int, ...]) -> ArrayArg:
    return ArrayArg(np.ones(shape, dtype))


def _dtype(draw: Draw, value: Any) -> Any:
    """Give an array another data type."""
    if isinstance(value, ArrayArg) and draw.random() < 0.5:
        name = draw.choice(("bool", "int8", "uint64", "int64", "float32", "complex128"))
        return ArrayArg(np.ones(value.values.shape, name))
    return _DTYPES(draw, value)


_OF_AN_ARGUMENT: Final[dict[str, Wrong]] = {
    "type": _TYPES, "rank": _rank, "size": _size, "dtype": _dtype, "special": _SPECIAL,
    "huge": _HUGE, "nested": _NESTED, "other": _OTHERS,
}  # fmt: skip
KINDS: Final = (*_OF_AN_ARGUMENT, "twice", "missing", "extra")


def malformed(target: Target, number: int, seed: int) -> Iterator[tuple[str, Call]]:
    """Draw malformed calls of a target: for each argument and kind in turn, in a drawn order."""
    draw = random.Random(f"{seed} {target.name}")
    pairs = [
        (base, place, kind)
        for base in target.calls
        for kind in KINDS
        for place in (_places(target, base) if kind in _OF_AN_ARGUMENT else [None])
    ]
    draw.shuffle(pairs)
    # One round over all pairs of argument and kind.
    seen: dict[Any, int] = {}
    rank = []
    for base, place, kind in pairs:
        key = kind, place, base.text.partition("(")[0]
        seen[key] = seen.get(key, 0) + 1
        rank.append(seen[key])
    pairs = [pair for _, pair in sorted(zip(rank, pairs, strict=True), key=lambda both: both[0])]
    for base, place, kind in itertools.islice(itertools.cycle(pairs), number if pairs else 0):
        yield kind, _broken(draw, target, base, place, kind)


def _places(target: Target, call: Call) -> list[Any]:
    """Return the possible arguments: by position, or by name."""
    found: list[Any] = list(range(len(call.args)))
    names = {name for name, _ in call.kwargs}
    for place, parameter in enumerate(target.parameters(call)):
        if parameter.kind is parameter.VAR_POSITIONAL and not call.args:
            found.append(place)
        elif parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY) and (
            place >= len(call.args)
        ):
            names.add(parameter.name)
    return found + sorted(names)


def _broken(draw: Draw, target: Target, call: Call, place: Any, kind: str) -> Call:
    if kind in _OF_AN_ARGUMENT:
        wrong = _OF_AN_ARGUMENT[kind]
        if isinstance(place, int):
            old = call.args[place] if place < len(call.args) else None
            args = (*call.args[:place], wrong(draw, old), *call.args[place + 1 :])
            return replace(call, args=args)
        kwargs = dict(call.kwargs)
        kwargs[place] = wrong(draw, kwargs.get(place))
        return replace(call, kwargs=tuple(kwargs.items()))
    return _MISCALLED[kind](draw, target, call)


def _twice(draw: Draw, target: Target, call: Call) -> Call:
    """Pass an argument both by position and by name."""
    parameters = target.parameters(call)[: len(call.args)]
    names = [p.name for p in parameters if p.kind is not inspect.Parameter.VAR_POSITIONAL]
    if not names:
        return _extra(draw, target, call)
    name = draw.choice(names)
    return replace(call, kwargs=(*call.kwargs, (name, call.args[names.index(name)])))


def _missing(draw: Draw, target: Target, call: Call) -> Call:
    """Omit arguments."""
    return replace(call, args=call.args[: draw.randrange(len(call.args) + 1) - 1], kwargs=())


def _extra(draw: Draw, target: Target, call: Call) -> Call:
    """Pass too many arguments."""
    if draw.random() < 0.5:
        return replace(call, kwargs=(*call.kwargs, ("nonsense", Source("1"))))
    return replace(call, args=(*call.args, *[Source("None")] * draw.choice((1, 3, 40))))


_MISCALLED: Final = {"twice": _twice, "missing": _missing, "extra": _extra}
