"""The class of mistakes, and the names with which their code runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

import arrayapi_unify as unify
from tests.installed import INSTALLED

TRACED: Final = ("tensorflow", "jax")


@dataclass(frozen=True)
class Mistake:
    """Code, the class of its error, and words of the first line in their order.

    The words are the function, the argument, its value and a remedy.
    """

    code: str
    error: type[Exception]
    words: tuple[str, ...]
    on: tuple[str, ...] = tuple(INSTALLED)

    @property
    def id(self) -> str:
        """The name of the test."""
        return self.code.replace("\n", " ")


def mistake(
    code: str, error: type[Exception], *words: str, on: tuple[str, ...] = tuple(INSTALLED)
) -> Mistake:
    """Declare a mistake; `on` are the backends on which the code is one."""
    return Mistake(code, error, words, tuple(name for name in on if name in INSTALLED))


class Foreign:
    """A class that the package doesn't know."""


class Declining:
    """A class that overrides nothing, although it has the protocol."""

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Decline."""
        return NotImplemented


def names(backend: str) -> dict[str, Any]:
    """Return the names that the code of mistakes uses."""
    xp = unify.get_backend(backend)
    other = next(name for name in ("numpy", "torch", "jax") if name != backend)
    other = other if other in INSTALLED else backend
    v = xp.asarray([1.0, 2.0, 3.0])
    n = xp.asarray([1, 2, 3])
    return {
        "__name__": "tests.mistakes.mistake",  # a framework that follows code looks for the module
        "np": np,
        "unify": unify,
        "xp": xp,
        "x": xp.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        "v": v,
        "n": n,
        "labels": xp.asarray([0, 2]),
        "mask": n > 1,
        "c": unify.Container(a=v, b={"c": n}),
        "net": unify.Linear(3, 2).to_backend(backend),
        "sgd": unify.optimizers.SGD(0.1),
        "key": unify.to_backend(unify.random.key(0), backend),
        "other": unify.get_backend(other).ones(3),
        "Foreign": Foreign,
        "Declining": Declining,
    }
