"""`Array`, the one class around the arrays of all backends, and `NativeArray` for those arrays."""

from arrayapi_unify.array_object._array import Array
from arrayapi_unify.array_object.classes import BackendArrayMeta, NativeArray, register_binding

__all__ = [
    "Array",
    "BackendArrayMeta",
    "NativeArray",
    "register_binding",
]
