"""Forms of steps, with `{a}`, another array `{b}`, and a number `{n}` in them.

The keys are the kinds of data types of `{a}`; signed and unsigned integers are one kind.
"""

from __future__ import annotations

from typing import Final

__all__ = ["EDGES", "EXACT", "JUMPING_WRITES", "JUMPS", "ROUNDING", "SMOOTH", "WRITES"]


def _forms(text: str) -> tuple[str, ...]:
    return tuple(text.split())


EXACT: Final = {
    "bif": """
        xp.flip({a}) xp.roll({a},1) xp.reshape({a},(-1,)) {a}[::-1] {a}[...,::2] {a}[1:] {a}[None]
        {a}[...,None] {a}.mT xp.squeeze({a}) xp.expand_dims({a},axis=0) xp.permute_dims({a},(1,0))
        xp.concat([{a},{b}]) xp.stack([{a},{a}]) xp.tril({a})
        xp.where(xp.ones_like({a},dtype=xp.bool),{a},{b}) xp.zeros_like({a}) xp.full_like({a},1)
        xp.zeros(3,dtype={a}.dtype) xp.tile({a},2) xp.repeat({a},2)
        xp.take({a},xp.asarray([0,0]),axis=0) {a}[xp.asarray([0,-1])] {a}[0] {a}[-1] {a}[...,0]
        xp.moveaxis({a},0,-1) xp.broadcast_to({a},(2,*{a}.shape)) {a}+{b} {a}*{b} xp.max({a})
        xp.min({a},axis=0) xp.sum({a}) xp.sum({a},axis=0) xp.sum({a},axis=-1,keepdims=True)
        xp.pad({a},1) xp.reshape({a},{a}.shape[::-1]) xp.cumulative_sum({a}) xp.unstack({a})[0]
        xp.astype({a},xp.float64)
    """,
    "if": """
        -{a} xp.abs({a}) {a}-{b} {a}*{n} {a}+{n} {n}-{a} xp.square({a}) xp.maximum({a},{b})
        xp.minimum({a},{n}) xp.diff({a}) xp.clip({a},-1,2) xp.sort({a}) xp.sort({a},axis=0)
        xp.matmul({a},{b}) {a}@{a} xp.max({a},axis=-1) xp.diagonal({a}) xp.trace({a}) xp.ptp({a})
        xp.tensordot({a},{a},axes=1) xp.linalg.diagonal({a})
        xp.cumulative_sum({a},axis=0,include_initial=True) xp.positive({a}) {a}**2
    """,
    "bi": """
        ~{a} {a}&{b} {a}|{b} {a}^{b}
    """,
    "i": """
        {a}<<1 {a}>>1
    """,
    "f": """
        {a}/2 {a}/0.5
    """,
    "b": """
        xp.where({a},{b},{b}) xp.logical_not({a}) xp.any({a}) xp.all({a},axis=0)
    """,
    "c": """
        {a}+{b} {a}-{b} -{a} {a}*{n} {a}[::-1] xp.conj({a}) xp.real({a}) xp.imag({a}) {a}.mT
        {a}.real {a}.imag xp.sum({a}) xp.sum({a},axis=0) {a}[0] {a}[1:] xp.reshape({a},(-1,)) 1j-{a}
        {a}*{b} xp.flip({a})
    """,
}
# These jump at some arguments.
JUMPS: Final = {
    "bif": """
        {a}=={b} xp.argmax({a}) xp.argmin({a},axis=-1) xp.argsort({a}) xp.count_nonzero({a})
        xp.take_along_axis({a},xp.argsort({a}),axis=-1) xp.astype({a},xp.bool)
    """,
    "if": """
        {a}<{b} {a}>={n} {a}%3 {a}//2 divmod({a},3)[0] xp.sign({a}) xp.where({a}>0,{a},{n})
        {a}>{a}[0] xp.searchsorted(xp.sort(xp.reshape({a},(-1,))),xp.reshape({b},(-1,)))
        xp.remainder({a},{b}) xp.floor_divide({a},{b}) xp.isin({a},{b})
    """,
    "f": """
        xp.floor({a}) xp.ceil({a}) xp.round({a}) xp.trunc({a}) xp.isnan({a}) xp.isfinite({a})
        xp.signbit({a}) xp.copysign({a},{b}) xp.astype({a},xp.int32) xp.astype({a},xp.int64)
        {a}%xp.inf
    """,
    "i": """
        xp.astype({a},xp.float32) xp.astype({a},xp.int8) xp.astype({a},xp.uint8)
        xp.astype({a},xp.int64)
    """,
    "c": """
        {a}=={b} xp.isfinite({a})
    """,
}
ROUNDING: Final = {
    "f": """
        xp.exp({a}) xp.sin({a}) xp.cos({a}) xp.tanh({a}) xp.atan({a}) xp.sqrt(xp.abs({a})+1)
        xp.log1p(xp.abs({a})) xp.expm1({a}) xp.hypot({a},{b}) xp.logaddexp({a},{b}) xp.mean({a})
        xp.mean({a},axis=0) xp.std({a}) xp.var({a},axis=-1) {a}/3 {a}/({b}*{b}+1)
        xp.reciprocal({a}*{a}+1) {a}/xp.sum({a}*{a}+1) xp.sigmoid({a}) xp.softmax({a})
        xp.linalg.vector_norm({a}) {a}**3 xp.prod({a}) xp.linalg.outer({a},{a}) xp.asinh({a})
        xp.cbrt({a}) xp.exp2({a}) xp.vecdot({a},{a}) xp.nanstd({a}) xp.median({a})
        xp.quantile({a},0.25) xp.erf({a}) xp.cumulative_prod({a})
    """,
    "i": """
        xp.mean({a}) {a}/3 xp.prod({a})
    """,
    "b": """
        xp.mean({a})
    """,
    "c": """
        xp.abs({a}) xp.exp({a}) {a}/3 xp.mean({a})
    """,
}
# These round, and jump beside a rounded argument.
EDGES: Final = {
    "f": """
        xp.sqrt({a}) xp.log({a}) {a}/{b} xp.atan2({a},{b}) xp.acos({a}) xp.abs({a})**0.5
        xp.log2({a})
        xp.atanh({a}) xp.acosh({a}) xp.asin({a}) {b}**{a}
    """,
    "c": """
        xp.sqrt({a}) xp.log({a}) {a}/{b} xp.angle({a})
    """,
}
SMOOTH: Final = _forms(
    """
    asinh atan cos cumulative_prod exp expm1 hypot log1p logaddexp mean outer prod reciprocal
    sigmoid sin softmax sqrt(xp.abs std tanh var vecdot vector_norm
    """
)
"""Rounding functions with derivatives everywhere but at few arguments."""

JUMPING_WRITES: Final = _forms(
    """
    {a}[{a}>0]={n} {a}[xp.argmax({a})]={n} {a}[{b}!=0]+=1
    """
)
WRITES: Final = _forms(
    """
    {a}[0]={n} {a}[1:]={a}[:-1] {a}[::-1]={n} {a}[...]={b} {a}+={n} {a}*={b} {a}-={a}
    {a}[::2]*=2 {a}[xp.asarray([0,-1])]={n} {a}[...,0]+={n} {a}.mT[0]={n} {a}[0]={b}[-1]
    {a}[:2]={b}[-2:] {a}[...]=0 {a}[xp.asarray([1,0])]={a}[:2]*2 {a}[...,-1]=xp.sum({a},axis=-1)
    xp.flip({a})[0]={n} {a}/=2 xp.reshape({a},(-1,))[0]={n} {a}.real[...]={n} {a}.imag[0]={n}
    """
)
