"""The examples of every public docstring run, each with `unify` in scope."""

from __future__ import annotations

import doctest
from collections.abc import Iterator

import pytest

import arrayapi_unify as unify
from arrayapi_unify import array_object, devices, dtypes
from arrayapi_unify.binding import CONTRACTS

OTHERS = {
    "Array": (array_object.Array, {}),
    "NativeArray": (array_object.NativeArray, {"NativeArray": array_object.NativeArray}),
    "DType": (dtypes.DType, vars(dtypes)),
    "Device": (devices.Device, vars(devices)),
}


def examples() -> Iterator[doctest.DocTest]:
    parser = doctest.DocTestParser()
    named = {name: (CONTRACTS[name].function, {}) for name in unify.kinds()}
    for name, (documented, names) in {**named, **OTHERS}.items():
        scope = {"unify": unify, **names}
        yield parser.get_doctest(documented.__doc__ or "", scope, name, None, None)


@pytest.mark.parametrize("example", list(examples()), ids=lambda example: example.name)
def test_examples(example: doctest.DocTest) -> None:
    assert example.examples, "the docstring has no example"
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    runner.run(example, out=report.append)
    assert not runner.failures, "".join(report)
