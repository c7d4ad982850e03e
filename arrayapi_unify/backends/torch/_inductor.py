"""Inductor, with the values of PyTorch's own kernels.

Inductor has formulas of its own for a few functions, which lose digits or values on processors; it
computes some reductions of narrow integers wrongly, replaces a product with 0 by zeros, and writes
in place what another operand still reads. Here the graph is changed where that happens.
"""

from __future__ import annotations

import functools
import importlib
import logging
import math
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import torch

from arrayapi_unify.backends.torch._graph_passes import graph_pass, separate
from arrayapi_unify.backends.torch._pullback import define_products

Tensor = torch.Tensor
_aten: Final = torch.ops.aten

_CONVOLUTIONS: Final = (
    torch.conv2d, torch.conv_transpose2d, torch.ops.aten.convolution.default
)  # fmt: skip
_PERMUTATIONS: Final = ("movedim", torch.ops.aten.permute.default)

_LOGGER: Final = logging.getLogger("arrayapi_unify")
_LONG: Final = 5.0  # seconds

_BRANCHES: Final = (torch.ops.higher_order.cond, torch.ops.higher_order.while_loop)


def inductor(graph: Any, inputs: Sequence[Any]) -> Callable[..., Any]:
    """Compile a graph; if the channels of its images are the last axis, their order stays.

    Inductor's optimization of layouts has the second of four axes next to each other in memory, as
    that of the channels. Of images whose last axis they are, it would scatter rows instead.
    """
    compiler: Any = importlib.import_module("torch._inductor.compile_fx")
    last = any(
        node.target in _CONVOLUTIONS and image.target in _PERMUTATIONS
        for node in graph.graph.nodes
        for image in node.all_input_nodes[:1]
    )
    patches: dict[str, Any] = {
        "joint_custom_post_pass": graph_pass(define_products),
        "post_grad_custom_post_pass": graph_pass(separate),
        # An expression of more operations is computed once, as on other devices. With the default
        # of processors, 50, gathers of gathers are written out again and again (`interp`).
        "realize_opcount_threshold": 30,
    }
    if last:
        patches["layout_optimization"] = False
    _lift_constants(graph)
    _mend_rules()
    table = _decompositions(compiler.select_decomp_table())
    with _announced(len(graph.graph.nodes)):
        return compiler.compile_fx(graph, inputs, config_patches=patches, decompositions=table)


@contextmanager
def _announced(operations: int) -> Iterator[None]:
    """Log once that a compilation takes long, while it does."""
    message = (
        "compile: PyTorch's compiler has been at %d operations for %g s; later calls are quick"
    )
    timer = threading.Timer(_LONG, _LOGGER.warning, [message, operations, _LONG])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@functools.cache
def _mend_rules() -> None:
    """Mend inductor's rules of data types, where this version of PyTorch has them.

    They are one object, which inductor makes again in each operation. A choice has the data type of
    its values; inductor promotes them with the condition, which PyTorch refuses for wide unsigned
    integers.
    """
    rules: Any = importlib.import_module("torch._inductor.dtype_propagation")
    handler = getattr(rules, "DtypePropagationOpsHandler", None)
    if handler is not None:
        make = handler.__init__
        handler.__init__ = lambda self: None if vars(self) else make(self)
    common: Any = importlib.import_module("torch._inductor.codegen.common")
    propagation: Any = getattr(common, "DataTypePropagation", None)
    promoted = getattr(propagation, "deduce_node_dtype_by_inputs", None)
    if promoted is None:
        return

    def deduced(self: Any, node: Any) -> torch.dtype | None:
        if node.target != "where":
            return cast(torch.dtype | None, promoted(self, node))
        known = node.args[2].meta.get(common.OptimizationContext.key)
        return None if known is None else known.dtype

    propagation.deduce_node_dtype_by_inputs = deduced


def _lift_constants(module: Any) -> None:
    """Make operands of the constants in branches and loops, where inductor keeps few of them."""
    for node in list(module.graph.nodes):
        if node.target not in _BRANCHES:
            continue
        names = [x.target for x in node.all_input_nodes if x.op == "get_attr"]
        found = [getattr(module, name) for name in dict.fromkeys(names)]
        parts = [part for part in found if isinstance(part, torch.fx.GraphModule)]
        for part in parts:
            _lift_constants(part)
            for constant in list(part.graph.find_nodes(op="call_function", target=torch.tensor)):
                with module.graph.inserting_before(node):
                    made = module.graph.node_copy(constant)
                node.args = (*node.args[:-1], (*node.args[-1], made))
                given = [_parameter(each.graph, constant) for each in parts]
                constant.replace_all_uses_with(given[parts.index(part)])
                part.graph.erase_node(constant)
        for part in parts:
            part.recompile()
    module.recompile()


