"""The repr of an array, with NumPy's layout of the values, and tables for notebooks."""

from __future__ import annotations

import html
import importlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from arrayapi_unify import backends, dtypes, limits
from arrayapi_unify.backends._common.checks.arguments import TrackedError
from arrayapi_unify.errors import UnifyTypeError

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = ["represent", "table"]

_PREFIX = "unify.array("


def _implied(x: Array) -> bool:
    """Return True if the printed values imply the data type: they are read back with it."""
    if 0 in x.shape:
        return x.dtype is dtypes.default_float()
    defaults = (dtypes.default_int(), dtypes.default_float(), dtypes.default_complex())
    return x.dtype is dtypes.bool or x.dtype in defaults


def _values(x: Array) -> Any:
    """Return the values as NumPy shows them.

    It shows no more digits than tell a number from its neighbours, but knows no bfloat16.
    """
    try:
        return _values_of(x)
    except (TrackedError, UnifyTypeError):  # of what is differentiated, too
        return _values_of(x.stop_gradient())


def _values_of(x: Array) -> Any:
    if x.dtype is not dtypes.bfloat16:
        # While it is traced, an Array holds what stands for its data, and can be printed.
        return backends.load(x.backend).to_numpy(getattr(x.data, "shown", x.data))
    numpy = importlib.import_module("numpy")
    shortest = [_shortest(value) for value in x.reshape((x.size,)).tolist()]
    return numpy.asarray(shortest, numpy.float64).reshape(x.shape)


def _shortest(value: float) -> float:
    """Return the number of the fewest digits that bfloat16 rounds to `value`."""
    candidates = (float(f"{value:.{digits}g}") for digits in range(1, 5))
    return next((one for one in candidates if limits.rounded(one, dtypes.bfloat16) == value), value)


def _represent_lazy(x: Array, backend: Any) -> str:
    """Return what is known of an array without its values; nothing is computed."""
    parts = [
        "<lazy>", f"shape={backend.shape_of(x.data)}", f"dtype={x.dtype}",
        *filter(None, [backend.lazy.summary(x.data)]), f"backend={x.backend!r}",
    ]  # fmt: skip
    return f"{_PREFIX}{', '.join(parts)})"


def represent(x: Array) -> str:
    """Return `unify.array(values)`, with dtype, backend and device where not the default.

    The default data type is the one that is set. Lazy and traced arrays, and those that are split
    over devices, are shown without values.
    """
    backend = backends.load(x.backend)
    if backend.lazy is not None:
        return _represent_lazy(x, backend)
    if backend.tracer_of(x.data) is not None:
        # So that a function that prints can be traced.
        return f"{_PREFIX}<traced>, shape={x.shape}, dtype={x.dtype}, backend={x.backend!r})"
    if backend.is_scattered(x.data):
        parts = ["<split>", f"shape={x.shape}", f"dtype={x.dtype}", f"backend={x.backend!r}"]
        return f"{_PREFIX}{', '.join(parts)}, device={str(x.device)!r})"
    numpy = importlib.import_module("numpy")
    values = _values(x)
    shown = numpy.array2string(values, separator=", ", prefix=_PREFIX, suffix=")")
    if not values.size:
        shown = "[]"
    parts = [shown]
    if not values.size and values.shape != (0,):
        parts.append(f"shape={values.shape}")
    if not _implied(x):
        parts.append(f"dtype={x.dtype}")
    if x.backend != backends.DEFAULT:
        parts.append(f"backend={x.backend!r}")
    if x.device != backend.devices()[0]:
        parts.append(f"device={str(x.device)!r}")
    return f"{_PREFIX}{', '.join(parts)})"


def table(caption: str, headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table in HTML, for `_repr_html_`; colours and fonts stay those of the notebook.

    Lines and columns of a text stay as they are.
    """
    head = "".join(f"<th>{_text(name)}</th>" for name in headings)
    body = "".join(
        f"<tr>{''.join(f'<td><pre>{_text(cell)}</pre></td>' for cell in row)}</tr>" for row in rows
    )
    top = f"<caption>{_text(caption)}</caption>"
    return f"<table>{top}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _text(value: Any) -> str:
    return html.escape(str(value))
