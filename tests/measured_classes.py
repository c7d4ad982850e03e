"""Classes that the official suite measures: a transparent proxy, and a subclass of Array.

python -m compliance run class:tests.measured_classes:Proxy@torch
"""

from __future__ import annotations

import functools
from typing import Any

import arrayapi_unify as unify
from arrayapi_unify.overrides import map_arrays


class Proxy(unify.UnifyOperatorsMixin):
    """Holds an array, and behaves as an Array."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return map_arrays(func, args, kwargs, _opened, Proxy)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._array, name)
        return Proxy(found) if isinstance(found, unify.Array) else found

    def to_device(self, device: Any, /, *, stream: Any = None) -> Any:
        return unify.to_device(self, device, stream=stream)  # type: ignore[arg-type]  # it overrides

    def __getitem__(self, key: Any) -> Any:
        return unify.get_item(self, key)  # type: ignore[arg-type]  # it overrides

    def __setitem__(self, key: Any, value: Any) -> None:
        unify.set_item(self, key, value)  # type: ignore[arg-type]  # it overrides


def _opened(x: Any) -> Any:
    return x._array if isinstance(x, Proxy) else x


def _method(name: str) -> Any:
    method = getattr(unify.Array, name)

    @functools.wraps(method)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        return method(self._array, *args, **kwargs)

    return called


for _name in (
    "array_namespace", "bool", "complex", "dlpack", "dlpack_device", "float", "index", "int", "len",
):  # fmt: skip
    setattr(Proxy, f"__{_name}__", _method(f"__{_name}__"))


class Derived(unify.Array):
    """Is an Array, and keeps its class in the result of each function."""

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        found = super().__ivy_array_function__(func, types, args, kwargs)
        return _derived(found)


def _derived(x: Any) -> Any:
    if isinstance(x, list | tuple):
        parts = [_derived(one) for one in x]
        return type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)
    return Derived(x) if type(x) is not Derived and isinstance(x, unify.Array) else x
