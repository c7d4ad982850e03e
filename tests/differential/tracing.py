"""Calls whose arrays are traced: under `jax.jit`, `tf.function` and `torch.compile`."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import CodeType, ModuleType
from typing import Any, Final

from arrayapi_unify.array_object import Array
from tests.differential.case import ArrayArg, Case, replaced
from tests.differential.outcome import Outcome, outcome_of

__all__ = ["COMPILERS", "arrays_of", "run_on"]


def _jit(function: Callable[..., Any]) -> Callable[..., Any]:
    import jax

    return jax.jit(function)


def _tf_function(function: Callable[..., Any]) -> Callable[..., Any]:
    import tensorflow as tf

    return tf.function(function, autograph=False)  # type: ignore[no-any-return]


_COMPILED: Final[set[CodeType | None]] = set()


def _torch_compile(function: Callable[..., Any]) -> Callable[..., Any]:
    import torch

    code = getattr(function, "__code__", None)
    if code is None or code in _COMPILED:  # it compiles one code object a few times only
        torch.compiler.reset()
        _COMPILED.clear()
    _COMPILED.add(code)
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
    given: str = "xp.asarray({})",
) -> Outcome:
    """Make the call as a function of native arrays, and return its outcome.

    `given` is the expression by which the function makes an argument of a native array.
    """
    natives = [array.build(xp).data for array in arrays_of(case)]
    function = _function(case, xp, given)
    return outcome_of(lambda: [Array(native) for native in compiled(function)(*natives)], xp)


def _function(case: Case, xp: ModuleType, given: str) -> Callable[..., list[Any]]:
    """Create a hand-written-like function of native arrays from a call.

    Generic code that assembles the arguments would take a tracer longer than the call itself.
    """
    count = itertools.count()
    constants: dict[str, Any] = {"xp": xp, "_arrays": _arrays}

    def spelled(spec: Any) -> str:
        if isinstance(spec, ArrayArg):
            return f"x{next(count)}"
        if isinstance(spec, list):
            return f"[{', '.join(map(spelled, spec))}]"
        if type(spec) is tuple:
            return f"({''.join(spelled(item) + ', ' for item in spec)})"
        constants[name := f"c{len(constants)}"] = spec
        return name

    args = [spelled(arg) for arg in case.args]
    named = [f"{name}={spelled(value)}" for name, value in case.kwargs.items()]
    arrays = [f"x{i}" for i in range(next(count))]
    lines = [
        f"def function({', '.join(arrays)}):",
        *(f"    {x} = {given.format(x)}" for x in arrays),
        f"    result = xp.{case.function}({', '.join([*args, *named])})",
        f"    return _arrays({args[0] if args else None} if result is None else result)",
    ]
    # PyTorch records by file and line the numbers that have changed, and traces them as symbols.
    exec(compile("\n".join(lines), f"<call {next(_NUMBERS)}>", "exec"), constants)
    made: Callable[..., list[Any]] = constants["function"]
    return made


_NUMBERS: Final = itertools.count()


def _arrays(result: Any) -> list[Any]:
    """Return the native arrays of a result."""
    if isinstance(result, Array):
        return [result.data]
    if isinstance(result, tuple | list):
        return [x for part in result for x in _arrays(part)]
    return []
