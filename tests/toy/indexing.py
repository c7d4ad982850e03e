from .library import Grid


def get_item(x, key, /):
    return Grid(x.values[key].copy())
