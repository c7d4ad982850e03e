"""The memory of a worker over time, as a drawing."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path

from benchmarks.scale.cluster import LIMIT, OnCluster

__all__ = ["draw"]


def draw(runs: Sequence[OnCluster], path: Path) -> None:
    """Draw the megabytes of the larger worker over the seconds, a line a run, and the limit."""
    matplotlib = importlib.import_module("matplotlib")
    settings = {"svg.hashsalt": "scale", "font.size": 8}
    with matplotlib.rc_context(matplotlib.rcParamsDefault | settings):
        figure = importlib.import_module("matplotlib.figure").Figure(figsize=(8, 3.2))
        axes = figure.add_subplot()
        for run in runs:
            axes.plot(*zip(*run.memory, strict=True), label=run.name, linewidth=1)
        axes.axhline(LIMIT, color="grey", linestyle="--", label="limit of a worker")
        axes.set(xlabel="s", ylabel="MB of the larger worker", ylim=(0, None))
        axes.legend(frameon=False)
        figure.tight_layout()
        figure.savefig(path, format="svg", metadata={"Date": None})
