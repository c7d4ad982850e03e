"""Steps of optimizers for lists of tensors, by PyTorch's functions of lists.

Only tensors that a step has made itself are written to.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any, Final, TypeAlias

import torch

from arrayapi_unify.backends._common.algorithms.nn import Lists
from arrayapi_unify.backends.torch._core import is_compiling, is_transformed
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

Tensor = torch.Tensor
Tensors: TypeAlias = "list[Tensor] | tuple[Tensor, ...]"


def fits(lists: Lists, scalars: Any) -> bool:
    """Return True for plain tensors of one data type and device, with the same shapes in each list.

    Derivatives, and all that has to see each operation, go the way of the other functions.
    """
    first, numbers = lists[0], [x for x in scalars if type(x) is Tensor]
    if is_transformed() or len(numbers) < len(scalars):
        return False
    like = (Tensor, first[0].dtype, first[0].device, False)
    return (
        like[1] in REAL_FLOATING
        and all((type(x), x.dtype, x.device, x.requires_grad) == like for x in chain(*lists))
        and all(x.shape == row[0].shape for row in zip(*lists, strict=True) for x in row[1:])
        and not any(x.ndim or x.requires_grad for x in numbers)
    )


def _number(x: Any) -> Any:
    """Return a number; a tensor whose value takes a wait for an accelerator stays.

    So does one in a frame that PyTorch compiles by itself, between the graphs of a derivative.
    """
    if not isinstance(x, Tensor):
        return x
    return x.double() if is_compiling() or not x.is_cpu else x.item()


def _descent(w: Tensors, g: Tensors, /, *, lr: Any) -> Lists:
    return (torch._foreach_sub(w, torch._foreach_mul(g, _number(lr))),)


def _momentum(
    w: Tensors, g: Tensors, v: Tensors, /, *, lr: Any, momentum: float, nesterov: bool
) -> Lists:
    v = torch._foreach_mul(v, momentum)
    torch._foreach_add_(v, g)
    direction = torch._foreach_add(g, v, alpha=momentum) if nesterov else v
    return _descent(w, direction, lr=lr)[0], v


def _adam(
    w: Tensors, g: Tensors, m: Tensors, v: Tensors, /, *,
    lr: Any, step: Any, beta1: float, beta2: float, epsilon: float, decay: float,
) -> Lists:  # fmt: skip
    m = torch._foreach_mul(m, beta1)
    torch._foreach_add_(m, g, alpha=1 - beta1)
    v = torch._foreach_mul(v, beta2)
    torch._foreach_addcmul_(v, g, g, 1 - beta2)
    lr, step = _number(lr), _number(step)
    divisor = torch._foreach_div(v, 1 - beta2**step)
    torch._foreach_sqrt_(divisor)
    torch._foreach_add_(divisor, epsilon)
    moved = torch._foreach_div(m, 1 - beta1**step)
    torch._foreach_div_(moved, divisor)
    torch._foreach_mul_(moved, lr)
    if decay:
        torch._foreach_add_(moved, torch._foreach_mul(w, lr * decay))
    return torch._foreach_sub(w, moved), m, v


STEPS: Final[dict[str, Callable[..., Lists]]] = {
    "nn.optimizer_update": _descent,
    "nn.gradient_descent_update": _descent,
    "nn.momentum_update": _momentum,
    "nn.adam_update": _adam,
    "nn.adamw_update": _adam,
}
