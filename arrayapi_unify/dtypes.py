"""`DType` singletons, their kinds, and the ONE promotion table of all backends.

The table follows from one rule: *the result is the smallest data type that holds every value of
both operands*. Within a kind, and for signed with unsigned integers, that is exactly the table of
the standard ("Type Promotion Rules", 2025.12). The standard leaves mixed kinds open; the same
rule decides them here, identically on all backends, with the convention of NumPy (NEP 50) that
float64 counts as holding 64-bit integers.

float16 and bfloat16 stand beyond the standard. The rule serves them, too: neither of them holds the
other one, so both together give float32.
"""

from __future__ import annotations

import importlib
import operator
import sys

# The module defines the standard's name `bool`; the built-in is still needed.
from builtins import bool as _pybool
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

from arrayapi_unify._core import settings
from arrayapi_unify._core.settings import Change, Setting
from arrayapi_unify._core.suggestions import near
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError, fault, shown

__all__ = [
    "ALL",
    "EVERY",
    "REDUCED_PRECISION",
    "KINDS",
    "NATIVE_READERS",
    "DType",
    "NativeDTypes",
    "as_dtype",
    "bfloat16",
    "bool",
    "can_cast",
    "complex64",
    "complex128",
    "default_complex",
    "default_float",
    "default_int",
    "in_default",
    "float16",
    "float32",
    "float64",
    "held_float",
    "held_int",
    "int8",
    "int16",
    "int32",
    "int64",
    "isdtype",
    "of_highest_kind",
    "of_scalar",
    "promote",
    "promote_scalar",
    "same_kind",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

_NUMPY_KINDS = {
    "bool": "b",
    "unsigned integer": "u",
    "signed integer": "i",
    "real floating": "f",
    "complex floating": "c",
}
# The widest integers that count as held by a floating-point dtype. float32 has 24 bits of fraction,
# so 16-bit integers fit; that float64 holds 64-bit integers is NumPy's convention.
_HELD_INTEGER_BITS = {
    "float16": 8, "bfloat16": 8, "float32": 16, "float64": 64, "complex64": 16, "complex128": 64,
}  # fmt: skip


T = TypeVar("T")
_Text: TypeAlias = str  # a data type has an attribute `str`, as NumPy's have

# Functions of the layers above that return the `DType` of a library's own data type, else None.
NATIVE_READERS: Final[list[Callable[[Any], DType | None]]] = []


class DType:
    """One data type, the same object on every backend.

    It equals what NumPy's data type of its name equals, has that one's hash, and its attributes
    (`type`, `char`, `str`, ...) too. NumPy is imported when one of these is first needed. The hash
    takes a call of Python: tables that are read in each call have names as keys, therefore.

    Examples
    --------
    >>> float32.name, float32.category, float32.bits, float32.kind
    ('float32', 'real floating', 32, 'f')
    >>> float32 == float64
    False
    >>> float32 == "float32", float32 == float32.type, float32.str
    (True, True, '<f4')
    """

    __slots__ = ("_hash", "bits", "category", "kind", "name", "reduced")
    name: _Text
    category: _Text
    kind: _Text
    bits: int
    reduced: _pybool
    """True for float16 and bfloat16, which the standard doesn't have."""
    _hash: int
    if TYPE_CHECKING:  # properties, see below
        type: Any
        char: _Text
        str: _Text
        num: int
        byteorder: _Text
        alignment: int
        isnative: _pybool
        hasobject: _pybool
        fields: None
        names: None
        subdtype: None

    def __init__(self, name: _Text, category: _Text, bits: int) -> None:
        """Make the singleton; user code never does."""
        for attribute, value in (
            ("name", name),
            ("category", category),
            ("kind", _NUMPY_KINDS[category]),
            ("bits", bits),
            ("reduced", category == "real floating" and bits == 16),
        ):
            object.__setattr__(self, attribute, value)

    def __eq__(self, other: object) -> _pybool:
        """Return True for this data type, in whatever form NumPy and the libraries have it."""
        if self is other:
            return True
        if isinstance(other, DType) or other is None:
            return False
        if isinstance(other, _Text) and other == self.name:
            return True
        numpy = sys.modules.get("numpy")
        if isinstance(other, _Text | type) or (numpy and isinstance(other, numpy.dtype)):
            return _pybool(self._of_numpy() == other)
        return any(read(other) is self for read in NATIVE_READERS)

    def __hash__(self) -> int:
        """Return the hash of NumPy's data type."""
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", hash(self._of_numpy() or self.name))
            return self._hash

    def _of_numpy(self) -> Any:
        """Return NumPy's data type; None for bfloat16 where no package defines it."""
        try:
            return self.__numpy_dtype__
        except UnifyTypeError:
            return None

    def __setattr__(self, name: _Text, value: object) -> None:
        """Raise: a data type is shared by every array that has it."""
        raise AttributeError(f"a DType is immutable; {name!r} can't be set")

    @property
    def itemsize(self) -> int:
        """The size of one element in bytes."""
        return max(self.bits // 8, 1)

    @property
    def __numpy_dtype__(self) -> Any:
        """The NumPy data type of the same name, so that `np.dtype(unify.float32)` works."""
        if self is bfloat16:
            return importlib.import_module("numpy").dtype(_bfloat16_of_numpy())
        return importlib.import_module("numpy").dtype(self.name)

    # NumPy before 2.4 knows this older protocol only.
    dtype = __numpy_dtype__

    def __call__(self, value: Any = 0, /) -> Any:
        """Return an array of this data type, as NumPy's types make scalars: ``float64(3)``.

        It belongs to the backend of `value`, or else to the active one.
        """
        return importlib.import_module("arrayapi_unify").asarray(value, dtype=self, copy=True)

    def __enter__(self) -> DType:
        """Begin a block in which this is the default data type of its kind."""
        _setting(self).enter(self, self)
        return self

    def __exit__(self, *exc: object) -> None:
        """End the block."""
        _setting(self).leave(self)

    def __repr__(self) -> _Text:
        """Show the name."""
        return self.name

    def __reduce__(self) -> tuple[Any, tuple[_Text]]:
        """Pickle and copy by name, so that there is only ever one object."""
        return as_dtype, (self.name,)


def _as_numpy(name: str) -> property:
    """Return a property that reads the attribute of NumPy's data type."""
    read = operator.attrgetter(name)
    return property(lambda self: read(self.__numpy_dtype__), doc=f"NumPy's `dtype.{name}`.")


# `__getattr__` would make every other attribute slower.
for _name in (
    "type", "char", "str", "num", "byteorder", "alignment", "isnative", "hasobject", "fields",
    "names", "subdtype",
):  # fmt: skip
    setattr(DType, _name, _as_numpy(_name))


def _bfloat16_of_numpy() -> Any:
    """Return the type that gives NumPy its bfloat16, which another package defines."""
    try:
        return importlib.import_module("ml_dtypes").bfloat16
    except ModuleNotFoundError as error:
        raise UnifyTypeError(
            "NumPy has no bfloat16 of its own, and the package 'ml_dtypes', which defines one, "
            "isn't installed; install it with: pip install ml_dtypes, or cast to float32 first"
        ) from error


bool = DType("bool", "bool", 8)
int8 = DType("int8", "signed integer", 8)
int16 = DType("int16", "signed integer", 16)
int32 = DType("int32", "signed integer", 32)
int64 = DType("int64", "signed integer", 64)
uint8 = DType("uint8", "unsigned integer", 8)
uint16 = DType("uint16", "unsigned integer", 16)
uint32 = DType("uint32", "unsigned integer", 32)
uint64 = DType("uint64", "unsigned integer", 64)
float16 = DType("float16", "real floating", 16)
bfloat16 = DType("bfloat16", "real floating", 16)
float32 = DType("float32", "real floating", 32)
float64 = DType("float64", "real floating", 64)
complex64 = DType("complex64", "complex floating", 64)
complex128 = DType("complex128", "complex floating", 128)

# From smallest to largest: `promote` returns the first one that holds both operands.
EVERY: Final = (
    bool, uint8, int8, uint16, int16, uint32, int32, uint64, int64,
    float16, bfloat16, float32, float64, complex64, complex128,
)  # fmt: skip
"""All data types."""
REDUCED_PRECISION: Final = (float16, bfloat16)
"""Those that the standard doesn't have: floating-point numbers of 16 bits."""
ALL: Final = tuple(d for d in EVERY if not d.reduced)
"""The data types of the standard."""
_BY_NAME: Final = {d.name: d for d in EVERY}
_PYTHON_TYPES: Final[dict[type, str]] = {
    _pybool: "bool",
    int: "integral",
    float: "real floating",
    complex: "complex floating",
}

_PYTHON_NAMES: Final = {kind.__name__: kind for kind in _PYTHON_TYPES}

KINDS: Final[dict[str, tuple[DType, ...]]] = {
    category: tuple(d for d in EVERY if d.category == category) for category in _NUMPY_KINDS
}
KINDS["integral"] = KINDS["signed integer"] + KINDS["unsigned integer"]
KINDS["numeric"] = KINDS["integral"] + KINDS["real floating"] + KINDS["complex floating"]
_NAMES: Final = {kind: frozenset(d.name for d in members) for kind, members in KINDS.items()}


class NativeDTypes(Mapping[DType, T]):
    """A library's data types by ours. `by_name` is for functions that look one up in each call."""

    def __init__(self, by_name: dict[str, T]) -> None:
        """Hold native data types by the names of ours, of which no hash is computed."""
        self.by_name = by_name

    def __getitem__(self, dtype: DType) -> T:
        """Return the library's data type."""
        return self.by_name[dtype.name]

    def __iter__(self) -> Iterator[DType]:
        """Iterate over the data types that the library has."""
        return (_BY_NAME[name] for name in self.by_name)

    def __len__(self) -> int:
        """Return the number of data types."""
        return len(self.by_name)


def _integer_range_bits(dtype: DType) -> tuple[int, _pybool]:
    """Bits of magnitude, and whether negative values occur, of a bool or integer dtype."""
    if dtype is bool:
        return 1, False
    signed = dtype.category == "signed integer"
    return dtype.bits - signed, signed


def _holds(small: DType, large: DType) -> _pybool:
    """Return True if `large` represents every value of `small`."""
    if small is large:
        return True
    small_exact = small.kind in "bui"
    if large.kind in "bui":
        if not small_exact or large is bool:
            return False
        need, negative = _integer_range_bits(small)
        room, signed = _integer_range_bits(large)
        return need <= room and (signed or not negative)
    if small_exact:
        return small.bits <= _HELD_INTEGER_BITS[large.name]
    if small.kind == "c":
        return large.kind == "c" and small.bits <= large.bits
    if large.reduced:
        return False  # float16 and bfloat16 share their size out differently
    return small.bits <= (large.bits if large.kind == "f" else large.bits // 2)


_CASTS: Final = frozenset((a.name, b.name) for a in EVERY for b in EVERY if _holds(a, b))
_TABLE: Final = {
    (a.name, b.name): next(c for c in EVERY if _holds(a, c) and _holds(b, c))
    for a in EVERY
    for b in EVERY
}
# `x += y` keeps x's dtype, so y's kind must not stand above x's.
_RANK: Final = {"b": 0, "u": 1, "i": 2, "f": 3, "c": 4}


def can_cast(from_: DType, to: DType) -> _pybool:
    """Return True if `from_` casts to `to` without loss, by the promotion table."""
    return (from_.name, to.name) in _CASTS


def same_kind(from_: DType, to: DType) -> _pybool:
    """Return True if an in-place operation may store a `from_` result in a `to` array."""
    return _RANK[from_.kind] <= _RANK[to.kind]


def promote(*dtypes: DType) -> DType:
    """Return the smallest data type that holds every value of all `dtypes`."""
    if len(dtypes) == 2:
        a, b = dtypes
        return _TABLE[a.name, b.name]
    return next(c for c in EVERY if all(can_cast(d, c) for d in dtypes))


def of_scalar(value: Any) -> DType:
    """Return the data type that a lone Python scalar becomes (the default one of its kind)."""
    if isinstance(value, _pybool):
        return bool
    if isinstance(value, int):
        return default_int()
    return default_float() if isinstance(value, float) else default_complex()


def of_scalars(values: Sequence[Any]) -> DType:
    """Return the data type of Python scalars together: the default one of the highest kind."""
    return of_highest_kind([of_scalar(value) for value in values])


def of_highest_kind(dtypes: Sequence[DType]) -> DType:
    """Return the first data type of the highest kind among some."""
    ranks = [_RANK[dtype.kind] for dtype in dtypes]  # torch.compile can't trace a `key` of max
    return dtypes[ranks.index(max(ranks))]


def promote_scalar(dtype: DType, scalar: Any) -> DType:
    """Return the result data type of an array of `dtype` with a Python scalar.

    A scalar of the same or a lower kind takes the array's data type (the standard's rule). One of
    a higher kind brings int64, float64 or complex of the array's precision. Where the arrays of a
    call hold integers alone, `in_default` says what is used in place of float64 and complex128.
    """
    if isinstance(scalar, _pybool) or (isinstance(scalar, int) and dtype is not bool):
        return dtype
    if isinstance(scalar, int):
        return int64
    if isinstance(scalar, float):
        return dtype if dtype.kind in "fc" else float64
    return promote(dtype, complex64) if dtype.kind in "fc" else complex128


def in_default(dtype: DType) -> DType:
    """Return what integers become where they would become a floating-point data type."""
    if dtype is float64:
        return default_float()
    return default_complex() if dtype is complex128 else dtype


def isdtype(dtype: DType, kind: DType | str | tuple[DType | str, ...]) -> _pybool:
    """Return True if `dtype` is of a kind: a data type, a kind name of the standard, or a tuple."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, str):
        if kind in _NAMES:
            return dtype.name in _NAMES[kind]
        known = ", ".join(repr(k) for k in KINDS)
        raise UnifyValueError(f"isdtype: {kind!r} is not a kind; the kinds are {known}")
    if not isinstance(kind, DType):
        raise UnifyTypeError(
            f"isdtype: argument 'kind' is {shown(kind)}, not a kind; pass a data type, the name "
            f"of a kind, or a tuple of these"
        )
    return dtype is kind


def as_dtype(value: Any) -> DType:
    """Return the `DType` for a `DType`, a name, or one of Python's or NumPy's number types."""
    if isinstance(value, DType):
        return value
    if isinstance(value, str) and value in _BY_NAME:
        return _BY_NAME[value]
    kind = _PYTHON_NAMES.get(value) if isinstance(value, str) else value
    if isinstance(kind, type) and kind in _PYTHON_TYPES:
        return of_scalar(kind(0))
    found = _by_numpy(value) if isinstance(value, str | type) else None
    if found is not None:
        return found
    meant = near(value, _BY_NAME) if isinstance(value, str) else None
    remedy = f"use {f'{meant!r}, or another' if meant else 'one'} of {', '.join(_BY_NAME)}"
    raise fault(UnifyTypeError, value, "is no data type", remedy)


def _by_numpy(value: str | type) -> DType | None:
    """Return the data type that NumPy knows by a name such as "f8", or by a class of its own."""
    try:
        return _BY_NAME.get(importlib.import_module("numpy").dtype(value).name)
    except (TypeError, ValueError):
        return None


_default_int: Final = Setting("default_int", int64, settings.CREATION)
_default_float: Final = Setting("default_float", float64, settings.FLOATS)
_default_complex: Final = Setting[DType | None](
    "default_complex", None, settings.FLOATS, complex128
)

# For those who can't afford a call more: these return what bears the data type as `.value`.
held_int = _default_int.read
held_float = _default_float.read


# torch.compile can't trace the context variables: it takes what these return now for constants.
# Names are, since it can't find the source of a data type that is one.
def _int_name() -> str:
    return cast(DType, held_int().value).name


def _float_name() -> str:
    return cast(DType, held_float().value).name


def _complex_name() -> str:
    chosen = _default_complex.get()
    if chosen is not None:
        return chosen.name
    return "complex64" if _float_name() == "float32" else "complex128"


for _constant in (_int_name, _float_name, _complex_name):
    vars(_constant).update(_dynamo_marked_constant=True)


def default_int() -> DType:
    """Return the data type that Python integers become."""
    return _BY_NAME[_int_name()]


def default_float() -> DType:
    """Return the data type that Python floats become, and integers where they become floating."""
    return _BY_NAME[_float_name()]


def default_complex() -> DType:
    """Return the default complex data type: of the default float's precision unless set."""
    return _BY_NAME[_complex_name()]


_STANDARD_DEFAULTS: Final = ("float64", "int64", "complex128")


def held_defaults() -> tuple[str, str, str] | None:
    """Return the names of the default data types; None if all of them are the standard's."""
    names = (default_float().name, default_int().name, default_complex().name)
    return None if names == _STANDARD_DEFAULTS else names


def call_with_defaults(names: tuple[str, str, str], call: Callable[[], Any]) -> Any:
    """Call a function under default data types that `held_defaults` gave, maybe elsewhere."""
    owner = object()
    settings: tuple[Setting[Any], ...] = (_default_float, _default_int, _default_complex)
    try:
        for setting, name in zip(settings, names, strict=True):
            setting.enter(_BY_NAME[name], owner)
        return call()
    finally:
        for setting in settings:
            setting.leave(owner)


_SETTINGS: Final[dict[str, Setting[Any]]] = {
    "integral": _default_int,
    "real floating": _default_float,
    "complex floating": _default_complex,
}


def _setting(dtype: DType, kinds: Iterable[str] = tuple(_SETTINGS)) -> Setting[Any]:
    """Return the setting for which `dtype` may be a value, which must be of one of `kinds`."""
    if dtype.reduced:
        raise UnifyTypeError(
            f"{dtype} can't be the default data type, it is beyond the standard's; use float32 or "
            f"float64, and pass dtype={dtype} where arrays are made"
        )
    for kind in kinds:
        if dtype in KINDS[kind]:
            return _SETTINGS[kind]
    raise UnifyTypeError(
        f"{dtype} can't be the default data type here; use one that is {' or '.join(kinds)}"
    )


def set_default(
    function: str, dtype: DType, kinds: Iterable[str] = tuple(_SETTINGS)
) -> Change[DType]:
    """Make `dtype` the default of its kind, which must be one of `kinds`; `function` is asked."""
    return Change(_setting(dtype, kinds), dtype, function, "default_dtype")
