"""A result shares memory with an argument if NumPy's does, and not otherwise."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify import dtypes
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS
from tests.differential.arguments import cases
from tests.differential.case import ArrayArg, Case
from tests.differential.coverage import parameters
from tests.differential.outcome import run
from tests.differential.runner import check_examples
from tests.differential.sharing import SHARING, faults
from tests.installed import INSTALLED
from tests.tables import each

# It returns its argument, by definition.
UPDATES = frozenset({"set_item"})
FUNCTIONS = parameters(lambda name: name not in UPDATES)
MUTABLE = [name for name in ("numpy", "torch") if name in INSTALLED]


@pytest.fixture(params=MUTABLE)
def mutable(request: pytest.FixtureRequest) -> ModuleType:
    """The bound namespace of each backend whose own memory is shared."""
    return namespace_of(request.param)


def _report(case: Case, xp: ModuleType) -> str | None:
    found = faults(case, xp)
    return f"{case} on {xp.__unify_backend__}: {'; '.join(found)}" if found else None


@pytest.mark.sample(40)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_shares_as_numpy(function: str, mutable: ModuleType) -> None:
    check_examples(cases(function), lambda case: _report(case, mutable), mutable)


def test_table_names_functions() -> None:
    assert set(SHARING) <= set(CONTRACTS)


# --- calls that don't change their argument ---------------------------------------------------


def _call(function: str, *args: Any, **kwargs: Any) -> Any:
    """Return the call as a test; V, M and Z are a vector, a matrix and a 0-d array."""
    text = ", ".join([*map(str, args), *(f"{name}={value}" for name, value in kwargs.items())])
    return pytest.param(function, args, kwargs, id=f"{function}({text})")


V, M, Z = "V", "M", "Z"
IDLE = [
    *[_call(name, V) for name in ("positive", "conj", "abs", "round", "floor", "ceil", "trunc")],
    *[
        _call(name, V)
        for name in ("sort", "unique_values", "nan_to_num", "nn.relu", "clip", "real")
    ],
    *[_call(name, Z) for name in ("sum", "prod", "max", "min", "mean", "any", "all", "nansum")],
    *[_call(name, V, axis=()) for name in ("sum", "prod", "max", "min", "mean", "any", "all")],
    *[_call(name, V, axis=()) for name in ("nansum", "nanprod", "nanmax", "linalg.vector_norm")],
    *[_call(name, M) for name in ("tril", "diag", "linalg.diagonal", "linalg.trace", "median")],
    *[_call(name, M, axes=()) for name in ("fft.fftn", "fft.ifftn", "fft.fftshift")],
    *[_call("einsum", equation, M) for equation in ("ij->ij", "ij->ji", "ii->i", "ij->i", "ij->")],
    *[_call(name, V, copy=copy) for name in ("asarray", "array") for copy in (None, True, False)],
    *[_call("reshape", V, (1,), copy=copy) for copy in (None, True, False)],
    _call("broadcast_arrays", V),
    _call("broadcast_arrays", V, M),
    _call("broadcast_to", V, (1,)),
    _call("concat", [V]),
    _call("concat", [V], axis=None),
    _call("cumulative_prod", V),
    _call("cumulative_sum", V),
    _call("diff", V, n=0),
    _call("expand_dims", V, ()),
    _call("fft.fft", V),
    _call("fft.ifft", V),
    _call("fft.ihfft", V),
    _call("get_item", M, (0, 0)),
    _call("get_item", M, (0, 0, None)),
    _call("get_item", M, (0, 0, ...)),
    _call("get_item", M, (np.int64(0), 0)),
    _call("get_item", V, (np.int64(0), ...)),
    _call("get_item", V, -1),
    _call("get_item", Z, ()),
    _call("get_item", Z, ...),
    _call("kron", Z, V),
    _call("linalg.matrix_power", M, 1),
    _call("nn.lstm_update", np.zeros((0, 1)), V, V, np.zeros((1, 4)), np.zeros((1, 4))),
    _call("matmul", M, M),
    _call("maximum", V, V),
    _call("meshgrid", V),
    _call("meshgrid", V, V),
    _call("moveaxis", M, (), ()),
    _call("pad", V, 0),
    _call("pad", V, 0, mode="edge"),
    _call("pow", V, 1),
    _call("quantile", V, 0.0),
    _call("repeat", V, 1),
    _call("roll", V, 0),
    _call("roll", V, 0, axis=()),
    _call("split", V),
    _call("squeeze", M, ()),
    _call("stack", [V]),
    _call("take", V, np.asarray([0])),
    _call("tile", V, ()),
    _call("tile", V, (1,)),
    _call("to_device", V, "cpu"),
    _call("unstack", M),
    _call("unstack", M, axis=1),
    _call("unstack", V),
    _call("where", np.asarray(True), V, V),
]


def _filled(spec: Any, dtype: dtypes.DType) -> Any:
    """Replace the names by arrays of a data type."""
    if isinstance(spec, list | tuple):
        return type(spec)(_filled(part, dtype) for part in spec)
    if isinstance(spec, np.ndarray):
        return ArrayArg(spec)
    shape = {"V": (1,), "M": (1, 1), "Z": ()}.get(spec) if isinstance(spec, str) else None
    return spec if shape is None else ArrayArg(np.ones(shape, dtype.name))


@each("function, args, kwargs", IDLE)
def test_nothing_to_do(
    function: str, args: tuple[Any, ...], kwargs: dict[str, Any], mutable: ModuleType
) -> None:
    """Results that equal the argument may wrongly be the argument, or a view of it."""
    drawn = [Case(function, _filled(args, dtype), kwargs) for dtype in dtypes.ALL]
    assert any(run(case, mutable).error is None for case in drawn)
    assert [problem for case in drawn if (problem := _report(case, mutable))] == []


@pytest.mark.parametrize("copy", [True, False])
def test_astype(copy: bool, mutable: ModuleType) -> None:
    for dtype in dtypes.ALL:
        case = Case("astype", (ArrayArg(np.ones(1, dtype.name)), dtype), {"copy": copy})
        assert faults(case, mutable) == []


# --- seeded faults ----------------------------------------------------------------------------


@functools.cache
def _kept(xp: ModuleType) -> Any:
    return xp.ones(3)


FAULTS: dict[str, tuple[Callable[..., Any], str]] = {
    "positive": (lambda xp, x: x, "shares memory with an argument"),
    "abs": (lambda xp, x: x[:1, ...], "shares memory with an argument"),
    "exp": (lambda xp, x: _kept(xp), "shares memory with what an equal call returned"),
    "unique_counts": (lambda xp, x: (xp.ones(3),) * 2, "shares memory with another result"),
    "sin": (lambda xp, x: xp.broadcast_to(xp.ones(1), (3,)), "elements of result 0 share memory"),
    "matrix_transpose": (lambda xp, x: xp.asarray(x.mT, copy=True), "False; NumPy's: True"),
    "real": (lambda xp, x: xp.asarray(x, copy=True), "False; NumPy's: True"),
}


@pytest.mark.parametrize("function", FAULTS)
def test_faults_are_found(
    function: str, mutable: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong, problem = FAULTS[function]
    monkeypatch.setattr(mutable, function, lambda x, /: wrong(mutable, x))
    with pytest.raises(AssertionError, match=problem):
        check_examples(cases(function), lambda case: _report(case, mutable), mutable, share=2.5)
