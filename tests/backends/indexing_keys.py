"""Keys for the native indexing functions, and NumPy's results."""

from __future__ import annotations

from typing import Any

import numpy as np

HUGE = 2**70
MASK = np.asarray([[True, False, True, False], [False] * 4, [True] * 4])
KEYS: list[Any] = [
    0,
    -1,
    (1, -1),
    slice(1, 3),
    slice(None),
    slice(5, 1),
    (slice(None), 2),
    (..., 1),
    (0, ...),
    (1, 2, ...),
    None,
    (None, 1, None, slice(2)),
    (),
    slice(None, None, -1),
    (slice(None, None, 2), slice(3, 0, -2)),
    (slice(2, None, -1), None, 3),
    slice(None, None, HUGE),
    slice(-HUGE, HUGE),
    (slice(None, None, -HUGE), slice(HUGE, None, -1)),
    np.asarray([2, 0]),
    np.asarray([[0, -1], [-3, 2]], np.int8),
    np.asarray(1),
    (slice(None, None, -1), np.asarray([3, 1])),
    (np.asarray([0, 2]), 1),
    (1, ..., np.asarray([0, 2])),
    (np.asarray([0, 2]), None, np.asarray([1, 3])),
    (np.asarray([0, 2]), ..., np.asarray([1, 3])),
    (slice(1, None), np.asarray([], np.int64)),
]
MASKS: list[Any] = [
    MASK,
    MASK[:, 0],
    (slice(None, None, -1), MASK[0]),
    (MASK[:, 0], 1),
    (0, MASK[2]),
]
SMALL = np.arange(12.0).reshape(3, 4)


def assigned(key: Any, value: Any) -> Any:
    result = SMALL.copy()
    result[key] = value
    return result
