"""DLPack: promises about memory that is shared with other libraries, in both directions.

NumPy's arrays are exported here, and so is host memory of JAX and TensorFlow, by way of NumPy's
read-only views of it: their own capsules have no version and can't be marked as read-only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn, cast

from arrayapi_unify.backends import load, name_of
from arrayapi_unify.errors import UnifyBufferError

# DLPack's flag "read-only" came with its version 1.0.
_WRITEABLE: Final = 0x400  # NumPy's bit among `flags.num`
_SAYS_READ_ONLY: Final = (1, 0)


def dlpack(
    x: Any,
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[Any, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """Export a NumPy array, or a copy of one that the consumer might not take.

    The consumer is unknown; PyTorch aborts the process on a negative stride.
    """
    problem = _problem(x, max_version)
    if problem is not None:
        if copy is False:
            raise_export_error(problem)
        x, copy = x.astype(x.dtype.newbyteorder("="), order="C", subok=False), None
    return x.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)


def dlpack_of_values(x: Any, *, copy: bool | None = None, **options: Any) -> Any:
    """Export a copy of the values of an array of any library, as NumPy's array."""
    if copy is False:
        raise_export_error("is exported by its values, which are copied")
    name = name_of(x)
    assert name is not None  # a backend exports arrays of its own
    return dlpack(load(name).to_numpy(x, copy=True), **options)


def is_writeable(x: Any) -> bool:
    """Return NumPy's flag; by its name it warns for the results of np.broadcast_arrays."""
    return bool(x.flags.num & _WRITEABLE)


def _problem(x: Any, max_version: tuple[int, int] | None) -> str | None:
    """Return why an array can't be exported as it is, None if it can."""
    if any(step < 0 for step in x.strides):
        return "has negative strides, which most libraries don't take"
    if any(step % x.itemsize for step in x.strides) or not x.dtype.isnative:
        return "has strides of parts of an element, or foreign byte order"
    if not is_writeable(x) and not is_told_read_only(max_version):
        return "is read-only, which a consumer of DLPack before 1.0 isn't told"
    return None


def is_told_read_only(max_version: tuple[int, int] | None) -> bool:
    """Return True if the consumer's version of DLPack can mark memory as read-only."""
    return max_version is not None and max_version >= _SAYS_READ_ONLY


def raise_export_error(problem: str) -> NoReturn:
    """Raise: the memory can't be exported as it is, and `copy` forbids anything else."""
    raise UnifyBufferError(f"__dlpack__: 'copy' is False, but the array {problem}; pass copy=None")


def dlpack_device(x: Any) -> tuple[Any, int]:
    """Return the array's own answer."""
    return cast("tuple[Any, int]", x.__dlpack_device__())


def native(x: Any) -> Any:
    """Return the native array of an Array, anything else as it is."""
    return x.data if hasattr(x, "__unify_backend__") else x


def never_changes(x: Any) -> bool:
    """Return True if an array's memory is JAX's or TensorFlow's, which must not be written to.

    Arrays of these libraries may share such memory only: writes to any other would change them. A
    lazy array has no memory, and what is exported are its values.
    """
    name = name_of(x)
    if name is None:
        return False
    backend = load(name)
    return backend.VIEW_EMULATION is True and backend.lazy is None


def overlaps(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Return True if elements share memory, as in broadcast arrays, whose strides are zero."""
    repeated = any(n > 1 and not step for n, step in zip(shape, strides, strict=True))
    return repeated and 0 not in shape
