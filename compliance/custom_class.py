"""The namespace of an array class: the top level's functions, around objects of the class.

A function that makes an array passes it through the class's own function. A plain array where the
class is expected, in a result or in an argument, is a failure: an override or an operator lost it.
"""

import functools
import importlib
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from .errors import NamespaceError

_EXTENSIONS = ("fft", "linalg")
_BINARY = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
    "lshift", "rshift",
)  # fmt: skip
_OPERATORS = [
    *[f"{before}{name}" for before in ("", "r", "i") for name in _BINARY],
    "eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert", "getitem",
]  # fmt: skip


def namespace_of(module: str, make: str, backend: str | None) -> ModuleType:
    """Return a namespace whose arrays are made by ``module.make``, a class or a function."""
    unify = importlib.import_module("arrayapi_unify")
    unify.set_backend(backend or "numpy")
    owner = importlib.import_module(module)
    function = getattr(owner, make, None)
    if not callable(function):
        raise NamespaceError(
            f"{module} has no function or class {make}.",
            "Name a class whose objects hold an array, or a function that makes these.",
        )
    try:
        kind = type(function(unify.asarray([1.0])))
    except Exception as error:
        raise NamespaceError(
            f"{module}.{make}(array) raised {type(error).__name__}: {error}.",
            "Name a function that makes an object of one array, such as metres(array).",
        ) from error
    if not importlib.import_module("arrayapi_unify._core.override_protocol").overrides(kind):
        raise NamespaceError(
            f"{module}.{make} returns a {kind.__qualname__}, whose class overrides no functions.",
            "Give the class a method __ivy_array_function__.",
        )
    made = _Class(function, kind, unify)
    made.watch_operators()
    return _Made(unify, made, f"class:{module}:{make}")


class _Made(ModuleType):
    """A module that wraps the functions of another one, as they are asked for."""

    def __init__(self, module: Any, made: "_Class", name: str) -> None:
        super().__init__(name)
        self._module, self._made = module, made

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        if isinstance(found, ModuleType) and name in _EXTENSIONS:
            found = _Made(found, self._made, f"{self.__name__}.{name}")
        elif hasattr(found, "contract"):
            found = self._made.around(found)
        setattr(self, name, found)
        return found

    def __dir__(self) -> list[str]:
        return dir(self._module)


class _Class:
    """An array class, and the function that makes its objects."""

    def __init__(self, make: Callable[[Any], Any], kind: type, unify: Any) -> None:
        self._make, self._kind, self._is_array = make, kind, unify.is_array

    def around(self, function: Any) -> Callable[..., Any]:
        """Return a function that makes objects, or that has to keep their class."""

        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            given = [*_leaves((args, list(kwargs.values())))]
            name, contract = function.__name__, function.contract
            if not contract.array_parameters:
                return self._wrapped(function(*args, **kwargs))
            if not contract.converts:
                self._check(given, f"{name}: an argument")
            result = function(*args, **kwargs)
            if any(isinstance(one, self._kind) for one in given):
                self._check(_leaves(result), f"{name}: the result for a {self._kind.__qualname__}")
                return result
            return self._wrapped(result)

        return called

    def watch_operators(self) -> None:
        """Have the operators of the class keep it."""
        for name in (f"__{name}__" for name in _OPERATORS):
            if method := getattr(self._kind, name, None):
                setattr(self._kind, name, self._watched(method))

    def _watched(self, method: Any) -> Callable[..., Any]:
        @functools.wraps(method)
        def called(*args: Any) -> Any:
            result = method(*args)
            self._check([result], f"{method.__name__}: the result")
            return result

        return called

    def _check(self, leaves: Any, where: str) -> None:
        for one in leaves:
            if not isinstance(one, self._kind) and self._is_array(one):
                raise AssertionError(
                    f"{where} is a plain {type(one).__qualname__}: the class was lost"
                )

    def _wrapped(self, result: Any) -> Any:
        if isinstance(result, list | tuple):
            parts = [self._wrapped(one) for one in result]
            return type(result)(*parts) if hasattr(result, "_fields") else type(result)(parts)
        return self._make(result) if self._is_array(result) else result


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for one in value:
            yield from _leaves(one)
    else:
        yield value
