"""Tables for notebooks: what `_repr_html_` of several classes returns."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["table"]


def table(caption: str, headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table of texts; colours and fonts are the notebook's own, so that dark ones work.

    Lines and columns of a text stay as they are.
    """
    head = "".join(f"<th>{_text(name)}</th>" for name in headings)
    body = "".join(
        f"<tr>{''.join(f'<td><pre>{_text(cell)}</pre></td>' for cell in row)}</tr>" for row in rows
    )
    top = f"<caption>{_text(caption)}</caption>"
    return f"<table>{top}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _text(value: Any) -> str:
    return html.escape(str(value))
