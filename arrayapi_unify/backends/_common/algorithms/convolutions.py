"""Convolutions: what a call means, in numbers, and the native functions around a library's kernel.

Everything here works on shapes, so that it serves every backend and traces. A size that tf.function
doesn't know is None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from arrayapi_unify.backends._common.checks.axes import whole
from arrayapi_unify.backends._common.checks.sizes import MANY, check_held
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.errors import raise_value_error

Shape = Sequence[Any]
Pads = tuple[tuple[int, int], ...]
Compute = Callable[[Any, Any, Any, "Plan"], Any]


class Plan(NamedTuple):
    """A convolution, or pooling, in numbers: one for each spatial axis, unless said otherwise.

    The pads of a transposed convolution are what its result lacks at the two ends of an axis.
    Zeros are added at an end where the number is negative.
    """

    window: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    pads: Pads
    sizes: tuple[Any, ...]  # the sizes of the result
    groups: int
    first: bool  # True if the channels are the axis after the batch; else the last one
    same: bool  # True if the padding is the word "SAME"

    @property
    def spans(self) -> tuple[int, ...]:
        """The number of elements that the window spans along each axis."""
        return spread(self.window, self.dilations)


def spread(window: Sequence[int], dilations: Sequence[int]) -> tuple[int, ...]:
    """Return how many elements a window spans along each axis."""
    return tuple([d * (k - 1) + 1 for k, d in zip(window, dilations, strict=True)])


def positions(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all positions within sizes in order, as `numpy.ndindex` does."""
    if not sizes:
        yield ()
        return
    for i in range(sizes[0]):
        for rest in positions(sizes[1:]):
            yield (i, *rest)


# --- the arguments ----------------------------------------------------------------------------


def channels_axis_first(function: str, data_format: str) -> bool:
    """Return whether the channels stand before the spatial axes."""
    if data_format not in ("channels_last", "channels_first"):
        raise_value_error(
            function, "data_format", f"is {data_format!r}",
            "pass 'channels_last' or 'channels_first'",
        )  # fmt: skip
    return data_format == "channels_first"


def one_for_each(
    function: str, argument: str, given: Any, count: int, least: int = 1
) -> tuple[int, ...]:
    """Return an integer for each spatial axis: of one for all, or of as many."""
    listed = isinstance(given, list | tuple)
    found = tuple([whole(function, argument, v) for v in (given if listed else [given])])
    if len(found) == 1:
        found *= count
    if len(found) != count or min(found) < least:
        raise_value_error(
            function, argument, f"is {given}",
            f"pass an integer of {least} or more, or {count} of them",
        )  # fmt: skip
    return found


def pairs(function: str, padding: Any, count: int) -> Pads:
    """Return how much is added before and after each spatial axis."""
    if isinstance(padding, str) or padding is None:
        raise_value_error(
            function, "padding", f"is {padding!r}",
            "pass 'SAME', 'VALID', an integer, or an integer or a pair for each axis",
        )  # fmt: skip
    parts = list(padding) if isinstance(padding, list | tuple) else [padding] * count
    if len(parts) == 1:
        parts *= count
    found: list[tuple[int, int]] = []
    for part in parts:
        ends = list(part) if isinstance(part, list | tuple) else [part, part]
        low, high = (whole(function, "padding", v) for v in (ends * 2)[:2])
        if len(ends) > 2 or low < 0 or high < 0:
            found = []
            break
        found.append((low, high))
    if len(found) != count:
        raise_value_error(
            function, "padding", f"is {padding}",
            f"pass an integer, or for each of the {count} axes an integer or a pair, none negative",
        )  # fmt: skip
    _check_pads(function, padding, found)
    return tuple(found)


def _check_pads(function: str, padding: Any, pads: Sequence[tuple[int, int]]) -> None:
    """Raise for what pads an array to a size that can't be held; libraries may end the process."""
    if any(sum(pair) > MANY for pair in pads):
        check_held(function, "padding", padding, math.prod(a + b or 1 for a, b in pads))


