"""Arguments for every public function that returns arrays, made for any backend."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from types import ModuleType
from typing import Any

import numpy as np

import arrayapi_unify as unify
from arrayapi_unify.array_object import Array
from arrayapi_unify.contracts import CONTRACTS, Contract
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import Returns

__all__ = [
    "RETURNING_ARRAYS",
    "WITH_ARRAYS",
    "WITH_LISTS",
    "WITH_OUT",
    "arguments",
    "function",
    "same",
]

FLOATS = [0.25, 0.5, 0.75]
INTEGERS = [1, 2, 3]
BOOLS = [True, False, True]
COMPLEX = [1 + 1j, 2 - 1j, 0.5 + 0j]
MATRIX = [[2.0, 1.0], [1.0, 3.0]]
KEY = np.array([0, 7], np.uint32)  # a list wouldn't have 32-bit words

# Two channels, the last axis, of three elements along each other axis; and filters for them.
SIGNALS = {n: np.linspace(-1, 1, 2 * 3**n).reshape(1, *(3,) * n, 2).tolist() for n in (1, 2, 3)}
FILTERS = {n: np.linspace(-1, 1, 4 * 2**n).reshape(*(2,) * n, 2, 2).tolist() for n in (1, 2, 3)}
CHANNELS = [[[1.0, 2.0, 3.0], [0.5, 0.25, -1.0]]]

Make = Callable[[Any], Any]

_POOLING = {
    f"nn.{kind}_pool{n}d": n
    for kind in ("avg", "max", "adaptive_avg", "adaptive_max")
    for n in SIGNALS
}

_JOINING = ("column_stack", "concat", "dstack", "hstack", "lexsort", "select", "stack", "vstack")

_DATA: dict[str, list[Any]] = {
    **{name: [SIGNALS[n]] for name, n in _POOLING.items()},
    **{f"nn.conv{n}d": [SIGNALS[n], FILTERS[n]] for n in SIGNALS},
    **{f"nn.conv{n}d_transpose": [SIGNALS[n], FILTERS[n]] for n in SIGNALS},
    "nn.depthwise_conv": [SIGNALS[1], [[[1.0], [0.5]], [[2.0], [-1.0]]]],
    "nn.dropout": [FLOATS, KEY],
    "einops_rearrange": [MATRIX],
    "einops_reduce": [MATRIX],
    "einops_repeat": [FLOATS],
    "nn.embedding": [MATRIX, [1, 0, 1]],
    "nn.gru_cell": [MATRIX, [0.5], [[1.0, 2.0, 3.0]] * 2, [[1.0, 2.0, 3.0]]],
    "nn.interpolate": [SIGNALS[1]],
    "nn.lstm_cell": [MATRIX, [0.5], [0.5], [[1.0, 2.0, 3.0, 4.0]] * 2, [[1.0, 2.0, 3.0, 4.0]]],
    "nn.rnn_cell": [MATRIX, [0.5], [[1.0]] * 2, [[2.0]]],
    "nn.rnn_update": [MATRIX, [0.5], [[1.0]] * 2, [[2.0]]],
    **{name: [MATRIX] for name in ("diagonal", "fliplr", "rot90", "trace", "vsplit")},
    "dsplit": [[MATRIX]],
    "acosh": [[1.5, 2.0, 3.0]],
    "nn.batch_norm": [MATRIX, [0.5, 1.0], [1.0, 2.0]],
    "bincount": [INTEGERS],
    "nn.glu": [[0.25, 0.5, 0.75, 1.0]],
    "nn.group_norm": [[[1.0, 2.0, 4.0, 8.0]]],
    "nn.instance_norm": [[[[1.0, 2.0], [3.0, 5.0]]]],
    "interp": [FLOATS, FLOATS, FLOATS],
    "nn.local_response_norm": [MATRIX],
    "nn.prelu": [MATRIX, [0.5, 0.25]],
    "segment_sum": [FLOATS, [0, 1, 0]],
    "nn.sparse_cross_entropy": [[0, 1], MATRIX],
    "unravel_index": [INTEGERS],
    **{name: [[FLOATS, FLOATS]] for name in _JOINING},
    "where": [BOOLS, FLOATS, FLOATS],
    "nn.gru_update": [MATRIX, [0.5], [[1.0, 2.0, 3.0]] * 2, [[1.0, 2.0, 3.0]]],
    "cross": [FLOATS, [1.0, 0.0, 2.0]],
    "geomspace": [FLOATS, FLOATS],
    "insert": [FLOATS],
    "select": [[BOOLS, BOOLS], [FLOATS, FLOATS]],
    "linalg.cross": [FLOATS, [1.0, 0.0, 2.0]],
    "linalg.outer": [FLOATS, FLOATS],
    "linalg.vector_norm": [FLOATS],
    "nn.linear": [MATRIX, MATRIX],
    "nn.lstm_update": [MATRIX, [0.5], [0.5], [[1.0, 2.0, 3.0, 4.0]] * 2, [[1.0, 2.0, 3.0, 4.0]]],
    "nn.multi_head_attention": [MATRIX],
    "one_hot": [INTEGERS],
    "nn.scaled_dot_product_attention": [MATRIX, MATRIX, MATRIX],
    "tensordot": [MATRIX, MATRIX],
    "take_along_axis": [MATRIX, [[0, 1], [1, 0]]],
    "take": [FLOATS, [2, 0]],
    "isin": [INTEGERS, [3, 1]],
    "searchsorted": [FLOATS, [0.5, 0.6]],
    "matrix_transpose": [MATRIX],
    "matmul": [MATRIX, MATRIX],
    "tril": [MATRIX],
    "triu": [MATRIX],
    "fft.fft": [COMPLEX],
    **{name: [MATRIX] for name in ("fft.fft2", "fft.ifft2", "fft.rfft2", "histogramdd")},
    "fft.fftn": [COMPLEX],
    "fft.ifft": [COMPLEX],
    "fft.ifftn": [COMPLEX],
    "fft.irfft": [COMPLEX],
    "fft.irfftn": [COMPLEX],
    "fft.hfft": [COMPLEX],
    "random.beta": [KEY, FLOATS, 0.5],
    "random.binomial": [KEY, INTEGERS, 0.5],
    "random.categorical": [KEY, FLOATS],
    "random.choice": [KEY, FLOATS],
    "random.dirichlet": [KEY, FLOATS],
    "random.fold_in": [KEY, 3],
    "random.gamma": [KEY, FLOATS],
    "random.multinomial": [KEY, 9, FLOATS],
    "random.permutation": [KEY, FLOATS],
    "random.poisson": [KEY, FLOATS],
    "random.shuffle": [FLOATS],
    "random.truncated_normal": [KEY, -0.5, 2.5],
}
# Arguments before the arrays.
_BEFORE: dict[str, list[Any]] = {"einsum": ["i"]}
_REST: dict[str, list[Any]] = {
    "top_k": [2],
    **{name: [2] for name in _POOLING},
    "array_split": [2],
    "dsplit": [2],
    "hsplit": [3],
    "swapaxes": [0, 0],
    "delete": [1],
    "insert": [1, 7.0],
    "tri": [2],
    **{name: [4] for name in ("bartlett", "blackman", "hamming", "hanning", "identity")},
    "indices": [(2, 2)],
    "kaiser": [4, 2.0],
    "issubdtype": ["float32", "float64"],
    "isscalar": [1.0],
    "tril_indices": [3],
    "triu_indices": [3],
    "vsplit": [2],
    "einops_rearrange": ["a b -> b a"],
    "einops_reduce": ["a b -> a", "sum"],
    "einops_repeat": ["a -> a 2"],
    "nn.interpolate": [5],
    "arange": [4],
    "astype": ["float64"],
    "broadcast_to": [(2, 3)],
    "nn.clip_vector_norm": [0.5],
    "empty": [3],
    "expand_dims": [0],
    "eye": [2],
    "fft.fftfreq": [4],
    "fft.rfftfreq": [4],
    "full": [3, 2.5],
    "full_like": [2.5],
    "get_item": [slice(1, None)],
    "nn.group_norm": [2],
    "nn.layer_norm": [-1],
    "linalg.matrix_power": [2],
    "linspace": [0.0, 1.0, 5],
    "nn.local_response_norm": [2],
    "logspace": [3],
    "moveaxis": [0, 0],
    "nn.multi_head_attention": [1.0, 1],
    "one_hot": [4],
    "ones": [3],
    "pad": [1],
    "permute_dims": [(0,)],
    "repeat": [2],
    "reshape": [(3, 1)],
    "nn.rms_norm": [-1],
    "roll": [1],
    "segment_sum": [2],
    "squeeze": [()],
    "nn.threshold": [0.5, 0.0],
    "tile": [(2,)],
    "to_device": ["cpu"],
    "random.integers": [0, 9],
    "random.key": [7],
    "random.orthogonal": [2],
    "random.randint": [0, 9],
    "unravel_index": [4],
    "zeros": [3],
}
_GIVEN_BY_REST = {"full", "full_like", "repeat"}


def _data(name: str, contract: Contract) -> list[Any]:
    """The values of a function's required arrays, as lists."""
    if name in _DATA:
        return _DATA[name]
    if contract.category == "random":
        return [KEY] * (contract.parameters[0].name == "key")
    roles = (Role.ARRAY, Role.OPERAND, Role.STAR)
    needed = [
        p for p in contract.parameters if p.role in roles and (p.required or p.role is Role.STAR)
    ]
    count = len(needed) - (name in _GIVEN_BY_REST)
    if contract.category == "linalg":
        return [MATRIX] * count
    if name.startswith("bitwise"):
        return [INTEGERS] * count
    if name.startswith("logical"):
        return [BOOLS] * count
    if name in ("real", "imag", "conj"):
        return [COMPLEX] * count
    return [FLOATS] * count


