"""NumPy's semantics of views and writes, one sentence for each class."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify.errors import UnifyError
from tests.tables import each

View = Callable[[Any, Any], Any]


class _NumPy:
    """NumPy, with the one name that differs."""

    linalg = np.linalg

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def astype(self, x: Any, dtype: Any, *, copy: bool) -> Any:
        return x.astype(dtype, copy=copy)


TWIN = _NumPy()

# For a (3, 4) array; those in brackets are views of views.
VIEWS: dict[str, View] = {
    "itself": lambda xp, x: x,
    "slice": lambda xp, x: x[1:],
    "slice of columns": lambda xp, x: x[:, ::2],
    "row": lambda xp, x: x[1],
    "column": lambda xp, x: x[:, -1],
    "reversed": lambda xp, x: x[::-1],
    "reversed, every second": lambda xp, x: x[::-2, ::-2],
    "new axis": lambda xp, x: x[:, None],
    "ellipsis": lambda xp, x: x[...],
    "element by ellipsis": lambda xp, x: x[1, 2, ...],
    "reshape": lambda xp, x: xp.reshape(x, (4, 3)),
    "reshape without a copy": lambda xp, x: xp.reshape(x, (-1,), copy=False),
    "permute_dims": lambda xp, x: xp.permute_dims(x, (1, 0)),
    "matrix_transpose": lambda xp, x: xp.matrix_transpose(x),
    "T": lambda xp, x: x.T,
    "mT": lambda xp, x: x.mT,
    "moveaxis": lambda xp, x: xp.moveaxis(x, 0, 1),
    "expand_dims": lambda xp, x: xp.expand_dims(x, axis=1),
    "squeeze (of expand_dims)": lambda xp, x: xp.squeeze(xp.expand_dims(x, axis=0), axis=0),
    "flip": lambda xp, x: xp.flip(x),
    "flip of one axis": lambda xp, x: xp.flip(x, axis=1),
    "unstack": lambda xp, x: xp.unstack(x)[2],
    "unstack columns": lambda xp, x: xp.unstack(x, axis=1)[2],
    "iteration": lambda xp, x: next(iter(x)),
    "astype": lambda xp, x: xp.astype(x, x.dtype, copy=False),
    "asarray": lambda xp, x: xp.asarray(x),
    "asarray without a copy": lambda xp, x: xp.asarray(x, copy=False),
    "diagonal": lambda xp, x: xp.linalg.diagonal(x),
    "diagonal of the first two axes": lambda xp, x: xp.diagonal(x, 1),
    "swapaxes": lambda xp, x: xp.swapaxes(x, 0, -1),
    "transpose": lambda xp, x: xp.transpose(x, axes=(1, 0)),
    "ravel": lambda xp, x: xp.ravel(x),
    "atleast_3d": lambda xp, x: xp.atleast_3d(x),
    "fliplr": lambda xp, x: xp.fliplr(x),
    "flipud": lambda xp, x: xp.flipud(x),
    "rot90": lambda xp, x: xp.rot90(x, k=3),
    "array_split": lambda xp, x: xp.array_split(x, 2, axis=1)[1],
    "hsplit": lambda xp, x: xp.hsplit(x, [1, 3])[1],
    "broadcast_to": lambda xp, x: xp.broadcast_to(x, (2, 3, 4)),
    "broadcast_arrays": lambda xp, x: xp.broadcast_arrays(x, xp.zeros((2, 1, 1)))[0],
    "(part of the transpose)": lambda xp, x: x.T[1:, ::-1],
    "(column of the reversed)": lambda xp, x: x[::-1][:, 1],
    "(flat view of a row)": lambda xp, x: xp.reshape(x[1], (2, 2)),
    "(row of a flipped reshape)": lambda xp, x: xp.flip(xp.reshape(x, (2, 2, 3)), axis=0)[0, 1],
}
READ_ONLY = ("diagonal", "diagonal of the first two axes", "broadcast_to", "broadcast_arrays")

COPIES: dict[str, View] = {
    "integer array": lambda xp, x: x[xp.asarray([0, 1]),],
    "mask": lambda xp, x: x[x > 5],
    "mixed": lambda xp, x: x[xp.asarray([0, 1]), 1:],
    "value": lambda xp, x: x[1, 2],
    "asarray with a copy": lambda xp, x: xp.asarray(x, copy=True),
    "astype": lambda xp, x: xp.astype(x, x.dtype, copy=True),
    "astype to another": lambda xp, x: xp.astype(x, xp.float32, copy=False),
    "reshape with a copy": lambda xp, x: xp.reshape(x, (4, 3), copy=True),
    "reshape across strides": lambda xp, x: xp.reshape(x.T, (-1,)),
    "operator": lambda xp, x: x + 0,
    "positive": lambda xp, x: +x,
    "concat": lambda xp, x: xp.concat([x]),
    "stack": lambda xp, x: xp.stack([x]),
    "roll": lambda xp, x: xp.roll(x, 0),
    "vstack": lambda xp, x: xp.vstack([x]),
    "append": lambda xp, x: xp.append(x, xp.zeros((0, 4)), axis=0),
    "block": lambda xp, x: xp.block(x),
    "insert": lambda xp, x: xp.insert(x, [], 0.0, axis=0),
    "delete": lambda xp, x: xp.delete(x, [], axis=0),
    "ravel across strides": lambda xp, x: xp.ravel(x.T),
    "function copy": lambda xp, x: xp.copy(x),
    "flat": lambda xp, x: x.flat[:],
    "tile": lambda xp, x: xp.tile(x, (1, 1)),
    "take": lambda xp, x: xp.take(x, xp.asarray([0, 1]), axis=0),
    "where": lambda xp, x: xp.where(x == x, x, x),
    "copy": lambda xp, x: copy.copy(x),
    "deepcopy": lambda xp, x: copy.deepcopy(x),
    "pickle": lambda xp, x: pickle.loads(pickle.dumps(x)),
}


def _twelve(xp: Any) -> Any:
    return xp.reshape(xp.arange(12, dtype=xp.float64), (3, 4), copy=True)


def _viewed(xp: Any, view: str) -> tuple[Any, Any]:
    x = _twelve(xp)
    return x, VIEWS[view](xp, x)


def _same(x: Any, twin: Any) -> None:
    np.testing.assert_array_equal(np.asarray(x), twin)


# --- each kind of write -------------------------------------------------------------------------

Change = Callable[[Any], None]


def _add(x: Any) -> None:
    x += 10


def _add_array(x: Any) -> None:
    x += x


def _power(x: Any) -> None:
    x **= 2


def _set_all(x: Any) -> None:
    x[...] = 50


def _set_mask(x: Any) -> None:
    x[x > 4] = 50


def _set_reversed(x: Any) -> None:
    x[...] = x[::-1] if x.ndim else x


CHANGES = (_add, _add_array, _power, _set_all, _set_mask, _set_reversed)
every_change = each("change", CHANGES)


class TestWritesAreSeenByAllThatShare:
    @pytest.mark.slow_on("dask")
    @every_change
    @each("view", VIEWS)
    def test_write_to_the_source(self, xp: ModuleType, view: str, change: Change) -> None:
        x, a, twin, b = *_viewed(xp, view), *_viewed(TWIN, view)
        change(x)
        change(twin)
        _same(a, b)
        _same(x, twin)

    @pytest.mark.slow_on("dask")
    @every_change
    @each("view", [view for view in VIEWS if view not in READ_ONLY])
    def test_write_to_the_view(self, xp: ModuleType, view: str, change: Change) -> None:
        x, a, twin, b = *_viewed(xp, view), *_viewed(TWIN, view)
        change(a)
        change(b)
        _same(x, twin)
        _same(a, b)

    def test_values_in_another_order(self, xp: ModuleType) -> None:
        """A shape to which they can't be reshaped without a copy."""
        data = np.arange(6.0)
        x, values = xp.zeros((2, 3)), xp.reshape(xp.asarray(data), (3, 2)).T
        flat = xp.reshape(x, (6,), copy=False)
        xp.add(values, values, out=x)
        assert flat.tolist() == (2 * data.reshape(3, 2).T).ravel().tolist()

    def test_between_two_views_of_an_array_that_is_gone(self, xp: ModuleType) -> None:
        x = _twelve(xp)
        rows, columns = x[1:], x.T
        del x
        rows[0] = -1.0
        assert columns[:, 1].tolist() == [-1.0] * 4
        columns[0] += 100.0
        assert rows[:, 0].tolist() == [99.0, 108.0]

    @pytest.mark.parametrize("dtype", ["complex64", "complex128"])
    def test_real_and_imaginary_parts(self, xp: ModuleType, dtype: str) -> None:
        z = xp.asarray([1 + 2j, 3 + 4j], dtype=getattr(xp, dtype))
        real, imaginary = xp.real(z), xp.imag(z)
        real[0] = 10
        imaginary *= 2
        assert z.tolist() == [10 + 4j, 3 + 8j]
        z += 1 + 1j
        assert (real.tolist(), imaginary.tolist()) == ([11, 4], [5, 9])


