"""Arrays with one number for each channel, beside arrays of any number of axes."""

from __future__ import annotations

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.errors import UnifyValueError, raise_argument_error
from arrayapi_unify.functional._common import BodyArray

__all__ = ["along_channels"]


def along_channels(
    function: str, name: str, numbers: BodyArray, shape: tuple[int, ...], axis: int
) -> Array:
    """Give an array of one axis the shape in which it broadcasts along the axis of the channels."""
    axis = normalize_axis(function, axis, len(shape))
    if numbers.shape != (shape[axis],):
        raise_argument_error(
            UnifyValueError, function, name,
            f"has the shape {numbers.shape}, where there are {shape[axis]} channels along axis "
            f"{axis}",
            f"pass an array of shape ({shape[axis]},)",
        )  # fmt: skip
    wanted = (1,) * axis + (-1,) + (1,) * (len(shape) - axis - 1)
    return numbers.__array_namespace__().reshape(numbers, wanted)
