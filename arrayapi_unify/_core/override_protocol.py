"""The `__ivy_array_function__` protocol: classes that are not ours take over our functions.

The semantics are those of NEP 18 ("A dispatch mechanism for NumPy's high level array functions").
Nothing here runs when no argument has the protocol; binding calls it from its slow path only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from arrayapi_unify.errors import BackendError

__all__ = [
    "PROTOCOL", "TRUSTED", "DeclinedError", "call_overrides", "mismatch_error", "overrides",
    "overriding", "raise_declined_in_body", "run_bodies", "takes_over",
]  # fmt: skip

PROTOCOL = "__ivy_array_function__"
BODIES: Final = "__ivy_run_bodies__"
# Python's message for a call that doesn't fit a signature.
_SIGNATURE_MISMATCH: Final = re.compile(
    r"\(\) (takes|missing|got (an unexpected|multiple|some positional-only))"
)


# Python's messages for operators whose methods return NotImplemented.
_REFUSED_OPERATOR: Final = re.compile(
    r"unsupported operand type\(s\) for ([^\s:]+)(?: or pow\(\))?: |'(\S+)' not supported between "
)
_FUNCTIONS: Final = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "//": "floor_divide",
    "%": "remainder", "**": "pow", "@": "matmul", "&": "bitwise_and", "|": "bitwise_or",
    "^": "bitwise_xor", "<<": "bitwise_left_shift", ">>": "bitwise_right_shift", "<": "less",
    "<=": "less_equal", ">": "greater", ">=": "greater_equal",
}  # fmt: skip


class DeclinedError(BackendError):
    """Every overriding operand declined: an operator leaves the call to Python then."""


def raise_declined_in_body(name: str, error: TypeError) -> None:
    """Raise the error of a function whose body calls one that the classes decline, if it does.

    The body's operators are Python's, which tells symbols and no functions.
    """
    if isinstance(error, DeclinedError):
        raise DeclinedError(f"{name}: its body calls {error}") from None
    found = _REFUSED_OPERATOR.match(str(error))
    function = _FUNCTIONS.get(found[1] or found[2]) if found else None
    if function is not None:
        raise DeclinedError(
            f"{name}: its body calls {function}, which every overriding type declines ({error}); "
            f"register an implementation of {function}"
        ) from None


TRUSTED: Final[set[type]] = set()
"""Types whose own values, other than those of subclasses, override nothing."""


def takes_over(value: Any) -> bool:
    """Return True if `value`'s class overrides functions (our own default doesn't count)."""
    return overrides(type(value))


def overrides(kind: type) -> bool:
    """Return True if a class overrides functions (our own default doesn't count)."""
    method = getattr(kind, PROTOCOL, None)
    return method is not None and not getattr(method, "is_default", False)


def overriding(values: Iterable[Any]) -> list[Any]:
    """Collect the overriding arguments, one per type, in the order of NEP 18.

    A subclass goes before its superclasses, otherwise left to right.
    """
    found: list[Any] = []
    for value in values:
        kind = type(value)
        if not takes_over(value) or any(type(other) is kind for other in found):
            continue
        place = next((i for i, other in enumerate(found) if issubclass(kind, type(other))), None)
        found.insert(len(found) if place is None else place, value)
    return found


def run_bodies(values: Iterable[Any]) -> bool:
    """Return True if all overriding arguments ask for the bodies of functions that they decline."""
    return all(getattr(type(value), BODIES, False) for value in overriding(values))


def _types(values: Iterable[Any]) -> tuple[type, ...]:
    return tuple(dict.fromkeys(map(type, values)))


def _takes_no_object(kind: type) -> bool:
    """Return True for a class method or a static method, as PyTorch's protocol has it."""
    found = (vars(owner).get(PROTOCOL) for owner in kind.__mro__)
    return isinstance(next(filter(None, found), None), classmethod | staticmethod)


def _is_signature_mismatch(error: TypeError) -> bool:
    """Return True if a handler's signature didn't fit, so that none of its own lines ran."""
    trace = error.__traceback__
    # One frame is ours, the next one is the protocol's method, which looks up the handler.
    at_the_call = trace is not None and (trace.tb_next is None or trace.tb_next.tb_next is None)
    return at_the_call and _SIGNATURE_MISMATCH.search(str(error)) is not None


def mismatch_error(function: Any, values: Iterable[Any], error: TypeError) -> BackendError:
    """Return the error for arguments, some of classes of the user, that don't fit the signature."""
    given = ", ".join(kind.__qualname__ for kind in _types(values))
    problem = str(error).partition("; ")[0]
    return BackendError(
        f"{function.__name__}: arguments of the types {given} don't fit: {problem}; "
        f"give the arguments that the signature names"
    )


def call_overrides(
    function: Callable[..., Any],
    relevant: list[Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> tuple[bool, Any]:
    """Let the overriding arguments among `relevant` handle the call.

    Returns `(False, None)` where nobody overrides, `(True, result)` where somebody did. Where all
    of them decline with `NotImplemented`, raises `BackendError`, which lists the types asked.
    """
    candidates = overriding(relevant)
    if not candidates:
        return False, None
    types = _types(relevant)
    for candidate in candidates:
        try:
            first = () if _takes_no_object(type(candidate)) else (candidate,)
            result = type(candidate).__ivy_array_function__(*first, function, types, args, kwargs)
        except TypeError as error:
            if not _is_signature_mismatch(error):
                raise
            name = getattr(function, "__name__", function)
            given = ", ".join(kind.__qualname__ for kind in types)
            raise BackendError(
                f"{name}: the override of {type(candidate).__qualname__} doesn't take these "
                f"arguments (types: {given}): {error}; pass what it takes, or let it take them"
            ) from error
        if result is not NotImplemented:
            return True, result
    asked = ", ".join(type(c).__qualname__ for c in candidates)
    name = getattr(function, "__name__", function)
    # A function that makes arrays needs none made first.
    convert = name not in ("asarray", "array", "from_dlpack")
    otherwise = ", or convert the argument to an array first" if convert else ""
    raise DeclinedError(
        f"{name}: every overriding type returned NotImplemented from {PROTOCOL} (types asked: "
        f"{asked}); register an implementation of the function with one of these types{otherwise}"
    )
