"""`Linear`, `Embedding`, `Dropout`, and the layers without variables that join others."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.errors import (
    describe,
    raise_type_error,
    raise_value_error,
)
from arrayapi_unify.nn.core.formatting import check_integers, format_arguments
from arrayapi_unify.nn.core.module import Module
from arrayapi_unify.nn.training import initializers
from arrayapi_unify.nn.training.initializers import Initializer, check_sizes, keys

__all__ = ["Dropout", "Embedding", "Flatten", "Identity", "Linear", "Residual", "Sequential"]


class Linear(Module):
    """A linear layer, ``x @ w.T + b``, by the function `linear`.

    Its variables are `w` of shape (out_features, in_features) and `b` of shape (out_features,).

    Parameters
    ----------
    in_features
        Size of the last axis of the input.
    out_features
        Size of the last axis of the output.
    bias
        If True, the layer has `b`.
    w_init
        Initializer of `w`, called with the shape (in, out).
    b_init
        Initializer of `b`.
    key
        Key of `random.key`, on the backend and device of the variables; by default from the hidden
        state of `random.seed`.
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
    PyTorch's ``torch.nn.Linear``.

    Examples
    --------
    >>> layer = unify.nn.Linear(3, 2, key=unify.random.key(0))
    >>> layer(unify.zeros((5, 3))).shape, layer.v.w.shape
    ((5, 2), (2, 3))
    """

    @naming("{}")
    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        bias: bool = True,
        w_init: Initializer = initializers.glorot_uniform,
        b_init: Initializer = initializers.zeros,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variables."""
        check_sizes("Linear", in_features=in_features, out_features=out_features)
        self.in_features, self.out_features = in_features, out_features
        first, second = keys("Linear", key, 2)
        w = w_init(first, (in_features, out_features), dtype=dtype)
        xp = w.__array_namespace__()
        # Transposed in memory, as after loading from a file: rounding of products depends on the
        # order.
        rows = xp.reshape(xp.matrix_transpose(w), (-1,), copy=True)
        self.v.w = xp.reshape(rows, (out_features, in_features), copy=True)
        if bias:
            self.v.b = b_init(second, (out_features,), dtype=dtype)

    def _forward(self, x: Any) -> Array:
        w = self._own("w")
        return w.__array_namespace__().nn.linear(x, w, bias=self._own_or_none("b"))

    def _arguments(self) -> str:
        bias = "b" in self._state.variables
        return format_arguments(self.in_features, self.out_features, bias=(bias, True))


