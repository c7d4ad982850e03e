"""`python -m docs.upstream [--measure] [LIBRARY ...]`: run every row with the installed libraries.

It names the rows whose fault is gone or new, and those that ours gets wrong; the exit code says if
there are any. `--measure` records the results, from which `python -m docs` derives the page.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any

from docs.upstream.run import measure
from docs.upstream.table import LIBRARIES, measured, record, rows

__all__ = ["deviations"]


def deviations(library: str, found: dict[str, Any]) -> list[str]:
    """Return a line for each row that differs from what the table says of the version."""
    version, lines = found["version"], []
    for row in rows(library):
        bare, ours = found["bare"][row.name], found["ours"][row.name]
        if not row.agrees(ours):
            lines.append(f"{row.name}: ours gives {ours}, not {row.expected}")
        if row.agrees(bare) and row.has_fault_in(version) and not row.on_some_processors:
            lines.append(f"{row.name}: the fault is gone in {library} {version}; set gone_in")
        elif not row.agrees(bare) and not row.has_fault_in(version):
            lines.append(f"{row.name}: {library} {version} has the fault, and gives {bare}")
    return lines


def main(arguments: list[str]) -> int:
    """Run the rows; return the exit code."""
    chosen = [name for name in arguments if not name.startswith("-")] or [*LIBRARIES]
    status = 0
    for library in filter(find_spec, chosen):
        found = measure(library)
        before = measured().get(library, {}).get(found["version"], {})
        wrong = deviations(library, found)
        print(f"{library} {found['version']}: {len(found['bare'])} rows, {len(wrong)} deviations")
        for line in wrong:
            print(f"  {line}")
        for name, gives in found["bare"].items():
            if name in before and before[name] != gives:
                print(f"  {name}: gives {gives}; recorded is {before[name]}")
        if "--measure" in arguments:
            record(library, found["version"], found["bare"])
        status = status or int(bool(wrong))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
