"""Exceptions of arrayapi_unify, and the message every failing native call gets.

A native library's message names neither our function nor our arguments ("operands could not be
broadcast together"), so binding translates what a native function raises into one of the classes
below. Each of them is also the built-in exception that NumPy users expect, so `except ValueError`
keeps working.

An exception holds by its traceback the frames that it came through, their callers, and what these
hold: the arguments. So no frame that it comes through holds the exception beyond its end, or the
arguments live until the garbage collector runs. `except ... as` sees to that by itself; a function
that raises what it was handed, or got as a result, does so in a `try` whose `finally` deletes it.
"""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "BackendError",
    "ComputingError",
    "ComputingWarning",
    "StructureError",
    "UnifyArithmeticError",
    "UnifyAxisError",
    "UnifyAttributeError",
    "UnifyBufferError",
    "UnifyError",
    "UnifyIndexError",
    "UnifyKeyError",
    "UnifyLinAlgError",
    "UnifyOverflowError",
    "UnifyRuntimeError",
    "UnifyTypeError",
    "UnifyValueError",
]


# `vander` is no slip for `var` (0.67), as `digamma` is none for `lgamma` (0.77).
_NEAR: Final = 0.8


class UnifyError(Exception):
    """Base class of every exception that arrayapi_unify raises on purpose."""

    fault: tuple[Any, str, str] | None = None
    """The value that is wrong, why, and the remedy, where no argument is known yet."""


class BackendError(UnifyError, TypeError):
    """An operand that no backend takes, or operands of backends that don't belong together."""


class UnifyTypeError(UnifyError, TypeError):
    """An argument of the wrong type or data type."""


class UnifyValueError(UnifyError, ValueError):
    """An argument of the right type with a value or shape that doesn't fit."""


class UnifyIndexError(UnifyError, IndexError):
    """An index or axis out of bounds."""


class UnifyKeyError(UnifyError, KeyError):
    """A key or key chain that a Container or a nest doesn't have."""

    # KeyError shows the repr of its argument, which makes a message hard to read.
    __str__ = Exception.__str__


class UnifyAttributeError(UnifyError, AttributeError):
    """An attribute that isn't there or can't be set."""

    names: Callable[[], Iterable[str]] | None = None
    """The names among which the message looks for a near miss, as late as when it is read."""

    def __str__(self) -> str:
        """Return the message, and the most similar name as Python suggests one."""
        message = super().__str__()
        if self.names is None:
            return message
        near = difflib.get_close_matches(str(self.name), list(self.names()), n=1, cutoff=_NEAR)
        return f"{message}. Did you mean: {near[0]!r}?" if near else message

    def __reduce__(self) -> Any:
        """Pickle the message as it is read."""
        return type(self), (str(self),)


class StructureError(UnifyValueError):
    """Containers in one call whose structures aren't shared."""


if TYPE_CHECKING:

    class UnifyLinAlgError(UnifyValueError, np.linalg.LinAlgError):
        """A matrix that can't be factorized or solved, or that is none; an error of NumPy's too."""

    class UnifyAxisError(UnifyIndexError, np.exceptions.AxisError):
        """An axis out of bounds, or one that is named twice; an error of NumPy's too."""


