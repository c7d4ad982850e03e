"""The names and data types of the standard that a namespace lacks, and the tests that need them.

A name is that of a function, with ``linalg.`` or ``fft.`` before one of an extension, or that of an
array's method or attribute.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .needs import NO_COMPLEX, Needs, named
from .standard import STANDARD

_EXISTENCE = "test_has_names["
_MISSING = re.compile(r"is missing the .*\b(\w+)(?:\(\))?$")
_PARAMETER = re.compile(r"[\[(](\w+)[\])]")  # a data type, such as in test_iinfo[uint8]
_NO_CONSTANT = re.compile(r"where False = hasattr\(xp, '(\w+)'\)")
# The wordings of the suite, of Hypothesis and of Python for a name that isn't there.
_SAID = (
    re.compile(r"\b(\w+) is not defined in "),
    re.compile(r"does not have required attributes: (\w+(?:, \w+)*)"),
    re.compile(r"has no attribute '(\w+)'"),
    re.compile(r"\b(\w+) not found in (?:array module|array object|\w+ extension)"),
    _MISSING,
)
# The suite's wordings for a complex data type that isn't there.
_NO_COMPLEX = ("no complex dtype to match", "no real float dtype to match None")


@dataclass(frozen=True)
class Absent:
    """The names and data types that a namespace lacks."""

    names: frozenset[str] = frozenset()
    dtypes: frozenset[str] = frozenset()

    def said(self, message: str) -> frozenset[str]:
        """Return the absent names and data types that the message of a failure is about."""
        first = message.partition("\n\n")[0]
        named = {
            name.strip() for said in _SAID for found in said.findall(first)
            for name in found.split(",")
        }  # fmt: skip
        if any(text in first for text in _NO_COMPLEX):
            named.update(NO_COMPLEX)
        return frozenset(named & (self.names | self.dtypes))


def dtypes(found: Mapping[str, Any]) -> frozenset[str]:
    """Return the data types that a described namespace lacks; `bool` may be called `bool_`."""
    return frozenset(STANDARD.dtypes) - frozenset(found["dtypes"]) - {"bool"}


def of(found: Mapping[str, Any], tests: Iterable[Mapping[str, Any]] = ()) -> Absent:
    """Return what a described namespace lacks, and its arrays according to their tests.

    Without a description, such as an older report's, the tests of names say it all.
    """
    names = set(found.get("missing", ()))
    for test in tests:
        names.update(_NO_CONSTANT.findall(str(test.get("message", ""))))
        if _EXISTENCE in test["nodeid"]:
            line, category = first_line(test), test.get("category", "")
            if _MISSING.search(line):
                names.add(dotted(test))
            elif category in STANDARD.extensions and f"has no attribute '{category}'" in line:
                names.add(category)
    for extension in STANDARD.extensions:
        if extension in names:
            names |= {f"{extension}.{name}" for name in STANDARD.functions[extension]}
    return Absent(frozenset(names), dtypes(found) if "dtypes" in found else frozenset())


def dotted(test: Mapping[str, Any]) -> str:
    """Return the name of a test's function, with its extension."""
    category, name = test.get("category", ""), str(test.get("function", ""))
    return f"{category}.{name}" if category in STANDARD.extensions else name


def first_line(test: Mapping[str, Any]) -> str:
    """Return the first line of a test's message."""
    return str(test.get("message", "")).partition("\n")[0].strip()


def names_needed(needs: Needs | None, nodeid: str, absent: Absent) -> frozenset[str]:
    """Return the absent names that a test calls."""
    if needs is None:
        return frozenset()
    table = needs.real if absent.dtypes.issuperset(NO_COMPLEX) else needs.names
    return absent.names.intersection(table.get(named(nodeid, absent.dtypes), ()))


def dtypes_needed(needs: Needs | None, nodeid: str, absent: Absent) -> frozenset[str]:
    """Return the absent data types without which a test fails."""
    fail = [
        without for without, tests in (needs.dtypes if needs else ())
        if without <= absent.dtypes and named(nodeid, absent.dtypes) in tests
    ]  # fmt: skip
    least = [one for one in fail if not any(other < one for other in fail)]
    return frozenset(_PARAMETER.findall(nodeid)).intersection(absent.dtypes).union(*least)


def decided(needs: Needs | None, absent: Absent) -> dict[str, str]:
    """Return the tests that can't run for the absence of names, with the message of each."""
    found = {}
    for nodeid in needs.names if needs else ():
        if lacking := names_needed(needs, nodeid, absent):
            found[nodeid] = f"not run: {missing(lacking)}"
    return found


def missing(names: Collection[str]) -> str:
    """Return the sentence that names are missing."""
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'} missing"


def listed(names: Iterable[str]) -> str:
    """Return names as a sentence has them."""
    *rest, last = sorted(names)
    return f"{', '.join(rest)} and {last}" if rest else last