def same_pads(sizes: Shape, spans: Sequence[int], strides: Sequence[int]) -> Pads:
    """Return the padding after which each stride-th element has a result; the end gets more."""
    found: list[tuple[int, int]] = []
    for size, span, stride in zip(sizes, spans, strides, strict=True):
        whole_steps = size is None or size % stride == 0
        total = max(span - (stride if whole_steps else size % stride), 0)
        found.append((total // 2, total - total // 2))
    return tuple(found)


def _apart(function: str, x: Shape, filters: Shape, count: int, first: bool) -> tuple[Any, Any]:
    """Return the spatial sizes and the number of channels of x."""
    for name, shape in (("x", x), ("filters", filters)):
        if len(shape) != count + 2:
            raise_value_error(
                function, name, f"has shape {tuple(shape)}", f"pass an array of {count + 2} axes"
            )
    spatial, channels = (tuple(x[2:]), x[1]) if first else (tuple(x[1:-1]), x[-1])
    for name, sizes in (("x", (*spatial, channels)), ("filters", filters)):
        if 0 in sizes:
            raise_value_error(function, name, "has an axis of size 0", "let the batch alone be 0")
    return spatial, channels


def _check_channels(
    function: str, channels: Any, taken: int, filters: Shape, results: int, bias: Any, groups: int
) -> None:
    """Check that channels, groups, filters and bias fit together."""
    if groups < 1 or (channels is not None and channels != taken) or filters[-1] % groups:
        raise_value_error(
            function, "filters",
            f"has shape {tuple(filters)}, with {channels} channels of x and groups={groups}",
            "let the last axes be the channels that go in and those that come out; of several "
            "groups the one that a group doesn't share is divided by their number",
        )  # fmt: skip
    if bias is not None and tuple(bias) != (results,):
        raise_value_error(
            function, "bias", f"has shape {tuple(bias)}", f"pass one of shape {(results,)}"
        )


def _groups(function: str, groups: Any) -> int:
    return one_for_each(function, "groups", groups, 1)[0]


def _strides(function: str, strides: Any, count: int) -> tuple[int, ...]:
    """Return a stride for each axis, in 32 bits, as libraries have them: longer ones lead out."""
    return tuple([min(s, 2**31 - 1) for s in one_for_each(function, "strides", strides, count)])


def planned(
    function: str, count: int, shapes: tuple[Shape, Shape, Any], strides: Any, padding: Any,
    dilations: Any, groups: Any, data_format: str,
) -> Plan:  # fmt: skip
    """Work out a convolution; refuse what doesn't fit. The shapes are of x, filters and bias."""
    x, filters, bias = shapes
    first, groups = channels_axis_first(function, data_format), _groups(function, groups)
    spatial, channels = _apart(function, x, filters, count, first)
    taken = filters[-2] * groups
    _check_channels(function, channels, taken, filters, filters[-1], bias, groups)
    window = tuple(filters[:count])
    strides = _strides(function, strides, count)
    dilations = one_for_each(function, "dilations", dilations, count)
    spans, same = spread(window, dilations), padding == "SAME"
    if same:
        pads = same_pads(spatial, spans, strides)
    else:
        pads = ((0, 0),) * count if padding == "VALID" else pairs(function, padding, count)
    sizes = _window_counts(function, "filters", spatial, spans, strides, pads)
    return Plan(window, strides, dilations, pads, sizes, groups, first, same)


def planned_transpose(
    function: str, count: int, shapes: tuple[Shape, Shape, Any], strides: Any, padding: Any,
    output_padding: Any, dilations: Any, groups: Any, data_format: str,
) -> Plan:  # fmt: skip
    """Work out a transposed convolution; refuse what doesn't fit."""
    x, filters, bias = shapes
    first, groups = channels_axis_first(function, data_format), _groups(function, groups)
    spatial, channels = _apart(function, x, filters, count, first)
    results = filters[-1] * groups
    given = (*filters[:-2], filters[-1], filters[-2])
    _check_channels(function, channels, filters[-2], given, results, bias, groups)
    window = tuple(filters[:count])
    strides = one_for_each(function, "strides", strides, count)
    dilations = one_for_each(function, "dilations", dilations, count)
    extra = one_for_each(function, "output_padding", output_padding, count, least=0)
    spans, same = spread(window, dilations), padding == "SAME"
    if same:
        # A convolution with these strides has the same padding.
        pads = tuple(
            (max(k - s, 0) // 2, k - s - max(k - s, 0) // 2)
            for k, s in zip(spans, strides, strict=True)
        )
    else:
        pads = ((0, 0),) * count if padding == "VALID" else pairs(function, padding, count)
    pads = tuple((low, high - more) for (low, high), more in zip(pads, extra, strict=True))
    sizes = tuple(
        None if size is None else (size - 1) * stride + span - low - high
        for size, span, stride, (low, high) in zip(spatial, spans, strides, pads, strict=True)
    )
    if any(size is not None and size < 1 for size in sizes):
        raise_value_error(
            function, "padding", f"is {padding}, which leaves sizes {sizes}", "use less"
        )
    known = [size for size in sizes if size is not None]
    if any(size > MANY for size in known):
        check_held(function, "strides", strides, math.prod(known))
    same = same and not any(extra)
    return Plan(window, strides, dilations, pads, sizes, groups, first, same)


def planned_pool(
    function: str, count: int, shape: Shape, window: Any, strides: Any, padding: Any,
    dilations: Any, data_format: str,
) -> Plan:  # fmt: skip
    """Work out what windows are taken of an array, each channel for itself."""
    window = one_for_each(function, "window", window, count)
    strides = window if strides is None else _strides(function, strides, count)
    first = channels_axis_first(function, data_format)
    spatial, _ = _apart(function, shape, (*window, 1, 1), count, first)
    dilations = one_for_each(function, "dilations", dilations, count)
    spans, same = spread(window, dilations), padding == "SAME"
    if same:
        pads = same_pads(spatial, spans, strides)
    else:
        pads = ((0, 0),) * count if padding == "VALID" else pairs(function, padding, count)
    if any(max(ends) >= span for ends, span in zip(pads, spans, strict=True)):
        raise_value_error(
            function, "padding", f"is {padding}, with windows of {spans} elements",
            "pad with less than a window",
        )  # fmt: skip
    sizes = _window_counts(function, "window", spatial, spans, strides, pads)
    return Plan(window, strides, dilations, pads, sizes, 1, first, same)


def _window_counts(
    function: str, argument: str, spatial: Shape, spans: Shape, strides: Shape, pads: Pads
) -> tuple[Any, ...]:
    """Return how many windows there are along each axis; refuse those that are too large."""
    found = []
    for size, span, stride, (low, high) in zip(spatial, spans, strides, pads, strict=True):
        if size is not None and size + low + high < span:
            raise_value_error(
                function, argument, f"spans {spans} elements of spatial axes of sizes {spatial}",
                "pad x, or take less",
            )  # fmt: skip
        found.append(None if size is None else (size + low + high - span) // stride + 1)
    return tuple(found)


# --- native functions -------------------------------------------------------------------------


def _shapes(shape_of: Callable[[Any], Shape], x: Any, filters: Any, bias: Any) -> Any:
    return shape_of(x), shape_of(filters), None if bias is None else shape_of(bias)


def native_convolutions(
    kernel: Compute, shape_of: Callable[[Any], Shape], fits: Callable[..., bool]
) -> Iterator[Callable[..., Any]]:
    """Make `conv1d`, `conv2d` and `conv3d` of a library's kernel; `fits` says what it takes."""
    for count in (1, 2, 3):
        yield _convolution(f"nn.conv{count}d", count, kernel, shape_of, fits)


def _convolution(
    name: str, count: int, kernel: Compute, shape_of: Callable[[Any], Shape], fits: Any
) -> Callable[..., Any]:
    def convolve(
        x: Any, filters: Any, /, *, bias: Any = None, strides: Any = 1, padding: Any = "VALID",
        dilations: Any = 1, groups: int = 1, data_format: str = "channels_last",
    ) -> Any:  # fmt: skip
        shapes = _shapes(shape_of, x, filters, bias)
        plan = planned(name, count, shapes, strides, padding, dilations, groups, data_format)
        return kernel(x, filters, bias, plan)

    return _finished(convolve, name, fits)


def native_transposes(
    kernel: Compute, shape_of: Callable[[Any], Shape], fits: Callable[..., bool]
) -> Iterator[Callable[..., Any]]:
    """Make the three transposed convolutions of a library's kernel."""
    for count in (1, 2, 3):
        yield _transpose(f"nn.conv{count}d_transpose", count, kernel, shape_of, fits)


def _transpose(
    name: str, count: int, kernel: Compute, shape_of: Callable[[Any], Shape], fits: Any
) -> Callable[..., Any]:
    def convolve(
        x: Any, filters: Any, /, *, bias: Any = None, strides: Any = 1, padding: Any = "VALID",
        output_padding: Any = 0, dilations: Any = 1, groups: int = 1,
        data_format: str = "channels_last",
    ) -> Any:  # fmt: skip
        plan = planned_transpose(
            name, count, _shapes(shape_of, x, filters, bias), strides, padding, output_padding,
            dilations, groups, data_format,
        )  # fmt: skip
        return kernel(x, filters, bias, plan)

    return _finished(convolve, name, fits)


def _finished(native: Callable[..., Any], name: str, fits: Any) -> Callable[..., Any]:
    native.__name__ = native.__qualname__ = name.removeprefix("nn.")
    native.__doc__ = "Compute by the library's own kernel."
    return partial_mixed(fits)(native)
