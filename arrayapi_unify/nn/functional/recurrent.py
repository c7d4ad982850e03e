"""Recurrent layers, and single steps of them."""

from __future__ import annotations

from typing import Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional
from arrayapi_unify.contracts.annotations import ArrayIn, OptionalArray, Out
from arrayapi_unify.nn.functional._recurrent import (
    check_activation,
    gates,
    gru_step,
    lstm_step,
    over_time,
    projected,
    rnn_step,
    same_dtype,
)


@compositional
def lstm_update(
    x: ArrayIn,
    init_h: ArrayIn,
    init_c: ArrayIn,
    kernel: ArrayIn,
    recurrent_kernel: ArrayIn,
    bias: OptionalArray = None,
    recurrent_bias: OptionalArray = None,
) -> tuple[Array, Array]:
    """Run a layer of long short-term memory over a sequence.

    The order of the gates is input, forget, cell, output, as in `torch.nn.LSTM`. The kernels are
    the transposes of that layer's weights.

    Parameters
    ----------
    x
        Array of shape ``(..., time, in)``.
    init_h
        Hidden state at the start, of shape ``(..., out)``.
    init_c
        Cell state at the start, of shape ``(..., out)``.
    kernel
        Weights of the inputs, of shape ``(in, 4 * out)``.
    recurrent_kernel
        Weights of the hidden state, of shape ``(out, 4 * out)``.
    bias
        Array of shape ``(4 * out,)``; none by default.
    recurrent_bias
        Array of shape ``(4 * out,)``, which is added to `bias`; none by default.

    Returns
    -------
    The hidden states at all times, of shape ``(..., time, out)``, and the cell state at the end, of
    shape ``(..., out)``. Both have the floating-point data type to which all arguments promote.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't fit.

    References
    ----------
    B24: recurrent layers (docs/behaviours.md).

    Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997. The gates are PyTorch's.

    Examples
    --------
    >>> x, start = unify.ones((1, 2, 1)), unify.zeros((1, 1))
    >>> h, c = unify.nn.lstm_update(x, start, start, unify.zeros((1, 4)), unify.zeros((1, 4)))
    >>> h.shape, c
    ((1, 2, 1), unify.array([[0.]]))
    """
    x, h, c, kernel, recurrent_kernel, bias, recurrent_bias = same_dtype(
        "nn.lstm_update", x=x, init_h=init_h, init_c=init_c, kernel=kernel,
        recurrent_kernel=recurrent_kernel, bias=bias, recurrent_bias=recurrent_bias,
    )  # fmt: skip
    gates("nn.lstm_update", recurrent_kernel, 4)
    inputs = projected("nn.lstm_update", x, kernel, bias)
    if recurrent_bias is not None:
        inputs = inputs + recurrent_bias
    states, (_, c) = over_time(
        lambda state, new: lstm_step(new, state[0], state[1], recurrent_kernel), (h, c), inputs, x
    )
    return states, c


@compositional
def gru_update(
    x: ArrayIn,
    init_h: ArrayIn,
    kernel: ArrayIn,
    recurrent_kernel: ArrayIn,
    bias: OptionalArray = None,
    recurrent_bias: OptionalArray = None,
    *,
    out: Out = None,
) -> Array:
    """Run a layer of gated recurrent units over a sequence.

    The order of the gates is reset, update, new, as in `torch.nn.GRU`. The kernels are the
    transposes of that layer's weights. The reset gate is applied after the weights and the bias of
    the hidden state, so the two biases don't simply add up: the new gate is
    ``tanh(x @ kernel + bias + reset * (h @ recurrent_kernel + recurrent_bias))``.

    Parameters
    ----------
    x
        Array of shape ``(..., time, in)``.
    init_h
        Hidden state at the start, of shape ``(..., out)``.
    kernel
        Weights of the inputs, of shape ``(in, 3 * out)``.
    recurrent_kernel
        Weights of the hidden state, of shape ``(out, 3 * out)``.
    bias
        Array of shape ``(3 * out,)``, added to what comes from the inputs; none by default.
    recurrent_bias
        Array of shape ``(3 * out,)``, added to what comes from the hidden state; none by default.

    Returns
    -------
    The hidden states at all times, of shape ``(..., time, out)``, of the floating-point data type
    to which all arguments promote. The last of them is the state with which to continue.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't fit.

    References
    ----------
    Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder for Statistical Machine
    Translation", arXiv:1406.1078. The reset gate is PyTorch's.

    Examples
    --------
    >>> x, start = unify.ones((1, 2, 1)), unify.ones((1, 1))
    >>> unify.nn.gru_update(x, start, unify.zeros((1, 3)), unify.zeros((1, 3)))
    unify.array([[[0.5 ],
                  [0.25]]])
    """
    x, h, kernel, recurrent_kernel, bias, recurrent_bias = same_dtype(
        "nn.gru_update", x=x, init_h=init_h, kernel=kernel, recurrent_kernel=recurrent_kernel,
        bias=bias, recurrent_bias=recurrent_bias,
    )  # fmt: skip
    gates("nn.gru_update", recurrent_kernel, 3)
    inputs = projected("nn.gru_update", x, kernel, bias)
    states, _ = over_time(
        lambda state, new: gru_step(new, state[0], recurrent_kernel, recurrent_bias),
        (h,),
        inputs,
        x,
    )
    return states