class TestEverythingElseHasItsOwnMemory:
    @pytest.mark.slow_on("dask")
    @every_change
    @each("made", COPIES)
    def test_no_write_reaches_it(self, xp: ModuleType, made: str, change: Change) -> None:
        x = _twelve(xp)
        a = COPIES[made](xp, x)
        before = np.array(a)
        change(x)
        _same(a, before)
        assert x.tolist() != _twelve(xp).tolist()

    @each("made", COPIES)
    def test_nor_leaves_it(self, xp: ModuleType, made: str) -> None:
        x = _twelve(xp)
        a = COPIES[made](xp, x)
        a += 10
        _same(x, _twelve(np))

    def test_pickles_of_an_array_and_its_view_part(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0, 3.0])
        a, b = pickle.loads(pickle.dumps([x, x[1:]]))
        a[...] = 0
        assert b.tolist() == [2.0, 3.0]

    def test_copy_false_where_only_a_copy_would_do(self, xp: ModuleType) -> None:
        x = _twelve(xp)
        with pytest.raises(ValueError, match="copy"):
            xp.reshape(x.T, (-1,), copy=False)


class TestIntegersSelectValues:
    def test_swap(self, xp: ModuleType) -> None:
        x = xp.asarray([1, 2])
        kept = x[0]
        x[0] = x[1]
        x[1] = kept
        assert x.tolist() == [2, 1]

    def test_swap_of_rows_is_none(self, xp: ModuleType) -> None:
        """A row is a view, so the temporary name doesn't keep its values, as in NumPy."""
        x = xp.asarray([[1, 1], [2, 2]])
        kept = x[0]
        x[0] = x[1]
        x[1] = kept
        assert x.tolist() == [[2, 2], [2, 2]]

    def test_running_maximum(self, xp: ModuleType) -> None:
        x = xp.asarray([3, 9, 4])
        best = x[1]
        x[1] = 0
        best += 1
        assert (best.item(), x.tolist()) == (10, [3, 0, 4])

    def test_elements_of_vectors(self, xp: ModuleType) -> None:
        x = xp.asarray([1, 2])
        values = [*x, *xp.unstack(x), x[0], xp.asarray(5)[()]]
        for value in values:
            value += 10
        x += 100
        assert [value.item() for value in values] == [11, 12, 11, 12, 11, 15]
        assert x.tolist() == [101, 102]


