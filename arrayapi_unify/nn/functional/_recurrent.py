"""Steps of recurrent layers, and how they run over time."""

from __future__ import annotations

from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional._common import BodyArray, check_real, floating_together
from arrayapi_unify.functional._control import lowers_control_flow, scanned


def projected(
    function: str, x: BodyArray, kernel: BodyArray, bias: BodyArray | None, over_time: bool = True
) -> Array:
    """Return the part of all gates that comes from the inputs, for all times at once."""
    if x.ndim < 1 + over_time or kernel.ndim < 2 or x.shape[-1] != kernel.shape[-2]:
        raise_value_error(
            function, "x", f"has shape {x.shape}, the kernel {kernel.shape}",
            f"pass x of shape (..., {'time, ' if over_time else ''}in) and a kernel of shape "
            "(in, gates * out)",
        )  # fmt: skip
    product = x.__array_namespace__().matmul(x, kernel)
    return product if bias is None else product + bias


def gates(function: str, recurrent_kernel: BodyArray, count: int) -> int:
    """Return the number of outputs, after a look at the shape of the recurrent kernel."""
    if (
        recurrent_kernel.ndim < 2
        or count * recurrent_kernel.shape[-2] != recurrent_kernel.shape[-1]
    ):
        raise_value_error(
            function, "recurrent_kernel", f"has shape {recurrent_kernel.shape}",
            f"pass one of shape (out, {count} * out)",
        )  # fmt: skip
    return recurrent_kernel.shape[-2]


def same_dtype(function: str, **arrays: Any) -> list[Any]:
    """Return arrays in the real floating-point data type to which they promote; None stays."""
    given = {name: array for name, array in arrays.items() if array is not None}
    for name, array in given.items():
        check_real(function, name, array)
    converted = dict(zip(given, floating_together(*given.values()), strict=True))
    return [converted.get(name) for name in arrays]


def lstm_step(
    gates: Array, h: BodyArray, c: BodyArray, recurrent_kernel: BodyArray
) -> tuple[Array, Array]:
    """Return the next hidden state and cell state; the gates are what the inputs give to them."""
    xp, size = h.__array_namespace__(), recurrent_kernel.shape[-2]
    total = gates + xp.matmul(h, recurrent_kernel)
    i, f, g, o = (total[..., k * size : (k + 1) * size] for k in range(4))
    c = xp.nn.sigmoid(f) * c + xp.nn.sigmoid(i) * xp.tanh(g)
    return xp.nn.sigmoid(o) * xp.tanh(c), c


def gru_step(
    new: Array, h: BodyArray, recurrent_kernel: BodyArray, recurrent_bias: BodyArray | None
) -> tuple[Array]:
    """Return the next hidden state; `new` is what the inputs give to the gates."""
    xp, size = h.__array_namespace__(), recurrent_kernel.shape[-2]
    old = xp.matmul(h, recurrent_kernel)
    if recurrent_bias is not None:
        old = old + recurrent_bias
    reset = xp.nn.sigmoid(new[..., :size] + old[..., :size])
    update = xp.nn.sigmoid(new[..., size : 2 * size] + old[..., size : 2 * size])
    candidate = xp.tanh(new[..., 2 * size :] + reset * old[..., 2 * size :])
    return ((1 - update) * candidate + update * h,)


def rnn_step(
    new: Array, h: BodyArray, recurrent_kernel: BodyArray, activation: str
) -> tuple[Array]:
    """Return the next hidden state; `new` is what the inputs give to it."""
    xp = h.__array_namespace__()
    total = new + xp.matmul(h, recurrent_kernel)
    return (xp.tanh(total) if activation == "tanh" else xp.nn.relu(total),)


def check_activation(function: str, activation: str) -> None:
    """Raise for a word that names no activation."""
    if activation not in ("tanh", "relu"):
        raise_value_error(function, "activation", f"is {activation!r}", "pass 'tanh' or 'relu'")


def over_time(
    step: Any, state: tuple[Array, ...], inputs: Array, x: BodyArray
) -> tuple[Array, Any]:
    """Return the first parts of the states at all times, and the last state.

    The time is the last axis but one. Where a framework traces without values, one step is traced.
    """
    xp, count = x.__array_namespace__(), inputs.shape[-2]
    if count and lowers_control_flow(inputs):
        batch = xp.broadcast_shapes(inputs.shape[:-2], *[part.shape[:-1] for part in state])
        shape = (*batch, state[0].shape[-1])
        if any(part.shape != shape for part in state):  # one state for all of a batch
            state = tuple(xp.broadcast_to(part, shape) for part in state)

        def one(state: Any, new: Array) -> tuple[Any, Array]:
            state = step(state, new)
            return state, state[0]

        last, states = scanned(one, state, xp.moveaxis(inputs, -2, 0), None, False)
        return xp.moveaxis(states, 0, -2), last
    steps: list[Array] = []
    for t in range(count):
        state = step(state, inputs[..., t, :])
        steps.append(state[0])
    if steps:
        return xp.stack(steps, axis=-2), state
    first = state[0]
    nothing = xp.zeros((*first.shape[:-1], 0, first.shape[-1]), dtype=first.dtype, device=x.device)
    # Without any time the state is the one that was given; the result has its own memory.
    return nothing, tuple(xp.astype(part, part.dtype) for part in state)
