"""A part of the programs that are compiled, and what a wrong compiler would give.

A fixed twentieth, or with `ARRAYAPI_UNIFY_SEED` a hundredth that the number draws.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from tests.compiled import __main__ as command, programs
from tests.compiled.calls import FUNCTIONS, SIZES, Call, calls_of, takes
from tests.compiled.comparing import differs
from tests.compiled.programs import BACKENDS, Program, differences
from tests.differential.case import ArrayArg, Case
from tests.differential.outcome import Result, run
from tests.differential.runner import SEED
from tests.installed import INSTALLED

backends = pytest.mark.parametrize("backend", [name for name in BACKENDS if name in INSTALLED])
# Programs of PyTorch take minutes each: `python -m tests.compiled --backend torch`.
TRACED = ("tensorflow", "jax")
plan = functools.cache(programs.plan)
# Each of these differed in vectors that inductor writes.
_SOME = ("expm1", "atanh", "remainder", "min", "argmin", "sum", "isnan")


def _part() -> slice:
    parts = 100 if SEED in os.environ else 20
    return slice(int(os.environ.get(SEED, "0")) % parts, None, parts)


@backends
@pytest.mark.slow_on("torch")
@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_some_functions(backend: str, dtype: str) -> None:
    functions = tuple(name for name in _SOME if takes(name, dtype))
    calls, found = differences(Program("beside", dtype, "33", functions), namespace_of(backend))
    assert calls == len(functions)
    assert not found, found


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("backend", [name for name in TRACED if name in INSTALLED])
@pytest.mark.parametrize("part", range(8))
def test_same_as_eager(backend: str, part: int) -> None:
    found = []
    for program in plan(backend)[_part()][part::8]:
        found += differences(program, namespace_of(backend))[1]
    assert not found, "\n".join(map(str, found))


def _of_sizes(function: str, xp: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Yield a function that makes one call, and its arguments of several sizes."""
    found: dict[str, tuple[Any, list[Any]]] = {}
    for calls in (c for size in SIZES[:3] for c in calls_of(function, "float32", size)):
        written = programs._Written(calls[:1], xp)
        called, several = found.setdefault(written.source, (written.function(), []))
        with contextlib.suppress(unify.UnifyError, TypeError):  # such as an axis that x lacks
            called(*[array.build(xp) for array in written.inputs.values()])
            several.append([array.build(xp) for array in written.inputs.values()])
    yield from (pair for pair in found.values() if len(pair[1]) > 1)


