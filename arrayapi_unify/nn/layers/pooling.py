"""Pooling over windows and to a given size: the maximum or the mean of each."""

from __future__ import annotations

from typing import Any, ClassVar

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.convolutions import channels_axis_first
from arrayapi_unify.nn.core.formatting import (
    Format,
    Padding,
    Sizes,
    check_flags,
    check_window,
    format_arguments,
    insert_parameters,
)
from arrayapi_unify.nn.core.module import Module
from arrayapi_unify.nn.training.initializers import size_tuple

__all__ = [
    "AdaptiveAvgPool1D",
    "AdaptiveAvgPool2D",
    "AdaptiveAvgPool3D",
    "AdaptiveMaxPool1D",
    "AdaptiveMaxPool2D",
    "AdaptiveMaxPool3D",
    "AvgPool1D",
    "AvgPool2D",
    "AvgPool3D",
    "GlobalAvgPool",
    "GlobalMaxPool",
    "MaxPool1D",
    "MaxPool2D",
    "MaxPool3D",
    "Pool",
]

_WINDOW = """
Parameters
----------
kernel_size
    The window: an integer, or one for each spatial axis.
strides
    Steps from one window to the next; by default the sizes of the window.
padding
    ``"VALID"``, ``"SAME"``, or numbers of elements around the spatial axes.
{option}
data_format
    Position of the channels: the last axis, or the one after the batch.

Raises
------
UnifyTypeError
    If a size isn't an integer.
UnifyValueError
    If a size is below 1, or there is another number of them."""
_DILATIONS = """dilations
    Steps from one element of a window to the next."""
_COUNT = """count_padding
    If True, the elements of the padding count as zeros in the mean."""


class Pool(Module):
    """The common base of the poolings: the sizes that a function takes second, and options.

    A subclass has the name of the function without the number of axes, the number, and the names of
    the options with their defaults.
    """

    _function: ClassVar[str]
    _axes: ClassVar[int]
    _sizes: ClassVar[str] = "kernel_size"
    _options: ClassVar[dict[str, Any]]
    _parameters: ClassVar[str]

    def __init_subclass__(cls, **options: Any) -> None:
        """Insert the common parameters into the documentation."""
        super().__init_subclass__(**options)
        insert_parameters(cls, cls._parameters)

    def _keep(self, sizes: Sizes, **options: Any) -> None:
        """Store the sizes and the options as attributes."""
        name = type(self).__name__
        setattr(self, self._sizes, size_tuple(name, self._sizes, sizes, self._axes))
        check_window(name, self._axes, **options)
        for option, value in options.items():
            setattr(self, option, value)

    @naming("{}")
    def _forward(self, x: Any) -> Array:
        x = self._as_array(x)
        function = getattr(x.__array_namespace__(), f"{self._function}{self._axes}d")
        options = {name: getattr(self, name) for name in self._options}
        return function(x, getattr(self, self._sizes), **options)

    def _arguments(self) -> str:
        told = {name: (getattr(self, name), usual) for name, usual in self._options.items()}
        return format_arguments(getattr(self, self._sizes), **told)


class _MaxPool(Pool):
    _function = "max_pool"
    _options: ClassVar = {
        "strides": None, "padding": "VALID", "dilations": 1, "data_format": "channels_last",
    }  # fmt: skip
    _parameters = _WINDOW.format(option=_DILATIONS)

    @naming("{}")
    def __init__(
        self,
        kernel_size: Sizes,
        *,
        strides: Sizes | None = None,
        padding: Padding = "VALID",
        dilations: Sizes = 1,
        data_format: Format = "channels_last",
    ) -> None:
        """Store the options."""
        self._keep(
            kernel_size, strides=strides, padding=padding, dilations=dilations,
            data_format=data_format,
        )  # fmt: skip


