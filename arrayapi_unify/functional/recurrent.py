"""Contracts of recurrent layers, run over whole sequences."""

from __future__ import annotations

from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional
from arrayapi_unify.binding.roles import ArrayIn, OptionalArray, Out
from arrayapi_unify.errors import UnifyValueError, refuse
from arrayapi_unify.functional._bodies import Given, check_real, floating_together

__all__ = ["gru_update", "lstm_update"]


def _projected(function: str, x: Given, kernel: Given, bias: Given | None) -> Array:
    """Return the part of all gates that comes from the inputs, for all times at once."""
    if x.ndim < 2 or kernel.ndim < 2 or x.shape[-1] != kernel.shape[-2]:
        refuse(
            UnifyValueError, function, "x", f"has shape {x.shape}, the kernel {kernel.shape}",
            "pass x of shape (..., time, in) and a kernel of shape (in, gates * out)",
        )  # fmt: skip
    product = x.__array_namespace__().matmul(x, kernel)
    return product if bias is None else product + bias


def _gates(function: str, recurrent_kernel: Given, count: int) -> int:
    """Return the number of outputs, after a look at the shape of the recurrent kernel."""
    if (
        recurrent_kernel.ndim < 2
        or count * recurrent_kernel.shape[-2] != recurrent_kernel.shape[-1]
    ):
        refuse(
            UnifyValueError, function, "recurrent_kernel", f"has shape {recurrent_kernel.shape}",
            f"pass one of shape (out, {count} * out)",
        )  # fmt: skip
    return recurrent_kernel.shape[-2]


def _same_dtype(function: str, **arrays: Any) -> list[Any]:
    """Return arrays in the real floating-point data type to which they promote; None stays."""
    given = {name: array for name, array in arrays.items() if array is not None}
    for name, array in given.items():
        check_real(function, name, array)
    converted = dict(zip(given, floating_together(*given.values()), strict=True))
    return [converted.get(name) for name in arrays]


def _over_time(steps: list[Array], x: Given, first: Given) -> Array:
    """Return the outputs of all times with the time as last axis but one."""
    xp = x.__array_namespace__()
    if steps:
        return xp.stack(steps, axis=-2)
    shape = (*first.shape[:-1], 0, first.shape[-1])
    return xp.zeros(shape, dtype=first.dtype, device=x.device)


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
    Behaviour 24 (docs/behaviours.md).

    Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997. The gates are PyTorch's.

    Examples
    --------
    >>> x, start = unify.ones((1, 2, 1)), unify.zeros((1, 1))
    >>> h, c = unify.lstm_update(x, start, start, unify.zeros((1, 4)), unify.zeros((1, 4)))
    >>> h.shape, c
    ((1, 2, 1), unify.array([[0.]]))
    """
    x, h, c, kernel, recurrent_kernel, bias, recurrent_bias = _same_dtype(
        "lstm_update", x=x, init_h=init_h, init_c=init_c, kernel=kernel,
        recurrent_kernel=recurrent_kernel, bias=bias, recurrent_bias=recurrent_bias,
    )  # fmt: skip
    xp, size = x.__array_namespace__(), _gates("lstm_update", recurrent_kernel, 4)
    inputs = _projected("lstm_update", x, kernel, bias)
    if recurrent_bias is not None:
        inputs = inputs + recurrent_bias
    steps: list[Array] = []
    for t in range(x.shape[-2]):
        gates = inputs[..., t, :] + xp.matmul(h, recurrent_kernel)
        i, f, g, o = (gates[..., k * size : (k + 1) * size] for k in range(4))
        c = xp.sigmoid(f) * c + xp.sigmoid(i) * xp.tanh(g)
        h = xp.sigmoid(o) * xp.tanh(c)
        steps.append(h)
    # Without any time the state is the one that was given; the result has its own memory.
    return _over_time(steps, x, h), c if steps else xp.astype(c, c.dtype)


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
    >>> unify.gru_update(x, start, unify.zeros((1, 3)), unify.zeros((1, 3)))
    unify.array([[[0.5 ],
                  [0.25]]])
    """
    x, h, kernel, recurrent_kernel, bias, recurrent_bias = _same_dtype(
        "gru_update", x=x, init_h=init_h, kernel=kernel, recurrent_kernel=recurrent_kernel,
        bias=bias, recurrent_bias=recurrent_bias,
    )  # fmt: skip
    xp, size = x.__array_namespace__(), _gates("gru_update", recurrent_kernel, 3)
    inputs = _projected("gru_update", x, kernel, bias)
    steps: list[Array] = []
    for t in range(x.shape[-2]):
        new = inputs[..., t, :]
        old = xp.matmul(h, recurrent_kernel)
        if recurrent_bias is not None:
            old = old + recurrent_bias
        reset = xp.sigmoid(new[..., :size] + old[..., :size])
        update = xp.sigmoid(new[..., size : 2 * size] + old[..., size : 2 * size])
        candidate = xp.tanh(new[..., 2 * size :] + reset * old[..., 2 * size :])
        h = (1 - update) * candidate + update * h
        steps.append(h)
    return _over_time(steps, x, h)