@compositional
def rnn_update(
    x: ArrayIn,
    init_h: ArrayIn,
    kernel: ArrayIn,
    recurrent_kernel: ArrayIn,
    bias: OptionalArray = None,
    recurrent_bias: OptionalArray = None,
    *,
    activation: Literal["tanh", "relu"] = "tanh",
    out: Out = None,
) -> Array:
    """Run a plain recurrent layer over a sequence.

    The hidden state becomes ``activation(x @ kernel + bias + h @ recurrent_kernel +
    recurrent_bias)``. The kernels are the transposes of the weights of `torch.nn.RNN`.

    Parameters
    ----------
    x
        Array of shape ``(..., time, in)``.
    init_h
        Hidden state at the start, of shape ``(..., out)``.
    kernel
        Weights of the inputs, of shape ``(in, out)``.
    recurrent_kernel
        Weights of the hidden state, of shape ``(out, out)``.
    bias
        Array of shape ``(out,)``; none by default.
    recurrent_bias
        Array of shape ``(out,)``, which is added to `bias`; none by default.
    activation
        Function that is applied at each step.

    Returns
    -------
    The hidden states at all times, of shape ``(..., time, out)``, of the floating-point data type
    to which all arrays promote. The last of them is the state with which to continue.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't fit, or the activation is another one.

    References
    ----------
    Elman, "Finding Structure in Time", 1990.

    Examples
    --------
    >>> x, start = unify.ones((1, 3, 1)), unify.zeros((1, 1))
    >>> one = unify.ones((1, 1))
    >>> unify.nn.rnn_update(x, start, one, one, activation="relu")
    unify.array([[[1.],
                  [2.],
                  [3.]]])
    """
    check_activation("nn.rnn_update", activation)
    x, h, kernel, recurrent_kernel, bias, recurrent_bias = same_dtype(
        "nn.rnn_update", x=x, init_h=init_h, kernel=kernel, recurrent_kernel=recurrent_kernel,
        bias=bias, recurrent_bias=recurrent_bias,
    )  # fmt: skip
    gates("nn.rnn_update", recurrent_kernel, 1)
    inputs = projected("nn.rnn_update", x, kernel, bias)
    inputs = inputs if recurrent_bias is None else inputs + recurrent_bias
    states, _ = over_time(
        lambda state, new: rnn_step(new, state[0], recurrent_kernel, activation), (h,), inputs, x
    )
    return states


@compositional
def rnn_cell(
    x: ArrayIn,
    h: ArrayIn,
    kernel: ArrayIn,
    recurrent_kernel: ArrayIn,
    bias: OptionalArray = None,
    recurrent_bias: OptionalArray = None,
    *,
    activation: Literal["tanh", "relu"] = "tanh",
    out: Out = None,
) -> Array:
    """Make one step of a plain recurrent layer; `rnn_update` makes all of a sequence.

    Parameters
    ----------
    x
        Array of shape ``(..., in)``.
    h
        Hidden state, of shape ``(..., out)``.
    kernel
        Weights of the inputs, of shape ``(in, out)``.
    recurrent_kernel
        Weights of the hidden state, of shape ``(out, out)``.
    bias
        Array of shape ``(out,)``; none by default.
    recurrent_bias
        Array of shape ``(out,)``; none by default.
    activation
        Function that is applied at the end.

    Returns
    -------
    The next hidden state, of shape ``(..., out)``, of the floating-point data type to which all
    arrays promote.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't fit, or the activation is another one.

    References
    ----------
    Elman, "Finding Structure in Time", 1990.

    Examples
    --------
    >>> one = unify.ones((1, 1))
    >>> unify.nn.rnn_cell(one, one, one, one, activation="relu")
    unify.array([[2.]])
    """
    check_activation("nn.rnn_cell", activation)
    x, h, kernel, recurrent_kernel, bias, recurrent_bias = same_dtype(
        "nn.rnn_cell", x=x, h=h, kernel=kernel, recurrent_kernel=recurrent_kernel, bias=bias,
        recurrent_bias=recurrent_bias,
    )  # fmt: skip
    gates("nn.rnn_cell", recurrent_kernel, 1)
    new = projected("nn.rnn_cell", x, kernel, bias, over_time=False)
    new = new if recurrent_bias is None else new + recurrent_bias
    return rnn_step(new, h, recurrent_kernel, activation)[0]


