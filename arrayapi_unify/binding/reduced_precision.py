"""float16 and bfloat16: data types beyond the standard, for which libraries have few kernels.

float16 and bfloat16 arrays have their own Array class. The exact type check of the fast path sends
them to the slow path, and other arrays pay nothing. The slow path serves them in two ways:

- *directly*: functions that move elements, share memory or convert get the arrays as they are.
- *upcast*: all others get float32, which represents every value exactly, and their result is
  rounded once, at the end. Sums are therefore accumulated in float32, and all libraries agree. Only
  `nextafter` gets its operands in the data type of its result, on which its definition depends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from arrayapi_unify import backends, dtypes, limits
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.operators import ArrayWithOperators
from arrayapi_unify.binding.annotations import Role
from arrayapi_unify.binding.contract import Contract, Returns
from arrayapi_unify.dtypes import REDUCED_PRECISION, DType
from arrayapi_unify.views.layouts import SHARING

if TYPE_CHECKING:
    from arrayapi_unify.binding.namespace import Binding

__all__ = [
    "UpcastCall", "dtypes_among", "needs_no_upcast", "of_one_kind", "reduced_precision_operators",
    "storable",
]  # fmt: skip

# In addition to those that share memory: functions that take indices, or need dtype limits.
_NO_UPCAST: Final = frozenset(
    {"empty", "empty_like", "from_dlpack", "nan_to_num", "repeat", "take",
     "take_along_axis"}
)  # fmt: skip
# Arrays of these never promote float16 or bfloat16 to float32. If the result is float32 anyway,
# they were no operands but indices, counts or fractions, and the result is rounded.
_NEVER_SINGLE: Final = frozenset(
    {dtypes.int32, dtypes.uint32, dtypes.int64, dtypes.uint64, dtypes.float64, dtypes.complex128}
)


def needs_no_upcast(contract: Contract) -> bool:
    """Return True if a function gets float16 and bfloat16 as they are."""
    name = contract.qualified_name
    return (
        name in SHARING
        or name in _NO_UPCAST
        or contract.passes_through
        or contract.mutates
        or contract.returns is Returns.OTHER
    )


def reduced_precision_operators() -> dict[str, Any]:
    """Return the special methods that look at the data: those of the classes that users write."""
    made = {
        name: operator
        for name, operator in vars(ArrayWithOperators).items()
        if name.startswith("__") and callable(operator)
    }
    return {**made, "__getitem__": Array.__getitem__, "__setitem__": Array.__setitem__}


def dtypes_among(binding: Binding, values: Iterable[Any]) -> Iterator[DType]:
    """Find the data types of the arrays, native or wrapped, in nested arguments."""
    backend = binding.backend
    for value in values:
        if isinstance(value, list | tuple):
            yield from dtypes_among(binding, value)
        elif isinstance(value, Array):
            yield value.dtype
        elif backend.is_native_type(type(value)):
            yield backend.dtype_of(value)


def storable(value: Any, dtype: DType) -> Any:
    """Return a Python scalar as the float that a half holds; libraries take no large integers.

    Integers beyond float32 stay, and are refused as there.
    """
    if type(value) is float or (type(value) is int and abs(value) <= 2**127):
        return limits.rounded(value, dtype)
    return value


def of_one_kind(binding: Binding, bound: Any) -> Callable[..., Any]:
    """Return a function for arrays of one such data type alone: `UpcastCall`, inlined."""
    single, new = (
        binding.backend.DTYPES.get(dtypes.float32),
        binding._reduced_precision[binding.array],
    )

    def compute(*arrays: Array) -> Any:
        natives = [array._data for array in arrays]
        kind, cast = natives[0].dtype, binding.cast
        for native in natives:
            if native.dtype != kind:
                return bound.slow(arrays, {})
        try:
            result = bound.native(*[cast(native, single) for native in natives])
            if result.dtype != single:
                return binding.wrap(binding.backend.as_native_array(result))
            made = new()
            made._data = cast(result, kind)
            return made
        except Exception:  # the slow path says why
            return bound.slow(arrays, {})

    return compute


class UpcastCall:
    """A native function, or a body, that gets float32 in place of float16 and bfloat16."""

    def __init__(self, binding: Binding, contract: Contract, compute: Callable[..., Any]) -> None:
        """Upcast the arguments of `compute`."""
        self._binding = binding
        self._compute = compute
        self._narrow = contract.name == "nextafter"
        self._roles = {p.name: p.role for p in contract.parameters}
        self._by_position = [p.role for p in contract.parameters if not p.keyword_only]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute in float32, and round."""
        pairs = [*zip(self._roles_of(len(args)), args, strict=True)]
        named = [
            (self._roles.get(name, Role.STATIC), name, value) for name, value in kwargs.items()
        ]
        given = [value for role, value in pairs if role is Role.DTYPE]
        given += [value for role, _, value in named if role is Role.DTYPE]
        asked = next((self._dtype(value) for value in given if value is not None), None)
        target = asked or self._promoted([*args, *kwargs.values()])
        if self._narrow:
            return self._compute(*[self._joined(value, target) for value in args])
        result = self._compute(
            *[self._upcast(role, value, target) for role, value in pairs],
            **{name: self._upcast(role, value, target) for role, name, value in named},
        )
        return result if target not in REDUCED_PRECISION else self._rounded(result, target, asked)

    def _roles_of(self, count: int) -> list[Role]:
        """Return the roles of so many positional arguments; `*arrays` takes any number."""
        roles = self._by_position
        return roles[:count] + roles[-1:] * (count - len(roles))

    def _dtype(self, value: Any) -> DType:
        return backends.as_dtype(value)

    def _promoted(self, values: list[Any]) -> DType | None:
        """Return the data type to which those arrays promote that may lead to float32."""
        left_out = () if self._narrow else _NEVER_SINGLE
        found = [d for d in dtypes_among(self._binding, values) if d not in left_out]
        return dtypes.promote(*found) if found else None

    def _upcast(self, role: Role, value: Any, target: DType | None) -> Any:
        if role is Role.DTYPE:
            return self._upcast_dtype(value)
        if role in (Role.OPERAND, Role.OPTIONAL) and type(value) in (int, float):
            # A Python scalar takes the data type of the array beside it.
            near = limits.rounded(value, target) if target in REDUCED_PRECISION else value
            return value if near == value else near
        if isinstance(value, list | tuple):
            return type(value)([self._upcast(Role.STATIC, part, target) for part in value])
        return self._cast(value, dtypes.float32) if self._is_reduced_precision(value) else value

    def _joined(self, value: Any, target: DType | None) -> Any:
        """Return an operand as an array of the data type of the result."""
        assert target is not None  # one operand is an array
        if next(dtypes_among(self._binding, (value,)), None) is None:
            value = self._binding.functions["asarray"](value)._data
        return self._cast(value, target)

    def _upcast_dtype(self, value: Any) -> Any:
        """Return float64 for a half that is asked for, so that values are rounded only once."""
        if value is None or self._dtype(value) not in REDUCED_PRECISION:
            return value
        native = not isinstance(value, DType | str)
        return self._binding.backend.DTYPES[dtypes.float64] if native else dtypes.float64

    def _is_reduced_precision(self, value: Any) -> bool:
        return any(dtype in REDUCED_PRECISION for dtype in dtypes_among(self._binding, (value,)))

    def _cast(self, value: Any, dtype: DType) -> Any:
        """Cast an array, native or wrapped; derivatives pass."""
        binding = self._binding
        astype = binding.bound["astype"].native
        assert astype is not None  # every backend with float16 and bfloat16 has it
        native = astype(getattr(value, "_data", value), binding.backend.DTYPES[dtype], copy=False)
        return binding.wrap(native) if isinstance(value, Array) else native

    def _rounded(self, result: Any, target: DType, asked: DType | None) -> Any:
        """Round what is of the data type that stood for the half."""
        if isinstance(result, tuple):
            return tuple(self._rounded(part, target, asked) for part in result)
        if not isinstance(result, Array):
            result = self._binding.backend.as_native_array(result)
        stands = next(dtypes_among(self._binding, (result,)), None)
        wide = stands is dtypes.float32 or (asked is not None and stands is dtypes.float64)
        return self._cast(result, target) if wide else result
