"""Calls and programs that failed once: every run repeats each of them on all backends.

A run with a seed (`.ci/draw`, `tox -e differential`) prints the entry of a failure
(docs/testing.md). A call is compared with its oracle, as those that `tests/differential` draws
are. A program is compared with the same steps on NumPy's arrays, as those of `tests/views`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from arrayapi_unify import dtypes
from tests.differential.case import ArrayArg, Case
from tests.views.steps import Index, Own, Part, Ref, Step

__all__ = ["EXAMPLES"]

EXAMPLES: Final[list[Case | tuple[Step, ...]]] = [
    # PyTorch's kernel can't give every layout of a product its shape.
    Case("kron", (
        ArrayArg(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "float64"), "transposed"),
        ArrayArg(np.array([[1.0, 2.0], [3.0, 4.0]], "float64"), None),
    ), {}),
    # Autograd has no rule for the rows of complex numbers that PyTorch's kernel selects.
    Case("nn.embedding", (
        ArrayArg(np.array([[1 + 2j, 3 - 1j], [0.5j, -2 + 0j]], "complex128"), "tracked"),
        ArrayArg(np.array([1, 0, 1], "int64"), None),
    ), {}),
    # NumPy can't infer the number of rows without elements.
    Case("segment_sum", (
        ArrayArg(np.zeros((2, 0), "uint8"), None), ArrayArg(np.array([0, 0], "uint8"), None), 0,
    ), {}),
    # Arrays in a list promote; the oracle treated their numbers as Python's.
    Case("array", (
        [
            ArrayArg(np.array([1, 18446744073709551614], "uint64"), None),
            ArrayArg(np.array([8, -3], "int64"), "reversed"),
        ],
    ), {}),
    # NumPy computes in the data type that is asked for, if that is wider.
    Case("geomspace", (), {
        "start": ArrayArg(np.array(1, "uint8"), None),
        "stop": ArrayArg(np.array([1.0, 1.0, 2.0], "float32"), None), "dtype": dtypes.float64,
    }),
    # NumPy refuses its own int64 of a Python number beside narrower arrays; the oracle did, too.
    Case("select", (
        [ArrayArg(np.array(False, "bool"), None), ArrayArg(np.array(True, "bool"), None)],
        [0, ArrayArg(np.array(7, "uint8"), None)], 0,
    ), {}),
    # A look-up of flattened numbers cut Dask's arrays at other places, and warned of the blocks.
    Case("random.multinomial", (
        ArrayArg(np.array([0, 0], "uint32"), None), 0,
        ArrayArg(np.zeros((3, 5), "float32"), None),
    ), {}),
    # Views of PyTorch's arrays that aren't in C order were computed as if they were.
    (
        Step("asarray", (Own("float64", (2, 3)),)),
        Step("T", (Ref(0),)),
        Step("broadcast_to", (Ref(1), (3, 2))),
        Step("reshape", (Ref(2), (-1,))),
        Step("set_item", (Ref(3), 0, -1.0)),
    ),
    (
        Step("asarray", (Own("float64", (2, 3)),)),
        Step("mT", (Ref(0),)),
        Step("flip", (Ref(1),)),
        Step("reshape", (Ref(2), (-1,))),
        Step("set_item", (Ref(3), 0, -1.0)),
    ),
    # PyTorch's flip copies, and the copy's strides allow no view where NumPy's strides of zero do.
    (
        Step("asarray", (Own("bool", ()),)),
        Step("broadcast_to", (Ref(0), (2,))),
        Step("reshape", (Ref(1), (-1,)), {"copy": None}),
        Step("get_item", (Ref(2), (None, ...))),
        Step("flip", (Ref(3),), {"axis": None}),
        Step("broadcast_to", (Ref(4), (2, 1, 2))),
        Step("reshape", (Ref(5), (-1,)), {"copy": False}),
    ),
    # Dask can't spread a value of unknown size over what index arrays select.
    (
        Step("asarray", (Own("complex128", (3, 3)),)),
        Step("get_item", (Ref(0), Index((False, False, True, *[False] * 6), (3, 3), True))),
        Step("set_item", (Ref(0), (Index((), (0,), False), slice(5, 1, None)), Ref(1))),
    ),
    # Dask makes scalars of 0-d blocks, of which `where` took the data type for a Python number's.
    (
        Step("asarray", (Own("int16", (3,)),)),
        Step("rows", (Ref(0),)),
        Step("set_item", (Ref(1), (), Part(1, ()))),
    ),
    # Dask finds no common cut of two numbers of empty blocks.
    (
        Step("asarray", (Own("int16", (0,)),)),
        Step("concat", (Ref(0), Ref(0))),
        Step("concat", (Ref(1), Ref(0))),
        Step("in_place", ("^=", Ref(1), Ref(2))),
    ),
]  # fmt: skip
