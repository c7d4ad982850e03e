"""Branches and loops that depend on values, as torch.compile takes them.

A loop over a known number of steps is unrolled: that is how torch.compile follows Python's loops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch
from torch._higher_order_ops.while_loop import while_loop

from arrayapi_unify.backends._common.algorithms.graph_values import StandIn
from arrayapi_unify.backends._common.protocols.transformations import Function, Natives, Step
from arrayapi_unify.backends.torch import _aliasing as aliasing
from arrayapi_unify.backends.torch._core import all_rows, is_compiling, is_wrapped
from arrayapi_unify.backends.torch._dynamo import TRACED_MEMORY, TRACED_VERSION

Tensor = torch.Tensor
is_batched = torch._C._functorch.is_batchedtensor


TRACES_BRANCHES_FIRST: Final = True


def lowers_control_flow() -> bool:
    """Say no: Python's loops are followed."""
    return False


def is_known(truth: Tensor) -> bool:
    """Return True if a truth value can be read: not while torch.compile or torch.vmap traces.

    A graph that is recorded refuses to give it.
    """
    return isinstance(truth, StandIn) or not (is_compiling() or is_batched(truth))


def count_writes(x: Tensor) -> Any:
    """Return a count of the writes, also to what is traced or mapped."""
    if is_compiling():
        return getattr(x, TRACED_VERSION, None)
    return all_rows(x)._version if is_wrapped(x) else aliasing.version_of(x)


def share_memory(x: Tensor, y: Tensor) -> bool:
    """Return True if traced or mapped tensors have one memory; True if that isn't known."""
    if is_compiling():
        memory = getattr(x, TRACED_MEMORY, None)
        return memory is None or memory == getattr(y, TRACED_MEMORY, None)
    return all_rows(x).untyped_storage()._cdata == all_rows(y).untyped_storage()._cdata


def lowered_scan(
    step: Step, carry: Natives, xs: Natives, length: int, reverse: bool
) -> tuple[Natives, Natives]:
    """Raise: no caller uses this member of the protocol on PyTorch."""
    raise NotImplementedError


def lowered_while(
    test: Callable[..., Any], step: Function, carry: Natives, most: int | None
) -> Natives:
    """Loop, whose derivatives need no bound; what comes out may not be what went in."""
    return while_loop(  # type: ignore[no-untyped-call]  # torch has no types for it
        test, lambda *v: tuple([x.clone() for x in step(*v)]), tuple([x.clone() for x in carry])
    )


def lowered_cond(
    truth: Tensor, true_fun: Function, false_fun: Function, operands: Natives
) -> Natives:
    """Choose; what comes out may not be what went in, and has the same layout in both branches.

    For mapped rows `torch.cond` calls both, and returns one result alone; so both are called here.
    """
    if not is_compiling() and is_batched(truth):
        pairs = zip(true_fun(*operands), false_fun(*operands), strict=True)
        return tuple([torch.where(truth, x, y) for x, y in pairs])
    given: list[Tensor] = []
    for x in operands:  # torch.cond takes none that share memory
        given.append(x.clone() if any(share_memory(x, y) for y in given) else x)
    return torch.cond(
        truth,
        lambda *v: tuple([_anew(x) for x in true_fun(*v)]),
        lambda *v: tuple([_anew(x) for x in false_fun(*v)]),
        tuple(given),
    )


def _anew(x: Tensor) -> Tensor:
    """Copy into new contiguous memory; inductor removes clones, and then finds views."""
    x = x.contiguous()
    return torch.where(torch.ones((), dtype=torch.bool, device=x.device), x, x)
