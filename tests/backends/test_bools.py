"""True isn't an axis or a size: most of NumPy's functions refuse it, and all of ours."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

ALONG = [
    "all", "any", "argmax", "argmin", "argsort", "count_nonzero", "cumulative_prod",
    "cumulative_sum", "diff", "expand_dims", "fft.fft", "fft.fftshift", "fft.irfft", "flip",
    "linalg.vector_norm", "max", "mean", "median", "min", "prod", "quantile", "repeat", "sort",
    "squeeze", "std", "sum", "take", "take_along_axis", "unstack", "var",
]  # fmt: skip
ALONG_SEVERAL = ["all", "expand_dims", "flip", "linalg.vector_norm", "max", "squeeze", "std", "sum"]
EXTRA: dict[str, Callable[[ModuleType], tuple[Any, ...]]] = {
    "quantile": lambda xp: (0.5,),
    "repeat": lambda xp: (2,),
    "take": lambda xp: (xp.asarray([0]),),
    "take_along_axis": lambda xp: (xp.asarray([[0]]),),
}
CALLS: list[Callable[[ModuleType], Any]] = [
    lambda xp: xp.zeros(True),
    lambda xp: xp.ones((True, 2)),
    lambda xp: xp.empty([2, True]),
    lambda xp: xp.full((2, False), 1.0),
    lambda xp: xp.full(True, 1.0),
    lambda xp: xp.eye(True),
    lambda xp: xp.eye(2, True),
    lambda xp: xp.reshape(xp.ones(1), True),
    lambda xp: xp.reshape(xp.ones(1), (True,)),
    lambda xp: xp.broadcast_to(xp.ones(1), (True,)),
    lambda xp: xp.concat([xp.ones((1, 1))], axis=True),
    lambda xp: xp.stack([xp.ones((1, 1))], axis=True),
    lambda xp: xp.roll(xp.ones((1, 1)), 1, axis=True),
    lambda xp: xp.moveaxis(xp.ones((1, 1)), True, 0),
    lambda xp: xp.moveaxis(xp.ones((1, 1)), 0, True),
    lambda xp: xp.permute_dims(xp.ones((1, 1)), (True, False)),
    lambda xp: xp.vecdot(xp.ones((1, 1)), xp.ones((1, 1)), axis=True),
    lambda xp: xp.linalg.cross(xp.ones((3, 3)), xp.ones((3, 3)), axis=True),
]


def function(xp: ModuleType, name: str) -> Any:
    *where, last = name.split(".")
    return getattr(getattr(xp, where[0]) if where else xp, last)


class TestBools:
    @pytest.mark.parametrize("name", ALONG)
    def test_are_no_axis(self, xp: ModuleType, name: str) -> None:
        extra = EXTRA.get(name, lambda xp: ())(xp)
        argument = "axes" if name == "fft.fftshift" else "axis"
        with pytest.raises(TypeError):
            function(xp, name)(xp.ones((1, 2)), *extra, **{argument: True})

    @pytest.mark.parametrize("name", ALONG_SEVERAL)
    def test_are_no_axes(self, xp: ModuleType, name: str) -> None:
        with pytest.raises(TypeError):
            function(xp, name)(xp.ones((1, 1, 1)), axis=(True, 2))

    @pytest.mark.parametrize("call", CALLS)
    def test_are_refused(self, xp: ModuleType, call: Callable[[ModuleType], Any]) -> None:
        with pytest.raises(TypeError):
            call(xp)
