"""Strategies of steps that return arrays, given the live ones: sources, views, copies."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from hypothesis import strategies as st

from tests.views.keys import MAX_NDIM, Draw, advanced_key, basic_key
from tests.views.roots import CONSTRUCTORS, LAYOUTS, TRACKED, Root
from tests.views.steps import Own, Part, Ref, Step

__all__ = [
    "VIEWS",
    "Arrays",
    "any_of",
    "copied",
    "fresh",
    "goes_into",
    "part",
    "selection",
    "together",
    "view",
]

Arrays = Sequence[Any]

# Few sizes, because JAX compiles for each shape.
_SHAPES: Final = (
    (), (1,), (3,), (4,), (2, 3), (3, 2), (3, 3), (1, 3), (2, 2), (2, 2, 3), (2, 1, 2),
    (2, 1, 2, 2), (0,), (2, 0),
)  # fmt: skip


def fresh(draw: Draw, dtypes: Sequence[str], tracked: bool = False) -> Step:
    """Create a new source, or use a foreign one, in some programs one that autograd tracks."""
    shape = draw(st.sampled_from(_SHAPES))
    own = Own(draw(st.sampled_from(dtypes)), shape, draw(st.integers(0, 3)))
    if not draw(st.integers(0, 2)):
        return Step("asarray", (own,))
    layout = draw(st.sampled_from(sorted(LAYOUTS)))
    native = draw(st.booleans())
    states = [""]
    if native:
        layout = "transposed" if layout == "reversed" else layout
        kind = own.values.dtype.kind
        states += [TRACKED] * (tracked and kind in "fc") + ["negated"] * (kind in "fci")
        states += ["conjugated"] * (kind == "c")
    constructor, state = draw(st.sampled_from(CONSTRUCTORS)), draw(st.sampled_from(states))
    return Step("root", (Root(own, layout, constructor, native, state),))


def any_of(draw: Draw, live: Arrays, which: Callable[[Any], bool] = lambda x: True) -> int:
    """Draw the number of an array of a kind."""
    found = draw(st.sampled_from([i for i, x in enumerate(live) if which(x)]))
    return found  # type: ignore[no-any-return]  # a drawn integer


def goes_into(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Return True if an array of `shape` can be assigned to one of shape `target`."""
    pairs = zip(shape[::-1], target[::-1], strict=False)
    return len(shape) <= len(target) and all(a in (1, b) for a, b in pairs)


def _axis(draw: Draw, ndim: int) -> int:
    return draw(st.integers(-ndim, ndim - 1))  # type: ignore[no-any-return]  # a drawn integer


# --- views ------------------------------------------------------------------------------------

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


