"""The data types of the standard in PyTorch, and the promotion table in terms of them.

PyTorch promotes by its own rules (int32 with float32 is float32, 0-d tensors are weak, int64 with
uint64 is refused), so natives look the result up here and cast to it first.
"""

from __future__ import annotations

from typing import Any, Final

import torch

from arrayapi_unify import dtypes
from arrayapi_unify.dtypes import DType, NativeDTypes

DTYPES: Final[NativeDTypes[torch.dtype]] = NativeDTypes(
    {d.name: getattr(torch, d.name) for d in dtypes.EVERY}
)
BY_NAME: Final = DTYPES.by_name
_BY_NATIVE: Final = {native: ours for ours, native in DTYPES.items()}

INTEGERS: Final = frozenset(DTYPES[d] for d in dtypes.KINDS["integral"])
COMPLEX: Final = frozenset(DTYPES[d] for d in dtypes.KINDS["complex floating"])
# Real and complex, as torch.is_floating_point isn't.
FLOATING: Final = COMPLEX | {DTYPES[d] for d in dtypes.KINDS["real floating"]}
REAL_FLOATING: Final = FLOATING - COMPLEX

PROMOTED: Final = {
    (DTYPES[a], DTYPES[b]): DTYPES[dtypes.promote(a, b)] for a in dtypes.ALL for b in dtypes.ALL
}
BEFORE_SCALAR: Final = {
    (DTYPES[d], kind): DTYPES[dtypes.promote_scalar(d, kind(0))]
    for d in dtypes.ALL
    for kind in (bool, int, float, complex)
}
"""The data type to which a data type and a type of Python scalar promote."""


def as_dtype(native: Any) -> DType | None:
    """Return the `DType` of a `torch.dtype`, None for others and for those not in the standard."""
    return _BY_NATIVE.get(native) if isinstance(native, torch.dtype) else None


def dtype_of(x: Any) -> DType:
    """Return the data type of a tensor."""
    found = _BY_NATIVE.get(x.dtype)
    if found is None:
        return dtypes.as_dtype(x.dtype)  # raises, and lists the dtypes there are
    return found
