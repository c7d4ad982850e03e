"""Contracts of arrays at other sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.convolutions import (
    channels_axis_first,
    one_for_each,
)
from arrayapi_unify.backends._common.checks.sizes import check_held
from arrayapi_unify.binding import compositional
from arrayapi_unify.contracts.annotations import ArrayIn, Out
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional._common import real, unchecked
from arrayapi_unify.nn.functional._interpolation import TAPS


@compositional
def interpolate(
    x: ArrayIn,
    size: int | Sequence[int],
    /,
    *,
    mode: Literal["nearest", "linear", "cubic"] = "linear",
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Resize the spatial axes: take values between the elements.

    The elements are areas, whose outer edges stay where they are; so the centres of the first
    elements don't coincide. Nothing is smoothed before an axis gets smaller.

    Parameters
    ----------
    x
        Array of shape ``(batch, *spatial, channels)``, or ``(batch, channels, *spatial)``, with one
        to three spatial axes.
    size
        The new sizes of the spatial axes: an integer, or one for each.
    mode
        Whether the nearest element counts, the nearest two along each axis, or four, which a cubic
        convolution weighs. Beyond the ends of an axis its last element goes on.
    data_format
        Position of the channels: the last axis, or the one after the batch.

    Returns
    -------
    Array of x's floating-point data type; integers give the default one.

    Raises
    ------
    UnifyTypeError
        If x is complex, or a size isn't an integer.
    UnifyValueError
        If x has another number of axes, a size is less than 1, or the mode is another one.

    References
    ----------
    PyTorch's ``torch.nn.functional.interpolate``, with ``align_corners=False``.

    Keys, "Cubic Convolution Interpolation for Digital Image Processing", 1981.

    Examples
    --------
    >>> x = unify.array([[[0.0], [4.0]]])
    >>> unify.reshape(unify.nn.interpolate(x, 4), (4,))
    unify.array([0., 1., 3., 4.])
    """
    x = real("nn.interpolate", "x", x)
    count, first = x.ndim - 2, channels_axis_first("nn.interpolate", data_format)
    if count not in (1, 2, 3) or 0 in x.shape[1:]:
        raise_value_error(
            "nn.interpolate", "x", f"has shape {x.shape}",
            "pass one to three axes in addition to the batch and the channels; only the batch may "
            "be 0",
        )  # fmt: skip
    if mode not in TAPS:
        raise_value_error(
            "nn.interpolate", "mode", f"is {mode!r}", "pass 'nearest', 'linear' or 'cubic'"
        )
    wanted = one_for_each("nn.interpolate", "size", size, count)
    check_held("nn.interpolate", "size", size, math.prod(wanted), _TAP)
    for axis, length in enumerate(wanted, 2 if first else 1):
        x = _resized(x, axis, length, mode)
    return +x


# The bytes of a place and its weight in lists of Python.
_TAP: Final = 100


def _resized(x: Array, axis: int, wanted: int, mode: str) -> Array:
    xp, size = x.__array_namespace__(), x.shape[axis]
    if size == wanted:
        return x
    total: Any = None
    for places, weights in TAPS[mode](size, wanted):
        part = unchecked(xp.take, x, xp.asarray(places, device=x.device), axis=axis)
        if mode != "nearest":
            weight = xp.asarray(weights, dtype=x.dtype, device=x.device)
            part = part * xp.reshape(weight, (wanted, *(1,) * (x.ndim - 1 - axis)))
        total = part if total is None else total + part
    found: Array = total
    return found
