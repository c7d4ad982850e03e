"""Recurrent layers over sequences: `RNN`, `GRU` and `LSTM`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.nn.core.formatting import format_arguments, insert_parameters
from arrayapi_unify.nn.core.module import Module
from arrayapi_unify.nn.functional._recurrent import check_activation
from arrayapi_unify.nn.training import initializers
from arrayapi_unify.nn.training.initializers import Initializer, check_sizes, keys

__all__ = ["GRU", "LSTM", "RNN", "Cells", "parameters"]

_PARAMETERS = """
Parameters
----------
input_size
    Size of the last axis of x.
hidden_size
    Size of the states.
{layers}bias
    If True, there are biases.
{option}w_init
    Initializer of the kernels.
recurrent_init
    Initializer of each gate's square part of the recurrent kernel.
key
    Key of `random.key`; by default from the hidden state.
dtype
    Data type of the variables.

Raises
------
UnifyTypeError
    If the key isn't one, or a size isn't an integer.
UnifyValueError
    If a size is below 1{error}."""
_LAYERS = """num_layers
    Number of layers; each gets the states of the previous one.
"""
_FORGET = """forget_bias
    Initial value of the forget gate's bias.
"""
_ACTIVATION = """activation
    Function of each step: ``"tanh"`` or ``"relu"``.
"""


def parameters(kind: str, layers: bool = False) -> str:
    """Return the common part of the documentation of the layers and of single steps of them."""
    return _PARAMETERS.format(
        layers=_LAYERS if layers else "",
        option={"RNN": _ACTIVATION, "GRU": "", "LSTM": _FORGET}[kind],
        error=", or the activation is another one" if kind == "RNN" else "",
    )


class Cells(Module):
    """The weights of one layer, in the form of its function."""

    def __init__(
        self, inputs: int, outputs: int, gates: int, biases: int, forget: float,
        w_init: Initializer, recurrent_init: Initializer, key: Array | None, dtype: Any,
    ) -> None:  # fmt: skip
        """Create the variables."""
        first, *others = keys(type(self).__name__, key, 1 + gates)
        self.v.kernel = w_init(first, (inputs, gates * outputs), dtype=dtype)
        xp = first.__array_namespace__()
        # Each gate has its own matrix, so that each of them is orthogonal.
        square = [recurrent_init(other, (outputs, outputs), dtype=dtype) for other in others]
        self.v.recurrent_kernel = xp.concat(square, axis=-1)
        if biases:
            zeros = [initializers.zeros(first, (outputs,), dtype=dtype) for _ in range(gates)]
            if forget:
                zeros[1] = zeros[1] + forget
            self.v.bias = xp.concat(zeros)
        if biases > 1:
            self.v.recurrent_bias = initializers.zeros(first, (gates * outputs,), dtype=dtype)

    def weights(self) -> tuple[Any, ...]:
        """Return kernels and biases; None for a missing bias."""
        own = (self._own("kernel"), self._own("recurrent_kernel"))
        return (*own, self._own_or_none("bias"), self._own_or_none("recurrent_bias"))


class _Recurrent(Module):
    """The common base of the recurrent layers, which differ in gates and function."""

    _gates: ClassVar[int]
    _biases: ClassVar[int]

    def __init_subclass__(cls, **options: Any) -> None:
        """Insert the common parameters into the documentation."""
        super().__init_subclass__(**options)
        if cls.__doc__ and "References" in cls.__doc__:
            insert_parameters(cls, parameters(cls.__name__, layers=True))

    @naming("{}")
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        *,
        num_layers: int = 1,
        bias: bool = True,
        forget_bias: float = 0.0,
        w_init: Initializer,
        recurrent_init: Initializer,
        key: Array | None,
        dtype: Any,
    ) -> None:
        """Create the variables."""
        name = type(self).__name__
        check_sizes(name, input_size=input_size, hidden_size=hidden_size, num_layers=num_layers)
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        biases = self._biases if bias else 0
        self.layers = [
            Cells(
                hidden_size if place else input_size, hidden_size, self._gates, biases,
                forget_bias, w_init, recurrent_init, own, dtype,
            )
            for place, own in enumerate(keys(name, key, num_layers))
        ]  # fmt: skip

    def _start(self, x: Array) -> Array:
        """Return zeros for the state of each sequence."""
        kernel = self.layers[0]._own("recurrent_kernel")
        xp = kernel.__array_namespace__()
        shape = (*x.shape[:-2], self.hidden_size)
        return xp.zeros(shape, dtype=kernel.dtype, device=x.device)

    def _arguments(self) -> str:
        return format_arguments(self.input_size, self.hidden_size, num_layers=(self.num_layers, 1))


class _OneState(_Recurrent):
    """The common base of the layers whose state is one array."""

    def _updated(self, xp: Any, x: Array, h: Array, weights: tuple[Any, ...]) -> Array:
        """Run one layer over a sequence; subclasses implement this."""
        raise NotImplementedError

    def _forward(self, x: Any, state: Any = None) -> tuple[Array, Array]:
        x = self._as_array(x)
        xp, hidden = x.__array_namespace__(), []
        zeros: Any = self._start(x) if state is None else None
        for place, layer in enumerate(self.layers):
            h = zeros if state is None else state[place, ...]
            x = self._updated(xp, x, h, layer.weights())
            # Without time steps the state doesn't change.
            hidden.append(x[..., -1, :] if x.shape[-2] else h)
        return x, xp.stack(hidden)


class LSTM(_Recurrent):
    """Layers of long short-term memory over sequences, by the function `lstm_update`.

    It is called with x of shape (..., time, input_size) and optionally, to continue a sequence,
    with the state of a previous call. It returns the hidden states of the last layer at all times,
    of shape (..., time, hidden_size), and the state ``(h, c)`` at the end: for each, one array of
    all layers, of shape (num_layers, ..., hidden_size).

    The variables of layer i are ``layers/i/kernel``, of shape (in, 4 * hidden_size),
    ``recurrent_kernel`` and ``bias``. The order of the gates is input, forget, cell, output.

    References
    ----------
    PyTorch's ``torch.nn.LSTM`` with ``batch_first=True``, whose two biases
    are one here. B24: recurrent layers (docs/behaviours.md).

    Examples
    --------
    >>> states, (h, c) = unify.nn.LSTM(3, 4)(unify.zeros((2, 5, 3)))
    >>> states.shape, h.shape, c.shape
    ((2, 5, 4), (1, 2, 4), (1, 2, 4))
    """

    _gates = 4
    _biases = 1

    @naming("{}")
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        *,
        num_layers: int = 1,
        bias: bool = True,
        forget_bias: float = 1.0,
        w_init: Initializer = initializers.glorot_uniform,
        recurrent_init: Initializer = initializers.orthogonal,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variables."""
        super().__init__(
            input_size, hidden_size, num_layers=num_layers, bias=bias, forget_bias=forget_bias,
            w_init=w_init, recurrent_init=recurrent_init, key=key, dtype=dtype,
        )  # fmt: skip

    def _forward(self, x: Any, state: Any = None) -> tuple[Array, tuple[Array, Array]]:
        x = self._as_array(x)
        xp, zeros = x.__array_namespace__(), None if state is not None else self._start(x)
        hidden, cells = [], []
        for place, layer in enumerate(self.layers):
            h, c = (zeros, zeros) if state is None else (part[place, ...] for part in state)
            x, c = xp.nn.lstm_update(x, h, c, *layer.weights())
            # Without time steps the state doesn't change.
            hidden.append(x[..., -1, :] if x.shape[-2] else h)
            cells.append(c)
        return x, (xp.stack(hidden), xp.stack(cells))


