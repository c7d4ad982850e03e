"""Looks of JAX's functions at values of arrays on two devices; `test_meshes.py` runs this test."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from jax._src.array import ArrayImpl

import arrayapi_unify.jax as xp
from tests.binding.calls import RETURNING_ARRAYS, arguments, function

pytestmark = pytest.mark.slow

DEVICE = "mesh[rows=2]('rows',)"
PAGE = Path(__file__).parents[2] / "docs" / "many_devices.md"

# Functions of which a result has a size that depends on values. Those of JAX look, too.
SIZES = {
    "argwhere", "bincount", "flatnonzero", "intersect1d", "nonzero", "setdiff1d", "union1d",
    "unique", "unique_all", "unique_counts", "unique_inverse", "unique_values",
}  # fmt: skip
# Functions that refuse values: one bool says whether they do.
ERRORS = {
    *("nn.embedding", "nanargmax", "nanargmin", "take", "take_along_axis"),
    *(
        f"linalg.{name}"
        for name in (
            "cholesky", "cond", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq", "lu",
            "matrix_rank", "pinv", "solve", "solve_triangular", "svd", "svdvals",
        )
    ),
}  # fmt: skip


def _sizes_of_looks(name: str, monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """Call a function with arrays on two devices; count the looks by how many numbers they see."""
    given = arguments(name, lambda value, **more: xp.asarray(value, **more).to_device(DEVICE))
    seen: Counter[int] = Counter()
    read: Any = ArrayImpl._value

    def counted(self: Any) -> Any:
        seen[self.size] += 1
        return read.fget(self)

    with monkeypatch.context() as patch:
        patch.setattr(ArrayImpl, "_value", property(counted))
        function(xp, name)(*given)
    return seen


def test_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but the functions of the page looks, each at single values."""
    found = {name: _sizes_of_looks(name, monkeypatch) for name in RETURNING_ARRAYS}
    looking = {name: set(sizes) for name, sizes in found.items() if sizes}
    assert looking == {name: {1} for name in SIZES | ERRORS}
    text = PAGE.read_text("utf-8")
    for names in (SIZES, ERRORS):
        assert f"| {len(names)} | {', '.join(f'`{name}`' for name in sorted(names))} |" in text
