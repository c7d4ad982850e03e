"""Everything public, in one module: `import arrayapi_unify` shows it when it is first asked for."""

# `as` tells type checkers that a name is public.
from arrayapi_unify import fft as fft
from arrayapi_unify import initializers as initializers
from arrayapi_unify import linalg as linalg
from arrayapi_unify import optimizers as optimizers
from arrayapi_unify import random as random
from arrayapi_unify._version import __version__ as __version__
from arrayapi_unify.array_object import Array as Array
from arrayapi_unify.array_object import NativeArray as NativeArray
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
from arrayapi_unify.functional import manipulation as _manipulation

# Each category's `__all__` is the one list of its public names.
from arrayapi_unify.functional.backend import *
from arrayapi_unify.functional.compilation import *
from arrayapi_unify.functional.constants import *
from arrayapi_unify.functional.control_flow import *
from arrayapi_unify.functional.creation import *
from arrayapi_unify.functional.data_type import *
from arrayapi_unify.functional.device import *
from arrayapi_unify.functional.einops import *
from arrayapi_unify.functional.elementwise import *
from arrayapi_unify.functional.general import *
from arrayapi_unify.functional.gradients import *
from arrayapi_unify.functional.indexing import *
from arrayapi_unify.functional.inspection import *
from arrayapi_unify.functional.linear_algebra import *
from arrayapi_unify.functional.manipulation import *
from arrayapi_unify.functional.nest import *
from arrayapi_unify.functional.nn.activations import *
from arrayapi_unify.functional.nn.convolutions import *
from arrayapi_unify.functional.nn.dropout import *
from arrayapi_unify.functional.nn.embeddings import *
from arrayapi_unify.functional.nn.interpolation import *
from arrayapi_unify.functional.nn.layers import *
from arrayapi_unify.functional.nn.losses import *
from arrayapi_unify.functional.nn.norms import *
from arrayapi_unify.functional.nn.optimizers import *
from arrayapi_unify.functional.nn.pooling import *
from arrayapi_unify.functional.nn.recurrent import *
from arrayapi_unify.functional.searching import *
from arrayapi_unify.functional.set import *
from arrayapi_unify.functional.sorting import *
from arrayapi_unify.functional.statistical import *
from arrayapi_unify.functional.utility import *
from arrayapi_unify.graph import Graph as Graph
from arrayapi_unify.graph import compile_graph as compile_graph
from arrayapi_unify.module import *

# The other names of `binding.modules.ALIASES`, where type checkers see them.
concatenate = _manipulation.concat
random_normal = random.random_normal
random_uniform = random.random_uniform