class GRU(_OneState):
    """Layers of gated recurrent units over sequences, by the function `gru_update`.

    It is called with x of shape (..., time, input_size) and optionally, to continue a sequence,
    with the state of a previous call. It returns the hidden states of the last layer at all times,
    of shape (..., time, hidden_size), and those of all layers at the end, of shape (num_layers,
    ..., hidden_size).

    The variables of layer i are ``layers/i/kernel``, of shape (in, 3 * hidden_size),
    ``recurrent_kernel``, ``bias`` and ``recurrent_bias``. The order of the gates is reset,
    update, new.

    References
    ----------
    PyTorch's ``torch.nn.GRU`` with ``batch_first=True``.

    Examples
    --------
    >>> states, h = unify.nn.GRU(3, 4)(unify.zeros((2, 5, 3)))
    >>> states.shape, h.shape
    ((2, 5, 4), (1, 2, 4))
    """

    _gates = 3
    _biases = 2

    @naming("{}")
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        *,
        num_layers: int = 1,
        bias: bool = True,
        w_init: Initializer = initializers.glorot_uniform,
        recurrent_init: Initializer = initializers.orthogonal,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variables."""
        super().__init__(
            input_size, hidden_size, num_layers=num_layers, bias=bias, w_init=w_init,
            recurrent_init=recurrent_init, key=key, dtype=dtype,
        )  # fmt: skip

    def _updated(self, xp: Any, x: Array, h: Array, weights: tuple[Any, ...]) -> Array:
        return xp.nn.gru_update(x, h, *weights)


class RNN(_OneState):
    """Plain recurrent layers over sequences, by the function `rnn_update`.

    It is called with x of shape (..., time, input_size) and optionally, to continue a sequence,
    with the state of a previous call. It returns the hidden states of the last layer at all times,
    of shape (..., time, hidden_size), and those of all layers at the end, of shape (num_layers,
    ..., hidden_size).

    The variables of layer i are ``layers/i/kernel``, of shape (in, hidden_size),
    ``recurrent_kernel`` and ``bias``.

    References
    ----------
    PyTorch's ``torch.nn.RNN`` with ``batch_first=True``, whose two biases are one here.

    Examples
    --------
    >>> states, h = unify.nn.RNN(3, 4)(unify.zeros((2, 5, 3)))
    >>> states.shape, h.shape
    ((2, 5, 4), (1, 2, 4))
    """

    _gates = 1
    _biases = 1

    @naming("{}")
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        *,
        num_layers: int = 1,
        bias: bool = True,
        activation: Literal["tanh", "relu"] = "tanh",
        w_init: Initializer = initializers.glorot_uniform,
        recurrent_init: Initializer = initializers.orthogonal,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variables."""
        check_activation("RNN", activation)
        self.activation = activation
        super().__init__(
            input_size, hidden_size, num_layers=num_layers, bias=bias, w_init=w_init,
            recurrent_init=recurrent_init, key=key, dtype=dtype,
        )  # fmt: skip

    def _updated(self, xp: Any, x: Array, h: Array, weights: tuple[Any, ...]) -> Array:
        return xp.nn.rnn_update(x, h, *weights, activation=self.activation)

    def _arguments(self) -> str:
        return format_arguments(
            self.input_size, self.hidden_size, num_layers=(self.num_layers, 1),
            activation=(self.activation, "tanh"),
        )  # fmt: skip
