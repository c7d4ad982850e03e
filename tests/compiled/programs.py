"""Programs of many calls, compiled, beside the same calls one by one.

The programs of a backend are the same in every run: each function is beside others in each data
type and size, alone in float32 and in one other data type, and has every scalar as an operand.
"""

from __future__ import annotations

import importlib
import itertools
import random
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

import arrayapi_unify as unify
from arrayapi_unify.contracts import CONTRACTS
from tests.compiled.calls import (
    DTYPES,
    FUNCTIONS,
    SIZES,
    Call,
    calls_of,
    scalar_calls,
    takes,
)
from tests.compiled.comparing import differs, is_documented
from tests.differential.case import ArrayArg
from tests.differential.outcome import Outcome, Result, outcome_of
from tests.differential.tracing import arrays_of

__all__ = ["BACKENDS", "Program", "differences", "plan"]

BACKENDS: Final = ("torch", "tensorflow", "jax")
_TOGETHER: Final = 30
_KERNELS: Final = 1000
# Categories of functions that compilers write out.
_WRITTEN_OUT: Final = (
    "elementwise", "statistical", "manipulation", "special", "creation", "utility", "general",
    "nn.activations", "nn.losses",
)  # fmt: skip
# PyTorch compiles thousands of operations for minutes: these are alone, and in few data types.
_LONG: Final = {"torch": ("special.", "random.", "linalg.expm")}
# One call of these takes it up to two minutes: they have no scalars as operands.
_LONGEST: Final = {
    "torch": ("special.beta", "special.gammainc", "special.polygamma", "special.zeta")
}


@dataclass(frozen=True)
class Program:
    """Some functions in one program, with arrays of one data type and size."""

    kind: str
    dtype: str
    size: str
    functions: tuple[str, ...]

    def __str__(self) -> str:
        """Return the name of the program; that of its first function is in no other."""
        return f"{self.kind} {self.dtype} {self.size} {self.functions[0]}"

    def rows(self) -> Iterator[list[list[Call]]]:
        """Yield the alternatives of each function: the first one that runs is compared."""
        for function in self.functions:
            if self.kind == "scalars":
                yield from ([[call]] for call in scalar_calls(function, self.dtype))
            else:
                yield [*calls_of(function, self.dtype, self.size)]


def _is_apart(function: str, backend: str) -> bool:
    """Return True for a function that has no others beside it."""
    return function.startswith(_LONG.get(backend, ())) or bool(CONTRACTS[function].data_dependent)


def _is_called(function: str) -> bool:
    """Return True if compilers may call a library.

    Calls come last: PyTorch's compiler writes a kernel between two of them, and each kernel is a
    run of g++ of 0.9 s. In drawn order, a program has 8 kernels, and takes a third longer.
    """
    return CONTRACTS[function].category not in _WRITTEN_OUT


def plan(backend: str) -> list[Program]:
    """Return all programs, in an order in which each part of them has all kinds."""
    found = []
    for dtype, size in itertools.product(DTYPES, SIZES):
        names = [f for f in FUNCTIONS if takes(f, dtype) and not _is_apart(f, backend)]
        random.Random(f"{dtype} {size}").shuffle(names)
        parts = max(1, round(len(names) / _TOGETHER))
        for i in range(parts):
            together = sorted(names[i::parts], key=_is_called)
            found.append(Program("beside", dtype, size, tuple(together)))
    for function in FUNCTIONS:
        chance = random.Random(function)
        others = [dtype for dtype in DTYPES if takes(function, dtype) and dtype != "float32"]
        chosen = ["float32"] * takes(function, "float32") + [chance.choice(others)]
        found += [Program("alone", d, chance.choice(SIZES[1:]), (function,)) for d in chosen]
        if not function.startswith(_LONGEST.get(backend, ())):
            scalars = dict.fromkeys(d for d in DTYPES if scalar_calls(function, d))
            found += [Program("scalars", dtype, "special", (function,)) for dtype in scalars]
    random.Random(0).shuffle(found)
    return found


