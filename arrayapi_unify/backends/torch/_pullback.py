"""Derivatives that are finite: a function's own derivative is 0 where it has none.

If derivatives aren't finite, or their values aren't known, autograd's nodes run once more, watched.
If a node's factor isn't finite, and its product with the derivative from above is NaN or infinite,
the node adds nothing. An overflow of a finite factor stays.
"""

from __future__ import annotations

import cmath
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

import torch
from torch.utils.checkpoint import CheckpointError

from arrayapi_unify.backends.torch._core import all_rows, is_compiling
from arrayapi_unify.errors import UnifyRuntimeError

Tensor = torch.Tensor

# Up to so many numbers, Python checks each in less time than a call into PyTorch takes.
_FEW: Final = 16
# The beginnings of the names of nodes that move, add or select: their factors are finite.
_SAFE: Final = (
    "AccumulateGrad", "AddBackward", "Alias", "AsStrided", "Cat", "Clone", "Conj", "CopyBackwards",
    "Diagonal", "Expand", "Flip", "Gather", "Imag", "IndexBackward", "IndexSelect", "Neg",
    "Permute", "Real", "Repeat", "Reshape", "Roll", "Select", "Slice", "Split", "Squeeze", "Stack",
    "SubBackward", "SumBackward", "TBackward", "ToCopy", "Transpose", "Unbind", "Unsqueeze",
    "UnsafeView", "View", "Where",
)  # fmt: skip


def defined(
    ends: Sequence[Tensor], leaves: Sequence[Tensor], above: Sequence[Tensor | None], keep: bool
) -> Sequence[Tensor | None]:
    """Pull back from ends to leaves; a node adds nothing where its own derivative isn't finite."""

    def pull() -> Sequence[Tensor | None]:
        try:
            return torch.autograd.grad(
                ends, leaves, above, retain_graph=True, create_graph=keep, allow_unused=True
            )
        except RuntimeError as error:
            if "modified by an inplace operation" not in str(error):
                raise
            raise UnifyRuntimeError(
                "vmap: the function writes to a view after a use that PyTorch differentiates; "
                "write to a copy, or use unify.where"
            ) from error

    found = None if is_compiling() else pull()
    if found is not None and all(g is None or is_finite(all_rows(g)) for g in found):
        return found
    return watched(pull, [y.grad_fn for y in ends], [x.grad_fn for x in leaves])


def watched(pull: Callable[[], Any], roots: Sequence[Any], borders: Sequence[Any]) -> Any:
    """Pull back, while the nodes between are watched."""
    handles = [node.register_hook(_watch(node)) for node in _nodes(roots, borders)]
    try:
        return pull()
    finally:
        for handle in handles:
            handle.remove()


def _nodes(roots: Sequence[Any], borders: Sequence[Any]) -> list[Any]:
    """Return the nodes below some, up to others."""
    met = {node for node in borders if node is not None}
    found, left = [], list(roots)
    while left:
        node = left.pop()
        if node is None or node in met:
            continue
        met.add(node)
        left += [other for other, _ in node.next_functions]
        if not type(node).__name__.startswith(_SAFE):
            found.append(node)
    return found


def _watch(node: Any) -> Callable[[Any, Any], Any]:
    """Return the hook of a node: from its products and the derivative from above to its part."""

    def look(made: Sequence[Any], upstream: Sequence[Any]) -> Any:
        if not is_compiling() and all(g is None or is_finite(all_rows(g)) for g in made):
            return None
        whole, of_one = _asked(node, upstream), _asked(node, _ones(upstream))
        if whole is None or of_one is None:  # a node that runs Python's code
            return tuple(g if g is None else _kept(g, None) for g in made)
        return tuple(
            g if g is None or x is None else _like(_kept(x, z), g)
            for g, x, z in zip(made, whole, of_one, strict=True)
        )

    return look


