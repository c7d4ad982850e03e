"""Behaviour 19: a backend's package has every function, native in and native out."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import backends
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import CONTRACTS, binding_of, namespace_of
from arrayapi_unify.binding.contract import Returns
from arrayapi_unify.errors import UnifyError
from tests.differential.arguments import cases
from tests.differential.case import Case, build
from tests.differential.drive import enough, for_all

# Functions with hidden state have no strategy; see tests/functional/test_random.py.
DRAWN_IN_SECRET = [
    f"random.{name}"
    for name in ("next_key", "randint", "random_normal", "random_uniform", "shuffle")
]
COMPUTED = [name for name, contract in CONTRACTS.items() if contract.kind != "standalone"]
ARRAYS = [
    name
    for name in COMPUTED
    if CONTRACTS[name].returns is not Returns.PLAIN and name not in DRAWN_IN_SECRET
]


def flat(name: str) -> Any:
    """Return a backend's package, as users import it."""
    return importlib.import_module(f"arrayapi_unify.backends.{name}")


def function_of(package: Any, qualified_name: str) -> Any:
    for part in qualified_name.split("."):
        package = getattr(package, part)
    return package


REFUSALS = (ValueError, TypeError, IndexError, OverflowError, RuntimeError)


def natives(value: Any) -> Any:
    """Return what native functions take: no Arrays, in no list."""
    if isinstance(value, Array):
        return value._data
    return [natives(part) for part in value] if isinstance(value, list | tuple) else value


def parts(result: Any) -> Iterator[Any]:
    if isinstance(result, tuple):
        for part in result:
            yield from parts(part)
    else:
        yield result


def call(case: Case, xp: ModuleType) -> Any:
    """Make a drawn call with native arguments; None where it raises."""
    name = xp.__name__.rpartition(".")[2]
    bound = binding_of(name).bound[case.function]
    try:
        args, kwargs = build(case.args, xp), build(case.kwargs, xp)
        kwargs.pop("out", None)
        names = bound.contract.by_position
        names += names[-1:] * (len(args) - len(names))  # `*arrays` takes any number
        positional = [natives(bound.convert(*given)) for given in zip(names, args, strict=False)]
        keywords = {key: natives(bound.convert(key, a)) for key, a in kwargs.items()}
        if bound._operands:
            bound._arrays_for_scalars(positional)
            positional = [natives(a) for a in positional]
        with np.errstate(all="ignore"):
            return function_of(flat(name), case.function)(*positional, **keywords)
    except Exception as error:
        found = backends.load(name).translate_error(error)
        if not isinstance(found, (UnifyError, *REFUSALS)):
            raise
        return None


class TestEveryFunction:
    def test_is_there(self, xp: ModuleType) -> None:
        package = flat(xp.ones(1).backend)
        for name in COMPUTED:
            assert callable(function_of(package, name)), name
        assert {name for name in COMPUTED if "." not in name} <= set(dir(package))
        with pytest.raises(AttributeError, match="has no attribute 'nope'"):
            _ = package.nope

    @pytest.mark.parametrize("function", ARRAYS)
    def test_returns_native_arrays(self, function: str, xp: ModuleType) -> None:
        """NumPy's own functions return `np.float64` for a zero-dimensional result."""
        owns, found = backends.load(xp.ones(1).backend).owns, 0

        def check(case: Case) -> str | None:
            nonlocal found
            if enough(found, xp):
                return None
            result = call(case, xp)
            found += result is not None
            wrong = [type(p) for p in parts(result) if result is not None and not owns(type(p))]
            return f"{case} returns {wrong}" if wrong else None

        for again in range(20):  # a few examples each, as JAX compiles most of them
            for_all(cases(function), check, xp, share=0.2, again=again)
            if found > 5 or enough(found, xp):
                break
        assert found, "no call that was drawn succeeds"


class TestUse:
    def test_names_of_python_stay_its_own(self, xp: ModuleType) -> None:
        """The package's functions call `all` and `any` themselves."""
        package = flat(xp.ones(1).backend)
        for name in ("abs", "all", "any", "max", "min", "pow", "round", "sum"):
            assert function_of(package, name) is function_of(package, name)
            assert name not in vars(package)

    def test_values(self, xp: ModuleType) -> None:
        package, x = flat(xp.ones(1).backend), xp.asarray([[4.0, 1.0], [2.0, 3.0]]).data
        results = {
            "primary": (package.sum(x, axis=0), np.sum([[4.0, 1.0], [2.0, 3.0]], 0)),
            "mixed": (package.softmax(x), np.exp([[4.0, 1.0], [2.0, 3.0]])),
            "composed": (package.median(x, axis=1), np.median([[4.0, 1.0], [2.0, 3.0]], 1)),
            "below": (package.linalg.det(x), np.asarray(10.0)),
        }
        results["mixed"][1][:] /= results["mixed"][1].sum(-1, keepdims=True)
        for got, expected in results.values():
            np.testing.assert_allclose(unify.to_numpy(got), expected)

    def test_linalg_has_what_the_standard_lists_there_too(self, xp: ModuleType) -> None:
        package, x = flat(xp.ones(1).backend), xp.asarray([[4.0, 1.0], [2.0, 3.0]]).data
        for name in ("matmul", "matrix_transpose", "tensordot", "vecdot"):
            assert getattr(package.linalg, name) is getattr(package, name)
            assert name in dir(package.linalg)
        expected = np.asarray([[18.0, 7.0], [14.0, 11.0]])
        np.testing.assert_allclose(unify.to_numpy(package.linalg.matmul(x, x)), expected)
        with pytest.raises(AttributeError, match="nonsense"):
            _ = package.linalg.nonsense

    def test_calls_that_no_native_function_serves(self, xp: ModuleType) -> None:
        """PyTorch's own `linear` takes a weight of two axes only (behaviour 7)."""
        package = flat(xp.ones(1).backend)
        x, weight = np.arange(24.0).reshape(2, 4, 3), np.arange(12.0).reshape(2, 2, 3)
        found = package.linear(xp.asarray(x).data, xp.asarray(weight).data)
        expected = np.einsum("bif,bof->bio", x, weight)
        np.testing.assert_allclose(unify.to_numpy(found), expected)


PROGRAM = """
import sys
import arrayapi_unify.backends.{name} as b
loaded = [m for m in sys.modules if m.startswith("arrayapi_unify.backends.{name}.")]
print([m for m in loaded if not m.rpartition(".")[2].startswith("_")])
print(b.sin.__module__, b.linalg.det.__module__)
print(sorted(m for m in sys.modules if m.startswith("arrayapi_unify.functional.")))
"""


def test_nothing_is_loaded_before_it_is_asked_for(xp: ModuleType) -> None:
    name = namespace_of(xp.ones(1).backend).__name__.rpartition(".")[2]
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(name=name)],
        capture_output=True,
        text=True,
        check=True,
    )
    before, modules, functional = run.stdout.strip().splitlines()[-3:]
    package = f"arrayapi_unify.backends.{name}"
    assert set(eval(before)) <= {f"{package}.dtypes"}
    assert modules.split()[1] == f"{package}.linalg"
    assert functional == "[]"
