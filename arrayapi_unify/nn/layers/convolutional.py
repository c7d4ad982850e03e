"""Convolutions, transposed convolutions and `Upsample`, over one to three spatial axes."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.convolutions import channels_axis_first
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.nn.core.formatting import (
    Format,
    Padding,
    Sizes,
    check_window,
    format_arguments,
    insert_parameters,
)
from arrayapi_unify.nn.core.module import Module
from arrayapi_unify.nn.training import initializers
from arrayapi_unify.nn.training.initializers import Initializer, check_sizes, keys, size_tuple

__all__ = [
    "Conv1D",
    "Conv1DTranspose",
    "Conv2D",
    "Conv2DTranspose",
    "Conv3D",
    "Conv3DTranspose",
    "Upsample",
]

_PARAMETERS = """
Its variables are `w` of shape {filters} and `b` of shape
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
    {padding}
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
_FORWARD = _PARAMETERS.format(
    filters="(*window, in_channels // groups, out_channels)",
    padding='``"VALID"``, ``"SAME"``, or zeros around the spatial axes.',
)
_BACKWARD = _PARAMETERS.format(
    filters="(*window, in_channels, out_channels // groups)",
    padding="""The ends that are cut off: ``"VALID"`` for none, ``"SAME"`` for sizes of x times the
    strides, or numbers of elements.
output_padding
    Elements that the result has more at the end of each spatial axis.""",
)


class _Conv(Module):
    """The common base: channels, window and options, for any number of spatial axes."""

    _axes: ClassVar[int]
    _function: ClassVar[str]
    _parameters: ClassVar[str]
    _options: ClassVar[dict[str, Any]] = {
        "strides": 1, "padding": "VALID", "dilations": 1, "groups": 1,
        "data_format": "channels_last",
    }  # fmt: skip

    def __init_subclass__(cls, **options: Any) -> None:
        """Insert the common parameters into the documentation."""
        super().__init_subclass__(**options)
        insert_parameters(cls, cls._parameters)

    def _keep(
        self, in_channels: int, out_channels: int, kernel_size: Sizes, groups: int, **options: Any
    ) -> None:
        """Check and store everything that isn't a variable."""
        name = type(self).__name__
        check_sizes(name, in_channels=in_channels, out_channels=out_channels, groups=groups)
        self.kernel_size = size_tuple(name, "kernel_size", kernel_size, self._axes)
        if in_channels % groups or out_channels % groups:
            raise_value_error(
                name, "groups", f"is {groups}, the channels are {in_channels} and "
                f"{out_channels}", "pass a number that divides both",
            )  # fmt: skip
        check_window(name, self._axes, **options)
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        for option, value in options.items():
            setattr(self, option, value)

    def _create(
        self, channels: tuple[int, int], bias: bool, w_init: Initializer, b_init: Initializer,
        key: Array | None, dtype: Any,
    ) -> None:  # fmt: skip
        """Create the variables."""
        first, second = keys(type(self).__name__, key, 2)
        self.v.w = w_init(first, (*self.kernel_size, *channels), dtype=dtype)
        if bias:
            self.v.b = b_init(second, (self.out_channels,), dtype=dtype)

    def _forward(self, x: Any) -> Array:
        w = self._own("w")
        function = getattr(w.__array_namespace__(), self._function.format(self._axes))
        options = {name: getattr(self, name) for name in self._options}
        return function(x, w, bias=self._own_or_none("b"), **options)

    def _arguments(self) -> str:
        told = {name: (getattr(self, name), usual) for name, usual in self._options.items()}
        return format_arguments(
            self.in_channels, self.out_channels, self.kernel_size, **told,
            bias=("b" in self._state.variables, True),
        )  # fmt: skip