@pytest.mark.slow
@pytest.mark.skipif("torch" not in INSTALLED, reason="PyTorch isn't installed")
@pytest.mark.parametrize("part", range(4))
def test_sizes_that_differ(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the second call on, sizes are variables in PyTorch's traces; it compiles no kernels."""
    torch, xp = pytest.importorskip("torch"), namespace_of("torch")
    made = functools.partial(torch.compile, backend="eager")
    monkeypatch.setattr(torch, "compile", lambda fn, **options: made(fn))
    checked = 0
    for function in [name for name in FUNCTIONS if takes(name, "float32")][part::4]:
        if programs._is_apart(function, "torch"):
            continue
        for called, several in list(_of_sizes(function, xp))[:1]:
            compiled = unify.compile(called)
            for arrays in several[:3]:
                compiled(*arrays)
            torch.compiler.reset()
            checked += 1
    assert checked > 20


@pytest.mark.slow_on("torch")
@pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")  # of inductor itself
@backends
def test_views_of_sizes_that_differ(backend: str) -> None:
    xp = namespace_of(backend)

    @unify.compile
    def reversed_rows(x: Any) -> Any:
        x[0] = 3.0
        return xp.flip(x, axis=0), x[::-1] + 1.0

    for shape in ((10, 100), (3, 11), (5,)):
        first, second = reversed_rows(xp.ones(shape))
        wanted = np.ones(shape)
        wanted[0] = 3.0
        np.testing.assert_array_equal(np.asarray(first), wanted[::-1])
        np.testing.assert_array_equal(np.asarray(second), wanted[::-1] + 1.0)


@pytest.mark.slow
def test_every_function_has_calls() -> None:
    """Of each size, in its first data type, calls that succeed."""
    xp = namespace_of("numpy")
    missing = [
        (function, size)
        for function in FUNCTIONS
        for size in SIZES
        if not any(
            all(run(call.case, xp).error is None for call in calls)
            for dtype in ("float32", "int64", "bool")
            if takes(function, dtype)
            for calls in calls_of(function, dtype, size)
        )
    ]
    assert not missing


def test_arrays_are_shared() -> None:
    names = ("abs", "exp", "sin", "sqrt", "add", "multiply")
    rows = Program("beside", "float32", "1000", names).rows()
    written = programs._Written([row[-1][0] for row in rows], namespace_of("numpy"))
    assert len(written.inputs) < len(names)


class TestDifferences:
    """A backend's compiler is replaced by one that is wrong."""

    PROGRAM = Program("beside", "float32", "33", ("exp", "cumsum", "floor"))

    def found(self, monkeypatch: pytest.MonkeyPatch, compile_: Any) -> list[Any]:
        monkeypatch.setattr(programs.unify, "compile", compile_)
        return differences(self.PROGRAM, namespace_of("numpy"))[1]

    def test_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert not self.found(monkeypatch, lambda function: function)

    @pytest.mark.parametrize("factor", [-1, 0, np.nan, 1 + 2.0**-18])
    def test_values(self, monkeypatch: pytest.MonkeyPatch, factor: float) -> None:
        def wrong(function: Any) -> Any:
            return lambda *x: (*function(*x)[:2], function(*x)[2] * factor)

        assert [row["function"] for row in self.found(monkeypatch, wrong)] == ["floor"]

    def test_data_types(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def wrong(function: Any) -> Any:
            return lambda *x: (unify.astype(function(*x)[0], unify.float64), *function(*x)[1:])

        assert "float64" in self.found(monkeypatch, wrong)[0]["what"]

    @pytest.mark.parametrize("backend", ["tensorflow", "jax"])
    def test_algebra(self, backend: str) -> None:
        """A compiler may remove `x + 0`, and nothing else is accepted there."""
        xp = namespace_of(backend)
        call, zeros = Call(Case("add", (ArrayArg(np.zeros(2)), 0.0))), np.zeros(2)
        found = [
            differs(call, Result("float64", zeros), Result("float64", got), xp)
            for got in (-zeros, zeros + 1, zeros * np.nan)
        ]
        assert found[0] is None
        assert all(found[1:])

    def test_products_by_row(self) -> None:
        """Of a row that overflows and underflows on the way, any product is accepted."""
        rows = np.array([[1e200, 1e200, 1e-200, 1e-200, 1e-200], [1.0, 2.0, 3.0, 4.0, 5.0]])
        call = Call(Case("prod", (ArrayArg(rows),), {"axis": 1}))
        xp = namespace_of("numpy")

        def differ(*got: float) -> str | None:
            wanted = Result("float64", np.array([np.inf, 120.0]))
            return differs(call, wanted, Result("float64", np.array(got)), xp)

        assert differ(0.0, 120.0) is None
        assert differ(0.0, 121.0)

    def test_transforms_of_two_axes_by_the_row_of_all_axes(self) -> None:
        x = np.ones((3, 4))
        finite = np.fft.rfft2(x)
        x[0, 0], x[1, 1] = np.inf, np.nan
        wanted = np.fft.rfft2(x)
        other = wanted.copy()
        other.imag[0, 0] = 0.0
        call = Call(Case("fft.rfft2", (ArrayArg(x),)))
        results = [Result("complex128", values) for values in (wanted, other, finite)]
        found = [differs(call, results[0], each, namespace_of("jax")) for each in results]
        assert found == [None, None, "finite where no finite number is expected"]

    def test_errors(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def wrong(function: Any) -> Any:
            def raising(*x: Any) -> Any:
                if len(function(*x)) != 1 or "cumsum" in str(function.__code__.co_names):
                    raise RuntimeError("refused")
                return function(*x)

            return raising

        (found,) = self.found(monkeypatch, wrong)
        assert found["function"] == "cumsum"
        assert "refused" in found["what"]


def test_a_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    some = [Program("beside", "int8", size, ("abs", "sign")) for size in SIZES]
    monkeypatch.setattr(command, "plan", lambda backend: some)
    options = ["--backend", "tensorflow", "--state", str(tmp_path)]
    assert command.main([*options, "--size", "4"]) == 0
    assert "int8 4 abs of 2: 2 calls" in capsys.readouterr().out
    assert command.main(options) == 0
    printed = capsys.readouterr().out
    assert "int8 4 " not in printed
    assert "int8 33 abs of 2: 2 calls" in printed
    assert "tensorflow: 8 calls in 4 programs of 4, 0 differ" in printed
