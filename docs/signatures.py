"""The aliases in the signatures of public functions: the type of each, and what may be passed."""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

from arrayapi_unify.contracts import annotations
from arrayapi_unify.contracts.annotations import Role

__all__ = ["aliases"]

# Accepted arguments by role, and by alias if it accepts more than its role.
TAKES = {
    Role.ARRAY: "an array; scalars and nested lists are converted by `asarray`",
    Role.OPERAND: "an array, or a Python scalar, which takes the array's data type",
    Role.OPTIONAL: "an array or a scalar, or None",
    Role.SEQUENCE: "a list or tuple of arrays",
    Role.OBJECT: "any argument of `asarray`",
    Role.KEY: "an index, which may contain arrays",
    Role.DTYPE: "a `DType`, its name, a Python type or a native data type",
    Role.DEVICE: "a `Device` or its name",
    Role.OUT: "an Array to write the result into",
    "ArrayDTypeOrScalar": "an array, a data type or a Python scalar",
    "ArrayOrAny": "an array; anything else is passed on",
    "ArrayOrDType": "an array or a data type",
    "ArrayOrFloat": "an array or a number",
}


def _type_source(kind: Any) -> str:
    """Return the source text of a type."""
    if isinstance(kind, UnionType):
        return " | ".join(map(_type_source, get_args(kind)))
    if get_origin(kind) is not None:
        return f"{kind.__name__}[{', '.join(map(_type_source, get_args(kind)))}]"
    return "None" if kind is NoneType else str(kind.__name__)


def aliases() -> Iterator[tuple[str, str, str]]:
    """Yield the name of each alias, the source of its type, and what may be passed."""
    for name in annotations.__all__:
        alias = getattr(annotations, name)
        role = annotations.role_of(alias)
        if role is not Role.STATIC:
            yield name, _type_source(get_args(alias)[0]), TAKES.get(name) or TAKES[role]
