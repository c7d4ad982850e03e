"""What the source of a backend's function depends on beside its contract."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arrayapi_unify.backends._common.fast_kernel import FastKernel

__all__ = ["PASSTHROUGH", "CodegenOptions"]


@dataclass(frozen=True, slots=True)
class CodegenOptions:
    """What a function's source depends on beside its contract."""

    unwrap: bool
    """Whether natives are called, not the contract's body."""
    result_check: bool
    """Whether natives may return something else than a native array."""
    natives: bool
    """Whether the type of native arrays tells that they are."""
    writes: bool
    """Whether the native function writes into `out` itself."""
    compute_into: bool
    """Whether a function beside the native one may compute into `out`, and says if it did."""
    upcasts: bool
    """Whether arrays of float16 or bfloat16 are computed with in float32."""
    lists: bool
    """Whether the backend has a short way to the array of a plain list."""
    from_list: bool
    """Whether a function beside the native one makes the arrays of plain lists."""
    fast_kernel: FastKernel | None
    view_emulation: bool | str
    """When the result follows its argument: never, always, or the attribute that says so."""
    aliasing: bool
    """Whether the library's own arrays may be aliases of memory that others write to."""
    accepts_views: bool
    """Whether an Array that follows serves with what it holds: nothing that it shares comes out."""

    def is_array(self, name: str) -> str:
        """Render the check that an argument is an Array that needs no slow path."""
        return f"_type({name}) in _kinds" if self.accepts_views else f"_type({name}) is _cls"


PASSTHROUGH: Final = CodegenOptions(
    unwrap=False,
    result_check=False,
    natives=False,
    writes=False,
    compute_into=False,
    upcasts=False,
    lists=False,
    from_list=False,
    fast_kernel=None,
    view_emulation=False,
    aliasing=False,
    accepts_views=False,
)
"""That of a function that hands on what it got."""