# Errors of NumPy, too: the other base, the module and the name in NumPy, the docstring.
_OF_NUMPY: Final[dict[str, tuple[type[UnifyError], str, str, str]]] = {
    "UnifyLinAlgError": (
        UnifyValueError, "numpy.linalg", "LinAlgError",
        "A matrix that can't be factorized or solved, or that is none; an error of NumPy's too.",
    ),
    "UnifyAxisError": (
        UnifyIndexError, "numpy.exceptions", "AxisError",
        "An axis out of bounds, or one that is named twice; an error of NumPy's too.",
    ),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Make an error of NumPy at its first use: its base class needs NumPy."""
    if name not in _OF_NUMPY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    base, module, theirs, doc = _OF_NUMPY[name]
    bases = (base, getattr(importlib.import_module(module), theirs))
    # AxisError reads attributes, which are missing once `distributed` has sent an error.
    members = {
        "__doc__": doc, "__module__": __name__, "__str__": Exception.__str__,
        # PyTorch's compiler doesn't trace a function of NumPy's.
        "__init__": Exception.__init__, "axis": None, "ndim": None,
    }  # fmt: skip
    made = type(name, bases, members)
    return globals().setdefault(name, made)  # one class, whatever other threads make meanwhile


class UnifyOverflowError(UnifyError, OverflowError):
    """A Python integer that the array's data type can't hold."""


class UnifyArithmeticError(UnifyError, ArithmeticError):
    """Arithmetic that the backend is configured to refuse, or can't finish."""


class UnifyBufferError(UnifyError, BufferError):
    """Memory that can't be shared the way it was asked for."""


class UnifyRuntimeError(UnifyError, RuntimeError):
    """Any other failure inside a backend's own function."""


class ComputingError(UnifyRuntimeError):
    """A look at the values of a lazy array where `computing("refuse")` holds."""

    names_call: bool = False
    """True within the call that the message names, such as `bool(x)`."""


class ComputingWarning(RuntimeWarning):
    """A look at the values of a lazy array where `computing("warn")` holds."""


# First match wins, so subclasses stand before their bases (OverflowError is an ArithmeticError).
_TRANSLATION: tuple[tuple[type[Exception], type[UnifyError]], ...] = (
    (OverflowError, UnifyOverflowError),
    (IndexError, UnifyIndexError),
    (KeyError, UnifyKeyError),
    (AttributeError, UnifyAttributeError),
    (BufferError, UnifyBufferError),
    (ValueError, UnifyValueError),
    (TypeError, UnifyTypeError),
    (ArithmeticError, UnifyArithmeticError),
)

# Integers of more bits are described, not shown; Python itself shows none of some thousand digits.
_SHOWN_BITS: Final = 128
_SHOWN_TEXT: Final = 200
# The modules in which users find classes; those of others are names of the package.
_PUBLIC_MODULES: Final = ("numpy", "torch", "tensorflow", "jax", "errors", "optimizers")
_SHOWN_KEYS: Final = 8
# The depth to which nested lists are searched for Arrays: no library has arrays of more axes.
_LEVELS: Final = 64

# Remedies by the words in a library's message; the first that fits is used.
_REMEDIES: Final[tuple[tuple[type[UnifyError], re.Pattern[str], str], ...]] = tuple(
    (kind, re.compile(about, re.IGNORECASE), remedy)
    for kind, about, remedy in (
        (UnifyTypeError, "dtype|data type|cast", "cast the argument first: astype(x, dtype)"),
        (UnifyTypeError, "not callable", "pass a function"),
        (UnifyTypeError, "not iterable|has no len|not subscriptable", "pass a list or tuple"),
        (UnifyTypeError, "unhashable", "pass a name"),
        (UnifyValueError, "shape|size|broadcast|dimension", "make the arguments' shapes fit"),
        (UnifyIndexError, "", "use indices and axes within the array's shape"),
        (UnifyOverflowError, "", "use a wider data type, or a value the data type can hold"),
        (UnifyBufferError, "", "pass copy=True"),
    )
)
_OTHERWISE: Final = "see the documentation of the function"


def _remedy(kind: type[UnifyError], error: Exception) -> str:
    """Return what helps against an error; nothing where its message says so itself."""
    own = getattr(error, "remedy", None)
    if own:
        return str(own)
    message = described_text(error)
    if "; " in message or kind is UnifyRuntimeError:
        return ""
    fits = (remedy for k, about, remedy in _REMEDIES if k is kind and about.search(message))
    return next(fits, _OTHERWISE)


Diagnoser: TypeAlias = Callable[[Exception, str, dict[str, Any]], Exception]

# Functions of the layers above that diagnose a call better than a library's error does: they get
# the error, the function's name and the arguments by name, and return the error to go on with.
DIAGNOSERS: Final[list[Diagnoser]] = []


def describe(value: Any, levels: int = 3) -> str:
    """Say in a few words what an argument is: an array's dtype and shape, else its type.

    Whatever the value is, there is an answer: an error message must not fail.
    """
    try:
        return _description(value, levels)
    except Exception:  # its class decides what it answers
        return a_kind(value)


def a_kind(value: Any) -> str:
    """Name the class of a value as users know it, with its article."""
    name = class_name(type(value))
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def class_name(kind: type) -> str:
    """Return the name under which users know a class: public ones without the file they are in."""
    package, _, inside = kind.__module__.partition(".")
    place = kind.__module__
    if package == "builtins":
        return kind.__qualname__
    if package == __name__.partition(".")[0]:
        last = inside.rpartition(".")[2]
        place = f"{package}.{last}" if last in _PUBLIC_MODULES else package
    return f"{place}.{kind.__qualname__}"


def _description(value: Any, levels: int) -> str:
    if isinstance(value, type):
        return f"the class {class_name(value)}"
    nodes = getattr(value, "_nodes", None)
    if isinstance(nodes, dict):
        keys = ", ".join(map(repr, list(nodes)[:_SHOWN_KEYS]))
        return f"a Container of {keys}" if nodes else "an empty Container"
    shape = getattr(value, "shape", None)
    dtype = getattr(value, "dtype", None)
    if shape is not None and dtype is not None:
        return f"{dtype} array of shape {tuple(shape)}"
    if isinstance(value, int) and value.bit_length() > _SHOWN_BITS:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, str) and len(value) > _SHOWN_TEXT:
        return f"a string of {len(value)} characters"
    if value is None or isinstance(value, bool | int | float | complex | str | slice):
        return repr(value)
    if isinstance(value, list | tuple) and len(value) <= 8 and levels:
        inner = ", ".join(describe(item, levels - 1) for item in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    return a_kind(value)


def shown(value: Any) -> str:
    """Show a value as Python does, if it can be shown in a line; else say what it is."""
    try:
        text = repr(value)
    except Exception:
        return describe(value)
    return text if len(text) <= _SHOWN_TEXT and "\n" not in text else describe(value)


def described_text(error: BaseException) -> str:
    """Return the message of an error, which may have to show what can't be shown."""
    try:
        return str(error) or type(error).__name__
    except Exception:
        return type(error).__name__


def translate(
    error: Exception, function: str, backend: str, arguments: Iterable[tuple[str, Any]]
) -> Exception:
    """Turn what a native function raised into our exception, naming function and arguments.

    A `UnifyError` passes through untouched: it was raised by an inner call and says it better. So
    does a warning that the user made an error: it is no failure of the backend.
    """
    given_by_name = dict(arguments)
    if isinstance(error, UnifyError | Warning):
        return error
    for diagnoser in DIAGNOSERS:
        error = diagnoser(error, function, given_by_name)
    if isinstance(error, UnifyError):
        return error
    ours = _class_for(error)
    given = ", ".join(f"{name}={describe(value)}" for name, value in given_by_name.items())
    where = f" on the {backend} backend" if backend else ""
    message = f"{function}({given}) failed{where}: {described_text(error)}"
    remedy = _remedy(ours, error)
    return ours(f"{message}; {remedy}" if remedy else message)


def _class_for(error: Exception) -> type[UnifyError]:
    """Return the class of ours for an error; NumPy is imported if the error is one of its own."""
    if any(kind.__name__ == "LinAlgError" for kind in type(error).__mro__):
        return __getattr__("UnifyLinAlgError")
    return next((u for native, u in _TRANSLATION if isinstance(error, native)), UnifyRuntimeError)


def diagnose_arguments(function: str, backend: str, arguments: dict[str, Any]) -> Exception | None:
    """Return what is wrong with the arguments of a function that failed; None if nothing is."""
    error = ValueError()
    found: Exception = error
    for diagnoser in DIAGNOSERS:
        found = diagnoser(found, function, arguments)
    return None if found is error else translate(found, function, backend, arguments.items())


_HEAD: Final = re.compile(
    r"([A-Za-z_][\w.]*)(?:: |\(\)|\((?:.*?)\) failed(?: on the \w+ backend)?: )", re.S
)
_NOT_IMPLEMENTED: Final = re.compile(r"[\w.]+ has no implementation on the \w+ backend; ")


def fault(kind: type[UnifyError], value: Any, problem: str, remedy: str) -> UnifyError:
    """Return the error for a value, whose argument the function that was called names (`about`)."""
    error = kind(f"{shown(value)} {problem}; {remedy}")
    error.fault = (value, problem, remedy)
    return error


def _about_fault(
    error: UnifyError, function: str, arguments: Iterable[tuple[str, Any]]
) -> UnifyError | None:
    """Return the error of a function about the argument with the faulty value, if it has one."""
    if error.fault is None:
        return None
    value, problem, remedy = error.fault
    for name, given in arguments:
        if given is value or (isinstance(given, str) and given == value):
            which = f"argument {name!r} is {shown(given)}, which {problem}"
            return type(error)(f"{function}: {which}; {remedy}")
    return None


def about(
    error: UnifyError, function: str, backend: str, arguments: Iterable[tuple[str, Any]]
) -> UnifyError:
    """Return an error of a function inside of another one as an error of that one.

    Users know the function that they called, and its arguments; the words of the inner one stay,
    with its name. The error itself is returned where it names the function, or the one that the
    backend lacks.
    """
    if isinstance(error, ComputingError) and error.names_call:
        return error
    arguments = list(arguments)
    better = _about_fault(error, function, arguments)
    if better is not None:
        return better
    message = described_text(error)
    if _NOT_IMPLEMENTED.match(message):
        return error
    head = _HEAD.match(message)
    inner = head.group(1) if head else ""
    if inner.rpartition(".")[2] == function.rpartition(".")[2]:
        return error
    value = dict(arguments).get("key")
    if value is not None and message.startswith(f"{inner}: argument 'key'"):
        remedy = "pass random.key(seed) first, or one row of random.split(key, num)"
        return type(error)(
            f"{function}: argument 'key' is {describe(value)}, which is no key; {remedy}"
        )
    if head and head.group(0)[len(inner)] == "(":
        message = f"{inner}: {message[head.end() :]}"
    given = ", ".join(f"{name}={describe(value)}" for name, value in arguments)
    where = f" on the {backend} backend" if backend else ""
    return type(error)(f"{function}({given}) failed{where}: {message}")


def renamed(error: UnifyError, function: str, caller: str) -> UnifyError:
    """Return an error of a function as one of the call that users wrote in its place."""
    message = described_text(error)
    if not message.startswith(function):
        needed = message.replace(f"{function} needs", f"{caller} needs")  # of a graph
        return error if needed == message else type(error)(needed)
    if caller == "bool(x)" and "not exactly one element" in message:
        problem = message.removeprefix(function).partition("; ")[0]
        message = f"{function}{problem}; use any(x) or all(x), and & and | in place of and and or"
    return type(error)(caller + message.removeprefix(function))


def about_argument(error: UnifyError, function: str, argument: str) -> UnifyError:
    """Return an error about something made of an argument as one about the argument."""
    message = described_text(error)
    head = re.match(r"[\w.]+: argument '[^']*' ", message)
    failed = None if head else _HEAD.match(message)
    if head or failed is None:
        rest = message[head.end() :] if head else f"doesn't fit: {message}"
    else:
        rest = f"makes no array: {message[failed.end() :]}"
    return type(error)(f"{function}: argument {argument!r} {rest}")


def check_depth(function: str, arguments: Iterable[tuple[str, Any]]) -> None:
    """Raise for the argument of a call that is nested deeper than any array, if there is one."""
    for name, value in arguments:
        if _is_deep(value):
            raise_argument_error(
                UnifyValueError, function, name,
                f"holds itself, or lists in more than {_LEVELS} lists", "pass a flatter one",
            )  # fmt: skip


def _is_deep(value: Any) -> bool:
    """Return True if lists or dicts are nested deeper than `_LEVELS`, found level by level."""
    level = [value]
    for _ in range(_LEVELS):
        nests = {id(v): v for v in level if isinstance(v, list | tuple | dict)}
        if not nests:
            return False
        parts = (v.values() if isinstance(v, dict) else v for v in nests.values())
        level = [part for several in parts for part in several]
    return True


def raise_argument_error(
    kind: type[UnifyError], function: str, argument: str, problem: str, remedy: str
) -> NoReturn:
    """Raise `kind` with the four things a user needs: where, which argument, what, what to do."""
    raise kind(f"{function}: argument {argument!r} {problem}; {remedy}")


def raise_type_error(function: str, argument: str, problem: str, remedy: str) -> NoReturn:
    """Raise `UnifyTypeError`; see `raise_argument_error`."""
    raise_argument_error(UnifyTypeError, function, argument, problem, remedy)


def raise_value_error(function: str, argument: str, problem: str, remedy: str) -> NoReturn:
    """Raise `UnifyValueError`; see `raise_argument_error`."""
    raise_argument_error(UnifyValueError, function, argument, problem, remedy)
