"""`Flatten`, `Identity` and `Residual`: layers around others, without variables of their own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.errors import describe, raise_type_error, raise_value_error
from arrayapi_unify.nn.core.checks import check_integers
from arrayapi_unify.nn.core.formatting import format_arguments
from arrayapi_unify.nn.core.module import Module

__all__ = ["Flatten", "Identity", "Residual"]


class Flatten(Module):
    """Several axes as one, in C order: all but the first, by default.

    Parameters
    ----------
    start_axis
        The first of the axes.
    end_axis
        The last of them.

    Raises
    ------
    UnifyTypeError
        If an axis isn't an integer.
    UnifyValueError
        If x doesn't have these axes in this order.

    References
    ----------
    PyTorch's ``torch.nn.Flatten``.

    Examples
    --------
    >>> unify.nn.Flatten()(unify.zeros((5, 2, 3, 4))).shape
    (5, 24)
    """

    @naming("{}")
    def __init__(self, start_axis: int = 1, end_axis: int = -1) -> None:
        """Store the axes."""
        check_integers("Flatten", start_axis=start_axis, end_axis=end_axis)
        self.start_axis, self.end_axis = start_axis, end_axis

    @naming("{}")
    def _forward(self, x: Any) -> Array:
        x = self._as_array(x)
        first, last = (
            axis + x.ndim if axis < 0 else axis for axis in (self.start_axis, self.end_axis)
        )
        if not 0 <= first <= last < x.ndim:
            raise_value_error(
                "Flatten", "x", f"has shape {x.shape}, without axes from {self.start_axis} to "
                f"{self.end_axis}", "pass an array that has them",
            )  # fmt: skip
        size = math.prod(x.shape[first : last + 1])
        shape = (*x.shape[:first], size, *x.shape[last + 1 :])
        made: Array = x.__array_namespace__().reshape(x, shape)
        return made

    def _arguments(self) -> str:
        return format_arguments(start_axis=(self.start_axis, 1), end_axis=(self.end_axis, -1))


class Identity(Module):
    """A layer that returns its argument.

    References
    ----------
    PyTorch's ``torch.nn.Identity``.

    Examples
    --------
    >>> unify.nn.Identity()(unify.ones(2))
    unify.array([1., 1.])
    """

    def _forward(self, x: Any) -> Any:
        return x


class Residual(Module):
    """The sum of a layer's result and its argument: ``shortcut(x) + layer(x)``.

    Parameters
    ----------
    layer
        A Module, or a function of one argument.
    shortcut
        A Module or function for the argument, such as one that changes its shape; none by default.

    Raises
    ------
    UnifyTypeError
        If a layer can't be called.

    References
    ----------
    He et al., "Deep Residual Learning for Image Recognition", arXiv:1512.03385.

    Examples
    --------
    >>> unify.nn.Residual(unify.square)(unify.asarray([2.0, 3.0]))
    unify.array([ 6., 12.])
    """

    @naming("{}")
    def __init__(
        self, layer: Callable[[Any], Any], shortcut: Callable[[Any], Any] | None = None
    ) -> None:
        """Store the layers."""
        for name, one in (("layer", layer), ("shortcut", shortcut)):
            if one is not None and not callable(one):
                raise_type_error(
                    "Residual", name, f"is {describe(one)}", "pass a Module or a function"
                )
        self.layer, self.shortcut = layer, shortcut

    def _forward(self, x: Any) -> Any:
        return (x if self.shortcut is None else self.shortcut(x)) + self.layer(x)
