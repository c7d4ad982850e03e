"""Fill the README's measured tables from the committed reports."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from arrayapi_unify._version import __version__
from compliance import store, view

__all__ = ["TITLES", "filled", "overhead", "render", "sizes", "version"]

ROOT = Path(__file__).parent.parent
REPORTS = ROOT / "reports"
# The libraries' own names.
TITLES = {
    "numpy": "NumPy", "torch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX", "dask": "Dask",
}  # fmt: skip
COST = ("add(x, y)", "x + y", "sum(x)", "reshape(x)")


def _score(entry: view.Entry | None, usual: int) -> str:
    """Return "failed of ran", with a remark if tests were lost or the example count is unusual."""
    if entry is None:
        return "not measured"
    score, examples = entry.score, entry.stored.summary.get("max_examples", "unknown")
    lost = f", {score.lost} lost" if score.lost else ""
    drawn = f" ({examples} examples)" if examples != usual else ""
    return f"{score.failed} of {score.ran}{lost}{drawn}"


def _remarks(entries: list[view.Entry]) -> list[str]:
    """Return a sentence for each thing that limits what is shown."""
    named = defaultdict(list)
    for entry in entries:
        for remark in entry.remarks:
            named[remark].append(f"`{entry.stored.label}`")
    return [f"{', '.join(names)}: {remark}." for remark, names in named.items()]


def _measured(entries: list[view.Entry]) -> list[str]:
    """Return a sentence with the dates and commits at which our own namespaces were measured."""
    mine = [entry.stored for entry in entries if view.ours(entry.stored)]
    days = sorted({stored.report["timestamp"][:10] for stored in mine})
    commits = sorted({_commit(stored) for stored in mine} - {""})
    if not days:
        return []
    span = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    at = f", at commit {', '.join(f'`{commit}`' for commit in commits)}" if commits else ""
    return [f"The namespaces of this package were measured on {span}{at}."]


def _skips(entries: list[view.Entry]) -> list[str]:
    """Return a sentence with the tests of our namespaces that the suite itself skips."""
    found: dict[tuple[int, int, str], list[str]] = defaultdict(list)
    for stored in (entry.stored for entry in entries if view.ours(entry.stored)):
        tests = stored.report["data"]["tests"]
        skipped = [test for test in tests if test["outcome"] == "skipped"]
        names = sorted({re.sub(r".*::|\[.*", "", test["nodeid"]) for test in skipped})
        if names:
            found[len(skipped), len(tests), ", ".join(f"`{n}`" for n in names)].append(stored.label)
    return [
        f"The official suite itself skips {count} of its {total} tests, those of {names}, which it "
        "marks as flaky; they count as neither passed nor failed."
        for count, total, names in found
    ]


def _commit(stored: store.Stored) -> str:
    return (stored.meta.get("library", {}).get("commit") or "")[:12]


def conformance(folder: Path = REPORTS) -> str:
    """Return the table of failures in the official suite."""
    page = view.build(store.load_all(folder))
    kept = [place for place, way in enumerate(view.WAYS) if way.kind != "draft"]
    rows = [(name, [entries[place] for place in kept]) for name, entries in page.libraries()]
    ways = [page.ways[place] for place in kept]
    shown = [entry for _, entries in rows for entry in entries if entry is not None]
    drawn = Counter(entry.stored.summary.get("max_examples", 0) for entry in shown)
    usual = max(drawn, key=drawn.__getitem__, default=0)
    lines = [
        f"Failed tests of the official suite, {usual} examples each unless stated otherwise:",
        "",
        f"| library | {' | '.join(ways)} |",
        "|---|" + "---:|" * len(ways),
    ]
    for library, entries in rows:
        scores = [_score(entry, usual) for entry in entries]
        lines.append(f"| {TITLES.get(library, library)} | {' | '.join(scores)} |")
    notes = _measured(shown) + _skips(shown) + _remarks(shown)
    notes += [f"On `{e.stored.label}` the official suite was NOT RUN." for e in page.own_checks]
    if any(entry.score.lost for entry in shown):
        notes.append("Lost tests belong to an extension that the namespace lacks.")
    return "\n".join([*lines, *(line for note in notes for line in ("", note))])


def _calls() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((REPORTS / "benchmark.json").read_text("utf-8"))[
        "calls"
    ]
    return found


def cost() -> str:
    """Return the table of the cost of small calls."""
    calls = _calls()
    smallest = min(call["size"] for call in calls)
    chosen = [c for c in calls if c["size"] == smallest and c["operation"] in COST]
    candidates = list(dict.fromkeys(name for call in chosen for name in call["ratios"]))
    lines = [
        f"Time of a call at {smallest} elements, as a multiple of the bare library's call "
        "(median, one run):",
        "",
        "| backend | operation | bare call | " + " | ".join(candidates) + " |",
        "|---|---|---:|" + "---:|" * len(candidates),
    ]
    for call in chosen:
        ratios = [f"{call['ratios'][d]:.2f}" if d in call["ratios"] else "" for d in candidates]
        bare = f"{call['native_ns']:,.0f} ns"
        cells = [call["backend"], f"`{call['operation']}`", bare, *ratios]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def overhead() -> str:
    """Say what a small call costs more than the bare one, or less."""
    calls = _calls()
    smallest = min(call["size"] for call in calls)
    more: dict[str, list[float]] = defaultdict(list)
    for call in calls:
        if call["size"] == smallest and "bound namespace" in call["ratios"]:
            ratio = call["ratios"]["bound namespace"]
            more[call["backend"]].append(call["native_ns"] * (ratio - 1) / 1000)
    parts = []
    for name, found in more.items():
        if (middle := median(found)) > 0:
            parts.append(f"{middle:.1f} µs more on {TITLES[name]}")
        else:
            parts.append(f"{-middle:.0f} µs less on {TITLES[name]}")
    return (
        f"A call with {smallest} elements takes {', '.join(parts[:-1])}\nand {parts[-1]} than the "
        "bare library's call (medians over\nthe operations of the benchmark)."
    )


def version() -> str:
    """Return the version, and what it needs."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    python = project["requires-python"].removeprefix(">=")
    (numpy,) = project["dependencies"]
    return (
        f"Version {__version__} ([changes](../CHANGELOG.md)), {project['license']} license "
        f"([text](../LICENSE)).\nIt needs Python {python} or newer and NumPy "
        f"{numpy.removeprefix('numpy>=')} or newer."
    )


def sizes() -> str:
    """Return the table of the disk space of each extra."""
    text = (REPORTS / "install_sizes.md").read_text(encoding="utf-8")
    return "\n".join(re.findall(r"^\|.*$", text.partition("\n## ")[0], re.MULTILINE))


def render() -> str:
    """Return the README with its measured parts filled in."""
    parts = {"conformance": conformance(), "cost": cost(), "overhead": overhead()}
    return filled(ROOT / "README.md", **parts)


def filled(path: Path, **parts: str) -> str:
    """Return a page with its derived parts, each of which stands between two comments."""
    text = path.read_text(encoding="utf-8")
    for part, table in parts.items():
        pattern = rf"(<!-- {part} -->\n).*?(<!-- /{part} -->)"
        text = re.sub(pattern, lambda m, t=table: f"{m[1]}{t}\n{m[2]}", text, flags=re.DOTALL)
    return text
