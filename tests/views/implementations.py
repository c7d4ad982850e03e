"""Two implementations of a program: NumPy's arrays (`Reference`), a bound namespace (`Bound`).

Both have a function for each step. The reference implements in NumPy's terms what NumPy refuses and
this project defines (a write casts as `astype` does), and the reverse.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import numpy as np

from tests.in_place import IN_PLACE
from tests.installed import LAZY
from tests.views import roots
from tests.views.steps import Index, Own

__all__ = ["REFUSALS", "Reference", "Bound", "Unsuitable"]

REFUSALS: Final = (TypeError, ValueError, IndexError, OverflowError)
# Floating-point numbers are multiples of 1/16 below 128: products are exact even in float32.
_GRAIN: Final = 16
_LIMIT: Final = 128


# Functions whose results have the argument's layout on NumPy and PyTorch.
_ORDERED: Final = frozenset({"positive"})


class Unsuitable(Exception):  # not an error: such a step is skipped
    """A step whose result isn't the same number everywhere, or whose layout is unspecified."""


class Reference:
    """NumPy's arrays and functions, under the names of the steps."""

    exact = True  # True to refuse numbers that may be rounded; False for derivatives

    def __init__(self, backend: str = "numpy") -> None:
        """Mirror a backend, which keeps the layout of foreign arrays, or copies them."""
        self.backend = backend
        self.exported: list[Any] = []
        self.lazy: list[Any] = []
        self.lends = True
        self.tracked = False

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(np, name)
        ordered = name in _ORDERED
        return lambda *args, **kwargs: self._settled(
            function(*args, **kwargs), *args, ordered=ordered
        )

    def _settled(self, result: Any, *sources: Any, ordered: bool = False) -> Any:
        """Convert scalars to arrays; refuse new arrays with an unspecified layout.

        The layout of a new array depends on the library, but `reshape` depends on it. Results of
        functions that never share are in C order, and results of one array keep the order if
        NumPy's do.
        """
        if isinstance(result, tuple | list):
            return tuple(self._settled(r, *sources, ordered=ordered) for r in result)
        result = np.asarray(result)
        shared = any(isinstance(s, np.ndarray) and np.may_share_memory(result, s) for s in sources)
        if shared or result.flags.c_contiguous:
            return result
        if self.backend not in roots.KEEPING:
            return result.copy(order="C")
        if not ordered:
            raise Unsuitable("a new array in another order than C's")
        return result

    def _fits(self, values: Any) -> Any:
        """Accept exact numbers."""
        if self.exact and values.dtype.kind in "fc":
            parts = np.stack([values.real, values.imag])
            if not (np.abs(parts) < _LIMIT).all() or (parts * _GRAIN % 1).any():
                raise Unsuitable("numbers that may be rounded")
        return values

    def _cast(self, values: Any, dtype: Any) -> Any:
        """Cast as the project's `astype` does, without conversions that C doesn't specify."""
        if values.dtype.kind == "c" and dtype.kind != "c":
            raise TypeError("complex into real")
        if values.dtype.kind == "f" and dtype.kind in "iu" and values.size:
            info = np.iinfo(dtype)
            if not (info.min <= values.min() and values.max() <= info.max):
                raise Unsuitable("a number that the integer type doesn't have")
        return self._fits(values.astype(dtype, order="C"))

    def make(self, own: Own) -> Any:
        return own.values

    def root(self, root: roots.Root) -> Any:
        x = roots.arrived(root, self.backend)
        if roots.is_tracked(root, self.backend):
            if self.exported:
                raise Unsuitable("NumPy isn't given what autograd tracks, or will")
            self.tracked = True
        if roots.is_lazy(root, self.backend):
            self.lazy.append(x)
        if roots.keeps(root, self.backend) and not self.tracked and x.flags.writeable:
            self.exported.append(x)
        return x

    # --- exports to NumPy ---------------------------------------------------------------------

    def export(self, x: Any) -> None:
        # NumPy can't determine the shared memory of an empty array.
        empty = bool(self.lazy) and not x.size
        if self.tracked or empty or any(np.may_share_memory(x, y) for y in self.lazy):
            raise Unsuitable("what NumPy is given of it is read-only")
        self.exported.append(x)

    def outside(self, number: int, key: Any, value: Any) -> None:
        self.set_item(self.exported[number], key, value)

    def release(self, number: int) -> None:
        del self.exported[number]

    def index(self, index: Index) -> Any:
        return index.array

    def values(self, x: Any) -> tuple[str, Any]:
        """Return the data type's name and the elements."""
        return x.dtype.name, x

    # --- views and copies ---------------------------------------------------------------------

    def get_item(self, x: Any, key: Any) -> Any:
        return self._settled(x[key], x)

    def rows(self, x: Any) -> Any:
        return self._settled(tuple(x), x)

    def T(self, x: Any) -> Any:
        return x.T

    def mT(self, x: Any) -> Any:
        return x.mT

    def unstack(self, x: Any, *, axis: int) -> Any:
        return self._settled(np.unstack(x, axis=axis), x)

    def diagonal(self, x: Any, *, offset: int) -> Any:
        return np.linalg.diagonal(x, offset=offset)

    def broadcast_arrays(self, *arrays: Any) -> Any:
        """Return read-only views if the shape differs: NumPy only warns about some."""
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
        return tuple(a[...] if a.shape == shape else np.broadcast_to(a, shape) for a in arrays)

    def split(self, x: Any, *, num_or_size_splits: Any, axis: int) -> Any:
        return tuple(np.split(x, num_or_size_splits, axis=axis))

    def astype(self, x: Any, dtype: str, *, copy: bool) -> Any:
        if x.dtype.name == dtype and not copy:
            return x
        self._settled(x.astype(x.dtype), x)
        return self._cast(x, np.dtype(dtype))

    def asarray(self, x: Any, *, copy: bool | None = None) -> Any:
        return self._settled(np.array(x, copy=copy), x)

    def concat(self, x: Any, y: Any) -> Any:
        return self._settled(np.concat([x, y]), x)

    # --- writes -------------------------------------------------------------------------------

    def set_item(self, x: Any, key: Any, value: Any) -> None:
        if not isinstance(value, bool | int | float | complex):
            value = self._cast(np.array(value, order="C"), x.dtype)
        x[self._lasting(key)] = value

    def _lasting(self, key: Any) -> Any:
        if isinstance(key, tuple):
            return tuple(map(self._lasting, key))
        return key.copy() if isinstance(key, np.ndarray) else key

    set_item_function = set_item

    def in_place(self, sign: str, x: Any, y: Any) -> None:
        self._guard(sign, x, np.asarray(y))
        with np.errstate(all="ignore"):
            result = np.asarray(IN_PLACE[sign][1](x, y))
        self._store(x, result, "same_kind")

    def _guard(self, sign: str, x: Any, y: Any) -> None:
        """Raise for operations that round, trap, or are unspecified in the standard."""
        if sign in ("//=", "%=", "/=") and not (y.real > 0).all():
            raise Unsuitable("division by zero")
        if sign in ("<<=", ">>=") and not ((y >= 0) & (y < 7)).all():
            raise Unsuitable("a shift out of range")
        if sign == "**=" and not ((y >= 0) & (y < 3) & (np.abs(x) < 6)).all():
            raise Unsuitable("a power out of range")

    def _store(self, x: Any, result: Any, casting: Any) -> None:
        if not np.can_cast(result.dtype, x.dtype, casting):
            raise TypeError("a result of higher kind")
        if result.shape != x.shape:
            raise ValueError("a result of another shape")
        result = self._cast(np.array(result), x.dtype)
        x[...] = result

    def augmented(self, sign: str, x: Any, key: Any, y: Any) -> None:
        key = self._lasting(key)
        selected = np.asarray(x[key])
        self.in_place(sign, selected, y)
        x[key] = selected

    def into(self, name: str, out: Any, *args: Any, **kwargs: Any) -> None:
        with np.errstate(all="ignore"):
            result = np.array(getattr(np, name)(*args, **kwargs))
        self._store(out, result, "safe")

    def swap(self, x: Any) -> None:
        kept = self.get_item(x, 0)
        self.set_item(x, 0, self.get_item(x, 1))
        self.set_item(x, 1, kept)


