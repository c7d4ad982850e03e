"""Constraints on arguments, beyond the roles and names of a function's parameters.

A constraint draws the arguments of one function that depend on each other; the others are drawn as
usual. It is registered under the function's name:

    @constrain("linalg.cholesky")
    def _cholesky(builder: CallBuilder) -> Arguments: ...

If it omits arguments intentionally, because the standard doesn't specify the result and no value is
better than another, a comment says so.
"""

from tests.differential.constraints import (
    activations as activations,
    arrays as arrays,
    beyond as beyond,
    convolutions as convolutions,
    creation as creation,
    elementwise as elementwise,
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
)
from tests.differential.constraints._registry import CONSTRAINTS, SHAPES, constrain

__all__ = ["CONSTRAINTS", "SHAPES", "constrain"]
