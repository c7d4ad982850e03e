"""Renders all reports of a folder: one page of all in HTML and in Markdown, and one of each."""

import contextlib
import html
import json
import re
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from . import COMMAND, store, view
from .disk import locked, write
from .errors import ComplianceError

_TEMPLATES = Path(__file__).parent / "templates"
# Special characters of Markdown text and tables. Underscores inside words aren't special, and
# remain, so that the page is easier to read as plain text.
_MARKDOWN = re.compile(r"[\\`*\[\]|~#$@]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
PAGES = ("index.html", "README.md")
_MOST = 20  # causes of failures


def render(folder: Path, into: Path | None = None) -> list[Path]:
    """Write the pages and return the paths of the first two; they depend only on the reports."""
    with locked(folder) if folder.is_dir() else contextlib.nullcontext():
        return _rendered(folder, into or folder)


def _rendered(folder: Path, into: Path) -> list[Path]:
    reports = store.load_all(folder)
    if not reports:
        remedy = f"Make one with: {COMMAND} run numpy"
        raise ComplianceError(f"There is no report in {folder}.", remedy)
    page = view.build(reports)
    written = []
    for target in PAGES:
        text = (
            _environment()
            .get_template(f"{target}.j2")
            .render(page=page, marks=view.MARKS, most=_MOST)
        )
        write(into / target, text)
        written.append(into / target)
    own = _environment().get_template("namespace.html.j2")
    for entry in page.entries:
        write(into / entry.page, own.render(e=entry))
    kept = {entry.page for entry in page.entries}
    for old in (into / view.FOLDER).glob("ns-*.html"):
        if f"{view.FOLDER}/{old.name}" not in kept:
            old.unlink()
    return written


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        # Messages of failing tests may contain anything, including <script>.
        autoescape=lambda name: name is not None and name.endswith(".html.j2"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"md": markdown, "code": code, "brief": brief}
    environment.filters |= {"cut": cut, "script": script, "breakable": breakable}
    return environment


def markdown(text: Any) -> str:
    """Text for a Markdown paragraph or table cell, shown exactly as it is."""
    # Quotes mean nothing here, and their escapes hold a character that is escaped below.
    escaped = html.escape(" ".join(str(text).split()), quote=False)
    return _MARKDOWN.sub(lambda match: f"&#{ord(match.group())};", escaped)


def code(text: Any) -> str:
    """Text as code within a line, which no content can close."""
    line = " ".join(str(text).split()) or " "
    bars = "`" * (_longest_run(line) + 1)
    # One space on either side is not shown.
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{bars}{space}{line}{space}{bars}"


def _longest_run(text: str) -> int:
    """Return the length of the longest run of backticks."""
    return max((len(run) for run in re.findall(r"`+", text)), default=0)


def brief(text: Any, length: int = 160) -> str:
    """One line of a text."""
    line = " ".join(str(text).split())
    return line if len(line) <= length else line[: length - 1] + "…"


def cut(text: str, length: int) -> str:
    """The beginning of a text of several lines."""
    return text if len(text) <= length else f"{text[:length]} …"


def script(value: Any) -> Markup:
    """Data inside of a script element: without the end of one, or the beginning of a comment."""
    return Markup(json.dumps(value, separators=(",", ":")).replace("<", "\\u003c"))


def breakable(name: str) -> Markup:
    """A dotted name that may be broken before a part of it."""
    return Markup(re.sub(r"(?<=[.@])", "<wbr>", str(escape(name))))
