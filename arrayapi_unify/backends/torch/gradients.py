"""Differentiation and vectorization of functions of tensors by PyTorch.

Autograd is used where possible, because it is faster. Inside transformations of torch.func and
inside compiled code, torch.func is used, which composes with both.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, cast

import torch
import torch.utils.checkpoint as recomputation

from arrayapi_unify.backends._common.algorithms.graph_values import Recorder, StandIn, by_rows
from arrayapi_unify.backends._common.protocols.transformations import (
    ONES,
    Function,
    Natives,
    Pull,
    Rule,
)
from arrayapi_unify.backends.torch._core import all_rows, is_compiling, is_wrapped, transforming
from arrayapi_unify.backends.torch._pullback import defined, is_finite, watched
from arrayapi_unify.backends.torch._saved import Tape, depth, twice
from arrayapi_unify.errors import UnifyRuntimeError

Tensor = torch.Tensor

DIFFERENTIATES: Final = True


class _Calls(threading.local):
    """The number of calls that torch.compile hasn't seen, for each thread."""

    unseen = 0


calls: Final = _Calls()
# The wrapper that hides a call from torch.compile, made when it is first needed.
_unseen: Final[list[Callable[..., Any]]] = []


def stop_gradient(x: Tensor, /, *, preserve_type: bool = True) -> Tensor:
    """Copy the values; nothing differentiates through."""
    found = x.detach().clone()
    same = not preserve_type or type(x) is Tensor or is_compiling() or is_wrapped(x)
    return found if same else found.as_subclass(type(x))


def requires_gradient(x: Tensor, /) -> bool:
    """Return True if autograd or torch.func tracks the tensor."""
    return x.requires_grad


def uncompiled(call: Callable[[Any], Any], argument: Any) -> Any:
    """Call the function out of sight of torch.compile, which loses itself in callbacks."""
    if "torch._dynamo" not in sys.modules:  # importing that takes long
        return call(argument)
    if not _unseen:
        disable: Any = torch.compiler.disable
        _unseen.append(disable(_out_of_sight))
    return _unseen[0](call, argument)


def _out_of_sight(call: Callable[[Any], Any], argument: Any) -> Any:
    calls.unseen += 1
    return call(argument)


def detached(x: Tensor) -> Tensor:
    """Return a tensor of the same memory that nothing tracks."""
    return x.detach() if x.requires_grad else x


def tracking(xs: Natives) -> bool:
    """Return True if results computed from these tensors may be differentiated."""
    return transforming() or depth.get() > 0 or any(x.requires_grad for x in xs)


def depends(func: Callable[..., Any], xs: Natives) -> bool:
    """Say no: the library tracks the results of all functions of numbers."""
    return False


# --- derivatives ------------------------------------------------------------------------------


def pullback(func: Callable[..., Any], xs: Natives, keep: bool) -> tuple[Natives, Natives, Pull]:
    """Call the function, and return how to pull back."""
    tape = None if is_compiling() else Tape()
    if transforming():
        return _pullback_inside(func, xs, tape)
    leaves, outputs, others = _tracked(func, xs, keep)
    if (recorder := _recorder(leaves)) is not None:
        return _recorded_pullback(recorder, leaves, outputs, others)

    def pull_tracked(upstream: Natives, last: bool, tape: Tape | None = tape) -> Natives:
        ends, above = [], []
        for y, u in zip(outputs, upstream, strict=True):
            if u is not None and y.requires_grad:
                ends.append(y)
                # PyTorch makes the ones of scalars itself.
                above.append(None if u is ONES else u)
        if not ends:
            return [torch.zeros_like(x) for x in leaves]
        return _apart(leaves, defined(ends, leaves, above, keep))

    return outputs, others, pull_tracked


def _recorded_pullback(
    recorder: Recorder, leaves: Natives, outputs: Natives, others: Natives
) -> tuple[Natives, Natives, Pull]:
    """Let a graph repeat the pullback; each call of it tells whether derivatives are kept."""

    def pull_recorded(upstream: Natives, last: bool) -> Natives:
        pairs = [(y, u) for y, u in zip(outputs, upstream, strict=True) if u is not None]
        above = tuple([None if u is ONES else u for _, u in pairs])
        ends = tuple([y for y, _ in pairs])
        return cast(Natives, recorder.native(pulled_back, (ends, leaves, above), {}))

    if not outputs and not others:
        return outputs, others, pull_recorded
    found = recorder.native(released, ((*outputs, *others), leaves), {})
    return found[: len(outputs)], found[len(outputs) :], pull_recorded