class TestReadOnly:
    WRITES: tuple[Callable[[ModuleType, Any], Any], ...] = (
        lambda xp, x: x.__setitem__(..., 1),
        lambda xp, x: xp.set_item(x, ..., 1),
        lambda xp, x: x.__iadd__(1),
        lambda xp, x: xp.add(x, x, out=x),
        lambda xp, x: x[..., 0].__imul__(2),
    )

    @each("write", range(len(WRITES)))
    @each("view", READ_ONLY)
    def test_refuses_and_names_the_remedy(self, xp: ModuleType, view: str, write: int) -> None:
        x = _twelve(xp)
        a = VIEWS[view](xp, x)
        with pytest.raises(UnifyError, match="copy") as caught:
            self.WRITES[write](xp, a)
        assert isinstance(caught.value, ValueError)
        _same(x, _twelve(np))

    @each("view", READ_ONLY)
    def test_diagonals_beyond_the_matrix_are_empty(self, xp: ModuleType, view: str) -> None:
        """NumPy itself accepts no offset beyond a C int."""
        x = VIEWS[view](xp, _twelve(xp))
        x = x if x.ndim > 1 else xp.expand_dims(x, axis=0)
        for offset in (2**40, -(2**40)):
            assert xp.linalg.diagonal(x, offset=offset).shape == (*x.shape[:-2], 0)

    @each("view", READ_ONLY)
    def test_the_remedy_works(self, xp: ModuleType, view: str) -> None:
        x = _twelve(xp)
        a = xp.asarray(VIEWS[view](xp, x), copy=True)
        a[...] = 1
        _same(a, np.ones(a.shape))
        _same(x, _twelve(np))

    def test_views_of_it_refuse_too(self, xp: ModuleType) -> None:
        a = xp.broadcast_to(xp.asarray([1.0, 2.0]), (2, 2))
        for view in (a[0], a.T, xp.flip(a), xp.unstack(a)[0], xp.asarray(a), a[..., None]):
            with pytest.raises(ValueError, match="copy"):
                view += 1

    def test_a_selection_of_it_is_writable(self, xp: ModuleType) -> None:
        a = xp.broadcast_to(xp.asarray([1.0, 2.0]), (2, 2))
        for copied in (a[xp.asarray([0, 1])], a + 0, a[0, 1], xp.astype(a, xp.float32)):
            copied += 1
        assert a.tolist() == [[1.0, 2.0], [1.0, 2.0]]


