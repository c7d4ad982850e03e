"""The functions whose results share memory with their argument, by NumPy's rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import numpy as np

from arrayapi_unify.backends._common.algorithms.manipulation import part_key
from arrayapi_unify.backends._common.checks.linalg import diagonal_offset
from arrayapi_unify.views.view import Row

__all__ = ["SHARING", "ResultKind", "Sharing"]


class ResultKind(Enum):
    """The number of results of a function that returns views."""

    ONE = "one"
    PARTS = "parts of the first argument"
    OF_EACH = "one of each argument"


@dataclass(frozen=True)
class Sharing:
    """The way in which a function's result shares memory with its first argument."""

    layout: Callable[..., Any]
    """A layout and the other arguments -> the result's; no array where the result is a copy."""
    write: Callable[..., Any] | None = None
    """Natives, source, view, other arguments -> source with the view in it; None: read-only."""
    read_only_when: Callable[..., bool] | None = None
    """The source's shape and the other arguments -> True if the result is read-only after all."""
    copies: Callable[..., bool] | None = None
    """The result and the other arguments -> True if the result is a copy, whatever the layout."""
    row: Callable[..., Row | None] | None = None
    """The other arguments -> the row that the result is, if it is one."""
    read: Callable[..., Any] | None = None
    """Natives, source, other arguments -> view, where the function itself makes several."""
    results: ResultKind = ResultKind.ONE
    """The results; of several, each has its number, or its shape, as the first other argument."""
    always: bool = False
    """True if NumPy returns a view for all arguments other than those that `copies` names."""


_PLAIN_KEYS: Final = frozenset({int, slice, type(None), type(Ellipsis)})


def _copied_item(result: Any, key: Any) -> bool:
    """Return True if a key contains arrays, or is of integers alone and selects one element."""
    kinds = set(map(type, key if type(key) is tuple else (key,)))
    return not _PLAIN_KEYS.issuperset(kinds) or (kinds <= {int} and not result.ndim)


def _reshaped(s: Any, shape: Any, *, copy: bool | None = None) -> Any:
    try:
        return None if copy else np.reshape(s, shape, copy=False)
    except ValueError:  # the strides don't allow it
        if copy is False:
            raise
        return None


def _row_key(rank: int, axis: int, number: int) -> Any:
    return (*[slice(None)] * (axis % rank), number)


def _order_back(axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.argsort([axis % len(axes) for axis in axes]))


def _with_imaginary(f: Any, x: Any, y: Any) -> Any:
    kind = f.backend.dtype_of(x).kind
    return f.backend.join_complex(y, f.imag(x)) if kind == "c" else y


def _shaped_back(f: Any, x: Any, y: Any, *_: Any, **__: Any) -> Any:
    # A size that isn't known while tracing is what is left.
    shape = f.backend.shape_of(x)
    return f.reshape(y, tuple(-1 if size is None else size for size in shape))


SHARING: Final[dict[str, Sharing]] = {
    "get_item": Sharing(
        lambda s, key: s[key],
        lambda f, x, y, key: f.set_item(x, key, y),
        copies=_copied_item,
        row=lambda key: Row(0, key) if type(key) is int and key >= 0 else None,
        always=True,
    ),
    "reshape": Sharing(_reshaped, _shaped_back),
    "ravel": Sharing(lambda s: _reshaped(s, (-1,), copy=not s.flags.c_contiguous), _shaped_back),
    "expand_dims": Sharing(np.expand_dims, _shaped_back, always=True),
    "squeeze": Sharing(np.squeeze, _shaped_back, always=True),
    "permute_dims": Sharing(
        np.transpose, lambda f, x, y, axes: f.permute_dims(y, _order_back(axes)), always=True
    ),
    "matrix_transpose": Sharing(
        np.matrix_transpose, lambda f, x, y: f.matrix_transpose(y), always=True
    ),
    "moveaxis": Sharing(
        np.moveaxis,
        lambda f, x, y, source, destination: f.moveaxis(y, destination, source),
        always=True,
    ),
    "flip": Sharing(
        np.flip,
        lambda f, x, y, **axis: f.flip(y, **axis),
        copies=lambda result, **axis: not result.ndim,
        always=True,
    ),
    "real": Sharing(np.real, _with_imaginary, always=True),
    "imag": Sharing(
        lambda s: s.imag if s.dtype.kind == "c" else None,
        lambda f, x, y: f.backend.join_complex(f.real(x), y),
    ),
    "unstack": Sharing(
        lambda s, number, *, axis=0: s[_row_key(s.ndim, axis, number)],
        lambda f, x, y, number, *, axis=0: f.set_item(x, _row_key(f.rank(x), axis, number), y),
        copies=lambda result, number, *, axis=0: not result.ndim,
        row=lambda number, *, axis=0: Row(axis, number) if axis >= 0 else None,
        read=lambda f, x, number, *, axis=0: f.get_item(x, _row_key(f.rank(x), axis, number)),
        results=ResultKind.PARTS,
        always=True,
    ),
    "split": Sharing(
        lambda s, number, **cut: s[part_key(s.shape, number, **cut)],
        lambda f, x, y, number, **cut: f.set_item(x, part_key(f.shape(x), number, **cut), y),
        read=lambda f, x, number, **cut: f.get_item(x, part_key(f.shape(x), number, **cut)),
        results=ResultKind.PARTS,
        always=True,
    ),
    "broadcast_to": Sharing(np.broadcast_to, always=True),
    "broadcast_arrays": Sharing(
        lambda s, shape: s[...] if s.shape == shape else np.broadcast_to(s, shape),
        lambda f, x, y, shape: y,
        read_only_when=lambda s, shape: s != shape,
        read=lambda f, x, shape: f.broadcast_to(x, shape),
        results=ResultKind.OF_EACH,
        always=True,
    ),
    "linalg.diagonal": Sharing(
        lambda s, *, offset=0: np.diagonal(s, diagonal_offset(s.shape, offset), -2, -1), always=True
    ),
}
