"""The rows of the ledger, their recorded results, and the comparison of results."""

from __future__ import annotations

import json
import math
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

__all__ = ["LIBRARIES", "ROOT", "Row", "in_order", "measured", "record", "rows"]

FOLDER: Final = Path(__file__).parent
ROOT: Final = FOLDER.parent.parent
LIBRARIES: Final = {
    "numpy": "NumPy", "torch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX", "dask": "Dask",
}  # fmt: skip
MEASURED: Final = FOLDER / "measured.json"


@dataclass(frozen=True)
class Row:
    """A result of a bare library, and the correct one."""

    library: str
    name: str
    function: str
    """The function of ours that corrects it."""
    fault: str
    code: str
    """At most three lines, the last one an expression."""
    expected: str
    """The text of the correct value, or the class of the correct exception."""
    ours: str
    """The same expression with our namespace `xp`."""
    correction: str
    """The file, in the backend's folder or from the root, and the name that corrects in it."""
    because: str = ""
    """The rule that gives the expected value."""
    standard: str = ""
    """The page of the standard that has the rule."""
    mpmath: str = ""
    """An expression of mpmath for the expected value."""
    numpy: str = ""
    """An expression of NumPy, or of Python, for the expected value."""
    ulps: float = 0
    """The largest error that is no fault, in units in the last place of float64."""
    crashes: bool = False
    """True if the process may end: the row then runs in one of its own."""
    on_some_processors: bool = False
    """True if kernels for some processors lack the fault."""
    since: str = ""
    """The first version with the fault, if earlier ones that are supported lack it."""
    gone_in: str = ""
    """The first version without the fault."""

    def agrees(self, found: str) -> bool:
        """Return True if a result is the expected one."""
        if self.expected.endswith("Error"):
            return found.partition(":")[0] == self.expected
        return self.distance(found) <= self.ulps if self.ulps else found == self.expected

    def distance(self, found: str) -> float:
        """Return how far a number is from the expected one, in units in the last place."""
        try:
            value, expected = complex(found), complex(self.expected)
        except ValueError:
            return math.inf
        pairs = ((value.real, expected.real), (value.imag, expected.imag))
        return max(0.0 if a == b else abs(a - b) / math.ulp(b) for a, b in pairs)

    def has_fault_in(self, version: str) -> bool:
        """Return True if the table says that a version has the fault."""
        late = self.since and in_order(version) < in_order(self.since)
        return not late and (not self.gone_in or in_order(version) < in_order(self.gone_in))

    @property
    def source(self) -> Path:
        """The file of the correction."""
        file = self.correction.partition(":")[0]
        whole = file.startswith("arrayapi_unify/")
        return ROOT / (file if whole else f"arrayapi_unify/backends/{self.library}/{file}")


def in_order(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, such as 2.13.0 of 2.13.0+cpu."""
    return tuple(map(int, re.findall(r"\d+", version.partition("+")[0])[:3]))


def rows(library: str) -> list[Row]:
    """Read the table of a library."""
    with (FOLDER / f"{library}.toml").open("rb") as file:
        table = tomllib.load(file)
    return [Row(library, name, **_stripped(fields)) for name, fields in table.items()]


def _stripped(fields: dict[str, Any]) -> dict[str, Any]:
    return {k: " ".join(v.split()) if k == "because" else v.strip() if isinstance(v, str) else v
            for k, v in fields.items()}  # fmt: skip


def measured() -> dict[str, dict[str, dict[str, str]]]:
    """Return the recorded results, by library, version and row."""
    found: dict[str, dict[str, dict[str, str]]] = json.loads(MEASURED.read_text("utf-8"))
    return found


def record(library: str, version: str, results: dict[str, str]) -> None:
    """Replace the recorded results of a version."""
    found = measured() if MEASURED.exists() else {}
    versions = {**found.get(library, {}), version: dict(sorted(results.items()))}
    found[library] = dict(sorted(versions.items(), key=lambda item: in_order(item[0])))
    found = {name: found[name] for name in LIBRARIES if name in found}
    MEASURED.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
