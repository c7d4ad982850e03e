"""`Device`: where an array lives, the same object on every backend.

Devices are interned, so equal devices are the identical object, and `x.device` compares equal to
itself across calls. A device also equals its own name, which lets users write `"cpu"`. A mesh of
several, over which arrays are split, is a device, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arrayapi_unify._core.settings import CREATION, Setting
from arrayapi_unify.errors import UnifyTypeError, fault, shown

__all__ = ["CPU", "NATIVES", "OF_NATIVE", "Device", "as_device", "preferred_device"]

_INTERNED: dict[str, Device] = {}
_MESH: Final = "mesh"

NATIVES: Final[dict[str, Any]] = {}
"""The library's own objects of the meshes in use, by their names."""

OF_NATIVE: Final[list[Callable[[object], Device | None]]] = []
"""Functions that return the `Device` of a library's own device, or None; see `as_device`."""


class Device:
    """A device by name: `"cpu"`, `"gpu:0"`, or a mesh of several: `"mesh[rows=8]('rows',)"`.

    The name of a mesh has its axes with their sizes, and then, for each axis of an array, the ones
    over which it is split. Axes of arrays that aren't named, or don't divide, aren't split.

    Examples
    --------
    >>> Device("cpu") is Device("cpu"), Device("cpu") == "cpu", Device("gpu:1").index
    (True, True, 1)
    """

    __slots__ = ("name",)
    name: str

    def __new__(cls, name: str) -> Device:
        """Return the one `Device` of that name."""
        if not isinstance(name, str):
            raise UnifyTypeError(f"Device: argument 'name' is {shown(name)}; pass a string")
        found = _INTERNED.get(name)
        if found is None:
            found = object.__new__(cls)
            object.__setattr__(found, "name", name)
            found = _INTERNED.setdefault(name, found)
        return found

    def __setattr__(self, name: str, value: object) -> None:
        """Raise: a device is shared by every array that lives on it."""
        raise AttributeError(f"a Device is immutable; {name!r} can't be set")

    @property
    def kind(self) -> str:
        """The name without the index: `"cpu"`, `"gpu"`, and `"mesh"` of a mesh."""
        return _MESH if self.name.startswith(f"{_MESH}[") else self.name.partition(":")[0]

    @property
    def index(self) -> int:
        """The index among the devices of this kind, 0 where the name has none."""
        return 0 if self.kind == _MESH else int(self.name.partition(":")[2] or 0)

    @property
    def native(self) -> Any:
        """JAX's `Sharding` of a mesh; None before its first use, and for other devices."""
        return NATIVES.get(self.name)

    def __enter__(self) -> Device:
        """Begin a block in which arrays are created on this device."""
        preferred_device.enter(self, self)
        return self

    def __exit__(self, *exc: object) -> None:
        """End the block."""
        preferred_device.leave(self)

    def __eq__(self, other: object) -> bool:
        """Return True if `other` is this device or its name."""
        return self is other or (isinstance(other, str) and other == self.name)

    def __hash__(self) -> int:
        """Hash as the name does, since a device equals its name."""
        return hash(self.name)

    def __repr__(self) -> str:
        """Show how to make it."""
        return f"Device({self.name!r})"

    def __str__(self) -> str:
        """Show the bare name."""
        return self.name

    def __reduce__(self) -> tuple[type[Device], tuple[str]]:
        """Pickle by name, so that unpickling gives the one object again."""
        return Device, (self.name,)


CPU = Device("cpu")

preferred_device: Final = Setting[Device | None]("preferred_device", None, CREATION)
"""The device that the user chose; None leaves the choice to the backend."""


def as_device(device: object) -> Device:
    """Return the `Device` that an argument names, or that stands for a library's own one."""
    if isinstance(device, Device):
        return device
    if isinstance(device, str) and device and not device.startswith("/"):
        return Device(device)
    for of_native in OF_NATIVE:
        found = of_native(device)
        if found is not None:
            return found
    remedy = "pass a Device or its name, such as 'cpu'"
    raise fault(UnifyTypeError, device, "is no device", remedy)
