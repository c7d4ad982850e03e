"""Additions to the tracer of `torch.compile`: operators, NumPy's scalars, writes, exceptions.

On its own the tracer handles `@` and `~` for tensors only, and takes a comparison with a number
that varies as never true. It follows the other operators into the methods of any class.

A fast path asks PyTorch first, and goes on where PyTorch raises. The tracer ends the trace instead,
unless it knows the exception: a mean of integers, an axis out of bounds, a write to a slice with a
negative step.

In programs of ours, a scalar of NumPy's from a closure or a global name is a number of Python's.
The tracer also tells the writes to a traced tensor, and its memory.

Nothing is imported for this, because importing the tracer takes seconds. Its modules are patched
when they are loaded, which is at the first compilation.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import itertools
import operator
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
import torch

from arrayapi_unify._core.container_base import Nested

TRACED_VERSION: Final = "_arrayapi_unify_version"
"""The attribute of a traced tensor that changes with each write, and between two graphs."""
TRACED_MEMORY: Final = "_arrayapi_unify_memory"
"""The attribute of a traced tensor that tells its memory from others."""
_PROGRAM: Final = "<arrayapi_unify compilation"
"""The beginning of the file name of a program that `unify.compile` renders."""
_GENERATED: Final = "<arrayapi_unify"
"""The beginning of the file name of a function that binding renders."""
_FOLDER: Final = str(Path(__file__).parents[2])
_GRAPHS: Final = itertools.count()
_VARIABLES: Final = "torch._dynamo.variables"
# The names of functions of Python's `operator`, and the methods of the first and second operand.
_OPERATORS: Final = {
    "matmul": ("__matmul__", "__rmatmul__"),
    "imatmul": ("__imatmul__", "__rmatmul__"),
    "invert": ("__invert__",),
}
_COMPARISONS: Final[dict[Any, tuple[str, str]]] = {
    operator.eq: ("__eq__", "__eq__"), operator.ne: ("__ne__", "__ne__"),
    operator.lt: ("__lt__", "__gt__"), operator.gt: ("__gt__", "__lt__"),
    operator.le: ("__le__", "__ge__"), operator.ge: ("__ge__", "__le__"),
}  # fmt: skip
# Functions whose fast paths ask PyTorch first.
_PROMOTING: Final = frozenset({
    torch.add, torch.sub, torch.mul, torch.div, torch.pow, torch.maximum, torch.minimum,
    torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge,
})  # fmt: skip


def trace_operators() -> None:
    """Let the tracer follow the operators of Arrays, now or when it is loaded."""
    for path, tell in _TELLING.items():
        if (module := sys.modules.get(path)) is not None:
            tell(module)
        elif not any(getattr(finder, "path", None) == path for finder in sys.meta_path):
            sys.meta_path.insert(0, _WhenLoaded(path, tell))


def _tell_of_writes(module: ModuleType) -> None:
    """Count writes, and raise, as PyTorch does, for one to a slice with a negative step."""
    tensors, name = module.TensorVariable, "method___setitem__"
    constants: Any = importlib.import_module(f"{_VARIABLES}.constant")

    def version(self: Any, tx: Any) -> Any:
        graph = vars(tx.output).setdefault(TRACED_VERSION, next(_GRAPHS))
        return constants.ConstantVariable.create(f"{graph}.{self._get_fake_version()}")

    def memory(self: Any, tx: Any) -> Any:
        fake = self.proxy.node.meta.get("example_value")
        known = None if fake is None else str(fake.untyped_storage()._cdata)
        return constants.ConstantVariable.create(known)

    setattr(tensors, f"method_attr_{TRACED_VERSION}", version)
    setattr(tensors, f"method_attr_{TRACED_MEMORY}", memory)
    otherwise: Any = getattr(tensors, name, None)

    def write(self: Any, tx: Any, key: Any, value: Any) -> Any:
        if _is_reversed(key):
            _raise(tx, ValueError, "step must be greater than zero")
        return otherwise(self, tx, key, value)

    if otherwise is not None:
        setattr(tensors, name, write)


def _is_reversed(key: Any) -> bool:
    if not key.is_python_constant() or key.python_type() is not slice:
        return False
    step = key.as_python_constant().step
    return isinstance(step, int) and step < 0


def _tell_of_refusals(module: ModuleType) -> None:
    """Raise, as PyTorch does, for means of integers, and data types that it doesn't promote."""
    functions, name = module.TorchInGraphFunctionVariable, "call_function"
    otherwise = getattr(functions, name)

    def call(self: Any, tx: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        given = [getattr(arg, "dtype", None) for arg in args]
        dtypes = [dtype for dtype in given if isinstance(dtype, torch.dtype)]
        if self.value is torch.mean and len(args) == len(dtypes) == 1 and not kwargs:
            if not (dtypes[0].is_floating_point or dtypes[0].is_complex):
                _raise(tx, RuntimeError, "mean(): could not infer output dtype")
        elif self.value in _PROMOTING and len(dtypes) == 2:
            try:
                torch.promote_types(*dtypes)
            except RuntimeError as error:
                _raise(tx, RuntimeError, str(error))
        return otherwise(self, tx, args, kwargs)

    setattr(functions, name, call)


def _tell_of_scalars(module: ModuleType) -> None:
    """Keep the writes to 0-d tensors of float64, which PyTorch (2.13) drops in a second trace.

    For these it makes a number of the value, and traces again without it. Such a number isn't made
    here in programs of ours.
    """
    tensors: Any = importlib.import_module("torch._subclasses.fake_tensor")
    sources: Any = importlib.import_module("torch._dynamo.source")
    converter, current = tensors.FakeTensorConverter, module.InstructionTranslator.current_tx
    otherwise = converter.from_real_tensor

    def convert(self: Any, mode: Any, t: Any, *args: Any, **kwargs: Any) -> Any:
        given = kwargs.get("source")
        scalar = t.dtype is torch.float64 and t.ndim == 0 and given is not None
        if scalar and not isinstance(given, sources.FloatTensorSource):
            with suppress(AttributeError):  # outside of the tracer
                if _traces_ours(current()):
                    kwargs["source"] = sources.RandomValueSource(0)  # which gets no number
        return otherwise(self, mode, t, *args, **kwargs)

    converter.from_real_tensor = convert


def _traces_ours(tx: Any) -> bool:
    return bool(tx.output.root_tx.f_code.co_filename.startswith(_PROGRAM))


def _tell_of_axes(module: ModuleType) -> None:
    """Raise in our functions what PyTorch raises there, for an axis or an index out of bounds.

    The tracer would end with it, past the function that names the argument.
    """
    builder: Any = module
    otherwise = builder.get_fake_value

    def found(node: Any, tx: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return otherwise(node, tx, *args, **kwargs)
        except IndexError as error:
            name = tx.f_code.co_filename
            if not name.startswith((_GENERATED, _FOLDER)):
                raise
            message = str(error)
        tx.output.remove_node(node)  # it has no value
        return _raise(tx, IndexError, message)

    builder.get_fake_value = found


def _tell_of_builder(module: ModuleType) -> None:
    _tell_of_numbers(module)
    _tell_of_axes(module)


def _tell_of_numbers(module: ModuleType) -> None:
    """Take NumPy's scalars for Python's in programs of ours, as every function of ours does."""
    guards: Any = importlib.import_module("torch._dynamo.guards")
    constants: Any = importlib.import_module(f"{_VARIABLES}.constant")
    otherwise = module.VariableBuilder._wrap

    def wrap(self: Any, value: Any) -> Any:
        number = isinstance(value, np.generic) and value.dtype.kind in "biufc"
        if not number or not _traces_ours(self.tx):
            return otherwise(self, value)
        kinds = guards.GuardBuilder  # NumPy has one True and one False
        self.install_guards(kinds.ID_MATCH if value.dtype.kind == "b" else kinds.EQUALS_MATCH)
        return constants.ConstantVariable.create(value=value.item(), source=self.source)

    module.VariableBuilder._wrap = wrap


def _raise(tx: Any, kind: type[Exception], message: str) -> None:
    exceptions: Any = importlib.import_module("torch._dynamo.exc")
    exceptions.raise_observed_exception(kind, tx, args=[message])


def _tell(module: ModuleType) -> None:
    """Add what the tracer looks for, unless it has its own: a method for each operator."""
    builtins = module.BuiltinVariable
    for name, methods in _OPERATORS.items():
        if not hasattr(builtins, f"call_{name}"):
            setattr(builtins, f"call_{name}", _tracing(methods))
    compare = getattr(builtins, "_comparison_with_symnode", None)
    if compare is not None:
        builtins._comparison_with_symnode = _comparing(compare)


def _tracing(methods: Sequence[str]) -> Callable[..., Any]:
    return lambda self, tx, *operands: _traced(tx, methods, operands)


def _comparing(otherwise: Callable[..., Any]) -> Callable[..., Any]:
    def compare(self: Any, tx: Any, *operands: Any) -> Any:
        found = _traced(tx, _COMPARISONS.get(self.fn, ()), operands)
        return otherwise(self, tx, *operands) if found is None else found

    return compare


def _traced(tx: Any, methods: Sequence[str], operands: Sequence[Any]) -> Any:
    """Return the result of a method of ours; None, and the tracer goes on, if there is none."""
    for place, method in enumerate(methods):
        if not _is_ours(operands[place]):
            continue
        others = [*operands[:place], *operands[place + 1 :]]
        found = operands[place].call_method(tx, method, others, {})
        if not _is_refusal(found):
            return found
    return None


def _is_ours(operand: Any) -> bool:
    """Return True if a traced operand is a nest, or an Array: its class names its backend."""
    try:
        kind = operand.python_type()
    except NotImplementedError:  # it has no type yet
        return False
    return hasattr(kind, "__unify_backend__") or issubclass(kind, Nested)


def _is_refusal(found: Any) -> bool:
    """Return True if a method returned NotImplemented: the other operand's method is next."""
    return found.is_python_constant() and found.as_python_constant() is NotImplemented


_TELLING: Final = {
    "torch._dynamo.symbolic_convert": _tell_of_scalars,
    f"{_VARIABLES}.builtin": _tell,
    f"{_VARIABLES}.tensor": _tell_of_writes,
    f"{_VARIABLES}.torch": _tell_of_refusals,
    f"{_VARIABLES}.builder": _tell_of_builder,
}


class _WhenLoaded:
    """Finds one module as Python does, tells it once it is loaded, and is gone."""

    def __init__(self, path: str, tell: Callable[[ModuleType], None]) -> None:
        self.path = path
        self._tell = tell

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find the tracer's module, and leave all others to Python."""
        if name != self.path:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_tell(module: ModuleType) -> None:
            execute(module)
            self._tell(module)

        vars(spec.loader)["exec_module"] = execute_and_tell
        return spec
