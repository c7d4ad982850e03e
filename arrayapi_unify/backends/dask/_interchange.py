"""Values that leave a graph: NumPy and DLPack."""

from __future__ import annotations

from typing import Any, Final

import dask.array as da
import numpy.typing as npt

from arrayapi_unify.backends._common.checks.arguments import raise_copy_error
from arrayapi_unify.backends._common.protocols import interchange
from arrayapi_unify.backends.dask._lazy import values_of

_CPU: Final = 1  # DLPack's code


def to_numpy(x: da.Array, /, *, copy: bool | None = None) -> npt.NDArray[Any]:
    """Compute the values; a graph has no memory to share."""
    if copy is False:
        raise_copy_error("to_numpy", "the values are computed")
    return values_of(x)


def dlpack(x: da.Array, *, copy: bool | None = None, **options: Any) -> Any:
    """Export the values that are computed: new memory, of which `copy` makes no second one."""
    return interchange.dlpack_of_values(x, **options)


def dlpack_device(x: da.Array) -> tuple[Any, int]:
    """Return the CPU, on which blocks are."""
    return _CPU, 0
