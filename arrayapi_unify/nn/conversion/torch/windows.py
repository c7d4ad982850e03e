"""Conversion of convolutions, poolings and `Upsample` between `torch.nn` and ours."""

from __future__ import annotations

from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.nn import Module, Upsample
from arrayapi_unify.nn.conversion.torch.parts import (
    From,
    To,
    even,
    only,
    own,
    put,
    refuse,
    take,
    wrapped,
)
from arrayapi_unify.nn.layers import convolutional, pooling

__all__ = ["FROM", "TO"]


def _classes(theirs: str, ours: str, module: Any) -> dict[str, Any]:
    """Return our classes for one to three spatial axes by the names of PyTorch's."""
    return {f"{theirs}{n}d": getattr(module, ours.format(n)) for n in (1, 2, 3)}


_CONVOLUTIONS: Final = _classes("Conv", "Conv{}D", convolutional)
_TRANSPOSED: Final = _classes("ConvTranspose", "Conv{}DTranspose", convolutional)
_WINDOWS: Final = {
    **_classes("MaxPool", "MaxPool{}D", pooling), **_classes("AvgPool", "AvgPool{}D", pooling),
}  # fmt: skip
_ADAPTIVE: Final = {
    **_classes("AdaptiveAvgPool", "AdaptiveAvgPool{}D", pooling),
    **_classes("AdaptiveMaxPool", "AdaptiveMaxPool{}D", pooling),
}  # fmt: skip
# Modes of `interpolate`, with their numbers of spatial axes in PyTorch.
_MODES: Final[dict[str, tuple[Any, int | None]]] = {
    "nearest": ("nearest", None), "linear": ("linear", 1), "bilinear": ("linear", 2),
    "trilinear": ("linear", 3), "bicubic": ("cubic", 2),
}  # fmt: skip


def _pairs(padding: Any) -> Any:
    """Return PyTorch's paddings as ours."""
    if isinstance(padding, str):
        return padding.upper()
    return padding if isinstance(padding, int) else tuple((p, p) for p in padding)


def _from_conv(theirs: Any, key: Array) -> Module:
    only(theirs, padding_mode="zeros")
    name = type(theirs).__name__
    options: dict[str, Any] = {
        "strides": theirs.stride, "padding": _pairs(theirs.padding), "dilations": theirs.dilation,
        "groups": theirs.groups, "data_format": "channels_first",
    }  # fmt: skip
    # The channels of a layer's filters come last, in the same order for a transposed one.
    channels, make = (-1, -2), _CONVOLUTIONS.get(name)
    if make is None:
        channels, make = (-2, -1), _TRANSPOSED[name]
        options["output_padding"] = theirs.output_padding
    made: Module = make(
        theirs.in_channels, theirs.out_channels, theirs.kernel_size, bias=False, key=key, **options
    )
    filters = theirs.weight.movedim((0, 1), channels).contiguous()
    return take(made, w=filters, b=theirs.bias)


def _from_window(theirs: Any, key: Array) -> Module:
    name, options = type(theirs).__name__, dict[str, Any]()
    only(theirs, ceil_mode=False)
    if name.startswith("Max"):
        only(theirs, return_indices=False)
        options["dilations"] = theirs.dilation
    else:
        if getattr(theirs, "divisor_override", None) is not None:
            refuse(theirs, "divisor_override", theirs.divisor_override)
        options["count_padding"] = theirs.count_include_pad
    return _WINDOWS[name](
        theirs.kernel_size, strides=theirs.stride, padding=_pairs(theirs.padding),
        data_format="channels_first", **options,
    )  # fmt: skip


def _from_adaptive(theirs: Any, key: Array) -> Module:
    sizes = theirs.output_size
    if sizes is None or (isinstance(sizes, tuple) and None in sizes):
        refuse(theirs, "output_size", sizes)
    if getattr(theirs, "return_indices", False):
        refuse(theirs, "return_indices", True)
    return _ADAPTIVE[type(theirs).__name__](sizes, data_format="channels_first")


