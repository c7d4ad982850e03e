"""The programs that XLA makes for several devices; `test_meshes.py` runs these tests.

What devices send to each other costs more than what they compute. So a function of ours has the
collectives of JAX's own, but for those in `OTHERS`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

import arrayapi_unify as unify
import arrayapi_unify.jax as xp
from tests.binding.calls import RETURNING_ARRAYS, arguments, function

_COLLECTIVES = re.compile(
    r"\b(all-gather|all-reduce|all-to-all|collective-permute|reduce-scatter)(?:-start)?\("
)
# JAX's functions whose shapes depend on values, which it can't compile, or with other arguments.
_NOT_COMPILED = {
    "argwhere", "bincount", "flatnonzero", "intersect1d", "nonzero", "setdiff1d", "split",
    "union1d", "unique", "unique_all", "unique_counts", "unique_inverse", "unique_values",
}  # fmt: skip
_FINITE = {"all-reduce": 1}, "whether all elements are finite, which LAPACK must not miss"
_FINITE_ONLY = {"all-reduce": 1, "all-to-all": -1}, f"{_FINITE[1]}; JAX makes x symmetric"
# The collectives that ours have more than JAX's (fewer, if negative), with their reason.
OTHERS: dict[str, tuple[dict[str, int], str]] = {
    "linalg.cholesky": ({"all-to-all": -1}, "JAX makes x symmetric, with its transposed"),
    "linalg.cond": ({"all-reduce": 3}, "finiteness, and infinity for a singular matrix"),
    "linalg.eig": _FINITE,
    "linalg.eigh": _FINITE_ONLY,
    "linalg.eigvals": _FINITE,
    "linalg.eigvalsh": _FINITE_ONLY,
    "linalg.lstsq": ({"all-gather": 1}, "pinv and svdvals, which gather a each"),
    "linalg.matrix_rank": _FINITE,
    "linalg.pinv": _FINITE,
    "linalg.svd": _FINITE,
    "linalg.svdvals": _FINITE,
}


def _bare(name: str) -> Any:
    found: Any = jnp
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _collectives(call: Any, given: Any, wrap: Callable[[Any], Any]) -> Counter[str]:
    """Return the collectives of a call's program, by their names."""
    leaves, tree = jax.tree.flatten(given, is_leaf=_is_array)
    places = [i for i, leaf in enumerate(leaves) if _is_array(leaf)]

    def program(*arrays: Any) -> Any:
        new = [*leaves]
        for place, array in zip(places, arrays, strict=True):
            new[place] = wrap(array)
        found = call(*jax.tree.unflatten(tree, new))
        return jax.tree.map(lambda x: x.data if _is_array(x) else x, found, is_leaf=_is_array)

    lowered = jax.jit(program).lower(*[leaves[place].data for place in places])
    return Counter(_COLLECTIVES.findall(lowered.compile().as_text()))


def _is_array(value: Any) -> bool:
    return isinstance(value, unify.Array)


COMMON = [name for name in RETURNING_ARRAYS if callable(_bare(name)) and name not in _NOT_COMPILED]


def _split(value: Any, **more: Any) -> unify.Array:
    return xp.asarray(value, **more).to_device("mesh[rows=2]('rows',)")


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMON)
def test_collectives_are_those_of_jax(name: str) -> None:
    given = arguments(name, _split)
    ours = _collectives(function(xp, name), given, unify.Array)
    ours.subtract(_collectives(_bare(name), given, lambda array: array))
    more = {collective: count for collective, count in ours.items() if count}
    assert more == OTHERS.get(name, ({}, ""))[0]


def test_calls_that_send_are_noticed() -> None:
    """A sum over the split axis is an all-reduce, which the test above counts."""
    x = _split([[1.0, 2.0], [3.0, 4.0]])
    found = _collectives(lambda y: xp.sum(y, axis=0), (x,), unify.Array)
    assert found == {"all-reduce": 1}
