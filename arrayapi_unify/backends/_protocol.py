"""The protocol of a backend: the names that every `backends/<name>/__init__.py` defines.

A backend module satisfies this protocol as it stands. `tests/backends` checks that; the registry
checks nothing at run time. The category files next to it hold the native functions. The private
modules, named as in `PRIVATE_MODULES`, hold the helpers that several of them share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from arrayapi_unify.devices import Device
from arrayapi_unify.dtypes import DType

__all__ = ["PRIVATE_MODULES", "Backend"]

PRIVATE_MODULES: Final[Mapping[str, str]] = {
    "_alignment": "operands cut at the same places",
    "_arithmetic": "functions that take real and complex formulas together, by data type",
    "_compilation": "how the library compiles functions of native arrays",
    "_inductor": "corrections of the library's compiler",
    "_graph_passes": "changes to the graphs of the library's compiler",
    "_complex": "formulas for complex numbers, where the library's own aren't right or missing",
    "_conversion": "arrays out of anything that holds values: asarray, full",
    "_core": "what every category needs: types, casts, promotion, Python scalars, questions about "
    "values that tracing must not ask",
    "_equivalents": "the library's own functions that stand for ours in a graph",
    "_defaults": "the default data types as the library's own",
    "_derivatives": "derivatives that the library, or a formula of ours, would get wrong",
    "_devices": "the library's devices by our names, and where new arrays go",
    "_dynamo": "the handling of Arrays by a tracer of Python code",
    "_errors": "which built-in exception an error of the library stands for",
    "_minmax": "the extremes of what the library doesn't order, and where they are",
    "_exponentials": "hyperbolic functions and `exp(x) - 1` of digits of their own",
    "_factories": "what makes native elementwise functions, and says how data types are carried",
    "_in_place": "`x op= y` by the library's own operation, where it means the same",
    "_interchange": "memory shared with others: DLPack and NumPy, both ways",
    "_keys": "index keys, taken apart by NumPy's rules",
    "_kept": "values that a look keeps, so that the next one need not compute them",
    "_merging": "joins and selections that give one block in place of many small ones",
    "_sizes": "sizes that masks decide, counted once for all that a mask selects",
    "_lift": "what makes lazy functions of another backend's natives",
    "_natives": "natives of another backend by name, and stand-ins for their arguments",
    "_blocks": "what runs on blocks, and is no native function of another backend",
    "_writes": "the array that a write gives, made of what stays and what is written",
    "_lazy": "what arrays without values have beyond others: computing, sizes that aren't known",
    "_linalg_norms": "norms of vectors and matrices",
    "_pytree": "Arrays and Containers as nodes of the library's own trees",
    "_sort_keys": "integers that sort as values do",
    "_division": "floors of exact quotients, where the library rounds these",
    "_errstate": "calls in which the library reports nothing, at next to no cost",
    "_real": "formulas for real numbers, where the library's own aren't right or missing",
    "_reductions": "the short way of reductions along one axis",
    "_meshes": "meshes of devices as one device, and the axes over which arrays are split",
    "_looks": "values of arrays on several devices, of which few numbers are read",
    "_scattered": "arrays of which each of several processes has a part",
    "_pullback": "derivatives, operation by operation, each of them finite",
    "_saved": "what the library keeps for derivatives, which a write must not change",
    "_gather_scatter": "what x[key] and its assignment compute, once the key is taken apart",
    "_control_flow": "loops and branches as the library's own operations, where it traces",
    "_unsigned": "unsigned integers, carried by signed ones where kernels are missing",
    "_aliasing": "aliases of one memory: who wrote to it, and how they come apart",
    "_out": "the library's own functions that compute into `out`, and when they may",
    "_mutation": "when a write goes into memory, and when it makes another array",
}
"""The private modules of a backend's folder: what is done for the same purpose has the same name,
so that two folders can be read side by side. A backend has those that it needs; helpers of a line
or two stand in its `__init__.py`."""


class Backend(Protocol):
    """The part of a backend that isn't a function of the standard."""

    NAME: str
    """The backend's name in the registry."""

    DTYPES: Mapping[DType, Any]
    """The native data type of each `DType`."""

    RESULT_TYPE: type | None
    """The exact type of every native array, where native functions may return something else
    (NumPy returns scalars for 0-d results); None where they never do."""

    NATIVE_TYPE: type | None
    """The exact type of the library's own arrays, of which a call with native arrays is served
    without a detour; None where there are several."""

    CAPABILITIES: Mapping[str, Any]
    """The capabilities that `__array_namespace_info__().capabilities()` reports."""

    def is_native_type(self, kind: type) -> bool:
        """Return True if instances of `kind` are native arrays of this backend."""

    def as_native_array(self, value: Any) -> Any:
        """Turn what a native function returned for an array into a native array."""

    def dtype_of(self, x: Any) -> DType:
        """Return the data type of a native array."""

    def as_dtype(self, native: Any) -> DType | None:
        """Return the `DType` of a native data type, None where it isn't one of this backend."""

    def device_of(self, x: Any) -> Device:
        """Return the device of a native array."""

    def devices(self) -> tuple[Device, ...]:
        """List the devices of this machine that the backend can use."""

    def native_device(self, device: Device) -> Any:
        """Return what the native functions take as `device`; raise where there is none such."""

    def shape_of(self, x: Any) -> tuple[int, ...]:
        """Return the shape of a native array as a tuple."""

    VIEW_EMULATION: bool | str
    """True if views of native arrays can't share their memory and are therefore emulated; or the
    name of an attribute of the arrays that is True then."""

    aliasing: Any
    """The module that separates aliases of one memory and detects writes to them, where the library
    lets arrays share memory that it can't always write to; else None."""

    lazy: Any
    """The module of a library whose arrays record how their values are computed
    (`_common.protocols.lazy.Lazy`); else None."""

    EAGER_BINDING: bool
    """True if all functions are bound when the backend is first used; else each on first access. A
    compiler that reads Python code needs them made beforehand."""

    LAZY_REFRESH: bool
    """True if emulated views get new data on their first access after a write; else at once."""

    def tracer_of(self, x: Any) -> Any:
        """Return what is being traced where a native array stands for one; None for a real one."""

    def version_of(self, x: Any) -> Any:
        """Return a value that each write to a native array changes; None if none is tracked."""

    def is_compiling(self) -> bool:
        """Return True if a compiler of Python code is tracing the caller, line by line."""

    def shares_memory(self, x: Any, y: Any) -> bool:
        """Return True if two native arrays are aliases of one memory."""

    def join_complex(self, real: Any, imag: Any) -> Any:
        """Return the complex array of two components."""

    def translate_error(self, error: Exception) -> Exception:
        """Return the built-in exception that says what a native function's error means."""

    def as_library_error(self, error: Exception) -> Exception:
        """Return an error of ours; one that is the library's too, if its users catch such a one."""

    def write(self, target: Any, value: Any) -> Any:
        """Store `value` (same shape) in `target`, cast to its dtype; return what now holds it.

        That is `target` itself where it is an alias of memory that may be written to. Its `Kernel`
        may name a function that does the same for an `unaliased` value.
        """

    def write_through(self, target: Any, value: Any) -> Any:
        """Store `value` as `write` does, in memory that other arrays show, whatever tracks it."""

    def write_all(self, targets: Sequence[Any], values: Sequence[Any]) -> bool:
        """Store values in the memory of native arrays of the same shapes and data types.

        Return True if it did: it writes all of them, or none where one can't be written to.
        """

    def in_place(self, native: Callable[..., Any]) -> Callable[[Any, Any], Any]:
        """Derive `x op= y` from a binary native function: returns what now holds the result.

        It may have a `Kernel` of its own.
        """

    def copy(self, x: Any) -> Any:
        """Copy a native array."""

    def is_scattered(self, x: Any) -> bool:
        """Return True for an array whose values lie in several places; `repr` doesn't gather them.

        That would wait for other processes, or take more memory than one place has.
        """

    def pickled(self, x: Any) -> tuple[Callable[..., Any], tuple[Any, ...]] | None:
        """Return a function and its arguments, which make a native array again; None: its values.

        Pickle stores them, as what `__reduce__` returns. Values lose what they aren't: how the
        array is computed, or how it is spread over blocks and devices.
        """

    def dlpack(self, x: Any, **options: Any) -> Any:
        """Export a native array as a DLPack capsule, by the standard's keyword arguments."""

    def dlpack_device(self, x: Any) -> tuple[Any, int]:
        """Return a native array's device in DLPack's numbering."""

    def register_node(
        self,
        kind: type,
        flatten: Callable[[Any], tuple[Sequence[Any], Any]],
        unflatten: Callable[[Any, Sequence[Any]], Any],
        names: Callable[[Any], Sequence[str]],
    ) -> None:
        """Let the framework's own transformations look into instances of `kind`.

        `flatten(x)` gives the parts, and what `unflatten(structure, parts)` needs in addition.
        `names(structure)` gives the names of the parts in the paths of a tree.
        """

    def node_of(self, kind: type) -> tuple[Callable[..., Any], Callable[..., Any]] | None:
        """Return `flatten` and `unflatten` of a class that the framework knows; else None."""

    def suppress_warnings(self, body: Callable[..., Any]) -> Callable[..., Any]:
        """Return a contract's body as it runs on this backend, without warnings about the special
        values that it meets on its way: they say nothing about what the user passed."""

    def to_numpy(self, x: Any, /, *, copy: bool | None = None) -> Any:
        """Return the values as a NumPy array, without a copy where memory allows."""