def released(results: Natives, leaves: Natives) -> Natives:
    """Return results without their derivatives, unless the leaves are tracked from outside."""
    kept = any(x.grad_fn is not None for x in leaves)
    return tuple([x if kept else x.detach() for x in results])


def pulled_back(outputs: Natives, leaves: Natives, above: Natives) -> Natives:
    """Return the derivatives by the leaves; they are differentiable if something here is."""
    pairs = [(y, u) for y, u in zip(outputs, above, strict=True) if y.requires_grad]
    if not pairs:
        return [torch.zeros_like(x) for x in leaves]
    keep = any(x.grad_fn is not None for x in leaves) or any(
        u is not None and u.requires_grad for u in above
    )
    ends, above = zip(*pairs, strict=True)
    return _apart(leaves, defined(ends, leaves, above, keep))


def _pullback_inside(
    func: Callable[..., Any], xs: Natives, tape: Tape | None
) -> tuple[Natives, Natives, Pull]:
    """Do what `pullback` does inside a transformation of torch.func."""
    ends: list[Any] = []

    def call(*leaves: Tensor) -> tuple[Natives, Natives]:
        outputs, others = func(*leaves)
        ends[:] = [[y.grad_fn for y in outputs], [x.grad_fn for x in leaves]]
        return outputs or (leaves[0] * 0,), others

    found: Any = torch.func.vjp(call, *xs, has_aux=True)
    outputs, pull, others = found
    if not ends[0]:  # torch.func wants an output
        return (), others, lambda upstream, last: [torch.zeros_like(x) for x in xs]

    def pull_back(upstream: Natives, last: bool, tape: Tape | None = tape) -> Natives:
        above = _filled(upstream, outputs)
        pulled: Natives = () if is_compiling() else pull(above)
        if pulled and all(map(is_finite, map(all_rows, pulled))):
            return pulled
        return cast(Natives, watched(lambda: pull(above), *ends))

    return outputs, others, pull_back


def _tracked(func: Callable[..., Any], xs: Natives, keep: bool) -> tuple[Natives, Natives, Natives]:
    """Call the function of tensors that autograd tracks; return these, and what it returns."""
    token, before = depth.set(depth.get() + 1), twice.set(keep)
    try:
        if torch.is_grad_enabled() and not torch.is_inference_mode_enabled():
            leaves = [_leaf(x) for x in xs]
            return leaves, *func(*leaves)
        with _tracking_all():
            leaves = [_leaf(x) for x in xs]
            return leaves, *func(*leaves)
    finally:
        depth.reset(token)
        twice.reset(before)


def _tracking_all() -> AbstractContextManager[Any]:
    """Let autograd track what is computed, though it doesn't outside."""
    if torch.is_inference_mode_enabled():
        return torch.inference_mode(False)
    return torch.enable_grad()


def _leaf(x: Tensor) -> Tensor:
    """Return a tensor to differentiate by: the same values, without other references."""
    if isinstance(x, StandIn):
        return cast(Tensor, x.recorder.native(tracked, (x,), {}))
    if x.is_inference():
        x = x.clone()
    return x.view_as(x) if x.requires_grad else x.detach().requires_grad_()


def tracked(x: Tensor) -> Tensor:
    """Return a tensor to differentiate by; a graph repeats this call."""
    if transforming() or not torch.is_grad_enabled():
        place = "inside vmap" if transforming() else "where torch.no_grad() is in force"
        raise UnifyRuntimeError(
            f"compile_graph: a graph that differentiates can't be called {place} on the torch "
            f"backend; call it outside, or call the function itself"
        )
    return _leaf(x)


def _recorder(xs: Sequence[Any]) -> Recorder | None:
    return next((x.recorder for x in xs if isinstance(x, StandIn)), None)


