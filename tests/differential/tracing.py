"""Calls whose arrays are traced: under `jax.jit`, `tf.function` and `torch.compile`."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from arrayapi_unify.array_object import Array
from tests.differential.case import ArrayArg, Case, build, replaced
from tests.differential.outcome import Outcome, outcome_of, resolve

__all__ = ["COMPILERS", "arrays_of", "run_on"]


def _jit(function: Callable[..., Any]) -> Callable[..., Any]:
    import jax

    return jax.jit(function)


def _tf_function(function: Callable[..., Any]) -> Callable[..., Any]:
    import tensorflow as tf

    return tf.function(function, autograph=False)  # type: ignore[no-any-return]


def _torch_compile(function: Callable[..., Any]) -> Callable[..., Any]:
    import torch

    torch.compiler.reset()
    return torch.compile(function, fullgraph=True, backend="eager")


COMPILERS: Final[dict[str, Callable[[Callable[..., Any]], Callable[..., Any]]]] = {
    "jax": _jit,
    "tensorflow": _tf_function,
    "torch": _torch_compile,
}


def arrays_of(case: Case) -> list[ArrayArg]:
    """Return the array arguments of a call."""
    found: list[ArrayArg] = []
    replaced([case.args, case.kwargs], found.append)
    return found


def run_on(
    case: Case,
    xp: ModuleType,
    compiled: Callable[[Callable[..., Any]], Callable[..., Any]] = lambda function: function,
) -> Outcome:
    """Make the call as a function of native arrays, and say what it gave."""
    natives = [array.build(xp).data for array in arrays_of(case)]

    def function(*natives: Any) -> list[Any]:
        left = iter(natives)
        args, kwargs = (
            build(replaced(spec, lambda _: xp.asarray(next(left))), xp)
            for spec in (case.args, case.kwargs)
        )
        result = resolve(xp, case.function)(*args, **kwargs)
        return [x.data for x in _arrays(args[0] if result is None else result)]

    return outcome_of(lambda: [Array(native) for native in compiled(function)(*natives)], xp)


def _arrays(result: Any) -> list[Any]:
    if isinstance(result, Array):
        return [result]
    if isinstance(result, tuple | list):
        return [x for part in result for x in _arrays(part)]
    return []
