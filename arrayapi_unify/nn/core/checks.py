"""Checks of the options of layers, so that a constructor refuses what no call accepts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from arrayapi_unify.backends._common.algorithms.convolutions import (
    channels_axis_first,
    one_for_each,
    pairs,
)
from arrayapi_unify.errors import describe, raise_type_error

__all__ = ["Format", "Padding", "Sizes", "check_flags", "check_integers", "check_window"]

Format: TypeAlias = Literal["channels_last", "channels_first"]
"""The position of the channels."""
Sizes: TypeAlias = int | Sequence[int]
"""An integer, or one for each spatial axis."""
Padding: TypeAlias = str | int | Sequence[int | Sequence[int]]
"""``"VALID"``, ``"SAME"``, or numbers of elements."""


def check_flags(layer: str, **given: Any) -> None:
    """Raise for values that aren't bools."""
    for name, value in given.items():
        if not isinstance(value, bool):
            raise_type_error(layer, name, f"is {describe(value)}", "pass True or False")


def check_integers(layer: str, **given: Any) -> None:
    """Raise for values that aren't integers."""
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise_type_error(layer, name, f"is {describe(value)}", "pass an integer")


def check_window(layer: str, axes: int, **options: Any) -> None:
    """Raise for options of a window that don't fit a number of spatial axes."""
    for name, given in options.items():
        if name == "data_format":
            channels_axis_first(layer, given)
        elif name == "padding":
            if not isinstance(given, str) or given not in ("VALID", "SAME"):
                pairs(layer, given, axes)
        elif name == "count_padding":
            check_flags(layer, count_padding=given)
        elif given is not None:
            one_for_each(layer, name, given, axes, least=name != "output_padding")
