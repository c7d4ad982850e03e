"""The functions that a body calls, found by reading its source and its helpers'.

An operator, a key or `astype` is a function as well, if an operand is an array. Of a name, the
values that it is assigned tell: it is no array if each of these is a number, a size, a data type or
made of such. `surely` counts operators of parameters that are annotated as arrays only.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType, ModuleType
from typing import Any, Final

from arrayapi_unify.contracts.contract import CONTRACTS, PACKAGE, Contract

__all__ = ["called", "primaries_of"]

_ARRAYS: Final = frozenset({"Array", "ArrayIn", "BodyArray"})
_PLAIN: Final = re.compile(
    r"(?:\b(?:int|str|bool|None|Sequence|tuple|list|dict|Callable|Mapping|DType|Device|ModuleType)\b|\W)*"
)
_NESTS: Final = re.compile("Sequence|list|tuple|dict|Mapping")
_OF_NAMESPACE: Final = re.compile(
    r"(?:xp|space|self\.xp|.*__array_namespace__\(\))\.([\w.]+)", re.DOTALL
)
# Modules whose functions compute; the others check, tell and convert.
_COMPUTING: Final = re.compile(
    rf"{PACKAGE}\.(?:functional|nn|backends\._common\.algorithms|kernels)\b"
)
_OPERATORS: Final[dict[type, str]] = {
    ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide",
    ast.FloorDiv: "floor_divide", ast.Mod: "remainder", ast.Pow: "pow", ast.MatMult: "matmul",
    ast.BitAnd: "bitwise_and", ast.BitOr: "bitwise_or", ast.BitXor: "bitwise_xor",
    ast.LShift: "bitwise_left_shift", ast.RShift: "bitwise_right_shift",
    ast.Lt: "less", ast.LtE: "less_equal", ast.Gt: "greater", ast.GtE: "greater_equal",
    ast.Eq: "equal", ast.NotEq: "not_equal", ast.USub: "negative", ast.UAdd: "positive",
    ast.Invert: "bitwise_invert",
}  # fmt: skip
# Attributes, functions and methods whose values are no arrays.
_OF_SIZES: Final = frozenset({"ndim", "shape", "size", "dtype", "device", "kind", "backend"})
_OF_ARGUMENTS: Final = frozenset(
    {"abs", "dict", "enumerate", "iter", "list", "map", "max", "min", "next", "reversed", "round",
     "set", "sorted", "sum", "tuple", "zip"}
)  # fmt: skip


@functools.cache
def called(function: Callable[..., Any], surely: bool = False) -> frozenset[str]:
    """Return the qualified names of the contracts that a function and its helpers call."""
    names: set[str] = set()
    strings: set[str] = set()
    tables: list[dict[Any, Any]] = []
    waiting, seen = [inspect.unwrap(function)], set()
    while waiting:
        helper = waiting.pop()
        if helper in seen:
            continue
        seen.add(helper)
        for value in _Source(helper).referenced(surely):
            if isinstance(value, Contract):
                names.add(value.qualified_name)
            elif isinstance(value, FunctionType) and _COMPUTING.match(value.__module__):
                waiting.append(inspect.unwrap(value))
            elif isinstance(value, type) and _COMPUTING.match(value.__module__):
                waiting += _written_methods(value)
            elif isinstance(value, str):
                strings.add(value)
            elif isinstance(value, dict):
                tables.append(value)
        for chosen in [table[key] for table in tables for key in strings & table.keys()]:
            if isinstance(chosen, str):
                strings.add(chosen)
            elif isinstance(chosen, FunctionType) and chosen not in seen:
                waiting.append(chosen)
    return frozenset(names) | (set() if surely else set(filter(CONTRACTS.lists, strings)))


def _written_methods(kind: type) -> list[Callable[..., Any]]:
    """Return the methods in the source of a private class; a dataclass generates others."""
    methods = [one for one in vars(kind).values() if isinstance(one, FunctionType)]
    helper = kind.__name__.startswith("_")
    return [one for one in methods if helper and one.__code__.co_filename != "<string>"]


@functools.cache
def primaries_of(name: str) -> frozenset[str]:
    """Return the primary functions that take arrays and that the body of a function may call."""
    found, waiting, seen = set(), [name], {name}
    while waiting:
        contract = CONTRACTS[waiting.pop()]
        if contract.kind == "primary":
            if contract.overridable:
                found.add(contract.qualified_name)
        elif contract.kind != "standalone":
            more = called(contract.function) - seen
            seen |= more
            waiting += more
    return frozenset(found)


class _Source:
    """The source of one function."""

    def __init__(self, function: Any) -> None:
        """Parse it; find the names that hold no arrays."""
        source = textwrap.dedent(inspect.getsource(function))
        if function.__name__ == "<lambda>":  # a row of a table
            source = f"{{{source}}}"
        self._nodes = [*ast.walk(ast.parse(source))]
        self._globals = function.__globals__
        self._tests = {part for node in self._nodes for part in _tested(node)}
        kinds = inspect.get_annotations(function)
        self._arrays = {name for name, kind in kinds.items() if kind in _ARRAYS}
        self._nests = {name for name, kind in kinds.items() if _NESTS.match(str(kind))}
        given = {node.arg for node in self._nodes if isinstance(node, ast.arg)}
        assigned = [*self._assigned()]
        self._plain = {name for name, kind in kinds.items() if _PLAIN.fullmatch(str(kind))}
        self._plain |= {name for name, _ in assigned} - given
        while changed := {n for n, value in assigned if not self._is_plain(value)} & self._plain:
            self._plain -= changed

    def _assigned(self) -> Iterator[tuple[str, ast.AST]]:
        for node in self._nodes:
            if isinstance(node, ast.Assign):
                targets, value = node.targets, node.value
            elif isinstance(node, ast.For | ast.comprehension):
                targets, value = [node.target], node.iter
            elif isinstance(node, ast.NamedExpr | ast.AugAssign | ast.AnnAssign) and node.value:
                targets, value = [node.target], node.value
            elif isinstance(node, ast.FunctionDef):
                yield node.name, ast.Constant(None)
                continue
            else:
                continue
            for name in (n for target in targets for n in ast.walk(target)):
                if isinstance(name, ast.Name):
                    yield name.id, value

    def _is_plain(self, node: ast.AST) -> bool:
        """Return True if an expression is no array and holds none."""
        if isinstance(node, ast.Name):
            found = self._globals.get(node.id, getattr(builtins, node.id, node))
            return node.id in self._plain or found is not node
        if isinstance(node, ast.Attribute):
            of_namespace = ast.unparse(node.value) == "xp" and not CONTRACTS.lists(node.attr)
            return node.attr in _OF_SIZES or of_namespace or self._is_plain(node.value)
        if isinstance(node, ast.Call):
            return self._is_plain_call(node)
        if isinstance(node, ast.Subscript):
            return self._is_plain(node.value)
        return all(map(self._is_plain, ast.iter_child_nodes(node)))

    def _is_plain_call(self, node: ast.Call) -> bool:
        found = self._value(node.func)
        if isinstance(found, Contract):
            return "Array" not in str(found.function.__annotations__.get("return"))
        if isinstance(found, FunctionType):
            return bool(_PLAIN.fullmatch(str(found.__annotations__.get("return", "Any"))))
        name = getattr(found, "__name__", "")
        if hasattr(builtins, name) and name not in _OF_ARGUMENTS:
            return True
        return self._is_plain(node.func) and all(map(self._is_plain, node.args))

    def _value(self, node: ast.AST) -> Any:
        """Return the contract or the global that an expression names; None without one."""
        if isinstance(node, ast.Name):
            found = self._globals.get(node.id, getattr(builtins, node.id, None))
            return getattr(found, "contract", found)
        if isinstance(node, ast.Attribute):
            text = ast.unparse(node)
            found = _OF_NAMESPACE.fullmatch(text.replace("operator.getitem", "xp.get_item"))
            if found and CONTRACTS.lists(found[1]):
                return CONTRACTS[found[1]]
            owner = self._globals.get(ast.unparse(node.value))
            if isinstance(owner, ModuleType) and owner.__name__.startswith(PACKAGE):
                return getattr(owner, node.attr, None)
        return None

    def referenced(self, surely: bool) -> Iterator[Any]:
        """Yield the globals and strings in a function, and the contracts of its calls.

        A string may be the name of a function: a key of a table of these, or for `getattr`.
        """
        for node in self._nodes:
            yield self._value(node)
            if isinstance(node, ast.Constant):
                yield node.value
            operands, names = ((), []) if node in self._tests else _operation(node)
            if isinstance(node, ast.Subscript) and ast.unparse(node.value) in self._nests:
                continue
            known = [isinstance(x, ast.Name) and x.id in self._arrays for x in operands]
            if any(known) if surely else not all(map(self._is_plain, operands)):
                yield from (CONTRACTS[name] for name in names)


def _tested(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a condition but for its calls: bodies branch on no values of arrays."""
    waiting: list[ast.AST] = []
    if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
        waiting = [node.test]
    elif isinstance(node, ast.BoolOp):
        waiting = [*node.values]
    elif isinstance(node, ast.comprehension):
        waiting = [*node.ifs]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, ast.Call):
            yield part
            waiting += ast.iter_child_nodes(part)


def _operation(node: ast.AST) -> tuple[Sequence[ast.AST], list[str]]:
    """Return the operands of a node, and the functions of its operators."""
    operators: Sequence[ast.AST] = ()
    operands: Sequence[ast.AST] = ()
    if isinstance(node, ast.BinOp):
        operands, operators = [node.left, node.right], [node.op]
    elif isinstance(node, ast.AugAssign):
        operands, operators = [node.target, node.value], [node.op]
    elif isinstance(node, ast.UnaryOp):
        operands, operators = [node.operand], [node.op]
    elif isinstance(node, ast.Compare):
        operands, operators = [node.left, *node.comparators], node.ops
    elif isinstance(node, ast.Subscript):
        return [node.value], ["get_item" if isinstance(node.ctx, ast.Load) else "set_item"]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return [node.func.value], ["astype"] if node.func.attr == "astype" else []
    elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("abs", "round"):
        return node.args[:1], [ast.unparse(node.func)]
    return operands, [_OPERATORS[type(op)] for op in operators if type(op) in _OPERATORS]
