"""The badge of a report: a drawing, or data for a service that draws it."""

import html
import importlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import states, view
from .disk import write
from .errors import ComplianceError
from .store import Stored

# A colour for each status of a `view.Cell`; grey if a report doesn't measure conformance.
_COLOURS = {"all": "#1a7f37", "some": "#b35900", "no": "#b3261e", "none": "#6a737d"}
_UNFINISHED = "#0b5fad"
# The approximate width of a letter in the given fonts; `textLength` makes it exact.
_LETTER, _MARGIN = 6.6, 7
_FINE = 4  # dots of a PNG for each pixel of the SVG
_DARK = "#3d444d"
_SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" \
aria-label="{label}: {message}">
<title>{label}: {message}</title>
<rect width="{width}" height="20" rx="3" fill="{dark}"/>
<path d="M{left} 0h{rest}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{rest}z" fill="{colour}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="{margin}" y="14" textLength="{label_length}">{label}</text>
<text x="{message_at}" y="14" textLength="{message_length}">{message}</text>
</g>
</svg>
"""


@dataclass(frozen=True)
class Badge:
    """The texts and the colour of a badge."""

    label: str
    message: str
    colour: str

    @property
    def svg(self) -> str:
        """The badge as SVG that refers to no other file."""
        label_length, message_length = (
            round(len(text) * _LETTER) for text in (self.label, self.message)
        )
        left, right = label_length + 2 * _MARGIN, message_length + 2 * _MARGIN
        return _SVG.format(
            label=html.escape(self.label),
            message=html.escape(self.message),
            colour=self.colour,
            dark=_DARK,
            width=left + right,
            left=left,
            rest=right - 3,
            margin=_MARGIN,
            message_at=left + _MARGIN,
            label_length=label_length,
            message_length=message_length,
        )

    @property
    def png(self) -> bytes:
        """The badge as PNG with four dots for each pixel, for places that show no SVG."""
        image: Any = importlib.import_module("PIL.Image")
        draw: Any = importlib.import_module("PIL.ImageDraw")
        font = importlib.import_module("PIL.ImageFont").load_default(11 * _FINE)
        lengths = [round(font.getlength(text)) for text in (self.label, self.message)]
        left, right = (length + 2 * _MARGIN * _FINE for length in lengths)
        height, middle = 20 * _FINE, 10 * _FINE
        drawn = image.new("RGBA", (left + right, height))
        pen = draw.Draw(drawn)
        for at, corners, colour in (
            ((0, 0, left, height), (True, False, False, True), _DARK),
            ((left, 0, left + right, height), (False, True, True, False), self.colour),
        ):
            pen.rounded_rectangle(at, 3 * _FINE, colour, corners=corners)
        for x, text in ((left // 2, self.label), (left + right // 2, self.message)):
            pen.text((x, middle), text, "#fff", font, anchor="mm")
        target = io.BytesIO()
        drawn.save(target, "PNG")
        return target.getvalue()

    @property
    def endpoint(self) -> str:
        """The data that shields.io's endpoint badges read."""
        said = {"label": self.label, "message": self.message, "color": self.colour}
        return json.dumps({"schemaVersion": 1, **said}, indent=2) + "\n"


def badge(stored: Stored) -> Badge:
    """Return the number of passed tests of those that ran, or the reason for not giving it."""
    label = f"Array API {stored.report['api_version']}"
    score = view.score(stored)
    lacking = _lacking(stored)
    if lacking:
        return Badge(label, lacking, _COLOURS["none"])
    if states.ABSENT in states.functions(stored.tests).values() and score.absent > score.lost:
        colour = _COLOURS["some"] if score.wrong else _UNFINISHED
        return Badge(label, states.score(stored.tests), colour)
    # Rounded down: only a namespace without any failure reads 100%.
    lost = f", {score.lost} lost" if score.lost else ""
    return Badge(label, f"{score.text} ({score.percent}){lost}", _COLOURS[score.status])


def _lacking(stored: Stored) -> str:
    """Return why a report isn't a result of the whole official suite, or ""."""
    if stored.summary.get("unimportable"):
        return "can't be imported"
    if not stored.official:
        return "official suite not run"
    if stored.summary.get("interrupted"):
        return "interrupted"
    if stored.summary.get("partial"):
        return "only a part was run"
    return "" if stored.summary.get("pinned_suite") else "another suite"


def save(made: Badge, path: Path) -> None:
    """Write a badge as the end of the name says: a drawing (.svg, .png), or data (.json)."""
    match path.suffix.lower():
        case ".svg":
            write(path, made.svg)
        case ".png":
            write(path, made.png)
        case ".json":
            write(path, made.endpoint)
        case _:
            remedy = "Name a file that ends in .svg, .png or .json."
            raise ComplianceError(f"{path} has the name of no kind of badge.", remedy)
