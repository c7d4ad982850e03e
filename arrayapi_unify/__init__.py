"""arrayapi_unify: NumPy, PyTorch, TensorFlow and JAX as one array library.

The top level is a namespace of the Python Array API standard 2025.12. Its functions run on the
backend of their arrays; without an array on the one that is set (`set_backend`), else on NumPy.
`x.__array_namespace__()`, `arrayapi_unify.numpy` and its sisters are bound to one backend.

Source: https://data-apis.org/array-api/2025.12/
"""

import importlib as _importlib
from types import ModuleType as _ModuleType

from arrayapi_unify import backends as _backends
from arrayapi_unify import fft, linalg
from arrayapi_unify._version import __version__ as __version__
from arrayapi_unify.array_object import Array, NativeArray
from arrayapi_unify.container import Container
from arrayapi_unify.devices import Device
from arrayapi_unify.dtypes import (
    DType,
    bool,
    complex64,
    complex128,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from arrayapi_unify.errors import BackendError, UnifyError

# Each category's `__all__` is the one list of its public names.
from arrayapi_unify.functional.activations import *
from arrayapi_unify.functional.backend import *
from arrayapi_unify.functional.constants import *
from arrayapi_unify.functional.convenience import *
from arrayapi_unify.functional.creation import *
from arrayapi_unify.functional.data_type import *
from arrayapi_unify.functional.device import *
from arrayapi_unify.functional.elementwise import *
from arrayapi_unify.functional.general import *
from arrayapi_unify.functional.indexing import *
from arrayapi_unify.functional.inspection import *
from arrayapi_unify.functional.layers import *
from arrayapi_unify.functional.linear_algebra import *
from arrayapi_unify.functional.losses import *
from arrayapi_unify.functional.manipulation import *
from arrayapi_unify.functional.nan import *
from arrayapi_unify.functional.nest import *
from arrayapi_unify.functional.norms import *
from arrayapi_unify.functional.order_statistics import *
from arrayapi_unify.functional.portable import *
from arrayapi_unify.functional.recurrent import *
from arrayapi_unify.functional.searching import *
from arrayapi_unify.functional.set import *
from arrayapi_unify.functional.sorting import *
from arrayapi_unify.functional.statistical import *
from arrayapi_unify.functional.utility import *

__array_api_version__ = "2025.12"


def __getattr__(name: str) -> _ModuleType:
    """Import a backend's namespace when it is first asked for: `unify.numpy`."""
    if name in _backends.REGISTRY:
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
