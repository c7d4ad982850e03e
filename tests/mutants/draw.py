"""Mutants of the package's sources, and a draw of them: the same in each run, by their names."""

from __future__ import annotations

import ast
import functools
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from tests.mutants.operators import OPERATORS, Change, Operator, Source

__all__ = ["AREAS", "PACKAGE", "ROOT", "Mutant", "area", "draw", "drawn_of", "find", "mutants_of"]

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "arrayapi_unify"
AREAS: Final = {
    "binding/": 18, "rendering/": 14, "contracts/": 8, "array_object/": 12, "views/": 20,
    "functional/": 20, "backends/numpy/": 14, "backends/torch/": 16, "backends/tensorflow/": 14,
    "backends/jax/": 14, "backends/dask/": 12, "backends/_common/": 14, "graph/": 14,
    "compilation/": 12, "container/": 12, "nn/": 14,
}  # fmt: skip
"""The number of mutants to draw of the files with each prefix."""
_PER_FUNCTION: Final = 2
_PLAIN: Final = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.Name)
"""Nodes without nodes below, of no operator."""
_MORE_OFTEN: Final = {"code_string": 6}


@dataclass(frozen=True)
class Mutant:
    """One fault: the file, function and operator, the changed bytes and the new text."""

    id: str
    start: int
    end: int
    new: str
    first: int
    """The first line of the statement (or of its head)."""
    last: int

    @property
    def file(self) -> str:
        return self.id.split(":")[0]

    @property
    def function(self) -> str:
        return self.id.split(":")[1]

    @property
    def operator(self) -> str:
        return self.id.split(":")[2]

    def changed(self) -> bytes:
        """Return the source with the fault."""
        content = (PACKAGE / self.file).read_bytes()
        return content[: self.start] + self.new.encode() + content[self.end :]

    def describe(self) -> str:
        """Describe the fault in one line."""
        old = (PACKAGE / self.file).read_bytes()[self.start : self.end].decode()
        texts = [" ".join(text.split())[:90] for text in (old, self.new)]
        return f"{self.id} (line {self.first}): {texts[0]!r} -> {texts[1]!r}"


class _Finder:
    """A walk through the nodes of one file, with the function and statement of each."""

    def __init__(self, content: bytes, left_out: str) -> None:
        self.source = Source(content)
        self.by_kind: dict[type[ast.AST], list[tuple[str, Operator]]] = defaultdict(list)
        for name, (kinds, operator) in OPERATORS.items():
            for kind in kinds if name != left_out else ():
                self.by_kind[kind].append((name, operator))
        self.found: list[tuple[str, str, Change, int, int]] = []
        self.walk(ast.parse(content), "", (1, 1))

    def walk(self, node: ast.AST, name: str, lines: tuple[int, int]) -> None:
        """Visit a node and its descendants."""
        if isinstance(node, ast.stmt):
            lines = _lines(node)
        for operator, changes in self.by_kind.get(type(node), ()):
            for change in changes(node, self.source):
                line = self.source.line(change[0])  # of a statement below, maybe
                own = lines if line <= lines[1] else (line, line)
                self.found.append((name or "<module>", operator, change, *own))
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            inner = f"{name}.{node.name}" if name else node.name
            for default in ast.iter_child_nodes(getattr(node, "args", ast.Tuple(elts=[]))):
                if isinstance(default, ast.expr):
                    self.walk(default, inner, (default.lineno, default.end_lineno or 0))
            for child in node.body:
                self.walk(child, inner, lines)
            return
        for child in _children(node):
            self.walk(child, name, lines)


def _lines(node: ast.stmt) -> tuple[int, int]:
    """Return the lines of a statement, without the lines of nested statements."""
    inner = [n.lineno for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt)]
    return node.lineno, max(node.lineno, min(inner) - 1) if inner else node.end_lineno or 0


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below, without annotations, messages, docstrings and type checkers' code."""
    if isinstance(node, ast.Raise | ast.Assert):
        return
    if isinstance(node, ast.If) and getattr(node.test, "id", "").endswith("TYPE_CHECKING"):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
        return
    for name, child in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list"):
            children = child if isinstance(child, list) else [child]
            for one in children:
                if isinstance(one, ast.AST) and not isinstance(one, _PLAIN):
                    one.parent = node  # type: ignore[attr-defined]
                    yield one


@functools.cache
def mutants_of(file: str) -> tuple[Mutant, ...]:
    """Return all mutants of a file, in the order of its text."""
    counts: Counter[str] = Counter()
    mutants = []
    left_out = "" if file.startswith("rendering/") else "code_string"
    finder = _Finder((PACKAGE / file).read_bytes(), left_out)
    for name, operator, (start, end, new), first, last in finder.found:
        known = f"{file}:{name}:{operator}"
        counts[known] += 1
        mutants.append(Mutant(f"{known}:{counts[known]}", start, end, new, first, last))
    return tuple(mutants)


def _is_valid(mutant: Mutant) -> bool:
    """Return True if the changed source is Python."""
    try:
        ast.parse(mutant.changed())
    except SyntaxError:
        return False
    return True


def _order(candidates: list[Mutant], seed: int) -> Iterator[Mutant]:
    """Order candidates so that operators take turns, and functions have two at most."""
    by_operator: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in candidates:
        by_operator[mutant.operator].append(mutant)
    turns = []
    for operator, mutants in by_operator.items():
        mutants.sort(key=lambda m: zlib.crc32(f"{seed} {m.id}".encode()))
        often = _MORE_OFTEN.get(operator, 1)
        turns += [(i // often, zlib.crc32(m.id.encode()), m.id, m) for i, m in enumerate(mutants)]
    counts: Counter[tuple[str, str]] = Counter()
    for *_, mutant in sorted(turns, key=lambda one: one[:3]):
        if counts[mutant.file, mutant.function] < _PER_FUNCTION and _is_valid(mutant):
            counts[mutant.file, mutant.function] += 1
            yield mutant


def area(file: str) -> str:
    """Return the prefix of a file's area."""
    return max((prefix for prefix in AREAS if file.startswith(prefix)), key=len, default="")


@functools.cache
def drawn_of(prefix: str, seed: int = 0) -> tuple[Mutant, ...]:
    """Draw the mutants of an area."""
    paths = sorted((PACKAGE / prefix).rglob("*.py"))
    files = [path.relative_to(PACKAGE).as_posix() for path in paths]
    candidates = [mutant for file in files if area(file) == prefix for mutant in mutants_of(file)]
    return tuple(islice(_order(candidates, seed), AREAS[prefix]))


def draw(seed: int = 0) -> tuple[Mutant, ...]:
    """Draw the mutants of all areas."""
    return tuple(mutant for prefix in AREAS for mutant in drawn_of(prefix, seed))


def find(identifier: str) -> Mutant:
    """Return the mutant with an id."""
    return next(m for m in mutants_of(identifier.split(":")[0]) if m.id == identifier)
