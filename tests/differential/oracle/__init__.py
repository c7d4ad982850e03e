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

from tests.differential.oracle import (
    activations as activations,
    arrays as arrays,
    beyond as beyond,
    convolutions as convolutions,
    creation as creation,
    elementwise as elementwise,
    error_functions as error_functions,
    fourier as fourier,
    layers as layers,
    linear as linear,
    losses as losses,
    norms as norms,
    numpy_names as numpy_names,
    pooling as pooling,
    random as random,
    rearranging as rearranging,
    series as series,
    special as special,
    statistical as statistical,
)
from tests.differential.oracle._registry import ORACLES, oracle

__all__ = ["ORACLES", "oracle"]