def _asked(node: Any, upstream: Sequence[Any]) -> Any:
    """Return the product of a node, before the sum over broadcast axes."""
    if not callable(node):
        return None
    try:
        found = node(*upstream)
    except CheckpointError:  # its arguments were recomputed, for one use in this pass
        found = None if is_compiling() else _elsewhere(node, upstream)
    return found if found is None or isinstance(found, tuple) else (found,)


def _elsewhere(node: Any, upstream: Sequence[Any]) -> Any:
    """Ask a node in another thread, where autograd's pass isn't running."""
    keep, found = torch.is_grad_enabled(), []

    def ask() -> None:
        with torch.set_grad_enabled(keep):
            found.append(node(*upstream))

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    return found[0] if found else None


def _ones(upstream: Sequence[Any]) -> list[Any]:
    return [u if u is None else torch.ones_like(u) for u in upstream]


def _kept(x: Tensor, of_one: Tensor | None) -> Tensor:
    """Return 0 where x isn't finite, though an overflow isn't the reason."""
    finite = torch.isfinite(x)
    if of_one is not None:
        finite = finite | torch.isfinite(of_one)
    return torch.where(finite, x, 0)


def _like(x: Tensor, made: Tensor) -> Tensor:
    """Sum over axes along which an operand was broadcast."""
    x = x if made.is_complex() or not x.is_complex() else x.real
    return x.sum_to_size(made.shape).to(made.dtype)


def is_finite(x: Tensor) -> bool:
    """Return True only if all elements are finite."""
    if x.ndim != 1 or x.numel() > _FEW or not x.is_cpu:
        return cmath.isfinite((x.detach() if x.requires_grad else x).sum().item())
    try:
        return all(map(cmath.isfinite, x.tolist()))
    except RuntimeError:  # such zeros have no memory
        return x._is_zerotensor()


# --- in what is compiled -----------------------------------------------------------------------

_aten: Final[Any] = torch.ops.aten
_PRODUCTS: Final = (_aten.mul.Tensor, _aten.div.Tensor)


def define_products(graph: Any) -> None:
    """Let products in a derivative that is compiled add nothing where their factor isn't finite.

    The graph has a function and its derivative: the nodes that depend on tangents.
    """
    pulled: set[Any] = set()
    for node in list(graph.nodes):
        if node.op == "placeholder" and "tangents" in node.name:
            pulled.add(node)
        if not pulled.intersection(node.all_input_nodes):
            continue
        pulled.add(node)
        if node.target in _PRODUCTS and len(node.args) == 2:
            x, factor = node.args
            if x not in pulled:
                x, factor = factor, x
            by_factor = node.target is _PRODUCTS[0] or x is node.args[0]
            if factor in pulled or not by_factor or not hasattr(factor, "meta"):
                continue
            if not node.meta["val"].is_floating_point():
                continue
            pulled.update(_define(graph, node, factor))


def _define(graph: Any, node: Any, factor: Any) -> list[Any]:
    """Replace a product by zero where it isn't finite, though an overflow isn't the reason."""
    made: list[Any] = []

    like = node.meta["val"]

    def call(target: Any, *args: Any, **options: Any) -> Any:
        new = graph.call_function(target, args, options)
        given = [getattr(a, "meta", {}).get("val", a) for a in args]
        with like.fake_mode:
            new.meta["val"] = target(*given, **options)
        made.append(new)
        return new

    def undefined(x: Any) -> Any:
        return call(
            _aten.logical_or.default, call(_aten.isinf.default, x), call(_aten.isnan.default, x)
        )

    users = list(node.users)
    with graph.inserting_before(node.next):
        if node.target is _PRODUCTS[1]:
            factor = call(_aten.reciprocal.default, factor)
        none = call(_aten.logical_and.default, undefined(node), undefined(factor))
        zero = call(_aten.full.default, [], 0.0, dtype=like.dtype, device=like.device)
        kept = call(_aten.where.self, none, zero, node)
    for user in users:
        user.replace_input_with(node, kept)
    return made
