"""`LayerNorm` and `BatchNorm`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arrayapi_unify._failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.module import initializers
from arrayapi_unify.module._formatting import format_arguments
from arrayapi_unify.module._module import Module
from arrayapi_unify.module.initializers import check_sizes, keys

__all__ = ["BatchNorm", "LayerNorm"]


class LayerNorm(Module):
    """Mean zero and variance one over the last axes, by the function `layer_norm`.

    Its variables are `scale` and `offset`, of the normalized shape.

    Parameters
    ----------
    normalized_shape
        Sizes of the last axes: an integer or several.
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
        If a size is below 1, or x has another shape.

    References
    ----------
    Ba, Kiros and Hinton, "Layer Normalization", arXiv:1607.06450.

    Examples
    --------
    >>> unify.LayerNorm(2, eps=0.0)(unify.asarray([[1.0, 3.0]]))
    unify.array([[-1.,  1.]])
    """

    @naming("{}")
    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        *,
        eps: float = 1e-5,
        affine: bool = True,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variables."""
        single = isinstance(normalized_shape, int)
        shape = (normalized_shape,) if single else tuple(normalized_shape)  # type: ignore[arg-type]  # not an int here
        for size in shape:
            check_sizes("LayerNorm", normalized_shape=size)
        self.normalized_shape: tuple[int, ...] = shape  # type: ignore[assignment]  # checked above
        self.eps = eps
        if affine:
            (first,) = keys("LayerNorm", key, 1)
            self.v.scale = initializers.ones(first, self.normalized_shape, dtype=dtype)
            self.v.offset = initializers.zeros(first, self.normalized_shape, dtype=dtype)

    def _forward(self, x: Any) -> Array:
        x = self._as_array(x)
        shape = self.normalized_shape
        if x.shape[x.ndim - len(shape) :] != shape:
            raise_value_error(
                "LayerNorm", "x", f"has shape {x.shape}",
                f"pass one of shape (..., {', '.join(map(str, shape))})",
            )  # fmt: skip
        scale, offset = self._own_or_none("scale"), self._own_or_none("offset")
        axes = tuple(range(-len(shape), 0))
        made: Array = x.__array_namespace__().layer_norm(
            x, axes, scale=scale, offset=offset, eps=self.eps
        )
        return made

    def _arguments(self) -> str:
        return format_arguments(self.normalized_shape, eps=(self.eps, 1e-5))


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
    >>> layer = unify.BatchNorm(1, momentum=0.5, eps=0.0)
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
        self.features, self.axis, self.momentum, self.eps = features, axis, momentum, eps
        (first,) = keys("BatchNorm", key, 1)
        if affine:
            self.v.scale = initializers.ones(first, (features,), dtype=dtype)
            self.v.offset = initializers.zeros(first, (features,), dtype=dtype)
        self.buffers.running_mean = initializers.zeros(first, (features,), dtype=dtype)
        self.buffers.running_var = initializers.ones(first, (features,), dtype=dtype)

    def _forward(self, x: Any) -> Array:
        variables = [self._state.buffers[name] for name in ("running_mean", "running_var")]
        mean, variance = (variable.read() for variable in variables)
        xp = mean.__array_namespace__()
        found = xp.batch_norm(
            x, mean, variance, scale=self._own_or_none("scale"),
            offset=self._own_or_none("offset"), training=self.training, momentum=self.momentum,
            eps=self.eps, axis=self.axis,
        )  # fmt: skip
        if self.training:
            for variable, new in zip(variables, (found.mean, found.variance), strict=True):
                variable.write(xp.astype(xp.stop_gradient(new), mean.dtype, copy=False))
        made: Array = found.output
        return made

    def _arguments(self) -> str:
        return format_arguments(
            self.features, axis=(self.axis, -1), momentum=(self.momentum, 0.1), eps=(self.eps, 1e-5)
        )
