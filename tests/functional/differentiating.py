"""Common parts of the tests of derivatives: the namespaces that differentiate."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import namespace_of
from tests.installed import DIFFERENTIATING

__all__ = ["DIFFERENTIATING", "on_each", "same"]


@pytest.fixture(params=DIFFERENTIATING)
def on_each(request: pytest.FixtureRequest) -> ModuleType:
    """The bound namespace of each backend that differentiates."""
    return namespace_of(request.param)


def same(found: Any, wanted: Any, rtol: float = 1e-12) -> None:
    """Check the values of an Array, or of each one in a nest."""
    if isinstance(wanted, dict):
        assert list(found) == list(wanted)
        for key, value in wanted.items():
            same(found[key], value, rtol)
    elif isinstance(wanted, tuple):
        assert len(found) == len(wanted)
        for one, value in zip(found, wanted, strict=True):
            same(one, value, rtol)
    else:
        assert isinstance(found, Array)
        assert found.shape == np.shape(wanted)
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=rtol, atol=1e-14)
