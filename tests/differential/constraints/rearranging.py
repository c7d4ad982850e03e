"""Constraints of the functions of einops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.differential.constraints._registry import SHAPES, Arguments, constrain

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__: list[str] = []

Pattern = tuple[str, tuple[int, ...], dict[str, int]]
_REARRANGED: tuple[Pattern, ...] = (
    ("a b -> b a", (2, 3), {}), ("a b -> (b a)", (2, 3), {}), ("(a b) -> b a", (6,), {"a": 2}),
    ("a (b c) d -> c (a d) b", (2, 4, 3), {"b": 2}), ("... a -> a ...", (2, 3, 2), {}),
    ("-> 1", (), {}), ("a 1 b -> b 1 a 1", (2, 1, 3), {}), ("a b -> b a", (0, 3), {}),
)  # fmt: skip
_REDUCED: tuple[Pattern, ...] = (
    ("a b -> b", (2, 3), {}), ("a b ->", (2, 3), {}), ("(a b) c -> c a", (6, 2), {"a": 2}),
    ("... a -> ...", (2, 3, 2), {}), ("a b -> a () b", (2, 3), {}),
    ("a b c -> (c a)", (2, 1, 3), {}),
)  # fmt: skip
_REPEATED: tuple[Pattern, ...] = (
    ("a -> a b", (3,), {"b": 2}), ("a b -> (b c) a", (2, 3), {"c": 2}), ("-> a", (), {"a": 3}),
    ("... a -> (a b) ...", (2, 3), {"b": 2}), ("(a b) -> b c a", (4,), {"a": 2, "c": 2}),
    ("a -> b a", (3,), {"b": 0}),
)  # fmt: skip
SHAPES["einops_reduce"] = ((1, 1),)


def _drawn(builder: CallBuilder, *patterns: Pattern, **kwargs: Any) -> Arguments:
    pattern, shape, lengths = builder.one_of(*patterns)
    if builder.faulty("pattern"):
        pattern = builder.one_of("a b", "a -> a a", "(a -> a", "a b c d -> d e")
    if builder.faulty("x"):
        shape = (*shape, 2, 2, 2, 2)
    if builder.faulty("axes_lengths"):
        lengths = {**lengths, "a": builder.one_of(5, 2.0)}
    return {
        "x": builder.array(shape, builder.any_dtype(), **kwargs), "pattern": pattern,
        "axes_lengths": lengths,
    }  # fmt: skip


@constrain("einops_rearrange")
def _rearrange(builder: CallBuilder) -> Arguments:
    return _drawn(builder, *_REARRANGED)


@constrain("einops_repeat")
def _repeat(builder: CallBuilder) -> Arguments:
    return _drawn(builder, *_REPEATED)


@constrain("einops_reduce")
def _reduce(builder: CallBuilder) -> Arguments:
    reduction = builder.one_of("all", "any", "max", "mean", "min", "prod", "sum")
    reduction = "median" if builder.faulty("reduction") else reduction
    # Small numbers, whose products are exact; others are tested with the reductions.
    given = _drawn(builder, *_REDUCED, magnitudes=("small",))
    if given["x"].values.dtype.kind == "b" and reduction not in ("all", "any"):
        reduction = "any"
    return {**given, "reduction": reduction}
