"""The functions of each library, bare and through our namespace, on arrays of NumPy."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Final

import ml_dtypes
import numpy as np

from benchmarks.special_value_cost import bare_function

__all__ = [
    "LIBRARIES",
    "REFUSALS",
    "MODULES",
    "Calls",
    "calls",
    "conversions",
    "is_same_kernel",
    "translated",
]

LIBRARIES: Final = ("numpy", "torch", "tensorflow", "jax")
REFUSALS: Final = (TypeError, ValueError, NotImplementedError, RuntimeError)
"""What a function raises that doesn't take a data type; TensorFlow's errors are among them."""

ONE_THREAD: Final = {
    "OMP_NUM_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}
"""Variables that the libraries read when they are imported."""

Calls = dict[str, Callable[..., Any]]
MODULES: Final = {"jax": "jax.numpy"}
_INT16: Final = np.dtype(np.int16)


def _is_bfloat16(array: Any) -> bool:
    return bool(array.dtype == ml_dtypes.bfloat16)


def _to_torch(array: Any) -> Any:
    torch = importlib.import_module("torch")
    if _is_bfloat16(array):
        return torch.from_numpy(array.view(_INT16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def _of_torch(tensor: Any) -> Any:
    torch = importlib.import_module("torch")
    if tensor.dtype is torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()


def conversions(library: str) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Return what makes a library's array of one of NumPy, and back."""
    if library == "numpy":
        return lambda x: x, lambda x: x
    if library == "torch":
        return _to_torch, _of_torch
    if library == "tensorflow":
        return importlib.import_module("tensorflow").constant, lambda x: x.numpy()
    return importlib.import_module("jax.numpy").asarray, np.asarray


def calls(library: str, function: str) -> Calls:
    """Return the bare function, where the library has one, and ours, for arrays of NumPy."""
    xp = importlib.import_module("arrayapi_unify").get_backend(library)  # JAX gets 64 bits
    namespace = importlib.import_module(MODULES.get(library, library))
    to_native, of_native = conversions(library)
    ours = getattr(xp, function)
    found: Calls = {
        "ours": lambda *arrays: of_native(ours(*(xp.asarray(to_native(a)) for a in arrays)).data)
    }
    bare = bare_function(library, namespace, function)
    if bare is not None:
        found["bare"] = lambda *arrays: of_native(bare(*map(to_native, arrays)))
    if library == "tensorflow":
        return {who: translated(call) for who, call in found.items()}
    return found


def is_same_kernel(library: str, function: str, array: Any) -> bool:
    """Return True if ours calls the library's own function alone, whatever the values.

    Graphs rely on the same table, which the tests check. Ours then gives what bare gives, to the
    bit, so that one of them is measured for both.
    """
    backend = importlib.import_module(f"arrayapi_unify.backends.{library}._equivalents")
    namespace = importlib.import_module(MODULES.get(library, library))
    found = backend.equivalent(function, (conversions(library)[0](array),), {})
    return found is not None and found[0] is bare_function(library, namespace, function)


def translated(call: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function raise a TypeError where a kernel of TensorFlow is missing."""
    missing = importlib.import_module("tensorflow").errors.OpError

    def translated(*arrays: Any) -> Any:
        try:
            return call(*arrays)
        except missing as error:
            raise TypeError(str(error)) from None

    return translated
