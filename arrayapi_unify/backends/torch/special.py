"""Special functions of the PyTorch backend: its own where they keep their digits in the tails.

PyTorch's `erfcx`, `ndtr` and `log_ndtr` don't, and neither does its `erfinv` where it is built
without Intel's library.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

import torch

from arrayapi_unify.backends._common.algorithms.special import BLOCKS, FUNCTIONS, NAMES
from arrayapi_unify.backends._common.algorithms.special.natives import native_functions
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.torch._core import is_wrapped, may_be_differentiated
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

__getattr__, __dir__ = make_extension_getattr(__name__)

Tensor = torch.Tensor


def _has_values(x: Tensor) -> bool:
    """Return True if a program may depend on what is in a tensor, without a wait for a device."""
    if torch.compiler.is_compiling():
        return False
    if torch.jit.is_tracing():  # type: ignore[attr-defined,no-untyped-call]  # not annotated
        return False
    return type(x) is Tensor and x.is_cpu and not is_wrapped(x)


def _holds(condition: Tensor) -> bool | None:
    if not _has_values(condition):
        return None
    count = int(condition.count_nonzero())
    return count == condition.numel() if count in (0, condition.numel()) else None


def _constants(numbers: tuple[float, ...], like: Tensor) -> Tensor:
    return torch.tensor(numbers, dtype=like.dtype, device=like.device)


_NAMESPACE: Final = SimpleNamespace(
    **{name: getattr(torch, name) for name in NAMES},
    constants=_constants,
    stop_gradient=torch.Tensor.detach,
    holds=_holds,
    compresses=lambda *arrays: all(_has_values(x) and not x.requires_grad for x in arrays),
)


def _in_blocks(name: str) -> Callable[..., Tensor]:
    """Make a function that computes in double precision, by parts that stay in the cache."""
    compute, block = FUNCTIONS[name], BLOCKS[name]

    def whole(arrays: tuple[Tensor, ...]) -> Tensor:
        found: Tensor = compute(_NAMESPACE, *(x.to(torch.float64) for x in arrays))
        return found.to(arrays[0].dtype)

    def kernel(*operands: Any) -> Tensor:
        like = next(x for x in operands if isinstance(x, Tensor))
        operands = tuple(x if isinstance(x, Tensor) else like.new_tensor(x) for x in operands)
        arrays = torch.broadcast_tensors(*operands)  # type: ignore[no-untyped-call]  # not annotated
        if torch.compiler.is_compiling() or arrays[0].numel() <= block or not like.is_cpu:
            return whole(arrays)
        parts = zip(*(torch.split(x.reshape(-1), block) for x in arrays), strict=True)
        return torch.cat([whole(part) for part in parts]).reshape(arrays[0].shape)

    return kernel


def _is_tracked(x: Tensor) -> bool:
    # A compiler of Python code knows what may be differentiated.
    return x.requires_grad if torch.compiler.is_compiling() else may_be_differentiated(x)


def _is_real(x: Any) -> bool:
    return isinstance(x, Tensor) and x.dtype in REAL_FLOATING


_OWN: Final = {"erf": torch.erf, "erfc": torch.erfc, "ndtri": torch.special.ndtri}
PARTIAL: Final = native_functions(
    {name: _in_blocks(name) for name in FUNCTIONS} | _OWN, _is_real, _is_tracked
)