def _parameter(graph: Any, like: Any) -> Any:
    """Add a last parameter to a graph."""
    first = next(node for node in graph.nodes if node.op != "placeholder")
    with graph.inserting_before(first):
        made = graph.placeholder(f"{like.name}_given")
    made.meta = dict(like.meta)
    return made


# --- formulas ---------------------------------------------------------------------------------


def _is_float(x: Any) -> bool:
    """Return True for what inductor has formulas of its own: real numbers on processors."""
    return isinstance(x, Tensor) and x.is_floating_point() and x.device.type == "cpu"


def _series(x: Tensor, coefficients: Sequence[float]) -> Tensor:
    found = torch.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        found = found * x + coefficient
    return found


def _expm1(x: Tensor) -> Tensor:
    """Compute `exp(x) - 1`, near zero by its Taylor series, which keeps its digits."""
    count = 16 if x.dtype is torch.float64 else 10
    near = x * _series(x, [1 / math.factorial(i) for i in range(1, count + 1)])
    return torch.where(torch.abs(x) < 0.5, near, torch.exp(x) - 1)


def _atanh(x: Tensor) -> Tensor:
    size = torch.abs(x)
    return torch.copysign(0.5 * torch.log1p(2 * size / (1 - size)), x)


def _acosh(x: Tensor) -> Tensor:
    more = torch.where(x < 1, math.nan, x - 1)
    near = torch.log1p(more + torch.sqrt(more * (x + 1)))
    return torch.where(x > 2.0**60, torch.log(x) + math.log(2), near)


# The Taylor series of erf(x) / x in x**2, fitted to [0, 1] for float32.
_ERF: Final = (
    1.1283791670623604, -0.3761263847599105, 0.11283782622058011, -0.02686543831026047,
    0.005221053411772973, -0.0008484396538703995, 0.00011268253802050642, -9.673590531033431e-06,
)  # fmt: skip


def _erf(x: Tensor) -> Tensor:
    """Compute erf in float32, where inductor keeps the first seven places alone."""
    if x.dtype is torch.float64 or _inner.active:
        return NotImplemented
    _inner.active = True
    try:
        far = torch.erf(x)
    finally:
        _inner.active = False
    return torch.where(torch.abs(x) < 1, x * _series(x * x, _ERF), far)


class _Inner(threading.local):
    """A mark of this thread: inductor's own function is wanted."""

    active = False


_inner: Final = _Inner()


def _opposed(rest: Tensor, y: Tensor) -> Tensor:
    """Return True where the signs differ; inductor has no `!=` of bools that are constant."""
    return ((rest > 0) & (y < 0)) | ((rest < 0) & (y > 0))


def _remainder(x: Tensor, y: Tensor | float) -> Tensor:
    """Take the remainder as PyTorch's kernel does, not as `x - floor(x / y) * y`."""
    y = _beside(y, x)
    rest = torch.fmod(x, y)
    return torch.where(_opposed(rest, y), rest + y, rest)


def _floor_divide(x: Tensor, y: Tensor | float) -> Tensor:
    """Divide as PyTorch's kernel and Python do."""
    y = _beside(y, x)
    rest = torch.fmod(x, y)
    whole = torch.where(torch.isnan(rest), x / y, (x - rest) / y)
    whole = torch.where(_opposed(rest, y), whole - 1, whole)
    floor = torch.floor(whole)
    floor = torch.where(whole - floor > 0.5, floor + 1, floor)
    floor = torch.where(whole == 0, torch.copysign(torch.zeros_like(floor), x / y), floor)
    return torch.where(y == 0, x / y, floor)


def _beside(value: Tensor | float, x: Tensor) -> Tensor:
    if isinstance(value, Tensor):
        return value
    return torch.full((), value, dtype=x.dtype, device=x.device)


def _times_zero(x: Any, y: Any) -> Tensor:
    """Multiply by the float 0.0: inductor takes a product with the integer 0 for zeros."""
    number, tensor = (x, y) if isinstance(x, int) else (y, x)
    inexact = isinstance(tensor, Tensor) and (tensor.is_floating_point() or tensor.is_complex())
    zero = isinstance(number, int) and number == 0
    return torch.mul(tensor, 0.0) if zero and inexact else NotImplemented


def _abs(x: Tensor) -> Tensor:
    """Take the absolute value of narrow integers; C++ makes an int of them."""
    if x.dtype not in _NARROW:
        return NotImplemented
    return x.clone() if x.dtype is torch.uint8 else torch.where(x < 0, -x, x)


_NARROW: Final = frozenset({torch.int8, torch.uint8, torch.int16})


def _widened(op: Any, x: Tensor, *args: Any, **kwargs: Any) -> Any:
    """Reduce narrow integers as int32, and return values as what they were."""
    if x.device.type != "cpu" or x.dtype not in _NARROW | {torch.bool}:
        return NotImplemented
    found = op(x.to(torch.int32), *args, **kwargs)
    if isinstance(found, Tensor):
        return found if found.dtype is torch.int64 else found.to(x.dtype)
    values, indices = found
    return values.to(x.dtype), indices


