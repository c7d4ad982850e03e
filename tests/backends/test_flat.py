"""B19: a backend's package has every function, native in and native out."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest

import arrayapi_unify as unify
from tests.backends.flat import ARRAYS, COMPUTED, flat, function_of
from tests.differential.coverage import compared


class TestEveryFunction:
    def test_is_there(self, xp: ModuleType) -> None:
        package = flat(xp.ones(1).backend)
        for name in COMPUTED:
            assert callable(function_of(package, name)), name
        assert {name for name in COMPUTED if "." not in name} <= set(dir(package))
        with pytest.raises(AttributeError, match="has no attribute 'nope'"):
            _ = package.nope

    def test_every_result_is_looked_at(self) -> None:
        """tests/differential/test_functions.py makes the calls, and checks the types."""
        assert set(ARRAYS) <= set(compared())

    def test_is_the_backends_own(self, xp: ModuleType) -> None:
        """Imports of the package shadow no function: `repeat` was once that of itertools."""
        package = flat(xp.ones(1).backend)
        owners = {name: getattr(vars(package).get(name), "__module__", "") for name in COMPUTED}
        assert [name for name in owners if owners[name] in sys.stdlib_module_names] == []


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
        """PyTorch's own `linear` takes a weight of two axes only (B7)."""
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


@pytest.mark.slow_on("torch", "tensorflow", "jax", "dask")
def test_nothing_is_loaded_before_it_is_asked_for(xp: ModuleType) -> None:
    name = xp.__unify_backend__
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
