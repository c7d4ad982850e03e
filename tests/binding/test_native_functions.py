"""Partial mixed functions, and bodies that run without a library's warnings."""

from __future__ import annotations

import importlib
import inspect
import warnings
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding.namespace import binding_of
from arrayapi_unify.binding.native_functions import native_settings, with_fallback
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.contract import FLAGS
from tests.installed import INSTALLED


class Wrapped:
    """A stand-in for an Array."""

    def __init__(self, data: Any) -> None:
        self._data = data


def is_native_type(kind: type) -> bool:
    return kind is np.ndarray


def joined(decision: bool, log: list[Any]) -> Any:
    def native(x: Any, /, *, scale: float = 1.0) -> Any:
        log.append(("native", x, scale))
        return x * scale

    def body(x: Any, /, *, scale: float = 1.0, parts: Any = ()) -> Any:
        log.append(("body", x, scale, parts))
        return Wrapped(x._data * scale)

    def handler(*args: Any, **kwargs: Any) -> bool:
        log.append(("asked", args, kwargs))
        return decision

    vars(native).update(partial_mixed_handler=handler)
    return with_fallback(native, body, is_native_type, Wrapped)


class TestPartial:
    """B7: partial native implementations."""

    def test_native_where_the_handler_says_so(self) -> None:
        log: list[Any] = []
        x = np.ones(2)
        result = joined(True, log)(x, scale=3.0)
        assert result.tolist() == [3.0, 3.0]
        assert [entry[0] for entry in log] == ["asked", "native"]

    def test_the_handler_gets_just_what_the_caller_gave(self) -> None:
        log: list[Any] = []
        x = np.ones(2)
        joined(True, log)(x)
        _, args, kwargs = log[0]
        assert len(args) == 1
        assert args[0] is x
        assert kwargs == {}

    def test_the_body_elsewhere_gets_arrays_also_in_lists(self) -> None:
        log: list[Any] = []
        x = np.ones(2)
        result = joined(False, log)(x, scale=2.0, parts=[x, 5])
        assert type(result) is np.ndarray
        _, given, scale, parts = log[1]
        assert isinstance(given, Wrapped)
        assert scale == 2.0
        assert isinstance(parts[0], Wrapped)
        assert parts[1] == 5

    @pytest.mark.parametrize("backend", INSTALLED)
    def test_the_body_gets_our_data_types_and_devices(self, backend: str) -> None:
        """Native functions get native arrays; the body of `one_hot` serves calls with a device."""
        xp = unify.get_backend(backend)
        contract, library = CONTRACTS["one_hot"], binding_of(backend).backend
        log: list[Any] = []

        def native(x: Any, /, **options: Any) -> Any: ...

        def body(x: Any, /, **options: Any) -> Any:
            log.append(options)
            return x

        vars(native).update(partial_mixed_handler=lambda x, **options: False)
        settings = native_settings(contract, library)
        function = with_fallback(native, body, library.is_native_type, xp.asarray, settings)
        x = xp.ones(2)
        device = library.native_device(x.device)
        function(x.data, dtype=library.DTYPES[unify.int16], device=device, depth=5)
        function(x.data, dtype=None, device=None)
        assert log == [
            {"dtype": unify.int16, "device": x.device, "depth": 5},
            {"dtype": None, "device": None},
        ]
        assert type(log[0]["device"]) is type(x.device)

    @pytest.mark.parametrize("backend", INSTALLED)
    def test_settings_of_both_ways(self, backend: str) -> None:
        """A call for a native function, and one with an option that only the body supports."""
        xp = unify.get_backend(backend)
        indices = xp.asarray([1, 0, 7])
        expected = np.asarray([[0, 1], [1, 0], [0, 0]])
        for options in ({}, {"device": indices.device}, {"on_value": 3, "device": indices.device}):
            found = xp.one_hot(indices, 2, dtype=xp.int16, **options)
            assert (found.dtype, found.device) == (xp.int16, indices.device)
            np.testing.assert_array_equal(
                unify.to_numpy(found), expected * (3 if "on_value" in options else 1)
            )
        x = xp.asarray([1.5, float("nan")])
        assert xp.nansum(x, dtype=xp.float32).dtype == xp.float32

    def test_several_results(self) -> None:
        def native(x: Any, /) -> Any: ...

        vars(native).update(partial_mixed_handler=lambda x: False)
        function = with_fallback(native, lambda x: (x, x), is_native_type, Wrapped)
        x = np.ones(1)
        assert all(part is x for part in function(x))

    @pytest.mark.parametrize("backend", INSTALLED)
    def test_functions_without_a_handler_are_not_touched(self, backend: str) -> None:
        binding = binding_of(backend)
        for name, bound in binding.bound.items():
            contract = CONTRACTS[name]
            if bound.native is not None and contract.kind == "primary":
                path = f"arrayapi_unify.backends.{backend}.{contract.category}"
                # After any change of the default data type, each native function has a wrapper, and
                # on a lazy backend always one that says which function looks at values.
                native = getattr(importlib.import_module(path), contract.name)
                assert inspect.unwrap(bound.native) is inspect.unwrap(native)


