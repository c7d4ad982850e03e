"""Keys and random bits of the Dask backend: the same numbers, however they are cut."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from arrayapi_unify.backends._common.algorithms import random as common
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.dask._lift import by_place, chunks_of, constant, lazily
from arrayapi_unify.backends.dask._natives import DaskArray, native, of_blocks
from arrayapi_unify.backends.dask.dtypes import DTYPES, as_dtype, dtype_of
from arrayapi_unify.backends.numpy import random as numpy

__getattr__, __dir__ = make_extension_getattr(__name__)

_WORD = np.dtype(np.uint32)


def key(seed: int, /, *, device: object = None) -> DaskArray:
    """Return the words of a seed."""
    return constant(numpy.key(seed))


def fold_in(key: DaskArray, data: DaskArray | int, /) -> DaskArray:
    """Encrypt a number with a key: the result is a key."""
    common.check_key("random.fold_in", key.shape, dtype_of(key))
    number: Any = common.folded(data, da.Array, dtype_of)
    labels = None if isinstance(number, int) else ()
    pairs = [(key, ("words",)), (number, labels)]
    return lazily(native("random", "fold_in"), ("new",), pairs, _WORD, sizes={"new": 2})


def bits(
    key: DaskArray, /, shape: int | Sequence[int] = (), *, dtype: np.dtype[Any] | None = None
) -> DaskArray:
    """Encrypt the numbers of the elements: those of each block follow from its place."""
    common.check_key("random.bits", key.shape, dtype_of(key))
    plan = common.draw(shape, None if dtype is None else as_dtype(dtype))
    target = DTYPES[plan.dtype]
    strides = tuple(math.prod(plan.shape[a + 1 :]) for a in range(len(plan.shape)))
    function = of_blocks("random_bits", strides=strides, dtype=target)
    words = key if key.npartitions == 1 else key.rechunk(-1)
    return by_place(function, chunks_of(plan.shape, target), target, [(words, ("words",))])