class TestOverlap:
    """The right side has its values from before the write."""

    IDIOMS: tuple[Callable[[Any], None], ...] = (
        lambda x: x.__setitem__(slice(1, None), x[:-1]),
        lambda x: x.__setitem__(slice(None, -1), x[1:]),
        lambda x: x.__setitem__(slice(None), x[::-1]),
        lambda x: x.__iadd__(x[::-1]),
        lambda x: x[1:].__iadd__(x[:-1]),
        lambda x: x[:-1].__imul__(x[1:]),
        lambda x: x.__isub__(x[0]),
        lambda x: x[::-1].__setitem__(slice(1, None), x[1:]),
    )

    def test_the_real_parts_of_an_array_are_not_the_array(self, xp: ModuleType) -> None:
        x = xp.asarray([1 + 2j, 3 + 4j])
        x[:] = xp.real(x)
        assert x.tolist() == [1, 3]

    @each("idiom", IDIOMS)
    @pytest.mark.parametrize("shape", [(6,), (3, 2)])
    def test_idioms(self, xp: ModuleType, idiom: Any, shape: tuple[int, ...]) -> None:
        values = np.arange(1.0, 7.0).reshape(shape)
        x, twin = xp.asarray(values, copy=True), values.copy()
        idiom(x)
        idiom(twin)
        _same(x, twin)

    def test_transposed_onto_itself(self, xp: ModuleType) -> None:
        x = xp.asarray([[1, 2], [3, 4]])
        x[...] = x.T
        assert x.tolist() == [[1, 3], [2, 4]]
        x += x.mT
        assert x.tolist() == [[2, 5], [5, 8]]


