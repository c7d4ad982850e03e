"""Contracts: the single source of truth about each public function.

A contract is an ordinary function definition with a kind decorator. Its signature and annotations
say all that binding needs: which parameters are arrays, which may be scalars, what comes back.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from types import FunctionType
from typing import Any, Final, NamedTuple

from arrayapi_unify._core.suggestions import keyword_hint
from arrayapi_unify.backends._common.protocols.module_getattr import EXTENSIONS, extension_of
from arrayapi_unify.contracts.annotations import ARRAY_ROLES, Role
from arrayapi_unify.contracts.numpy_parameters import NumpyParameters, numpy_parameters
from arrayapi_unify.contracts.registry import Catalog
from arrayapi_unify.errors import UnifyTypeError

__all__ = [
    "ALWAYS", "CONTRACTS", "EXTENSIONS", "FLAGS", "MARGIN", "MISSING", "PACKAGE",
    "WITHOUT_METHODS", "Contract", "DataDependent", "FunctionRecord", "Parameter", "Returns",
    "documented", "with_margin",
]  # fmt: skip

CONTRACTS: Final = Catalog()
"""Every contract by its qualified name: `"add"`, `"linalg.svd"`."""

PACKAGE: Final[str] = __name__.partition(".")[0]
# Their functions are no methods. Those of `random` begin with a key, and have names such as `split`
# that mean something else of an array; so do `softmax` and `kl_div` of `special`.
WITHOUT_METHODS: Final = ("random", "special")
# The flags of a contract; `Contract.flags` reads the attributes of these names.
FLAGS: Final = ("nestable", "convenience", "container_dependent", "data_dependent")


class _Missing(Enum):
    """The default of every optional parameter of a bound function: "not given".

    A member of an enumeration, which torch.compile knows as a constant.
    """

    MISSING = "not given"

    def __repr__(self) -> str:
        return "<not given>"


MISSING: Final[_Missing] = _Missing.MISSING


class Returns(Enum):
    """The kind of a function's result, as its return annotation says."""

    ARRAY = "array"
    ARRAYS = "arrays"  # a tuple of arrays, or a named one
    OTHER = "other"


class DataDependent(NamedTuple):
    """The calls in which the result's shape depends on values, so that no compiler can know it."""

    calls: str
    """A description of these calls."""
    applies: Callable[..., bool]
    """The arguments of a call -> True if it is one of them."""


