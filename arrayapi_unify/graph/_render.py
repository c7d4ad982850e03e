"""Drawings of graphs: Mermaid text, and a small layered SVG."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arrayapi_unify.graph._graph import Graph
    from arrayapi_unify.graph._nests import Node

__all__ = ["mermaid", "show", "svg"]

_WIDTH: Final = 120
_HEIGHT: Final = 32
_GAP: Final = 24
_STYLE: Final = "font-family='sans-serif' font-size='13' text-anchor='middle'"


def _boxes(
    inputs: Sequence[str], nodes: Sequence[Node], outputs: Sequence[str]
) -> tuple[list[tuple[str, str]], list[tuple[int, int]]]:
    """Return the boxes as kinds and labels, and the lines as pairs of box numbers."""
    boxes = [("input", name) for name in inputs]
    source = {name: i for i, name in enumerate(inputs)}
    lines: list[tuple[int, int]] = []
    for node in nodes:
        lines += [(source[name], len(boxes)) for name in node.inputs if name in source]
        source.update(dict.fromkeys(node.outputs, len(boxes)))
        boxes.append(("node", node.name))
    for name in outputs:
        if name in source:
            lines.append((source[name], len(boxes)))
            boxes.append(("output", name))
    return boxes, lines


def mermaid(inputs: Sequence[str], nodes: Sequence[Node], outputs: Sequence[str]) -> str:
    """Return a flowchart."""
    boxes, lines = _boxes(inputs, nodes, outputs)
    shapes = {"input": '(["{}"])', "node": '["{}"]', "output": '(["{}"])'}
    text = [f"    n{i}{shapes[kind].format(label)}" for i, (kind, label) in enumerate(boxes)]
    return "\n".join(["flowchart TD", *text, *(f"    n{a} --> n{b}" for a, b in lines), ""])


def _layers(count: int, lines: Sequence[tuple[int, int]]) -> list[int]:
    """Place each box below the boxes with lines to it."""
    layer = [0] * count
    for start, end in sorted(lines, key=lambda line: line[1]):
        layer[end] = max(layer[end], layer[start] + 1)
    return layer


def _placed(layer: Sequence[int]) -> Iterator[tuple[float, float]]:
    """Yield the centre of each box; the boxes of a layer are side by side."""
    widths = {n: layer.count(n) for n in set(layer)}
    most = max(widths.values(), default=1)
    seen = dict.fromkeys(widths, 0)
    for n in layer:
        left = (most - widths[n]) / 2 + seen[n]
        seen[n] += 1
        yield (left + 0.5) * (_WIDTH + _GAP), n * (_HEIGHT + 2 * _GAP) + _GAP + _HEIGHT / 2


def svg(inputs: Sequence[str], nodes: Sequence[Node], outputs: Sequence[str]) -> str:
    """Return a drawing in layers."""
    boxes, lines = _boxes(inputs, nodes, outputs)
    layer = _layers(len(boxes), lines)
    places = list(_placed(layer))
    width = max((x for x, _ in places), default=0.0) + (_WIDTH + _GAP) / 2
    height = max((y for _, y in places), default=0.0) + _HEIGHT / 2 + _GAP
    parts = [
        f"<line x1='{places[a][0]:g}' y1='{places[a][1] + _HEIGHT / 2:g}' x2='{places[b][0]:g}' "
        f"y2='{places[b][1] - _HEIGHT / 2:g}' stroke='#888'/>"
        for a, b in lines
    ]
    for (kind, label), (x, y) in zip(boxes, places, strict=True):
        fill, round_ = ("#eef4ff", 4) if kind == "node" else ("#f4f4f4", 16)
        parts.append(
            f"<rect x='{x - _WIDTH / 2:g}' y='{y - _HEIGHT / 2:g}' width='{_WIDTH}' "
            f"height='{_HEIGHT}' rx='{round_}' fill='{fill}' stroke='#555'/>"
            f"<text x='{x:g}' y='{y + 5:g}' {_STYLE}>{escape(label)}</text>"
        )
    size = f"width='{width:g}' height='{height:g}' viewBox='0 0 {width:g} {height:g}'"
    return f"<svg xmlns='http://www.w3.org/2000/svg' {size}>{''.join(parts)}</svg>"


def show(graph: Graph) -> None:
    """Show a graph in a notebook, or print it."""
    try:
        display: Any = importlib.import_module("IPython.display")
        running = importlib.import_module("IPython").get_ipython() is not None
    except ModuleNotFoundError:
        running = False
    if running:
        display.display(display.SVG(graph.to_svg()))
    else:
        print(graph)
