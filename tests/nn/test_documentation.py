"""Documentation of layers, initializers and optimizers."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

from arrayapi_unify import errors, initializers, nn, optimizers
from tests.docstrings import SECTIONS, read

OPTIMIZERS = ["Adam", "AdamW", "Lamb", "SGD"]
LAYERS = [n for n in nn.__all__ if isinstance(getattr(nn, n), type) and n != "Module"]
CLASSES = [getattr(nn, name) for name in LAYERS]
CLASSES += [getattr(optimizers, name) for name in OPTIMIZERS]
every = pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)


@every
class TestClasses:
    def test_every_parameter_is_described_in_order(self, kind: Any) -> None:
        described = [name.lstrip("*") for name in read(kind).entries("Parameters")]
        assert described == list(inspect.signature(kind.__init__).parameters)[1:]

    def test_sections_stand_in_numpydocs_order(self, kind: Any) -> None:
        found = list(read(kind).sections)
        assert found == [section for section in SECTIONS if section in found]
        assert {"References", "Examples"} <= set(found)

    def test_summary_is_one_sentence(self, kind: Any) -> None:
        assert re.fullmatch(r"[A-Z].*\.", read(kind).summary)

    def test_exceptions_exist(self, kind: Any) -> None:
        assert all(hasattr(errors, name) for name in read(kind).raised)


def test_layers_take_keys_and_initializers_by_these_names() -> None:
    parameters = {k.__name__: set(inspect.signature(k.__init__).parameters) for k in CLASSES}
    taking = {name for name, found in parameters.items() if "key" in found}
    without = {name for name in LAYERS if "Pool" in name}
    without |= {"Flatten", "Identity", "Residual", "Sequential", "Upsample"}
    without |= {"PositionalEncoding", "TransformerEncoder"}
    assert taking == set(LAYERS) - without


def test_initializers_have_one_signature() -> None:
    for name in initializers.__all__[1:]:
        parameters = list(inspect.signature(getattr(initializers, name)).parameters)
        assert (parameters[:2], parameters[-1]) == (["key", "shape"], "dtype")
