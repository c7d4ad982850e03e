"""NumPy's functions that return views: each has one of ours that shares memory as NumPy's does.

A function here has the parameters of NumPy's and gets our arrays. It returns `NotImplemented` where
NumPy copies in any case, or ours has no such result: then the host computes it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, Final

from arrayapi_unify import backends
from arrayapi_unify.array_object.classes import BindingHooks
from arrayapi_unify.views import layouts
from arrayapi_unify.views.emulation import emulate_view, layout_of
from arrayapi_unify.views.view import ViewOp

__all__ = ["VALUES", "VIEWS"]


def _namespace(x: Any) -> Any:
    return x.__array_namespace__()


def _numpy() -> Any:
    return importlib.import_module("numpy")


def _axis(axis: Any, rank: int) -> int:
    return _numpy().lib.array_utils.normalize_axis_index(axis, rank)


# --- axes in another order ------------------------------------------------------------------


def _ours_of(name: str) -> Callable[..., Any]:
    """Return the function of the namespace that has NumPy's name and parameters."""

    def call(a: Any, *args: Any, **kwargs: Any) -> Any:
        found = getattr(_namespace(a), name)(a, *args, **kwargs)
        return list(found) if isinstance(found, tuple) else found

    return call


def transpose(a: Any, axes: Any = None) -> Any:
    """Return the axes in another order, the reverse one by default."""
    return a.transpose(axes)


def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    """Move an axis before another one."""
    order = list(range(a.ndim))
    axis = order.pop(_axis(axis, a.ndim))
    start = _axis(start, a.ndim + 1) if start >= 0 else _axis(start, a.ndim)
    order.insert(start - (axis < start), axis)
    return a.permute_dims(tuple(order))


def matrix_transpose(x: Any, /) -> Any:
    """Transpose each matrix."""
    return x.matrix_transpose()


# --- shapes ---------------------------------------------------------------------------------


def squeeze(a: Any, axis: Any = None) -> Any:
    """Remove axes of size one, all of them by default."""
    if axis is None:
        axis = tuple(i for i, size in enumerate(a.shape) if size == 1)
    nothing = axis == () or (not a.ndim and axis in (0, -1))
    return a[...] if nothing else a.squeeze(axis)


def _fortran(a: Any, order: str) -> bool:
    """Return True if elements are read with the first index changing fastest."""
    flags = getattr(layout_of(a), "flags", None)
    return order == "F" or (order == "A" and flags is not None and flags.fnc)


def reshape(a: Any, /, shape: Any, order: str = "C", *, copy: bool | None = None) -> Any:
    """Return the elements in another shape."""
    sizes = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    if order not in ("C", "F", "A"):
        return NotImplemented
    if _fortran(a, order):
        return transpose(transpose(a).reshape(sizes[::-1], copy=copy))
    return a.reshape(sizes, copy=copy)


def ravel(a: Any, order: str = "C") -> Any:
    """Return the elements along one axis; a view only where they lie one behind the other."""
    if order not in ("C", "F", "A", "K"):
        return NotImplemented
    layout = layout_of(a)
    if order == "K" and layout is not None and not layout.flags.c_contiguous:
        # By the memory, from the longest step to the shortest one.
        steps = [abs(step) for step in layout.strides]
        if all(steps):
            a = transpose(a, sorted(range(a.ndim), key=lambda axis: -steps[axis]))
    elif _fortran(a, order):
        a = transpose(a)
    return a.ravel()


_array_split: Final = _ours_of("array_split")
_diagonal: Final = _ours_of("diagonal")


def _diagonals_of_matrices(x: Any, /, *, offset: int = 0) -> Any:
    """Return the diagonal of each matrix: `np.linalg.diagonal` is of the last two axes."""
    return _diagonal(x, offset=offset, axis1=-2, axis2=-1)


def diag(v: Any, k: int = 0) -> Any:
    """Return the diagonal of a matrix, or a matrix with a diagonal."""
    if v.ndim == 1:
        return v.diag(k=k)
    return _diagonal(v, offset=k) if v.ndim == 2 else NotImplemented


# --- parts ----------------------------------------------------------------------------------


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """Cut into parts, at places or into so many of the same size."""
    if not hasattr(indices_or_sections, "__len__") and ary.shape[axis] % indices_or_sections:
        return NotImplemented
    return _array_split(ary, indices_or_sections, axis)


