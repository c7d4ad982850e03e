"""Containers in files: a NumPy archive of the arrays, and their structure as JSON.

Neither part can contain code: no pickle is written or read. A file is written completely or not at
all.
"""

from __future__ import annotations

import importlib
import json
import os
from typing import Any, Final

from arrayapi_unify import backends, dtypes
from arrayapi_unify._core import lazy_access
from arrayapi_unify._core.container_base import Nested
from arrayapi_unify._core.files import written_whole
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import binding_of
from arrayapi_unify.container.archive import DEFECTS, Archive, write
from arrayapi_unify.container.tree_map import SEPARATOR
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.errors import (
    ComputingError,
    UnifyError,
    UnifyTypeError,
    UnifyValueError,
    a_kind,
    raise_type_error,
    raise_value_error,
)

__all__ = ["load", "once", "save"]

_FORMAT: Final = "arrayapi_unify.Container/1"
_STRUCTURE: Final = "structure"
_NUMBERS: Final = "biufc"  # kinds of NumPy's data types in the format
_DEEPEST: Final = 100  # levels: loading each takes three frames of Python's stack
_DIGITS: Final = 4000  # of an integer; Python parses up to 4,300
_INTEGERS: Final = 10**_DIGITS
_PLAIN: Final = (bool, int, float, str)
_SHOWN: Final = 300  # characters of an error message, which may quote the file


def save(container: Nested, path: str | os.PathLike[str]) -> None:
    """Write the leaves and their structure to `path`."""
    arrays: dict[str, Any] = {}
    structure = {"format": _FORMAT, "nodes": _described(container, arrays, ())}
    numpy = importlib.import_module("numpy")
    text = json.dumps(structure).encode("utf-8")
    arrays[_STRUCTURE] = numpy.frombuffer(text, numpy.uint8)
    written_whole(path, lambda file: write(file, arrays))


