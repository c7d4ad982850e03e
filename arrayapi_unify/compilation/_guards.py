"""Guards: generated code that checks the arguments of a call, and extracts their arrays.

Finding a program by key takes a pass over the call's nests. After a program's first run their
structure is known, and a guard that compares with it takes a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arrayapi_unify._core.container_base import Nested
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import name_of
from arrayapi_unify.compilation._call_key import LITERALS

__all__ = ["GuardBuilder", "GuardFailed"]

# Exact types only: a subclass may have more content, which isn't checked here.
_NESTS: Final = (list, tuple, dict)


class GuardFailed(Exception):
    """A call or result doesn't match the one for which a program was compiled."""


class _Unguardable(Exception):
    """The arguments contain values that only the whole key distinguishes."""


class GuardBuilder:
    """The lines that raise `GuardFailed` or assign the native arrays, for arguments like these."""

    def __init__(self, args: Sequence[Any], array: type[Array]) -> None:
        """Write the lines; only the data of Arrays of the class `array` is used."""
        self._array = array
        self._met: set[int] = set()
        self._count = 0
        self.parameters = [f"p{i}" for i in range(len(args))]
        self.names: dict[str, Any] = {"_GuardFailed": GuardFailed, "_array": array}
        self.lines: list[str] = []
        # The names of the arrays, and the source of their data.
        self.arrays: list[str] = []
        self.natives: list[str] = []
        # True if the parameters are the native arrays themselves.
        self.bare = not any(isinstance(x, Array) or name_of(x) is None for x in args)
        for parameter, value in zip(self.parameters, args, strict=True):
            self._read(parameter, value)
        if not self.natives:  # the backend of such a call depends on the setting
            raise _Unguardable

    @classmethod
    def of(cls, args: Sequence[Any], array: type[Array]) -> GuardBuilder | None:
        """Return the guard for such arguments; None if only the whole key distinguishes them."""
        try:
            return cls(args, array)
        except _Unguardable:
            return None

    @property
    def plain(self) -> list[str]:
        """The lines that raise `GuardFailed` if an Array may have another layout than a new one."""
        pairs = zip(self.arrays, self.natives, strict=True)
        found = [f"{name}._view is not None" for name, native in pairs if name != native]
        return [f"if {' or '.join(found)}:", "    raise _GuardFailed"] if found else []

    def _read(self, name: str, value: Any) -> None:
        if isinstance(value, Array) or name_of(value) is not None:
            self._take(name, value)
        elif isinstance(value, Nested) or type(value) in _NESTS:
            self._open(name, value)
        elif type(value) in LITERALS:
            self.expect(f"type({name}) is {self._name(type(value))} and {name} == {value!r}")
        elif type(value) in (float, complex):  # distinguishes zeros, and finds NaN
            alike = f"{self._name(repr)}({name}) == {repr(value)!r}"
            self.expect(f"type({name}) is {self._name(type(value))} and {alike}")
        else:
            raise _Unguardable

    def _take(self, name: str, value: Any) -> None:
        wrapped = isinstance(value, Array)
        if id(value) in self._met or (wrapped and type(value) is not self._array):
            raise _Unguardable
        self._met.add(id(value))
        if name not in self.parameters:  # their types were already checked
            kind = "_array" if wrapped else self._name(type(value))
            self.expect(f"type({name}) is {kind}")
        self.arrays.append(name)
        self.natives.append(f"{name}._data" if wrapped else name)

    def _open(self, name: str, value: Any) -> None:
        """Name the nodes of a nest that has the same class and names."""
        kind = self._name(type(value))
        nodes = value._nodes if isinstance(value, Nested) else value
        inner = f"{name}._nodes" if isinstance(value, Nested) else name
        if isinstance(nodes, dict):
            parts = list(nodes.values())
            if not all(type(key) is str for key in nodes):  # 1, 1.0 and True are one key
                raise _Unguardable
            self.expect(f"type({name}) is {kind} and (*{inner},) == {self._name(tuple(nodes))}")
            inner = f"{inner}.values()"
        else:
            parts = list(nodes)
            self.expect(f"type({name}) is {kind} and len({inner}) == {len(parts)}")
        named = [f"v{self._count + i}" for i in range(len(parts))]
        self._count += len(parts)
        if parts:
            self.lines.append(f"{''.join(f'{one}, ' for one in named)} = {inner}")
        for one, part in zip(named, parts, strict=True):
            self._read(one, part)

    def expect(self, condition: str) -> None:
        """Write lines that raise `GuardFailed` where a condition isn't true."""
        self.lines += [f"if not ({condition}):", "    raise _GuardFailed"]

    def _name(self, value: Any) -> str:
        name = f"c{len(self.names)}"
        self.names[name] = value
        return name