def unstack(x: Any, /, *, axis: int = 0) -> Any:
    """Return the arrays along an axis."""
    return x.unstack(axis=axis)


def _part(name: str) -> Callable[..., Any]:
    def part(val: Any) -> Any:
        return getattr(val, name)

    return part


def real_if_close(a: Any, tol: float = 100) -> Any:
    """Return the real parts if all imaginary parts are zero, by a check of the values."""
    if a.dtype.kind != "c":
        return a
    numpy = _numpy()
    return a if numpy.iscomplexobj(numpy.real_if_close(a.to_numpy(), tol)) else a.real


def trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    """Return what lies between zeros at the ends; this looks at the values."""
    numpy, values = _numpy(), filt.to_numpy()
    lead = numpy.trim_zeros(values, "f", axis).shape if "f" in trim.lower() else filt.shape
    left = numpy.trim_zeros(values, trim, axis).shape
    begins = [size - rest for size, rest in zip(filt.shape, lead, strict=True)]
    return filt[tuple(slice(i, i + n) for i, n in zip(begins, left, strict=True))]


# --- several arrays -------------------------------------------------------------------------


def broadcast_arrays(*args: Any, subok: bool = False) -> Any:
    """Return all in one shape; what has it is itself."""
    arrays = _ours(args)
    if arrays is None:
        return NotImplemented
    shape = _numpy().broadcast_shapes(*(x.shape for x in arrays))
    return tuple(x if x.shape == shape else x.broadcast_to(shape) for x in arrays)


def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    """Return the coordinates of the points of a grid, as views if they aren't copied."""
    arrays, count = _ours(xi), len(xi)
    if arrays is None or indexing not in ("xy", "ij"):
        return NotImplemented
    places = list(range(count))
    if indexing == "xy" and count > 1:
        places[:2] = [1, 0]
    lying = [
        x.reshape(tuple(-1 if i == place else 1 for i in range(count)))
        for x, place in zip(arrays, places, strict=True)
    ]
    found = tuple(lying) if sparse else broadcast_arrays(*lying)
    return tuple(x.copy() for x in found) if copy else found


def ix_(*args: Any) -> Any:
    """Return the indices along each axis, so that they select a rectangle."""
    arrays, count = _ours(args), len(args)
    if arrays is None or any(x.ndim != 1 for x in arrays):
        return NotImplemented
    found = []
    for place, x in enumerate(arrays):
        places = x.nonzero()[0] if x.dtype.kind == "b" else x
        found.append(places.reshape(tuple(-1 if i == place else 1 for i in range(count))))
    return tuple(found)


def _ours(values: Sequence[Any]) -> list[Any] | None:
    """Convert the other operands to arrays; return None if one has no numbers."""
    first = next(x for x in values if hasattr(x, "__unify_backend__"))
    asarray = BindingHooks.binding_of(first.backend).functions["asarray"]
    found = []
    for x in values:
        mine = hasattr(x, "__unify_backend__")
        if not mine and _numpy().asarray(x).dtype.kind not in "biufc":
            return None
        found.append(x if mine else asarray(x, device=first.device))
    return found


# --- others ---------------------------------------------------------------------------------


def sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Any:
    """Return the parts under a window that slides over x, read-only."""
    slide = _numpy().lib.stride_tricks.sliding_window_view
    return _gathered(x, lambda layout: slide(layout, window_shape, axis))


class _Gather(ViewOp):
    """A read-only view for which the library has no function, of NumPy's for layouts."""

    __slots__ = ("_change", "_natives", "_places")

    def __init__(self, binding: Any, array: Any, change: Callable[[Any], Any]) -> None:
        super().__init__(read_only=True)
        self._change = change
        self._natives = [binding.bound[name].native for name in ("asarray", "take", "reshape")]
        self._places = change(layouts.numbers(array.shape)), binding.native_device(array.device)

    def layout(self, source: Any) -> Any:
        return self._change(source)

    def read(self, source: Any) -> Any:
        (asarray, take, reshape), (places, device) = self._natives, self._places
        numbers = asarray(places.reshape(-1), device=device)
        return reshape(take(reshape(source, (-1,)), numbers, axis=0), places.shape)


