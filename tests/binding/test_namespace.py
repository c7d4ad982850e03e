"""Bound namespaces: their contents, and the agreement of kinds and natives with the contracts."""

from __future__ import annotations

import copy
import importlib
import inspect
import operator
import pickle
import subprocess
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import backends, dtypes
from arrayapi_unify._core.versions import LETTERS
from arrayapi_unify.array_object.numpy_names import ALIASES
from arrayapi_unify.backends import BUILT_IN
from arrayapi_unify.binding import binding_of, namespace_of
from arrayapi_unify.binding.modules import ALSO_IN_LINALG, CONSTANTS
from arrayapi_unify.binding.native_functions import NativeFunctions
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import EXTENSIONS
from arrayapi_unify.errors import BackendError, UnifyValueError
from tests.installed import INSTALLED
from tests.tables import each

ALL = sorted(CONTRACTS)
PRIMARY = [name for name in ALL if CONTRACTS[name].kind == "primary"]
KINDS = ("primary", "compositional", "mixed", "standalone")
# Names that array namespaces of other libraries have, and the standard doesn't.
FOREIGN = (
    "float_", "ndarray", "Tensor", "tensor", "poly1d", "putmask", "numel", "einsum_path",
    "jit", "sparse", "manual_seed", "cuda", "__file__", "__path__", "np", "sys", "compat",
)  # fmt: skip


def native(backend: str, name: str) -> Any:
    """Return the backend's own function for a contract, if its files have one."""
    return NativeFunctions(backend).declared(CONTRACTS[name])


class TestContents:
    """docs/design.md, "Array API consumers": it contains only our own definitions."""

    def test_only_our_names(self, xp: ModuleType) -> None:
        main = {name for name in ALL if "." not in name}
        expected = main | set(EXTENSIONS) | set(CONSTANTS) | {d.name for d in dtypes.EVERY}
        expected |= set(ALIASES)
        public = {name for name in dir(xp) if not name.startswith("_")}
        plain = {name for name in vars(xp) if CONTRACTS.forward(name) == name}
        assert public == {name for name in plain if not name.startswith("_")}
        assert public == {name for name in expected if not name.startswith("_")}
        assert set(xp.__all__) == public
        assert set(dir(xp)) - public == {
            "__all__", "__array_api_version__", "__array_namespace_info__", "__doc__",
            "__loader__", "__name__", "__package__", "__spec__", "__unify_backend__", "__version__",
        }  # fmt: skip

    @pytest.mark.parametrize("extension", EXTENSIONS)
    def test_extensions(self, xp: ModuleType, extension: str) -> None:
        module = getattr(xp, extension)
        expected = {name.partition(".")[2] for name in ALL if name.startswith(f"{extension}.")}
        if extension == "linalg":
            expected |= set(ALSO_IN_LINALG)
        assert set(module.__all__) == {n for n in vars(module) if not n.startswith("_")} == expected
        assert set(module.__all__) == {n for n in dir(module) if not n.startswith("_")}
        assert sorted(module.__all__) == module.__all__

    def test_no_other_modules(self, xp: ModuleType) -> None:
        for module in (xp, *(getattr(xp, name) for name in EXTENSIONS)):
            assert dir(module)  # creates everything lazy
            inner = {n for n, value in vars(module).items() if isinstance(value, ModuleType)}
            assert inner <= set(EXTENSIONS)

    @pytest.mark.parametrize("name", FOREIGN)
    def test_does_not_leak_foreign_names(self, xp: ModuleType, name: str) -> None:
        assert not hasattr(xp, name)
        assert not hasattr(xp.linalg, name)

    def test_linalg_has_the_functions_of_the_main_namespace(self, xp: ModuleType) -> None:
        for name in ALSO_IN_LINALG:
            assert getattr(xp.linalg, name) is getattr(xp, name)
            assert getattr(unify.linalg, name) is getattr(unify, name)

    def test_other_names_are_the_same_functions(self, xp: ModuleType) -> None:
        """B64: Published names: no second function is overridden."""
        for alias, name in ALIASES.items():
            whole = operator.attrgetter(name)
            assert getattr(xp, alias) is whole(xp)
            assert getattr(unify, alias) is whole(unify) is CONTRACTS[name].public
        x = xp.ones(2)
        assert xp.concatenate([x, x], axis=0).tolist() == [1.0] * 4
        assert unify.concatenate((x, x)).backend == x.backend
        assert xp.random_uniform(low=1.0, high=2.0, shape=(2, 3)).shape == (2, 3)
        with unify.use_backend(x.backend):
            drawn = unify.random_normal(mean=1.0, std=0.0, shape=3, dtype=unify.float32)
        assert (drawn.backend, drawn.tolist()) == (x.backend, [1.0] * 3)

    def test_other_names_are_found_without_a_search(self) -> None:
        code = "import arrayapi_unify.numpy as xp; print(xp.concatenate([xp.ones(1)]).size)"
        command = [sys.executable, "-W", "error", "-c", code]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        assert run.stdout.strip() == "1"

    def test_constants(self, xp: ModuleType) -> None:
        assert (xp.pi, xp.e, xp.inf, xp.newaxis) == (np.pi, np.e, np.inf, None)
        assert xp.nan != xp.nan
        assert {type(getattr(xp, n)) for n in ("pi", "e", "inf", "nan")} == {float}

    def test_versions(self, xp: ModuleType) -> None:
        assert xp.__array_api_version__ == unify.__array_api_version__ == "2025.12"
        assert xp.__version__ == unify.__version__

    def test_star_import(self, xp: ModuleType) -> None:
        scope: dict[str, Any] = {}
        exec(f"from {xp.__name__} import *", scope)
        assert set(scope) - {"__builtins__"} == set(xp.__all__)


