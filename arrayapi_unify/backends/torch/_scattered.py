"""PyTorch's DTensors, whose elements lie in several processes.

An index of an axis that is split gathers what it selects, and gives a copy where PyTorch promises a
view. PyTorch itself drops a write to it without a word. Here a write goes into the array if it is
the one that is indexed, and is refused if it would go into such a copy.
"""

from __future__ import annotations

import importlib
from typing import Any

import torch

from arrayapi_unify.backends._common.checks.arguments import raise_elsewhere_error
from arrayapi_unify.errors import UnifyValueError, raise_argument_error

Tensor = torch.Tensor


def is_scattered(x: Any) -> bool:
    """Return True for a DTensor; the class isn't imported, as that takes time."""
    return type(x) is not Tensor and hasattr(type(x), "full_tensor")


def check_gathered(function: str, argument: str, x: Any) -> None:
    """Refuse to read elements that lie in several processes."""
    if is_scattered(x):
        remedy = "call full_tensor() of x.data in each of them"
        raise_elsewhere_error(function, argument, x.device_mesh.size(), remedy)


def _shares_parts(x: Any, y: Any) -> bool:
    """Return True if the parts of two DTensors in this process have one memory."""
    mine, others = (z.to_local().untyped_storage().data_ptr() for z in (x, y))
    return bool(mine == others)


def check_follows(x: Any) -> None:
    """Refuse a write to a copy that stands for a view."""
    if is_scattered(x) and x._is_view() and not _shares_parts(x, x._base):
        problem = "is a view along an axis that is split over processes, of which it has a copy"
        remedy = "assign to the array that was indexed, or copy the view before"
        raise_argument_error(UnifyValueError, "set_item", "x", problem, remedy)


def is_out_of_reach(x: Any, window: Any) -> bool:
    """Return True if what a key selects of an array isn't in the memory of its parts."""
    return is_scattered(x) and not _shares_parts(x, window)


def all_of(x: Any) -> Any:
    """Return all elements of a DTensor, and anything else as it is."""
    return x.full_tensor() if is_scattered(x) else x


def joined(x: Any, *kept: int) -> Any:
    """Return a DTensor of which each process has all along each axis but those that are kept."""
    if not is_scattered(x):
        return x
    whole = _module().Replicate()
    places = [place if place.is_shard() and place.dim in kept else whole for place in x.placements]
    return x.redistribute(x.device_mesh, places)


def _module() -> Any:
    return importlib.import_module("torch.distributed.tensor")


def scattered_like(x: Any, whole: Tensor) -> Any:
    """Return a tensor that each process has in parts, as those of another."""
    # Gradients pass through this; `distribute_tensor` takes no tensor that autograd tracks.
    everywhere = [_module().Replicate()] * x.device_mesh.ndim
    given = _module().DTensor.from_local(whole, x.device_mesh, everywhere, run_check=False)
    return given.redistribute(x.device_mesh, x.placements)
