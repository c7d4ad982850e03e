"""The PyTorch backend: `torch.Tensor` in, `torch.Tensor` out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch

from arrayapi_unify.backends._common.protocols.defaults import lazy, pickled
from arrayapi_unify.backends._common.protocols.interchange import dlpack_device
from arrayapi_unify.backends._common.protocols.module_getattr import make_getattr
from arrayapi_unify.backends.torch import _aliasing as aliasing
from arrayapi_unify.backends.torch._aliasing import version_of
from arrayapi_unify.backends.torch._core import is_compiling, is_wrapped
from arrayapi_unify.backends.torch._devices import device_of, devices, native_device
from arrayapi_unify.backends.torch._dynamo import trace_operators
from arrayapi_unify.backends.torch._errors import as_library_error, translate_error
from arrayapi_unify.backends.torch._in_place import in_place
from arrayapi_unify.backends.torch._interchange import dlpack, to_numpy
from arrayapi_unify.backends.torch._mutation import shares_memory, write, write_all, write_through
from arrayapi_unify.backends.torch._pytree import node_of, register_node
from arrayapi_unify.backends.torch._scattered import is_scattered
from arrayapi_unify.backends.torch.dtypes import DTYPES, as_dtype, dtype_of

Tensor = torch.Tensor
maybe_get_level = torch._C._functorch.maybe_get_level

__getattr__, __dir__ = make_getattr(__name__)

NAME: Final = "torch"
RESULT_TYPE: Final = None
NATIVE_TYPE: type = torch.Tensor
LAZY_REFRESH: Final = False
# A tensor that autograd tracks must not be modified.
VIEW_EMULATION: Final = "requires_grad"
# torch.compile reads what it compiles.
EAGER_BINDING: Final = True
CAPABILITIES: Final = {
    "boolean indexing": True,
    "data-dependent shapes": True,
    "max dimensions": 64,
}


def copy(x: Tensor) -> Tensor:
    """Copy a tensor, with gradients passing through."""
    return x.clone()


def as_native_array(value: Tensor) -> Tensor:
    """Return the tensor: natives never return anything else."""
    return value


def is_native_type(kind: type) -> bool:
    """Return True if instances of `kind` are tensors."""
    return issubclass(kind, Tensor)


def suppress_warnings(body: Callable[..., Any]) -> Callable[..., Any]:
    """Return the body: nothing here warns about special values."""
    return body


def shape_of(x: Tensor) -> tuple[int, ...]:
    """Return the shape."""
    return tuple(x.shape)


# --- writing ----------------------------------------------------------------------------------


def tracer_of(x: Tensor) -> Any:
    """Return what a tensor without values belongs to, or the level of torch.func that wraps it.

    torch.compile sees a write to memory.
    """
    if type(x) is not Tensor:
        return getattr(x, "fake_mode", None)
    return maybe_get_level(x) if not is_compiling() and is_wrapped(x) else None


def join_complex(real: Tensor, imag: Tensor) -> Tensor:
    """Return the complex array of two components."""
    return torch.complex(real, imag)


trace_operators()
