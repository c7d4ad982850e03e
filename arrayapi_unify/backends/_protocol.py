"""What a backend is: the names that every `backends/<name>/__init__.py` defines.

A backend module satisfies this protocol as it stands; the registry checks nothing at run time,
`tests/backends` does. The category files beside it hold the native functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from arrayapi_unify.devices import Device
from arrayapi_unify.dtypes import DType

__all__ = ["Backend"]


class Backend(Protocol):
    """The part of a backend that isn't a function of the standard."""

    NAME: str
    """The backend's name in the registry."""

    DTYPES: Mapping[DType, Any]
    """The native data type of each `DType`."""

    RESULT_TYPE: type | None
    """The exact type of every native array, where native functions may return something else
    (NumPy returns scalars for 0-d results); None where they never do."""

    NATIVE_TYPE: type | None
    """The exact type of the library's own arrays, of which a call with native arrays is served
    without a detour; None where there are several."""

    CAPABILITIES: Mapping[str, Any]
    """What `__array_namespace_info__().capabilities()` reports."""

    def owns(self, kind: type) -> bool:
        """Whether instances of `kind` are native arrays of this backend."""

    def canonical(self, value: Any) -> Any:
        """Turn what a native function returned for an array into a native array."""

    def dtype_of(self, x: Any) -> DType:
        """Return the data type of a native array."""

    def as_dtype(self, native: Any) -> DType | None:
        """Return the `DType` of a native data type, None where it isn't one of this backend."""

    def device_of(self, x: Any) -> Device:
        """Return the device of a native array."""

    def devices(self) -> tuple[Device, ...]:
        """List the devices of this machine that the backend can use."""

    def native_device(self, device: Device) -> Any:
        """Return what the native functions take as `device`; raise where there is none such."""

    def shape_of(self, x: Any) -> tuple[int, ...]:
        """Return the shape of a native array as a tuple."""

    FOLLOWED: bool | str
    """Whether views of native arrays can't share their memory, so that they are followed; or the
    name of the arrays' own attribute that says so."""

    layouts: Any
    """The module `_common.layouts` where views may have to be followed, else None."""

    windows: Any
    """The module that takes windows onto one memory apart, where the library lets arrays share
    memory that it can't write to; else None."""

    REFRESHED_LATER: bool
    """Whether those who follow get their data when they are next asked for it; else at once."""

    def trace_of(self, x: Any) -> Any:
        """Return what is being traced where a native array stands for one; None for a real one."""

    def version_of(self, x: Any) -> Any:
        """Return what differs after a write to a native array; None where nobody knows."""

    def compiling(self) -> bool:
        """Whether a compiler follows this very code, line by line."""

    def shares(self, x: Any, y: Any) -> bool:
        """Whether two native arrays are windows onto one memory."""

    def join_complex(self, real: Any, imag: Any) -> Any:
        """Return the complex array of two components."""

    def translate_error(self, error: Exception) -> Exception:
        """Return the built-in exception that says what a native function's error means."""

    def write(self, target: Any, value: Any) -> Any:
        """Store `value` (same shape) in `target`, cast to its dtype; return what now holds it.

        That is `target` itself where it is a window onto memory that may be written to.
        """

    def overwrite(self, target: Any, value: Any) -> Any:
        """Store `value` as `write` does, in memory that other arrays show, whatever tracks it."""

    def write_each(self, targets: Sequence[Any], values: Sequence[Any]) -> bool:
        """Store values in the memory of native arrays of the same shapes and data types.

        Says whether it did: it writes all of them, or none where one can't be written to.
        """

    def in_place(self, native: Callable[..., Any]) -> Callable[[Any, Any], Any]:
        """Derive `x op= y` from a binary native function: returns what now holds the result."""

    def copy(self, x: Any) -> Any:
        """Copy a native array."""

    def dlpack(self, x: Any, **options: Any) -> Any:
        """Export a native array as a DLPack capsule, by the standard's keyword arguments."""

    def dlpack_device(self, x: Any) -> tuple[Any, int]:
        """Return a native array's device in DLPack's numbering."""

    def register_node(
        self,
        kind: type,
        flatten: Callable[[Any], tuple[Sequence[Any], Any]],
        unflatten: Callable[[Any, Sequence[Any]], Any],
    ) -> None:
        """Let the framework's own transformations look into instances of `kind`.

        `flatten(x)` gives the parts, and what `unflatten(structure, parts)` needs beside them.
        """

    def quiet(self, body: Callable[..., Any]) -> Callable[..., Any]:
        """Return a contract's body as it runs on this backend, without warnings about the special
        values that it meets on its way: they say nothing about what the user passed."""

    def to_numpy(self, x: Any, /, *, copy: bool | None = None) -> Any:
        """Return the values as a NumPy array, without a copy where memory allows."""
