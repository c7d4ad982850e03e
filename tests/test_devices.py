"""Devices: interned names, and the default one."""

from __future__ import annotations

import copy
import pickle
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.backends import load
from arrayapi_unify.devices import CPU, Device, as_device, preferred_device
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError


class TestDevice:
    def test_one_object_per_name(self) -> None:
        assert Device("gpu:1") is Device("gpu:1")
        assert Device("gpu:1") is not Device("gpu:0")
        assert CPU is Device("cpu") is unify.Device("cpu")

    def test_equals_its_name_and_hashes_alike(self) -> None:
        assert Device("cpu") == "cpu"
        assert Device("cpu") == "cpu"
        assert Device("cpu") != "gpu"
        assert Device("cpu") != Device("gpu")
        assert Device("cpu") != 3
        assert {Device("cpu"), "cpu"} == {"cpu"}

    def test_parts(self) -> None:
        assert (Device("cpu").kind, Device("cpu").index) == ("cpu", 0)
        assert (Device("gpu:3").kind, Device("gpu:3").index) == ("gpu", 3)

    def test_is_immutable(self) -> None:
        with pytest.raises(AttributeError, match="immutable"):
            CPU.name = "gpu"

    def test_text(self) -> None:
        assert repr(Device("gpu:1")) == "Device('gpu:1')"
        assert str(Device("gpu:1")) == "gpu:1"

    def test_copies_and_pickles_are_the_same_object(self) -> None:
        device = Device("gpu:1")
        assert copy.copy(device) is copy.deepcopy(device) is device
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(device, protocol)) is device

    def test_as_device(self) -> None:
        assert as_device("cpu") is as_device(CPU) is CPU
        for value in (None, 0, b"cpu"):
            with pytest.raises(UnifyTypeError, match="is no device; pass a Device"):
                as_device(value)  # type: ignore[arg-type]


class TestArraysDevice:
    def test_is_the_same_across_calls_and_accepted_back(self, xp: ModuleType) -> None:
        x = xp.ones(2)
        assert x.device is x.device
        assert xp.zeros(2, device=x.device).device is x.device
        assert xp.zeros(2, device=str(x.device)).device is x.device
        assert x.device in xp.__array_namespace_info__().devices()

    def test_dev(self, xp: ModuleType) -> None:
        x = xp.ones(2)
        assert unify.dev(x) is unify.dev(x.data) is x.device

    def test_dev_of_something_else_is_our_error(self) -> None:
        with pytest.raises(unify.UnifyError):
            unify.dev("text")  # type: ignore[arg-type]

    @pytest.mark.parametrize("make", ["zeros", "asarray"])
    def test_unknown_device_is_refused(self, xp: ModuleType, make: str) -> None:
        with pytest.raises(UnifyValueError, match="tpu:7"):
            getattr(xp, make)([2], device="tpu:7")
        with pytest.raises(UnifyTypeError):
            getattr(xp, make)([2], device=7)

    @pytest.mark.eager
    def test_to_device(self, xp: ModuleType) -> None:
        x = xp.ones(2)
        there = x.to_device(x.device)
        assert np.shares_memory(there.to_numpy(), x.to_numpy())
        assert xp.to_device(x, None).device is x.device
        assert unify.to_device(x.data, x.device).device is x.device
        with pytest.raises(UnifyValueError, match="tpu:7"):
            x.to_device("tpu:7")

    def test_to_device_into_out(self, xp: ModuleType) -> None:
        out = xp.zeros(2)
        assert xp.to_device(xp.ones(2), "cpu", out=out) is out
        assert xp.to_list(out) == [1.0, 1.0]


class TestDefaultDevice:
    """B16: convenience functions."""

    def test_is_the_backends_first_one(self, xp: ModuleType) -> None:
        assert xp.default_device() is xp.__array_namespace_info__().devices()[0]
        assert xp.__array_namespace_info__().default_device() is xp.default_device()

    def test_the_namespaces_own_backend_is_asked(
        self, xp: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A bound namespace has the devices of its library, whatever backend is set."""
        name = xp.__unify_backend__
        with pytest.raises(
            UnifyValueError, match=f"'gpu:9'.* isn't a device of the {name} backend"
        ):
            xp.set_default_device("gpu:9")
        with pytest.raises(
            UnifyValueError, match=f"'gpu:9'.* isn't a device of the {name} backend"
        ):
            xp.default_device("gpu:9")
        monkeypatch.setattr(load(name), "devices", lambda: (Device("gpu:0"), Device("gpu:1"), CPU))
        assert (xp.num_gpus(), xp.default_device()) == (2, "gpu:0")

    def test_set_for_a_block(self) -> None:
        assert preferred_device.get() is None
        with unify.default_device("cpu") as device:
            assert device is CPU
            assert preferred_device.get() is unify.default_device() is CPU
            assert unify.zeros(1).device is CPU
        assert preferred_device.get() is None

    def test_without_with_it_lasts(self) -> None:
        change = unify.set_default_device(CPU)
        assert preferred_device.get() is CPU
        change.undo()
        assert preferred_device.get() is None

    @pytest.mark.parametrize(("device", "error"), [("tpu:7", UnifyValueError), (7, UnifyTypeError)])
    def test_unknown_one_changes_nothing(self, device: Any, error: type[Exception]) -> None:
        with pytest.raises(error):
            unify.set_default_device(device)
        assert preferred_device.get() is None
