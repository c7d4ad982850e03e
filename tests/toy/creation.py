import numpy as np

from tests.toy.library import Grid, value


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    return obj if isinstance(obj, Grid) and not copy else Grid(value(obj))


def zeros(shape, *, dtype=None, device=None):
    return Grid(np.zeros(shape))
