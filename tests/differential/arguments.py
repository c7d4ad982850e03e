"""From a contract to a call: each parameter is drawn by its role, static ones by their name.

Most drawn calls are valid. Some have one fault (an axis out of bounds, a data type that the
function doesn't support, incompatible shapes), so that exceptions are compared too. They never have
two, because the order of checks is unspecified.

A new contract is covered as soon as it is declared: its arrays are drawn by their roles, its static
parameters by `static_arguments.STRATEGIES`, or by their annotation if that is `bool` or
`Literal[...]`. Other requirements of its arguments are in `constraints`.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from arrayapi_unify import dtypes
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS, Contract
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import Parameter
from arrayapi_unify.dtypes import DType
from tests.differential import constraints, indexing, static_arguments, strategies
from tests.differential.case import ArrayArg, Case
from tests.differential.outcome import resolve
from tests.differential.strategies import OMIT, Draw, Shape

Pair = tuple[DType, DType]

__all__ = ["CallBuilder", "cases", "draw_case", "legal_dtypes"]


# Sums, products and transforms of extremes overflow depending on the order of operations.
_STANDARD_STATISTICS = (
    "cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod", "std", "sum", "var",
)  # fmt: skip
_MAGNITUDES = {
    **dict.fromkeys(_STANDARD_STATISTICS, ("small", "moderate", "light")),
    "linear_algebra": ("small", "moderate"),
    "linalg": ("small", "moderate"),
    "fft": ("small", "moderate"),
}


class CallBuilder:
    """A partly drawn call: the decisions so far, and the strategies of the rest."""

    smooth = False  # True if derivatives are computed

    def __init__(self, draw: Draw, contract: Contract) -> None:
        """Decide whether the call has a fault, and in which parameter."""
        self.draw = draw
        self.contract = contract
        self.values: dict[str, Any] = {}
        faults = [p.name for p in contract.parameters if p.role is not Role.OUT]
        self.fault: str | None = (
            draw(st.sampled_from([*faults, "dtype"])) if draw(st.integers(0, 9)) == 9 else None
        )
        usual = _MAGNITUDES.get(contract.category, strategies.MAGNITUDES)
        self.magnitudes = _MAGNITUDES.get(contract.name, usual)
        self._shape: Shape | None = None
        self._dtypes: list[DType] | None = None
        self._next_dtype = 0

    # --- for strategies -------------------------------------------------------------------------

    def faulty(self, name: str) -> bool:
        """Return True if this argument has to be invalid."""
        return self.fault == name

    def one_of(self, *values: Any) -> Any:
        """Draw one of the values."""
        return self.draw(st.sampled_from(values))

    def chance(self, one_in: int) -> bool:
        """Draw True rarely."""
        return bool(self.draw(st.integers(0, one_in - 1)) == one_in - 1)

    @property
    def first(self) -> Any:
        """The values of the first drawn array, to which axes refer."""
        for leaf in itertools.chain.from_iterable(
            v if isinstance(v, list | tuple) else [v] for v in self.values.values()
        ):
            if isinstance(leaf, ArrayArg):
                return leaf.values
        return np.zeros((2, 3))

    @property
    def ndim(self) -> int:
        """The number of axes of the first array."""
        return int(self.first.ndim)

    def array(
        self, shape: Shape, dtype: DType | None = None, magnitudes: tuple[str, ...] | None = None
    ) -> ArrayArg:
        """Draw an array, by default of a legal data type and one of the magnitudes."""
        magnitude = self.one_of(*(magnitudes or self.magnitudes))
        return strategies.array(self.draw, shape, dtype or self.dtype(), magnitude)

    def hard_array(self, shape: Shape, kinds: str = "fc") -> ArrayArg:
        """Draw an array of a legal floating-point data type with NaN, infinities or subnormals."""
        legal, _ = legal_dtypes(self.contract.qualified_name)
        dtype = self.one_of(*dict.fromkeys(d for d, _ in legal if d.kind in kinds))
        return self.array(shape, dtype, ("light", "tiny"))

    def dtype(self) -> DType:
        """Draw the data type of the next array argument."""
        dtypes_ = self.pair()
        found = dtypes_[min(self._next_dtype, len(dtypes_) - 1)]
        self._next_dtype += 1
        return found

    def pair(self) -> list[DType]:
        """Draw the data types of the first two arrays, once for the call."""
        if self._dtypes is None:
            legal, others = legal_dtypes(self.contract.qualified_name)
            pairs = others if others and self.faulty("dtype") else legal
            same = tuple(pair for pair in pairs if pair[0] is pair[1])
            self._dtypes = list(self.one_of(*(same if same and self.chance(2) else pairs)))
        return self._dtypes

    def any_dtype(self, kinds: str = "buifc") -> DType:
        """Draw a data type of some kinds, independent of the function."""
        found: DType = self.one_of(*(d for d in dtypes.ALL if d.kind in kinds))
        return found

    # --- by role --------------------------------------------------------------------------------

    def shape(self) -> Shape:
        """Draw the shape of an array that broadcasts with the previous ones."""
        found: Shape
        if self._shape is None:
            found = self._shape = self.draw(strategies.shapes())
        elif self.faulty("x2"):
            found = self.draw(strategies.shapes())
        else:
            found = self.draw(strategies.broadcastable(self._shape))
        return found

    def by_role(self, parameter: Parameter) -> Any:
        """Draw an argument by the role of its parameter."""
        role = parameter.role
        if role is Role.STATIC:
            return static_arguments.draw_static(self, parameter)
        if role is Role.DTYPE:
            return self.any_dtype() if parameter.required or self.chance(2) else OMIT
        if role is Role.DEVICE:
            return "cpu" if parameter.required or self.chance(8) else OMIT
        if role is Role.KEY:
            return indexing.draw_key(self, self.first.shape)
        if role is Role.OBJECT:
            return static_arguments.draw_object(self)
        if role in (Role.SEQUENCE, Role.STAR):
            arrays = [self.array(self.shape()) for _ in range(self.one_of(1, 2, 2, 3))]
            return arrays if role is Role.SEQUENCE else tuple(arrays)
        if role is Role.OPTIONAL and not parameter.required and self.chance(2):
            return self.one_of(None, OMIT)
        if role is Role.ARRAY:
            return self.array(self.shape())
        return self._operand(parameter)

    def usual(self, *names: str) -> list[Any]:
        """Draw arguments without the constraint."""
        for parameter in self.contract.parameters:
            if parameter.name in names:
                self.values[parameter.name] = self.by_role(parameter)
        return [self.values[name] for name in names]

    def _operand(self, parameter: Parameter) -> Any:
        """Draw an array or a scalar; a call has at least one array."""
        operands = [p for p in self.contract.parameters if p.role is Role.OPERAND]
        others = [p.name for p in operands if p is not parameter and p.name in self.values]
        last = parameter is operands[-1] if operands else False
        arrays = any(isinstance(self.values[name], ArrayArg) for name in others)
        scalar = self.chance(5) and (arrays or not last or parameter.role is Role.OPTIONAL)
        if not scalar:
            return self.array(self.shape())
        magnitude = self.one_of(*self.magnitudes)
        return self.draw(strategies.python_scalars(self.dtype(), magnitude))


@functools.cache
def legal_dtypes(function: str) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Return the pairs of data types that NumPy's binding accepts in trial calls, and the others.

    Pairs are of the first two arrays; for a function of one array, both are the same. If no trial
    succeeds (the function requires other shapes, or more arguments), all count as legal.
    """
    contract = CONTRACTS[function]
    required = [p for p in contract.array_parameters if p.required and p.role is not Role.KEY]
    pairs = tuple((a, b) for a in dtypes.ALL for b in dtypes.ALL if len(required) > 1 or a is b)
    legal = tuple(p for p in pairs if _accepted(function, required, p)) or pairs
    return legal, tuple(p for p in pairs if p not in legal)


