"""B54: a backend of ten functions runs what it can, and errors name what it lacks."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.annotations import ARRAY_ROLES
from arrayapi_unify.errors import (
    BackendError,
    UnifyAttributeError,
    UnifyError,
    UnifyTypeError,
)
from tests.registered import registered

HAS = {
    "asarray", "zeros", "add", "multiply", "negative", "sum", "reshape", "get_item", "to_list",
    "to_scalar",
}  # fmt: skip
# The effects of the registration on the whole project.
SCRIPT = """
import json
from arrayapi_unify import backends
backends.register("toy", framework="tests.toy.library", package="tests.toy")
import arrayapi_unify as unify
from compliance.namespaces import backends
xp = unify.get_backend("toy")
x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
print(json.dumps([repr(x), str(type(x)), backends(), unify.kinds()["sin"].missing_on]))
"""


@pytest.fixture
def toy() -> Iterator[ModuleType]:
    """The namespace of the small backend, registered for one test."""
    with registered("toy", framework="tests.toy.library", package="tests.toy") as namespace:
        yield namespace


class TestWhatItHas:
    def test_functions_operators_and_methods(self, toy: ModuleType) -> None:
        x = toy.asarray([[1.0, 2.0], [3.0, 4.0]])
        assert (x + x * 2.0).tolist() == [[3.0, 6.0], [9.0, 12.0]]
        assert (-x).sum(axis=0).tolist() == [-4.0, -6.0]
        assert toy.reshape(x, (4,))[1:3].tolist() == [2.0, 3.0]
        assert unify.add(x, x).backend == "toy"
        assert (x.shape, x.dtype, x.ndim, x.size) == ((2, 2), unify.float64, 2, 4)
        x += 1.0
        assert x.tolist() == [[2.0, 3.0], [4.0, 5.0]]
        out = toy.zeros((2, 2))
        assert toy.add(x, 1.0, out=out) is out
        assert out.tolist() == [[3.0, 4.0], [5.0, 6.0]]

    def test_values_are_exported_by_dlpack(self, toy: ModuleType) -> None:
        """A library without DLPack exports copies of its values, from the CPU."""
        x = toy.asarray([1.0, 2.0])
        values = np.from_dlpack(x)
        values[0] = 9.0
        assert (values.tolist(), x.tolist()) == ([9.0, 2.0], [1.0, 2.0])
        assert x.__dlpack_device__() == (1, 0)
        with pytest.raises(BufferError, match="exported by its values, which are copied"):
            x.__dlpack__(copy=False)

    def test_containers_and_overrides(self, toy: ModuleType) -> None:
        class Other:
            def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
                return func.__name__

        c = unify.Container(a=toy.asarray([1.0]))
        assert (c + 1).a.tolist() == [2.0]
        assert toy.add(toy.asarray([1.0]), Other()) == "add"

    def test_it_is_as_short_as_they_say(self) -> None:
        folder = Path(importlib.import_module("tests.toy").__path__[0])
        files = [path.read_text(encoding="utf-8") for path in folder.glob("*.py")]
        lines = [line for text in files for line in text.splitlines() if line.strip()]
        assert len(lines) < 100


# The main namespace forwards to networks.
FLAT = ("", "nn")


class TestWhatItLacks:
    def test_has_just_what_it_has(self, toy: ModuleType) -> None:
        for name, contract in CONTRACTS.items():
            if contract.kind == "primary" and contract.extension in FLAT:
                assert hasattr(toy, contract.name) == (name in HAS), name
        assert not hasattr(toy, "int8")
        assert not hasattr(toy, "fft")
        assert hasattr(toy, "float64")

    @pytest.mark.slow
    def test_has_no_function_whose_body_needs_more(self, toy: ModuleType) -> None:
        """All existing functions of one array can be called."""
        hidden = [n for n in ("mse", "softmax", "std", "conv1d", "nansum") if hasattr(toy, n)]
        assert hidden == []
        assert toy.kron(toy.asarray([[2.0]]), toy.asarray([[3.0]])).tolist() == [[6.0]]
        with pytest.raises(
            AttributeError, match=r"softmax has .*toy backend, which lacks exp, max, subtract;"
        ):
            _ = toy.softmax
        assert {"linear", "histogram", "gelu"}.isdisjoint(dir(toy))
        assert "broadcast_shapes" in dir(toy)

    @pytest.mark.slow
    def test_has_what_can_be_called_with_arrays(self, toy: ModuleType) -> None:
        """Functions of only arrays exist if they run, and don't if they need a missing function."""
        x, runs = toy.asarray([[1.0, 2.0], [3.0, 4.0]]), {}
        for name, contract in CONTRACTS.items():
            needed = [p.role in ARRAY_ROLES for p in contract.parameters if p.required]
            composed = contract.kind in ("compositional", "mixed")
            if composed and contract.extension in FLAT and all(needed):
                try:
                    contract.public(*[x] * len(needed))
                    runs[name] = True
                except (BackendError, UnifyAttributeError):
                    runs[name] = False
                except UnifyError:  # the arguments are invalid for it
                    continue
        assert len(runs) > 50
        assert (runs["kron"], runs["nn.relu"]) == (True, False)
        # An array that isn't in a list is a block without what lists of blocks need.
        different = [
            name for name, can in runs.items() if can != hasattr(toy, CONTRACTS[name].name)
        ]
        assert different == ["block"]

    def test_calls_name_function_backend_and_remedy(self, toy: ModuleType) -> None:
        x = toy.asarray([1.0])
        calls = [lambda: unify.sin(x), lambda: x.sin(), lambda: x / 2.0, lambda: unify.sin(x.data)]
        for call, name in zip(calls, ["sin", "sin", "divide", "sin"], strict=True):
            with pytest.raises(BackendError, match=rf"^{name} has .*toy backend; use .*to_backend"):
                call()

    def test_a_body_that_needs_more_says_what(self, toy: ModuleType) -> None:
        with pytest.raises(UnifyError, match=r"^\w+ has no implementation on the toy backend"):
            unify.softmax(toy.asarray([1.0]))
        with pytest.raises(AttributeError, match="no attribute 'nope'"):
            _ = toy.nope

    def test_a_data_type_that_it_lacks(self, toy: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match=r"toy backend has no int8; it has float64"):
            toy.zeros(2, dtype=unify.int8)

    def test_kinds_tell(self, toy: ModuleType) -> None:
        kinds = unify.kinds()
        assert kinds["sin"].missing_on == ("toy",)
        assert kinds["add"].missing_on == ()

    def test_everything_follows_from_the_registry(self) -> None:
        root = Path(unify.__file__).parents[1]
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], cwd=root, capture_output=True, text=True, check=True
        )
        shown, kind, names, missing = json.loads(done.stdout)
        assert "1., 2." in shown
        assert kind == "<class 'arrayapi_unify.toy.Array'>"
        assert "toy" in names
        assert missing == ["toy"]
