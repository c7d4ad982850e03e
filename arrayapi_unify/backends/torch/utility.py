"""PyTorch's implementations of the utility functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch

from arrayapi_unify.backends._common.algorithms.out import plain
from arrayapi_unify.backends._common.checks.arguments import raise_times_error
from arrayapi_unify.backends._common.checks.axes import normalize_axes, normalize_axis
from arrayapi_unify.backends._common.checks.shapes import check_joinable
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch._core import beside
from arrayapi_unify.backends.torch._out import ALIKE, reduced_by
from arrayapi_unify.backends.torch._unsigned import bits
from arrayapi_unify.backends.torch.elementwise import not_equal, subtract
from arrayapi_unify.backends.torch.manipulation import concat

Tensor = torch.Tensor

_TRUTHS: Final = {dtype: torch.bool for dtype in ALIKE if dtype is not torch.uint8}
_not_equal, _subtract, _concat = map(plain, (not_equal, subtract, concat))


def _test(name: str, reduce: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Make all or any; of uint8, PyTorch's results are uint8."""

    def test(
        x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
    ) -> Any:
        truth = x if x.dtype is torch.bool else bits(x) != 0
        if axis is None and not keepdims:
            return reduce(truth)
        axes = normalize_axes(name, axis, x.ndim)
        if not axes:
            return truth.clone()
        return reduce(truth, axes, keepdims)

    test.__name__ = test.__qualname__ = name
    return reduced_by(reduce, _TRUTHS)(test)


all = _test("all", torch.all)
any = _test("any", torch.any)


def _joinable(name: str, part: Any, x: Tensor, axis: int) -> Any:
    """Return what diff joins to x. NumPy's extension is kept: a scalar stands for one slice."""
    if not isinstance(part, Tensor):
        part = beside(part, x)
    if part.ndim:
        check_joinable(name, part.shape, x.shape, axis)
        return part
    return part.expand(*x.shape[:axis], 1, *x.shape[axis + 1 :])


def diff(
    x: Tensor,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Subtract neighbours with the namespace's own functions, which know all data types."""
    axis = normalize_axis("diff", axis, x.ndim)
    if n < 0:
        raise_times_error(n)
    parts = [x]
    if prepend is not None:
        parts.insert(0, _joinable("prepend", prepend, x, axis))
    if append is not None:
        parts.append(_joinable("append", append, x, axis))
    result = _concat(parts, axis=axis)
    compute = _not_equal if result.dtype is torch.bool else _subtract
    for _ in range(n):
        size = result.shape[axis]
        if size == 0:
            break
        result = compute(result.narrow(axis, 1, size - 1), result.narrow(axis, 0, size - 1))
    return result


def _are_floats(
    x1: Tensor, x2: Tensor, /, *, rtol: float = 0.0, atol: float = 0.0, equal_nan: bool = False
) -> bool:
    """Return True if both have one real dtype; PyTorch refuses negative tolerances."""
    return x1.is_floating_point() and x1.dtype is x2.dtype and rtol >= 0 and atol >= 0


@partial_mixed(_are_floats)
def isclose(
    x1: Tensor, x2: Tensor, /, *, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Tensor:
    """Compare as PyTorch does."""
    return torch.isclose(x1, x2, rtol, atol, bool(equal_nan))