class Bound:
    """A bound namespace, its Arrays' operators and brackets."""

    def __init__(self, xp: ModuleType) -> None:
        self.xp = xp
        self.backend = xp.__unify_backend__
        self.exported: list[Any] = []
        self.lends = self.backend not in LAZY  # np.asarray of a lazy array is a copy
        self.tracked = False

    def __getattr__(self, name: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(self.xp, name)
        return found

    def make(self, own: Own) -> Any:
        return self.xp.asarray(own.values, copy=True)

    def root(self, root: roots.Root) -> Any:
        given, x = roots.brought(root, self.xp)
        self.tracked = self.tracked or roots.is_tracked(root, self.backend)
        if roots.keeps(root, self.backend) and not self.tracked and given.flags.writeable:
            self.exported.append(given)
        return x

    def export(self, x: Any) -> None:
        self.exported.append(np.asarray(x))

    def outside(self, number: int, key: Any, value: Any) -> None:
        # A view of a temporary object: only the memory matters.
        self.exported[number][...][key] = np.array(value)

    def release(self, number: int) -> None:
        del self.exported[number]

    def index(self, index: Index) -> Any:
        return self.xp.asarray(index.array)

    def values(self, x: Any) -> tuple[str, Any]:
        found = np.array(x)
        told, values = (x.shape, x.dtype.name), (found.shape, found.dtype.name)
        assert told == values, f"a lazy array tells {told}, and its values are {values}"
        return x.dtype.name, found

    def get_item(self, x: Any, key: Any) -> Any:
        return x[key]

    def rows(self, x: Any) -> Any:
        return list(x)

    def T(self, x: Any) -> Any:
        return x.T

    def mT(self, x: Any) -> Any:
        return x.mT

    def diagonal(self, x: Any, *, offset: int) -> Any:
        return self.xp.linalg.diagonal(x, offset=offset)

    def astype(self, x: Any, dtype: str, *, copy: bool) -> Any:
        return self.xp.astype(x, getattr(self.xp, dtype), copy=copy)

    def concat(self, x: Any, y: Any) -> Any:
        return self.xp.concat([x, y])

    def set_item(self, x: Any, key: Any, value: Any) -> None:
        x[key] = value

    def set_item_function(self, x: Any, key: Any, value: Any) -> None:
        assert self.xp.set_item(x, key, value) is x

    def in_place(self, sign: str, x: Any, y: Any) -> None:
        assert IN_PLACE[sign][0](x, y) is x

    def augmented(self, sign: str, x: Any, key: Any, y: Any) -> None:
        x[key] = IN_PLACE[sign][0](x[key], y)

    def into(self, name: str, out: Any, *args: Any, **kwargs: Any) -> None:
        assert getattr(self.xp, name)(*args, out=out, **kwargs) is out

    def swap(self, x: Any) -> None:
        kept = x[0]
        x[0] = x[1]
        x[1] = kept
