"""Special functions of the PyTorch backend: its own where they keep their digits in the tails.

PyTorch's `erfcx`, `ndtr` and `log_ndtr` don't, and neither does its `erfinv` where it is built
without Intel's library.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch

from arrayapi_unify.backends._common.algorithms import error_functions
from arrayapi_unify.backends._common.algorithms.nn import native_activations
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.torch.nn.activations import is_real

__getattr__, __dir__ = make_extension_getattr(__name__)

Tensor = torch.Tensor
_BLOCK: Final = 2**15


def _in_blocks(compute: Callable[[Any, Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """Make a function that computes in double precision, by parts that stay in the cache."""

    def whole(x: Tensor) -> Tensor:
        return compute(torch, x.to(torch.float64)).to(x.dtype)

    def kernel(x: Tensor) -> Tensor:
        if torch.compiler.is_compiling() or x.numel() <= _BLOCK or not x.is_cpu:
            return whole(x)
        parts = [whole(part) for part in torch.split(x.reshape(-1), _BLOCK)]
        return torch.cat(parts).reshape(x.shape)

    return kernel


_KERNELS: Final = {name: _in_blocks(f) for name, f in error_functions.FUNCTIONS.items()}
_OWN: Final = {"erf": torch.erf, "erfc": torch.erfc, "ndtri": torch.special.ndtri}
PARTIAL: Final = native_activations(_KERNELS | _OWN, {}, Tensor.dim, is_real)
