"""The namespace that `__array_namespace_info__()` returns, on any backend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arrayapi_unify import dtypes
from arrayapi_unify.devices import Device, as_device, preferred_device
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import UnifyError, UnifyValueError, about_argument


class Info:
    """The inspection namespace of one backend.

    Source: Array API standard 2025.12, "Inspection".
    """

    def __init__(
        self, devices: Callable[[], tuple[Device, ...]], capabilities: Mapping[str, Any]
    ) -> None:
        """Describe a backend by its devices and capabilities; all have every data type."""
        self._devices = devices
        self._capabilities = capabilities

    def capabilities(self) -> dict[str, Any]:
        """Return the optional behaviours of the standard that hold."""
        return dict(self._capabilities)

    def default_device(self) -> Device:
        """Return the device on which arrays are created."""
        chosen = preferred_device.get()
        available = self._devices()
        return chosen if chosen in available else available[0]

    def devices(self) -> tuple[Device, ...]:
        """Return the devices of this machine."""
        return self._devices()

    def default_dtypes(self, *, device: Device | str | None = None) -> dict[str, DType]:
        """Return the data types that Python scalars and indices become."""
        self._check(device)
        return {
            "real floating": dtypes.default_float(),
            "complex floating": dtypes.default_complex(),
            "integral": dtypes.default_int(),
            "indexing": dtypes.int64,
        }

    def dtypes(
        self, *, device: Device | str | None = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, DType]:
        """Return the data types by name, all of them or those of a kind."""
        self._check(device)
        try:
            found = [d for d in dtypes.ALL if kind is None or dtypes.isdtype(d, kind)]
        except UnifyError as error:
            raise about_argument(error, "__array_namespace_info__", "kind") from None
        return {dtype.name: dtype for dtype in found}

    def _check(self, device: Device | str | None) -> None:
        if device is not None and _device(device) not in self._devices() and not _is_mesh(device):
            known = ", ".join(str(known) for known in self._devices())
            raise UnifyValueError(
                f"__array_namespace_info__: there is no device {device}; the devices are {known}"
            )


def _is_mesh(device: Device | str) -> bool:
    """Return True for a mesh that is in use; the data types are those of its devices."""
    return _device(device).native is not None


def _device(device: Device | str) -> Device:
    """Return the device that an argument names."""
    try:
        return as_device(device)
    except UnifyError as error:
        raise about_argument(error, "__array_namespace_info__", "device") from None
