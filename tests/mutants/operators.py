"""Mutation operators: each yields changes of one node's source text, as spans and new text."""

from __future__ import annotations

import ast
import re
from bisect import bisect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Final

__all__ = ["OPERATORS", "Change", "Operator", "Source"]

Change = tuple[int, int, str]
"""The start and end of the replaced bytes, and the new text."""
Operator = Callable[[Any, "Source"], Iterator[Change]]

_COMPARISONS: Final = {
    "<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==",
    "is": "is not", "is not": "is", "in": "not in", "not in": "in",
}  # fmt: skip
_BOUNDARIES: Final = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_ORDERED: Final = (
    ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult, ast.LShift, ast.RShift,
)  # fmt: skip
_SIBLINGS: Final = {
    "float64": "float32", "float32": "float64", "float16": "float32", "bfloat16": "float16",
    "int64": "int32", "int32": "int64", "int16": "int32", "int8": "int16", "uint8": "int8",
    "uint16": "uint8", "uint32": "int32", "uint64": "int64", "complex64": "complex128",
    "complex128": "complex64", "bool": "uint8",
}  # fmt: skip
_OF_CLASSES: Final = {"isinstance", "issubclass", "zip", "cast", "TypeVar"}
# Changes of rendered code, which stands in strings.
_IN_STRINGS: Final = [
    (r" is not ", " is "), (r" is (?!not )", " is not "), (r"\bif (?!not )", "if not "),
    (r" and ", " or "), (r" or ", " and "), (r" > 0", " > 1"), (r"== 2", "!= 2"),
    (r"\bTrue\b", "False"), (r" in _", " not in _"), (r"_out\b", "_a"), (r"return _r", "return _a"),
    (r"try:", "if True:"), (r", \{\w+\}\)", ")"), (r"\._data\b", ""),
]  # fmt: skip


@dataclass
class Source:
    """The bytes of a file, and the spans of its nodes."""

    content: bytes
    _starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self._starts = [0, *accumulate(map(len, self.content.splitlines(keepends=True)))]

    def start(self, node: Any) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: Any) -> int:
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def line(self, offset: int) -> int:
        return bisect(self._starts, offset)

    def between(self, start: int, end: int) -> str:
        return self.content[start:end].decode()

    def text(self, node: Any) -> str:
        return self.between(self.start(node), self.end(node))

    def replaced(self, node: Any, new: str) -> Change:
        return self.start(node), self.end(node), new


def negate_if(node: Any, source: Source) -> Iterator[Change]:
    """Negate the condition of an `if`, a ternary or a `while`."""
    if not isinstance(node.test, ast.UnaryOp):  # `drop_not` does it
        yield source.replaced(node.test, f"not ({source.text(node.test)})")


def drop_not(node: Any, source: Source) -> Iterator[Change]:
    """Drop a `not`."""
    if isinstance(node.op, ast.Not):
        yield source.replaced(node, f"({source.text(node.operand)})")


def swap_operands(node: Any, source: Source) -> Iterator[Change]:
    """Swap the operands of a non-commutative operator."""
    if isinstance(node.op, _ORDERED):
        left, right = source.text(node.left), source.text(node.right)
        sign = source.between(source.end(node.left), source.start(node.right)).strip(" ()\n")
        yield source.replaced(node, f"({right}) {sign} ({left})")


def _compared(node: ast.AST, source: Source, table: dict[str, str]) -> Iterator[Change]:
    if len(node.ops) == 1:
        start, end = source.end(node.left), source.start(node.comparators[0])
        between = source.between(start, end)
        if (sign := " ".join(between.strip("() \n").split())) in table:
            yield start, end, between.replace(sign, table[sign], 1)


def reverse_comparison(node: Any, source: Source) -> Iterator[Change]:
    """Make a comparison the opposite one."""
    yield from _compared(node, source, _COMPARISONS)


def move_boundary(node: Any, source: Source) -> Iterator[Change]:
    """Make `<` a `<=`, and the other way round."""
    yield from _compared(node, source, _BOUNDARIES)


def swap_arguments(node: Any, source: Source) -> Iterator[Change]:
    """Swap the first two positional arguments of a call."""
    if len(node.args) < 2:
        return
    first, second = node.args[:2]
    starred = isinstance(first, ast.Starred) or isinstance(second, ast.Starred)
    name = getattr(node.func, "id", "")
    a, b = source.text(first), source.text(second)
    if not starred and a != b and name not in _OF_CLASSES and not name.endswith("attr"):
        between = source.between(source.end(first), source.start(second))
        yield source.start(first), source.end(second), f"{b}{between}{a}"


