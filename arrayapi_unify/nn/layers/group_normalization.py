"""Normalizations of groups of channels, and of single ones, in each sample."""

from __future__ import annotations

from typing import Any

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional._common import check_number
from arrayapi_unify.nn.core.checks import check_integers
from arrayapi_unify.nn.core.formatting import format_arguments
from arrayapi_unify.nn.core.module import Module
from arrayapi_unify.nn.layers.normalization import declare
from arrayapi_unify.nn.training.initializers import check_sizes

__all__ = ["GroupNorm", "InstanceNorm"]


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
        made: Array = x.__array_namespace__().nn.group_norm(
            x, self.num_groups, scale=self._own_or_none("scale"),
            offset=self._own_or_none("offset"), eps=self.eps, axis=self.axis,
        )  # fmt: skip
        return made

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
        made: Array = x.__array_namespace__().nn.instance_norm(
            x, scale=self._own_or_none("scale"), offset=self._own_or_none("offset"), eps=self.eps,
            axis=self.axis,
        )  # fmt: skip
        return made

    def _arguments(self) -> str:
        affine = "scale" in self._state.variables
        return format_arguments(
            self.features, axis=(self.axis, -1), eps=(self.eps, 1e-5), affine=(affine, False)
        )
