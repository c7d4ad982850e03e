"""Removes from a text what is specific to this machine or run.

Reports are committed and published. Paths of a machine don't belong there, and addresses of objects
would make every run differ.
"""

import os
import re
import site
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")


class Redactor:
    """Replaces known path prefixes by neutral names; longer prefixes go first."""

    def __init__(self, suite: Path | None = None) -> None:
        """Store the folders of this process and of the suite."""
        places: list[tuple[str, Iterable[str | None]]] = [
            ("<suite>", [str(suite) if suite else None]),
            ("<site-packages>", [*site.getsitepackages(), site.getusersitepackages()]),
            ("<site-packages>", [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]),
            ("<python>", [sysconfig.get_path("stdlib"), sys.prefix, sys.base_prefix]),
            ("<repo>", [str(Path(__file__).resolve().parents[1])]),
            ("<cwd>", [os.getcwd()]),
            ("<tmp>", [tempfile.gettempdir()]),
            ("<home>", [str(Path.home())]),
        ]
        self._names: dict[str, str] = {}
        for name, paths in places:
            for path in filter(None, paths):
                for form in {path, os.path.realpath(path)}:
                    if len(form) > 1 and form not in (
                        "/usr",
                        "/usr/local",
                    ):  # of no user
                        self._names.setdefault(form, name)
        longest_first = sorted(self._names, key=len, reverse=True)
        # Not at the beginning of a longer word: a home of /x leaves /xyz as it is.
        joined = "|".join(map(re.escape, longest_first))
        self._pattern = re.compile(rf"(?:{joined})(?![\w-])")

    def __call__(self, text: str) -> str:
        """The text without paths of this machine and without addresses."""
        text = self._pattern.sub(lambda match: self._names[match.group()], text)
        return _ADDRESS.sub("0x...", text)