class _Forward(_Conv):
    """The common base of the convolutions."""

    _function = "conv{}d"
    _parameters = _FORWARD

    @naming("{}")
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        *,
        strides: Sizes = 1,
        padding: Padding = "VALID",
        dilations: Sizes = 1,
        groups: int = 1,
        data_format: Format = "channels_last",
        bias: bool = True,
        w_init: Initializer = initializers.glorot_uniform,
        b_init: Initializer = initializers.zeros,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variables."""
        self._keep(
            in_channels, out_channels, kernel_size, groups, strides=strides, padding=padding,
            dilations=dilations, data_format=data_format,
        )  # fmt: skip
        self._create((in_channels // groups, out_channels), bias, w_init, b_init, key, dtype)


class _Backward(_Conv):
    """The common base of the transposed convolutions."""

    _function = "conv{}d_transpose"
    _parameters = _BACKWARD
    _options: ClassVar = {**_Conv._options, "output_padding": 0}

    @naming("{}")
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        *,
        strides: Sizes = 1,
        padding: Padding = "VALID",
        output_padding: Sizes = 0,
        dilations: Sizes = 1,
        groups: int = 1,
        data_format: Format = "channels_last",
        bias: bool = True,
        w_init: Initializer = initializers.glorot_uniform,
        b_init: Initializer = initializers.zeros,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variables."""
        self._keep(
            in_channels, out_channels, kernel_size, groups, strides=strides, padding=padding,
            output_padding=output_padding, dilations=dilations, data_format=data_format,
        )  # fmt: skip
        self._create((in_channels, out_channels // groups), bias, w_init, b_init, key, dtype)


class Conv1D(_Forward):
    """A convolution over one spatial axis, by the function `conv1d`.

    References
    ----------
    PyTorch's ``torch.nn.Conv1d``, with the data format and filters of TensorFlow.

    Examples
    --------
    >>> unify.nn.Conv1D(3, 8, 2)(unify.zeros((5, 10, 3))).shape
    (5, 9, 8)
    """

    _axes = 1


class Conv2D(_Forward):
    """A convolution over two spatial axes, by the function `conv2d`.

    References
    ----------
    PyTorch's ``torch.nn.Conv2d``, with the data format and filters of TensorFlow.

    Examples
    --------
    >>> unify.nn.Conv2D(3, 8, 3, padding="SAME")(unify.zeros((5, 10, 10, 3))).shape
    (5, 10, 10, 8)
    """

    _axes = 2


class Conv3D(_Forward):
    """A convolution over three spatial axes, by the function `conv3d`.

    References
    ----------
    PyTorch's ``torch.nn.Conv3d``, with the data format and filters of TensorFlow.

    Examples
    --------
    >>> unify.nn.Conv3D(1, 2, 3, strides=2)(unify.zeros((1, 7, 7, 7, 1))).shape
    (1, 3, 3, 3, 2)
    """

    _axes = 3


class Conv1DTranspose(_Backward):
    """A transposed convolution over one spatial axis, by the function `conv1d_transpose`.

    References
    ----------
    PyTorch's ``torch.nn.ConvTranspose1d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.Conv1DTranspose(3, 8, 2)(unify.zeros((5, 10, 3))).shape
    (5, 11, 8)
    """

    _axes = 1


class Conv2DTranspose(_Backward):
    """A transposed convolution over two spatial axes, by the function `conv2d_transpose`.

    References
    ----------
    PyTorch's ``torch.nn.ConvTranspose2d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.Conv2DTranspose(3, 8, 2, strides=2)(unify.zeros((5, 10, 10, 3))).shape
    (5, 20, 20, 8)
    """

    _axes = 2


class Conv3DTranspose(_Backward):
    """A transposed convolution over three spatial axes, by the function `conv3d_transpose`.

    References
    ----------
    PyTorch's ``torch.nn.ConvTranspose3d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.Conv3DTranspose(1, 2, 3)(unify.zeros((1, 5, 5, 5, 1))).shape
    (1, 7, 7, 7, 2)
    """

    _axes = 3


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
        return x.__array_namespace__().nn.interpolate(
            x, [size * factor for size, factor in zip(sizes, factors, strict=True)],
            mode=self.mode, data_format=self.data_format,
        )  # fmt: skip

    def _arguments(self) -> str:
        return format_arguments(
            self.factor, mode=(self.mode, "nearest"),
            data_format=(self.data_format, "channels_last"),
        )  # fmt: skip
