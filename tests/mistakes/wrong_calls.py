"""Calls that don't fit: keywords, positions, types, data types, shapes and axes."""

from __future__ import annotations

from typing import Final

from arrayapi_unify.errors import (
    BackendError,
    UnifyIndexError,
    UnifyOverflowError,
    UnifyTypeError,
    UnifyValueError,
)
from tests.mistakes.mistake import Mistake, mistake

# A bound function's keywords are checked by Python itself, which knows no remedy: `**keywords`
# would make a dict in each call. At the top level they arrive in the slow path.
_KEYWORD = "got an unexpected keyword argument"

MISTAKES: Final[list[Mistake]] = [
    # --- keywords and positions
    mistake("unify.sum(x, dim=0)", TypeError, "sum() takes (x, /", _KEYWORD, "'dim'", "use 'axis'"),
    mistake("unify.sum(x, axes=0)", TypeError, "sum()", _KEYWORD, "'axes'", "use 'axis'"),
    mistake("unify.sum(x, keepdim=True)", TypeError, "sum()", "'keepdim'", "use 'keepdims'"),
    mistake("unify.softmax(x, dim=-1)", TypeError, "softmax()", "'dim'", "use 'axis'"),
    mistake("xp.sum(x, dim=0)", TypeError, "sum()", _KEYWORD, "'dim'"),
    mistake("x.sum(dim=0)", TypeError, "sum()", _KEYWORD, "'dim'"),
    mistake(
        "unify.optimizers.Adam(learning_rate=0.1)", TypeError,
        "Adam: argument 'learning_rate'", "use 'lr'",
    ),
    mistake("unify.Linear(units=3)", TypeError, "Linear: argument 'units'", "use 'out_features'"),
    mistake("unify.add(x)", TypeError, "add() takes (x1, x2", "'x2'", "pass x2"),
    mistake("xp.reshape(x)", TypeError, "reshape()", "missing", "'shape'"),
    mistake("unify.Linear(3)", TypeError, "Linear", "missing", "'out_features'"),
    mistake(
        "unify.random.permutation(3)", TypeError, "permutation() takes (key, x", "'x'", "pass x"
    ),
    mistake("xp.zeros(2, 3)", TypeError, "zeros: argument 'dtype' is an integer", "zeros((2, 3))"),
    mistake(
        "xp.stack(x, x)", TypeError,
        "stack: argument 'axis' is float64 array", "pass the arrays as one list: stack([x, y])",
    ),
    mistake("xp.concat(x, x)", TypeError, "concat: argument 'axis'", "one list: concat([x, y])"),
    mistake(
        "unify.conv2d(x, x, 1, 'SAME')", TypeError, "conv2d() takes", "too many", "by keyword"
    ),
    mistake("unify.where(mask, v)", TypeError, "where: argument 'x2' is missing", "pass both"),
    # --- types
    mistake("unify.sin('a')", BackendError, "sin: argument 'x' is 'a'", "pass an array"),
    mistake("xp.add(x, None)", BackendError, "add: argument 'x2' is None", "pass an array"),
    mistake("x + 'a'", TypeError, "+", "'Array'", "'str'"),
    mistake("x + None", TypeError, "+", "'Array'", "'NoneType'"),
    mistake("xp.sum('abc')", BackendError, "sum: argument 'x' is 'abc'", "pass an array"),
    mistake("xp.asarray('abc')", UnifyTypeError, "asarray: argument 'obj'", "'abc'", "numbers"),
    mistake("xp.asarray([1, None])", UnifyTypeError, "asarray: argument 'obj'", "None", "numbers"),
    mistake("xp.asarray({'a': 1})", UnifyTypeError, "asarray: argument 'obj'", "a dict", "pass"),
    mistake("xp.asarray([[1], [2, 3]])", UnifyValueError, "asarray: argument 'obj'", "pad them"),
    mistake("xp.zeros('3')", UnifyTypeError, "zeros: argument 'shape' is '3'", "pass an integer"),
    mistake("xp.zeros((2, None))", UnifyTypeError, "zeros: argument 'shape' is (2, None)", "pass"),
    mistake("xp.zeros(-1)", UnifyValueError, "zeros: argument 'shape' is -1", "pass sizes of 0"),
    mistake("xp.clip(x, 'a', 3)", BackendError, "clip: argument 'min' is 'a'", "pass an array"),
    mistake("xp.linspace(0, 1, -3)", UnifyValueError, "linspace: argument 'num' is -3", "0 or"),
    mistake("xp.arange(0, 10, 0)", UnifyValueError, "arange: argument 'step' is 0", "pass"),
    mistake("unify.Dropout('a')", UnifyTypeError, "Dropout: argument 'rate' is 'a'", "a number"),
    mistake("unify.Linear('3', 3)", TypeError, "Linear: argument 'in_features' is '3'", "pass"),
    # --- data types
    mistake("xp.sin(x, dtype=1)", UnifyTypeError, "sin: argument 'dtype' is 1", "use one of bool"),
    mistake(
        "xp.matmul(x, x, dtype='floa')", UnifyTypeError, "matmul: argument 'dtype'", "'float64'"
    ),
    mistake("v & v", UnifyTypeError, "bitwise_and: argument 'x1'", "float64", "astype(x, dtype)"),
    mistake("~v", UnifyTypeError, "bitwise_invert: argument 'x'", "float64", "astype(x, dtype)"),
    mistake("n += 1.5", UnifyTypeError, "add(x1=int64", "x2=1.5", "x = add(x, y)"),
    mistake(
        "xp.asarray([300], dtype='uint8')", UnifyOverflowError, "asarray(obj=[300]", "wider data"
    ),
    mistake("n[0] = 2**70", UnifyOverflowError, "set_item(x=int64", "wider data type"),
    mistake(
        "xp.asarray([1j], dtype='float64')", UnifyTypeError,
        "asarray: argument 'obj' is complex", "take real(x)",
    ),
    mistake(
        "(v + 1j).astype('float64')", UnifyTypeError,
        "astype: argument 'dtype' is float64", "take real(x)",
    ),
    mistake(
        "xp.floor_divide(v + 1j, 2)", UnifyTypeError,
        "floor_divide: argument 'x1'", "complex128", "take real(x)",
    ),
    mistake("xp.finfo('int32')", UnifyTypeError, "finfo: int32", "use iinfo"),
    # --- shapes and axes
    mistake("x + v[:2]", UnifyValueError, "add(x1=", "x2=float64 array of shape (2,)", "let sizes"),
    mistake("x @ x", UnifyValueError, "matmul: argument 'x2' has shape (2, 3)", "3 rows"),
    mistake("xp.matmul(x, 2)", UnifyValueError, "matmul: argument 'x2' is zero-dim", "multiply"),
    mistake("xp.reshape(x, (4, 2))", UnifyValueError, "reshape: argument 'shape' is (4, 2)", "pas"),
    mistake("xp.sum(x, axis=2)", UnifyIndexError, "sum: argument 'axis' is 2", "from -2 to 1"),
    mistake("xp.sum(x, axis='a')", UnifyTypeError, "sum: argument 'axis' is 'a'", "an integer"),
    mistake("xp.sum(x, axis=(0, 0))", UnifyValueError, "sum: argument 'axis' is (0, 0)", "once"),
    mistake("xp.concat([x, v])", UnifyValueError, "concat: argument 'arrays'", "(3,)", "one shape"),
    mistake("xp.concat([])", UnifyValueError, "concat: argument 'arrays' holds no", "at least one"),
    mistake("xp.squeeze(x, 0)", UnifyValueError, "squeeze: argument 'axis'", "size 2", "size one"),
    mistake(
        "xp.permute_dims(x, (0,))", UnifyValueError,
        "permute_dims: argument 'axes' is (0,)", "name each axis once",
    ),
    mistake(
        "xp.broadcast_to(x, (2, 2))", UnifyValueError,
        "broadcast_to: argument 'shape' is (2, 2)", "let each size",
    ),
    mistake("xp.take(v, n + 5)", UnifyIndexError, "take: argument 'indices' holds 6", "-3 to 2"),
    mistake("xp.take(v, v)", UnifyTypeError, "take: argument 'indices'", "float64", "integers"),
    mistake("xp.split(v, 2)", UnifyValueError, "split: argument", "is 2", "pass a number"),
    mistake("xp.max(xp.zeros(0))", UnifyValueError, "max: argument 'x' has shape (0,)", "pass"),
    mistake("xp.cumulative_sum(x)", UnifyValueError, "cumulative_sum: argument 'axis'", "pass"),
    mistake(
        "unify.einsum('ij,jk', x, x)", UnifyValueError, "einsum: argument 'equation'", "'j'", "name"
    ),
]  # fmt: skip
