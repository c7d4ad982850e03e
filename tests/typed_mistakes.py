"""Mistakes that type checkers report: one a line, with a comment that says so.

`tests/test_types.py` compares the lines that mypy and pyright report with the marked ones. The code
never runs.
"""

# pyright: strict

from collections.abc import Callable

import numpy as np

import arrayapi_unify as unify
import arrayapi_unify.torch
from arrayapi_unify import Array, Container


def names(x: Array) -> None:
    """A name that isn't there."""
    xp = x.__array_namespace__()
    unify.summ(x)  # mistake
    unify.linalg.inverse(x)  # mistake
    arrayapi_unify.torch.summ(x)  # mistake
    arrayapi_unify.torch.Linear(3, 3)  # mistake: bound namespaces have functions alone
    xp.expp(x)  # mistake
    xp.linalg.inverse(x)  # mistake
    xp.fft.fft3(x)  # mistake
    x.nonsense()  # mistake
    x.dtype.nonsense()  # mistake
    xp.__array_namespace_info__().nonsense()  # mistake


def arguments(x: Array, c: Container) -> None:
    """An argument that a function doesn't take, or one that is missing."""
    xp = x.__array_namespace__()
    xp.sum(x, axes=0)  # mistake
    unify.sum(x, axes=0)  # mistake
    unify.add(x, x, axis=0)  # mistake
    x.sum(axes=0)  # mistake
    c.sum(axes=0)  # mistake
    xp.reshape(x)  # mistake
    x.astype()  # mistake
    unify.add(x)  # mistake
    unify.zeros()  # mistake
    unify.sin("a")  # mistake
    unify.sin(None)  # mistake
    unify.add(x, "1")  # mistake
    unify.sum(x, axis="0")  # mistake
    unify.zeros(shape="3")  # mistake
    unify.zeros(3, dtype=32)  # mistake
    unify.zeros(3, device=0)  # mistake
    unify.grad(3)  # mistake
    unify.vmap(x)  # mistake
    unify.Linear("3", 3)  # mistake
    unify.set_backend(3)  # mistake


def operators(x: Array) -> None:
    """An operand that is no number."""
    print(x + "a")  # mistake
    print("a" + x)  # mistake
    print(x @ None)  # mistake
    print(x < "a")  # mistake
    print(x + None)  # mistake


def results(x: Array, c: Container) -> None:
    """A result that isn't what is expected."""
    xp = x.__array_namespace__()
    number: float = xp.sum(x)  # mistake
    truth: bool = x == x  # mistake
    array: Array = c + x  # mistake
    shape: list[int] = x.shape  # mistake
    values: Array = xp.linalg.eigh(x)  # mistake
    print(number, truth, array, shape, values)


@unify.portable
def mean(x: Array, axis: int = 0) -> Array:
    """A function that takes native arrays, too."""
    return x.__array_namespace__().mean(x, axis=axis)


def called(function: Callable[[], float]) -> float:
    """A decorator that leaves no function."""
    return function()


@unify.portable  # mistake
@called
def number() -> float:
    """A number, by the time that `portable` gets it."""
    return 1.0


def portable(x: Array) -> None:
    """A function for all kinds of arrays, and a call of one."""
    unify.portable(3)  # mistake
    unify.portable(x)  # mistake
    mean("a")  # mistake
    mean(np.ones(3), axes=0)  # mistake
    mean(x, axis="0")  # mistake
    array: Array = mean(np.ones(3))  # mistake: NumPy's array
    print(array)