class TestFailedWrites:
    FAILURES: tuple[Callable[[ModuleType, Any], Any], ...] = (
        lambda xp, x: x.__setitem__(0, xp.zeros(7)),
        lambda xp, x: x.__setitem__(9, 1.0),
        lambda xp, x: x.__setitem__((0,) * 7, 1.0),
        lambda xp, x: x.__setitem__(0, 1j),
        lambda xp, x: x.__setitem__(slice(None), xp.asarray(1j)),
        lambda xp, x: x.__iadd__(xp.zeros((2, 3, 4))),
        lambda xp, x: x.__iadd__(1j),
        lambda xp, x: xp.add(x, xp.zeros((2, 3, 4)), out=x),
        lambda xp, x: xp.exp(xp.ones(7), out=x),
    )

    @pytest.mark.slow_on("jax")
    @each("failure", range(len(FAILURES)))
    @each("view", ["itself", "slice", "reversed", "T", "new axis"])
    def test_leave_all_as_it_was(self, xp: ModuleType, view: str, failure: int) -> None:
        x = _twelve(xp)
        a = VIEWS[view](xp, x)
        before = np.array(a)
        with pytest.raises(UnifyError):
            self.FAILURES[failure](xp, a)
        _same(a, before)
        _same(x, _twelve(np))
        a += 1  # still a view
        assert xp.sum(x).item() == 66 + a.size


class TestRows:
    def test_unstacked(self, xp: ModuleType) -> None:
        x = xp.zeros((3, 2))
        rows = xp.unstack(x)
        for i, row in enumerate(rows):
            row += i
        assert x.tolist() == [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]

    def test_met_while_iterating(self, xp: ModuleType) -> None:
        x = xp.zeros((3, 2))
        for i, row in enumerate(x):
            row[0] = i
        assert x[:, 0].tolist() == [0.0, 1.0, 2.0]

    def test_met_backwards(self, xp: ModuleType) -> None:
        x = xp.zeros((2, 2))
        first, _ = reversed(x)
        first += 1
        assert x.tolist() == [[0.0, 0.0], [1.0, 1.0]]

    def test_in_a_list(self, xp: ModuleType) -> None:
        x = xp.zeros((2, 2))
        holder = [x[0], x[1]]
        holder[1] += 5
        assert x.tolist() == [[0.0, 0.0], [5.0, 5.0]]

    def test_augmented_assignment_of_a_selection(self, xp: ModuleType) -> None:
        x = _twelve(xp)
        view = x.T
        x[1:, 0] += 100
        x[xp.asarray([0, 2])] *= 2
        x[0, 1] -= 5
        assert view.tolist() == np.asarray(x).T.tolist()
        assert x[:, 0].tolist() == [0.0, 104.0, 216.0]
        assert x[0, 1].item() == -3.0


class TestSequences:
    """Axes and shapes may be lists and ranges, and the caller may change a list afterwards."""

    @each(
        "name, sequence",
        [
            ("squeeze", [2]), ("squeeze", range(2, 3)), ("expand_dims", [0, 1]),
            ("expand_dims", range(2)), ("flip", [0]), ("flip", range(2)),
            ("permute_dims", [2, 0, 1]), ("reshape", [3, 2]), ("broadcast_to", [4, 2, 3, 1]),
        ],
    )  # fmt: skip
    def test_a_view_of_one_sees_writes(self, xp: ModuleType, name: str, sequence: Any) -> None:
        keyword = "axes" if name == "permute_dims" else "axis"
        shaped = name in ("reshape", "broadcast_to")
        twin = np.arange(6.0).reshape(2, 3, 1)
        x = xp.asarray(twin.copy())
        function = np.transpose if name == "permute_dims" else getattr(np, name)
        shape_or_axes = tuple(sequence)
        sequence = list(sequence) if isinstance(sequence, list) else sequence
        if shaped:
            expected, y = function(twin, shape_or_axes), getattr(xp, name)(x, sequence)
        else:
            expected = function(twin, **{keyword: shape_or_axes})
            y = getattr(xp, name)(x, **{keyword: sequence})
        if isinstance(sequence, list):
            sequence[:] = [1, *sequence[:0:-1]]
        twin[0, 1, 0] = x[0, 1, 0] = 9.0
        assert np.array_equal(np.asarray(y), expected)
        assert y.shape == expected.shape