WAYS = (
    "import arrayapi_unify.{0}.linalg as m; print(m.inv([[2.0]]).tolist())",
    "import arrayapi_unify.{0} as m; print(m.linalg.inv([[2.0]]).tolist())",
    "from arrayapi_unify.{0}.linalg import inv; print(inv([[2.0]]).tolist())",
    "from arrayapi_unify import {0} as m; print(m.linalg.inv([[2.0]]).tolist())",
    "import arrayapi_unify; print(arrayapi_unify.{0}.linalg.inv([[2.0]]).tolist())",
    "import arrayapi_unify as u; print(u.get_backend('{0}').linalg.inv([[2.0]]).tolist())",
    "import arrayapi_unify as u; u.get_backend('{0}'); import arrayapi_unify.{0} as m; "
    "assert u.{0} is m is u.get_backend('{0}'); print(m.linalg.inv([[2.0]]).tolist())",
    "import arrayapi_unify.bound.{1} as m; print(m.linalg.inv([[2.0]]).tolist())",
)
# Our package is not imported before the fork. The framework is, because it takes seconds.
FORKS = """
import importlib, os, sys, traceback
importlib.import_module(sys.argv[1])
for code in sys.argv[2:]:
    child = os.fork()
    if not child:
        try:
            exec(code, {})
        except BaseException:
            traceback.print_exc()
            print("failed")
        sys.stdout.flush()
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print("ended", flush=True)
"""


def _in_fresh_processes(name: str) -> list[str]:
    """Return the output of each way, in its own fork of one process."""
    codes = [way.format(name, LETTERS[name]) for way in WAYS]
    command = [sys.executable, "-W", "error", "-c", FORKS, backends.REGISTRY[name], *codes]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    printed = run.stdout.splitlines()
    assert len(printed) == len(codes), run.stderr
    return printed


