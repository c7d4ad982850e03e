"""The page of NumPy's names: it has each name that NumPy and jax.numpy share, once."""

from __future__ import annotations

import importlib
import operator
from types import ModuleType

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.array_object.numpy_names import ALIASES, FUNCTIONS
from arrayapi_unify.contracts import CONTRACTS
from docs import numpy_names
from tests.tables import each

MISSING = [name for names in numpy_names.MISSING.values() for name in names.split()]


class TestPage:
    def test_has_every_name_that_numpy_and_jax_share(self) -> None:
        jnp = pytest.importorskip("jax.numpy")
        both = {name for name in {*dir(np)} & {*dir(jnp)} if not name.startswith("_")}
        lacking = {name for name in both if not hasattr(unify.numpy, name)}
        assert sorted(MISSING) == sorted(lacking)
        here = {name for name in both - lacking if hasattr(getattr(unify, name), "contract")}
        assert set(numpy_names.shared()) == here

    def test_names_functions_once(self) -> None:
        assert len(MISSING) == len(set(MISSING))
        assert set(numpy_names.TORCH) | set(numpy_names.TENSORFLOW) <= set(numpy_names.shared())

    @pytest.mark.parametrize(
        ("library", "names"),
        [("torch", numpy_names.TORCH), ("tensorflow", numpy_names.TENSORFLOW)],
    )
    def test_the_libraries_have_them(self, library: str, names: dict[str, str]) -> None:
        module = pytest.importorskip(library)
        for name in names.values():
            assert callable(operator.attrgetter(name.partition(".")[2])(module)), name


class TestNames:
    @each("name", sorted({a for a, name in ALIASES.items() if "." not in name} | FUNCTIONS))
    def test_is_numpys(self, name: str) -> None:
        """A name is everywhere: on every backend, at the top level, and in NumPy."""
        assert hasattr(np, name)
        assert name in dir(unify)
        if name in FUNCTIONS:
            assert CONTRACTS[name].public is getattr(unify, name)

    def test_is_in_every_namespace(self, xp: ModuleType) -> None:
        assert {*ALIASES, *FUNCTIONS} <= {*dir(xp)}
        again = importlib.import_module(xp.__name__)
        assert all(hasattr(again, name) for name in (*ALIASES, *FUNCTIONS))
