"""Helpers of layers for creating their variables: keys, checks of sizes, and the repr."""

from __future__ import annotations

from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.errors import describe, raise_type_error, raise_value_error
from arrayapi_unify.functional.random import next_key

__all__ = ["check_sizes", "keys", "format_arguments"]


def keys(layer: str, key: Any, count: int) -> list[Array]:
    """Return keys for the variables of a layer; without a key, from the hidden state."""
    if key is None:
        key = next_key()
    if not isinstance(key, Array):
        raise_type_error(
            layer, "key", f"is {describe(key)}", "pass a key, made by unify.random.key(seed)"
        )
    made = key.__array_namespace__().random.split(key, count)
    return [made[i, :] for i in range(count)]


def check_sizes(layer: str, **sizes: Any) -> None:
    """Raise for an invalid size, or one below 1."""
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int):
            raise_type_error(layer, name, f"is {describe(size)}", "pass an integer")
        if size < 1:
            raise_value_error(layer, name, f"is {size}", "pass 1 or more")


def format_arguments(*values: Any, **options: Any) -> str:
    """Render arguments; options are pairs of the value and its default."""
    told = [repr(value) for value in values]
    told += [f"{name}={value!r}" for name, (value, usual) in options.items() if value != usual]
    return ", ".join(told)
