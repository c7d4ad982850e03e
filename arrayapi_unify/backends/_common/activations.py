"""Checks of the activation functions that natives and bodies share."""

from __future__ import annotations

from arrayapi_unify.errors import UnifyValueError, refuse

__all__ = ["check_approximation"]


def check_approximation(approximate: str) -> None:
    """Refuse a word that names no approximation of `gelu`."""
    if approximate not in ("none", "tanh"):
        refuse(
            UnifyValueError, "gelu", "approximate", f"is {approximate!r}",
            "pass 'none' or 'tanh'",
        )  # fmt: skip
