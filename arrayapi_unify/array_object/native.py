"""`NativeArray`: what the arrays of every loaded framework have in common."""

from __future__ import annotations

import sys

from arrayapi_unify import backends

__all__ = ["NativeArray"]


class _NativeArrayMeta(type):
    """Makes `isinstance` ask the registry, since the frameworks' classes can't inherit from us."""

    def __instancecheck__(cls, instance: object) -> bool:
        return cls.__subclasscheck__(type(instance))

    def __subclasscheck__(cls, kind: type) -> bool:
        return kind is cls or any(
            backends.load(name).is_native_type(kind)
            for name, framework in backends.REGISTRY.items()
            if framework in sys.modules
        )


class NativeArray(metaclass=_NativeArrayMeta):
    """The arrays of the frameworks themselves, for `isinstance` and type hints.

    Holds for `np.ndarray` and the tensor classes of the other frameworks as soon as they are
    imported; not for `Array`, lists or scalars. It can't be instantiated.

    Examples
    --------
    >>> import numpy as np
    >>> isinstance(np.ones(2), NativeArray), isinstance([1, 2], NativeArray)
    (True, False)
    """

    def __new__(cls) -> NativeArray:
        """Raise: native arrays come from their frameworks."""
        raise TypeError("NativeArray is for isinstance and type hints; make an array instead")
