"""Native functions of networks around a library's kernels: activations, pooling, embeddings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from arrayapi_unify.backends._common.algorithms.convolutions import Plan, planned_pool
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends.kernel import partial_mixed

__all__ = ["Lists", "Steps"]

Shape = Sequence[Any]


def native_maxima(
    kernel: Callable[[Any, Plan], Any], shape_of: Callable[[Any], Shape], fits: Callable[..., bool]
) -> list[Callable[..., Any]]:
    """Make `max_pool1d`, `max_pool2d` and `max_pool3d`; windows with holes are left to the body."""
    return [_maximum(f"nn.max_pool{n}d", n, kernel, shape_of, fits) for n in (1, 2, 3)]


def _maximum(name: str, count: int, kernel: Any, shape_of: Any, fits: Any) -> Callable[..., Any]:
    def pool(
        x: Any, window: Any, /, *, strides: Any = None, padding: Any = "VALID", dilations: Any = 1,
        data_format: str = "channels_last",
    ) -> Any:  # fmt: skip
        shape = shape_of(x)
        plan = planned_pool(name, count, shape, window, strides, padding, dilations, data_format)
        return kernel(x, plan)

    return _described(pool, name, fits, "Pool by the library's own kernel.")


def native_averages(
    kernel: Callable[[Any, Plan, bool], Any],
    shape_of: Callable[[Any], Shape],
    fits: Callable[..., bool],
) -> list[Callable[..., Any]]:
    """Make `avg_pool1d`, `avg_pool2d` and `avg_pool3d`."""
    return [_average(f"nn.avg_pool{n}d", n, kernel, shape_of, fits) for n in (1, 2, 3)]


def _average(name: str, count: int, kernel: Any, shape_of: Any, fits: Any) -> Callable[..., Any]:
    def pool(
        x: Any, window: Any, /, *, strides: Any = None, padding: Any = "VALID",
        count_padding: bool = False, data_format: str = "channels_last",
    ) -> Any:  # fmt: skip
        plan = planned_pool(name, count, shape_of(x), window, strides, padding, 1, data_format)
        return kernel(x, plan, count_padding)

    return _described(pool, name, fits, "Pool by the library's own kernel.")


def native_embedding(
    take: Callable[..., Any], fits: Callable[[Any, Any], bool]
) -> Callable[[Any, Any], Any]:
    """Make `embedding`; `fits` says whether there are rows, and the indices are integers."""

    def embedding(weights: Any, indices: Any, /) -> Any:
        return take(weights, indices, axis=0)

    embedding.__doc__ = "Select rows, whatever the shape of the indices is."
    return partial_mixed(fits)(embedding)


def native_activations(
    kernels: Mapping[str, Callable[[Any], Any]],
    along_axes: Mapping[str, Callable[[Any, int], Any]],
    ndim_of: Callable[[Any], int],
    fits: Callable[..., bool],
) -> dict[str, Callable[..., Any]]:
    """Make activation functions by one kernel each: without parameters, or along an axis."""
    found = {name: _of_one(name, kernel, fits) for name, kernel in kernels.items()}
    return found | {n: _of_axis(n, kernel, ndim_of, fits) for n, kernel in along_axes.items()}


def _of_one(name: str, kernel: Callable[[Any], Any], fits: Any) -> Callable[..., Any]:
    def activation(x: Any, /) -> Any:
        return kernel(x)

    return _described(activation, name, fits)


def _of_axis(
    name: str, kernel: Any, ndim_of: Callable[[Any], int], fits: Any
) -> Callable[..., Any]:
    def activation(x: Any, /, *, axis: int = -1) -> Any:
        return kernel(x, normalize_axis(f"nn.{name}", axis, ndim_of(x)))

    return _described(activation, name, fits)


def _described(
    native: Callable[..., Any], name: str, fits: Any, text: str = "Compute in one kernel."
) -> Callable[..., Any]:
    native.__name__ = native.__qualname__ = name.removeprefix("nn.")
    native.__doc__ = text
    return partial_mixed(fits)(native)


Lists: TypeAlias = Sequence[Sequence[Any]]
"""The native arrays of several nests, such as weights and derivatives."""


class Steps(Protocol):
    """The steps that a library makes for lists of arrays in fewer calls than one by one."""

    STEPS: Mapping[str, Callable[..., Lists]]
    """By the names of contracts: the lists that one takes, and its options by keyword -> the lists
    that it returns, which are new arrays."""

    def fits(self, lists: Lists, scalars: Sequence[Any]) -> bool:
        """Return True if the steps take these lists, and these arrays for numbers.

        Nothing tracks or traces them.
        """
