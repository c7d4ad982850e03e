"""`reports/accuracy.svg`: the error over the argument, a panel for each function and library.

A path of at most 96 steps needs no library: the file is a tenth of what matplotlib writes.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, Final

from benchmarks.accuracy.libraries import LIBRARIES

__all__ = ["svg"]

_PANEL: Final = (192, 60)
_GAP: Final = (14, 24)
_LEFT: Final = 92
_TOP: Final = 64
_LOWEST: Final = -2  # powers of two: from a quarter of a unit to 32
_HIGHEST: Final = 5
_STYLE: Final = (
    "text{font:11px sans-serif;fill:#222}.small{font-size:9px;fill:#666}"
    ".frame{fill:#fafafa;stroke:#bbb}.half{stroke:#2a8a4a;stroke-dasharray:3 3}"
    ".zero{stroke:#ccc}.bare{fill:none;stroke:#999;stroke-width:2}"
    ".ours{fill:none;stroke:#1f5fbf;stroke-width:1}.worst{fill:#c62828}"
)


def _height(error: float) -> float:
    """Return the distance from the top of a panel; what is beyond its ends is drawn there."""
    place = min(max(math.log2(error) if error > 0 else _LOWEST, _LOWEST), _HIGHEST)
    return _PANEL[1] * (_HIGHEST - place) / (_HIGHEST - _LOWEST)


def _path(profile: list[float]) -> str:
    """Return the steps of a profile: negative arguments on the left, small ones in the middle."""
    width = _PANEL[0] // len(profile)
    heights = [f"{_height(error):.0f}" for error in profile]
    steps = [f"V{height}h{width * len(list(run))}" for height, run in itertools.groupby(heights)]
    return f"M0,{heights[0]}" + "".join(steps)


def _mark(row: dict[str, Any]) -> str:
    """Return a dot at the worst argument, and its error in words."""
    error = max(row["profile"])
    if error <= 0:
        return ""
    x = _PANEL[0] * (row["profile"].index(error) + 0.5) / len(row["profile"])
    anchor = "end" if x > _PANEL[0] / 2 else "start"
    at, text = float(row["at"][0]), f"{row['max_ulp']:.3g}"
    return (
        f'<circle class="worst" cx="{x:.1f}" cy="{_height(error):.1f}" r="2.5">'
        f"<title>{text} ulp at {at!r}</title></circle>"
        f'<text class="small" x="{x:.1f}" y="{_height(error) - 4:.1f}" '
        f'text-anchor="{anchor}">{text}</text>'
    )


def _panel(x: float, y: float, rows: dict[str, dict[str, Any]]) -> list[str]:
    width, height = _PANEL
    lines = [
        f'<g transform="translate({x},{y})">',
        f'<rect class="frame" width="{width}" height="{height}"/>',
        f'<line class="zero" x1="{width / 2}" x2="{width / 2}" y2="{height}"/>',
        f'<line class="half" x2="{width}" y1="{_height(0.5):.1f}" y2="{_height(0.5):.1f}"/>',
    ]
    for who in ("bare", "ours"):
        if "profile" in rows.get(who, {}):
            lines.append(f'<path class="{who}" d="{_path(rows[who]["profile"])}"/>')
    if "profile" in rows.get("ours", {}):
        lines.append(_mark(rows["ours"]))
    return [*filter(None, lines), "</g>"]


def svg(rows: list[dict[str, Any]], dtype: str) -> str:
    """Return the plot of all functions of one argument, of one data type."""
    found: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for row in rows:
        if row["dtype"] == dtype and (len(row.get("at", ())) == 1 or "points" not in row):
            found.setdefault((row["function"], row["library"]), {})[row["who"]] = row
    names = sorted({name for (name, _), both in found.items() if "at" in both.get("ours", {})})
    columns, step = len(LIBRARIES), (_PANEL[0] + _GAP[0], _PANEL[1] + _GAP[1])
    width, height = _LEFT + columns * step[0], _TOP + len(names) * step[1] + 8
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"<title>The error of functions over their argument, {dtype}</title>",
        f'<style>{_STYLE}</style><rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="8" y="16">Largest error (ulp) by argument, {dtype}: blue ours, grey the bare '
        "library, red the worst of ours; dashed a half.</text>",
        '<text x="8" y="32">From the left: -2**23 and below, -2**-24, 2**-24, 2**23 and above. '
        "Upwards: 1/4 to 32 ulp.</text>",
    ]
    for i, library in enumerate(LIBRARIES):
        lines.append(f'<text x="{_LEFT + i * step[0]}" y="54">{library}</text>')
    for j, name in enumerate(names):
        y = _TOP + j * step[1]
        lines.append(f'<text x="8" y="{y + _PANEL[1] / 2}">{name}</text>')
        for i, library in enumerate(LIBRARIES):
            lines += _panel(_LEFT + i * step[0], y, found.get((name, library), {}))
    return "\n".join([*lines, "</svg>"]) + "\n"