def _number(node: ast.AST) -> int | None:
    """Return an integer literal, maybe a negative one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _number(node.operand)
        return None if value is None else -value
    whole = isinstance(node, ast.Constant) and type(node.value) is int
    return node.value if whole else None  # type: ignore[attr-defined]


def shift_integer(node: Any, source: Source) -> Iterator[Change]:
    """Shift an integer: an axis to another one, others by one."""
    parent = getattr(node, "parent", None)
    value = _number(node)
    if value is not None and not (isinstance(parent, ast.UnaryOp) and _number(parent) is not None):
        axis = isinstance(parent, ast.keyword) and parent.arg in ("axis", "dim")
        yield source.replaced(node, str(int(value == 0) if axis else value + 1))


def drop_keyword(node: Any, source: Source) -> Iterator[Change]:
    """Drop a keyword argument of a call."""
    for keyword in node.keywords:
        if keyword.arg not in (None, "strict"):
            end = source.end(keyword)
            comma = re.match(rb"\s*,", source.content[end:])
            yield source.start(keyword), end + (comma.end() if comma else 0), ""


def wrong_dtype(node: Any, source: Source) -> Iterator[Change]:
    """Replace the name of a data type by that of a similar one."""
    if isinstance(node, ast.Attribute) and node.attr in _SIBLINGS:
        end = source.end(node)
        yield end - len(node.attr), end, _SIBLINGS[node.attr]
    elif isinstance(node, ast.Constant) and str(node.value) in _SIBLINGS:
        yield source.replaced(node, repr(_SIBLINGS[node.value]))


def and_or(node: Any, source: Source) -> Iterator[Change]:
    """Make an `and` an `or`, and the other way round."""
    sign = " or " if isinstance(node.op, ast.And) else " and "
    parts = sign.join(f"({source.text(value)})" for value in node.values)
    yield source.replaced(node, f"({parts})")


def remove_call(node: Any, source: Source) -> Iterator[Change]:
    """Remove a statement that is a call."""
    if isinstance(node.value, ast.Call):
        yield source.replaced(node, "pass")


def remove_recovery(node: Any, source: Source) -> Iterator[Change]:
    """Remove a statement of an `except` or a `finally`."""
    for body in (*(handler.body for handler in node.handlers), node.finalbody):
        for statement in body:
            if not isinstance(statement, ast.Pass | ast.Delete):
                yield source.replaced(statement, "pass")


def return_first(node: Any, source: Source) -> Iterator[Change]:
    """Return the first argument of a call in place of its result."""
    value = node.value
    if isinstance(value, ast.Call) and value.args and isinstance(value.args[0], ast.Name):
        yield source.replaced(value, value.args[0].id)


def flip_boolean(node: Any, source: Source) -> Iterator[Change]:
    """Make True False, and the other way round."""
    if isinstance(node.value, bool):
        yield source.replaced(node, str(not node.value))


def code_string(node: Any, source: Source) -> Iterator[Change]:
    """Change code in a string, for the modules that render functions."""
    if isinstance(getattr(node, "value", ""), str):
        text = source.text(node)
        for pattern, new in _IN_STRINGS:
            for found in re.finditer(pattern, text):
                start = source.start(node) + len(text[: found.start()].encode())
                yield start, start + len(found[0].encode()), new


OPERATORS: Final[dict[str, tuple[tuple[type[ast.AST], ...], Operator]]] = {
    operator.__name__: (tuple(kinds), operator)
    for operator, *kinds in [
        (negate_if, ast.If, ast.IfExp, ast.While),
        (drop_not, ast.UnaryOp),
        (swap_operands, ast.BinOp),
        (reverse_comparison, ast.Compare),
        (move_boundary, ast.Compare),
        (swap_arguments, ast.Call),
        (shift_integer, ast.Constant, ast.UnaryOp),
        (drop_keyword, ast.Call),
        (wrong_dtype, ast.Attribute, ast.Constant),
        (and_or, ast.BoolOp),
        (remove_call, ast.Expr),
        (remove_recovery, ast.Try),
        (return_first, ast.Return),
        (flip_boolean, ast.Constant),
        (code_string, ast.JoinedStr, ast.Constant),
    ]
}
"""The operators by name, each with the kinds of nodes that it changes."""
