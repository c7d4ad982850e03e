"""Containers in files: a NumPy archive of the arrays, and their structure as JSON beside them.

Neither part can hold code: no pickle is written or read. A file is written whole or not at all.
"""

from __future__ import annotations

import importlib
import json
import os
import secrets
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final

from arrayapi_unify import backends, dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import CONTRACTS, binding_of
from arrayapi_unify.container.walk import SEPARATOR
from arrayapi_unify.container_base import Nested
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError, refuse

__all__ = ["load", "save", "written_whole"]

_FORMAT: Final = "arrayapi_unify.Container/1"
_STRUCTURE: Final = "structure"


def save(container: Nested, path: str | os.PathLike[str]) -> None:
    """Write the leaves and their structure to `path`."""
    arrays: dict[str, Any] = {}
    structure = {"format": _FORMAT, "nodes": _described(container, arrays, ())}
    numpy = importlib.import_module("numpy")
    text = json.dumps(structure).encode("utf-8")
    arrays[_STRUCTURE] = numpy.frombuffer(text, numpy.uint8)
    written_whole(path, lambda file: _write(file, arrays, numpy))


def written_whole(path: str | os.PathLike[str], write: Callable[[BinaryIO], Any]) -> None:
    """Write a file, whole or not at all."""
    target = Path(path)
    # Beside the target, so that it can take its place at once; with the usual permissions.
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    try:
        with temporary.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _write(file: BinaryIO, arrays: dict[str, Any], numpy: Any) -> None:
    """Write the archive's members one by one: `np.savez` could pickle, this can't."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, values in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                numpy.lib.format.write_array(member, values, allow_pickle=False)


def _described(nested: Nested, arrays: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """Return what stands for the nodes in JSON; the arrays' values are collected."""
    nodes: dict[str, Any] = {}
    for key, value in nested._nodes.items():
        if isinstance(value, Nested):
            nodes[key] = {"nodes": _described(value, arrays, (*path, key))}
        else:
            nodes[key] = _leaf(value, arrays, (*path, key))
    return nodes


def _leaf(value: Any, arrays: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """Return what stands for a leaf, or for one part of a leaf that is a tuple."""
    if isinstance(value, tuple) and (type(value) is tuple or _result_type(type(value).__name__)):
        parts = [_leaf(part, arrays, (*path, str(i))) for i, part in enumerate(value)]
        return {"tuple": parts, "type": type(value).__name__}
    if (name := backends.name_of(value)) is not None:
        return _array(value, name, arrays)
    return _scalar(value, arrays, path)


def _array(value: Any, name: str, arrays: dict[str, Any]) -> dict[str, Any]:
    backend, wrapped = backends.load(name), isinstance(value, Array)
    native = value.data if wrapped else value
    node = {"backend": name, "wrapped": wrapped}
    values = backend.to_numpy(native)
    if backend.dtype_of(native) is dtypes.bfloat16:
        # NumPy's format has no name for it.
        values, node["dtype"] = values.view("uint16"), dtypes.bfloat16.name
    return {"array": _member(values, arrays), **node}


def _member(values: Any, arrays: dict[str, Any]) -> str:
    """File values under a name of their own, and return it."""
    member = f"array_{len(arrays)}"
    arrays[member] = values
    return member


def _result_type(name: str) -> type | None:
    """Return the named tuple of this name that a function of ours returns, if there is one."""
    kinds = (contract.result_type for contract in CONTRACTS.values())
    return next((kind for kind in kinds if kind is not None and kind.__name__ == name), None)


def _scalar(value: Any, arrays: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    numpy = importlib.import_module("numpy")
    if isinstance(value, (numpy.number, numpy.bool)) and value.dtype.kind in "biufc":
        return {"scalar": _member(numpy.asarray(value), arrays)}
    if type(value) is complex:
        return {"complex": [value.real, value.imag]}
    if value is None or type(value) in (bool, int, float, str):
        return {"value": value}
    refuse(
        UnifyTypeError,
        "Container.save",
        SEPARATOR.join(path),
        f"is a {type(value).__module__}.{type(value).__qualname__}, which the format can't hold",
        "save arrays, numbers, strings, None and tuples of these, or map the leaf to one first",
    )


def load(path: str | os.PathLike[str], backend: str | None) -> dict[str, Any]:
    """Read a file: nested dicts, whose arrays are of `backend` or of the one they came from."""
    numpy = importlib.import_module("numpy")
    with open(path, "rb") as file:
        try:
            archive = numpy.load(file, allow_pickle=False)
            structure = json.loads(archive[_STRUCTURE].tobytes().decode("utf-8"))
            known = structure["format"] == _FORMAT
            nodes = _restored(structure["nodes"], archive, backend) if known else {}
        except (ValueError, KeyError, TypeError, EOFError, IndexError, zipfile.BadZipFile) as error:
            if isinstance(error, UnifyValueError | UnifyTypeError):
                raise
            raise _not_saved(path, str(error)) from error
    if not known:
        raise _not_saved(path, f"its format is {structure['format']!r}")
    return nodes


def _not_saved(path: Any, problem: str) -> UnifyValueError:
    return UnifyValueError(
        f"Container.load: argument 'path': {os.fspath(path)!r} is no file that Container.save "
        f"wrote ({problem}); pass one that it wrote"
    )


def _restored(nodes: dict[str, Any], archive: Any, backend: str | None) -> dict[str, Any]:
    return {key: _value(node, archive, backend) for key, node in nodes.items()}


def _value(node: dict[str, Any], archive: Any, backend: str | None) -> Any:
    """Return what a node stands for."""
    if "nodes" in node:
        return _restored(node["nodes"], archive, backend)
    if "tuple" in node:
        parts = [_value(part, archive, backend) for part in node["tuple"]]
        named = _result_type(node["type"])
        return tuple(parts) if named is None else named(*parts)
    if "array" in node:
        values = archive[node["array"]]
        if "dtype" in node:
            values = values.view(dtypes.as_dtype(node["dtype"]).__numpy_dtype__)
        made = binding_of(backend or node["backend"]).functions["asarray"](values)
        return made if node["wrapped"] else made.data
    if "scalar" in node:
        return archive[node["scalar"]][()]
    return complex(*node["complex"]) if "complex" in node else node["value"]
