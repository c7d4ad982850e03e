"""A complete namespace that records the names of the standard that each test of the suite needs.

`record.py` measures it in place of a library. Each process appends lines "test, tab, name" to a
file of its own in the folder `NEEDS_FOLDER`; a test module's path stands for the names that its
import needs.
The data types in `NEEDS_HIDDEN` are absent, and others are the defaults in their place.
"""

import functools
import importlib
import os
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from ..standard import STANDARD

FOLDER, HIDDEN = "NEEDS_FOLDER", "NEEDS_HIDDEN"
_RUNNING = "PYTEST_CURRENT_TEST"  # pytest's: the id of the running test, and its phase
_STRATEGIES = "array_api.py"  # Hypothesis' module of strategies for arrays
# The attributes that a strategy of Hypothesis checks where it is first used. It is used again in
# other tests, which need them as well, and call one of these.
_OF_NUMBERS = ("finfo", "iinfo")
_OF_ARRAYS = ("all", "asarray", "isfinite", "isnan", "reshape", "zeros", *_OF_NUMBERS)
_COMPLETE: Any = importlib.import_module("arrayapi_unify.numpy")
_functions = {name for functions in STANDARD.functions.values() for name in functions}
_hidden = os.environ.get(HIDDEN, "").split(",")
_seen: set[tuple[str, str]] = set()


def _reduce_defaults() -> None:
    """Make the defaults data types that are not hidden."""
    for kind in ("int", "float", "complex"):
        name = str(getattr(_COMPLETE, f"default_{kind}_dtype")()).rpartition(".")[2]
        if name in _hidden:
            half = f"{kind}{int(name.removeprefix(kind)) // 2}"
            getattr(_COMPLETE, f"set_default_{kind}_dtype")(half)


def _note(name: str, frame: FrameType | None) -> None:
    """Append a name that the running test needs, once, and those that come with it."""
    test = os.environ.get(_RUNNING, "").rpartition(" ")[0] or _module(frame)
    names = [name]
    if frame is not None and frame.f_code.co_filename.endswith(_STRATEGIES):
        names += _OF_NUMBERS if name in _OF_NUMBERS else _OF_ARRAYS
    new = {(test, one) for one in names if test} - _seen
    if new:
        _seen.update(new)
        path = Path(os.environ[FOLDER]) / f"{os.getpid()}.txt"
        with path.open("a", encoding="utf-8") as file:
            file.writelines(f"{test}\t{one}\n" for _, one in sorted(new))


def _module(frame: FrameType | None) -> str:
    """Return the test module that is being imported, as the ids of its tests begin, or ""."""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.name.startswith("test_") and frame.f_code.co_name == "<module>":
            return f"{path.parent.name}/{path.name}"
        frame = frame.f_back
    return ""


def _recording(found: Any, name: str) -> Any:
    """Return the function with a note of each call."""

    @functools.wraps(found)
    def noting(*args: Any, **kwargs: Any) -> Any:
        _note(name, sys._getframe(1))
        return found(*args, **kwargs)

    return noting


class _Extension:
    """An extension with recording functions."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        if name not in STANDARD.functions[self.__name__]:
            raise AttributeError(name)
        found = getattr(getattr(_COMPLETE, self.__name__), name)
        setattr(self, name, _recording(found, f"{self.__name__}.{name}"))
        return self.__dict__[name]


_made: dict[str, Any] = {name: _Extension(name) for name in STANDARD.extensions}
_reduce_defaults()


def __getattr__(name: str) -> Any:
    special = name.startswith("__") and name not in (*_functions, "__array_api_version__")
    if name in _hidden or special:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    caller = sys._getframe(1)
    if caller.f_code.co_filename.endswith(_STRATEGIES) and name in _functions:
        _note(name, caller)
    if name not in _made:
        found = getattr(_COMPLETE, name)
        _made[name] = _recording(found, name) if name in _functions else found
    return _made[name]
