"""The expected result of every function: by NumPy or SciPy, or by a formula in plain NumPy.

Nothing here calls `arrayapi_unify`; `test_oracle.py` asserts it. An oracle is a function with the
parameters of the contract, without `device`, `copy` and `out`. It takes NumPy arrays, and data
types by name, and returns NumPy arrays:

    @oracle("log_softmax")
    def _log_softmax(x, /, *, axis=-1): ...

If NumPy has the function with the same name and arguments, a name in a list is enough. Sums and
products of many elements, and everything beyond the standard, are computed in `wide` precision and
rounded once. Oracles don't define invalid arguments: exceptions are compared between backends.
"""

from tests.differential.oracle import activations as activations
from tests.differential.oracle import arrays as arrays
from tests.differential.oracle import beyond as beyond
from tests.differential.oracle import convolutions as convolutions
from tests.differential.oracle import creation as creation
from tests.differential.oracle import elementwise as elementwise
from tests.differential.oracle import error_functions as error_functions
from tests.differential.oracle import fourier as fourier
from tests.differential.oracle import layers as layers
from tests.differential.oracle import linear as linear
from tests.differential.oracle import losses as losses
from tests.differential.oracle import norms as norms
from tests.differential.oracle import numpy_names as numpy_names
from tests.differential.oracle import pooling as pooling
from tests.differential.oracle import random as random
from tests.differential.oracle import rearranging as rearranging
from tests.differential.oracle import series as series
from tests.differential.oracle import special as special
from tests.differential.oracle import statistical as statistical
from tests.differential.oracle._registry import ORACLES, oracle

__all__ = ["ORACLES", "oracle"]
