"""Everything public, in one module: `import arrayapi_unify` shows it when it is first asked for."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

# `as` tells type checkers that a name is public.
from arrayapi_unify import fft as fft, linalg as linalg, random as random, special as special
from arrayapi_unify._namespace import Namespace as Namespace
from arrayapi_unify._version import __version__ as __version__
from arrayapi_unify.array_object import Array as Array, NativeArray as NativeArray
from arrayapi_unify.binding import modules as _modules
from arrayapi_unify.binding.operators_mixin import UnifyOperatorsMixin as UnifyOperatorsMixin
from arrayapi_unify.container import Container as Container
from arrayapi_unify.devices import Device as Device
from arrayapi_unify.dtypes import (
    DType as DType,
    bfloat16 as bfloat16,
    bool as bool,
    complex64 as complex64,
    complex128 as complex128,
    float16 as float16,
    float32 as float32,
    float64 as float64,
    int8 as int8,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    uint8 as uint8,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
)
from arrayapi_unify.errors import BackendError as BackendError, UnifyError as UnifyError
from arrayapi_unify.graph import Graph as Graph, compile_graph as compile_graph

if _TYPE_CHECKING:
    from arrayapi_unify._functions import *

# Every function and constant of the main namespace: the contracts say which there are.
globals().update(_modules.public_functions(), **_modules.CONSTANTS)
