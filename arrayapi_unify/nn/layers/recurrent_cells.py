"""Single steps of recurrent layers: `RNNCell`, `GRUCell` and `LSTMCell`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.nn.core.formatting import format_arguments, insert_parameters
from arrayapi_unify.nn.functional._recurrent import check_activation
from arrayapi_unify.nn.layers.recurrent import Cells, parameters
from arrayapi_unify.nn.training import initializers
from arrayapi_unify.nn.training.initializers import Initializer, check_sizes

__all__ = ["GRUCell", "LSTMCell", "RNNCell"]


class _Cell(Cells):
    """The common base: the weights of one layer, and the sizes."""

    _gates: ClassVar[int]
    _biases: ClassVar[int]

    def __init_subclass__(cls, **options: Any) -> None:
        """Insert the common parameters into the documentation."""
        super().__init_subclass__(**options)
        insert_parameters(cls, parameters(cls.__name__.removesuffix("Cell")))

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, w_init: Initializer,
        recurrent_init: Initializer, key: Array | None, dtype: Any, forget_bias: float = 0.0,
    ) -> None:  # fmt: skip
        """Check the sizes, and create the variables."""
        check_sizes(type(self).__name__, input_size=input_size, hidden_size=hidden_size)
        self.input_size, self.hidden_size = input_size, hidden_size
        super().__init__(
            input_size, hidden_size, self._gates, self._biases if bias else 0, forget_bias,
            w_init, recurrent_init, key, dtype,
        )  # fmt: skip

    def _start(self, x: Array) -> Array:
        """Return zeros for the state of each element of a batch."""
        kernel = self._own("recurrent_kernel")
        xp, shape = kernel.__array_namespace__(), (*x.shape[:-1], self.hidden_size)
        return xp.zeros(shape, dtype=kernel.dtype, device=x.device)

    def _arguments(self) -> str:
        return format_arguments(self.input_size, self.hidden_size)


class RNNCell(_Cell):
    """One step of a plain recurrent layer, by the function `rnn_cell`.

    It is called with x of shape (..., input_size) and optionally the state, of shape (...,
    hidden_size); without one it starts from zeros. It returns the next state. Its variables are
    `kernel`, `recurrent_kernel` and `bias`, as those of a layer of `RNN`.

    References
    ----------
    PyTorch's ``torch.nn.RNNCell``, whose two biases are one here.

    Examples
    --------
    >>> cell = unify.nn.RNNCell(3, 4)
    >>> h = cell(unify.zeros((2, 3)))
    >>> cell(unify.zeros((2, 3)), h).shape
    (2, 4)
    """

    _gates = 1
    _biases = 1

    @naming("{}")
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        *,
        bias: bool = True,
        activation: Literal["tanh", "relu"] = "tanh",
        w_init: Initializer = initializers.glorot_uniform,
        recurrent_init: Initializer = initializers.orthogonal,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variables."""
        check_activation("RNNCell", activation)
        self.activation = activation
        super().__init__(input_size, hidden_size, bias, w_init, recurrent_init, key, dtype)

    def _forward(self, x: Any, state: Any = None) -> Array:
        x = self._as_array(x)
        h = self._start(x) if state is None else state
        return x.__array_namespace__().nn.rnn_cell(
            x, h, *self.weights(), activation=self.activation
        )

    def _arguments(self) -> str:
        return format_arguments(
            self.input_size, self.hidden_size, activation=(self.activation, "tanh")
        )


class GRUCell(_Cell):
    """One step of a layer of gated recurrent units, by the function `gru_cell`.

    It is called with x of shape (..., input_size) and optionally the state, of shape (...,
    hidden_size); without one it starts from zeros. It returns the next state. Its variables are
    `kernel`, `recurrent_kernel`, `bias` and `recurrent_bias`, as those of a layer of `GRU`.

    References
    ----------
    PyTorch's ``torch.nn.GRUCell``.

    Examples
    --------
    >>> unify.nn.GRUCell(3, 4)(unify.zeros((2, 3))).shape
    (2, 4)
    """

    _gates = 3
    _biases = 2

    @naming("{}")
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        *,
        bias: bool = True,
        w_init: Initializer = initializers.glorot_uniform,
        recurrent_init: Initializer = initializers.orthogonal,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variables."""
        super().__init__(input_size, hidden_size, bias, w_init, recurrent_init, key, dtype)

    def _forward(self, x: Any, state: Any = None) -> Array:
        x = self._as_array(x)
        h = self._start(x) if state is None else state
        return x.__array_namespace__().nn.gru_cell(x, h, *self.weights())


class LSTMCell(_Cell):
    """One step of a layer of long short-term memory, by the function `lstm_cell`.

    It is called with x of shape (..., input_size) and optionally the state ``(h, c)``, two arrays
    of shape (..., hidden_size); without one it starts from zeros. It returns the next state. Its
    variables are `kernel`, `recurrent_kernel` and `bias`, as those of a layer of `LSTM`.

    References
    ----------
    PyTorch's ``torch.nn.LSTMCell``, whose two biases are one here.

    Examples
    --------
    >>> h, c = unify.nn.LSTMCell(3, 4)(unify.zeros((2, 3)))
    >>> h.shape, c.shape
    ((2, 4), (2, 4))
    """

    _gates = 4
    _biases = 1

    @naming("{}")
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        *,
        bias: bool = True,
        forget_bias: float = 1.0,
        w_init: Initializer = initializers.glorot_uniform,
        recurrent_init: Initializer = initializers.orthogonal,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the variables."""
        super().__init__(
            input_size, hidden_size, bias, w_init, recurrent_init, key, dtype, forget_bias
        )

    def _forward(self, x: Any, state: Any = None) -> tuple[Array, Array]:
        x = self._as_array(x)
        h, c = (self._start(x),) * 2 if state is None else state
        return x.__array_namespace__().nn.lstm_cell(x, h, c, *self.weights())
