"""The `__ivy_array_function__` protocol: classes that are not ours take over our functions.

The semantics are those of NEP 18 ("A dispatch mechanism for NumPy's high level array functions").
Nothing here runs when no argument has the protocol; binding calls it from its slow path only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from arrayapi_unify.errors import BackendError

__all__ = ["PROTOCOL", "call_overrides", "overriding", "takes_over"]

PROTOCOL = "__ivy_array_function__"


def takes_over(value: Any) -> bool:
    """Whether `value`'s class overrides functions (our own default doesn't count)."""
    method = getattr(type(value), PROTOCOL, None)
    return method is not None and not getattr(method, "is_default", False)


def overriding(values: Iterable[Any]) -> list[Any]:
    """Collect the overriding arguments, one per type, in the order in which NEP 18 asks them.

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


def _types(values: Iterable[Any]) -> Iterator[type]:
    seen: set[type] = set()
    for value in values:
        kind = type(value)
        if kind not in seen:
            seen.add(kind)
            yield kind


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
    types = tuple(_types(relevant))
    for candidate in candidates:
        result = type(candidate).__ivy_array_function__(candidate, function, types, args, kwargs)
        if result is not NotImplemented:
            return True, result
    asked = ", ".join(type(c).__qualname__ for c in candidates)
    raise BackendError(
        f"{getattr(function, '__name__', function)}: every overriding type returned "
        f"NotImplemented from {PROTOCOL} (types asked: {asked}); register an implementation of "
        f"the function with one of these types, or convert the argument to an array first"
    )
