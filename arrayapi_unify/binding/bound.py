"""A contract on one backend: the slow path behind the function that users call.

It converts the arguments, and serves views, upcasts, `out=`, and the wrapping of what comes back.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from arrayapi_unify._core import lazy_access
from arrayapi_unify.array_object import Array, interop
from arrayapi_unify.backends import as_dtype, name_of
from arrayapi_unify.backends._common.algorithms.out import check_out
from arrayapi_unify.backends.handler import check_backend
from arrayapi_unify.backends.kernel import Kernel, kernel_of
from arrayapi_unify.binding.arguments import ArgumentConverter, Arguments, admit_all
from arrayapi_unify.binding.call import SlowPath
from arrayapi_unify.binding.dtype_policy import needs_no_upcast, storable
from arrayapi_unify.binding.modules import with_body_backend
from arrayapi_unify.contracts import numpy_parameters
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import Contract, Parameter, Returns
from arrayapi_unify.errors import (
    UnifyError,
    UnifyTypeError,
    a_kind,
    describe,
    diagnose_arguments,
    raise_argument_error,
    translate,
)
from arrayapi_unify.rendering.functions import GeneratedFunctions
from arrayapi_unify.rendering.renderer import Renderer, Target
from arrayapi_unify.views import writes
from arrayapi_unify.views.factory import view_factory, without_copy
from arrayapi_unify.views.view import view_of

if TYPE_CHECKING:
    from arrayapi_unify.binding.namespace import Binding

__all__ = ["BoundFunction"]


class BoundFunction(SlowPath):
    """One contract on one backend; `native` is None where the contract's body serves."""

    __slots__ = (
        "_change",
        "_upcast",
        "_write",
        "accepts_reduced_precision",
        "accepts_views",
        "applies_defaults",
        "arguments",
        "binding",
        "body",
        "generated",
        "makes_new",
        "native",
        "view_factory",
        "writes_out",
    )
    coerces = True

    def __init__(
        self,
        contract: Contract,
        binding: Binding,
        native: Callable[..., Any] | None,
        accepts_reduced_precision: bool = False,
    ) -> None:
        """Join a contract with a backend's native function."""
        super().__init__(contract)
        self.binding = binding
        self.native = native
        self.arguments = ArgumentConverter(contract, binding, unwraps=native is not None)
        self.applies_defaults = False
        self.writes_out = bool(getattr(native, "supports_native_out", False))
        self.accepts_reduced_precision = accepts_reduced_precision or needs_no_upcast(contract)
        self._upcast: BoundFunction | None = None
        # The functions that are rendered of this one: the namespace's, and operators.
        self.generated = GeneratedFunctions(binding.name)
        self.body = (
            contract.function if native else binding.backend.suppress_warnings(contract.function)
        )
        if native is None and not any(p.required or p.star for p in contract.array_parameters):
            self.body = with_body_backend(binding.name, self.body)
        self.view_factory = view_factory(binding, contract, native)
        self._change = writes.writer(binding.backend)
        write: Any = binding.backend.write
        # Results of these may be their argument, or share its memory, and so may a body's.
        careful = self.view_factory is not None or contract.passes_through or native is None
        self._write = write if careful else kernel_of(write).unaliased or write
        # A function that computes a new array needs only the data of an emulated view.
        self.makes_new = contract.kind == "primary" and not (careful or contract.mutates)
        self.accepts_views = self.makes_new and binding.emulated_array is not binding.array

    @property
    def fast_native(self) -> Callable[..., Any]:
        """The function of native arrays that the fast path calls."""
        native = self.native or self.body
        # A native function may name a function of the library itself that does just the same.
        return kernel_of(native).fast_call or native

    @property
    def kernel(self) -> Kernel:
        """The record of the native function."""
        return kernel_of(self.native)

    @property
    def creates(self) -> bool:
        """True if the data type and the device of the fast kernel's results are the usual ones."""
        return self.kernel.fast_kernel is not None and not self.contract.array_parameters

    def apply_default_dtypes(self) -> None:
        """Give results made of integers alone the default data types from now on."""
        if self.applies_defaults or self.contract.returns is Returns.OTHER:
            return
        adapt, self.applies_defaults = self.binding.dtype_policy.with_defaults, True
        if self.native is None:
            self.body = adapt(self.contract, self.body)
        else:
            self.native = adapt(self.contract, self.native)
        self.generated.refresh()

    @property
    def upcasts(self) -> bool:
        """True if the function is upcast: it computes a new array from nothing but arrays."""
        contract = self.contract
        return (
            self.native is not None
            and contract.of_arrays_alone
            and contract.returns is Returns.ARRAY
            and self.makes_new
            and not self.accepts_reduced_precision
            and contract.name != "nextafter"
        )

    def make(self) -> FunctionType:
        """Make the function that users call."""
        name = self.contract.qualified_name
        return self.generated.make(name, lambda: Renderer(self.target).function())

    @property
    def called(self) -> Callable[..., Any]:
        """The function of native arrays in the rendered functions."""
        return (
            self.binding.noticing(self.fast_native) if self.contract.imports else self.fast_native
        )

    @property
    def from_list(self) -> Callable[[Any], Any] | None:
        """The function that makes native arrays of plain lists, and returns None for others."""
        return self.kernel.from_list or self.binding.from_list

    @property
    def target(self) -> Target:
        """The values in the rendered functions; default data types exchange some."""
        policy = self.binding.dtype_policy
        return Target(
            path=self,
            binding=self.binding,
            native=self.native,
            call=self.called,
            kernel=self.kernel,
            from_list=self.from_list,
            into=self.into,
            writes_out=self.writes_out,
            accepts_views=self.accepts_views,
            view_factory=self.view_factory,
            for_reduced_precision=policy.of_one_dtype(self) if self.upcasts else None,
        )

    @property
    def backend_name(self) -> str:  # type: ignore[override]  # the base has a constant
        """The backend on which the function runs."""
        return self.binding.name

    def _compute_as_numpy(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        compute = self.binding.backend.suppress_warnings(numpy_parameters.compute)
        pairs = zip(self.contract.parameters, args, strict=False)
        leading = tuple(self._as_array(p, value) for p, value in pairs)
        return compute(
            self.contract, self.binding.namespace, leading + args[len(leading) :], kwargs
        )

    def _as_array(self, parameter: Parameter, value: Any) -> Any:
        """Return an Array where one is wanted; raise for what can't be one."""
        numpy = self.contract.numpy
        of_columns = numpy and numpy.of_columns and isinstance(value, list | tuple)
        if parameter.role is not Role.ARRAY or isinstance(value, Array) or of_columns:
            return value
        made = self.arguments.convert(parameter.name, value)
        return made if isinstance(made, Array) else self.binding.wrap(made)

    def function(self) -> Callable[..., Any]:
        """Return what is called for each leaf of a Container."""
        return self.binding.functions[self.contract.qualified_name]

    def _compute(self, args: tuple[Any, ...], kwargs: dict[str, Any], found: Arguments) -> Any:
        """Convert the arguments, call the native function (or the body), wrap the result."""
        bound, positional, keywords = self.prepare(args, kwargs, found)
        out = keywords.pop("out", None)
        return bound._finish(args, positional, keywords, out)

    def prepare(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], found: Arguments
    ) -> tuple[BoundFunction, list[Any], dict[str, Any]]:
        """Convert the arguments of a call; and return the function that takes them, or upcasts."""
        host = found.host
        if host is not None:
            args, kwargs = admit_all(self.contract, args, kwargs, host)
            found = Arguments(self.contract, args, kwargs)
        positional, keywords = self.arguments.convert_all(args, kwargs)
        upcasts = not self.accepts_reduced_precision and self._has_reduced_precision(found)
        return self.upcast if upcasts else self, positional, keywords

    def _has_reduced_precision(self, found: Arguments) -> bool:
        """Return True if an array is of float16 or bfloat16, or the result is to be."""
        reduced, dtype = self.binding.is_reduced_precision, self.binding.is_reduced_precision_dtype
        natives = (x._data if isinstance(x, Array) else x for x in found.arrays)
        return any(map(reduced, natives)) or any(dtype(as_dtype(d)) for d in found.dtypes)

    def _finish(
        self, args: tuple[Any, ...], positional: list[Any], keywords: dict[str, Any], out: Any
    ) -> Any:
        """Call the native function, in the way that this function asks for."""
        if self.contract.mutates:
            return self._update(args[0], positional)
        if out is None and self.view_factory is not None:
            return self._view(args, positional, keywords)
        if self.contract.imports and isinstance(args[0], Array):
            return self._imported(args[0], positional, keywords)
        if out is None and self.contract.passes_through:
            return self._pass_through(args[0], positional, keywords)
        return self._run(positional, keywords, out)

    @property
    def upcast(self) -> BoundFunction:
        """The function that computes with float32 where this one is given float16 or bfloat16."""
        if self._upcast is None:
            compute = self.native or self.body
            upcast = self.binding.dtype_policy.upcast(self.contract, compute)
            native = upcast if self.native else None
            wide = BoundFunction(
                self.contract, self.binding, native, accepts_reduced_precision=True
            )
            if native is None:
                wide.body = upcast
            self._upcast = wide
        return self._upcast

    def in_place(self, change: Callable[[Any, Any], Any], *operands: Any) -> Callable[..., Any]:
        """Return what computes `x op= y`: `change`, unless an operand is a half."""
        among = self.binding.dtype_policy.dtypes(operands)
        if not any(dtype.reduced for dtype in among):
            return change
        native = self.upcast.native
        assert native is not None  # the operators' functions are primary
        upcast = self.binding.backend.in_place(native)
        short = kernel_of(change).for_reduced_precision
        return upcast if short is None else lambda x, y: x if short(x, y) else upcast(x, y)

    def error_to_raise(
        self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Exception:
        """Return what to raise; a body's functions have other arguments than it has itself."""
        if self.binding.backend.lazy is not None and isinstance(error, TypeError):
            refused = lazy_access.size_error(
                self.contract.qualified_name, self._named(args, kwargs)
            )
            if refused is not None:
                return refused
        if self.native is None and isinstance(error, UnifyError) and isinstance(error, ValueError):
            given = dict(self._named(args, kwargs))
            better = diagnose_arguments(self.contract.qualified_name, self.binding.name, given)
            if better is not None:
                return better
        found: Exception = super().error_to_raise(error, args, kwargs)
        return self.binding.backend.as_library_error(found)

    def _named(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[tuple[str, Any]]:
        args, kwargs = self.contract.given_arguments(args, kwargs)
        return [(p.name, value) for p, value in self.contract.named(args, kwargs)]

    def _translated(self, error: Exception, given: list[tuple[str, Any]]) -> Exception:
        error = self.binding.backend.translate_error(error)
        return translate(error, self.contract.qualified_name, self.binding.name, given)

    def _run(self, positional: list[Any], keywords: dict[str, Any], out: Any) -> Any:
        if self.native is None:
            result = self.body(*positional, **keywords)
            return result if out is None else self.store(result._data, out)
        if out is None:
            return self.binding.wrap_result(self.native(*positional, **keywords), self.contract)
        self._check_out(out)
        direct = self.writes_out and not self.applies_defaults and not out.dtype.reduced
        if direct and self.binding.writes_through(out):
            keywords["out"] = out._data
        result = self.native(*positional, **keywords)
        return out if result is out._data else self.store(result, out)

    def _pass_through(self, array: Any, positional: list[Any], keywords: dict[str, Any]) -> Array:
        """Run a function whose result may be its argument: then it is the same Array, too."""
        assert self.native is not None  # contract bodies return Arrays anyway
        data = self.native(*positional, **keywords)
        if not isinstance(array, Array):
            theirs = self.binding.backend.is_native_type(type(array))
            wrap = self.binding.adopt if theirs else self.binding.wrap
            return wrap(self.binding.backend.as_native_array(data))
        same = data is positional[0] and isinstance(array, self.binding.array)
        return array if same else self.binding.wrap(self.binding.backend.as_native_array(data))

    def _imported(self, array: Array, positional: list[Any], keywords: dict[str, Any]) -> Array:
        """Import an Array of ours, which may follow memory that its native array isn't."""
        assert self.native is not None  # the importing function is primary
        binding, copy = self.binding, keywords.get("copy")
        follows = array.backend == binding.name and interop.shares_by_emulation(array)
        if copy is False and not follows:
            interop.check_in_place(array)
        data = binding.backend.as_native_array(self.native(*positional, **keywords))
        stays = follows and not copy and binding.backend.device_of(data) is array.device
        return binding.share(array) if stays else binding.wrap(data)

    def _view(self, args: tuple[Any, ...], natives: list[Any], keywords: dict[str, Any]) -> Any:
        """Run a function whose result shares the memory of its argument."""
        assert self.native is not None
        assert self.view_factory is not None
        taken = keywords
        if keywords.get("copy") is False and isinstance(args[0], Array):
            # The data of an emulated view may be a copy: NumPy's layout decides what can be a view.
            view = view_of(args[0])
            if view is not None and not view.is_traced:
                taken = without_copy(keywords)
        result = self.native(*natives, **taken)
        # Natives share memory too; what is no array has none.
        sources = [
            given if isinstance(given, Array) else self.binding.adopt(native)
            for given, native in zip(args[: self._arrays_first], natives, strict=False)
        ]
        return self.view_factory(result, *sources, *natives[len(sources) :], **keywords)

    @property
    def _arrays_first(self) -> int | None:
        """The number of arguments that are arrays: 1, or None for all of them (`*arrays`)."""
        return None if self.contract.parameters[0].role is Role.STAR else 1

    def _update(self, target: Any, positional: list[Any]) -> Any:
        """Run a function that changes its first argument; a native one stays as it is."""
        assert self.native is not None  # contract bodies can't change an array's data
        if not isinstance(target, Array):
            target = self.binding.wrap(self.binding.backend.copy(positional[0]))
        *others, value = positional[1:]
        if target.dtype.reduced:
            value = storable(value, target.dtype)
        self._change(target, self.native, *others, value)
        return target

    def _check_out(self, out: Any) -> None:
        if not isinstance(out, Array):
            native = name_of(out) is not None
            raise_argument_error(
                UnifyTypeError,
                self.contract.qualified_name,
                "out",
                f"is {a_kind(out) if native else describe(out)}, not an Array",
                f"{'wrap it first with unify.Array(native)' if native else 'pass an Array'}",
            )
        check_backend(self.contract.name, "out", out, self.binding.name)

    def store(self, result: Any, out: Any) -> Any:
        """Write a native result into `out`; nothing is written unless all of it fits."""
        self._check_out(out)
        return self.into(out, self.binding.backend.as_native_array(result))

    def into(self, out: Array, result: Any) -> Array:
        """Write a native result into an array of this backend."""
        data = out._data
        if data.dtype != result.dtype or data.shape != result.shape:
            result = self._checked_for_out(out, self.binding.backend.as_native_array(result))
        self._change(out, self._write, result)
        return out

    def _checked_for_out(self, out: Array, result: Any) -> Any:
        """Return a result if `out` has its shape, and a data type to which it casts safely."""
        backend = self.binding.backend
        shape = backend.shape_of(result)
        if None in shape and backend.lazy is not None:
            shape = backend.lazy.known_shape(result)
        found = (shape, backend.dtype_of(result))
        check_out(self.contract.qualified_name, (out.shape, out.dtype), found)
        return result