class TestMixed:
    """B6: native functions run whether or not a backend was set."""

    @pytest.mark.parametrize("backend", INSTALLED)
    @pytest.mark.parametrize("chosen", [False, True])
    def test_every_entry_point(
        self, backend: str, chosen: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        xp = unify.get_backend(backend)
        bound = binding_of(backend).bound["nn.sigmoid"]
        x = xp.asarray([0.0])
        calls: list[Any] = []
        served = bound.native or bound.body
        monkeypatch.setattr(bound, "native" if bound.native else "body", _logged(served, calls))
        # Native arrays take the slow path, which uses the binding each time.
        if chosen:
            with unify.use_backend(backend):
                assert unify.sigmoid(x.data).tolist() == [0.5]
        else:
            assert unify.sigmoid(x.data).tolist() == [0.5]
        assert len(calls) == 1

    def test_numpy_has_no_native_and_runs_the_body(self) -> None:
        assert binding_of("numpy").bound["nn.sigmoid"].native is None


def _logged(function: Any, calls: list[Any]) -> Any:
    def logged(*args: Any, **kwargs: Any) -> Any:
        calls.append(args)
        return function(*args, **kwargs)

    return logged


class TestNativeOut:
    """B8: native out."""

    def test_the_same_buffer_is_written(self, xp: ModuleType) -> None:
        x, out = xp.asarray([1.0, 2.0]), xp.zeros(2)
        before = out.data
        assert unify.exp(x, out=out) is out
        np.testing.assert_allclose(np.asarray(out), np.exp([1.0, 2.0]))
        shares = xp.__unify_backend__ in ("numpy", "torch")
        assert (out.data is before) == shares

    def test_of_bodies_too(self, xp: ModuleType) -> None:
        x, out = xp.asarray([[1.0, 2.0]]), xp.zeros((1, 2))
        before = out.data
        assert xp.layer_norm(x, -1, eps=0.0, out=out) is out
        assert out.tolist() == [[-1.0, 1.0]]
        assert (out.data is before) == (xp.__unify_backend__ in ("numpy", "torch"))


class TestQuietBodies:
    def test_special_values_on_the_way_warn_nobody(self, xp: ModuleType) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            xp.isclose(xp.asarray([np.inf]), xp.asarray([np.inf]))
            xp.softmax(xp.asarray([np.inf, 1.0]))
            xp.nanmean(xp.asarray([np.nan]))

    def test_the_callers_own_arithmetic_still_warns(self) -> None:
        xp = unify.get_backend("numpy")
        x = xp.asarray([np.inf])
        xp.isclose(x, x)
        with pytest.warns(RuntimeWarning, match="invalid value"):
            np.asarray([np.inf]) - np.asarray([np.inf])


class TestFlags:
    def test_names_of_the_flags_that_are_set(self) -> None:
        for contract in CONTRACTS.values():
            wanted = tuple(flag for flag in FLAGS if getattr(contract, flag, False))
            assert contract.flags == contract.record.flags == wanted
