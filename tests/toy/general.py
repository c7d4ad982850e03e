def to_list(x, /):
    return x.values.tolist()


def to_scalar(x, /):
    return x.values.item()
