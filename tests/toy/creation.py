import numpy as np

from tests.toy.library import Grid, value


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    if isinstance(obj, Grid) and not copy:
        return obj
    return Grid(np.array(value(obj)))


def zeros(shape, *, dtype=None, device=None):
    return Grid(np.zeros(shape))
