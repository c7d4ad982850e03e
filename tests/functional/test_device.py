"""Devices: the arrays on a device, its memory, and the number of devices."""

from __future__ import annotations

import gc
import os
import weakref
from types import ModuleType
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests import immutable_backend


class TestArraysOnDevice:
    """B16: convenience functions."""

    @pytest.mark.slow_on("torch", "tensorflow", "dask")
    def test_finds_arrays_and_counts_them(self, xp: ModuleType) -> None:
        gc.collect()  # before the test, for garbage of other tests
        before = unify.num_arrays_on_dev("cpu")
        made = [xp.ones(2), xp.zeros((2, 3))]
        assert unify.num_arrays_on_dev(unify.dev(made[0])) == before + 2
        found = unify.get_all_arrays_on_dev("cpu")
        assert {id(x) for x in made} <= {id(x) for x in found}
        assert all(isinstance(x, unify.Array) and x.device == "cpu" for x in found)

    def test_arrays_may_outlive_their_backend(self) -> None:
        with immutable_backend.registered() as namespace:
            left = namespace.ones(2)
        found = unify.get_all_arrays_on_dev("cpu")
        assert not any(x is left for x in found)
        assert all(x.device == "cpu" for x in found)

    def test_subclasses_and_what_hides_in_objects(self, xp: ModuleType) -> None:
        class Mine(unify.Array):
            pass

        class Holder:
            def __init__(self) -> None:
                self.inner = {"a": [Mine(xp.ones(1))]}

        holder = Holder()
        assert any(x is holder.inner["a"][0] for x in unify.get_all_arrays_on_dev("cpu"))

    @pytest.mark.slow_on("torch", "tensorflow", "dask")
    def test_looking_keeps_nothing_alive(self, xp: ModuleType) -> None:
        x = xp.ones(2)
        reference = weakref.ref(x)
        unify.num_arrays_on_dev("cpu")
        unify.get_all_arrays_on_dev("cpu")
        del x
        gc.collect()
        assert reference() is None

    def test_other_devices_have_none(self) -> None:
        assert unify.get_all_arrays_on_dev("gpu:77") == ()
        assert unify.num_arrays_on_dev("gpu:77") == 0

    def test_views_left_by_a_trace_are_passed_over(self) -> None:
        tf, left = pytest.importorskip("tensorflow"), []

        def traced(native: Any) -> Any:
            x = unify.Array(native) + 1
            left.append(unify.reshape(x, (-1,)))
            x[0] = 5.0
            return native

        tf.function(traced)(tf.ones(3))
        assert all(x is not left[0] for x in unify.get_all_arrays_on_dev("cpu"))

    def test_arrays_in_the_making_are_passed_over(self) -> None:
        unfinished = object.__new__(unify.Array)
        assert all(x is not unfinished for x in unify.get_all_arrays_on_dev("cpu"))


class TestMemory:
    def test_of_the_host(self, xp: ModuleType) -> None:
        total = xp.total_mem_on_dev("cpu")
        assert total == os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        assert 0 < xp.used_mem_on_dev("cpu") < total
        used = xp.used_mem_on_dev(xp.ones(1).device, process_specific=True)
        assert 10_000_000 < used < total

    def test_of_this_process_grows_with_it(self) -> None:
        # Above 32 MiB the C library never reuses pages that the process holds already.
        gc.collect()
        before = unify.used_mem_on_dev("cpu", process_specific=True)
        x = unify.ones(16_000_000)
        assert unify.used_mem_on_dev("cpu", process_specific=True) - before > 64_000_000
        assert x.size == 16_000_000

    def test_unknown_devices(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="gpu:77"):
            xp.total_mem_on_dev("gpu:77")


class TestNativeDevices:
    """A library's own devices are taken wherever its data types are (FAULTS 7.3)."""

    def test_arrays_are_created_beside_native_ones(self, xp: ModuleType) -> None:
        native = xp.ones(2).data
        device = getattr(native, "device", "cpu")
        for made in (xp.zeros(3, device=device), xp.to_device(xp.ones(2), device)):
            assert made.device == "cpu"
        with unify.default_device(device):
            assert unify.default_device() == "cpu"

    def test_inside_of_a_compiled_function(self) -> None:
        tf, torch = pytest.importorskip("tensorflow"), pytest.importorskip("torch")
        from arrayapi_unify import tensorflow as tfp, torch as tp

        made = tf.function(lambda t: tfp.ones(3, device=t.device).data)(tf.zeros(2))
        assert made.numpy().tolist() == [1.0] * 3
        compiled = torch.compile(lambda t: tp.ones(3, device=t.device).data, backend="eager")
        assert compiled(torch.zeros(2)).tolist() == [1.0] * 3

    def test_a_device_that_is_not_there_is_refused_by_name(self) -> None:
        torch = pytest.importorskip("torch")
        with pytest.raises(UnifyValueError, match="'gpu:77' isn't a device of the torch"):
            unify.get_backend("torch").zeros(2, device=torch.device("cuda:77"))
        with pytest.raises(UnifyTypeError, match="'/dev/gpu', which is no device"):
            unify.get_backend("numpy").zeros(2, device="/dev/gpu")


class TestCounts:
    def test_gpus_of_the_current_backend(self, xp: ModuleType) -> None:
        devices = xp.__array_namespace_info__().devices()
        with unify.use_backend(xp.ones(1).backend):
            assert unify.num_gpus() == sum(str(d).startswith("gpu") for d in devices)

    def test_cores(self) -> None:
        assert unify.num_cpu_cores() == os.cpu_count()
        assert 1 <= unify.num_cpu_cores(logical=False) <= unify.num_cpu_cores()


class TestNames:
    """B16: the documented names exist, and have the documented meaning."""

    def test_casts_and_defaults(self) -> None:
        assert unify.can_cast(unify.int32, unify.int64)
        assert not unify.can_cast(unify.int64, unify.int8)
        x = unify.ones(3)
        assert unify.dtype(x) is unify.float64
        assert unify.dev(x) == unify.default_device()
        with unify.default_dtype(unify.float64):
            assert unify.ones(3).dtype is unify.float64
        assert unify.default_dtype(item=1) is unify.int64
        assert unify.default_dtype(item=x) is unify.float64
        with unify.default_device("cpu"):
            assert unify.default_device() == "cpu"
        assert unify.get_backend() is unify.numpy
