from .library import Grid


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    return Grid(x.values.sum(axis=axis, keepdims=keepdims))
