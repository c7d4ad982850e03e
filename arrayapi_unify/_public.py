"""Everything public, in one module: `import arrayapi_unify` shows it when it is first asked for."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

# `as` tells type checkers that a name is public.
from arrayapi_unify import fft as fft
from arrayapi_unify import linalg as linalg
from arrayapi_unify import random as random
from arrayapi_unify import special as special
from arrayapi_unify._namespace import Namespace as Namespace
from arrayapi_unify._version import __version__ as __version__
from arrayapi_unify.array_object import Array as Array
from arrayapi_unify.array_object import NativeArray as NativeArray
from arrayapi_unify.binding import modules as _modules
from arrayapi_unify.binding.operators_mixin import UnifyOperatorsMixin as UnifyOperatorsMixin
from arrayapi_unify.container import Container as Container
from arrayapi_unify.devices import Device as Device
from arrayapi_unify.dtypes import DType as DType
from arrayapi_unify.dtypes import bfloat16 as bfloat16
from arrayapi_unify.dtypes import bool as bool
from arrayapi_unify.dtypes import complex64 as complex64
from arrayapi_unify.dtypes import complex128 as complex128
from arrayapi_unify.dtypes import float16 as float16
from arrayapi_unify.dtypes import float32 as float32
from arrayapi_unify.dtypes import float64 as float64
from arrayapi_unify.dtypes import int8 as int8
from arrayapi_unify.dtypes import int16 as int16
from arrayapi_unify.dtypes import int32 as int32
from arrayapi_unify.dtypes import int64 as int64
from arrayapi_unify.dtypes import uint8 as uint8
from arrayapi_unify.dtypes import uint16 as uint16
from arrayapi_unify.dtypes import uint32 as uint32
from arrayapi_unify.dtypes import uint64 as uint64
from arrayapi_unify.errors import BackendError as BackendError
from arrayapi_unify.errors import UnifyError as UnifyError
from arrayapi_unify.graph import Graph as Graph
from arrayapi_unify.graph import compile_graph as compile_graph

if _TYPE_CHECKING:
    from arrayapi_unify._functions import *

# Every function and constant of the main namespace: the contracts say which there are.
globals().update(_modules.public_functions(), **_modules.CONSTANTS)
