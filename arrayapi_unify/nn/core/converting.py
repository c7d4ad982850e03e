"""Conversions of a Module: to devices, backends and data types, and layers of other libraries."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, TypeVar

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.dtypes import as_dtype, isdtype
from arrayapi_unify.errors import raise_type_error
from arrayapi_unify.functional.general import to_backend
from arrayapi_unify.nn.core.traversal import ModuleBase, named, places
from arrayapi_unify.nn.core.variables import register

__all__ = ["Converting"]

C = TypeVar("C", bound="Converting")


class Converting(ModuleBase):
    """The conversions of a Module."""

    @naming("{}.to_device")
    def to_device(self: C, device: Any, /) -> C:
        """Move variables and buffers to a device; return the Module.

        >>> unify.nn.Linear(2, 1).to_device("cpu").v.b.device
        Device('cpu')
        """
        return self._moved(lambda array: array.to_device(device))

    @naming("{}.to_backend")
    def to_backend(self: C, backend: str, /) -> C:
        """Convert variables and buffers to another backend; return the Module.

        They get their own memory, which they share with no other array.

        >>> unify.nn.Linear(2, 1).to_backend("numpy").v.b.backend
        'numpy'
        """

        def moved(array: Array) -> Array:
            there = to_backend(array, backend)
            xp = there.__array_namespace__()
            return array if there is array else xp.asarray(there, copy=True)

        return self._moved(moved)

    @naming("{}.astype")
    def astype(self: C, dtype: Any, /) -> C:
        """Cast floating-point variables and buffers to another floating-point data type.

        Those of other kinds remain, such as the keys of `Dropout`. Returns the Module. The state of
        an optimizer isn't part of it: begin it anew.

        Raises
        ------
        UnifyTypeError
            If `dtype` isn't a floating-point data type.

        Examples
        --------
        >>> unify.nn.Linear(2, 1).astype("float32").v.b.dtype
        float32
        """
        wanted = as_dtype(dtype)
        if not isdtype(wanted, "real floating"):
            raise_type_error(
                f"{type(self).__name__}.astype", "dtype", f"is {wanted}",
                "pass a floating-point data type",
            )  # fmt: skip

        def cast(array: Array) -> Array:
            if not isdtype(array.dtype, "real floating"):
                return array
            return array.__array_namespace__().astype(array, wanted, copy=False)

        return self._moved(cast)

    def _moved(self: C, change: Callable[[Array], Array]) -> C:
        """Convert all arrays or, if one can't be converted, none."""
        kinds = ("variables", "buffers")
        made = [
            (kind, c, change(c.value)) for kind in kinds for c in named(places(self, kind)).values()
        ]
        for kind, variable, array in made:
            variable.write(array)
            if kind == "variables":
                register(variable)
        return self

    @staticmethod
    def from_torch(torch_module: Any, /) -> Any:
        """Convert a layer of `torch.nn` to one of ours, with its names, values and options.

        The result is on the torch backend, and has its own memory. In a Sequential, activations
        become functions. Custom layers raise, because their `forward` is unknown.

        Raises
        ------
        UnifyTypeError
            If the layer isn't supported.
        UnifyValueError
            If it has options that ours lacks.

        Examples
        --------
        >>> import torch
        >>> theirs = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU())
        >>> unify.nn.Module.from_torch(theirs)
        Sequential: 8 numbers in 2 variables
          0: Linear(3, 2)  w float32 (2, 3), b float32 (2,)
          1: relu
        """
        return _torch_layers().from_torch(torch_module)

    @staticmethod
    def from_keras(layer: Any, /) -> Any:
        """Convert a layer of Keras 3 to one of ours, with its values and options.

        The result is on the backend of Keras, has its own memory, and is in evaluation mode, as a
        call of Keras' layer is. An activation, or the selection of the last state of a recurrent
        layer, follows as a function: the result is a `Sequential` then. The layers of a Sequential
        keep their names. In training, the running variance of `BatchNorm` is PyTorch's: it divides
        by n - 1. Custom layers raise, because their `call` is unknown.

        Raises
        ------
        UnifyTypeError
            If the layer isn't supported.
        UnifyValueError
            If it has options that ours lacks, or no variables yet.

        Examples
        --------
        >>> import keras
        >>> theirs = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, "relu", name="a")])
        >>> unify.nn.Module.from_keras(theirs)
        Sequential: 8 numbers in 2 variables
          a: Linear(3, 2)  w float32 (2, 3), b float32 (2,)
          a_relu: relu
        """
        # In a layer above this one, as PyTorch's.
        return importlib.import_module("arrayapi_unify.nn.conversion.keras").from_keras(layer)

    def to_torch(self) -> Any:
        """Return a `torch.nn.Module` with the same names, values and options.

        Layers become those of PyTorch. A custom Module, or a layer with options that PyTorch's
        lacks, becomes a `torch.nn.Module` that calls it, with its variables as parameters.

        >>> unify.nn.Linear(3, 2).to_torch()
        Linear(in_features=3, out_features=2, bias=True)
        """
        return _torch_layers().to_torch(self)


def _torch_layers() -> Any:
    """Return the module for PyTorch's layers, which is in a layer above this one."""
    return importlib.import_module("arrayapi_unify.nn.conversion.torch.layers")