class Embedding(Module):
    """Rows of a table, selected by integers, by the function `embedding`.

    Its variable is `w` of shape (num_embeddings, features).

    Parameters
    ----------
    num_embeddings
        Number of rows.
    features
        Size of a row.
    w_init
        Initializer of `w`.
    key
        Key of `random.key`; by default from the hidden state.
    dtype
        Data type of the variable.

    Raises
    ------
    UnifyTypeError
        If the key isn't one, or a size isn't an integer.
    UnifyValueError
        If a size is below 1.

    References
    ----------
    PyTorch's ``torch.nn.Embedding``.

    Examples
    --------
    >>> layer = unify.nn.Embedding(10, 4, key=unify.random.key(0))
    >>> layer(unify.asarray([[1, 2, 3]])).shape
    (1, 3, 4)
    """

    @naming("{}")
    def __init__(
        self,
        num_embeddings: int,
        features: int,
        *,
        w_init: Initializer = initializers.normal,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variable."""
        check_sizes("Embedding", num_embeddings=num_embeddings, features=features)
        self.num_embeddings, self.features = num_embeddings, features
        (first,) = keys("Embedding", key, 1)
        self.v.w = w_init(first, (num_embeddings, features), dtype=dtype)

    def _forward(self, indices: Any) -> Array:
        w = self._own("w")
        return w.__array_namespace__().nn.embedding(w, indices)

    def _arguments(self) -> str:
        return format_arguments(self.num_embeddings, self.features)


class Dropout(Module):
    """Zeros at random positions in training, by the function `dropout`.

    Its buffer is `key`, which each call in training renews. The numbers are therefore the same on
    every backend, and a compiled function gets new ones by `stateless_call`.

    Parameters
    ----------
    rate
        Probability that an element becomes zero.
    key
        Key of `random.key`; by default from the hidden state.

    Raises
    ------
    UnifyTypeError
        If the key isn't one, or the rate isn't a number.
    UnifyValueError
        If the rate isn't between 0 and 1.

    References
    ----------
    Srivastava et al., "Dropout: A Simple Way to Prevent Neural Networks from Overfitting", 2014.

    Examples
    --------
    >>> layer = unify.nn.Dropout(0.5, key=unify.random.key(1))
    >>> sorted(set(layer(unify.ones(100)).tolist())), layer.eval()(unify.ones(2))
    ([0.0, 2.0], unify.array([1., 1.]))
    """

    @naming("{}")
    def __init__(self, rate: float = 0.5, *, key: Array | None = None) -> None:
        """Store the key."""
        if isinstance(rate, bool) or not isinstance(rate, int | float):
            raise_type_error("Dropout", "rate", f"is {describe(rate)}", "pass a number")
        if not 0 <= rate <= 1:
            raise_value_error("Dropout", "rate", f"is {rate}", "pass a number from 0 to 1")
        self.rate = rate
        self.buffers.key = keys("Dropout", key, 1)[0]

    def _forward(self, x: Any) -> Any:
        if not self.training or self.rate == 0:
            return x
        variable = self._state.buffers["key"]
        key = variable.read()
        xp = key.__array_namespace__()
        pair = xp.random.split(key)
        variable.write(pair[1, :])
        return xp.nn.dropout(x, pair[0, :], self.rate)

    def _arguments(self) -> str:
        return format_arguments(self.rate)


class Sequential(Module):
    """Layers, each called with the result of the previous one.

    The names of the variables begin with the layer's index: ``net.v["0/w"]``. Functions of one
    argument are layers as well.

    Parameters
    ----------
    *layers
        The layers.

    Raises
    ------
    UnifyTypeError
        If a layer can't be called.

    References
    ----------
    PyTorch's ``torch.nn.Sequential``.

    Examples
    --------
    >>> net = unify.nn.Sequential(unify.nn.Linear(3, 4), unify.nn.relu, unify.nn.Linear(4, 1))
    >>> net(unify.zeros((2, 3))).shape, list(net.v.key_chains())
    ((2, 1), ['0/w', '0/b', '2/w', '2/b'])
    """

    @naming("{}")
    def __init__(self, *layers: Callable[[Any], Any]) -> None:
        """Store the layers."""
        for place, layer in enumerate(layers):
            if not callable(layer):
                raise_type_error(
                    "Sequential", f"layers[{place}]", f"is {describe(layer)}",
                    "pass a Module or a function"
                    if not isinstance(layer, list | tuple)
                    else "pass the layers one by one: Sequential(*layers)",
                )  # fmt: skip
            self._append(str(place), layer)

    def _append(self, name: str, layer: Callable[[Any], Any]) -> None:
        """Add a layer as an attribute, whose name needn't be an identifier."""
        if hasattr(type(self), name):
            self._raise_attribute_error(name)
        setattr(self, name, layer)

    def _named_layers(self) -> list[tuple[str, Callable[[Any], Any]]]:
        return [(name, value) for name, value in vars(self).items() if callable(value)]

    def _parts(self) -> Iterable[tuple[str, Any]]:
        """Return the layers, functions included."""
        return self._named_layers()

    @property
    def layers(self) -> list[Callable[[Any], Any]]:
        """The layers in their order."""
        return [layer for _, layer in self._named_layers()]

    def _forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x

    def __len__(self) -> int:
        """Count the layers."""
        return len(self.layers)

    def __getitem__(self, place: int, /) -> Callable[[Any], Any]:
        """Return a layer."""
        return self.layers[place]


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
        return x.__array_namespace__().reshape(x, shape)

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
