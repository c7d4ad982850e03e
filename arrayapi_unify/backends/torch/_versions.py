"""How PyTorch tells of writes to a tensor, by a count, and where it can't."""

from __future__ import annotations

from typing import Any, Final

import torch

from arrayapi_unify.backends.torch._core import is_compiling, is_wrapped

__all__ = ["NEW_VERSION", "open_to_others", "unchanged", "version_of"]

Tensor = torch.Tensor

NEW_VERSION: Final = 0
"""The count of a tensor that was just made."""

# The mark of a tensor whose memory somebody else may write to.
_OPEN: Final = "_arrayapi_unify_open"


def open_to_others(x: Tensor) -> Tensor:
    """Note that NumPy, or another library, may write to a tensor's memory; return the tensor.

    PyTorch counts no such write. All views of a tensor have one base, which is told.
    """
    if not is_compiling():
        setattr(x if x._base is None else x._base, _OPEN, True)
    return x


def version_of(x: Tensor) -> Any:
    """Return PyTorch's count of the writes; what is traced or for inference only has none.

    Of memory that others may write to it is another one each time.
    """
    if is_compiling() or is_wrapped(x):
        return None
    try:
        version = x._version
    except RuntimeError:  # for inference only; to ask before takes longer than to try
        return None
    base = x._base
    return object() if hasattr(x if base is None else base, _OPEN) else version


def unchanged(x: Tensor, version: Any, y: Tensor, y_version: Any) -> bool:
    """Whether surely nobody wrote to two tensors since they had these versions.

    All is written out for both: each look at what `flip` returned asks this.
    """
    if version is None or y_version is None or is_compiling():
        return False
    try:
        if x._version != version or y._version != y_version:
            return False
    except RuntimeError:  # for inference only
        return False
    base, y_base = x._base, y._base
    return not (
        hasattr(x if base is None else base, _OPEN)
        or hasattr(y if y_base is None else y_base, _OPEN)
    )
