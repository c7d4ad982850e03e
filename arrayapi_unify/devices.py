"""`Device`: where an array lives, the same object on every backend.

Devices are interned, so equal devices are the identical object, and `x.device` compares equal to
itself across calls. A device also equals its own name, which lets users write `"cpu"`.
"""

from __future__ import annotations

from typing import Final

from arrayapi_unify.errors import UnifyTypeError, fault, shown
from arrayapi_unify.settings import Setting

__all__ = ["CPU", "Device", "as_device", "preferred_device"]

_INTERNED: dict[str, Device] = {}


class Device:
    """A device by name: `"cpu"`, `"gpu:0"`, ...

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
        """The name without the index: `"cpu"`, `"gpu"`."""
        return self.name.partition(":")[0]

    @property
    def index(self) -> int:
        """The index among the devices of this kind, 0 where the name has none."""
        return int(self.name.partition(":")[2] or 0)

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

preferred_device: Final[Setting[Device | None]] = Setting("preferred_device", None)
"""The device that the user chose; None leaves the choice to the backend."""


def as_device(device: Device | str) -> Device:
    """Return the `Device` that an argument names."""
    if isinstance(device, Device):
        return device
    if isinstance(device, str):
        return Device(device)
    remedy = "pass a Device or its name, such as 'cpu'"
    raise fault(UnifyTypeError, device, "is no device", remedy)
