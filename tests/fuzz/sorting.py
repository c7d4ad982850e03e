"""Classify the outcome of a malformed call."""

from __future__ import annotations

import functools
import re
import traceback
from typing import Any, Final

from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.errors import UnifyError
from tests.fuzz.surface import functions
from tests.fuzz.things import Mine
from tests.sources import OURS

__all__ = ["BAD", "SORTS", "generic", "sort_of"]

SORTS: Final = (
    "taken", "ours", "call", "users", "inner", "unnamed", "raw", "recursion", "hang", "end",
)  # fmt: skip
BAD: Final = ("inner", "unnamed", "raw", "recursion", "hang", "end")
"""The sorts of outcomes that are faults."""

# The name at the beginning of a message: `sum: ...`, `sum(x=...) failed`, `Linear.load: ...`.
_HEAD: Final = re.compile(r"^([A-Za-z_][\w.]*)(?=: |\(\)|\(.*\) failed)", re.DOTALL)
_CALL: Final = re.compile(
    r"(missing \d+ required|missing its argument|unexpected keyword|takes (no|from|exactly|at most)"
    r"|takes \d+ positional|multiple values for|got some positional-only|missing a required"
    r"|expected (at least|at most|exactly)? ?\d+ argument|too many positional|positional argument)"
)
_PROTOCOL: Final = re.compile(
    r"unsupported operand type|not supported between instances|bad operand type"
)


@functools.cache
def _names() -> frozenset[str]:
    names = (name.rpartition(".")[2] for name in (*CONTRACTS, *functions()))
    return frozenset(part for name in names for part in _parts(name))


# A function implements an operator or a protocol: its errors may have that name.
_SERVED: Final = {
    "operator.sub": ("subtract",), "operator.mul": ("multiply",), "operator.truediv": ("divide",),
    "operator.floordiv": ("floordivide",), "operator.mod": ("remainder",),
    "operator.and_": ("bitwiseand",), "operator.lshift": ("bitwiseleftshift",),
    # Python calls the right operand's reflected method.
    "operator.lt": ("less", "greater"), "operator.eq": ("equal",),
    "Array": ("dlpack", "array", "todevice", "toscalar", "tolist"),
    # The methods of a layer; the calls are those of `Linear`.
    "Module": (
        "linear", "train", "todevice", "tobackend", "save", "load", "fromtorch", "fromkeras",
        "astype", "summary",
    ),
    "Container": ("getitem", "setitem", "add"),
}  # fmt: skip


def sort_of(error: BaseException, target: str) -> str:
    """Return the sort of an exception."""
    if isinstance(error, RecursionError):
        return "recursion"
    if isinstance(error, Mine) or _in_users_code(error):
        return "users"
    message = str(error)
    if isinstance(error, UnifyError):
        return _of_ours(message, target)
    if isinstance(error, TypeError):
        if _CALL.search(message):
            head = re.match(r"([\w.<>]+)\(", message)
            last = head.group(1).rpartition(".")[2] if head else ""
            inner = last.startswith("_") and not last.startswith("__") and last != "_forward"
            return "raw" if inner else "call"
        if _PROTOCOL.search(message) and target.startswith(("operator", "Array", "Container")):
            return "call"
    # No line of ours ran: the target, or the left operand, belongs to another library.
    frames = _frames(error)
    return "call" if frames and not any(map(_of_the_package, frames)) else "raw"


def _frames(error: BaseException) -> list[str]:
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)]


def _of_the_package(filename: str) -> bool:
    return filename.startswith(OURS)


def _of_ours(message: str, target: str) -> str:
    found = _HEAD.match(message)
    if found is None:
        return "unnamed"
    parts = _parts(found.group(1))
    own = _parts(target) | set(_SERVED.get(target, ()))
    if parts & own:
        return "ours"
    return "inner" if parts & _names() else "unnamed"


def _parts(name: str) -> set[str]:
    """Return the parts of a name; a layer's is that of its function: LayerNorm, layer_norm."""
    return {part.lower().replace("_", "") for part in name.split(".")}


def _in_users_code(error: BaseException) -> bool:
    """Return True if the last frame of the error is in `things`, the module of user code."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and frames[-1].filename.endswith("things.py")


def generic(message: str) -> str:
    """Return a message without numbers and quoted parts, so that findings can be grouped."""
    message = re.sub(r"\s+", " ", message)
    message = re.sub(r"'[^']*'|\"[^\"]*\"", "'_'", message)
    message = re.sub(r"0x[0-9a-f]+|\d[\d.e+-]*", "#", message)
    return message[:160]


def text_of(error: Any) -> str:
    """Return the class and the message of an error, whose text may fail."""
    try:
        return f"{type(error).__name__}: {str(error)[:600]}"
    except Exception as again:
        return f"{type(error).__name__}: (no text: {type(again).__name__})"
