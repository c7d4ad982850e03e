"""Special functions of the PyTorch backend.

PyTorch's `erfcx`, `ndtr` and `log_ndtr` lose digits in the tails, and so does its `erfinv` where it
is built without Intel's library.
"""

from __future__ import annotations

from typing import Final

import torch

from arrayapi_unify.backends._common.algorithms.nn import native_activations
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.torch.nn.activations import is_real

__getattr__, __dir__ = make_extension_getattr(__name__)

_KERNELS: Final = {"erf": torch.erf, "erfc": torch.erfc, "ndtri": torch.special.ndtri}
PARTIAL: Final = native_activations(_KERNELS, {}, torch.Tensor.dim, is_real)
