"""The causes of consumers' failures: a table with the tests and messages that each explains."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from ..errors import ComplianceError

TABLE = Path(__file__).parent / "reasons.json"
UNEXPLAINED = "unexplained"
_KEYS = {"package", "backends", "tests", "message", "cause"}


@dataclass(frozen=True)
class Reason:
    """One cause."""

    package: str
    backends: tuple[str, ...]  # to which it applies
    tests: str  # a pattern of ids
    message: str  # a pattern of messages: other failures of the same test aren't explained
    cause: str

    def explains(self, package: str, backend: str, test: str, message: str) -> bool:
        """Return True if package, backend, test and message match this reason."""
        return (
            package == self.package
            and backend in self.backends
            and re.search(self.tests, test) is not None
            and re.search(self.message, message, re.DOTALL) is not None
        )


def load(path: Path = TABLE) -> list[Reason]:
    """Read the table; raise if an entry is incomplete."""
    found = []
    for entry in json.loads(path.read_text(encoding="utf-8")):
        if set(entry) != _KEYS or not all(entry.values()):
            wanted = ", ".join(sorted(_KEYS))
            raise ComplianceError(f"{path.name}: each entry has {wanted}; one is {entry}.")
        found.append(Reason(**entry | {"backends": tuple(entry["backends"])}))
    return found


def cause(reasons: list[Reason], package: str, backend: str, test: str, message: str) -> str:
    """The first cause in the table that explains a failure, or ``unexplained``."""
    for reason in reasons:
        if reason.explains(package, backend, test, message):
            return reason.cause
    return UNEXPLAINED