def _apart(leaves: Natives, gradients: Natives) -> list[Tensor]:
    """Return what autograd found, as tensors that can be written to, each for itself."""
    made: list[Tensor] = []
    for x, g in zip(leaves, gradients, strict=True):
        if g is None:
            made.append(torch.zeros_like(x))
        elif all_rows(g)._is_zerotensor():  # which has no memory
            made.append(torch.zeros(g.shape, dtype=g.dtype, device=g.device))
        elif made and any(g is other for other in made):
            made.append(g.clone())
        else:
            # The derivative of a sum is one broadcast element.
            g = g.resolve_conj() if g.is_complex() else g
            made.append(g.contiguous() if 0 in g.stride() else g)
    return made


def _filled(upstream: Natives, outputs: Natives) -> tuple[Tensor, ...]:
    return tuple(map(_above, upstream, outputs))


def _above(upstream: Any, output: Tensor) -> Tensor:
    if upstream is None:
        return torch.zeros_like(output)
    return torch.ones_like(output) if upstream is ONES else upstream


# PyTorch maps no derivatives of compiled functions, and none where a checkpoint saves.
_NOT_MAPPED: Final = ("compiled backward function", "support saved tensor hooks")


def vectorized(func: Function, xs: Natives) -> tuple[Tensor, ...]:
    """Call the function for all rows at once; row by row where a graph records them."""
    if any(isinstance(x, StandIn) for x in xs):
        return by_rows(func, xs, torch.stack)
    try:
        return torch.func.vmap(func)(*xs)
    except RuntimeError as error:
        if not any(problem in str(error) for problem in _NOT_MAPPED):
            raise
    return by_rows(func, xs, torch.stack)


class _Ruled(torch.autograd.Function):
    """A call whose derivative is what a rule says."""

    generate_vmap_rule = True

    @staticmethod
    def forward(func: Function, rule: Rule, *xs: Tensor) -> tuple[Tensor, ...]:
        """Call the function, on tensors that it doesn't take for tracked ones."""
        return tuple(func(*(x.detach() for x in xs)))

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
        """Store the arguments of the rule."""
        _, ctx.rule, *xs = inputs
        ctx.count = len(xs)
        ctx.save_for_backward(*xs, *output)

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> Any:
        """Ask the rule."""
        saved = ctx.saved_tensors
        xs, outputs = saved[: ctx.count], saved[ctx.count :]
        given: Any = (xs, outputs, upstream)
        if not torch.is_grad_enabled():
            given = tuple([x.detach() for x in part] for part in given)
        found = ctx.rule(*given)
        differentiable = [x.is_floating_point() or x.is_complex() for x in xs]
        return None, None, *(g if d else None for g, d in zip(found, differentiable, strict=True))


def with_rule(func: Function, rule: Rule, xs: Natives) -> tuple[Tensor, ...]:
    """Call the function as a node of autograd's graph."""
    if (recorder := _recorder(xs)) is None:
        return ruled(func, rule, xs)
    outputs = func(*[x.detach() for x in xs])
    found: tuple[Tensor, ...] = recorder.native(attached, (outputs, rule, tuple(xs)), {})
    return found


def ruled(func: Function, rule: Rule, xs: Natives) -> tuple[Tensor, ...]:
    """Call the function as a node of autograd's graph, where no graph of ours is recorded."""
    apply: Any = _Ruled.apply  # some releases of PyTorch have no types for it
    return cast(tuple[Tensor, ...], apply(func, rule, *xs))


def attached(outputs: Natives, rule: Rule, xs: Natives) -> tuple[Tensor, ...]:
    """Return results as a node of autograd's graph; a graph repeats this call."""
    return ruled(lambda *_: tuple([y.detach() for y in outputs]), rule, xs)


def recomputed(func: Function, xs: Natives) -> tuple[Tensor, ...]:
    """Call the function, and again for its derivative; torch.func remembers all it needs."""
    if transforming():
        return func(*xs)
    keep = twice.get()

    def call(*xs: Tensor) -> tuple[Tensor, ...]:
        before = twice.set(keep)
        try:
            return func(*xs)
        finally:
            twice.reset(before)

    # PyTorch would stop the second call by an exception of its own, which users' code may meet.
    with recomputation.set_checkpoint_early_stop(False):
        found: tuple[Tensor, ...] = recomputation.checkpoint(call, *xs, use_reentrant=False)
    return found
