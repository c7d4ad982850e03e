"""Modules in files: variables and buffers by name, without code."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from arrayapi_unify import dtypes
from arrayapi_unify._core.files import written_whole
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import binding_of
from arrayapi_unify.container import Container, files as container_files
from arrayapi_unify.errors import UnifyError, UnifyValueError, raise_type_error, raise_value_error
from arrayapi_unify.functional.general import to_backend
from arrayapi_unify.nn.core.variables import Variable

__all__ = ["load", "save"]

_KINDS = ("variables", "buffers")
# The format's names of data types.
_TYPES: Final = {
    "BOOL": "bool", "I8": "int8", "I16": "int16", "I32": "int32", "I64": "int64", "U8": "uint8",
    "U16": "uint16", "U32": "uint32", "U64": "uint64", "F16": "float16", "BF16": "bfloat16",
    "F32": "float32", "F64": "float64",
}  # fmt: skip
_METADATA = {"format": "arrayapi_unify.Module/1"}


def save(path: str | os.PathLike[str], variables: Container, buffers: Container) -> None:
    """Write all arrays, in the format of the file's name."""
    if _is_safetensors(path):
        library = _safetensors("Module.save")
        every = {**variables.flatten(), **buffers.flatten()}
        data = library.save(
            {name: _values(name, array) for name, array in every.items()}, _METADATA
        )
        written_whole(path, lambda file: file.write(data))
    else:
        Container({"variables": variables, "buffers": buffers}).save(path)


def load(
    path: str | os.PathLike[str], module: str, variables: dict[str, dict[str, Variable]]
) -> dict[str, dict[str, Array]]:
    """Return an array for each variable, on its backend and device; raise for mismatches."""
    found = _read_safetensors(path, variables) if _is_safetensors(path) else _read_archive(path)
    problems = [f"{name!r} is unknown to the Module" for name in found if name not in _KINDS]
    problems += [text for kind in _KINDS for text in _mismatches(variables[kind], found[kind])]
    if problems:
        raise_value_error(
            f"{module}.load", "path", f"({os.fspath(path)}) doesn't fit: {'; '.join(problems)}",
            "load it into a Module of the same layers",
        )  # fmt: skip
    return {
        kind: {
            name: _like(variable.value, found[kind][name])
            for name, variable in variables[kind].items()
        }
        for kind in _KINDS
    }


def _mismatches(variables: Mapping[str, Variable], found: Mapping[str, Any]) -> list[str]:
    """Describe the differences between the Module and the file."""
    told = [f"{name!r} is missing" for name in variables if name not in found]
    told += [f"{name!r} is unknown to the Module" for name in found if name not in variables]
    for name, variable in variables.items():
        if name in found:
            theirs, ours = found[name], variable.value
            if not isinstance(theirs, Array):
                told.append(f"{name!r} is no array there")
            elif (theirs.dtype, theirs.shape) != (ours.dtype, ours.shape):
                told.append(
                    f"{name!r} is {theirs.dtype} {theirs.shape} there, "
                    f"{ours.dtype} {ours.shape} here"
                )
    return told


def _read_archive(path: str | os.PathLike[str]) -> dict[str, dict[str, Any]]:
    """Read a Container of a Module's arrays; a leaf in place of a nest has the nest's name."""
    held = Container(container_files.load(path, "numpy", "Module"))
    nests = {kind: held.get(kind, Container()) for kind in (*_KINDS, *held)}
    return {
        kind: nest.flatten() if isinstance(nest, Container) else {kind: nest}
        for kind, nest in nests.items()
    }


def _like(ours: Array, theirs: Array) -> Array:
    """Return an array on the given backend and device, with its own memory."""
    there = to_backend(theirs, ours.backend)
    xp = there.__array_namespace__()
    return xp.asarray(there, copy=True).to_device(ours.device)


def _is_safetensors(path: str | os.PathLike[str]) -> bool:
    return Path(path).suffix == ".safetensors"


def _safetensors(function: str) -> Any:
    try:
        return importlib.import_module("safetensors.numpy")
    except ImportError as error:
        raise UnifyValueError(
            f"{function}: argument 'path' ends in .safetensors, which needs the package "
            "'safetensors'; install it with: pip install safetensors, or save as .npz"
        ) from error


def _values(name: str, array: Array) -> Any:
    """Return a contiguous NumPy array in little-endian order, as the format requires."""
    if array.dtype.kind == "c":
        raise_type_error(
            "Module.save", name, f"is {array.dtype}, which safetensors can't hold",
            "save to a path that ends in .npz",
        )  # fmt: skip
    numpy = importlib.import_module("numpy")
    return numpy.ascontiguousarray(to_backend(array, "numpy").data).reshape(array.shape)


def _array(dtype: str, shape: list[int], data: bytes) -> Array:
    """Return an array of a file's bytes."""
    numpy = importlib.import_module("numpy")
    kind = dtypes.as_dtype(_TYPES[dtype]).__numpy_dtype__
    values: Array = binding_of("numpy").functions["asarray"](
        numpy.frombuffer(data, kind).reshape(shape), copy=True
    )
    return values


def _check_names(data: bytes) -> None:
    """Raise for a duplicate name, of which the library would use the last one."""
    end = 8 + int.from_bytes(data[:8], "little")
    json.loads(data[8:end], object_pairs_hook=container_files.once)


def _read_safetensors(
    path: str | os.PathLike[str], variables: dict[str, dict[str, Variable]]
) -> dict[str, dict[str, Any]]:
    """Read all arrays; those with unknown names count as variables."""
    _safetensors("Module.load")
    data = Path(path).read_bytes()
    try:
        _check_names(data)
        # Its functions for NumPy write bfloat16, and don't read it.
        parts = importlib.import_module("safetensors").deserialize(data)
        arrays = {name: _array(**part) for name, part in parts}
    except (UnifyError, MemoryError):
        raise
    except Exception as error:  # the library's own class isn't a ValueError
        raise UnifyValueError(
            f"Module.load: argument 'path': {os.fspath(path)!r} is no safetensors file ({error}); "
            "pass one that Module.save wrote"
        ) from error
    buffers = {name: x for name, x in arrays.items() if name in variables["buffers"]}
    return {
        "variables": {name: x for name, x in arrays.items() if name not in buffers},
        "buffers": buffers,
    }
