"""Keys and random bits of the PyTorch backend.

PyTorch has few kernels for unsigned integers: the words are computed as signed ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import torch

from arrayapi_unify.backends._common.algorithms import random as common
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.torch._core import is_compiling
from arrayapi_unify.backends.torch._devices import placed
from arrayapi_unify.backends.torch._unsigned import SIGNED, bits as seen_as_signed
from arrayapi_unify.backends.torch.dtypes import DTYPES, as_dtype, dtype_of

__getattr__, __dir__ = make_extension_getattr(__name__)

Tensor = torch.Tensor

# Counters that are encrypted at once on a CPU: what is computed on then stays in the cache.
_BLOCK: Final = 65536
_WORD: Final = 0xFFFFFFFF


def key(seed: int, /, *, device: torch.device | None = None) -> Tensor:
    """Return the words of a seed."""
    words = torch.tensor(common.seed_words(seed), device=placed(device))
    return words.to(torch.int32).view(torch.uint32)


def fold_in(key: Tensor, data: Tensor | int, /) -> Tensor:
    """Encrypt a number with a key: the result is a key."""
    common.check_key("random.fold_in", tuple(key.shape), dtype_of(key))
    data = common.folded(data, Tensor, dtype_of)
    if isinstance(data, int):
        count = torch.full((1,), data, device=key.device, dtype=torch.int64)
    else:
        count = seen_as_signed(data).reshape(1)
    count = count.to(torch.int32)
    pair = common.encrypted(_words(key), (torch.zeros_like(count), count))
    return torch.cat(pair).view(torch.uint32)


def bits(
    key: Tensor, /, shape: int | Sequence[int] = (), *, dtype: torch.dtype | None = None
) -> Tensor:
    """Encrypt the numbers of the elements, block by block on a CPU."""
    common.check_key("random.bits", tuple(key.shape), dtype_of(key))
    plan = common.draw(shape, None if dtype is None else as_dtype(dtype))
    wide = plan.dtype.bits == 64
    block = max(plan.size, 1)
    if key.is_cpu and not is_compiling():
        block = _BLOCK
    parts = [
        _drawn(key, start, min(start + block, plan.size), wide)
        for start in range(0, max(plan.size, 1), block)
    ]
    words = parts[0] if len(parts) == 1 else torch.cat(parts)
    native = DTYPES[plan.dtype]
    # From int32, the narrower ones keep the lowest bits.
    words = words.to(SIGNED[native]).view(native) if native in SIGNED else words.to(native)
    return words.reshape(plan.shape)


def _drawn(key: Tensor, start: int, stop: int, wide: bool) -> Tensor:
    """Encrypt the counters from `start` to `stop`; `wide` are words of 64 bits."""
    count = torch.arange(start, stop, device=key.device)
    pair = (count >> 32).to(torch.int32), count.to(torch.int32)
    x, y = common.encrypted(_words(key), pair)
    return (x.to(torch.int64) << 32) | (y.to(torch.int64) & _WORD) if wide else x ^ y


def _words(key: Tensor) -> tuple[Tensor, Tensor]:
    signed = key.view(torch.int32)
    return signed[:1], signed[1:]