def _described(nested: Nested, arrays: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """Return the JSON of the nodes, and collect the arrays' values."""
    nodes: dict[str, Any] = {}
    for key, value in nested._nodes.items():
        here = (*path, key)
        if isinstance(value, Nested):
            _fits(here)
            nodes[key] = {"nodes": _described(value, arrays, here)}
        else:
            nodes[key] = _leaf(value, arrays, here)
    return nodes


def _leaf(value: Any, arrays: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """Return the JSON of a leaf, or of one part of a tuple leaf."""
    if isinstance(value, tuple) and (type(value) is tuple or _result_type(type(value).__name__)):
        _fits(path)
        parts = [_leaf(part, arrays, (*path, str(i))) for i, part in enumerate(value)]
        return {"tuple": parts, "type": type(value).__name__}
    if (name := backends.name_of(value)) is not None:
        return _array(value, name, arrays, path)
    return _scalar(value, arrays, path)


def _fits(path: tuple[str, ...]) -> None:
    if len(path) >= _DEEPEST:
        raise_value_error(
            "Container.save", SEPARATOR.join(path[:3]) + SEPARATOR + "...",
            f"is nested in {_DEEPEST} levels or more, which the format can't hold",
            "save parts of it, or c.flatten()",
        )  # fmt: skip


def _array(value: Any, name: str, arrays: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    backend, wrapped = backends.load(name), isinstance(value, Array)
    native = value.data if wrapped else value
    node = {"backend": name, "wrapped": wrapped}
    try:
        dtype = backend.dtype_of(native)
    except UnifyTypeError as error:  # objects, strings, dates: not in the standard
        raise_type_error(
            "Container.save", SEPARATOR.join(path),
            f"is an array that the format can't hold: {error}", "map the leaf to numbers first",
        )  # fmt: skip
    try:
        with lazy_access.asked("Container.save", native, SEPARATOR.join(path)):
            values = backend.to_numpy(native)
    except (MemoryError, ComputingError):
        raise
    except Exception as error:  # each library has its own class
        raise_type_error(
            "Container.save", SEPARATOR.join(path),
            f"is an array of {name} whose values can't be read ({type(error).__name__})",
            "save outside of what is traced (compile, grad, vmap)",
        )  # fmt: skip
    if dtype is dtypes.bfloat16:
        # NumPy's format has no name for it.
        values, node["dtype"] = values.view("uint16"), dtypes.bfloat16.name
    return {"array": _member(values, arrays), **node}


def _member(values: Any, arrays: dict[str, Any]) -> str:
    """Store values under a new name, and return the name."""
    member = f"array_{len(arrays)}"
    arrays[member] = values
    return member


def _result_type(name: str) -> type | None:
    """Return the named tuple class of this name among our functions' results, or None."""
    kinds = (contract.result_type for contract in CONTRACTS.values())
    return next((kind for kind in kinds if kind is not None and kind.__name__ == name), None)


def _scalar(value: Any, arrays: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    numpy = importlib.import_module("numpy")
    if isinstance(value, (numpy.number, numpy.bool)) and value.dtype.kind in _NUMBERS:
        return {"scalar": _member(numpy.asarray(value), arrays)}
    if type(value) is complex:
        return {"complex": [value.real, value.imag]}
    if type(value) is int and abs(value) >= _INTEGERS:
        problem = f"is an integer of more than {_DIGITS} digits"
    elif value is None or type(value) in _PLAIN:
        return {"value": value}
    else:
        problem = f"is {a_kind(value)}"
    raise_type_error(
        "Container.save", SEPARATOR.join(path), f"{problem}, which the format can't hold",
        "save arrays, numbers, strings, None and tuples of these, or map the leaf to one first",
    )  # fmt: skip


def load(
    path: str | os.PathLike[str], backend: str | None, owner: str = "Container"
) -> dict[str, Any]:
    """Read nested dicts from a file, with arrays of `backend` or of their original backend."""
    with open(path, "rb") as file:
        try:
            archive = Archive(file)
            text = archive.take(_STRUCTURE).tobytes().decode("utf-8")
            structure = json.loads(text, object_pairs_hook=once)
            if structure["format"] != _FORMAT:
                raise ValueError(f"its format is {structure['format']!r}")
            nodes = _restored(structure["nodes"], archive, backend, 1)
            archive.done()
        except UnifyError:
            raise
        except DEFECTS as error:
            lacks = f"its structure lacks {error}" if isinstance(error, KeyError) else str(error)
            problem = (lacks or type(error).__name__)[:_SHOWN]
            raise UnifyValueError(
                f"{owner}.load: argument 'path': {os.fspath(path)!r} is no file that {owner}.save "
                f"wrote ({problem}); pass one that it wrote"
            ) from error
    return nodes


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Create a dict, and raise for duplicate keys, of which JSON keeps the last."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key is there twice")
    return made


def _restored(
    nodes: dict[str, Any], archive: Archive, backend: str | None, depth: int
) -> dict[str, Any]:
    if type(nodes) is not dict or depth > _DEEPEST:
        raise ValueError("its structure is no nest, or too deep a one")
    for key in nodes:
        # A key chain as a key would overwrite nodes of another nest.
        if not key or SEPARATOR in key:
            raise ValueError(f"its key {key!r} is empty, or has a {SEPARATOR!r}")
    return {key: _value(node, archive, backend, depth) for key, node in nodes.items()}


def _value(node: dict[str, Any], archive: Archive, backend: str | None, depth: int) -> Any:
    """Return the value of a JSON node."""
    if "nodes" in node:
        return _restored(node["nodes"], archive, backend, depth + 1)
    if "tuple" in node:
        return _tuple(node, archive, backend, depth + 1)
    if "array" in node:
        values = archive.take(node["array"])
        name, dtype = node["backend"], node.get("dtype", "")
        if type(name) is not str or dtype not in ("", dtypes.bfloat16.name):
            raise ValueError(f"it has an array of backend {name!r} and data type {dtype!r}")
        if dtype:
            values = values.view(dtypes.bfloat16.__numpy_dtype__)
        made = binding_of(backend or name).functions["asarray"](values)
        return made if node["wrapped"] else made.data
    if "scalar" in node:
        return archive.take(node["scalar"])[()]
    if "complex" in node:
        return complex(*node["complex"])
    if type(node["value"]) not in (*_PLAIN, type(None)):
        raise ValueError("its structure has a value that is neither number nor string")
    return node["value"]


def _tuple(node: dict[str, Any], archive: Archive, backend: str | None, depth: int) -> Any:
    if type(node["tuple"]) is not list or depth > _DEEPEST:
        raise ValueError("its structure has a tuple that is none, or is too deep")
    parts = [_value(part, archive, backend, depth) for part in node["tuple"]]
    named = _result_type(node["type"])
    return tuple(parts) if named is None else named(*parts)