def _arrays(name: str, data: list[Any], make: Make) -> list[Any]:
    if name in _JOINING:
        return [[make(part) for part in list_] for list_ in data]
    # An Array on NumPy shares memory with its source, so `KEY` is copied.
    return [make(copy(part)) for part in data]


def arguments(name: str, make: Make) -> list[Any]:
    """The positional arguments of a call; `make` turns a nested list into an array."""
    contract = CONTRACTS[name]
    if contract.category == "random":
        unify.random.seed(7)  # so that functions with hidden state draw the same in each call
    if contract.converts and name != "select":
        return [FLOATS]
    arrays = _arrays(name, _data(name, contract), make)
    return [*_BEFORE.get(name, []), *arrays, *_REST.get(name, [])]


def function(namespace: ModuleType | Any, name: str) -> Any:
    """The function of a namespace by its qualified name."""
    for part in name.split("."):
        namespace = getattr(namespace, part)
    return namespace


def same(a: Any, b: Any) -> bool:
    """Return True if two results are equal in type, dtype, shape and every value."""
    if isinstance(a, tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if not isinstance(a, Array):
        return bool(type(a) is type(b) and a == b)
    return (
        type(a) is type(b)
        and a.dtype is b.dtype
        and a.shape == b.shape
        and np.array_equal(np.asarray(a), np.asarray(b), equal_nan=a.dtype.kind in "fc")
    )


RETURNING_ARRAYS = sorted(
    name
    for name, contract in CONTRACTS.items()
    if contract.returns is not Returns.OTHER
    and contract.kind != "standalone"
    and name not in ("from_dlpack", "set_item")
)
WITH_OUT = sorted(name for name, contract in CONTRACTS.items() if contract.takes_out)
WITH_ARRAYS = [
    name
    for name in RETURNING_ARRAYS
    if {p.role for p in CONTRACTS[name].parameters if p.required or p.role is Role.STAR}
    & {Role.ARRAY, Role.OPERAND, Role.SEQUENCE, Role.STAR}
    and name != "full"
]
# A key isn't a list: see tests/functional/test_random.py.
WITH_LISTS = [
    name for name in WITH_ARRAYS if name != "nn.dropout" and CONTRACTS[name].category != "random"
]