def _shape_for(draw: Draw, x: Any) -> tuple[int, ...]:
    size = x.size
    shapes = [(-1,), (size,), x.shape[::-1], (1, size), (size, 1), x.shape]
    shapes += [(n, size // n) for n in (2, 3) if size and size % n == 0]
    shapes += [(2, -1, 2)] if size and size % 4 == 0 else []
    if x.ndim > 1:
        shapes += [
            (x.shape[0] * x.shape[1], *x.shape[2:]),
            (*x.shape[:-2], math.prod(x.shape[-2:])),
        ]
    return draw(st.sampled_from(shapes if size else shapes[1:]))  # type: ignore[no-any-return]


def _reshape(draw: Draw, x: Any) -> Arguments:
    return (_shape_for(draw, x),), {"copy": draw(st.sampled_from([None, None, False, True]))}


def _permute(draw: Draw, x: Any) -> Arguments:
    return (tuple(draw(st.permutations(range(x.ndim)))),), {}


def _moveaxis(draw: Draw, x: Any) -> Arguments:
    return (_axis(draw, x.ndim), _axis(draw, x.ndim)), {}


def _squeeze(draw: Draw, x: Any) -> Arguments:
    return (), {"axis": draw(st.sampled_from([i for i, s in enumerate(x.shape) if s == 1]))}


def _expand(draw: Draw, x: Any) -> Arguments:
    return (), {"axis": _axis(draw, x.ndim + 1)}


def _flip(draw: Draw, x: Any) -> Arguments:
    axes = [None, *range(-x.ndim, x.ndim)] + ([(0, 1)] if x.ndim > 1 else [])
    return (), {"axis": draw(st.sampled_from(axes))}


def _along(draw: Draw, x: Any) -> Arguments:
    return (), {"axis": _axis(draw, x.ndim)}


def _astype(draw: Draw, x: Any) -> Arguments:
    return (x.dtype.name,), {"copy": False}


def _asarray(draw: Draw, x: Any) -> Arguments:
    return (), {"copy": draw(st.sampled_from([None, False]))}


def _broadcast(draw: Draw, x: Any) -> Arguments:
    shape = tuple(2 if s == 1 and draw(st.booleans()) else s for s in x.shape)
    return ((2, *shape) if x.ndim < MAX_NDIM and draw(st.booleans()) else shape,), {}


def _diagonal(draw: Draw, x: Any) -> Arguments:
    return (), {"offset": draw(st.integers(-1, 1))}


def _split(draw: Draw, x: Any) -> Arguments:
    axis = _axis(draw, x.ndim)
    return (), {"num_or_size_splits": max(x.shape[axis], 1), "axis": axis}


def _nothing(draw: Draw, x: Any) -> Arguments:
    return (), {}


# The arrays with such a view, and the strategies of its other arguments.
VIEWS: Final[dict[str, tuple[Callable[[Any], bool], Callable[[Draw, Any], Arguments]]]] = {
    "get_item": (lambda x: True, lambda draw, x: ((basic_key(draw, x.shape),), {})),
    "reshape": (lambda x: True, _reshape),
    "permute_dims": (lambda x: True, _permute),
    "matrix_transpose": (lambda x: x.ndim > 1, _nothing),
    "T": (lambda x: x.ndim == 2, _nothing),
    "mT": (lambda x: x.ndim > 1, _nothing),
    "moveaxis": (lambda x: x.ndim > 0, _moveaxis),
    "squeeze": (lambda x: 1 in x.shape, _squeeze),
    "expand_dims": (lambda x: x.ndim < MAX_NDIM, _expand),
    "flip": (lambda x: True, _flip),
    "real": (lambda x: x.dtype.kind == "c", _nothing),
    "imag": (lambda x: x.dtype.kind == "c", _nothing),
    "unstack": (lambda x: x.ndim > 0, _along),
    "rows": (lambda x: x.ndim > 0, _nothing),
    "astype": (lambda x: True, _astype),
    "asarray": (lambda x: True, _asarray),
    "broadcast_to": (lambda x: True, _broadcast),
    "diagonal": (lambda x: x.ndim > 1, _diagonal),
}


# Few arrays have these views, so they are drawn more often.
_RARE: Final = ("real", "imag", "T", "mT", "matrix_transpose", "diagonal")


def _step(name: str, number: int, arguments: Arguments) -> Step:
    return Step(name, (Ref(number), *arguments[0]), arguments[1])


def view(draw: Draw, live: Arrays, place: int | None = None) -> Step:
    """Take a view of any kind, of any array or of the one with a number."""
    number = any_of(draw, live) if place is None else place % len(live)
    x = live[number]
    names = [name for name, (applies, _) in VIEWS.items() if applies(x)]
    names += [name for name in _RARE if name in names] * 2
    name = draw(st.sampled_from(names))
    return _step(name, number, VIEWS[name][1](draw, x))


def part(draw: Draw, live: Arrays) -> Step:
    """Take a view by basic indexing, which has the most kinds."""
    number = any_of(draw, live)
    return _step("get_item", number, ((basic_key(draw, live[number].shape),), {}))


def together(draw: Draw, live: Arrays) -> Step:
    """Broadcast an array with one of fewer dimensions, or with itself."""
    number = any_of(draw, live)
    shape = live[number].shape
    other = any_of(draw, live, lambda y: goes_into(y.shape, shape))
    return Step("broadcast_arrays", (Ref(number), Ref(other)))


# --- copies -----------------------------------------------------------------------------------


def selection(draw: Draw, live: Arrays) -> Step:
    """Select with an integer array or a mask."""
    number = any_of(draw, live)
    return Step("get_item", (Ref(number), advanced_key(draw, live[number].shape)))


def _cast(draw: Draw, x: Any) -> Arguments:
    targets = ["int8", "float64", "complex128"] if x.dtype.kind != "c" else ["complex64"]
    return (draw(st.sampled_from([x.dtype.name, *targets])),), {"copy": True}


def _roll(draw: Draw, x: Any) -> Arguments:
    return (1,), {"axis": None}


def _with_copy(draw: Draw, x: Any) -> Arguments:
    return (), {"copy": True}


COPIES: Final[dict[str, tuple[Callable[[Any], bool], Callable[[Draw, Any], Arguments]]]] = {
    "astype": (lambda x: True, _cast),
    "asarray": (lambda x: True, _with_copy),
    "roll": (lambda x: True, _roll),
    "tile": (lambda x: x.ndim > 0, lambda draw, x: (((1,) * x.ndim,), {})),
    "positive": (lambda x: x.dtype.kind != "b", _nothing),
    "concat": (lambda x: x.ndim > 0, lambda draw, x: ((x[:1].copy(),), {})),
}


def copied(draw: Draw, live: Arrays) -> Step:
    """Call a function that never shares."""
    number = any_of(draw, live)
    x = live[number]
    name = draw(st.sampled_from([name for name, (applies, _) in COPIES.items() if applies(x)]))
    if name == "concat":
        return Step(name, (Ref(number), Part(number, slice(0, 1))))
    return _step(name, number, COPIES[name][1](draw, x))