def _accepted(function: str, required: list[Parameter], pair: Pair) -> bool:
    xp = namespace_of("numpy")
    own = constraints.SHAPES.get(function)
    for shapes in (own,) if own else [[shape] * len(required) for shape in ((1, 1), (3,), ())]:
        arrays = [xp.ones(shape, dtype=pair[min(i, 1)]) for i, shape in enumerate(shapes)]
        args = [
            [a] if p.role is Role.SEQUENCE else a for a, p in zip(arrays, required, strict=True)
        ]
        try:
            with np.errstate(all="ignore"):
                resolve(xp, function)(*args)
        except Exception:
            continue
        return True
    return False


def draw_case(
    draw: Draw,
    contract: Contract,
    builder_of: Callable[[Draw, Contract], CallBuilder] = CallBuilder,
) -> Case:
    """Draw a call of a function."""
    builder = builder_of(draw, contract)
    constraint = constraints.CONSTRAINTS.get(contract.qualified_name)
    if constraint is not None:
        builder.values.update(constraint(builder))
    for parameter in contract.parameters:
        if parameter.role is not Role.OUT and parameter.name not in builder.values:
            builder.values[parameter.name] = builder.by_role(parameter)
    return _assemble(builder, contract).taken()


def _assemble(builder: CallBuilder, contract: Contract) -> Case:
    """Pass each argument by position or by keyword, as its parameter allows."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    by_position = True
    for parameter in contract.parameters:
        value = builder.values.get(parameter.name, OMIT)
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            args.extend(value)
        elif parameter.any_keyword:
            kwargs.update(value)
        elif value is OMIT:
            by_position = False
        elif by_position and (
            parameter.positional_only or not (parameter.keyword_only or builder.chance(3))
        ):
            args.append(value)
        elif not parameter.positional_only:
            by_position = False
            kwargs[parameter.name] = value
    return Case(contract.qualified_name, tuple(args), kwargs)


@functools.cache
def cases(function: str) -> st.SearchStrategy[Case]:
    """Return the strategy of the calls of a function."""

    @st.composite
    def strategy(draw: Draw) -> Case:
        return draw_case(draw, CONTRACTS[function])

    return strategy()
