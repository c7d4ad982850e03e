"""Fast paths of rarer calls give what the slow path gives: native arrays, lists, reduced precision.

The reference is `Dispatch.compute`, which converts each argument and computes, as for any call.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, Final

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import binding_of
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.contract import Returns
from arrayapi_unify.errors import UnifyError
from tests.tables import each

# A folder above may have the package's name, too, with the libraries in it.
OURS: Final = (f"{Path(unify.__file__).parent}{os.sep}", "<arrayapi_unify")
VALUES = np.array([0.5, 0.25, -0.75, 1.0])
DTYPES = ("float32", "float64", "int32", "bool")


def _of_arrays() -> list[str]:
    contracts = CONTRACTS.values()
    return sorted(
        c.qualified_name
        for c in contracts
        if c.kind == "primary"
        and c.of_arrays_alone
        and c.returns is Returns.ARRAY
        and not c.mutates
        and any(True for _ in c.inputs)
    )


def _function(namespace: Any, name: str) -> Any:
    for part in name.split("."):
        namespace = getattr(namespace, part)
    return namespace


def _outcome(call: Any, *args: Any) -> Any:
    """Return class, data type and bytes of a result, or the class of the error."""
    try:
        found = call(*args)
    except UnifyError as error:
        return type(error)
    wide = unify.astype(found, unify.float64) if found.dtype.kind == "f" else found
    return type(found), found.dtype, found.shape, np.asarray(wide).tobytes()


def _arguments(xp: ModuleType, name: str, dtype: str) -> list[Any]:
    count = sum(1 for _ in CONTRACTS[name].inputs)
    # Of one layout: NumPy's arctan2 of reversed memory differs in the last digit, and a lazy array
    # lies in order once it has been looked at.
    x, y = (xp.astype(xp.asarray(v.copy()), getattr(xp, dtype)) for v in (VALUES, VALUES[::-1]))
    if CONTRACTS[name].category.startswith("linear") or "matrix" in name:
        x, y = xp.reshape(x, (2, 2)), xp.reshape(y, (2, 2))
    return [x, y][:count] if count < 3 else [x] * count


def _whole_way(xp: ModuleType, name: str, args: list[Any]) -> Any:
    bound = binding_of(xp.__unify_backend__).bound[name]
    return _outcome(lambda *given: bound.compute(given, {}), *args)


of_arrays = each("name", _of_arrays())


@pytest.mark.slow_on("jax")  # it compiles each function
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, about NaN and infinities
class TestTheSame:
    @of_arrays
    @pytest.mark.parametrize("dtype", DTYPES)
    def test_of_native_arrays(self, xp: ModuleType, name: str, dtype: str) -> None:
        arrays = _arguments(xp, name, dtype)
        natives = [x.data for x in arrays]
        expected = _whole_way(xp, name, arrays)
        assert _outcome(_function(unify, name), *natives) == expected
        assert _outcome(_function(xp, name), *natives) == expected

    @pytest.mark.slow_on("dask")
    @of_arrays
    @pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
    def test_of_halves(self, xp: ModuleType, name: str, dtype: str) -> None:
        arrays = _arguments(xp, name, dtype)
        expected = _whole_way(xp, name, arrays)
        assert _outcome(_function(unify, name), *arrays) == expected
        assert _outcome(_function(xp, name), *arrays) == expected

    @pytest.mark.slow_on("dask")
    @of_arrays
    def test_of_native_halves(self, xp: ModuleType, name: str) -> None:
        arrays = _arguments(xp, name, "float16")
        expected = _whole_way(xp, name, arrays)
        natives = [x.data for x in arrays]
        mixed = [arrays[0], *natives[1:]]
        for args in (natives, mixed):
            assert _outcome(_function(unify, name), *args) == expected
            assert _outcome(_function(xp, name), *args) == expected

    @pytest.mark.slow_on("tensorflow", "dask")
    @of_arrays
    def test_of_a_list_beside_an_array(self, xp: ModuleType, name: str) -> None:
        if sum(1 for _ in CONTRACTS[name].inputs) != 2:
            return
        for dtype in DTYPES:
            x, _ = _arguments(xp, name, dtype)
            for values in (x.tolist(), VALUES.tolist(), [[1, 2], [3, 4]], [True, 2.5, 1, 0], []):
                for args in ([x, values], [values, x], [x.data, values], [values, x.data]):
                    expected = _whole_way(xp, name, args)
                    assert _outcome(_function(unify, name), *args) == expected
                    assert _outcome(_function(xp, name), *args) == expected


def _frames(call: Callable[[], Any]) -> int:
    """Count the frames of this package in a call that was made before."""
    call()
    found: list[str] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            found.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return len(found)


class TestFrames:
    """A call by the slow path has some hundred frames, and takes 25 times as long on NumPy."""

    MOST: Final = 20  # one or two, and those of settings that were ever changed

    @pytest.mark.parametrize("xp", ["numpy"], indirect=True)
    def test_of_native_arrays_beside_lists_and_of_halves(self, xp: ModuleType) -> None:
        x, halves = np.ones(2), np.ones(2, "f2")
        for args in ((x, [1.0, 2.0]), ([1.0, 2.0], x), (halves, halves)):
            assert _frames(lambda a=args: unify.add(*a)) < self.MOST
            with unify.use_backend("torch"), pytest.raises(UnifyError, match="add"):
                unify.add(*args)

    @pytest.mark.eager
    def test_of_native_arrays(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0]).data
        assert _frames(lambda: xp.add(x, x)) < self.MOST
        backend = xp.__unify_backend__
        with unify.use_backend(backend):
            assert _frames(lambda: unify.add(x, x)) < self.MOST
        assert _frames(lambda: unify.add(x, x)) < self.MOST
        unify.set_backend(backend)
        try:
            assert _frames(lambda: unify.add(x, x)) < self.MOST
            other = "torch" if backend == "numpy" else "numpy"
            with unify.use_backend(other), pytest.raises(UnifyError, match="add"):
                unify.add(x, x)
        finally:
            unify.unset_backend()


@pytest.mark.parametrize("kind", ["g", "O", "M8[D]", "U3"])
def test_other_data_types_of_native_arrays_are_refused(kind: str) -> None:
    xp, other = unify.get_backend("numpy"), np.zeros(2, kind)
    for args in ((np.ones(2), other), (other, np.ones(2)), (other, other)):
        for add in (unify.add, xp.add):
            with pytest.raises(UnifyError, match="add"):
                add(*args)


def test_an_array_that_overrides_is_asked_beside_native_ones_and_lists() -> None:
    class Mine:
        def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> str:
            return "mine"

    for first in (np.ones(2), [1.0, 2.0], 2.0):
        assert unify.add(first, Mine()) == "mine"
        assert unify.add(Mine(), first) == "mine"


def test_arrays_of_another_backend_in_a_list_decide_beside_native_ones() -> None:
    torch = unify.get_backend("torch")
    elements = [torch.asarray(1.0), 2.0]
    for args in ((elements, np.ones(2)), (np.ones(2), elements)):
        found = unify.add(*args)
        assert (found.backend, found.tolist()) == ("torch", [2.0, 3.0])


def test_messages_beside_a_list_are_those_of_the_list() -> None:
    for args in (([1.0], np.ones(1, "c8")), (np.ones(1, "c8"), [1.0])):
        with pytest.raises(UnifyError, match="complex64"):
            unify.atan2(*args)
