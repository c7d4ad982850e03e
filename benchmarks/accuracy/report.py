"""`reports/accuracy.json`: the rows, merged by several runs, and the page that shows them."""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import Any, Final

from benchmarks.report import environment
from compliance import disk

__all__ = ["NAME", "load", "merge", "rows_of"]

NAME: Final = "accuracy.json"
_TABLES: Final = ("sections", "rows")
KEYS: Final = ("function", "dtype", "library", "who")


def processor() -> dict[str, Any]:
    """Return the processor's name and the vector instructions that decide about results."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:  # another system than Linux
        return {"name": platform.processor(), "features": []}
    fields = {k.strip(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
    flags = fields.get("flags", "").split()
    known = [f for f in flags if f.startswith(("avx", "fma", "sse4", "asimd", "sve"))]
    return {"name": fields.get("model name", platform.processor()), "features": known}


def load(folder: Path) -> dict[str, Any]:
    """Return the report, or an empty one."""
    path = folder / NAME
    if not path.exists():
        return {"schema": 1, "rows": []}
    found: dict[str, Any] = disk.read(path, "delete it, so that all is measured anew")
    for key in _TABLES:
        if keys := found.pop(f"{key}_keys", None):
            found[key] = [
                dict(zip(keys[place], values, strict=True)) for place, *values in found[key]
            ]
    return found


def rows_of(folder: Path, function: str, dtype: str) -> dict[str, Any]:
    """Return what an earlier run has of a function, if it had the same libraries; else nothing."""
    found = load(folder)
    if found.get("environment", {}).get("packages") != environment()["packages"]:
        return {}
    rows = [row for row in found["rows"] if (row["function"], row["dtype"]) == (function, dtype)]
    return {f"{row['library']}/{row['who']}": row for row in rows}


def merge(folder: Path, rows: dict[str, dict[str, Any]], **others: Any) -> None:
    """Replace the rows of a function and data type, and leave those of all others."""
    with disk.locked(folder):
        found = load(folder)
        kept = {tuple(row[k] for k in KEYS): row for row in found["rows"]}
        kept |= {tuple(row[k] for k in KEYS): row for row in rows.values()}
        found["rows"] = [kept[key] for key in sorted(kept)]
        found |= others
        found["environment"] = environment() | {"processor": processor()}
        disk.write(folder / NAME, _dumped(found))


def _dumped(found: dict[str, Any]) -> str:
    """Return JSON with a row in each line, which begins with the number of its list of keys."""
    tables = {key: found[key] for key in _TABLES if key in found}
    head = {key: value for key, value in found.items() if key not in tables}
    keys = {table: dict.fromkeys(tuple(row) for row in rows) for table, rows in tables.items()}
    head |= {f"{table}_keys": [*each] for table, each in keys.items() if each}
    text = json.dumps(head, indent=1)[:-2]
    for key, rows in tables.items():
        places = {each: place for place, each in enumerate(keys[key])}
        lines = ",\n".join(
            json.dumps([places[tuple(row)], *row.values()], separators=(",", ":")) for row in rows
        )
        text += f',\n "{key}": [\n{lines}\n ]'
    return text + "\n}\n"
