"""PyTorch's own adaptive pooling, whose channels stand before the spatial axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch

from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d",
    "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d",
]  # fmt: skip

Tensor = torch.Tensor
_functions: Final[Any] = torch.nn.functional
_FORMATS: Final = ("channels_last", "channels_first")


def _pooling(name: str, count: int) -> Callable[..., Tensor]:
    kernel = getattr(_functions, name)

    def pool(x: Tensor, output_size: Any, /, *, data_format: str = "channels_last") -> Tensor:
        first = data_format == "channels_first"
        found: Tensor = kernel(x if first else x.movedim(-1, 1), output_size)
        return found if first else found.movedim(1, -1)

    def is_served(x: Tensor, output_size: Any, /, *, data_format: str = "channels_last") -> bool:
        several = type(output_size) is tuple or type(output_size) is list
        sizes = output_size if several else (output_size,)
        if several and len(sizes) != count:
            return False
        known = x.dtype in REAL_FLOATING and x.ndim == count + 2 and data_format in _FORMATS
        return known and x.numel() > 0 and all(type(n) is int and n > 0 for n in sizes)

    pool.__name__ = pool.__qualname__ = name
    pool.__doc__ = "Pool by PyTorch's own kernel."
    return partial_mixed(is_served)(pool)


adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d = (
    _pooling(f"adaptive_avg_pool{n}d", n) for n in (1, 2, 3)
)
adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d = (
    _pooling(f"adaptive_max_pool{n}d", n) for n in (1, 2, 3)
)
