"""Normalizations of the last axes, of a batch, and of groups of channels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional._common import check_number
from arrayapi_unify.nn.core.formatting import check_integers, format_arguments
from arrayapi_unify.nn.core.module import Module
from arrayapi_unify.nn.training import initializers
from arrayapi_unify.nn.training.initializers import check_sizes, keys, size_tuple

__all__ = ["BatchNorm", "GroupNorm", "InstanceNorm", "LayerNorm", "RMSNorm", "declare"]


def declare(layer: Module, shape: tuple[int, ...], key: Any, dtype: Any, *names: str) -> None:
    """Create a variable of each name: a `scale` of ones, an `offset` of zeros."""
    (first,) = keys(type(layer).__name__, key, 1)
    for name in names:
        value = 1.0 if name == "scale" else 0.0
        made = initializers.constant(first, shape, value=value, dtype=dtype)
        layer._declare_variable(name, made)


class _LastAxes(Module):
    """The common base of the normalizations of the last axes."""

    eps: float | None

    def _keep(self, normalized_shape: int | Sequence[int], eps: float | None) -> None:
        """Check and store the options."""
        name = type(self).__name__
        self.normalized_shape = size_tuple(name, "normalized_shape", normalized_shape)
        if eps is not None:
            check_number(name, "eps", eps)
        self.eps = eps

    def _checked(self, x: Any) -> tuple[Array, tuple[int, ...]]:
        """Return x as an Array, and the axes to normalize."""
        x = self._as_array(x)
        shape = self.normalized_shape
        if x.shape[x.ndim - len(shape) :] != shape:
            raise_value_error(
                type(self).__name__, "x", f"has shape {x.shape}",
                f"pass one of shape (..., {', '.join(map(str, shape))})",
            )  # fmt: skip
        return x, tuple(range(-len(shape), 0))

    def _arguments(self) -> str:
        return format_arguments(self.normalized_shape, eps=(self.eps, 1e-5))


class LayerNorm(_LastAxes):
    """Mean zero and variance one over the last axes, by the function `layer_norm`.

    Its variables are `scale` and `offset`, of the normalized shape.

    Parameters
    ----------
    normalized_shape
        Sizes of the last axes: an integer or several.
    eps
        Number added to the variance, to prevent a division by zero.
    affine
        If True, the layer has `scale` and, by default, `offset`.
    bias
        If False, the layer has no `offset`.
    key
        Key of `random.key`; only its backend and device are used.
    dtype
        Data type of the variables.

    Raises
    ------
    UnifyTypeError
        If the key isn't one, or a size isn't an integer.
    UnifyValueError
        If a size is below 1, or x has another shape.

    References
    ----------
    Ba, Kiros and Hinton, "Layer Normalization", arXiv:1607.06450.

    Examples
    --------
    >>> unify.nn.LayerNorm(2, eps=0.0)(unify.asarray([[1.0, 3.0]]))
    unify.array([[-1.,  1.]])
    """

    @naming("{}")
    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        *,
        eps: float = 1e-5,
        affine: bool = True,
        bias: bool = True,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variables."""
        self._keep(normalized_shape, eps)
        if affine:
            names = ("scale", "offset") if bias else ("scale",)
            declare(self, self.normalized_shape, key, dtype, *names)

    @naming("{}")
    def _forward(self, x: Any) -> Array:
        x, axes = self._checked(x)
        return x.__array_namespace__().nn.layer_norm(
            x, axes, scale=self._own_or_none("scale"), offset=self._own_or_none("offset"),
            eps=self.eps,
        )  # fmt: skip


