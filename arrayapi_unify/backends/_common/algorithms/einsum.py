"""The equation of `einsum`, checked and resolved into plain labels, for natives and the body.

Libraries differ in what they take: an ellipsis, spaces, axes of size one that broadcast. After
`resolve` an equation has none of them, and every library means the same by it.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from arrayapi_unify.errors import UnifyError, UnifyTypeError, UnifyValueError, raise_argument_error

_ELLIPSIS = "..."
_SMALL = "abcdefghijklmnopqrstuvwxyz"
_LETTERS = _SMALL + _SMALL.upper()


@dataclass(frozen=True, slots=True)
class Resolved:
    """An equation on arrays of certain shapes."""

    inputs: tuple[str, ...]
    output: str
    # The axes of size one that broadcast, to be squeezed out of each operand.
    squeezed: tuple[tuple[int, ...], ...]

    @property
    def equation(self) -> str:
        """The equation in plain labels."""
        return f"{','.join(self.inputs)}->{self.output}"


def _refuse(
    problem: str,
    remedy: str = "name axes by letters, each of one size",
    kind: type[UnifyError] = UnifyValueError,
) -> NoReturn:
    raise_argument_error(kind, "einsum", "equation", problem, remedy)


def _check(equation: str, parts: Sequence[str]) -> None:
    for part in parts:
        letters = part.replace(_ELLIPSIS, "", 1)
        if not all(letter in _LETTERS for letter in letters):
            _refuse(f"is {equation!r}, in which {part!r} isn't made of letters and one ellipsis")


def _expanded(part: str, ndim: int, ellipsis: str) -> str:
    """Return the labels of one operand, the last ones of `ellipsis` in place of its ellipsis."""
    count = ndim - len(part.replace(_ELLIPSIS, ""))
    if count < 0 or (count and _ELLIPSIS not in part):
        _refuse(f"has {part!r} for an array of {ndim} axes", "name each axis once")
    return part.replace(_ELLIPSIS, ellipsis[len(ellipsis) - count :])


def _split(equation: str, shapes: Sequence[Sequence[int]]) -> tuple[list[str], str | None]:
    if not isinstance(equation, str):
        _refuse(f"is {equation!r}", "pass text such as 'ij,jk'", UnifyTypeError)
    left, arrow, right = equation.replace(" ", "").partition("->")
    parts = left.split(",")
    _check(equation, [*parts, right])
    if len(parts) != len(shapes):
        _refuse(f"has {len(parts)} operands, but {len(shapes)} arrays were passed")
    return parts, right if arrow else None


def _sizes(inputs: Sequence[str], shapes: Sequence[Sequence[int]]) -> dict[str, int]:
    """Return the size that each label stands for; size one broadcasts to any other."""
    sizes: dict[str, int] = {}
    for labels, shape in zip(inputs, shapes, strict=True):
        own: dict[str, int] = {}
        for label, size in zip(labels, shape, strict=True):
            if own.setdefault(label, size) != size:
                _refuse(f"takes a diagonal of axes of sizes {own[label]} and {size}")
            known = sizes.get(label, 1)
            if 1 not in (known, size) and known != size:
                _refuse(f"gives the label {label!r} to axes of sizes {known} and {size}")
            sizes[label] = size if known == 1 else known
    return sizes


def resolve(equation: str, shapes: Sequence[Sequence[int]]) -> Resolved:
    """Check an equation against the shapes of its operands, and resolve it."""
    parts, right = _split(equation, shapes)
    ranks = [
        len(shape) - len(part.replace(_ELLIPSIS, ""))
        for part, shape in zip(parts, shapes, strict=True)
        if _ELLIPSIS in part
    ]
    free = [letter for letter in _LETTERS if letter not in equation]
    rank = max([0, *ranks])
    if rank > len(free):
        _refuse(f"is {equation!r}, whose ellipsis stands for {rank} axes, too many")
    ellipsis = "".join(free[:rank])
    inputs = [
        _expanded(part, len(shape), ellipsis) for part, shape in zip(parts, shapes, strict=True)
    ]
    everything = "".join(inputs)
    if right is None:
        named = [c for c in sorted(set(everything)) if c not in ellipsis]
        output = ellipsis + "".join(c for c in named if everything.count(c) == 1)
    else:
        output = right.replace(_ELLIPSIS, ellipsis)
    _check_output(equation, output, everything)
    sizes = _sizes(inputs, shapes)
    squeezed = [
        tuple(a for a, c in enumerate(labels) if shape[a] == 1 and sizes[c] != 1)
        for labels, shape in zip(inputs, shapes, strict=True)
    ]
    left = [
        "".join(c for a, c in enumerate(labels) if a not in gone)
        for labels, gone in zip(inputs, squeezed, strict=True)
    ]
    return Resolved(tuple(left), output, tuple(squeezed))


# For shapes that are tuples of integers even when the library traces.
resolve_again: Final = functools.lru_cache(maxsize=1024)(resolve)


def _check_output(equation: str, output: str, everything: str) -> None:
    for label in output:
        if label not in everything or output.count(label) > 1:
            _refuse(
                f"is {equation!r}, whose result names {label!r}",
                "name labels of the operands there, each once",
            )
