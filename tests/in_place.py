"""Python's in-place operators, with the binary operators for their expected results."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

__all__ = ["IN_PLACE"]

IN_PLACE: Final[dict[str, tuple[Callable[..., Any], Callable[..., Any]]]] = {
    "+=": (operator.iadd, operator.add),
    "-=": (operator.isub, operator.sub),
    "*=": (operator.imul, operator.mul),
    "/=": (operator.itruediv, operator.truediv),
    "//=": (operator.ifloordiv, operator.floordiv),
    "%=": (operator.imod, operator.mod),
    "**=": (operator.ipow, operator.pow),
    "&=": (operator.iand, operator.and_),
    "|=": (operator.ior, operator.or_),
    "^=": (operator.ixor, operator.xor),
    "<<=": (operator.ilshift, operator.lshift),
    ">>=": (operator.irshift, operator.rshift),
}