def _products(x: Tensor, y: Tensor) -> Tensor:
    """Multiply stacks of integer matrices by vectors, in their data type: inductor's are int64."""
    alone = x.shape[-2] == 1 or y.shape[-1] == 1
    if not alone or x.dtype.is_floating_point or x.is_complex():
        return NotImplemented
    return torch.sum(x.unsqueeze(-1) * y.unsqueeze(-3), -2, dtype=x.dtype)


def _nextafter(x: Tensor, y: Tensor) -> Tensor:
    """Step by the bits of 16-bit numbers, where inductor takes the neighbour in float32."""
    if {x.dtype, y.dtype} not in ({torch.float16}, {torch.bfloat16}):
        return NotImplemented
    shape = torch.broadcast_shapes(x.shape, y.shape)  # type: ignore[no-untyped-call]  # no types
    x, y = x.expand(shape), y.expand(shape)
    bits = x.view(torch.int16)
    smallest = torch.ones_like(bits).view(x.dtype)
    stepped = torch.where((y > x) == (x > 0), bits + 1, bits - 1).view(x.dtype)
    moved = torch.where(x == 0, torch.where(y > 0, smallest, -smallest), stepped)
    unordered = torch.isnan(x) | torch.isnan(y)
    return torch.where(unordered, x + y, torch.where(x == y, y, moved))


def _pinv(
    x: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: bool = False
) -> Tensor:
    """Invert complex matrices by their SVD; PyTorch's own kernel forgets a conjugation here."""
    if hermitian or not x.is_complex():
        return NotImplemented
    u, s, vh = torch.linalg.svd(x, full_matrices=False)
    usual = max(x.shape[-2:]) * torch.finfo(s.dtype).eps
    if rtol is None:
        rtol = torch.full_like(s[..., 0], usual)
        rtol = rtol if atol is None else torch.where(atol > 0, 0.0, rtol)
    bound = rtol[..., None] * s[..., :1]
    bound = bound if atol is None else torch.maximum(bound, atol[..., None])
    weights = torch.where(s > bound, 1 / s, 0.0)
    return torch.matmul(
        torch.conj_physical(vh).mT * weights[..., None, :], torch.conj_physical(u).mT
    )


def _floats(f: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Leave complex numbers, integers and other devices to inductor."""

    def formula(x: Any, *others: Any) -> Tensor:
        both = [y for y in (x, *others) if isinstance(y, Tensor)]
        if not all(map(_is_float, both)) or len({y.dtype for y in both}) > 1:
            return NotImplemented
        return f(x, *others)

    return formula


def _floor_mode(x: Any, y: Any, *, rounding_mode: str | None = None) -> Tensor:
    return _floats(_floor_divide)(x, y) if rounding_mode == "floor" else NotImplemented


_REDUCTIONS: Final = (
    _aten.amin.default, _aten.amax.default, _aten.argmin.default, _aten.argmax.default,
    _aten.min.default, _aten.max.default, _aten.min.dim, _aten.max.dim,
)  # fmt: skip
_OWN: Final[dict[Any, Callable[..., Any]]] = {
    _aten.expm1.default: _floats(_expm1),
    _aten.atanh.default: _floats(_atanh),
    _aten.acosh.default: _floats(_acosh),
    _aten.erf.default: _floats(_erf),
    _aten.remainder.Tensor: _floats(_remainder),
    _aten.remainder.Scalar: _floats(_remainder),
    _aten.floor_divide.default: _floats(_floor_divide),
    _aten.div.Tensor_mode: _floor_mode,
    _aten.div.Scalar_mode: _floor_mode,
    _aten.mul.Tensor: _times_zero,
    _aten.mul.Scalar: _times_zero,
    _aten.abs.default: _abs,
    _aten.nextafter.default: _nextafter,
    _aten.bmm.default: _products,
    _aten.linalg_pinv.atol_rtol_tensor: _pinv,
    # Inductor's own have no bounds as bools, so that `&` of constants isn't compiled.
    _aten.isnan.default: _floats(lambda x: torch.ne(x, x)),
    _aten.isinf.default: _floats(lambda x: torch.eq(torch.abs(x), math.inf)),
    **{op: functools.partial(_widened, op) for op in _REDUCTIONS},
}


def _decompositions(known: Mapping[Any, Callable[..., Any]]) -> dict[Any, Callable[..., Any]]:
    """Return inductor's decompositions with our formulas before them."""

    def first(op: Any, own: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            found = own(*args, **kwargs)
            if found is NotImplemented and op in known:
                return known[op](*args, **kwargs)
            return found

        return call

    table = {**known, **{op: first(op, own) for op, own in _OWN.items()}}
    # Of complex numbers alone: refuses results whose last axis isn't the innermost, and has no -0.
    table.pop(_aten.add.Tensor, None)
    return table
