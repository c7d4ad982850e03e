"""The names and signatures of the Array API standard, read from ``own_checks/standard.json``."""

import inspect
import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parent / "own_checks" / "standard.json"
_NAME = re.compile(r"\w+")


@dataclass(frozen=True)
class Standard:
    """The parts of one release of the standard for reports and own checks."""

    data: dict[str, Any]

    @cached_property
    def dtypes(self) -> list[str]:
        """Names of all dtypes."""
        return list(self.data["dtypes"])

    @cached_property
    def extensions(self) -> list[str]:
        """Names of the optional extensions, which are also sub-namespaces."""
        return ["linalg", "fft"]

    @cached_property
    def functions(self) -> dict[str, dict[str, inspect.Signature]]:
        """Category -> function name -> signature, extensions included as categories."""
        return {
            category: dict(map(parse_signature, lines))
            for category, lines in self.data["functions"].items()
        }

    @cached_property
    def array_methods(self) -> dict[str, inspect.Signature]:
        """Method name -> signature without ``self``."""
        return dict(map(parse_signature, self.data["array_methods"]))

    @cached_property
    def info_methods(self) -> dict[str, inspect.Signature]:
        """The methods of the result of ``__array_namespace_info__()``."""
        return dict(map(parse_signature, self.data["info_methods"]))

    @cached_property
    def category_of(self) -> dict[str, str]:
        """Any public name of the standard -> its category.

        ``linalg.matmul`` is an alias of the main namespace's ``matmul``; plain names therefore
        belong to the main namespace, and dotted ones to the extension.
        """
        found: dict[str, str] = {}
        for category, functions in self.functions.items():
            for name in functions:
                found.setdefault(name, category)
                if category in self.extensions:
                    found[f"{category}.{name}"] = category
        found |= dict.fromkeys(self.info_methods, "inspection")
        found |= dict.fromkeys(self.data["constants"], "constants")
        members = [*self.array_methods, *self.data["array_attributes"]]
        return found | dict.fromkeys(members, "array_object")


def parse_signature(line: str) -> tuple[str, inspect.Signature]:
    """``"clip(x, /, min=None)"`` -> its name and an `inspect.Signature`."""
    match = _NAME.match(line)
    if match is None:
        raise ValueError(f"no function name in {line!r}")
    scope: dict[str, Any] = {}
    exec(f"def parsed{line[match.end() :]}: pass", scope)  # our own data file, not user input
    return match.group(), inspect.signature(scope["parsed"])


STANDARD = Standard(json.loads(_DATA.read_text(encoding="utf-8")))
