"""Sizes that masks decide are those of NumPy, and one count serves all arrays of a mask."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from dask.callbacks import Callback

import arrayapi_unify as unify

VALUES = np.arange(120.0).reshape(6, 4, 5) * 7.0 % 11.0
LINE = np.arange(30.0) * 7.0 % 11.0


@contextmanager
def runs() -> Iterator[list[Any]]:
    """Yield one entry for each computation in a block."""
    found: list[Any] = []
    with Callback(start=lambda dsk: found.append(len(dsk))):
        yield found


def _leading(x: Any) -> Any:
    return x[x[:, 0, 0] > 2.0]


def _inner(x: Any) -> Any:
    return x[:, x[0, :, 0] > 4.0]


def _last(x: Any) -> Any:
    return x[..., x[0, 0, :] > 4.0]


def _whole(x: Any) -> Any:
    return x[x > 4.0]


def _two_leading(x: Any) -> Any:
    return x[x[:, :, 0] > 4.0]


def _two_last(x: Any) -> Any:
    return x[:, x[0] > 4.0]


def _twice(x: Any) -> Any:
    return _last(_leading(x))


def _again(x: Any) -> Any:
    return _leading(_leading(x))


def _of_elements(x: Any) -> Any:
    return (_leading(x) + 1.0) * _leading(x)[:, :1, :]


def _two_masks(x: Any) -> Any:
    return x[x[:, 0, 0] > 2.0][:1] + x[x[:, 0, 0] > 2.0]


def _one_beside_several(x: Any) -> Any:
    return x[x[:, 0, 0] == 8.0] + x[x[:, 0, 0] > 2.0]


def _several_beside_one(x: Any) -> Any:
    return x[x[:, 0, 0] > 2.0] + x[x[:, 0, 0] == 8.0]


def _none(x: Any) -> Any:
    return x[x[:, 0, 0] > 99.0] * 2.0


def _sliced(x: Any) -> Any:
    return _leading(x)[:, 1:3]


def _written(x: Any) -> Any:
    part = _leading(x)
    part[:, 0] = 0.0
    part[part > 3.0] = 3.0
    return part


def _equal_numbers_of_other_blocks(x: Any) -> Any:
    return x[x[:, 0, 0] == 8.0] * x[x[:, 0, 0] == 2.0] + x[x[:, 0, 0] == 7.0]


def _known_beside_mask(x: Any) -> Any:
    return x[x[:, 0, 0] > 2.0] + x[2:]


def _chosen(x: Any) -> Any:
    namespace = x.__array_namespace__()
    rows, columns, layers = namespace.nonzero(x > 4.0)
    return rows * 100 + columns * 10 + layers


def _row_beside_mask(x: Any) -> Any:
    return x[2, x[2, :, 0] > 4.0]


PROGRAMS: list[Callable[[Any], Any]] = [
    _leading, _inner, _last, _whole, _two_leading, _two_last, _twice, _again, _of_elements,
    _two_masks, _one_beside_several, _several_beside_one, _none, _sliced, _written,
    _equal_numbers_of_other_blocks, _known_beside_mask, _chosen, _row_beside_mask,
]  # fmt: skip


@pytest.mark.sample(8)
@pytest.mark.parametrize("kept", [False, True], ids=["graphs", "kept"])
@pytest.mark.parametrize("blocks", [False, True], ids=["whole", "chunked"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_sizes_are_those_of_numpy(
    xp: ModuleType, program: Callable[[Any], Any], blocks: bool, kept: bool
) -> None:
    import dask

    with dask.config.set({"array.chunk-size": 32 if blocks else "128MiB"}):
        x = xp.asarray(VALUES) + 0.0
        if kept:
            assert bool(xp.all(x >= 0.0))
        found = program(x)
        wanted = program(VALUES.copy())
        assert found.shape == wanted.shape
        assert tuple(map(sum, found.data.chunks)) == wanted.shape
        blocks_of = [block.compute().shape for block in found.data.blocks.ravel()]
        assert [tuple(map(int, shape)) for shape in blocks_of] == _shapes(found.data.chunks)
        assert found.tolist() == wanted.tolist()


def _shapes(chunks: Any) -> list[tuple[int, ...]]:
    """Return the shapes of blocks, in order."""
    shapes: list[tuple[int, ...]] = [()]
    for sizes in chunks:
        shapes = [(*shape, int(size)) for shape in shapes for size in sizes]
    return shapes


def test_the_example_has_one_element_beside_several() -> None:
    assert [int((VALUES[:, 0, 0] == 8.0).sum()), int((VALUES[:, 0, 0] > 2.0).sum())] == [1, 4]


class TestLooks:
    def test_one_look_serves_all_arrays_of_a_mask(self, chunked: ModuleType) -> None:
        xp = chunked
        x, y = xp.asarray(LINE), xp.sin(xp.asarray(LINE))
        mask = x > 4.0
        parts = [x[mask], y[mask], xp.exp(y[mask]) + x[mask]]
        with runs() as found:
            assert [part.shape for part in parts] == [((LINE > 4.0).sum(),)] * 3
        assert len(found) == 1
        assert [part.tolist() for part in parts[:1]] == [LINE[LINE > 4.0].tolist()]

    def test_the_selected_array_is_not_computed_for_its_size(self, xp: ModuleType) -> None:
        computed: list[int] = []

        def noted(block: Any) -> Any:
            computed.append(block.size)
            return block

        x = xp.asarray(LINE)
        native = x.data.map_blocks(noted, dtype=x.data.dtype, meta=x.data._meta)
        part = unify.Array(native)[x > 4.0]
        assert part.shape == ((LINE > 4.0).sum(),)
        assert computed == []
        assert part.tolist() == LINE[LINE > 4.0].tolist()
        assert computed == [30]

    def test_values_that_a_look_kept_tell_sizes_without_one(self, xp: ModuleType) -> None:
        mask = xp.asarray(LINE) > 4.0
        assert bool(xp.any(mask))
        with unify.computing("refuse"):
            assert xp.sin(xp.asarray(LINE))[mask].shape == ((LINE > 4.0).sum(),)

    def test_without_them_sizes_are_a_look(self, xp: ModuleType) -> None:
        part = xp.asarray(LINE)[xp.asarray(LINE) > 4.0]
        with unify.computing("refuse"):
            assert part.shape == (None,)


def test_a_mask_that_dask_changed_in_place_is_not_counted(xp: ModuleType) -> None:
    """Dask's own subscript puts another graph into the same object."""
    x, mask = xp.asarray(LINE), xp.asarray(LINE) > 4.0
    before, size = x[mask], int((LINE > 4.0).sum())
    mask.data[:] = True
    assert (x[mask].shape, before.shape) == ((30,), (size,))
    mask.data[:] = False
    assert (x[mask].shape, (before + 1.0).shape) == ((0,), (size,))
