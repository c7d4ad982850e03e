"""Runs on arrays of JAX that are split over devices."""

import pytest
from hypothesis.extra.array_api import BroadcastableShapes

from compliance import view
from compliance.splits import all_rounded, rounded
from compliance.store import load

from .conftest import Workplace

TESTS = """
import os

from hypothesis import given, settings
from hypothesis.extra.array_api import make_strategies_namespace

scope = {{}}
exec(os.environ["ARRAY_API_TESTS_MODULE"][len("exec('"):-len("')")], scope)
namespace = scope["xp"]

xps = make_strategies_namespace(namespace, api_version="2024.12")

@given(xps.arrays(namespace.float64, xps.array_shapes(max_dims=2, max_side=5)))
@settings(max_examples=40, deadline=None)
def test_arrays(x):
    assert x.device.kind == "mesh"
    assert len(x.data.sharding.device_set) == {size}
    assert x.shape[0] % {size} or not x.data.sharding.is_fully_replicated
"""


@pytest.mark.slow
@pytest.mark.parametrize("size", [2])
def test_share_of_split_arrays(workplace: Workplace, size: int) -> None:
    """The shapes that the suite draws divide mostly, and arrays of those that do are split."""
    workplace.write_tests(TESTS.format(size=size))
    suite = str(workplace.suite)
    done = workplace.run("run", "jax", "--split", str(size), "--suite", suite, "--workers", "0")
    assert done.returncode == 0, done.stdout + done.stderr
    stored = load(workplace.output / f"split{size}" / "arrayapi_unify.jax.json")
    assert stored.summary["split"] == size
    share = stored.summary["arrays_on_devices"] / stored.summary["arrays"]
    assert 0.5 < share < 1
    (remark,) = [text for text in view.remarks(stored) if "were split" in text]
    assert remark.startswith(f"{share:.0%} of {stored.summary['arrays']} arrays")
    assert f"split{size}:jax" in stored.meta["command"]


def test_sides_are_rounded_up() -> None:
    """No other side changes, and an empty array stays empty."""
    shapes = [(), (0, 3), (1,), (3, 5), (4, 5)]
    assert [rounded(shape, 4) for shape in shapes] == [(4,), (0, 3), (4,), (4, 5), (4, 5)]


def test_shapes_still_broadcast() -> None:
    given = BroadcastableShapes(((3, 1), (5,), (1, 5), (3, 5)), (3, 5))
    assert all_rounded(given, 2) == (((4, 1), (5,), (1, 5), (4, 5)), (4, 5))
