"""Strategies of steps that write, or fail to write, given the reference's live arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from tests.views.implementations import Reference
from tests.views.keys import Draw, basic_key, key_of_any_kind
from tests.views.steps import Nested, Own, Part, Ref, Step, resolved
from tests.views.strategies import Arrays, any_of, goes_into

__all__ = [
    "augmented", "in_place", "into", "export", "outside", "probe", "refused", "set_item", "swap",
    "unwritable",
]  # fmt: skip

Shape = tuple[int, ...]

_NUMBERS: Final = {
    "b": (True, False, 1),
    "u": (0, 3, 7, True, 5.0),
    "i": (0, 3, -7, True, 5.0),
    "f": (0, 3, -7, 0.5, True),
    "c": (0, 3, -0.5, 2j, 1 + 3j),
}
# Data types of values to store in an array of a kind, in addition to its own.
_STORED: Final = {
    "b": ("bool", "int64", "float32"),
    "u": ("uint8", "int32", "bool", "float64"),
    "i": ("int16", "uint8", "float32"),
    "f": ("float64", "float32", "int8"),
    "c": ("complex64", "complex128", "float32"),
}
_INTEGER: Final = ("+=", "-=", "*=", "//=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>=")
_SIGNS: Final = {
    "b": ("&=", "|=", "^="),
    "u": _INTEGER,
    "i": _INTEGER,
    "f": ("+=", "-=", "*=", "/=", "//=", "%="),
    "c": ("+=", "-=", "*="),
}
# Operands with which these operators give the same numbers everywhere.
_OPERANDS: Final = {
    "//=": (1, 2, 3), "%=": (2, 3), "/=": (2, 0.5), "**=": (0, 1, 2), "<<=": (1, 2), ">>=": (1, 2),
}  # fmt: skip


def _writable(x: Any) -> bool:
    return bool(x.flags.writeable)


def _target(draw: Draw, live: Arrays) -> int:
    """Draw an array to write to, rarely a read-only one."""
    if draw(st.integers(0, 9)) and any(map(_writable, live)):
        return any_of(draw, live, _writable)
    return any_of(draw, live)


# --- values -------------------------------------------------------------------------------------


def _overlapping(draw: Draw, number: int, live: Arrays, shape: Shape) -> Part | None:
    """Draw a compatible part of an array, as in `x[1:] = x[:-1]`."""
    x = live[number]
    turned = tuple(slice(None, None, -1) for _ in x.shape)
    keys = [slice(1, None), slice(None, -1), slice(None, None, -1), turned, slice(0, 1)]
    keys += [slice(0, 2), slice(1, 3), slice(None, None, 2), slice(None, None, -2)]
    keys += [0, -1] if x.ndim and x.shape[0] else []
    keys += [(Ellipsis, 0), (Ellipsis, slice(None, None, -1), -1)[-x.ndim :]] * bool(
        x.ndim > 1 and x.shape[-1]
    )
    fit = [key for key in (keys if x.ndim else [()]) if goes_into(np.shape(x[key]), shape)]
    return Part(number, draw(st.sampled_from(fit))) if fit else None


def _value(draw: Draw, live: Arrays, number: int, shape: Shape, dtypes: Sequence[str]) -> Any:
    """Draw a value: a number, a list, a new array, a live one or a part of one."""
    form = draw(st.sampled_from(["number", "list", "own", "live", "live", "part", "part"]))
    if form == "part":
        source = draw(st.sampled_from([number, number, *range(len(live))]))
        found = _overlapping(draw, source, live, shape)
        if found is not None and live[source].dtype.name in dtypes:
            return found
    if form == "live":
        fit = [
            i for i, y in enumerate(live) if y.dtype.name in dtypes and goes_into(y.shape, shape)
        ]
        if fit:
            return Ref(draw(st.sampled_from(fit)))
    if form in ("list", "own"):
        sides = shape[draw(st.integers(0, len(shape))) :]
        own = Own(draw(st.sampled_from(dtypes)), sides, draw(st.integers(1, 9)))
        return own if form == "own" or not sides or 0 in sides else Nested(own)
    return draw(st.sampled_from(_NUMBERS[live[number].dtype.kind]))


def _key_and_shape(draw: Draw, x: Any, live: Arrays) -> tuple[Any, Shape]:
    key = key_of_any_kind(draw, x.shape, live)
    reference = Reference()
    parts = key if isinstance(key, tuple) else (key,)
    return key, np.shape(x[resolved(reference, live, parts)])


def _operand(draw: Draw, sign: str, live: Arrays, number: int, shape: Shape) -> Any:
    if sign in _OPERANDS and draw(st.booleans()):
        return draw(st.sampled_from(_OPERANDS[sign]))
    return _value(draw, live, number, shape, (live[number].dtype.name,))


# --- writes -------------------------------------------------------------------------------------


def set_item(draw: Draw, live: Arrays) -> Step:
    """Write `x[key] = value`."""
    number = _target(draw, live)
    x = live[number]
    key, shape = _key_and_shape(draw, x, live)
    value = _value(draw, live, number, shape, (x.dtype.name, *_STORED[x.dtype.kind]))
    name = draw(st.sampled_from(["set_item", "set_item", "set_item_function"]))
    return Step(name, (Ref(number), key, value))


def in_place(draw: Draw, live: Arrays) -> Step:
    """Write `x op= y`."""
    number = _target(draw, live)
    x = live[number]
    sign = draw(st.sampled_from(_SIGNS[x.dtype.kind]))
    return Step("in_place", (sign, Ref(number), _operand(draw, sign, live, number, x.shape)))


def augmented(draw: Draw, live: Arrays) -> Step:
    """Write `x[key] op= y`."""
    number = _target(draw, live)
    x = live[number]
    sign = draw(st.sampled_from(_SIGNS[x.dtype.kind]))
    key, shape = _key_and_shape(draw, x, live)
    return Step("augmented", (sign, Ref(number), key, _operand(draw, sign, live, number, shape)))


_UNARY: Final = {
    "positive": "uifc", "negative": "ifc", "square": "ifc", "abs": "if", "sort": "if",
    "flip": "buifc", "logical_not": "b", "matrix_transpose": "buifc",
}  # fmt: skip
_BINARY: Final = {
    "add": "uifc", "subtract": "uifc", "multiply": "uifc", "maximum": "uif", "logical_xor": "b",
}  # fmt: skip


def into(draw: Draw, live: Arrays) -> Step:
    """Write `f(x, out=z)` or `f(x, y, out=z)`; the arguments may be z, or share its memory."""
    number = _target(draw, live)
    z = live[number]

    def operand() -> Any:
        fit = [i for i, y in enumerate(live) if y.dtype == z.dtype and goes_into(y.shape, z.shape)]
        return Ref(draw(st.sampled_from(fit)))

    binary = [name for name, kinds in _BINARY.items() if z.dtype.kind in kinds]
    if draw(st.booleans()):
        name = draw(st.sampled_from(binary))
        return Step("into", (name, Ref(number), Ref(number), operand()))
    unary = [name for name, kinds in _UNARY.items() if z.dtype.kind in kinds]
    least = {"sort": 1, "matrix_transpose": 2}
    name = draw(st.sampled_from([name for name in unary if least.get(name, 0) <= z.ndim]))
    fit = [i for i, y in enumerate(live) if y.dtype == z.dtype and y.shape == z.shape]
    if name == "matrix_transpose" and z.shape[-1] != z.shape[-2]:
        name = "flip"
    return Step("into", (name, Ref(number), Ref(draw(st.sampled_from(fit)))))


def swap(draw: Draw, live: Arrays) -> Step | None:
    """Swap the first two elements by a temporary name; rows, which are views, become equal."""
    fit = [i for i, x in enumerate(live) if x.ndim and x.shape[0] > 1]
    return Step("swap", (Ref(draw(st.sampled_from(fit))),)) if fit else None


def export(draw: Draw, live: Arrays) -> Step | None:
    """Export an array to NumPy, if it is writable."""
    if not any(map(_writable, live)):
        return None
    return Step("export", (Ref(any_of(draw, live, _writable)),))


def outside(draw: Draw, exported: Arrays) -> Step | None:
    """Write to an exported array, or drop it."""
    if not exported:
        return None
    number = draw(st.integers(0, len(exported) - 1))
    if not draw(st.integers(0, 2)):
        return Step("release", (number,))
    x = exported[number]
    key = basic_key(draw, x.shape)
    own = Own(x.dtype.name, np.shape(x[key]), draw(st.integers(1, 60)))
    return Step("outside", (number, key, own))


def probe(live: Arrays, number: int) -> Step:
    """Write unique numbers, to detect the arrays that share the memory."""
    x = live[number]
    if x.dtype.kind == "b":
        return Step("in_place", ("^=", Ref(number), True))
    return Step("set_item", (Ref(number), Ellipsis, Own(x.dtype.name, x.shape, 64 + number)))


# --- refusals -----------------------------------------------------------------------------------


def unwritable(draw: Draw, live: Arrays) -> Step | None:
    """Write to an array that NumPy returns read-only."""
    fit = [i for i, x in enumerate(live) if not _writable(x)]
    if not fit:
        return None
    number = draw(st.sampled_from(fit))
    x = live[number]
    key, _ = _key_and_shape(draw, x, live)
    number_or_own = draw(st.sampled_from([1, Own(x.dtype.name, ())]))
    name = "add" if x.dtype.kind != "b" else "logical_xor"
    steps = [
        Step("set_item", (Ref(number), key, number_or_own)),
        Step("in_place", (_SIGNS[x.dtype.kind][0], Ref(number), Own(x.dtype.name, ()))),
        Step("into", (name, Ref(number), Ref(number), Ref(number))),
    ]
    return draw(st.sampled_from(steps))  # type: ignore[no-any-return]  # one of those steps


def refused(draw: Draw, live: Arrays) -> Step:
    """Make a failing write: incompatible shapes, higher kinds, indices out of range."""
    number = _target(draw, live)
    x, ref = live[number], Ref(number)
    key = basic_key(draw, x.shape)
    dtype, sign = x.dtype.name, _SIGNS[x.dtype.kind][0]
    too_long = (*np.shape(x[key])[:-1], 7)
    steps = [
        Step("set_item", (ref, key, Own(dtype, too_long))),
        Step("in_place", (sign, ref, Own(dtype, (*x.shape[:-1], 7)))),
        Step("into", ("positive" if x.dtype.kind != "b" else "logical_not", ref, Own(dtype, (7,)))),
        Step("set_item", (ref, (0,) * (x.ndim + 1), 1)),
        Step("get_item", (ref, (0,) * (x.ndim + 1))),
        Step("reshape", (ref, (x.size + 1,)), {"copy": None}),
        Step("reshape", (ref, (-1,)), {"copy": False}),
        Step("permute_dims", (ref, (0,) * (x.ndim + 2))),
        Step("expand_dims", (ref,), {"axis": x.ndim + 3}),
    ]
    if x.ndim:
        side = x.shape[0]
        steps += [Step("set_item", (ref, place, 1)) for place in (side, -side - 1)]
        steps.append(Step("augmented", (sign, ref, side, Own(dtype, ()))))
    if x.dtype.kind in "uif":
        steps += [Step("set_item", (ref, key, 1j)), Step("in_place", ("+=", ref, 1j))]
        steps.append(Step("set_item", (ref, key, Own("complex64", ()))))
    if x.dtype.kind in "ui":
        steps += [Step("set_item", (ref, key, 2**70)), Step("in_place", ("+=", ref, 2**70))]
        steps += [Step("in_place", ("*=", ref, 1.5)), Step("in_place", ("/=", ref, 2))]
    return draw(st.sampled_from(steps))  # type: ignore[no-any-return]  # one of those steps
