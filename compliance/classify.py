"""Find the function and category of the standard that a test covers, from the test's id."""

import re
from dataclasses import dataclass

from .standard import STANDARD

_NODE = re.compile(r"(?:.*/)?(?P<file>test_\w+)\.py(?:::(?P<path>[^\[]+))?(?:\[(?P<param>.*)\])?")
_NAME = re.compile(r"(?:(?:linalg|fft)\.)?\w+")
# Test modules in which the parameter, not the function, names the subject.
_BY_PARAMETER = ("test_has_names", "test_signatures", "test_names", "test_special_cases")


@dataclass(frozen=True)
class Subject:
    """The category and function that a test covers."""

    category: str
    function: str


def classify(nodeid: str) -> Subject:
    """Find the subject of a test of the official suite or of the own checks."""
    match = _NODE.fullmatch(nodeid)
    if match is None:
        return Subject("other", nodeid.rpartition("::")[2] or nodeid)
    file, path, param = match["file"], match["path"] or "", match["param"] or ""
    test = path.rpartition("::")[2].removeprefix("test_")
    named = _from_parameter(file, param) or _from_test(test)
    name = named or _from_class(path) or _known(param) or test or _WHOLE
    known = "array_object" if name.startswith("__i") else None  # in-place operators have no entry
    known = STANDARD.category_of.get(name, known)
    plain = file.removeprefix("test_").removesuffix("_functions")
    return Subject(known or _FILES.get(plain, plain), name.rpartition(".")[2])


_WHOLE = "the whole file"
_FILES = {
    "operators_and_elementwise": "elementwise",
    "dlpack": "array_object",
    "inspection": "inspection",
    "promotion": "type_promotion",
}


def _from_parameter(file: str, param: str) -> str | None:
    """``elementwise-log1p``, ``fft.fftfreq``, ``tanh(x_i is ...)``, ``__mod__(x, s)``."""
    if file == "test_has_names":
        category, _, name = param.partition("-")
        dotted = f"{category}.{name}"
        return dotted if dotted in STANDARD.category_of else name or None
    match = _NAME.match(param)
    named = match.group() if match else ""
    # Operators are parameters of the tests of their functions, e.g. test_remainder[__mod__(x, s)].
    return named if named and (file in _BY_PARAMETER or named.startswith("__")) else None


def _from_class(path: str) -> str | None:
    """``TestResultType::test_error``: some functions have a class of tests."""
    camel = path.rpartition("::")[0].removeprefix("Test")
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", camel).lower()
    return name if name in STANDARD.category_of else None


def _known(param: str) -> str | None:
    """``fftshift``: a test of several functions, each of them a parameter."""
    match = _NAME.match(param)
    return match.group() if match and match.group() in STANDARD.category_of else None


def _from_test(test: str) -> str | None:
    """``eig``, ``getitem``, ``asarray_arrays``: the longest name of the standard it begins with."""
    extension, _, name = test.partition("_")
    if extension in STANDARD.extensions and f"{extension}.{name}" in STANDARD.category_of:
        return f"{extension}.{name}"
    words = test.removeprefix("dunder_").split("_")
    for count in range(len(words), 0, -1):
        name = "_".join(words[:count])
        for candidate in (name, f"__{name}__"):
            if candidate in STANDARD.category_of:
                return candidate
    return None
