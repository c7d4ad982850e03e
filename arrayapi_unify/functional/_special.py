"""The bodies of special functions: computed in double precision, and rounded once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.special import FUNCTIONS, NAMES
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import raise_type_error
from arrayapi_unify.functional._common import (
    BodyArray,
    check_real,
    is_compiling,
    is_number,
    known,
    real,
)


def of_one(name: str, x: BodyArray) -> Array:
    """Compute a function of one array."""
    return _rounded(name, real(f"special.{name}", "x", x))


def of_operands(name: str, *operands: BodyArray) -> Array:
    """Compute a function of arrays of one floating-point data type, whose shapes broadcast."""
    xp = operands[0].__array_namespace__()
    return _rounded(name, *xp.broadcast_arrays(*operands))


def _rounded(name: str, *arrays: Array) -> Array:
    if is_compiling(arrays[0]):  # torch.compile follows its own kernel, which takes these
        return getattr(arrays[0].__array_namespace__().special, name)(*arrays)
    dtype = arrays[0].dtype
    wide = (x.astype(dtypes.float64, copy=False) for x in arrays)
    found: Array = FUNCTIONS[name](_namespace(arrays[0]), *wide)
    return found.astype(dtype, copy=False)


_NAMESPACES: dict[Any, Any] = {}


def _namespace(x: BodyArray) -> Any:
    """Return the namespace in which the functions compute with an array."""
    known = x.backend if isinstance(x, Array) else x.__array_namespace__()
    if known in _NAMESPACES:
        return _NAMESPACES[known]
    xp: Any = namespace_of(known) if isinstance(known, str) else known
    functions = {name: getattr(xp, name) for name in (*NAMES, "stop_gradient")}
    found = SimpleNamespace(**functions, constants=_constants, holds=_holds, compresses=_never)
    return _NAMESPACES.setdefault(known, found)


def _constants(numbers: tuple[float, ...], like: Array) -> Any:
    return like.__array_namespace__().asarray(numbers, dtype=like.dtype, device=like.device)


def _holds(condition: BodyArray) -> bool | None:
    xp = condition.__array_namespace__()
    if known(xp.all(condition)):
        return True
    return False if known(xp.any(condition)) is False else None


def _never(*_: Array) -> bool:
    return False


def operands(function: str, **given: BodyArray) -> list[BodyArray]:
    """Return operands as arrays of one floating-point data type, and their namespace before."""
    for name, x in given.items():
        if not is_number(x):
            check_real(function, name, x)
        elif isinstance(x, complex):
            raise_type_error(function, name, "is complex", "pass a real number")
    arrays = [x for x in given.values() if not is_number(x)]
    dtype = dtypes.promote(*(x.dtype for x in arrays))
    dtype = dtype if dtype.kind == "f" else dtypes.default_float()
    like, xp = arrays[0], arrays[0].__array_namespace__()
    return [xp] + [
        xp.full_like(like, x, dtype=dtype) if is_number(x) else x.astype(dtype, copy=False)
        for x in given.values()
    ]
