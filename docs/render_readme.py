"""Fill the README's measured tables from the committed reports."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

__all__ = ["render"]

ROOT = Path(__file__).parent.parent
# Which reports stand side by side; a row shows whatever of them is there.
ROWS = {
    "NumPy": ("arrayapi_unify.numpy", "arrayapi_unify@numpy", "numpy", "array_api_compat.numpy"),
    "PyTorch": ("arrayapi_unify.torch", "arrayapi_unify@torch", "torch", "array_api_compat.torch"),
    "TensorFlow": (
        "arrayapi_unify.tensorflow",
        "arrayapi_unify@tensorflow",
        "tensorflow.experimental.numpy",
        "",
    ),
    "JAX": ("arrayapi_unify.jax", "arrayapi_unify@jax", "jax.numpy", ""),
}
COST = ("add(x, y)", "x + y", "sum(x)", "reshape(x)")


def _score(name: str) -> str:
    path = ROOT / "reports" / f"{name}.json"
    if not name or not path.exists():
        return ""
    summary = json.loads(path.read_text(encoding="utf-8"))["data"]["summary"]
    if not summary.get("official"):
        return "official suite not run"
    return f"{summary.get('failed', 0)} of {summary['passed'] + summary.get('failed', 0)}"


def conformance() -> str:
    """Return the table of failures in the official suite."""
    lines = [
        "Failed tests of the official suite (commit and examples are in the reports):",
        "",
        "| backend | arrayapi_unify, bound | arrayapi_unify, top level | the library itself | "
        "array-api-compat |",
        "|---|---:|---:|---:|---:|",
    ]
    for backend, names in ROWS.items():
        scores = [_score(name) for name in names]
        if any(scores):
            lines.append(f"| {backend} | {' | '.join(scores)} |")
    return "\n".join(lines)


def cost() -> str:
    """Return the table of the cost of small calls."""
    path = ROOT / "reports" / "benchmark.json"
    calls: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["calls"]
    smallest = min(call["size"] for call in calls)
    chosen = [c for c in calls if c["size"] == smallest and c["operation"] in COST]
    doors = list(dict.fromkeys(name for call in chosen for name in call["ratios"]))
    lines = [
        f"Time of a call at {smallest} elements, as a multiple of the bare library's call "
        "(median, one run):",
        "",
        "| backend | operation | bare call | " + " | ".join(doors) + " |",
        "|---|---|---:|" + "---:|" * len(doors),
    ]
    for call in chosen:
        ratios = [f"{call['ratios'][d]:.2f}" if d in call["ratios"] else "" for d in doors]
        bare = f"{call['native_ns']:,.0f} ns"
        cells = [call["backend"], f"`{call['operation']}`", bare, *ratios]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def render() -> str:
    """Return the README with its measured parts filled in."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for part, table in (("conformance", conformance()), ("cost", cost())):
        pattern = rf"(<!-- {part} -->\n).*?(<!-- /{part} -->)"
        text = re.sub(pattern, lambda m, t=table: f"{m[1]}{t}\n{m[2]}", text, flags=re.DOTALL)
    return text
