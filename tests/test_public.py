"""The public top level: exactly the public names, and their documentation."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from collections import Counter
from types import ModuleType
from typing import Any, ClassVar

import pytest

import arrayapi_unify as unify
from arrayapi_unify import backends
from arrayapi_unify._core.standard import DATA, FUNCTIONS
from arrayapi_unify.array_object.numpy_names import ALIASES
from arrayapi_unify.binding.modules import ALSO_IN_LINALG, CONSTANTS
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.contract import EXTENSIONS
from arrayapi_unify.contracts.registry import categories, path_of
from tests.tables import each

CATEGORIES = categories()
SUBMODULES = {
    "backends", "devices", "dtypes", "errors", "fft", "limits", "linalg", "nn", "overrides",
    "random", "special",
}  # fmt: skip
CLASSES = {
    "Array", "BackendError", "Container", "DType", "Device", "Graph", "Namespace", "NativeArray",
    "UnifyError", "UnifyOperatorsMixin",
}  # fmt: skip
# Above the contracts: functions of functions.
TOOLS = {"compile_graph"}
MAIN = {name for name in CONTRACTS if "." not in name}
pytestmark = pytest.mark.quick


def module_of(category: str) -> ModuleType:
    return importlib.import_module(path_of(category))


class TestCategories:
    @pytest.mark.parametrize("category", CATEGORIES)
    def test_holds_its_contracts(self, category: str) -> None:
        contracts = {c.name for c in CONTRACTS.values() if c.category == category}
        assert contracts or category == "constants"
        for name in contracts or CONSTANTS:
            assert hasattr(module_of(category), name)

    def test_are_few(self) -> None:
        """Users find functions by these names; `constants` has none."""
        assert len([c for c in CATEGORIES if "." not in c and c != "constants"]) <= 25

    def test_every_contract_belongs_to_a_category(self) -> None:
        assert {c.category for c in CONTRACTS.values()} <= set(CATEGORIES)


class TestTopLevel:
    def test_has_every_function(self) -> None:
        for name in MAIN:
            assert getattr(unify, name) is CONTRACTS[name].public

    def test_has_nothing_else(self) -> None:
        constants = set(CONSTANTS)
        dtypes = {d.name for d in unify.dtypes.EVERY}
        public = {name for name in dir(unify) if not name.startswith("_")}
        known = MAIN | TOOLS | constants | dtypes | CLASSES | SUBMODULES | set(backends.REGISTRY)
        known |= set(ALIASES)
        result_types = {
            name
            for name in public
            if isinstance(getattr(unify, name), type) and name.endswith("Result")
        }
        assert public - known - result_types == set()
        assert known - set(backends.REGISTRY) - {"__array_namespace_info__"} <= public

    @each("name", sorted(n for n in dir(unify) if not n.startswith("_")))
    def test_everything_is_documented(self, name: str) -> None:
        value = getattr(unify, name)
        if callable(value) or isinstance(value, ModuleType):
            assert inspect.getdoc(value)

    def test_every_function_knows_its_kind(self) -> None:
        """B1: kinds of functions."""
        for name in dir(unify):
            value = getattr(unify, name)
            if inspect.isfunction(value) and not name.startswith("_") and name not in TOOLS:
                assert value.kind in ("primary", "compositional", "mixed", "standalone"), name
                assert value.contract.public is value

    def test_functions_are_plain_functions(self) -> None:
        for name in MAIN:
            assert inspect.isfunction(getattr(unify, name))

    def test_kind_of_a_documented_example(self) -> None:
        """docs/design.md, "Contracts and kinds"."""
        assert unify.tan.kind == "primary"

    def test_unknown_attribute(self) -> None:
        with pytest.raises(AttributeError, match=r"'arrayapi_unify' has no attribute 'nope'"):
            _ = unify.nope

    def test_star_import_works(self) -> None:
        scope: dict[str, Any] = {}
        exec("from arrayapi_unify import *", scope)
        assert MAIN - {"__array_namespace_info__"} <= set(scope)

    def test_import_is_silent_and_brings_no_namespace(self) -> None:
        code = "import sys, arrayapi_unify; print('arrayapi_unify.numpy' in sys.modules)"
        command = [sys.executable, "-W", "error", "-c", code]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        assert run.stdout.strip() == "False"
        assert run.stderr == ""


class TestBudget:
    """The number of listed names, by group: the main namespace grows for a reason only.

    Reasons are a new version of the standard, a name that NumPy and jax.numpy share, and a wish of
    users. A number rises together with a comment that names its reason.
    """

    NAMES: ClassVar = {
        "standard": 155,
        # Names of NumPy and jax.numpy in programs: windows, histograms of several axes, fmod, ...
        "arrays": 152,
        "conversions and protocols": 28,  # functions_used, for authors of classes
        "nests": 20,  # classes of users: register_nest, register_dataclass
        "derivatives": 12,
        "compilation": 10,
        "settings": 25,  # iscomplexobj, isscalar, issubdtype: 550 uses in the packages installed
        "modules and classes": 20,  # overrides, for authors of classes
    }
    ATTRIBUTES = 318  # partition, argpartition, strides, and the methods of these functions
    OF_CATEGORY: ClassVar = {
        **dict.fromkeys(("general", "device"), "conversions and protocols"),
        **dict.fromkeys(("control_flow", "lazy", "compilation"), "compilation"),
        **dict.fromkeys(("backend", "data_type"), "settings"),
        "nest": "nests",
        "gradients": "derivatives",
    }

    def counted(self) -> dict[str, int]:
        version = unify.__array_api_version__
        of_standard = {*FUNCTIONS[version][""], *DATA[version], "linalg", "fft"}
        groups = []
        for name in (name for name in dir(unify) if not name.startswith("_")):
            value = getattr(unify, name)
            is_data = isinstance(value, unify.DType) or name in CONSTANTS
            group = "arrays" if is_data else "modules and classes"
            if inspect.isfunction(value) and name not in TOOLS:
                group = self.OF_CATEGORY.get(value.contract.category, "arrays")
            groups.append("standard" if name in of_standard else group)
        return dict(Counter(groups))

    def test_names(self) -> None:
        assert self.counted() == self.NAMES

    def test_an_added_name_is_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(unify, "__all__", [*unify.__all__, "relu"])
        assert self.counted() == self.NAMES | {"arrays": self.NAMES["arrays"] + 1}

    def test_attributes_of_arrays(self) -> None:
        assert len([n for n in dir(unify.Array) if not n.startswith("_")]) == self.ATTRIBUTES


class TestExtensions:
    @pytest.mark.parametrize("extension", EXTENSIONS)
    def test_has_just_its_functions(self, extension: str) -> None:
        module = importlib.import_module(f"arrayapi_unify.{extension}")
        assert module is getattr(unify, extension)
        contracts = {c.name for c in CONTRACTS.values() if c.extension == extension}
        wanted = contracts | (set(ALSO_IN_LINALG) if extension == "linalg" else set())
        functions = {n for n in dir(module) if inspect.isfunction(getattr(module, n))}
        if extension == "nn":
            wanted |= {"batches"}
        else:
            assert set(module.__all__) == wanted
        assert functions - {"__getattr__", "__dir__"} == wanted

    @pytest.mark.parametrize("extension", EXTENSIONS)
    def test_holds_the_public_functions(self, extension: str) -> None:
        for name, contract in CONTRACTS.items():
            if contract.extension == extension:
                assert getattr(getattr(unify, extension), name.partition(".")[2]) is contract.public

    def test_tan(self) -> None:
        """B3: signatures and out."""
        x = unify.asarray([0.0, 0.7853981633974483])
        out = unify.zeros(2)
        assert unify.tan(x, out=out) is out
        assert out.tolist() == pytest.approx([0.0, 1.0])
        with pytest.raises(TypeError, match=r"tan\(\)"):
            unify.tan(x=x)  # type: ignore[call-arg]
