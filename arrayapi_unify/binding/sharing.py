"""The functions whose results share memory with their argument, as NumPy's do.

Each entry says what its function does with a layout (`array_object.memory`), and how a view's value
goes back into the array that it was taken of. NumPy, and PyTorch for the most part, need neither.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arrayapi_unify.array_object import Array, memory
from arrayapi_unify.array_object.memory import Step
from arrayapi_unify.backends._common.following import always, never
from arrayapi_unify.binding.contract import Contract, Returns, Role

if TYPE_CHECKING:
    from arrayapi_unify.binding.namespace import Binding

__all__ = ["SHARING", "Follower", "Sharing", "follows"]


@dataclass(frozen=True)
class Sharing:
    """How the result of a function shares memory with its first argument."""

    layout: Callable[..., Any]
    """A layout and the other arguments -> the result's; no array where the result is a copy."""
    back: Callable[..., Any] | None = None
    """Natives, source, view, other arguments -> source with the view in it; None: read-only."""
    read: Callable[..., Any] | None = None
    """Natives, source, other arguments -> view, where the function itself makes several."""


_PLAIN_KEYS: Final = frozenset({int, slice, type(None), type(Ellipsis)})


def _item(s: Any, key: Any) -> Any:
    """Apply a basic key; one with arrays in it copies, and integers alone give no array."""
    parts = key if type(key) is tuple else (key,)
    return s[key] if _PLAIN_KEYS.issuperset(map(type, parts)) else None


def _reshaped(s: Any, shape: Any, *, copy: bool | None = None) -> Any:
    try:
        return None if copy else np.reshape(s, shape, copy=False)
    except ValueError:  # the strides don't allow it
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
    "get_item": Sharing(_item, lambda f, x, y, key: f.set_item(x, key, y)),
    "reshape": Sharing(_reshaped, _shaped_back),
    "expand_dims": Sharing(np.expand_dims, _shaped_back),
    "squeeze": Sharing(np.squeeze, _shaped_back),
    "permute_dims": Sharing(
        np.transpose, lambda f, x, y, axes: f.permute_dims(y, _order_back(axes))
    ),
    "matrix_transpose": Sharing(np.matrix_transpose, lambda f, x, y: f.matrix_transpose(y)),
    "moveaxis": Sharing(
        np.moveaxis, lambda f, x, y, source, destination: f.moveaxis(y, destination, source)
    ),
    "flip": Sharing(np.flip, lambda f, x, y, **axis: f.flip(y, **axis)),
    "real": Sharing(np.real, _with_imaginary),
    "imag": Sharing(
        lambda s: s.imag if s.dtype.kind == "c" else None,
        lambda f, x, y: f.backend.join_complex(f.real(x), y),
    ),
    "unstack": Sharing(
        lambda s, number, *, axis=0: s[_row_key(s.ndim, axis, number)],
        lambda f, x, y, number, *, axis=0: f.set_item(x, _row_key(f.rank(x), axis, number), y),
        read=lambda f, x, number, *, axis=0: f.get_item(x, _row_key(f.rank(x), axis, number)),
    ),
    "broadcast_to": Sharing(np.broadcast_to),
    "broadcast_arrays": Sharing(
        np.broadcast_to, read=lambda f, x, shape: f.broadcast_to(x, shape)
    ),
    "linalg.diagonal": Sharing(lambda s, *, offset=0: np.diagonal(s, offset, -2, -1)),
}


def follows(binding: Binding, contract: Contract) -> bool:
    """Whether results of a function may have to follow on a backend."""
    return contract.qualified_name in SHARING and binding.backend.must_follow is not never


class _Natives:
    """A backend's native functions, by name; those that write into memory, as ones that don't."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self.backend = binding.backend

    def __getattr__(self, name: str) -> Any:
        native = self._binding.bound[name].native
        found = getattr(native, "pure", native)
        setattr(self, name, found)  # found the next time without a search
        return found

    def rank(self, x: Any) -> int:
        """Return the number of axes."""
        return len(self.backend.shape_of(x))


class Follower:
    """One function on one backend: makes Arrays of its results that follow where they have to."""

    def __init__(self, binding: Binding, contract: Contract, native: Any) -> None:
        """Join the function's entry with its native function."""
        self._binding = binding
        self._contract = contract
        self._sharing = SHARING[contract.qualified_name]
        self._native = native
        self._natives = _Natives(binding)

    @property
    def when(self) -> str:
        """When a result has to follow: "always", or "sometimes": then the array says so."""
        must = self._binding.backend.must_follow
        copies = getattr(self._native, "copies", False)
        return "always" if must is always or copies or not self._sharing.back else "sometimes"

    def fast(self, result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Make the result of a call whose arguments are as they should be."""
        args, kwargs = self._contract.canonical(args, kwargs)
        return self(result, args, kwargs)

    def __call__(self, result: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Make Arrays of what the native function returned; `args` begin with the Array."""
        source, *rest = args
        if self._contract.returns is Returns.ARRAY:
            return self._one(result, source, tuple(rest), kwargs)
        if self._contract.parameters[0].role is Role.STAR:
            shape_of = self._binding.backend.shape_of
            pairs = zip(result, args, strict=True)
            return tuple(self._one(part, x, (shape_of(part),), {}) for part, x in pairs)
        parts = enumerate(result)
        return tuple(self._one(part, source, (i, *rest), kwargs) for i, part in parts)

    def _one(
        self, result: Any, source: Array, rest: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Array:
        binding, backend = self._binding, self._binding.backend
        result = backend.canonical(result)
        window = backend.REFRESHED_LATER or backend.shares(result, source._data)
        if window and self._on_its_own(source):
            return binding.wrap(result)
        view = memory.follow(
            backend,
            source,
            lambda layout: self._sharing.layout(layout, *rest, **kwargs),
            self._step(rest, kwargs),
            window,
        )
        if view is not None:
            return binding.wrap_view(result, view)
        # NumPy would copy; a library that doesn't has to.
        return binding.wrap(backend.copy(result) if backend.shares(result, source._data) else result)

    def _on_its_own(self, source: Array) -> bool:
        """Whether the library itself lets a window onto an array's memory share it."""
        view = memory.view_of(source)
        plain = view is None or (view.kept and not view.read_only)
        must = self._binding.backend.must_follow(source._data)
        return plain and not must and self._sharing.back is not None

    def _step(self, rest: tuple[Any, ...], kwargs: dict[str, Any]) -> Step:
        natives, native = self._natives, self._native
        back, other = self._sharing.back, self._sharing.read

        def read(x: Any) -> Any:
            return other(natives, x, *rest, **kwargs) if other else native(x, *rest, **kwargs)

        def write(x: Any, y: Any) -> Any:
            return back(natives, x, y, *rest, **kwargs)  # type: ignore[misc]  # not where it's None

        return Step(read, None if back is None else write)
