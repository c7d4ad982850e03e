"""The names of other libraries: none is ours, and each remedy is."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Mapping
from typing import Any, Final

import pytest

import arrayapi_unify as unify
from arrayapi_unify._core import suggestions
from arrayapi_unify._core.absent_names import REASONS
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.errors import UnifyAttributeError
from tests.installed import INSTALLED

_REMEDY: Final = re.compile(r"(unify\.)?([A-Za-z_][\w.]*)")


def owner(name: str) -> Any:
    return getattr(unify, name) if name else unify


TABLES: Final[dict[str, tuple[Mapping[str, str], Any]]] = {
    **{name or "unify": (table, owner(name)) for name, table in suggestions.NAMES.items()},
    "array": (suggestions.ARRAY, unify.ones((2, 2))),
    "module": (suggestions.MODULE, unify.Linear(2, 1)),
    "optimizer": (suggestions.OPTIMIZER, unify.optimizers.SGD()),
}


@pytest.mark.parametrize("table", TABLES)
def test_names_are_no_others_and_remedies_exist(table: str) -> None:
    names, there = TABLES[table]
    for name, remedy in names.items():
        assert not hasattr(there, name), name
        assert name not in dir(there)
        begin = _REMEDY.match(remedy)
        assert begin, remedy
        place = unify if begin.group(1) else there
        for part in begin.group(2).split("."):
            assert hasattr(place, part), f"{name}: {remedy}"
            place = getattr(place, part)


@pytest.mark.parametrize("backend", INSTALLED)
def test_bound_namespaces_and_arrays(backend: str) -> None:
    xp = unify.get_backend(backend)
    for there, table in ((xp, suggestions.NAMES[""]), (xp.ones((2, 2)), suggestions.ARRAY)):
        for name, remedy in table.items():
            with pytest.raises(AttributeError, match=re.escape(f"{name!r}; use {remedy}")):
                getattr(there, name)
            assert getattr(there, name, None) is None
    assert not set(suggestions.ARRAY) & set(dir(xp.ones(2)))
    assert not set(suggestions.ARRAY) & set(dir(type(xp.ones(2))))


def test_python_suggests_nothing_else() -> None:
    """Python would suggest `squeeze` for `unsqueeze`, among the names of `obj`."""
    with pytest.raises(UnifyAttributeError) as caught:
        unify.unsqueeze  # noqa: B018 - the access is the test
    assert caught.value.name == "unsqueeze"
    assert caught.value.obj is None


def test_near_misses_are_looked_for_when_the_message_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    find = suggestions.difflib.get_close_matches

    def noting(name: str, *args: Any, **kwargs: Any) -> list[str]:
        asked.append(name)
        return find(name, *args, **kwargs)

    monkeypatch.setattr("difflib.get_close_matches", noting)
    assert not hasattr(unify, "summ")
    assert not asked
    with pytest.raises(AttributeError, match=r"'summ'\. Did you mean: 'sum'\?$") as caught:
        unify.summ  # noqa: B018 - the access is the test
    assert asked
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert str(copy.copy(caught.value)) == str(caught.value)


def test_users_attributes_come_first() -> None:
    class Net(unify.Module):
        """A Module with names of other libraries."""

        def __init__(self) -> None:
            super().__init__()
            self.weight = 3

        def forward(self) -> str:
            return "mine"

    class Logged(unify.Array):
        """An Array with a name of another library."""

        def numpy(self) -> str:
            return "mine"

    net = Net()
    assert (net.weight, net.forward()) == (3, "mine")
    assert {"weight", "forward"} <= set(dir(net))
    assert Logged([1.0]).numpy() == "mine"
    assert "numpy" in dir(Logged([1.0]))
    with pytest.raises(AttributeError, match="'detach'; use stop_gradient"):
        Logged([1.0]).detach()


def test_backends_and_keywords_exist() -> None:
    assert set(suggestions.BACKENDS.values()) <= set(unify.backends.REGISTRY)
    parameters = {p for contract in CONTRACTS.values() for p in contract.by_name}
    others = {"lr", "epsilon", "decay", "out_features", "out_channels", "rate"}
    for meant in suggestions.KEYWORDS.values():
        assert set(meant) <= parameters | others


@pytest.mark.parametrize(
    ("keyword", "names", "meant"),
    [
        ("dim", ("x", "axis"), "axis"),
        ("dim", ("x",), None),
        ("axs", ("x", "axis"), "axis"),
        ("scale", ("key", "shape"), None),
        ("other", ("x1", "x2"), "x2"),
    ],
)
def test_keywords(keyword: str, names: tuple[str, ...], meant: str | None) -> None:
    assert suggestions.keyword_hint(keyword, names) == meant


def test_a_name_that_numpy_has_is_no_slip() -> None:
    """A name without a counterpart has a reason; its spelling is none for another one."""
    for name, reason in REASONS.items():
        if not hasattr(unify, name):
            with pytest.raises(AttributeError) as caught:
                getattr(unify, name)
            said = str(caught.value)
            assert f"; use {suggestions.NAMES[''].get(name)}" in said or said.endswith(reason)
            assert "Did you mean" not in said
    for name, meant in {"seed": "random.seed", "variable": "asarray"}.items():
        with pytest.raises(AttributeError, match=f"{name!r}; use {meant}"):
            getattr(unify, name)


def test_layers_are_created_on_a_device_by_a_block() -> None:
    with pytest.raises(TypeError, match=r"'device' isn't known; create it .*default_device"):
        unify.nn.Linear(2, 3, device="cpu")  # type: ignore[call-arg]  # the mistake
    with unify.default_device("cpu"):
        assert unify.nn.Linear(2, 3).to_device("cpu").v.w.device == "cpu"