class _AvgPool(Pool):
    _function = "avg_pool"
    _options: ClassVar = {
        "strides": None, "padding": "VALID", "count_padding": False,
        "data_format": "channels_last",
    }  # fmt: skip
    _parameters = _WINDOW.format(option=_COUNT)

    @naming("{}")
    def __init__(
        self,
        kernel_size: Sizes,
        *,
        strides: Sizes | None = None,
        padding: Padding = "VALID",
        count_padding: bool = False,
        data_format: Format = "channels_last",
    ) -> None:
        """Store the options."""
        self._keep(
            kernel_size, strides=strides, padding=padding, count_padding=count_padding,
            data_format=data_format,
        )  # fmt: skip


class MaxPool1D(_MaxPool):
    """The maximum of each window, over one spatial axis, by `max_pool1d`.

    References
    ----------
    PyTorch's ``torch.nn.MaxPool1d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.MaxPool1D(2)(unify.zeros((5, 8, 3))).shape
    (5, 4, 3)
    """

    _axes = 1


class MaxPool2D(_MaxPool):
    """The maximum of each window, over two spatial axes, by `max_pool2d`.

    References
    ----------
    PyTorch's ``torch.nn.MaxPool2d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.MaxPool2D(2)(unify.zeros((5, 8, 8, 3))).shape
    (5, 4, 4, 3)
    """

    _axes = 2


class MaxPool3D(_MaxPool):
    """The maximum of each window, over three spatial axes, by `max_pool3d`.

    References
    ----------
    PyTorch's ``torch.nn.MaxPool3d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.MaxPool3D(2)(unify.zeros((1, 8, 8, 8, 2))).shape
    (1, 4, 4, 4, 2)
    """

    _axes = 3


class AvgPool1D(_AvgPool):
    """The mean of each window, over one spatial axis, by `avg_pool1d`.

    References
    ----------
    PyTorch's ``torch.nn.AvgPool1d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.AvgPool1D(2)(unify.zeros((5, 8, 3))).shape
    (5, 4, 3)
    """

    _axes = 1


class AvgPool2D(_AvgPool):
    """The mean of each window, over two spatial axes, by `avg_pool2d`.

    References
    ----------
    PyTorch's ``torch.nn.AvgPool2d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.AvgPool2D(2)(unify.zeros((5, 8, 8, 3))).shape
    (5, 4, 4, 3)
    """

    _axes = 2


class AvgPool3D(_AvgPool):
    """The mean of each window, over three spatial axes, by `avg_pool3d`.

    References
    ----------
    PyTorch's ``torch.nn.AvgPool3d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.AvgPool3D(2)(unify.zeros((1, 8, 8, 8, 2))).shape
    (1, 4, 4, 4, 2)
    """

    _axes = 3


_DATA_FORMAT = """data_format
    Position of the channels: the last axis, or the one after the batch.

Raises
------"""
_OUTPUT_SIZE = f"""
Parameters
----------
output_size
    The sizes of the result's spatial axes: an integer, or one for each.
{_DATA_FORMAT}
UnifyTypeError
    If a size isn't an integer.
UnifyValueError
    If a size is below 1, or there is another number of them."""
_KEEPDIMS = f"""
Parameters
----------
keepdims
    If True, the spatial axes stay, with size 1.
{_DATA_FORMAT}
UnifyTypeError
    If `keepdims` isn't a bool.
UnifyValueError
    If the data format is another one."""


class _AdaptivePool(Pool):
    _sizes = "output_size"
    _options: ClassVar = {"data_format": "channels_last"}
    _parameters = _OUTPUT_SIZE

    @naming("{}")
    def __init__(self, output_size: Sizes, *, data_format: Format = "channels_last") -> None:
        """Store the options."""
        self._keep(output_size, data_format=data_format)


class _AdaptiveAvgPool(_AdaptivePool):
    _function = "adaptive_avg_pool"


class _AdaptiveMaxPool(_AdaptivePool):
    _function = "adaptive_max_pool"


class AdaptiveAvgPool1D(_AdaptiveAvgPool):
    """The mean of as many windows as the result has elements, by `adaptive_avg_pool1d`.

    References
    ----------
    PyTorch's ``torch.nn.AdaptiveAvgPool1d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.AdaptiveAvgPool1D(4)(unify.zeros((5, 8, 3))).shape
    (5, 4, 3)
    """

    _axes = 1


