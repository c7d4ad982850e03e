"""Arguments that are part of the program: equal ones of other types have other programs."""

from __future__ import annotations

import dataclasses
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.graph import GraphError
from tests.installed import EAGER


@pytest.fixture(params=EAGER)
def xp(request: pytest.FixtureRequest, quick: None) -> ModuleType:
    found: ModuleType = unify.get_backend(request.param)
    return found


@dataclasses.dataclass(frozen=True)
class Setting:
    scale: Any


def _scaled_by(x: Any, setting: Any) -> Any:
    return x * (setting.scale if isinstance(setting, Setting) else next(iter(setting)))


@pytest.mark.parametrize(
    "hold",
    [
        Setting,
        pytest.param(lambda v: frozenset([v]), marks=pytest.mark.slow),
        pytest.param(lambda v: {v: 0}, marks=pytest.mark.slow),
    ],
)
def test_equal_settings_of_other_types(xp: ModuleType, hold: Any) -> None:
    """FAULTS 1.8: programs of settings that Python takes for equal."""
    compiled, x = unify.compile(_scaled_by), xp.asarray([1, 2])
    for scale in (1, 1.0, 2, 2.0, -0.0, 0.0, 1):
        expected, found = _scaled_by(x, hold(scale)), compiled(x, hold(scale))
        expected, found = np.asarray(expected), np.asarray(found)
        np.testing.assert_array_equal(found, expected, strict=True)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


def test_graph_of_equal_settings(xp: ModuleType) -> None:
    x = xp.asarray([1, 2])
    graph = unify.compile_graph(_scaled_by, x, Setting(1))
    assert graph(x, Setting(1)).tolist() == [1, 2]
    with pytest.raises(GraphError, match="the traced values of other arguments"):
        graph(x, Setting(1.0))
    nan = unify.compile_graph(_scaled_by, x, Setting(float("nan")))
    assert np.isnan(np.asarray(nan(x, Setting(float("nan"))))).all()
