"""Constraints on arguments, beyond the roles and names of a function's parameters.

A constraint draws the arguments of one function that depend on each other; the others are drawn as
usual. It is registered under the function's name:

    @constrain("linalg.cholesky")
    def _cholesky(builder: CallBuilder) -> Arguments: ...

If it omits arguments intentionally, because the standard doesn't specify the result and no value is
better than another, a comment says so.
"""

from tests.differential.constraints import activations as activations
from tests.differential.constraints import arrays as arrays
from tests.differential.constraints import beyond as beyond
from tests.differential.constraints import convolutions as convolutions
from tests.differential.constraints import creation as creation
from tests.differential.constraints import elementwise as elementwise
from tests.differential.constraints import layers as layers
from tests.differential.constraints import linear as linear
from tests.differential.constraints import losses as losses
from tests.differential.constraints import norms as norms
from tests.differential.constraints import numpy_names as numpy_names
from tests.differential.constraints import pooling as pooling
from tests.differential.constraints import random as random
from tests.differential.constraints import rearranging as rearranging
from tests.differential.constraints import series as series
from tests.differential.constraints import special as special
from tests.differential.constraints._registry import CONSTRAINTS, SHAPES, constrain

__all__ = ["CONSTRAINTS", "SHAPES", "constrain"]
