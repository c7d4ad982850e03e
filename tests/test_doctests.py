"""The examples of every public docstring run, each with `unify` in scope."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import arrayapi_unify as unify
from arrayapi_unify import array_object, devices, dtypes, nn, overrides
from arrayapi_unify.contracts import CONTRACTS

OTHERS = {
    "Array": (array_object.Array, {}),
    "NativeArray": (array_object.NativeArray, {"NativeArray": array_object.NativeArray}),
    "DType": (dtypes.DType, vars(dtypes)),
    "Device": (devices.Device, vars(devices)),
    "map_arrays": (overrides.map_arrays, {"overrides": overrides}),
}


def examples() -> Iterator[doctest.DocTest]:
    parser = doctest.DocTestParser()
    named = {name: (CONTRACTS[name].function, {}) for name in unify.kinds()}
    for name, (documented, names) in {**named, **OTHERS}.items():
        scope = {"unify": unify, **names}
        yield parser.get_doctest(documented.__doc__ or "", scope, name, None, None)


def examples_of_modules() -> Iterator[doctest.DocTest]:
    """Examples of classes, their methods, and functions without a contract."""
    finder = doctest.DocTestFinder(exclude_empty=False)
    for info in pkgutil.walk_packages(nn.__path__, f"{nn.__name__}."):
        found = importlib.import_module(info.name)
        for value in (getattr(found, name) for name in getattr(found, "__all__", ())):
            if hasattr(value, "__name__") and not hasattr(value, "contract"):
                # Public classes say that they are of `nn`, so the finder gets no module to compare.
                tests = finder.find(value, module=False, globs={"unify": unify})
                yield from (test for test in tests if test.examples)


@pytest.mark.parametrize("example", list(examples_of_modules()), ids=lambda example: example.name)
def test_examples_of_modules(example: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    runner.run(example, out=report.append)
    assert not runner.failures, "".join(report)


def test_every_class_and_function_has_one() -> None:
    told = {example.name.rpartition(".")[2] for example in examples_of_modules()}
    modules = (nn.initializers, nn.optimizers, nn.schedules)
    public = {name for module in (nn, *modules) for name in module.__all__}
    public -= {c.name for c in CONTRACTS.values()} | {"initializers", "optimizers", "schedules"}
    assert public - told == {"Initializer", "Optimizer"}


@pytest.mark.parametrize("example", list(examples()), ids=lambda example: example.name)
def test_examples(example: doctest.DocTest) -> None:
    assert example.examples, "the docstring has no example"
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    runner.run(example, out=report.append)
    assert not runner.failures, "".join(report)
