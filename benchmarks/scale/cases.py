"""Calls that `dask.array` has too, each with the arrays that it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import dask.array as da
import numpy as np

import arrayapi_unify as unify

__all__ = ["CASES", "Case", "arguments"]

ROWS: Final = 4_096
COLUMNS: Final = 64
_CHUNKS: Final = (256, 32)

Call = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A call of `dask.array` and the same of ours, with names of arrays."""

    name: str
    bare: Call
    ours: Call
    arrays: tuple[str, ...] = ("x",)


def arguments() -> dict[str, Any]:
    """Return bare arrays: cut along both axes, of whole rows, of whole columns, and indices."""
    generator = np.random.default_rng(0)
    values = generator.normal(size=(ROWS, COLUMNS))
    places = generator.integers(0, ROWS, 1_000)
    return {
        "x": da.from_array(values, chunks=_CHUNKS),
        "y": da.from_array(values + 1.0, chunks=_CHUNKS),
        "tall": da.from_array(values, chunks=(_CHUNKS[0], COLUMNS)),
        "lines": da.from_array(values.T.copy(), chunks=(_CHUNKS[1], ROWS)),
        "right": da.from_array(values.T.copy(), chunks=_CHUNKS[::-1]),
        "vector": da.from_array(values[:, 0].copy(), chunks=_CHUNKS[0]),
        "places": places,
        "mask": da.from_array(values[:, 0] > 0.0, chunks=_CHUNKS[0]),
    }


def _same(name: str, *arrays: str, **options: Any) -> Case:
    """Return the call of functions of one name and one meaning."""
    return Case(
        f"{name}({', '.join([*(arrays or ('x',)), *(f'{k}={v}' for k, v in options.items())])})",
        lambda *xs: getattr(da, name)(*xs, **options),
        lambda *xs: getattr(unify, name)(*xs, **options),
        arrays or ("x",),
    )


def _method(text: str, *arrays: str) -> Case:
    """Return an expression, which means the same on both."""
    names = arrays or ("x",)
    function: Call = eval(f"lambda {', '.join(names)}: {text}", {"np": np})
    return Case(text, function, function, names)


CASES: Final[tuple[Case, ...]] = (
    *(_same(name) for name in ("sin", "exp", "sqrt", "abs", "negative", "isnan", "floor")),
    *(_same(name, "x", "y") for name in ("add", "multiply", "divide", "maximum", "arctan2")),
    *(_same(name) for name in ("sum", "prod", "max", "min", "mean", "std", "var", "any", "all")),
    *(_same(name, axis=0) for name in ("sum", "max", "mean", "std", "argmax", "cumsum")),
    _same("sum", axis=0, keepdims=True),
    _same("matmul", "x", "right"),
    _same("tensordot", "x", "right", axes=1),
    _same("vdot", "vector", "vector"),
    _same("outer", "vector", "vector"),
    Case("clip(x, 0.0, 1.0)", lambda x: da.clip(x, 0.0, 1.0), lambda x: unify.clip(x, 0.0, 1.0)),
    _method("x + y", "x", "y"),
    _method("x * 2.0"),
    _method("(x - x.mean(axis=0)) / x.std(axis=0)"),
    _method("x[::2]"),
    _method("x[5]"),
    _method("x[:, None]"),
    _method("x[places]", "x", "places"),
    _method("vector[mask]", "vector", "mask"),
    _method("x.T"),
    _method("x.reshape((64, 64, 64))"),
    _method("x.astype('float32')"),
    Case("where(x > 0, x, y)", lambda x, y: da.where(x > 0, x, y),
         lambda x, y: unify.where(x > 0, x, y), ("x", "y")),
    Case("concatenate([x, y])", lambda x, y: da.concatenate([x, y]),
         lambda x, y: unify.concatenate([x, y]), ("x", "y")),
    Case("stack([x, y])", lambda x, y: da.stack([x, y]), lambda x, y: unify.stack([x, y]),
         ("x", "y")),
    Case("take(x, places)", lambda x, p: da.take(x, p, axis=0),
         lambda x, p: unify.take(x, unify.asarray(p), axis=0), ("x", "places")),
    _same("flip", axis=0),
    _same("roll", shift=7, axis=0),
    _same("broadcast_to", "vector", shape=(4, ROWS)),
    _same("tile", reps=(2, 1)),
    Case("fft.fft(lines)", lambda x: da.fft.fft(x), lambda x: unify.fft.fft(x), ("lines",)),
    Case("linalg.qr(tall)", lambda x: da.linalg.qr(x)[1], lambda x: unify.linalg.qr(x)[1],
         ("tall",)),
    Case("linalg.svd(tall)", lambda x: da.linalg.svd(x)[1],
         lambda x: unify.linalg.svd(x, full_matrices=False)[1], ("tall",)),
    Case("arange(4096)", lambda: da.arange(ROWS, chunks=256), lambda: unify.arange(ROWS), ()),
    Case("ones((4096, 64))", lambda: da.ones((ROWS, COLUMNS), chunks=_CHUNKS),
         lambda: unify.ones((ROWS, COLUMNS)), ()),
)  # fmt: skip