@compositional
def lstm_cell(
    x: ArrayIn,
    h: ArrayIn,
    c: ArrayIn,
    kernel: ArrayIn,
    recurrent_kernel: ArrayIn,
    bias: OptionalArray = None,
    recurrent_bias: OptionalArray = None,
) -> tuple[Array, Array]:
    """Make one step of a layer of long short-term memory; `lstm_update` makes all of a sequence.

    The order of the gates is input, forget, cell, output, as in `torch.nn.LSTMCell`.

    Parameters
    ----------
    x
        Array of shape ``(..., in)``.
    h
        Hidden state, of shape ``(..., out)``.
    c
        Cell state, of shape ``(..., out)``.
    kernel
        Weights of the inputs, of shape ``(in, 4 * out)``.
    recurrent_kernel
        Weights of the hidden state, of shape ``(out, 4 * out)``.
    bias
        Array of shape ``(4 * out,)``; none by default.
    recurrent_bias
        Array of shape ``(4 * out,)``; none by default.

    Returns
    -------
    The next hidden state and the next cell state, of shape ``(..., out)`` and of the floating-point
    data type to which all arguments promote.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't fit.

    References
    ----------
    Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997. The gates are PyTorch's.

    Examples
    --------
    >>> x, start = unify.ones((1, 1)), unify.zeros((1, 1))
    >>> unify.nn.lstm_cell(x, start, start, unify.zeros((1, 4)), unify.zeros((1, 4)))
    (unify.array([[0.]]), unify.array([[0.]]))
    """
    x, h, c, kernel, recurrent_kernel, bias, recurrent_bias = same_dtype(
        "nn.lstm_cell", x=x, h=h, c=c, kernel=kernel, recurrent_kernel=recurrent_kernel, bias=bias,
        recurrent_bias=recurrent_bias,
    )  # fmt: skip
    gates("nn.lstm_cell", recurrent_kernel, 4)
    new = projected("nn.lstm_cell", x, kernel, bias, over_time=False)
    new = new if recurrent_bias is None else new + recurrent_bias
    return lstm_step(new, h, c, recurrent_kernel)


@compositional
def gru_cell(
    x: ArrayIn,
    h: ArrayIn,
    kernel: ArrayIn,
    recurrent_kernel: ArrayIn,
    bias: OptionalArray = None,
    recurrent_bias: OptionalArray = None,
    *,
    out: Out = None,
) -> Array:
    """Make one step of a layer of gated recurrent units; `gru_update` makes all of a sequence.

    The order of the gates is reset, update, new, as in `torch.nn.GRUCell`, and `recurrent_bias` is
    added before the reset gate is applied.

    Parameters
    ----------
    x
        Array of shape ``(..., in)``.
    h
        Hidden state, of shape ``(..., out)``.
    kernel
        Weights of the inputs, of shape ``(in, 3 * out)``.
    recurrent_kernel
        Weights of the hidden state, of shape ``(out, 3 * out)``.
    bias
        Array of shape ``(3 * out,)``; none by default.
    recurrent_bias
        Array of shape ``(3 * out,)``; none by default.

    Returns
    -------
    The next hidden state, of shape ``(..., out)``, of the floating-point data type to which all
    arguments promote.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't fit.

    References
    ----------
    Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder for Statistical Machine
    Translation", arXiv:1406.1078. The reset gate is PyTorch's.

    Examples
    --------
    >>> x, start = unify.ones((1, 1)), unify.ones((1, 1))
    >>> unify.nn.gru_cell(x, start, unify.zeros((1, 3)), unify.zeros((1, 3)))
    unify.array([[0.5]])
    """
    x, h, kernel, recurrent_kernel, bias, recurrent_bias = same_dtype(
        "nn.gru_cell", x=x, h=h, kernel=kernel, recurrent_kernel=recurrent_kernel, bias=bias,
        recurrent_bias=recurrent_bias,
    )  # fmt: skip
    gates("nn.gru_cell", recurrent_kernel, 3)
    new = projected("nn.gru_cell", x, kernel, bias, over_time=False)
    return gru_step(new, h, recurrent_kernel, recurrent_bias)[0]