ALWAYS: Final[DataDependent] = DataDependent("every call", lambda *args, **kwargs: True)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a contract."""

    name: str
    role: Role
    kind: Any
    default: Any
    annotation: str = ""

    @property
    def is_flag(self) -> bool:
        """True if the value is a bool, or None."""
        return self.role is Role.STATIC and self.annotation in ("bool", "bool | None")

    @property
    def is_number(self) -> bool:
        """True if the value is one real number, or None."""
        kinds = set(self.annotation.split(" | "))
        return self.role is Role.STATIC and "float" in kinds and kinds <= {"int", "float", "None"}

    @property
    def star(self) -> bool:
        """True for `*arguments` and `**keywords`."""
        return self.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)

    @property
    def required(self) -> bool:
        """True if the caller must give it."""
        return self.default is inspect.Parameter.empty and not self.star

    @property
    def optional(self) -> bool:
        """True if it has a default; `*arguments` and `**keywords` have none."""
        return self.default is not inspect.Parameter.empty

    @property
    def any_keyword(self) -> bool:
        """True for `**keywords`."""
        return bool(self.kind is inspect.Parameter.VAR_KEYWORD)

    @property
    def source(self) -> str:
        """The name, with the star of `*arrays`, or the two of `**lengths`."""
        return f"{'*' * (self.star + self.any_keyword)}{self.name}"

    @property
    def keyword_only(self) -> bool:
        """True if it is keyword-only."""
        return bool(self.kind is inspect.Parameter.KEYWORD_ONLY)

    @property
    def positional_only(self) -> bool:
        """True if it is positional-only."""
        return bool(self.kind is inspect.Parameter.POSITIONAL_ONLY)


@dataclass(frozen=True, slots=True)
class FunctionRecord:
    """The entry of one function in `kinds()`."""

    category: str
    kind: str
    flags: tuple[str, ...]
    missing_on: tuple[str, ...] = ()


@dataclass(eq=False, slots=True)
class Contract:
    """Everything known about one public function."""

    name: str
    category: str
    kind: str
    function: FunctionType
    parameters: tuple[Parameter, ...]
    returns: Returns
    result_type: type | None
    convenience: bool = False
    mutates: bool = False
    passes_through: bool = False
    nestable: bool = False
    container_dependent: bool = False
    cache_by_dtypes: bool = False
    overridable: bool = False
    data_dependent: DataDependent | None = None
    public: Any = field(default=None)
    # The backends in use that lack the function.
    missing_on: list[str] = field(default_factory=list, init=False)
    # Values that every call needs, computed once.
    extension: str = field(init=False)
    qualified_name: str = field(init=False)
    array_parameters: tuple[Parameter, ...] = field(init=False)
    imports: bool = field(init=False)
    star: bool = field(init=False)
    by_name: dict[str, Parameter] = field(init=False)
    by_position: tuple[str, ...] = field(init=False)
    roles: tuple[Role, ...] = field(init=False)
    required: tuple[str, ...] = field(init=False)
    documentation: str | None = field(init=False)
    numpy: NumpyParameters | None = field(init=False)
    # The functions that coerce static arguments, and the optional arrays that take numbers as they
    # are; `annotations.compile_coercers` fills them when a function is bound.
    coercers: dict[str, Callable[[Any], Any]] = field(default_factory=dict, init=False)
    takes_numbers: set[str] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        """Compute the attributes that every call needs.

        `extension` is the extension's name, "" for the main namespace, and `qualified_name` the
        name in the namespace: `"linalg.svd"`.
        `array_parameters` take arrays; `out` is none of them.
        `overridable` says whether a class may override the function: any of arrays, and some more.
        `imports` says whether it takes data of unknown type and backend.
        `star` says whether the function takes any number of arguments, `by_position` names what can
        be given by position, `roles` says what these are for, `required` what must be given,
        `documentation` is the docstring that users see.
        """
        self.extension = extension_of(self.category)
        self.qualified_name = f"{self.extension}.{self.name}" if self.extension else self.name
        self.by_name = {p.name: p for p in self.parameters}
        self.array_parameters = tuple(p for p in self.parameters if p.role in ARRAY_ROLES)
        self.overridable = self.overridable or bool(self.array_parameters)
        self.imports = self.qualified_name == "from_dlpack"
        self.star = any(p.star and not p.any_keyword for p in self.parameters)
        self.by_position = tuple(p.name for p in self.parameters if not p.keyword_only)
        self.roles = tuple(p.role for p in self.parameters if not p.keyword_only)
        self.required = tuple(p.name for p in self.parameters if p.required and not p.star)
        self.numpy = numpy_parameters(self)
        self.documentation = documented(self.function.__doc__, self.takes_out)

    @property
    def signature(self) -> inspect.Signature:
        """The signature of the definition, which is the one that users see."""
        return inspect.signature(self.function)

    @property
    def public_module(self) -> str:
        """The module in which users find the function."""
        return f"{PACKAGE}.{self.extension}" if self.extension else PACKAGE

    @property
    def forwarded(self) -> bool:
        """True for a function of networks: other namespaces and Arrays have it without listing."""
        return self.extension == "nn"

    @property
    def flags(self) -> tuple[str, ...]:
        """The names of the flags that are set."""
        return tuple(name for name in FLAGS if getattr(self, name, None))

    @property
    def record(self) -> FunctionRecord:
        """The function's entry in `kinds()`."""
        return FunctionRecord(self.category, self.kind, self.flags, tuple(self.missing_on))

    @property
    def converts(self) -> bool:
        """True if it makes arrays of any object, arrays of other backends included."""
        return any(p.role is Role.OBJECT for p in self.parameters)

    @property
    def inputs(self) -> Iterator[Parameter]:
        """The parameters without `out`."""
        return (p for p in self.parameters if p.role is not Role.OUT)

    @property
    def of_arrays_alone(self) -> bool:
        """True if all parameters except `out` are single arrays, and required."""
        return all(p.required and p.role in (Role.ARRAY, Role.OPERAND) for p in self.inputs)

    @property
    def takes_out(self) -> bool:
        """True if the function has a parameter `out`."""
        return any(p.role is Role.OUT for p in self.parameters)

    def given_arguments(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Drop what the caller didn't give, and make positional what can be.

        Generated functions pass every parameter on; overriding classes must see only what the
        caller gave (NEP 18).
        """
        args, given = self.resolved(args, kwargs)
        if given and not self.star:
            for name in self.by_position[len(args) :]:
                if name not in given:
                    break
                args = (*args, given.pop(name))
        return args, given

    def resolved(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Drop what the caller didn't give, and name what has another name or place in NumPy."""
        while args and args[-1] is MISSING:
            args = args[:-1]
        if not kwargs and len(args) <= len(self.by_position):
            return args, kwargs
        given = {name: value for name, value in kwargs.items() if value is not MISSING}
        return (args, given) if self.numpy is None else self.numpy.resolve(self, args, given)

    def is_numpys(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Return True if a call has a parameter, or leaves out one, as only NumPy allows."""
        numpy = self.numpy
        if numpy is None:
            return False
        if not numpy.extras.isdisjoint(kwargs):
            return True
        if self.flattens(kwargs):
            return True
        if numpy.of_columns and args and isinstance(args[0], list | tuple):
            return True
        return bool(numpy.omissible) and len(args) < len(self.required)

    def flattens(self, kwargs: dict[str, Any]) -> bool:
        """Return True if a call is about the flattened array, since its axis is None."""
        if self.numpy is None or not self.numpy.flattens:
            return False
        return kwargs.get("axis", self.by_name["axis"].default) is None

    def signature_error(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> TypeError | None:
        """Return what Python would say if the arguments don't fit the signature."""
        if self._matches_signature(args, kwargs):
            return None
        signature = self.signature
        extras = self.numpy.extras if self.numpy else ()
        given = {n: v for n, v in kwargs.items() if v is not MISSING and n not in extras}
        try:
            signature.bind_partial(*args, **given)  # says what is too much
            signature.bind(*args, **given)
        except TypeError as error:
            plain = [
                p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()
            ]
            message = f"{self.name}() takes {inspect.Signature(plain)}: {error}"
            return UnifyTypeError(f"{message}; {self._remedy(args, kwargs)}")
        return None

    def _remedy(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """Return what helps in a call that doesn't fit the signature."""
        names = list(self.by_name)
        for keyword in kwargs:
            if keyword not in names:
                meant = keyword_hint(keyword, names)
                return f"use {meant!r}" if meant else f"drop {keyword!r}"
        given = {*self.by_position[: len(args)], *kwargs}
        lacking = [name for name in self.required if name not in given]
        if lacking:
            return f"pass {' and '.join(lacking)}"
        by_keyword = [p.name for p in self.parameters if p.keyword_only]
        if len(args) > len(self.by_position) and by_keyword:
            return f"pass {', '.join(by_keyword)} by keyword"
        return "pass each argument once, those before the slash by position"

    def _matches_signature(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Return True if a call surely fits the signature; `inspect`, which is slow, isn't used."""
        if not kwargs and len(args) == len(self.required) <= len(self.by_position):
            return True
        given = self.by_position[: len(args)]
        if len(args) > len(self.by_position):
            return self.star
        for name in kwargs:
            parameter = self.by_name.get(name)
            if parameter is None:
                if self.numpy is None or name not in self.numpy.extras:
                    return False
            elif (parameter.required and parameter.positional_only) or name in given:
                return False
        omissible = self.numpy.omissible if self.numpy else ()
        return all(n in given or n in kwargs or n in omissible for n in self.required)

    def named(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Iterator[tuple[Parameter, Any]]:
        """Pair each given value with its parameter; `*arrays` comes as one tuple."""
        for i, parameter in enumerate(self.parameters):
            if parameter.role is Role.STAR:
                yield parameter, args[i:]
            elif i < len(args) and not parameter.keyword_only:
                yield parameter, args[i]
            elif parameter.any_keyword:
                for value in (v for name, v in kwargs.items() if name not in self.by_name):
                    yield parameter, value
            elif parameter.name in kwargs:
                yield parameter, kwargs[parameter.name]


# Python 3.13 takes the margin off docstrings.
MARGIN: Final = "" if sys.version_info >= (3, 13) else "    "

_RETURNS_HEADING: Final = f"\n\n{MARGIN}Returns\n"


def with_margin(text: str) -> str:
    """Give lines the margin that those of a docstring have here."""
    return "\n".join(MARGIN + line if line else line for line in text.split("\n"))


_OUT: Final = """
out
    Array to write the result into, which is then returned. It must have the result's shape,
    and a data type to which the result's casts without loss."""
_OUT_AND_RETURNS: Final = with_margin(_OUT) + _RETURNS_HEADING


def documented(docstring: str | None, takes_out: bool) -> str | None:
    """Return a function's documentation: its docstring, and `out` as the last of the parameters.

    Parameters are followed by what the function returns, as `tests/test_docstrings.py` sees to.
    """
    if not takes_out or docstring is None:  # it is None under `python -OO`
        return docstring
    return docstring.replace(_RETURNS_HEADING, _OUT_AND_RETURNS, 1)
