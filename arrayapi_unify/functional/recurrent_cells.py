"""Contracts of single steps of recurrent layers, for loops of one's own."""

from __future__ import annotations

from typing import Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional
from arrayapi_unify.binding.annotations import ArrayIn, OptionalArray, Out
from arrayapi_unify.functional._recurrent import (
    check_activation,
    gates,
    gru_step,
    lstm_step,
    projected,
    rnn_step,
    same_dtype,
)

__all__ = ["gru_cell", "lstm_cell", "rnn_cell"]


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
    >>> unify.rnn_cell(one, one, one, one, activation="relu")
    unify.array([[2.]])
    """
    check_activation("rnn_cell", activation)
    x, h, kernel, recurrent_kernel, bias, recurrent_bias = same_dtype(
        "rnn_cell", x=x, h=h, kernel=kernel, recurrent_kernel=recurrent_kernel, bias=bias,
        recurrent_bias=recurrent_bias,
    )  # fmt: skip
    gates("rnn_cell", recurrent_kernel, 1)
    new = projected("rnn_cell", x, kernel, bias, over_time=False)
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
    >>> unify.lstm_cell(x, start, start, unify.zeros((1, 4)), unify.zeros((1, 4)))
    (unify.array([[0.]]), unify.array([[0.]]))
    """
    x, h, c, kernel, recurrent_kernel, bias, recurrent_bias = same_dtype(
        "lstm_cell", x=x, h=h, c=c, kernel=kernel, recurrent_kernel=recurrent_kernel, bias=bias,
        recurrent_bias=recurrent_bias,
    )  # fmt: skip
    gates("lstm_cell", recurrent_kernel, 4)
    new = projected("lstm_cell", x, kernel, bias, over_time=False)
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
    >>> unify.gru_cell(x, start, unify.zeros((1, 3)), unify.zeros((1, 3)))
    unify.array([[0.5]])
    """
    x, h, kernel, recurrent_kernel, bias, recurrent_bias = same_dtype(
        "gru_cell", x=x, h=h, kernel=kernel, recurrent_kernel=recurrent_kernel, bias=bias,
        recurrent_bias=recurrent_bias,
    )  # fmt: skip
    gates("gru_cell", recurrent_kernel, 3)
    new = projected("gru_cell", x, kernel, bias, over_time=False)
    return gru_step(new, h, recurrent_kernel, recurrent_bias)[0]
