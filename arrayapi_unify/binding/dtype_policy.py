"""Data types of calls: casts around the functions that compute.

*Default data types.* Native functions make float64 and complex128 of integers. While these are the
defaults, that is all. When another one is first set, every function is adapted: results made of
integers alone are cast afterwards. A program that never sets one pays nothing.

*float16 and bfloat16.* Libraries have few kernels for these. Their arrays have an Array class of
their own. The exact type check of the fast path sends them to the slow path, and other arrays pay
nothing. Functions that move elements, share memory or convert get them as they are. All others are
adapted: their arguments are upcast to float32, which represents every value exactly, and the result
is rounded once, at the end. So sums are accumulated in float32, and all libraries agree. Only
`nextafter` gets its operands in the data type of its result, on which its definition depends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from arrayapi_unify import backends, dtypes, limits
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends.kernel import FastKernel, kernel_of
from arrayapi_unify.binding.arguments import RareDTypeError
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import Contract, Returns
from arrayapi_unify.dtypes import DType
from arrayapi_unify.views.sharing import SHARING

if TYPE_CHECKING:
    from arrayapi_unify.binding.bound import BoundFunction
    from arrayapi_unify.binding.namespace import Binding

_Finder = Callable[[tuple[Any, ...], dict[str, Any]], Sequence[Any]]

__all__ = ["DTypePolicy", "if_usual", "needs_no_upcast", "storable"]

# In addition to those of `SHARING`: functions that take indices, need dtype limits, or whose bodies
# move elements.
_NO_UPCAST: Final = frozenset({
    "array_split", "block", "diagonal", "dsplit", "empty", "empty_like", "fliplr", "flipud",
    "from_dlpack", "hsplit", "nan_to_num", "ravel", "repeat", "rot90", "swapaxes", "take",
    "take_along_axis", "transpose", "vsplit",
})  # fmt: skip
# Arrays of these never promote float16 or bfloat16 to float32. If the result is float32 anyway,
# they were no operands but indices, counts or fractions, and the result is rounded.
_NEVER_SINGLE: Final = frozenset({"int32", "uint32", "int64", "uint64", "float64", "complex128"})


def _float() -> Any:
    return dtypes.default_float()


def _complex() -> Any:
    return dtypes.default_complex()


def _usual_float() -> bool:
    return dtypes.default_float() is dtypes.float64


def _usual_complex() -> bool:
    return dtypes.default_complex() is dtypes.complex128


# torch.compile can't trace the context variables: it takes what these return now for constants. A
# data type that it meets as a constant and elsewhere, too, is an error of its own in PyTorch 2.15.
for _constant in (_float, _complex, _usual_float, _usual_complex):
    vars(_constant).update(_dynamo_marked_constant=True)


def _usual() -> bool:
    return _usual_float() and _usual_complex()


def if_usual(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that returns None where another default data type is set."""
    return lambda *args: function(*args) if _usual() else None


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


def storable(value: Any, dtype: DType) -> Any:
    """Return a Python scalar as the float of `dtype`; libraries take no large integers.

    Integers beyond float32 stay, and are refused as there.
    """
    if type(value) is float or (type(value) is int and abs(value) <= 2**127):
        return limits.rounded(value, dtype)
    return value