class RMSNorm(_LastAxes):
    """A mean square of one over the last axes, by the function `rms_norm`.

    Its variable is `scale`, of the normalized shape.

    Parameters
    ----------
    normalized_shape
        Sizes of the last axes: an integer or several.
    eps
        Number added to the mean square, to prevent a division by zero; None adds `finfo(dtype).eps`
        of x's data type.
    affine
        If True, the layer has `scale`.
    key
        Key of `random.key`; only its backend and device are used.
    dtype
        Data type of the variable.

    Raises
    ------
    UnifyTypeError
        If the key isn't one, or a size isn't an integer.
    UnifyValueError
        If a size is below 1, or x has another shape.

    References
    ----------
    Zhang and Sennrich, "Root Mean Square Layer Normalization", arXiv:1910.07467; PyTorch's
    ``torch.nn.RMSNorm``, whose default is ``eps=None``.

    Examples
    --------
    >>> unify.nn.RMSNorm(2, eps=0.0)(unify.asarray([[1.0, 7.0]]))
    unify.array([[0.2, 1.4]])
    """

    @naming("{}")
    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        *,
        eps: float | None = 1e-5,
        affine: bool = True,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variable."""
        self._keep(normalized_shape, eps)
        if affine:
            declare(self, self.normalized_shape, key, dtype, "scale")

    @naming("{}")
    def _forward(self, x: Any) -> Array:
        x, axes = self._checked(x)
        xp, eps = x.__array_namespace__(), self.eps
        if eps is None:
            dtype = x.dtype if x.dtype.kind == "f" else xp.default_float_dtype()
            eps = float(xp.finfo(dtype).eps)
        return xp.nn.rms_norm(x, axes, scale=self._own_or_none("scale"), eps=eps)


class BatchNorm(Module):
    """Mean zero and variance one of each channel over a batch, by the function `batch_norm`.

    In training it uses the mean and variance of the batch, and updates the running ones; otherwise
    it uses the running ones. Its variables are `scale` and `offset`, its buffers `running_mean` and
    `running_var`.

    Parameters
    ----------
    features
        Number of channels.
    axis
        Axis of the channels.
    momentum
        Weight of a batch in the new running mean and variance.
    eps
        Number added to the variance, to prevent a division by zero.
    affine
        If True, the layer has `scale` and `offset`.
    key
        Key of `random.key`; only its backend and device are used.
    dtype
        Data type of the variables.

    Raises
    ------
    UnifyTypeError
        If the key isn't one, or a size isn't an integer.
    UnifyValueError
        If a size is below 1.

    References
    ----------
    Ioffe and Szegedy, "Batch Normalization", arXiv:1502.03167. The momentum is PyTorch's.

    Examples
    --------
    >>> layer = unify.nn.BatchNorm(1, momentum=0.5, eps=0.0)
    >>> layer(unify.asarray([[1.0], [3.0]])), layer.buffers.running_mean
    (unify.array([[-1.],
                 [ 1.]]), unify.array([1.]))
    """

    @naming("{}")
    def __init__(
        self,
        features: int,
        *,
        axis: int = -1,
        momentum: float = 0.1,
        eps: float = 1e-5,
        affine: bool = True,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create variables and buffers."""
        check_sizes("BatchNorm", features=features)
        check_integers("BatchNorm", axis=axis)
        check_number("BatchNorm", "momentum", momentum)
        check_number("BatchNorm", "eps", eps)
        self.features, self.axis, self.momentum, self.eps = features, axis, momentum, eps
        (first,) = keys("BatchNorm", key, 1)
        if affine:
            self.v.scale = initializers.ones(first, (features,), dtype=dtype)
            self.v.offset = initializers.zeros(first, (features,), dtype=dtype)
        self.buffers.running_mean = initializers.zeros(first, (features,), dtype=dtype)
        self.buffers.running_var = initializers.ones(first, (features,), dtype=dtype)

    @naming("{}")
    def _forward(self, x: Any) -> Array:
        variables = [self._state.buffers[name] for name in ("running_mean", "running_var")]
        mean, variance = (variable.read() for variable in variables)
        xp = mean.__array_namespace__()
        found = xp.nn.batch_norm(
            x, mean, variance, scale=self._own_or_none("scale"),
            offset=self._own_or_none("offset"), training=self.training, momentum=self.momentum,
            eps=self.eps, axis=self.axis,
        )  # fmt: skip
        if self.training:
            for variable, new in zip(variables, (found.mean, found.variance), strict=True):
                variable.write(xp.astype(xp.stop_gradient(new), mean.dtype, copy=False))
        return found.output

    def _arguments(self) -> str:
        return format_arguments(
            self.features, axis=(self.axis, -1), momentum=(self.momentum, 0.1), eps=(self.eps, 1e-5)
        )


