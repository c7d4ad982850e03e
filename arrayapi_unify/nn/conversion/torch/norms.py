"""Conversion of normalizations between `torch.nn` and ours."""

from __future__ import annotations

from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.nn import BatchNorm, GroupNorm, InstanceNorm, LayerNorm, Module, RMSNorm
from arrayapi_unify.nn.conversion.torch.parts import (
    From,
    To,
    only,
    own,
    put,
    refuse,
    take,
    tensor,
    values,
    wrapped,
)

__all__ = ["FROM", "TO"]


def _from_layer_norm(theirs: Any, key: Array) -> Module:
    made = LayerNorm(theirs.normalized_shape, eps=theirs.eps, affine=False, key=key)
    return take(made, scale=theirs.weight, offset=theirs.bias)


def _from_rms_norm(theirs: Any, key: Array) -> Module:
    made = RMSNorm(theirs.normalized_shape, eps=theirs.eps, affine=False, key=key)
    return take(made, scale=theirs.weight)


def _from_group_norm(theirs: Any, key: Array) -> Module:
    made = GroupNorm(
        theirs.num_groups, theirs.num_channels, axis=1, eps=theirs.eps, affine=False, key=key
    )
    return take(made, scale=theirs.weight, offset=theirs.bias)


def _from_instance_norm(theirs: Any, key: Array) -> Module:
    only(theirs, track_running_stats=False)
    made = InstanceNorm(theirs.num_features, axis=1, eps=theirs.eps, key=key)
    return take(made, scale=theirs.weight, offset=theirs.bias)


def _from_batch_norm(theirs: Any, key: Array) -> Module:
    only(theirs, track_running_stats=True)
    if theirs.momentum is None:
        refuse(theirs, "momentum", None)
    made = BatchNorm(
        theirs.num_features, axis=1, momentum=theirs.momentum, eps=theirs.eps, affine=False, key=key
    )
    for name in ("running_mean", "running_var"):
        made._declare_buffer(name, values(getattr(theirs, name)))
    return take(made, scale=theirs.weight, offset=theirs.bias)


def _to_layer_norm(nn: Any, ours: Any, known: Any) -> Any:
    made = nn.LayerNorm(ours.normalized_shape, eps=ours.eps)
    return put(made, weight=own(ours, "scale"), bias=own(ours, "offset"))


def _to_rms_norm(nn: Any, ours: Any, known: Any) -> Any:
    weight = own(ours, "scale")
    made = nn.RMSNorm(ours.normalized_shape, eps=ours.eps, elementwise_affine=weight is not None)
    return put(made, weight=weight)


def _to_group_norm(nn: Any, ours: Any, known: Any) -> Any:
    if ours.axis != 1:
        return wrapped(ours)
    # Groups of one channel: the instance norms of PyTorch are made for one number of axes.
    groups = ours.features if isinstance(ours, InstanceNorm) else ours.num_groups
    weight, bias = own(ours, "scale"), own(ours, "offset")
    made = nn.GroupNorm(groups, ours.features, ours.eps, affine=weight is not None)
    return put(made, weight=weight, bias=bias)


def _to_batch_norm(nn: Any, ours: Any, known: Any) -> Any:
    # The three classes differ in the number of axes; the second axis has the channels.
    if ours.axis != 1:
        return wrapped(ours)
    made = nn.modules.batchnorm._BatchNorm(ours.features, ours.eps, ours.momentum)
    made._check_input_dim = lambda x: None
    for name in ("running_mean", "running_var"):
        setattr(made, name, tensor(ours._state.buffers[name].read()))
    return put(made, weight=own(ours, "scale"), bias=own(ours, "offset"))


FROM: Final[From] = {
    "LayerNorm": _from_layer_norm, "RMSNorm": _from_rms_norm, "GroupNorm": _from_group_norm,
    **{f"InstanceNorm{axes}d": _from_instance_norm for axes in (1, 2, 3)},
    **{f"BatchNorm{axes}d": _from_batch_norm for axes in (1, 2, 3)},
    "_BatchNorm": _from_batch_norm,  # the base class, which `to_torch` makes
}  # fmt: skip
TO: Final[To] = {
    LayerNorm: _to_layer_norm, RMSNorm: _to_rms_norm, GroupNorm: _to_group_norm,
    InstanceNorm: _to_group_norm, BatchNorm: _to_batch_norm,
}  # fmt: skip