class AdaptiveAvgPool2D(_AdaptiveAvgPool):
    """The mean of as many windows as the result has elements, by `adaptive_avg_pool2d`.

    References
    ----------
    PyTorch's ``torch.nn.AdaptiveAvgPool2d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.AdaptiveAvgPool2D(4)(unify.zeros((5, 8, 8, 3))).shape
    (5, 4, 4, 3)
    """

    _axes = 2


class AdaptiveAvgPool3D(_AdaptiveAvgPool):
    """The mean of as many windows as the result has elements, by `adaptive_avg_pool3d`.

    References
    ----------
    PyTorch's ``torch.nn.AdaptiveAvgPool3d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.AdaptiveAvgPool3D(4)(unify.zeros((1, 8, 8, 8, 2))).shape
    (1, 4, 4, 4, 2)
    """

    _axes = 3


class AdaptiveMaxPool1D(_AdaptiveMaxPool):
    """The maximum of as many windows as the result has elements, by `adaptive_max_pool1d`.

    References
    ----------
    PyTorch's ``torch.nn.AdaptiveMaxPool1d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.AdaptiveMaxPool1D(4)(unify.zeros((5, 8, 3))).shape
    (5, 4, 3)
    """

    _axes = 1


class AdaptiveMaxPool2D(_AdaptiveMaxPool):
    """The maximum of as many windows as the result has elements, by `adaptive_max_pool2d`.

    References
    ----------
    PyTorch's ``torch.nn.AdaptiveMaxPool2d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.AdaptiveMaxPool2D(4)(unify.zeros((5, 8, 8, 3))).shape
    (5, 4, 4, 3)
    """

    _axes = 2


class AdaptiveMaxPool3D(_AdaptiveMaxPool):
    """The maximum of as many windows as the result has elements, by `adaptive_max_pool3d`.

    References
    ----------
    PyTorch's ``torch.nn.AdaptiveMaxPool3d``, with the data format of TensorFlow.

    Examples
    --------
    >>> unify.nn.AdaptiveMaxPool3D(4)(unify.zeros((1, 8, 8, 8, 2))).shape
    (1, 4, 4, 4, 2)
    """

    _axes = 3


class _GlobalPool(Module):
    """The common base: a reduction of all spatial axes."""

    _function: ClassVar[str]

    def __init_subclass__(cls, **options: Any) -> None:
        """Insert the common parameters into the documentation."""
        super().__init_subclass__(**options)
        insert_parameters(cls, _KEEPDIMS)

    @naming("{}")
    def __init__(self, *, keepdims: bool = False, data_format: Format = "channels_last") -> None:
        """Store the options."""
        check_flags(type(self).__name__, keepdims=keepdims)
        channels_axis_first(type(self).__name__, data_format)
        self.keepdims, self.data_format = keepdims, data_format

    @naming("{}")
    def _forward(self, x: Any) -> Array:
        x = self._as_array(x)
        first = 1 if self.data_format == "channels_last" else 2
        axes = tuple(range(first, first + x.ndim - 2))
        function = getattr(x.__array_namespace__(), self._function)
        return function(x, axis=axes, keepdims=self.keepdims)

    def _arguments(self) -> str:
        return format_arguments(
            keepdims=(self.keepdims, False), data_format=(self.data_format, "channels_last")
        )


class GlobalAvgPool(_GlobalPool):
    """The mean over all spatial axes, of which there may be any number.

    References
    ----------
    Keras' ``GlobalAveragePooling2D``.

    Examples
    --------
    >>> unify.nn.GlobalAvgPool()(unify.zeros((5, 8, 8, 3))).shape
    (5, 3)
    """

    _function = "mean"


class GlobalMaxPool(_GlobalPool):
    """The maximum over all spatial axes, of which there may be any number.

    References
    ----------
    Keras' ``GlobalMaxPooling2D``.

    Examples
    --------
    >>> unify.nn.GlobalMaxPool()(unify.zeros((5, 8, 8, 3))).shape
    (5, 3)
    """

    _function = "max"
