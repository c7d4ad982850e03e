"""Forwards to `nn`: in the main namespaces, on Arrays and Containers, and in backends."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import backends, nn
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.index import METHODS
from tests.tables import each

FUNCTIONS = [c.name for c in CONTRACTS.values() if c.extension == "nn"]
NAMES = [c for category, names in METHODS.items() if category[:3] == "nn." for c in names.split()]


class TestTopLevel:
    @each("name", nn.__all__)
    def test_is_the_same_object_and_is_not_listed(self, name: str) -> None:
        assert getattr(unify, name) is getattr(nn, name)
        assert name not in {*dir(unify), *unify.__all__}

    def test_of_nothing_else(self) -> None:
        assert not hasattr(unify, "traversal")
        with pytest.raises(AttributeError, match=r"use nn\.Conv2D"):
            _ = unify.Conv2d

    def test_is_a_plain_attribute_once_it_was_used(self) -> None:
        program = """
import sys
import arrayapi_unify as unify, arrayapi_unify.numpy as xp
path = "arrayapi_unify.nn.core.module"
print("relu" in vars(xp), xp.relu(xp.asarray([-1.0])).tolist(), "relu" in vars(xp))
print(path in sys.modules, "Linear" in vars(unify), unify.Linear.__name__, "Linear" in vars(unify))
"""
        done = subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True
        )
        assert done.stdout.split("\n")[:2] == ["False [0.0] True", "False False Linear True"]


class TestNamespaces:
    @each("name", FUNCTIONS)
    def test_is_the_same_function_and_is_not_listed(self, xp: ModuleType, name: str) -> None:
        assert getattr(xp, name) is getattr(xp.nn, name)
        assert name not in {*dir(xp), *xp.__all__}
        assert name in dir(xp.nn)

    def test_compiled(self) -> None:
        compiled = unify.compiled_namespace("numpy")
        x = unify.asarray([-1.0, 2.0])
        assert compiled.relu(x).tolist() == compiled.nn.relu(x).tolist() == [0.0, 2.0]

    def test_portable(self) -> None:
        found = unify.portable(lambda x: unify.relu(x) + x.relu())(np.asarray([-1.0, 2.0]))
        assert np.asarray(found).tolist() == [0.0, 4.0]


class TestMembers:
    @each("name", NAMES)
    def test_of_arrays(self, name: str) -> None:
        x = unify.ones(2)
        assert all(callable(getattr(owner, name)) for owner in (x, unify.Array))
        assert name not in {*dir(unify.Array), *dir(x)}

    @each("name", [n for n in FUNCTIONS if CONTRACTS[f"nn.{n}"].nestable])
    def test_of_containers(self, name: str) -> None:
        assert getattr(unify.Container, f"static_{name}") is getattr(nn, name)
        assert callable(getattr(unify.Container, name))

    @each("name", backends.BUILT_IN)
    def test_of_backends(self, name: str) -> None:
        module = getattr(unify.backends, name)
        assert module.embedding is module.nn.embedding
        assert {"embedding", "relu"} <= set(dir(module.nn))
        x = unify.get_backend(name).asarray([-1.0, 2.0]).data
        assert np.asarray(module.relu(x)).tolist() == np.asarray(module.nn.relu(x)).tolist()