def _from_upsample(theirs: Any, key: Array) -> Module:
    only(theirs, size=None)
    if theirs.align_corners:
        refuse(theirs, "align_corners", True)
    given = theirs.scale_factor
    factors = given if isinstance(given, tuple) else (given,)
    if any(factor != int(factor) for factor in factors):
        refuse(theirs, "scale_factor", given)
    if theirs.mode not in _MODES:
        refuse(theirs, "mode", theirs.mode)
    mode, axes = _MODES[theirs.mode]
    whole = tuple(map(int, factors))
    # Modes that PyTorch has for one number of axes get as many factors.
    factor = whole if isinstance(given, tuple) else whole * axes if axes else whole[0]
    return Upsample(factor, mode=mode, data_format="channels_first")


def _to_conv(nn: Any, ours: Any, known: Any) -> Any:
    if ours.data_format != "channels_first":
        return wrapped(ours)
    transposed = "output_padding" in ours._options
    padding = _lower(ours.padding, ours._axes)
    strided = transposed or ours.strides not in (1, (1,) * ours._axes)
    if padding is None or (padding == "same" and strided):
        return wrapped(ours)
    options: dict[str, Any] = {
        "stride": ours.strides, "padding": 0 if padding == "valid" else padding,
        "dilation": ours.dilations, "groups": ours.groups, "bias": "b" in ours._state.variables,
    }  # fmt: skip
    channels, name = (-1, -2), "Conv"
    if transposed:
        channels, name = (-2, -1), "ConvTranspose"
        options["output_padding"] = ours.output_padding
    made = getattr(nn, f"{name}{ours._axes}d")(
        ours.in_channels, ours.out_channels, ours.kernel_size, **options
    )
    filters = own(ours, "w").movedim(channels, (0, 1)).contiguous()
    return put(made, weight=filters, bias=own(ours, "b"))


def _lower(padding: Any, axes: int) -> Any:
    """Return a name in lower case or symmetric paddings, or None."""
    return padding.lower() if isinstance(padding, str) else even(padding, axes)


def _to_window(nn: Any, ours: Any, known: Any) -> Any:
    padding = _lower(ours.padding, ours._axes)
    padding = 0 if padding == "valid" else padding
    if ours.data_format != "channels_first" or padding is None or padding == "same":
        return wrapped(ours)
    wide = (padding,) * ours._axes if isinstance(padding, int) else padding
    if any(2 * p > size for p, size in zip(wide, ours.kernel_size, strict=True)):
        return wrapped(ours)
    largest = "dilations" in ours._options
    options = {"dilation": ours.dilations} if largest else {"count_include_pad": ours.count_padding}
    name = f"{'Max' if largest else 'Avg'}Pool{ours._axes}d"
    return getattr(nn, name)(ours.kernel_size, ours.strides, padding, **options)


def _to_adaptive(nn: Any, ours: Any, known: Any) -> Any:
    if ours.data_format != "channels_first":
        return wrapped(ours)
    return getattr(nn, f"{type(ours).__name__[:-1]}d")(ours.output_size)


def _to_upsample(nn: Any, ours: Any, known: Any) -> Any:
    single = isinstance(ours.factor, int)
    axes = None if single or ours.mode == "nearest" else len(ours.factor)
    found = [theirs for theirs, mode in _MODES.items() if mode == (ours.mode, axes)]
    if ours.data_format != "channels_first" or not found:
        return wrapped(ours)
    return nn.Upsample(scale_factor=ours.factor, mode=found[0])


FROM: Final[From] = {
    **dict.fromkeys([*_CONVOLUTIONS, *_TRANSPOSED], _from_conv),
    **dict.fromkeys(_WINDOWS, _from_window), **dict.fromkeys(_ADAPTIVE, _from_adaptive),
    "Upsample": _from_upsample,
}  # fmt: skip
TO: Final[To] = {
    **dict.fromkeys([*_CONVOLUTIONS.values(), *_TRANSPOSED.values()], _to_conv),
    **dict.fromkeys(_WINDOWS.values(), _to_window),
    **dict.fromkeys(_ADAPTIVE.values(), _to_adaptive), Upsample: _to_upsample,
}  # fmt: skip
