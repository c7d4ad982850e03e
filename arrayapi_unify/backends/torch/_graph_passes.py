"""Changes to inductor's graphs: copies where a write in place changes what is still read."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator
from typing import Any, Final

import torch

_aten: Final = torch.ops.aten


@functools.cache
def graph_pass(change: Callable[[Any], None]) -> Any:
    """Return a change to graphs; inductor keeps programs by the text of its file."""
    passes: Any = importlib.import_module("torch._inductor.custom_graph_pass")

    class Pass(passes.CustomGraphPass):  # type: ignore[misc]  # imported late: its import is slow
        def __call__(self, graph: Any) -> None:
            change(graph)

        def uuid(self) -> Any:
            return passes.get_hash_for_files((change.__code__.co_filename,))

    return Pass()


# Writes to slices, where a loop reads views of what it writes.
_SCATTERS: Final = frozenset({
    _aten.slice_scatter.default, _aten.select_scatter.default, _aten.diagonal_scatter.default,
    _aten.as_strided_scatter.default,
})  # fmt: skip


def separate(graph: Any) -> None:
    """Insert copies where a write in place would change what is still read.

    Inductor writes the result of some operations into their first operand. It doesn't see that
    another operand is a view of the same memory, nor that an argument which takes a later result
    of the program has its memory changed by then.
    """
    last = {
        node.args[0]: node.args[1] for node in graph.nodes if node.target is _aten.copy_.default
    }
    for node in list(graph.nodes):
        if node.target in _SCATTERS and _reads_view(*node.args[:2]):
            _copy(graph, node, node.args[0])
        if not _writes(node):
            continue
        target = _base(node.args[0])
        for read in node.all_input_nodes:
            if read is not node.args[0] and _base(read) is target:
                _copy(graph, node, read)
        if target in last and target not in _chain(last[target]):
            _copy(graph, node, node.args[0])


def _writes(node: Any) -> bool:
    ops: Any = importlib.import_module("torch._inductor.fx_passes.reinplace").inplaceable_ops
    return node.op == "call_function" and node.target in ops


def _is_view(node: Any) -> bool:
    return node.op == "call_function" and getattr(node.target, "is_view", False)


def _base(node: Any) -> Any:
    """Return the node whose memory a view shows."""
    while _is_view(node):
        node = node.args[0]
    return node


def _reads_view(target: Any, node: Any) -> bool:
    """Return True if a loop that writes to a target reads it by a view, without a buffer."""
    if node.target is _aten.copy.default:  # cast and broadcast, here to the same
        node = node.args[1]
    met, left = {node}, [node] if _is_view(node) else []
    while left:
        new = set(left.pop().all_input_nodes) - met
        met |= new
        left += new
    return _is_view(node) and _base(target) in met


def _chain(node: Any) -> Iterator[Any]:
    """Yield what a result was written into, one write after another."""
    while _writes(node):
        node = node.args[0]
        yield node


def _copy(graph: Any, node: Any, read: Any) -> None:
    """Let a node read a copy instead."""
    with graph.inserting_before(node):
        copy = graph.call_function(_aten.clone.default, (read,))
    copy.meta["val"] = torch.empty_like(read.meta["val"])
    node.replace_input_with(read, copy)
