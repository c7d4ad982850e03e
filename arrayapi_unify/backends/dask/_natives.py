"""Natives of NumPy by their names, for the workers, and stand-ins for the arrays that they get."""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from dask.highlevelgraph import MaterializedLayer

from arrayapi_unify import dtypes
from arrayapi_unify._core.failures import raise_better
from arrayapi_unify.backends._common.protocols.module_getattr import extension_of
from arrayapi_unify.backends.numpy._errors import translate_error
from arrayapi_unify.errors import UnifyError, translate

DaskArray: TypeAlias = Any
NDArray: TypeAlias = npt.NDArray[Any]
NativeDType: TypeAlias = np.dtype[Any]

BLOCKS: Final = "arrayapi_unify.backends.dask._blocks"
NUMPY: Final = "arrayapi_unify.backends.numpy"
_PUBLIC: Final = {
    "gather": "get_item", "scatter": "set_item", "put_masked": "set_item",
    "search": "searchsorted", "member": "isin", "solve_vector": "linalg.solve",
    "matrix_power": "linalg.matrix_power", "matrix_rank": "linalg.matrix_rank",
    "pinv": "linalg.pinv",
}  # fmt: skip
# The arrays of blocks whose other options are those of the public function.
_PARAMETERS: Final = {
    "take": ("x", "indices"), "take_along_axis": ("indices", "x"), "matrix_power": ("x",),
    "solve_vector": ("x1", "x2"),
}  # fmt: skip


# --- natives by name ----------------------------------------------------------------------------


class Block:
    """A function of NumPy arrays by its name, with keywords: it pickles as these.

    It reports nothing about special values, as no framework but NumPy does: the thread that runs
    it doesn't know what the caller has set.
    """

    __slots__ = ("__name__", "defaults", "module", "native", "options", "result")

    def __init__(
        self,
        module: str,
        name: str,
        options: Mapping[str, Any] | None = None,
        defaults: tuple[str, str, str] | None = None,
    ) -> None:
        """Find the function; `defaults` are the default data types under which it runs."""
        self.module, self.__name__, self.defaults = module, name, defaults
        self.options = dict(options or {})
        self.native = _found(module, name)
        self.result: NativeDType | None = None  # of a reduction's blocks, if not the last one's

    def __call__(self, *arrays: Any, **more: Any) -> Any:
        """Compute a block; an error names the function, wherever it runs."""
        try:
            return self.tried(*arrays, **more)
        except UnifyError:
            raise
        except Exception as error:
            raise_better(error, _translated(error, self, arrays))

    @np.errstate(all="ignore")
    def tried(self, *arrays: Any, **more: Any) -> Any:
        """Compute; Dask's own algorithms give more keywords, and stand-ins make errors.

        Dask makes scalars of NumPy of 0-d blocks, which a native takes for Python's.
        """
        arrays = tuple([np.asarray(x) if isinstance(x, np.generic) else x for x in arrays])
        options = {**self.options, **more} if more else self.options
        if self.defaults is None:
            return self.native(*arrays, **options)
        call = functools.partial(self.native, *arrays, **options)
        return dtypes.call_with_defaults(self.defaults, call)

    def having(self, **options: Any) -> Block:
        """Return the function with more keywords."""
        more = {**self.options, **options}
        found = Block(self.module, self.__name__, more, self.defaults)
        found.result = self.result
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the name."""
        return Block, (self.module, self.__name__, self.options, self.defaults)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        """Say what the result of a call depends on besides the arrays."""
        return self.module, self.__name__, repr(self.options), self.defaults


def _translated(error: Exception, function: Block, arrays: Iterable[Any]) -> Exception:
    """Return the error of a block as that of the public function."""
    name = function.__name__
    if function.module == BLOCKS:  # most have other parameters than the public function
        given = [*zip(_PARAMETERS.get(name, ()), arrays, strict=False)]
        if given:
            options = function.options
            given += [("axis", options["axes"][0])] if "axes" in options else options.items()
        return translate(translate_error(error), _PUBLIC.get(name, name), "dask", given)
    names = inspect.signature(function.native).parameters
    given = [*zip(names, arrays, strict=False), *function.options.items()]
    extension = extension_of(function.module.removeprefix(f"{NUMPY}."))
    name = f"{extension}.{name}" if extension else name
    return translate(translate_error(error), name, "dask", given)


@functools.cache
def _found(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module, or one that serves some calls only."""
    loaded = importlib.import_module(module)
    partial = vars(loaded).get("PARTIAL", {})
    return partial[name] if name in partial else getattr(loaded, name)


def native(category: str, name: str, /, **options: Any) -> Block:
    """Return a native function of NumPy, under the default data types of the caller."""
    return Block(f"{NUMPY}.{category}", name, options, dtypes.held_defaults())


def of_blocks(name: str, /, **options: Any) -> Block:
    """Return a function of `_blocks`, under the default data types of the caller."""
    return Block(BLOCKS, name, options, dtypes.held_defaults())


# --- stand-ins ----------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def _ones(dtype: NativeDType, shape: tuple[int, ...]) -> NDArray:
    found = np.ones(shape, dtype)
    found.flags.writeable = False
    return found


@functools.lru_cache(maxsize=4096)
def meta(dtype: NativeDType, ndim: int) -> NDArray:
    return np.empty((0,) * ndim, dtype)


def one(x: DaskArray) -> NDArray:
    """Return a stand-in of one element along each axis."""
    return _ones(x.dtype, (1,) * x.ndim)


def small(x: DaskArray) -> NDArray:
    """Return a stand-in that has the sizes 0 and 1 in common with an array, and 2 for others."""
    return _ones(x.dtype, tuple(n if n in (0, 1) else 2 for n in x.shape))


def stand_in(dtype: NativeDType, shape: Sequence[int]) -> NDArray:
    """Return a stand-in of any shape, which takes one element of memory."""
    return np.broadcast_to(_ones(dtype, ()), tuple(shape))


def token(*parts: Any) -> str:
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()


def held(x: DaskArray) -> NDArray | None:
    """Return the values of an array of one block that the graph holds, such as a list of indices.

    Nobody writes to them; to return them takes no computation.
    """
    if x.npartitions != 1:
        return None
    layer = x.dask.layers.get(x.name)
    if not isinstance(layer, MaterializedLayer):
        return None
    found = layer.get((x.name, *[0] * x.ndim))
    found = getattr(found, "value", found)  # recent versions wrap it
    return found if isinstance(found, np.ndarray) else None


def known(x: DaskArray) -> bool:
    """Return True if the size of each axis is known."""
    return not any(n != n for n in x.shape)  # NaN stands for an unknown one
