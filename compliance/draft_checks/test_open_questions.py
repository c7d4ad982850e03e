"""Calls that the official suite leaves out: copies, triangles of all data types, sums, devices."""

from typing import Any

import pytest

from .conftest import ALL, KINDS, NUMERIC, dtype_of

SHAPES = [(3, 4), (4, 3), (1, 5), (2, 3, 3), (0, 3), (3, 0)]


def made(xp: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """Return an array without zeros; bools are True."""
    return xp.ones(shape, dtype=dtype)


def is_kept(row: int, column: int, k: int, upper: bool) -> bool:
    """Return True if a triangle keeps an element."""
    return column - row >= k if upper else column - row <= k


@pytest.mark.parametrize("upper", [False, True], ids=["tril", "triu"])
@pytest.mark.parametrize("name", ALL)
def test_triangles_keep_the_data_type(xp: Any, name: str, upper: bool) -> None:
    """Triangles of every data type have it, and zeros on the other side."""
    function = xp.triu if upper else xp.tril
    x = made(xp, (3, 3), dtype_of(xp, name))
    found = function(x)
    assert found.dtype == x.dtype
    for row in range(3):
        for column in range(3):
            assert bool(found[row, column]) == is_kept(row, column, 0, upper)


@pytest.mark.parametrize("upper", [False, True], ids=["tril", "triu"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("k", [-9, -2, -1, 0, 1, 2, 9])
def test_triangles_of_all_shapes(xp: Any, shape: tuple[int, ...], k: int, upper: bool) -> None:
    """Triangles of wide, tall, stacked and empty matrices, with any diagonal."""
    function = xp.triu if upper else xp.tril
    found = function(made(xp, shape, xp.int64), k=k)
    assert found.shape == shape
    rows, columns = shape[-2:]
    kept = sum(is_kept(r, c, k, upper) for r in range(rows) for c in range(columns))
    stacks = shape[0] if len(shape) == 3 else 1
    assert int(xp.sum(found)) == kept * stacks


@pytest.mark.parametrize("copy", [None, False, True])
def test_reshape_copies_where_it_is_told_to(xp: Any, copy: bool | None) -> None:
    """Values are those of the array; a copy shares no memory with it."""
    x = xp.asarray([[1, 2, 3], [4, 5, 6]])
    try:
        found = xp.reshape(x, (3, 2), copy=copy)
    except ValueError:
        assert copy is False  # a library whose arrays share no memory
        return
    assert found.shape == (3, 2)
    assert [int(found[i, j]) for i in range(3) for j in range(2)] == [1, 2, 3, 4, 5, 6]
    if copy:
        x[0, 0] = 9
        assert int(found[0, 0]) == 1


@pytest.mark.parametrize("name", NUMERIC)
def test_trace_has_the_data_type_of_a_sum(xp: Any, name: str) -> None:
    """The trace is a sum, of small integers in the default data type."""
    x = made(xp, (3, 3), dtype_of(xp, name))
    found = xp.linalg.trace(x)
    assert found.dtype == xp.sum(x).dtype
    assert found.shape == ()
    assert complex(found) == 3


@pytest.mark.parametrize("name", [*KINDS["signed"], *KINDS["floating"], *KINDS["complex"]])
def test_trace_takes_a_data_type(xp: Any, name: str) -> None:
    """The trace is computed in the data type that is asked for."""
    dtype = dtype_of(xp, name)
    found = xp.linalg.trace(made(xp, (2, 2), xp.int8), dtype=dtype)
    assert found.dtype == dtype
    assert complex(found) == 2


def test_trace_of_int8_does_not_overflow(xp: Any) -> None:
    """A trace beyond 127 is right."""
    x = xp.eye(200, dtype=xp.int8)
    assert int(xp.linalg.trace(x)) == 200


CREATION = {
    "arange": lambda xp, **to: xp.arange(3, **to),
    "asarray": lambda xp, **to: xp.asarray([1.0], **to),
    "empty": lambda xp, **to: xp.empty(2, **to),
    "empty_like": lambda xp, **to: xp.empty_like(xp.ones(2), **to),
    "eye": lambda xp, **to: xp.eye(2, **to),
    "full": lambda xp, **to: xp.full(2, 1.0, **to),
    "full_like": lambda xp, **to: xp.full_like(xp.ones(2), 1.0, **to),
    "linspace": lambda xp, **to: xp.linspace(0.0, 1.0, 3, **to),
    "ones": lambda xp, **to: xp.ones(2, **to),
    "ones_like": lambda xp, **to: xp.ones_like(xp.ones(2), **to),
    "zeros": lambda xp, **to: xp.zeros(2, **to),
    "zeros_like": lambda xp, **to: xp.zeros_like(xp.ones(2), **to),
}


@pytest.mark.parametrize("function", CREATION)
def test_creation_on_each_device(xp: Any, function: str) -> None:
    """Each creation function takes each device."""
    for device in xp.__array_namespace_info__().devices():
        if device is None:  # a device that only traced arrays have
            continue
        assert CREATION[function](xp, device=device).device == device


def test_info_of_each_device(xp: Any) -> None:
    """Default data types, and those there are, are known for each device, and can be made there."""
    info = xp.__array_namespace_info__()
    for device in info.devices():
        if device is None:
            continue
        dtypes = info.dtypes(device=device)
        defaults = info.default_dtypes(device=device)
        assert set(defaults) == {"real floating", "complex floating", "integral", "indexing"}
        for name, dtype in dtypes.items():
            assert dtype == getattr(xp, name)
            assert xp.ones(1, dtype=dtype, device=device).dtype == dtype
        for dtype in defaults.values():
            assert dtype in dtypes.values()


@pytest.mark.parametrize("kind", ["bool", "signed integer", "unsigned integer", "real floating"])
def test_info_of_kinds_on_each_device(xp: Any, kind: str) -> None:
    """Data types of a kind are some of those of the device."""
    info = xp.__array_namespace_info__()
    for device in info.devices():
        if device is None:
            continue
        found = info.dtypes(device=device, kind=kind)
        assert found
        assert set(found) <= set(info.dtypes(device=device))
        assert all(xp.isdtype(dtype, kind) for dtype in found.values())