class TestIdentity:
    def test_every_way_gives_the_same_module(self, xp: ModuleType) -> None:
        name = xp.ones(1).backend
        assert namespace_of(name) is unify.get_backend(name) is getattr(unify, name) is xp
        assert importlib.import_module(f"arrayapi_unify.{name}") is xp
        assert importlib.import_module(f"arrayapi_unify.{name}.linalg") is xp.linalg
        assert repr(xp) == f"<module 'arrayapi_unify.{name}'>"
        assert importlib.import_module(xp.__name__) is xp is pickle.loads(pickle.dumps(xp))
        assert binding_of(name).namespace is xp

    def test_has_no_name_of_another_library(self, xp: ModuleType) -> None:
        """B76: consumers call the library that they find in a name."""
        x = xp.ones(1)
        spaces = [xp, x.__array_namespace__(), x.__array_namespace__(api_version="2025.12")]
        spaces += [getattr(space, name) for space in spaces for name in ("linalg", "fft")]
        for name in [type(x).__module__, *(space.__name__ for space in spaces)]:
            assert name.startswith("arrayapi_unify.bound.")
            assert not any(library in name for library in (*BUILT_IN, "np", "tf"))
        for space in spaces:
            assert pickle.loads(pickle.dumps(space)) is space is copy.deepcopy(space)

    def test_is_hashable_and_named(self, xp: ModuleType) -> None:
        assert {xp: 1}[xp] == 1
        assert xp.__doc__
        assert xp.linalg.__name__ == f"{xp.__name__}.linalg"

    @pytest.mark.slow
    @pytest.mark.slow_on("torch", "tensorflow", "dask")
    def test_every_way_of_importing_works_in_a_fresh_process(self, xp: ModuleType) -> None:
        printed = _in_fresh_processes(xp.ones(1).backend)
        assert dict(zip(WAYS, printed, strict=True)) == dict.fromkeys(WAYS, "[[0.5]]")

    def test_unknown_backend(self) -> None:
        with pytest.raises(UnifyValueError, match=r"'nope'.*numpy"):
            namespace_of("nope")
        assert not hasattr(unify, "nope")

    def test_arrays_class_says_where_it_belongs(self, xp: ModuleType) -> None:
        cls = type(xp.ones(1))
        assert cls.__module__ == xp.__name__
        assert cls.__doc__
        assert cls is binding_of(xp.ones(1).backend).array

    def test_functions_land_on_the_backend(self, either: ModuleType) -> None:
        """docs/design.md, "Binding": `xp.zeros(3)` lands on the right backend, whatever is set."""
        name = either.ones(1).backend
        for set_to in INSTALLED:
            with unify.use_backend(set_to):
                assert either.zeros(3).backend == either.asarray([1]).backend == name
                assert either.add(1, 2).backend == either.linspace(0.0, 1.0, 2).backend == name


class TestKinds:
    """B1 and B2: kinds of functions, primary functions."""

    @each("name", ALL)
    def test_exactly_one_and_it_is_true(self, name: str) -> None:
        contract = CONTRACTS[name]
        assert contract.kind in KINDS
        assert contract.public.kind == contract.kind
        having = [backend for backend in INSTALLED if native(backend, name) is not None]
        if contract.kind == "primary":
            assert having == INSTALLED
        elif contract.kind == "mixed":
            partial = [hasattr(native(b, name), "partial_mixed_handler") for b in having]
            assert having
            assert having != INSTALLED or any(partial)
        else:
            assert having == []

    def test_missing_implementation_names_function_backend_and_remedy(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        module = importlib.import_module("arrayapi_unify.backends.numpy.elementwise")
        monkeypatch.delattr(module, "tan")
        known, classes = dict(sys.modules), dict(backends._name_by_type)
        contract = CONTRACTS["tan"]
        try:
            made = type(binding_of("numpy"))("numpy")
            assert not hasattr(made.namespace, "tan")
            with pytest.raises(BackendError, match=r"tan.*numpy backend; use"):
                made.namespace.ones(1).tan()
        finally:
            contract.missing_on.remove("numpy")
            sys.modules.update({name: known[name] for name in known if "numpy" in name})
            backends._name_by_type.clear()
            backends._name_by_type.update(classes)


class TestNatives:
    @each("backend, name", [(b, n) for b in INSTALLED for n in ALL if native(b, n) is not None])
    def test_have_the_contracts_parameters(self, backend: str, name: str) -> None:
        """docs/design.md, "Contracts and kinds": `out` only where it is supported natively."""
        contract, function = CONTRACTS[name], native(backend, name)
        with_out = getattr(function, "supports_native_out", False)
        assert contract.takes_out or not with_out
        wanted = [
            (p.name, p.kind, p.default)
            for p in contract.parameters
            if p.role is not Role.OUT or with_out
        ]
        found = inspect.signature(function).parameters.values()
        assert [(p.name, p.kind, p.default) for p in found] == wanted

    @pytest.mark.parametrize("backend", INSTALLED)
    def test_categories_hold_all_primary_functions(self, backend: str) -> None:
        for category in {CONTRACTS[name].category for name in PRIMARY}:
            module = importlib.import_module(f"arrayapi_unify.backends.{backend}.{category}")
            wanted = {
                c.name for c in CONTRACTS.values() if c.category == category and c.kind == "primary"
            }
            assert wanted <= set(vars(module))

    def test_registry_and_namespaces_agree(self) -> None:
        assert set(INSTALLED) <= set(backends.REGISTRY)
        assert "numpy" in INSTALLED
