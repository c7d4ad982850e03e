"""Archives of arrays in NumPy's format (`.npz`), read without trusting the file.

Members are stored, never compressed, and each is read once. A file therefore never requests more
memory than its size, whatever its headers declare; a header is matched by a pattern, not evaluated.
"""

from __future__ import annotations

import importlib
import io
import math
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any, BinaryIO, Final

__all__ = ["DEFECTS", "Archive", "write"]

# Errors of reading files that aren't our archives. `zipfile` raises most of them itself:
# NotImplementedError and RuntimeError for members that it can't unpack, OverflowError for offsets.
DEFECTS: Final = (
    ValueError, TypeError, LookupError, EOFError, RuntimeError, ArithmeticError,
    zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip
_SUFFIX: Final = ".npy"
_START: Final = re.compile(rb"\x93NUMPY\x01\x00(..)", re.DOTALL)
_HEADER: Final = re.compile(
    rb"\{'descr': '([<>|][biufc]\d{1,2})', 'fortran_order': (True|False), "
    rb"'shape': \(((?:\d{1,19}, ?)*(?:\d{1,19})?)\), \} *\n"
)
_LONGEST: Final = 4096  # bytes of a header: 64 axes need a third of it
_BLOCK: Final = 1 << 20


def write(file: BinaryIO, arrays: Mapping[str, Any]) -> None:
    """Write the members individually: unlike `np.savez`, this never pickles."""
    numpy = importlib.import_module("numpy")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, values in arrays.items():
            with archive.open(name + _SUFFIX, "w", force_zip64=True) as member:
                numpy.lib.format.write_array(member, values, allow_pickle=False)


class Archive:
    """An archive for reading: every member has to be read exactly once."""

    def __init__(self, file: BinaryIO) -> None:
        """Read the table of contents, and compare the declared sizes with the file's size."""
        # A pipe has to be read to its end, because the table of contents is there.
        self._file = file if file.seekable() else io.BytesIO(file.read())
        size = self._file.seek(0, os.SEEK_END)
        self._zip = zipfile.ZipFile(self._file)
        self._left: dict[str, zipfile.ZipInfo] = {}
        for info in self._zip.infolist():
            _check(info, size)
            if info.filename in self._left:
                raise ValueError(f"the member {info.filename!r} is there twice")
            self._left[info.filename] = info
        if sum(info.file_size for info in self._left.values()) > size:
            raise ValueError("its members are longer than itself")

    def take(self, name: Any) -> Any:
        """Return the values of a member, which may be used only once."""
        info = self._left.pop(f"{name}{_SUFFIX}", None)
        if info is None:
            raise KeyError(f"the array {name!r} is missing, or stands for two leaves")
        with self._zip.open(info) as member:
            return _array(member, info.file_size)

    def done(self) -> None:
        """Check that all members were read."""
        if self._left:
            raise ValueError(f"no leaf has the member {next(iter(self._left))!r}")


def _check(info: zipfile.ZipInfo, size: int) -> None:
    if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 1:
        problem = "is compressed or encrypted: pack it again without (np.savez)"
        raise ValueError(f"its member {info.filename!r} {problem}")
    if info.file_size != info.compress_size or not 0 <= info.header_offset <= size:
        raise ValueError(f"its member {info.filename!r} isn't where the file says")


def _array(member: Any, size: int) -> Any:
    """Read an array if the member has the size that its shape needs."""
    numpy = importlib.import_module("numpy")
    dtype, shape, order, length = _header(member, numpy)
    if length + math.prod(shape) * dtype.itemsize != size:
        raise ValueError(f"a member of {size} bytes can't hold {dtype} {shape}")
    values = numpy.empty(shape, dtype, order)
    target = memoryview(values.reshape(-1, order="A").view(numpy.uint8))
    for start in range(0, len(target), _BLOCK):
        end = min(start + _BLOCK, len(target))
        target[start:end] = member.read(end - start)  # zipfile compares the checksum at the end
    if dtype.kind == "b":  # NumPy accepts any byte as a bool, and then computes with it
        numpy.not_equal(values.view(numpy.uint8), 0, out=values)
    return values.astype(dtype.newbyteorder("="), copy=False)


def _header(member: Any, numpy: Any) -> tuple[Any, tuple[int, ...], str, int]:
    """Return data type, shape, order, and length of the header."""
    start = member.read(10)
    fits = _START.fullmatch(start)
    (length,) = struct.unpack("<H", fits[1]) if fits else (_LONGEST,)
    text = member.read(min(length, _LONGEST))
    said = _HEADER.fullmatch(text) if fits else None
    if said is None:
        raise ValueError(f"a member begins with {start!r}, which is no array of numbers")
    shape = tuple(int(part) for part in said[3].decode().replace(",", " ").split())
    order = "F" if said[2] == b"True" else "C"
    return numpy.dtype(said[1].decode()), shape, order, len(start) + len(text)
