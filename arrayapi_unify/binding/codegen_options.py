"""Options of a generated function: all that its source depends on besides its contract."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arrayapi_unify.backends._common.fast_kernel import FastKernel

__all__ = ["PASSTHROUGH", "CodegenOptions"]


@dataclass(frozen=True, slots=True)
class CodegenOptions:
    """The properties of a backend's function that its source depends on."""

    unwrap: bool
    """True if a native function is called, not the contract's body."""
    result_check: bool
    """True if native functions may return other types than that of native arrays."""
    natives: bool
    """True if native arrays are recognized by their exact type."""
    writes: bool
    """True if the native function writes into `out` itself."""
    compute_into: bool
    """True if the native function has `compute_into`, which may compute into `out`."""
    upcasts: bool
    """True if float16 and bfloat16 arrays are upcast to float32."""
    lists: bool
    """True if the backend's `asarray` has `from_list`, which makes arrays of plain lists."""
    from_list: bool
    """True if the native function has `from_list`, which makes arrays of plain lists."""
    fast_kernel: FastKernel | None
    view_emulation: bool | str
    """If the result is an emulated view: never, always, or the attribute that tells."""
    aliasing: bool
    """True if the library's own arrays may be aliases of memory that is written to elsewhere."""
    accepts_views: bool
    """True if an emulated view needs only its data: the result shares no memory with it."""

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
"""The options of a function that passes its arguments on."""
