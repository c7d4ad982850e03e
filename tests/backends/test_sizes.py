"""Sizes beyond any memory raise before a loop or a library crashes."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify.backends._common.checks import sizes
from arrayapi_unify.errors import UnifyError, UnifyValueError

_LONG = range(10**18)
CALLS: dict[str, Callable[[ModuleType], Any]] = {
    "nn.adaptive_avg_pool1d": lambda xp: xp.adaptive_avg_pool1d(xp.ones((1, 3, 1)), 2**40),
    "nn.adaptive_max_pool2d": lambda xp: xp.adaptive_max_pool2d(xp.ones((1, 3, 3, 1)), (2, 2**40)),
    "nn.interpolate": lambda xp: xp.interpolate(xp.ones((1, 3, 1)), 2**64),
    "random.orthogonal": lambda xp: xp.random.orthogonal(xp.random.key(0), 2**31),
    "pad": lambda xp: xp.pad(xp.ones((2, 3)), 2**40),
    "nn.depthwise_conv": lambda xp: xp.depthwise_conv(
        xp.ones((1, 3, 3, 1)), xp.ones((2, 2, 1)), padding=[(2**40, 2**40)] * 2
    ),
    "eye": lambda xp: xp.eye(2**31),
    "full": lambda xp: xp.full((2**31, 2**31), 1.0),
    "empty": lambda xp: xp.empty((2**62,)),
    "nn.conv1d_transpose": lambda xp: xp.conv1d_transpose(
        xp.ones((1, 3, 1)), xp.ones((2, 1, 1)), strides=2**40
    ),
    "reshape": lambda xp: xp.reshape(xp.ones((2, 3)), _LONG),
    "expand_dims": lambda xp: xp.expand_dims(xp.ones(2), axis=_LONG),
    "broadcast_to": lambda xp: xp.broadcast_to(xp.ones(1), _LONG),
    "sum": lambda xp: xp.sum(xp.ones((2, 3)), axis=_LONG),
    "tile": lambda xp: xp.tile(xp.ones((2, 3)), _LONG),
    "zeros": lambda xp: xp.zeros(_LONG),
    "fft.irfftn": lambda xp: xp.fft.irfftn(xp.ones((2, 3)), s=(2**31, 2**31)),
}


@pytest.mark.parametrize("function", CALLS)
def test_refused(xp: ModuleType, function: str) -> None:
    with pytest.raises(UnifyError) as caught:
        CALLS[function](xp)
    assert str(caught.value).startswith(function)


@pytest.mark.exhaustive
def test_broadcast_to_more_than_has_addresses(xp: ModuleType) -> None:
    """XLA would end the process; PyTorch would make a view, which takes no memory."""
    with pytest.raises(UnifyError, match=r"^broadcast_to"):
        xp.broadcast_to(xp.ones(1), (2**62,))


def test_no_more_differences_than_elements(xp: ModuleType) -> None:
    """NumPy and JAX would continue to subtract from zero."""
    assert xp.diff(xp.ones((2, 3)), n=2**40).shape == np.diff(np.ones((2, 3)), 3).shape == (2, 0)


def test_the_memory_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    most = sizes.MANY + 10
    monkeypatch.setattr(sizes, "memory", lambda: 8 * most)
    sizes.check_held("pad", "pad_width", 10, most)
    with pytest.raises(UnifyValueError, match=r"^pad: argument 'pad_width' is 11, which takes"):
        sizes.check_held("pad", "pad_width", 11, most + 1)


def test_segment_sum_of_many_axes(xp: ModuleType) -> None:
    """NumPy's `add.at` crashes the process if an array has more than 32 axes."""
    if xp.__unify_backend__ == "numpy":
        x = xp.reshape(xp.asarray([1.0, 2.0, 3.0]), (3, *(1,) * 32))
        found = np.asarray(xp.segment_sum(x, xp.asarray([0, 1, 0]), 2))
        assert found.shape == (2, *(1,) * 32)
        np.testing.assert_array_equal(found.ravel(), [4.0, 2.0])
    x = xp.reshape(xp.arange(12.0), (3, 2, 2))
    found = np.asarray(xp.segment_sum(x, xp.asarray([0, 1, 0]), 2))
    np.testing.assert_array_equal(found, [[[8.0, 10.0], [12.0, 14.0]], [[4.0, 5.0], [6.0, 7.0]]])
