"""NumPy issues no warnings in quiet calls, in any number of threads."""

from __future__ import annotations

import re
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
import arrayapi_unify.numpy as xp
from arrayapi_unify.backends.numpy import _errstate


def test_no_block_sets_what_numpy_reports() -> None:
    """An interrupt at the end of a `with` leaves NumPy silent; a decorator has no such line."""
    sources = Path(unify.__file__).parent.rglob("*.py")
    found = [path for path in sources if re.search(r"with np\.errstate", path.read_text("utf-8"))]
    assert found == []


class TestWithoutWarnings:
    def test_nothing_is_reported_and_the_result_is_numpys(self) -> None:
        huge = np.asarray([1e300, 1.0])
        with pytest.warns(RuntimeWarning, match="overflow"):
            expected = huge.astype(np.float32)
        assert _errstate.without_warnings(huge.astype, np.float32).tolist() == expected.tolist()

    def test_what_the_caller_set_stays(self) -> None:
        with np.errstate(all="raise"):
            _errstate.without_warnings(np.asarray([1e300]).astype, np.float32)
            with pytest.raises(FloatingPointError):
                np.asarray([1e300]).astype(np.float32)

    def test_a_context_that_is_in_use_is_no_obstacle(self) -> None:
        """Another thread may be in it: calls from within raise as well."""

        def inside() -> Any:
            with pytest.raises(RuntimeError, match="already entered"):
                _errstate.run(int)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                return _errstate.without_warnings(np.asarray([1e300]).astype, np.float32)

        assert _errstate.run(inside).tolist() == [float("inf")]
        assert _errstate.run(lambda: xp.astype(xp.asarray([2.5]), xp.int8)).data.tolist() == [2]

    def test_threads_cast_at_once(self) -> None:
        x, barrier = xp.full(100_000, 1e300), threading.Barrier(4)

        def cast(_: int) -> bool:
            barrier.wait()
            return all(bool(xp.all(xp.isinf(xp.astype(x, xp.float32)))) for _ in range(50))

        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(cast, range(4)))
