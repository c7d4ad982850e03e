"""Names that NumPy and jax.numpy share, beyond those of the standard.

`ALIASES` are other names of the same objects, `FUNCTIONS` are contracts of their own. Neither are
methods of Containers, whose keys they would hide.
"""

from __future__ import annotations

from typing import Final

__all__ = ["ALIASES", "FUNCTIONS", "LINALG_ONLY", "other_names"]

ALIASES: Final[dict[str, str]] = {
    "absolute": "abs",
    "amax": "max",
    "amin": "min",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "around": "round",
    "bitwise_not": "bitwise_invert",
    "concatenate": "concat",
    "conjugate": "conj",
    "degrees": "rad2deg",
    "erf": "special.erf",
    "erfc": "special.erfc",
    "expit": "special.expit",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "lgamma": "special.lgamma",
    "logsumexp": "special.logsumexp",
    "mod": "remainder",
    "power": "pow",
    "radians": "deg2rad",
    "random_normal": "random.random_normal",
    "random_uniform": "random.random_uniform",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
    "true_divide": "divide",
}
"""The other names of functions in a main namespace, by which published programs know them."""

_OTHER_NAMES: Final = {
    name: [a for a, n in ALIASES.items() if n == name] for name in ALIASES.values()
}

FUNCTIONS: Final = frozenset({
    "angle", "append", "argwhere", "array_equal", "array_split", "atleast_1d", "atleast_2d",
    "atleast_3d", "average", "bartlett", "blackman", "block", "cbrt", "column_stack",
    "convolve", "copy", "cross", "cumprod", "cumsum", "deg2rad", "delete", "diagonal",
    "digitize", "divmod", "dot", "dsplit", "dstack", "ediff1d", "exp2", "flatnonzero", "fliplr",
    "flipud", "float_power", "fmax", "fmin", "fmod", "geomspace", "gradient", "hamming",
    "hanning", "heaviside", "histogram2d", "histogramdd", "hsplit", "hstack", "identity",
    "indices", "inner", "insert", "intersect1d", "iscomplexobj", "isneginf", "isposinf",
    "isscalar", "issubdtype", "kaiser", "lexsort", "nanargmax", "nanargmin", "nancumprod",
    "nancumsum", "nanmedian", "nanpercentile", "nanquantile", "ndim", "outer", "ptp", "rad2deg",
    "ravel", "rot90", "select", "setdiff1d", "shape", "sinc", "size", "swapaxes", "trace",
    "transpose", "tri", "tril_indices", "triu_indices", "union1d", "unique", "vdot", "vsplit",
    "vstack",
})  # fmt: skip
"""The functions that the standard doesn't have, or has in linalg with another meaning."""

LINALG_ONLY: Final = frozenset({"cond", "expm", "lstsq", "lu", "norm", "solve_triangular"})
"""The functions of linalg that the standard doesn't have: no methods, and in linalg alone."""


def other_names(name: str) -> list[str]:
    """Return the aliases of a function, by its qualified name."""
    return _OTHER_NAMES.get(name, [])