class DTypePolicy:
    """The casts around a backend's native functions, and around bodies that run on it."""

    def __init__(self, binding: Binding) -> None:
        """Sort the data types of a backend, ours and its own."""
        known = binding.backend.DTYPES
        self._binding = binding
        self._integers = frozenset(each for d in known if d.kind in "bui" for each in (known[d], d))
        # NumPy's equal ours, and the first of equal keys is found without a call of Python.
        # For each data type that a default replaces: the test for the usual default, and the
        # default.
        self._wide: dict[Any, tuple[Callable[[], bool], Callable[[], Any]]] = {}
        for wide, usual, default in (
            (dtypes.float64, _usual_float, _float),
            (dtypes.complex128, _usual_complex, _complex),
        ):
            self._wide |= dict.fromkeys((known.get(wide, wide), wide), (usual, default))
        others = [d for d in dtypes.ALL if d in known and d not in self._wide]
        self._kept = frozenset(each for d in others for each in (known[d], d))

    def with_defaults(self, contract: Contract, compute: Callable[..., Any]) -> Callable[..., Any]:
        """Adapt a function: results made of integers alone get the default data types.

        The faster functions of its record are adapted, too, or serve the usual defaults only.
        """
        named, kernel = _finder_of_dtypes(contract), kernel_of(compute)
        call, fast = kernel.fast_call, kernel.fast_kernel
        record = replace(
            kernel,
            fast_call=self._with_defaults(named, call) if call else None,
            fast_kernel=self._fast_kernel_with_defaults(contract, compute, fast) if fast else None,
            from_list=if_usual(kernel.from_list) if kernel.from_list else None,
        )
        made = self._with_defaults(named, compute)
        if getattr(compute, "supports_native_out", False):
            made = self._out_with_defaults(named, made)
        vars(made).update(__wrapped__=compute)
        return record(made)

    def _with_defaults(self, named: _Finder, compute: Callable[..., Any]) -> Callable[..., Any]:
        kept = self._kept

        def with_defaults(*args: Any, **kwargs: Any) -> Any:
            result = compute(*args, **kwargs)
            if getattr(result, "dtype", None) in kept:
                return result
            return self._to_defaults(named, result, args, kwargs)

        return with_defaults

    def _out_with_defaults(self, named: _Finder, compute: Callable[..., Any]) -> Callable[..., Any]:
        def with_defaults(*args: Any, **kwargs: Any) -> Any:
            if "out" in kwargs and not _usual() and self._of_integers(named, args, kwargs):
                raise RareDTypeError  # the slow path computes, casts, and then stores
            return compute(*args, **kwargs)

        return with_defaults

    def _fast_kernel_with_defaults(
        self, contract: Contract, compute: Callable[..., Any], fast: FastKernel
    ) -> FastKernel:
        if not contract.array_parameters:
            return replace(fast, call=compute)
        named, fix_up = _finder_of_dtypes(contract), fast.fix_up
        if fix_up is None:
            return replace(fast, call=self._with_defaults(named, fast.call))

        def fix_up_with_defaults(result: Any, *args: Any) -> Any:
            return self._to_defaults(named, fix_up(result, *args), args, {})

        return replace(fast, fix_up=fix_up_with_defaults)

    def _to_defaults(
        self, named: _Finder, result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Return a result in the default data types if it was made of integers alone."""
        if isinstance(result, tuple | list):
            return _rebuilt(result, [self._to_defaults(named, x, args, kwargs) for x in result])
        found = self._wide.get(getattr(result, "dtype", None))
        if found is None or found[0]() or not self._of_integers(named, args, kwargs):
            return result
        return self._cast(result, found[1]())

    def _of_integers(self, named: _Finder, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Return True if all arrays of a call are integers or bools, and it names no data type."""
        if any(value is not None for value in named(args, kwargs)):
            return False
        found = _dtypes(args) + _dtypes(x for name, x in kwargs.items() if name != "out")
        return bool(found) and all(dtype in self._integers for dtype in found)

    def upcast(self, contract: Contract, compute: Callable[..., Any]) -> Callable[..., Any]:
        """Adapt a function: float16 and bfloat16 arguments are upcast, its result is rounded."""
        named, narrow = _finder_of_dtypes(contract), contract.name == "nextafter"
        left_out = () if narrow else _NEVER_SINGLE
        roles = {p.name: p.role for p in contract.parameters}

        def upcasting(*args: Any, **kwargs: Any) -> Any:
            given = [value for value in named(args, kwargs) if value is not None]
            asked = backends.as_dtype(given[0]) if given else None
            found = [d for d in self.dtypes((*args, *kwargs.values())) if d.name not in left_out]
            target = asked or (dtypes.promote(*found) if found else None)
            if narrow:
                return compute(*[self._joined(value, target) for value in args])
            positional = [self._upcast(*pair, target) for pair in _by_role(contract, args)]
            keywords = {
                name: self._upcast(roles.get(name, Role.STATIC), value, target)
                for name, value in kwargs.items()
            }
            result = compute(*positional, **keywords)
            return self._rounded(result, target, asked) if target and target.reduced else result

        return upcasting

    def _upcast(self, role: Role, value: Any, target: DType | None) -> Any:
        if role is Role.DTYPE:
            return self._upcast_dtype(value)
        if role in (Role.OPERAND, Role.OPTIONAL) and type(value) in (int, float):
            # A Python scalar takes the data type of the array next to it.
            near = limits.rounded(value, target) if target and target.reduced else value
            return value if near == value else near
        if isinstance(value, list | tuple):
            return type(value)([self._upcast(Role.STATIC, part, target) for part in value])
        reduced = any(dtype.reduced for dtype in self.dtypes((value,)))
        return self._cast(value, dtypes.float32) if reduced else value

    def _upcast_dtype(self, value: Any) -> Any:
        """Return float64 for float16 or bfloat16, so that values are rounded only once."""
        if value is None or not backends.as_dtype(value).reduced:
            return value
        native = not isinstance(value, DType | str)
        return self._binding.backend.DTYPES[dtypes.float64] if native else dtypes.float64

    def _joined(self, value: Any, target: DType | None) -> Any:
        """Return an operand as an array of the data type of the result."""
        assert target is not None  # one operand is an array
        if not self.dtypes((value,)):
            value = self._binding.functions["asarray"](value)._data
        return self._cast(value, target)

    def _rounded(self, result: Any, target: DType, asked: DType | None) -> Any:
        """Round the arrays of the data type that replaced float16 or bfloat16."""
        if isinstance(result, tuple | list):
            return _rebuilt(result, [self._rounded(x, target, asked) for x in result])
        if not isinstance(result, Array):
            result = self._binding.backend.as_native_array(result)
        (found,) = self.dtypes((result,))
        wide = found is dtypes.float32 or (asked is not None and found is dtypes.float64)
        return self._cast(result, target) if wide else result

    def of_one_dtype(self, bound: BoundFunction) -> Callable[..., Any]:
        """Return a function for arrays of one reduced data type, also native ones: `upcast`."""
        binding = self._binding
        single = binding.backend.DTYPES.get(dtypes.float32)
        new = binding.reduced_precision[binding.array]

        def compute(*arrays: Any) -> Any:
            natives = [x._data if isinstance(x, Array) else x for x in arrays]
            kind, cast = natives[0].dtype, binding.cast
            for native in natives:
                if native.dtype != kind:
                    return bound.slow(arrays, {})
            try:
                result = bound.native(*[cast(native, single) for native in natives])  # type: ignore[misc]  # it upcasts
                if result.dtype != single:
                    return binding.wrap(binding.backend.as_native_array(result))
                made = new()
                made._data = cast(result, kind)
                return made
            except Exception:  # the slow path says why
                return bound.slow(arrays, {})

        return compute

    def dtypes(self, values: Iterable[Any]) -> list[DType]:
        """List the data types of the arrays, native or wrapped, in nested arguments."""
        as_dtype = self._binding.backend.as_dtype
        found = (d if isinstance(d, DType) else as_dtype(d) for d in _dtypes(values))
        return [dtype for dtype in found if dtype is not None]

    def _cast(self, value: Any, dtype: DType) -> Any:
        """Cast an array, native or wrapped; derivatives pass."""
        binding = self._binding
        astype = binding.bound["astype"].native
        assert astype is not None  # every backend with more than one data type has it
        native = astype(getattr(value, "_data", value), binding.backend.DTYPES[dtype], copy=False)
        return binding.wrap(native) if isinstance(value, Array) else native


def _by_role(contract: Contract, args: tuple[Any, ...]) -> Iterator[tuple[Role, Any]]:
    """Pair positional arguments with their roles; `*arrays` takes any number."""
    roles = contract.roles
    yield from zip((*roles, *roles[-1:] * (len(args) - len(roles))), args, strict=False)


def _finder_of_dtypes(contract: Contract) -> _Finder:
    """Return a function that lists the data types that a call names, None included."""
    names = [p.name for p in contract.parameters if p.role is Role.DTYPE]
    if not names:
        return lambda args, kwargs: ()
    places = [i for i, role in enumerate(contract.roles) if role is Role.DTYPE]

    def find(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        given = [kwargs[name] for name in names if name in kwargs]
        return [args[i] for i in places if i < len(args)] + given

    return find


def _dtypes(values: Iterable[Any]) -> list[Any]:
    """List the data types, ours or a library's, of the arrays in nested arguments."""
    found = []
    for value in values:
        if isinstance(value, list | tuple):
            found += _dtypes(value)
        elif isinstance(value, DType):  # whose `dtype` is NumPy's, which breaks a traced graph
            found.append(value)
        elif (dtype := getattr(value, "dtype", None)) is not None:
            found.append(dtype)
    return found


def _rebuilt(result: Any, parts: list[Any]) -> Any:
    """Return a tuple, named or not, or a list of other items."""
    return type(result)(*parts) if hasattr(result, "_fields") else type(result)(parts)
