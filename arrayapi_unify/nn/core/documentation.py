"""The common parameters in the documentation of layers that differ in little."""

from __future__ import annotations

from arrayapi_unify.contracts.contract import MARGIN, with_margin

__all__ = ["insert_parameters"]


def insert_parameters(layer: type, text: str) -> None:
    """Insert a text before the references of a class's documentation."""
    if not layer.__doc__:  # there is none under `python -OO`
        return
    heading = f"\n\n{MARGIN}References"
    head, _, rest = layer.__doc__.partition(heading)
    layer.__doc__ = f"{head}\n{with_margin(text)}{heading}{rest}" if rest else head
