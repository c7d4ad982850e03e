"""A library in the making: 31 functions of NumPy, five data types, no complex numbers.

python -m compliance run tests.unfinished.first --quick
"""

from types import ModuleType

import numpy

FUNCTIONS = (
    *("abs", "add", "all", "arange", "asarray", "concat", "cos", "divide", "empty", "equal"),
    *("exp", "expand_dims", "full", "greater", "isfinite", "isnan", "less", "log"),
    *("logical_and", "logical_not", "matmul", "maximum", "mean", "minimum", "multiply"),
    *("negative", "ones", "reshape", "sqrt", "sum", "zeros"),
)
DTYPES = ("bool", "int32", "int64", "float32", "float64")
ADVISED = ("finfo", "iinfo")


def _made(name: str, *functions: str) -> ModuleType:
    """Return a namespace with some functions."""
    made = ModuleType(f"{__name__}.{name}")
    vars(made).update({each: getattr(numpy, each) for each in (*functions, *DTYPES)})
    return made


first = _made("first", *FUNCTIONS)
second = _made("second", *FUNCTIONS, *ADVISED)
