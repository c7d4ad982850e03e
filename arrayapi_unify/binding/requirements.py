"""The functions that a contract's body calls, read from its source.

A backend may lack functions. A body that calls one of these can't run, so the namespace of such a
backend leaves out the body's function, too. Calls of `xp`, of other contracts and of helpers are
read, and operators of a parameter that is an array. Methods aren't.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, Final

from arrayapi_unify.binding.contract import CONTRACTS, PACKAGE, Contract

__all__ = ["lacking"]

_ARRAYS: Final = frozenset({"Array", "ArrayIn", "BodyArray"})
_OF_NAMESPACE: Final = re.compile(r"(?:xp|.*__array_namespace__\(\))\.([\w.]+)", re.DOTALL)
_OPERATORS: Final[dict[type, str]] = {
    ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide",
    ast.FloorDiv: "floor_divide", ast.Mod: "remainder", ast.Pow: "pow", ast.MatMult: "matmul",
    ast.BitAnd: "bitwise_and", ast.BitOr: "bitwise_or", ast.BitXor: "bitwise_xor",
    ast.LShift: "bitwise_left_shift", ast.RShift: "bitwise_right_shift",
    ast.Lt: "less", ast.LtE: "less_equal", ast.Gt: "greater", ast.GtE: "greater_equal",
    ast.Eq: "equal", ast.NotEq: "not_equal", ast.USub: "negative", ast.Invert: "bitwise_invert",
}  # fmt: skip


def lacking(
    contract: Contract, has_native: Callable[[Contract], bool], _open: frozenset[str] = frozenset()
) -> list[str]:
    """Return the primary functions that a call of `contract` needs, and a backend lacks.

    `has_native` says which contracts the backend has a native function for. `_open` holds the
    contracts whose bodies lead to this one, some of which call each other.
    """
    name = contract.qualified_name
    if name in _open or contract.kind == "standalone" or has_native(contract):
        return []
    if contract.kind == "primary":
        return [name]
    called = (CONTRACTS[needed] for needed in sorted(_called(contract.function)))
    found = [lacking(needed, has_native, _open | {name}) for needed in called]
    return sorted({missing for part in found for missing in part})


@cache
def _called(function: Callable[..., Any]) -> frozenset[str]:
    """Return the qualified names of the contracts that a function and its helpers call."""
    names: set[str] = set()
    helpers, seen = [inspect.unwrap(function)], set()
    while helpers:
        helper = helpers.pop()
        if helper in seen:
            continue
        seen.add(helper)
        for value in _referenced(helper):
            if isinstance(value, Contract):
                names.add(value.qualified_name)
            elif isinstance(value, FunctionType) and value.__module__.startswith(PACKAGE):
                helpers.append(inspect.unwrap(value))
    return frozenset(names)


def _referenced(function: Callable[..., Any]) -> Iterator[Any]:
    """Yield the globals that a function names, and the contracts of what it calls."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    arrays = {n for n, kind in inspect.get_annotations(function).items() if kind in _ARRAYS}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found = function.__globals__.get(node.id)
            yield getattr(found, "contract", found)
        elif isinstance(node, ast.Attribute):
            found = _OF_NAMESPACE.fullmatch(ast.unparse(node))
            owner = function.__globals__.get(ast.unparse(node.value))
            if found and CONTRACTS.lists(found[1]):
                yield CONTRACTS[found[1]]
            elif isinstance(owner, ModuleType) and owner.__name__.startswith(PACKAGE):
                yield getattr(owner, node.attr, None)
        else:
            yield from (CONTRACTS[name] for name in _operators(node, arrays))


def _operators(node: ast.AST, arrays: set[str]) -> Iterator[str]:
    """Yield the functions behind the operators of a node that has an array as an operand."""
    operands: list[ast.expr]
    operators: Sequence[ast.AST]
    if isinstance(node, ast.BinOp):
        operands, operators = [node.left, node.right], [node.op]
    elif isinstance(node, ast.UnaryOp):
        operands, operators = [node.operand], [node.op]
    elif isinstance(node, ast.Compare):
        operands, operators = [node.left, *node.comparators], node.ops
    else:
        return
    if any(isinstance(operand, ast.Name) and operand.id in arrays for operand in operands):
        yield from (_OPERATORS[type(op)] for op in operators if type(op) in _OPERATORS)