class GroupNorm(Module):
    """Mean zero and variance one of each group of channels of each sample, by `group_norm`.

    Its variables are `scale` and `offset`, one number for each channel.

    Parameters
    ----------
    num_groups
        Number of groups, which divides the channels.
    features
        Number of channels.
    axis
        Axis of the channels.
    eps
        Number added to the variance, to prevent a division by zero.
    affine
        If True, the layer has `scale` and `offset`.
    key
        Key of `random.key`; only its backend and device are used.
    dtype
        Data type of the variables.

    Raises
    ------
    UnifyTypeError
        If the key isn't one, or a size isn't an integer.
    UnifyValueError
        If a size is below 1, or the groups don't divide the channels.

    References
    ----------
    Wu and He, "Group Normalization", arXiv:1803.08494; PyTorch's ``torch.nn.GroupNorm``.

    Examples
    --------
    >>> unify.nn.GroupNorm(2, 4)(unify.ones((5, 8, 8, 4))).shape
    (5, 8, 8, 4)
    """

    @naming("{}")
    def __init__(
        self,
        num_groups: int,
        features: int,
        *,
        axis: int = -1,
        eps: float = 1e-5,
        affine: bool = True,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variables."""
        check_sizes("GroupNorm", num_groups=num_groups, features=features)
        check_integers("GroupNorm", axis=axis)
        check_number("GroupNorm", "eps", eps)
        if features % num_groups:
            raise_value_error(
                "GroupNorm", "num_groups", f"is {num_groups}, the channels are {features}",
                "pass a number that divides them",
            )  # fmt: skip
        self.num_groups, self.features, self.axis, self.eps = num_groups, features, axis, eps
        if affine:
            declare(self, (features,), key, dtype, "scale", "offset")

    @naming("{}")
    def _forward(self, x: Any) -> Array:
        x = self._as_array(x)
        return x.__array_namespace__().nn.group_norm(
            x, self.num_groups, scale=self._own_or_none("scale"),
            offset=self._own_or_none("offset"), eps=self.eps, axis=self.axis,
        )  # fmt: skip

    def _arguments(self) -> str:
        return format_arguments(
            self.num_groups, self.features, axis=(self.axis, -1), eps=(self.eps, 1e-5)
        )


class InstanceNorm(Module):
    """Mean zero and variance one of each channel of each sample, by `instance_norm`.

    Its variables are `scale` and `offset`, one number for each channel, if it is affine.

    Parameters
    ----------
    features
        Number of channels.
    axis
        Axis of the channels.
    eps
        Number added to the variance, to prevent a division by zero.
    affine
        If True, the layer has `scale` and `offset`.
    key
        Key of `random.key`; only its backend and device are used.
    dtype
        Data type of the variables.

    Raises
    ------
    UnifyTypeError
        If the key isn't one, or a size isn't an integer.
    UnifyValueError
        If a size is below 1.

    References
    ----------
    Ulyanov, Vedaldi and Lempitsky, "Instance Normalization", arXiv:1607.08022; PyTorch's
    ``torch.nn.InstanceNorm2d``, without running statistics.

    Examples
    --------
    >>> unify.nn.InstanceNorm(3)(unify.ones((5, 8, 8, 3))).shape
    (5, 8, 8, 3)
    """

    @naming("{}")
    def __init__(
        self,
        features: int,
        *,
        axis: int = -1,
        eps: float = 1e-5,
        affine: bool = False,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variables."""
        check_sizes("InstanceNorm", features=features)
        check_integers("InstanceNorm", axis=axis)
        check_number("InstanceNorm", "eps", eps)
        self.features, self.axis, self.eps = features, axis, eps
        if affine:
            declare(self, (features,), key, dtype, "scale", "offset")

    @naming("{}")
    def _forward(self, x: Any) -> Array:
        x = self._as_array(x)
        return x.__array_namespace__().nn.instance_norm(
            x, scale=self._own_or_none("scale"), offset=self._own_or_none("offset"), eps=self.eps,
            axis=self.axis,
        )  # fmt: skip

    def _arguments(self) -> str:
        affine = "scale" in self._state.variables
        return format_arguments(
            self.features, axis=(self.axis, -1), eps=(self.eps, 1e-5), affine=(affine, False)
        )
