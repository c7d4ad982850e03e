"""Defaults for a backend with a simple library: on the CPU, in memory of its own, never traced.

A backend's `__init__.py` may import its names from here, and has to define the remaining ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from arrayapi_unify.backends._common.protocols.interchange import dlpack_of_values as dlpack
from arrayapi_unify.devices import CPU, Device
from arrayapi_unify.errors import UnifyValueError

__all__ = [
    "CAPABILITIES",
    "EAGER_BINDING",
    "LAZY_REFRESH",
    "NATIVE_TYPE",
    "RESULT_TYPE",
    "VIEW_EMULATION",
    "aliasing",
    "as_library_error",
    "as_native_array",
    "device_of",
    "devices",
    "dlpack",
    "dlpack_device",
    "is_compiling",
    "is_scattered",
    "lazy",
    "native_device",
    "pickled",
    "node_of",
    "register_node",
    "shares_memory",
    "suppress_warnings",
    "tracer_of",
    "translate_error",
    "version_of",
    "write_all",
]

EAGER_BINDING: Final = False
CAPABILITIES: Final[Mapping[str, Any]] = {
    "boolean indexing": False,
    "data-dependent shapes": False,
    "max dimensions": 64,
}
VIEW_EMULATION: Final = False
NATIVE_TYPE: Final = None
LAZY_REFRESH: Final = False
RESULT_TYPE: Final = None
aliasing: Final = None
lazy: Final = None


def as_native_array(value: Any) -> Any:
    """Return the value: natives never return anything else."""
    return value


def is_compiling() -> bool:
    """Return False: nothing compiles Python with the library."""
    return False


def device_of(x: Any) -> Device:
    """Return the CPU, the only device."""
    return CPU


def devices() -> tuple[Device, ...]:
    """Return the CPU, the only device."""
    return (CPU,)


def native_device(device: Device) -> Device:
    """Return the device; anything but the CPU is refused."""
    if device is not CPU:
        raise UnifyValueError(f"there is no device {device} here; the only one is 'cpu'")
    return device


def dlpack_device(x: Any) -> tuple[Any, int]:
    """Return the array's own answer; the CPU for one without an answer."""
    answer = getattr(x, "__dlpack_device__", None)
    return (1, 0) if answer is None else cast("tuple[Any, int]", answer())


def is_scattered(x: Any) -> bool:
    """Return False: an array lies in one place."""
    return False


def pickled(x: Any) -> None:
    """Return None: arrays are pickled by their values."""


def suppress_warnings(body: Callable[..., Any]) -> Callable[..., Any]:
    """Return the body: the library raises no warnings."""
    return body


def register_node(kind: type, flatten: Any, unflatten: Any, names: Any) -> None:
    """Do nothing: the library looks into no structures."""


def node_of(kind: type) -> None:
    """Return None: the library knows no classes."""


def shares_memory(x: Any, y: Any) -> bool:
    """Return False: every result has memory of its own."""
    return False


def tracer_of(x: Any) -> None:
    """Return None: nothing is traced."""


def translate_error(error: Exception) -> Exception:
    """Return the error as it is."""
    return error


def as_library_error(error: Exception) -> Exception:
    """Return the error as it is: the library has no classes of its own that users catch."""
    return error


def version_of(x: Any) -> None:
    """Return None: the library doesn't track writes."""


def write_all(targets: Sequence[Any], values: Sequence[Any]) -> bool:
    """Return False: the arrays are written one by one."""
    return False
