"""Pickles and files of the third edition (commit 63d267f4), before modules moved, are read."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import nn

FOLDER = Path(__file__).with_name("written_before")


@pytest.fixture
def found() -> dict[str, Any]:
    read: dict[str, Any] = pickle.loads(FOLDER.joinpath("everything.pickle").read_bytes())
    return read


class TestPickle:
    def test_arrays_containers_and_keys(self, found: dict[str, Any]) -> None:
        assert found["array"].tolist() == [[1, 2], [3, 4]]
        assert found["half"].dtype is unify.float16
        assert found["container"].b.c.tolist() == [[2, 3], [4, 5]]
        drawn = unify.random.bits(found["key"], (2,))
        assert drawn.tolist() == unify.random.bits(unify.random.key(3), (2,)).tolist()

    def test_layers_compute_the_same(self, found: dict[str, Any]) -> None:
        net = found["layers"][0]
        np.testing.assert_allclose(net(found["array"]).tolist(), found["output"], rtol=1e-14)
        assert [type(layer) for layer in found["layers"][1:]] == [
            nn.Conv2D, nn.MaxPool2D, nn.GlobalAvgPool, nn.BatchNorm, nn.GroupNorm, nn.LSTM,
            nn.GRUCell, nn.MultiHeadAttention, nn.TransformerEncoderLayer, nn.Upsample,
            nn.Embedding,
        ]  # fmt: skip

    def test_optimizers_and_schedules(self, found: dict[str, Any]) -> None:
        optimizer, schedule = found["optimizer"], unify.nn.schedules.CosineDecay(0.1, 10)
        v = unify.Container(w=unify.ones(2))
        wanted = unify.nn.optimizers.Adam(schedule).step(v, v)
        assert optimizer.step(v, v).w.tolist() == wanted.w.tolist()

    def test_functions_and_classes_are_ours(self, found: dict[str, Any]) -> None:
        functions = [nn.relu, unify.add, unify.linalg.svd, nn.lstm_update]
        assert found["functions"] == [*functions, nn.initializers.glorot_uniform]
        assert found["classes"] == [nn.Linear, nn.Module, nn.optimizers.SGD]

    def test_in_a_process_that_begins_with_it(self) -> None:
        path = str(FOLDER / "everything.pickle")
        program = f"import pickle; print(len(pickle.load(open({path!r}, 'rb'))['layers']))"
        done = subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True
        )
        assert done.stdout.strip() == "12"

    def test_classes_say_that_they_are_of_public_modules(self, found: dict[str, Any]) -> None:
        """Pickles of today therefore survive the next move."""
        assert {type(layer).__module__ for layer in found["layers"]} == {"arrayapi_unify.nn"}
        assert type(found["optimizer"]).__module__ == "arrayapi_unify.optimizers"
        assert nn.relu.__module__ == "arrayapi_unify.nn"
        assert nn.initializers.glorot_uniform.__module__ == "arrayapi_unify.initializers"


class TestFiles:
    def test_modules(self, found: dict[str, Any]) -> None:
        net = found["layers"][0]
        expected = net(found["array"])
        net.v = net.v * 0
        net.load(FOLDER / "module.npz")
        assert net(found["array"]).tolist() == expected.tolist()

    def test_containers(self, found: dict[str, Any]) -> None:
        read = unify.Container.load(FOLDER / "container.npz")
        assert read.b.c.tolist() == found["container"].b.c.tolist()