def _gathered(array: Any, change: Callable[[Any], Any]) -> Any:
    """Return the read-only view that a function of NumPy's for layouts makes."""
    backend, binding = backends.load(array.backend), BindingHooks.binding_of(array.backend)
    if backend.VIEW_EMULATION is False:
        return binding.wrap(change(array._data))
    op = _Gather(binding, array, change)
    view = emulate_view(backend, array, op, backend.LAZY_REFRESH, always=True)
    return binding.wrap_view(op.read(array._data), view)


def _unchanged(when: Callable[..., bool]) -> Callable[..., Any]:
    """Return what gives its array back for some arguments, for which NumPy computes nothing."""

    def same(a: Any, *args: Any, **kwargs: Any) -> Any:
        return a if when(a, *args, **kwargs) else NotImplemented

    return same


@_unchanged
def _no_axes(a: Any, s: Any = None, axes: Any = None, *_: Any, **__: Any) -> bool:
    return not a.ndim if axes is None and s is None else axes is not None and not len(axes)


@_unchanged
def _first_power(a: Any, n: Any) -> bool:
    return bool(n == 1) and a.ndim > 1 and a.shape[-1] == a.shape[-2]


def nan_to_num(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    """Replace what is no number, in x itself if it isn't copied."""
    found = x.nan_to_num(nan=nan, posinf=posinf, neginf=neginf)
    if copy:
        return found
    x[...] = found
    return x


def einsum(subscripts: Any, *operands: Any, **options: Any) -> Any:
    """Return a view of one array whose axes are in another order, or meet on a diagonal."""
    letters: list[Any]
    if isinstance(subscripts, str):
        given, arrow, after = subscripts.replace(" ", "").partition("->")
        x, letters, wanted = operands[0], list(given), list(after) if arrow else None
    else:  # an array, and its axes as numbers
        x, letters = subscripts, list(operands[0])
        wanted = list(operands[1]) if len(operands) == 2 else None
        operands = operands[:1] if len(operands) < 3 else operands
    if len(operands) != 1 or options or "." in letters or Ellipsis in letters:
        return NotImplemented
    if wanted is None:
        wanted = sorted(letter for letter in letters if letters.count(letter) == 1)
    if sorted(set(letters)) != sorted(wanted) or len(letters) != x.ndim:
        return NotImplemented
    for letter in wanted:
        while letters.count(letter) > 1:
            first = letters.index(letter)
            second = letters.index(letter, first + 1)
            if x.shape[first] != x.shape[second]:
                return NotImplemented
            x = _diagonal(x, axis1=first, axis2=second)
            letters = [one for i, one in enumerate(letters) if i not in (first, second)] + [letter]
    return x.permute_dims(tuple(letters.index(letter) for letter in wanted))


VIEWS: Final[dict[str, dict[str, Callable[..., Any]]]] = {
    "numpy": {
        function.__name__: function
        for function in (
            broadcast_arrays, diag, einsum, ix_, matrix_transpose, meshgrid, nan_to_num, ravel,
            real_if_close, reshape, rollaxis, split, squeeze, transpose, trim_zeros, unstack,
        )
    }
    | {
        name: _ours_of(name)
        for name in (
            "array_split", "diagonal", "dsplit", "fliplr", "flipud", "hsplit", "rot90", "swapaxes",
            "vsplit",
        )
    }
    | {
        "diff": _unchanged(lambda a, n=1, *_, **__: n == 0),
        "imag": _part("imag"),
        "permute_dims": transpose,
        "real": _part("real"),
    },
    "numpy.fft": dict.fromkeys(("fft2", "fftn", "ifft2", "ifftn"), _no_axes),
    "numpy.lib.stride_tricks": {"sliding_window_view": sliding_window_view},
    "numpy.linalg": {
        "diagonal": _diagonals_of_matrices,
        "matrix_power": _first_power,
        "matrix_transpose": matrix_transpose,
    },
}  # fmt: skip
"""NumPy's functions by module and name, with ours of the same parameters."""

VALUES: Final = frozenset({"real_if_close", "trim_zeros"})
"""Those whose result's shape depends on values: a traced array has none."""
