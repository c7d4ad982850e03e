"""B73: a class with the attributes that docs/custom_class.md names runs every body."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding._reading import called, primaries_of
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.functional._transforms import tree_arrays
from arrayapi_unify.overrides import map_arrays
from tests.compiled.calls import FUNCTIONS, calls_of, takes
from tests.differential.case import Case, build
from tests.installed import EAGER

# Functions with a body, which take arrays.
BODIES = [f for f in FUNCTIONS if CONTRACTS[f].kind in ("compositional", "mixed")]
# Parts of the result that depend on sizes and numbers alone, or are empty, are plain arrays.
OF_SIZES = {
    "array_equal": {0}, "geomspace": {0}, "histogram": {1}, "histogram2d": {1, 2},
    "linalg.lu": {0}, "logspace": {0},
    "nn.gru_update": {0}, "nn.lstm_update": {0}, "nn.rnn_update": {0}, "random.multinomial": {0},
}  # fmt: skip


CALLED: set[str] = set()  # by the bodies of the calls of a test


class Minimal(unify.UnifyOperatorsMixin):
    """Handles the primary functions, and has nothing beyond what a body may use."""

    __ivy_run_bodies__ = True
    __slots__ = ("_array",)

    def __init__(self, array: unify.Array) -> None:
        self._array = array

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func.kind != "primary":
            return NotImplemented
        CALLED.add(func.contract.qualified_name)
        return map_arrays(func, args, kwargs, opened, Minimal)

    dtype = property(lambda self: self._array.dtype)
    shape = property(lambda self: self._array.shape)
    ndim = property(lambda self: self._array.ndim)
    device = property(lambda self: self._array.device)

    def astype(self, dtype: Any, /, *, copy: bool = True) -> Any:
        return unify.astype(self, dtype, copy=copy)  # type: ignore[arg-type]  # it overrides

    def __getitem__(self, key: Any) -> Any:
        return unify.get_item(self, key)  # type: ignore[arg-type]  # it overrides

    def __setitem__(self, key: Any, value: Any) -> None:
        unify.set_item(self, key, value)  # type: ignore[arg-type]  # it overrides

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        return self._array.__array_namespace__(api_version=api_version)


def opened(x: Any) -> Any:
    return x._array if isinstance(x, Minimal) else x


def _each(x: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(x, list | tuple):
        found = [_each(one, change) for one in x]
        return tuple(found) if type(x) is tuple else found
    if isinstance(x, dict):
        return {name: _each(one, change) for name, one in x.items()}
    return change(x)


def _wrapped(x: Any) -> Any:
    return Minimal(x) if isinstance(x, unify.Array) else x


def _values(x: Any) -> Any:
    return _each(x, lambda one: np.asarray(opened(one)) if hasattr(one, "dtype") else one)


def _cases(function: str, every: bool) -> Iterator[Case]:
    kinds = [
        next((dtype for dtype in kind if takes(function, dtype)), None)
        for kind in (("float32", "int64"), ("complex64", "bool", "float64"))
    ]
    for dtype in kinds if every else kinds[:1]:
        for size in ("4", "special") if dtype else ():
            for calls in calls_of(function, dtype, size):
                yield from (call.case for call in calls[:1])


def _same(found: Any, wanted: Any) -> None:
    if isinstance(wanted, list | tuple):
        assert len(found) == len(wanted)
        for pair in zip(found, wanted, strict=True):
            _same(*pair)
    else:
        assert getattr(found, "dtype", None) == getattr(wanted, "dtype", None)
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of NumPy's functions
@pytest.mark.slow_on("torch")
@pytest.mark.parametrize("function", BODIES)
@pytest.mark.parametrize("backend", [name for name in ("numpy", "torch") if name in EAGER])
def test_every_body(backend: str, function: str) -> None:
    xp, public, ran = unify.get_backend(backend), CONTRACTS[function].public, 0
    for case in _cases(function, every=backend != "numpy"):
        args, kwargs = build(case.args, xp), build(case.kwargs, xp)
        try:
            wanted = _values(public(*args, **kwargs))
        except unify.UnifyError:
            continue
        args, kwargs = build(case.args, xp), build(case.kwargs, xp)
        ran += 1
        CALLED.clear()
        found = public(*[_each(x, _wrapped) for x in args], **_each(kwargs, _wrapped))
        _same(_values(found), wanted)
        assert unify.functions_used(function) >= CALLED
        if not any(True for _ in tree_arrays((args, kwargs))):
            continue
        parts = found if isinstance(found, list | tuple) else [found]
        plain = {i for i, one in enumerate(parts) if isinstance(one, unify.Array)}
        assert plain <= OF_SIZES.get(function, set()), (case, plain)
    assert ran


def test_exponential_of_a_band() -> None:
    """A helper class of the body calls functions for triangular matrices alone."""
    x = unify.numpy.asarray([[1.0, 2.0], [0.0, 3.0]])
    CALLED.clear()
    _same(_values(unify.linalg.expm(Minimal(x))), _values(unify.linalg.expm(x)))
    assert {"expm1", "roll"} <= CALLED
    assert unify.functions_used("linalg.expm") >= CALLED


def test_without_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    for cached in (called, primaries_of):
        cached.cache_clear()

    def missing(_: object) -> str:
        raise OSError("could not get source code")

    monkeypatch.setattr("inspect.getsource", missing)
    with pytest.raises(unify.errors.BackendError, match=r"functions_used: .*its \.py files"):
        unify.functions_used("kron")
