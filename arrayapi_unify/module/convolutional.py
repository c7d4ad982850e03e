"""`Conv1D`, `Conv2D` and `Conv3D`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from arrayapi_unify._failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.contracts.contract import MARGIN, with_margin
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.module import initializers
from arrayapi_unify.module._formatting import format_arguments
from arrayapi_unify.module._module import Module
from arrayapi_unify.module.initializers import Initializer, check_sizes, keys

__all__ = ["Conv1D", "Conv2D", "Conv3D"]

_PARAMETERS = """
Its variables are `w` of shape (*window, in_channels // groups, out_channels) and `b` of shape
(out_channels,).

Parameters
----------
in_channels
    Number of input channels.
out_channels
    Number of output channels.
kernel_size
    The window: an integer, or one for each spatial axis.
strides
    Steps from one window to the next.
padding
    ``"VALID"``, ``"SAME"``, or zeros around the spatial axes.
dilations
    Steps from one element of a window to the next.
groups
    Number of groups of channels.
data_format
    Position of the channels: the last axis, or the one after the batch.
bias
    If True, the layer has `b`.
w_init
    Initializer of `w`.
b_init
    Initializer of `b`.
key
    Key of `random.key`; by default from the hidden state.
dtype
    Data type of the variables.

Raises
------
UnifyTypeError
    If the key isn't one, or a size isn't an integer.
UnifyValueError
    If a size is below 1, or the groups don't divide the channels."""


class _Conv(Module):
    """The common base of the convolutions, for any number of spatial axes."""

    _axes: ClassVar[int]

    def __init_subclass__(cls, **options: Any) -> None:
        """Insert the common parameters into the documentation."""
        super().__init_subclass__(**options)
        if cls.__doc__:  # there is none under `python -OO`
            heading = f"\n\n{MARGIN}References"
            head, _, rest = cls.__doc__.partition(heading)
            cls.__doc__ = f"{head}\n{with_margin(_PARAMETERS)}{heading}{rest}" if rest else head

    @naming("{}")
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        *,
        strides: int | Sequence[int] = 1,
        padding: str | int | Sequence[int | Sequence[int]] = "VALID",
        dilations: int | Sequence[int] = 1,
        groups: int = 1,
        data_format: Literal["channels_last", "channels_first"] = "channels_last",
        bias: bool = True,
        w_init: Initializer = initializers.glorot_uniform,
        b_init: Initializer = initializers.zeros,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variables."""
        name = type(self).__name__
        single = isinstance(kernel_size, int)
        window = (kernel_size,) * self._axes if single else tuple(kernel_size)  # type: ignore[arg-type]  # not an int here
        check_sizes(name, in_channels=in_channels, out_channels=out_channels, groups=groups)
        for size in window:
            check_sizes(name, kernel_size=size)
        if len(window) != self._axes:
            raise_value_error(
                name, "kernel_size", f"is {kernel_size}",
                f"pass an integer, or {self._axes} of them",
            )  # fmt: skip
        if in_channels % groups or out_channels % groups:
            raise_value_error(
                name, "groups", f"is {groups}, the channels are {in_channels} and "
                f"{out_channels}", "pass a number that divides both",
            )  # fmt: skip
        self.in_channels, self.out_channels, self.kernel_size = in_channels, out_channels, window
        self.strides, self.padding, self.dilations = strides, padding, dilations
        self.groups, self.data_format = groups, data_format
        first, second = keys(name, key, 2)
        self.v.w = w_init(first, (*window, in_channels // groups, out_channels), dtype=dtype)
        if bias:
            self.v.b = b_init(second, (out_channels,), dtype=dtype)

    def _forward(self, x: Any) -> Array:
        w = self._own("w")
        function = getattr(w.__array_namespace__(), f"conv{self._axes}d")
        made: Array = function(
            x, w, bias=self._own_or_none("b"), strides=self.strides, padding=self.padding,
            dilations=self.dilations, groups=self.groups, data_format=self.data_format,
        )  # fmt: skip
        return made

    def _arguments(self) -> str:
        return format_arguments(
            self.in_channels, self.out_channels, self.kernel_size, strides=(self.strides, 1),
            padding=(self.padding, "VALID"), dilations=(self.dilations, 1), groups=(self.groups, 1),
            data_format=(self.data_format, "channels_last"),
            bias=("b" in self._state.variables, True),
        )  # fmt: skip


class Conv1D(_Conv):
    """A convolution over one spatial axis, by the function `conv1d`.

    References
    ----------
    PyTorch's ``torch.nn.Conv1d``, with the data format and filters of TensorFlow.

    Examples
    --------
    >>> unify.Conv1D(3, 8, 2)(unify.zeros((5, 10, 3))).shape
    (5, 9, 8)
    """

    _axes = 1


class Conv2D(_Conv):
    """A convolution over two spatial axes, by the function `conv2d`.

    References
    ----------
    PyTorch's ``torch.nn.Conv2d``, with the data format and filters of TensorFlow.

    Examples
    --------
    >>> unify.Conv2D(3, 8, 3, padding="SAME")(unify.zeros((5, 10, 10, 3))).shape
    (5, 10, 10, 8)
    """

    _axes = 2


class Conv3D(_Conv):
    """A convolution over three spatial axes, by the function `conv3d`.

    References
    ----------
    PyTorch's ``torch.nn.Conv3d``, with the data format and filters of TensorFlow.

    Examples
    --------
    >>> unify.Conv3D(1, 2, 3, strides=2)(unify.zeros((1, 7, 7, 7, 1))).shape
    (1, 3, 3, 3, 2)
    """

    _axes = 3