class _Written:
    """The source of a function of arrays that makes some calls, and its arguments."""

    def __init__(self, calls: Sequence[Call], xp: ModuleType) -> None:
        self.inputs: dict[tuple[Any, ...], ArrayArg] = {}
        self._scope: dict[str, Any] = {"xp": xp}
        results = [f"    r{i} = {self._call(call)}" for i, call in enumerate(calls)]
        names = [f"x{i}" for i in range(len(self.inputs))]
        results.append(f"    return ({''.join(f'r{i}, ' for i in range(len(calls)))})")
        self.source = "\n".join([f"def program({', '.join(names)}):", *results])

    def _call(self, call: Call) -> str:
        first = next(iter(arrays_of(call.case)), None)
        writes = call.case.function == "set_item"

        def spelled(spec: Any) -> str:
            if isinstance(spec, ArrayArg):
                key = (spec.values.dtype.name, spec.values.shape, spec.values.tobytes(), spec.view)
                self.inputs.setdefault(key, spec)
                name = f"x{[*self.inputs].index(key)}"
                return call.change.replace("$", name) if spec is first else name
            if isinstance(spec, list):
                return f"[{', '.join(map(spelled, spec))}]"
            if type(spec) is tuple:
                return f"({''.join(spelled(item) + ', ' for item in spec)})"
            self._scope[name := f"c{len(self._scope)}"] = spec
            return name

        args = [spelled(arg) for arg in call.case.args]
        named = [f"{name}={spelled(value)}" for name, value in call.case.kwargs.items()]
        if writes:
            args[0] = f"w := xp.asarray({args[0]}, copy=True)"
            return f"(xp.set_item(({args[0]}), {', '.join([*args[1:], *named])}), w)[1]"
        return f"xp.{call.case.function}({', '.join([*args, *named])})"

    def function(self) -> Callable[..., Any]:
        """Compile the source; torch.compile records what it knows by file and line."""
        scope = dict(self._scope)
        exec(compile(self.source, f"<program {next(_NUMBERS)}>", "exec"), scope)
        made: Callable[..., Any] = scope["program"]
        return made


_NUMBERS: Final = itertools.count()


def _run(calls: Sequence[Call], xp: ModuleType, compiled: bool, whole: bool = False) -> Outcome:
    """Run a program; if it has to be whole, a call that PyTorch doesn't follow raises."""
    written = _Written(calls, xp)
    function = written.function()

    def action() -> Any:
        arrays = [array.build(xp) for array in written.inputs.values()]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the compilers' own
            with _whole_programs() if whole else nullcontext():
                return (unify.compile(function) if compiled else function)(*arrays)

    return outcome_of(action, xp)


def _whole_programs() -> Any:
    return importlib.import_module("torch._dynamo").error_on_graph_break(True)


def _eager(rows: list[list[Call]], xp: ModuleType) -> list[tuple[Call, Outcome]]:
    """Return the first of some alternatives that runs and gives arrays, with its results."""
    for calls in rows:
        found = [(call, _run([call], xp, compiled=False)) for call in calls]
        if found and all(out.error is None and _has_arrays(out.value) for _, out in found):
            return found
    return []


def _has_arrays(value: Any) -> bool:
    if isinstance(value, Result):
        return bool(value.values.size)
    return isinstance(value, tuple) and any(map(_has_arrays, value[1]))


Found = dict[str, str]


def differences(program: Program, xp: ModuleType) -> tuple[int, list[Found]]:
    """Compile a program; return the number of calls compared, and the ones that differ."""
    made = [pair for rows in program.rows() for pair in _eager(rows, xp)]
    found = [
        {"program": str(program), "function": call.case.function, "what": what, "call": str(call)}
        for call, what in (_compared(made, xp) if made else ())
    ]
    _drop_programs(xp.__unify_backend__)
    return len(made), found


def _drop_programs(backend: str) -> None:
    """Drop compiled programs, and kernels of JAX at 1.5 MB each."""
    library = sys.modules.get(backend) if backend in ("torch", "jax") else None
    if library and backend == "torch":
        library.compiler.reset()
    elif library and len(library.devices("cpu")[0].client.live_executables()) > _KERNELS:
        library.clear_caches()


def _compared(
    made: list[tuple[Call, Outcome]], xp: ModuleType, whole: bool = True
) -> Iterator[tuple[Call, str]]:
    """Yield what differs; a program that raises is divided until the call is found.

    A break of PyTorch's graph ends a program that has to be whole. If each of its calls is right
    alone, the program is compared with its breaks.
    """
    backend = xp.__unify_backend__
    calls = [call for call, _ in made]
    whole = whole and backend == "torch" and len(calls) > 1
    got = _run(calls, xp, compiled=True, whole=whole)
    if got.error and len(made) > 1:
        middle = len(made) // 2
        parts = [pair for part in (made[:middle], made[middle:]) for pair in _compared(part, xp)]
        if not parts and whole:
            parts = list(_compared(made, xp, whole=False))
        yield from parts or ([] if whole else [(made[0][0], f"with others: {_told(got.error)}")])
    elif got.error:
        if not is_documented(calls[0].case, xp, got.error):
            yield made[0][0], _told(got.error)
    else:
        for (call, wanted), value in zip(made, got.value[1], strict=True):
            what = differs(call, wanted.value[1][0], value, xp)
            if what:
                yield call, what


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:400]}"
