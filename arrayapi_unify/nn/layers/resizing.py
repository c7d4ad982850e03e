"""`Upsample`."""

from __future__ import annotations

from typing import Any, Literal

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.convolutions import channels_axis_first
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.nn.core.checks import Format, Sizes
from arrayapi_unify.nn.core.formatting import format_arguments
from arrayapi_unify.nn.core.module import Module
from arrayapi_unify.nn.training.initializers import size_tuple

__all__ = ["Upsample"]


class Upsample(Module):
    """Spatial axes of a multiple of their sizes, by the function `interpolate`.

    Parameters
    ----------
    factor
        The multiple: an integer for all spatial axes, or one for each.
    mode
        ``"nearest"``, ``"linear"`` or ``"cubic"``, as `interpolate` has them.
    data_format
        Position of the channels: the last axis, or the one after the batch.

    Raises
    ------
    UnifyTypeError
        If the factor isn't an integer.
    UnifyValueError
        If it is below 1, or the mode or the data format is another one.

    References
    ----------
    PyTorch's ``torch.nn.Upsample`` with ``align_corners=False``, Keras' ``UpSampling2D``.

    Examples
    --------
    >>> unify.nn.Upsample(2)(unify.zeros((5, 8, 8, 3))).shape
    (5, 16, 16, 3)
    """

    @naming("{}")
    def __init__(
        self,
        factor: Sizes,
        *,
        mode: Literal["nearest", "linear", "cubic"] = "nearest",
        data_format: Format = "channels_last",
    ) -> None:
        """Store the options."""
        factors = size_tuple("Upsample", "factor", factor)
        channels_axis_first("Upsample", data_format)
        if mode not in ("nearest", "linear", "cubic"):
            raise_value_error(
                "Upsample", "mode", f"is {mode!r}", "pass 'nearest', 'linear' or 'cubic'"
            )
        self.factor = factor if isinstance(factor, int) else factors
        self.mode, self.data_format = mode, data_format

    @naming("{}")
    def _forward(self, x: Any) -> Array:
        x = self._as_array(x)
        first = 1 if self.data_format == "channels_last" else 2
        sizes = x.shape[first : first + x.ndim - 2]
        given = self.factor
        factors = (given,) * len(sizes) if isinstance(given, int) else given
        if len(factors) != len(sizes):
            raise_value_error(
                "Upsample", "x", f"has {len(sizes)} spatial axes for {len(factors)} factors",
                "pass a factor for each of them",
            )  # fmt: skip
        made: Array = x.__array_namespace__().nn.interpolate(
            x, [size * factor for size, factor in zip(sizes, factors, strict=True)],
            mode=self.mode, data_format=self.data_format,
        )  # fmt: skip
        return made

    def _arguments(self) -> str:
        return format_arguments(
            self.factor, mode=(self.mode, "nearest"),
            data_format=(self.data_format, "channels_last"),
        )  # fmt: skip
