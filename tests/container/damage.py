"""Damaged and hostile files: drawn changes of the bytes, and of the contents of valid archives."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

Members = dict[str, bytes]
_JUNK: tuple[Any, ...] = (
    None, True, -1, 10**30, 1.5, "", "nodes", "a/b", "..", "array_0", [], {}, [[]], ["value"],
    {"value": []}, {"value": {}}, {"nodes": 1}, {"nodes": []}, {"tuple": 3, "type": "tuple"},
    {"tuple": [{"value": 1}], "type": "SVDResult"}, {"tuple": [], "type": []}, {"complex": [1]},
    {"complex": "ab"}, {"array": "structure", "backend": "numpy", "wrapped": True},
    {"array": [], "backend": "numpy", "wrapped": True}, {"scalar": "nothing"},
    {"array": "array_0", "backend": ["numpy"], "wrapped": True}, {"scalar": "array_1"},
    {"array": "array_0", "backend": "numpy", "wrapped": True, "dtype": "complex128"},
    {"array": "array_0", "backend": "numpy", "wrapped": True, "dtype": []},
)  # fmt: skip
_HEADERS = (
    b"'|O'", b"'<f16'", b"'<f3'", b"'<U1'", b"'|V8'", b"'>f8'", b"[('a', '<f8')]", b"'<M8[s]'",
    b"(-1,)", b"(1e3,)", b"(999999999999,)", b"(9223372036854775807, 0)", b"(2, 3",
    b"(" + b"1, " * 70 + b")", b"(" + b"9" * 5000 + b",)", b"True", b"None", b"{" * 200,
)  # fmt: skip


def unpacked(data: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(members: Members, method: int = zipfile.ZIP_STORED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


def structure(members: Members) -> Any:
    """The JSON after the header of 128 bytes."""
    return json.loads(members["structure.npy"][128:])


def with_structure(members: Members, made: Any) -> Members:
    """Replace the JSON; a text is used unchanged."""
    text = (made if isinstance(made, str) else json.dumps(made)).encode()
    return {**members, "structure.npy": npy("|u1", f"({len(text)},)", text)}


def npy(descr: str, shape: str, content: bytes) -> bytes:
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + content


def damaged(data: bytes, draw: random.Random) -> bytes:
    """Change bytes anywhere, as disks and transfers do: checksums no longer match."""
    changed = bytearray(data)
    at, length = draw.randrange(len(data)), draw.choice((1, 2, 4, 8, 64))
    match draw.randrange(6):
        case 0:
            for _ in range(draw.randint(1, 8)):
                changed[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        case 1:
            del changed[at:]
        case 2:
            del changed[at : at + length]
        case 3:
            changed[at : at + length] = draw.choice((b"\xff", b"\x00")) * length
        case 4:
            source = draw.randrange(len(data))
            changed[at : at + length] = data[source : source + length]
        case 5:
            changed[at:at] = draw.randbytes(length)
    return bytes(changed)


def forged(data: bytes, draw: random.Random) -> bytes:
    """Change the contents of the members, with valid checksums."""
    members = unpacked(data)
    if draw.random() < 0.5:
        made = structure(members)
        _replace(made, draw)
        return packed(with_structure(members, made))
    name = draw.choice(list(members))
    content = members[name]
    if draw.random() < 0.5:
        members[name] = damaged(content, draw)
    else:
        part = draw.choice((b"'<f8'", b"(2, 3)", b"False", b"(3,)", b"'|u1'", b"{'descr'"))
        members[name] = content.replace(part, draw.choice(_HEADERS), 1)
    return packed(members)


def _replace(made: Any, draw: random.Random) -> None:
    """Replace one value of nested dicts and lists by junk."""
    places = list(_places(made))
    where, key = draw.choice(places)
    if isinstance(where, dict) and draw.random() < 0.3:
        where[draw.choice(("", "a/b", "nodes", "value", "dtype"))] = where.pop(key)
    else:
        where[key] = draw.choice(_JUNK)


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(node, dict | list):
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            yield node, key
            yield from _places(node[key])


CHANGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (damaged, forged)
