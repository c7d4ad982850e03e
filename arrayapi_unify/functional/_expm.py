"""The body of linalg.expm: the Padé approximation of a scaled matrix, which is squared again.

The steps are those of Al-Mohy and Higham, "A New Scaling and Squaring Algorithm for the Matrix
Exponential", SIAM J. Matrix Anal. Appl. 31(3), 2009, always with degree 13. Everything that is
chosen by values is a constant to derivatives, and a mask or a count to a trace.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.checks.linalg import check_matrix
from arrayapi_unify.functional._common import BodyArray, floating, is_compiling, known, unchecked
from arrayapi_unify.functional._control import looped, lowers_control_flow

__all__ = ["expm"]

_DEGREE: Final = 13
_SMALL: Final = 8
# The largest size of powers for which the approximation has a backward error below 2**-53.
_THETA: Final = 4.25
# Numerator of the approximation: that of the power k, with 1 for the highest one.
_PADE: Final = [
    float(math.comb(13, k) * math.factorial(26 - k) // math.factorial(13)) for k in range(14)
]
# log2 of the first coefficient of the relative backward error, in units of 2**-53.
_LEADING: Final = 53 + math.log2(math.factorial(13) ** 2) - math.log2(
    math.factorial(26) * math.factorial(27)
)  # fmt: skip
# A matrix that needs more is larger than 2**64: its condition leaves no digit of the result.
_SQUARINGS: Final = 64
# A chain of badly scaled elements takes about 4 sweeps for each row, others 6.
_SWEEPS: Final = 100
_SWEEPS_UNROLLED: Final = 8
# Exponents beyond these would overflow where two are subtracted.
_LARGEST: Final = 500


def expm(x: BodyArray) -> Array:
    """Return the exponential, computed in double precision and rounded once."""
    check_matrix("linalg.expm", x.shape, square=True)
    xp, x = x.__array_namespace__(), floating(x)
    if 0 in x.shape:
        return xp.astype(x, x.dtype)
    wide = x.astype(xp.complex128 if x.dtype.kind == "c" else xp.float64, copy=False)
    found = xp.exp(wide) if x.shape[-1] == 1 else _exponential(xp, wide)
    return xp.astype(found, x.dtype, copy=False)


class _Form(NamedTuple):
    """The triangles that hold zeros only, and where infinities are, as masks of each matrix."""

    finite: Array
    diagonal: Array
    lower: Array  # and not diagonal
    triangular: Array

    @property
    def special(self) -> Array:
        """The 0-d truth that a matrix needs more than the general steps."""
        xp = self.finite.__array_namespace__()
        return xp.any(xp.logical_or(self.triangular, xp.logical_not(self.finite)))


def _form(xp: Any, x: Array) -> _Form:
    def used(part: Array) -> Array:
        return xp.any(part != 0, axis=(-2, -1), keepdims=True)

    below, above = used(xp.tril(x, k=-1)), used(xp.triu(x, k=1))
    return _Form(
        xp.all(xp.isfinite(x), axis=(-2, -1), keepdims=True),
        xp.logical_not(xp.logical_or(below, above)),
        xp.logical_and(below, xp.logical_not(above)),
        xp.logical_not(xp.logical_and(below, above)),
    )


def _exponential(xp: Any, x: Array) -> Array:
    """Return the exponential of matrices in double precision."""
    fixed = xp.stop_gradient(x)
    if (halvings := _halvings(fixed)) is not None:
        unit = xp.eye(x.shape[-1], dtype=x.dtype, device=x.device)
        under, odd = _fraction(xp, x * 0.5 if halvings else x, unit)
        found = unit + 2 * xp.linalg.solve(under, odd)
        return xp.matmul(found, found) if halvings else found
    form = _form(xp, fixed)
    if known(form.special) is False:
        return _of_triangular(xp, x, None)
    a = xp.where(form.finite, x, 0)
    a = xp.where(form.lower, xp.matrix_transpose(a), a)
    found = _of_triangular(xp, a, form, xp.linalg.diagonal(fixed))
    found = xp.where(form.lower, xp.matrix_transpose(found), found)
    rows = xp.arange(x.shape[-1], device=x.device)
    # A triangle of zeros remains one, as in SciPy.
    apart = xp.where(form.lower, rows[:, None] < rows, rows[:, None] > rows)
    zero = xp.zeros_like(xp.stop_gradient(found))
    missing = xp.where(xp.logical_and(form.triangular, apart), zero, math.nan)
    return xp.where(xp.logical_or(form.finite, form.diagonal), found, missing)


def _halvings(x: Array) -> int | None:
    """Return how often to halve a small matrix that needs nothing else, 0 or 1; None for others.

    Python reads 16 numbers in less time than 60 calls of the library take.
    """
    rows = known(x, "tolist") if x.ndim == 2 and x.shape[-1] <= _SMALL else None
    if rows is None:
        return None
    sizes = [[abs(v) for v in row] for row in rows]
    columns = list(map(sum, zip(*sizes, strict=True)))
    largest, indices = max(columns), range(len(rows))
    if not largest <= 2 * _THETA:
        return None
    for i in indices:  # rows and columns are alike, and no triangle holds zeros only
        across, down = sum(sizes[i]) - sizes[i][i], columns[i] - sizes[i][i]
        if across == 0 or down == 0 or not 1 / 16 <= across / down <= 16:
            return None
    mean = sum(rows[i][i] for i in indices) / len(rows)
    less = max(columns[i] - sizes[i][i] + abs(rows[i][i] - mean) for i in indices)
    return int(largest > _THETA) if 2 * less > largest else None


def _of_triangular(xp: Any, a: Array, form: _Form | None, diagonal: Any = None) -> Array:
    """Return the exponential of finite matrices, of which none is lower triangular."""
    powers = _balancing(xp, xp.stop_gradient(a))
    if powers is not None:
        change = powers[..., None, :] - powers[..., :, None]
        a = a * xp.exp2(change)
    band = None if form is None else _Band(xp, xp.stop_gradient(a), diagonal, form)
    found = _of_balanced(xp, a, band)
    return found if powers is None else found * xp.exp2(-change)


def _of_balanced(xp: Any, a: Array, band: _Band | None) -> Array:
    """Return the exponential; exp(a) is exp(m) exp(a - m) for a number m, which may be smaller."""
    fixed = xp.stop_gradient(a)
    unit = xp.eye(a.shape[-1], dtype=a.dtype, device=a.device)
    mean = xp.mean(xp.linalg.diagonal(fixed), axis=-1)[..., None, None]
    size, less = _norm(xp, fixed), _norm(xp, fixed - mean * unit)
    # If a norm is about the same, the shift costs a rounding error and saves nothing.
    shifted = 2 * less <= size
    shifts = known(xp.any(shifted)) is not False
    if shifts:
        mean, size = xp.where(shifted, mean, 0), xp.where(shifted, less, size)
        a = a - mean * unit
    if known(xp.all(size <= _THETA)):
        wanted = xp.zeros_like(size)
    else:
        wanted = _squarings(xp, xp.stop_gradient(a))
        a = a * xp.exp2(-wanted)
    count = xp.minimum(wanted, _SQUARINGS)
    found = _approximation(xp, a, unit)
    if known(xp.all(wanted == count)) is not True:
        found = xp.where(wanted == count, found, math.nan)
    if shifts:
        found = found * xp.exp(mean * xp.exp2(-count))
    return _squared(xp, found, count, band)


def _norm(xp: Any, x: Array) -> Array:
    """Return the largest sum of a column, for each matrix."""
    return xp.max(xp.sum(xp.abs(x), axis=-2, keepdims=True), axis=-1, keepdims=True)


def _balancing(xp: Any, a: Array) -> Array | None:
    """Return integers p such that rows and columns of ``a[i, j] * 2**(p[j] - p[i])`` are alike.

    Each sweep goes half the way for all rows at once, which lessens the sum of all elements: a
    product of two factors is at most the mean of their squares. Osborne, "On pre-conditioning of
    matrices", J. ACM 7(4), 1960, has the steps one by one. None stands for zeros.
    """
    rows = xp.arange(a.shape[-1], device=a.device)
    sizes = xp.where(rows == rows[:, None], 0.0, xp.abs(a))
    largest = xp.max(sizes, axis=(-2, -1), keepdims=True)
    sizes = sizes / xp.where(largest == 0, 1.0, largest)

    def step_of(scaled: Array) -> Array:
        # A row or a column of zeros isn't finite here, and remains as it is.
        step = xp.round(xp.log2(xp.sum(scaled, axis=-1) / xp.sum(scaled, axis=-2)) / 4)
        return xp.where(xp.isfinite(step), step, 0.0)

    def sweep(powers: Array, _: Any) -> tuple[Array, Array]:
        step = step_of(sizes * xp.exp2(powers[..., None, :] - powers[..., :, None]))
        return xp.clip(powers + step, -_LARGEST, _LARGEST), xp.any(step != 0)

    powers = step_of(sizes)
    state = (powers, xp.any(powers != 0))
    more = known(state[1])
    if more is False:
        return None
    if more is None and (lowers_control_flow(a) or is_compiling(a)):
        return _while(
            lambda v, i: xp.logical_and(v[1], i < _SWEEPS), lambda v, i: sweep(*v),
            state, xp.asarray(0, device=a.device), None,
        )[0]  # fmt: skip
    for _ in range(_SWEEPS if more else _SWEEPS_UNROLLED):
        state = sweep(*state)
        if known(state[1]) is False:
            break
    return state[0]


def _while(test: Any, step: Any, start: Any, zero: Array, most: int | None) -> Any:
    """Run a loop of arrays and of the number of the step as the framework's own operation."""
    found = looped(
        "linalg.expm",
        lambda v: test(*v),
        lambda v: (step(*v), v[1] + 1),
        (start, zero),
        ("x", "x"),
        most,
    )
    return found[0]


def _squarings(xp: Any, a: Array) -> Array:
    """Return how often 2 divides each matrix, from the norms of powers of it."""
    tiny = 2.0**-1000
    largest = xp.max(xp.abs(a), axis=(-2, -1), keepdims=True)
    exponent = xp.clip(xp.ceil(xp.log2(xp.maximum(largest, tiny))), -1000.0, 1000.0)
    a = a * xp.exp2(-exponent)  # so that no power overflows
    second = xp.matmul(a, a)
    fourth = xp.matmul(second, second)
    sixth, eighth = xp.matmul(second, fourth), xp.matmul(fourth, fourth)
    d4, d6, d8, d10 = (
        xp.log2(xp.maximum(_norm(xp, power), tiny)) / k
        for k, power in ((4, fourth), (6, sixth), (8, eighth), (10, xp.matmul(fourth, sixth)))
    )
    low, middle, high = xp.maximum(d4, d6), xp.maximum(d6, d8), xp.maximum(d8, d10)
    eta = xp.minimum(xp.minimum(low, middle), high)
    wanted = xp.maximum(xp.ceil(eta - math.log2(_THETA) + exponent), 0.0)
    # The rounding errors of the approximation are those of |a|, which may be much larger.
    first = xp.abs(a)
    columns = xp.sum(first, axis=-2, keepdims=True)
    second = xp.matmul(first, first)
    fourth = xp.matmul(second, second)
    eighth = xp.matmul(fourth, fourth)
    ends = columns
    for power in (second, eighth, eighth, eighth):  # the columns' sums of the power 27
        ends = xp.matmul(ends, power)
    ratio = xp.max(ends, axis=-1, keepdims=True) / xp.max(columns, axis=-1, keepdims=True)
    size = xp.log2(xp.maximum(xp.where(ratio > 0, ratio, 0.0), tiny))
    excess = (size + _LEADING) / (2 * _DEGREE) + exponent - wanted
    return wanted + xp.maximum(xp.ceil(excess), 0.0)


def _fraction(xp: Any, a: Array, unit: Array) -> tuple[Array, Array]:
    """Return the denominator of the approximation, and the odd powers of its numerator."""
    b = _PADE
    second = xp.matmul(a, a)
    fourth = xp.matmul(second, second)
    sixth = xp.matmul(second, fourth)
    odd = xp.matmul(sixth, b[13] * sixth + b[11] * fourth + b[9] * second)
    odd = xp.matmul(a, odd + b[7] * sixth + b[5] * fourth + b[3] * second + b[1] * unit)
    even = xp.matmul(sixth, b[12] * sixth + b[10] * fourth + b[8] * second)
    even = even + b[6] * sixth + b[4] * fourth + b[2] * second + b[0] * unit
    return even - odd, odd


def _approximation(xp: Any, a: Array, unit: Array) -> Array:
    """Return the diagonal Padé approximation of degree 13, by its odd and its even powers."""
    under, odd = _fraction(xp, a, unit)
    # A power that overflows gives NaN, and not the error of a singular matrix.
    fits = xp.all(xp.isfinite(xp.stop_gradient(under)), axis=(-2, -1), keepdims=True)
    if known(xp.all(fits)):
        return unit + 2 * unchecked(xp.linalg.solve, under, odd)
    quotient = unchecked(xp.linalg.solve, xp.where(fits, under, unit), odd)
    return xp.where(fits, unit + 2 * quotient, math.nan)


def _squared(xp: Any, x: Array, count: Array, band: _Band | None) -> Array:
    """Return matrices that are squared as often as each one's count says."""
    if band is not None:
        x = band.exact(x, count)

    def square(i: Any, x: Array) -> Array:
        found = xp.matmul(x, x)
        if band is not None:
            found = band.exact(found, xp.maximum(count - 1 - i, 0.0))
        return xp.where(i < count, found, x)

    last = xp.max(count)
    steps = known(last)
    if steps is None and (lowers_control_flow(x) or is_compiling(x)):
        zero = xp.asarray(0, device=x.device)
        return _while(lambda x, i: i < last, lambda x, i: square(i, x), x, zero, _SQUARINGS)
    for i in range(_SQUARINGS if steps is None else int(steps)):
        x = square(i, x)
    return x


class _Band:
    """The diagonal and the one above it of upper triangular matrices, and zeros: exact elements.

    The elements on the diagonal of an exponential may differ by many powers of ten, and squaring
    would add the rounding errors of the large ones to the small ones.
    """

    def __init__(self, xp: Any, a: Array, diagonal: Array, form: _Form) -> None:
        """Take what the elements depend on."""
        rows = xp.arange(a.shape[-1], device=a.device)
        above = rows == rows[:, None] + 1
        inside = xp.logical_and(form.triangular, rows <= rows[:, None] + 1)
        self.xp, self.diagonal, self.on = xp, diagonal, rows == rows[:, None]
        self.places = xp.logical_or(inside, form.diagonal)
        # Infinities of diagonal matrices leave zeros beside them.
        self.above = xp.logical_and(above, a != 0)
        self.beside = xp.sum(xp.where(above, a, 0), axis=-1)
        after = xp.roll(diagonal, -1, axis=-1)
        larger = xp.real(after) > xp.real(diagonal)
        self.first = xp.where(larger, after, diagonal)
        gap = xp.where(larger, after - diagonal, diagonal - after)
        self.gap = xp.where(gap == 0, 2.0**-_LARGEST, gap)  # the slope is 1 there

    def exact(self, x: Array, halvings: Array) -> Array:
        """Return the exponentials of matrices that are divided, x elsewhere.

        Above the diagonal is the divided difference ``(exp(p) - exp(q)) / (p - q)``. The
        derivatives are those of x: an element below the diagonal may change these, too.
        """
        xp, scale = self.xp, self.xp.exp2(-halvings)[..., 0]
        gap = self.gap * -scale
        slope = xp.exp(self.first * scale) * (xp.expm1(gap) / gap) * (self.beside * scale)
        on = xp.exp(self.diagonal * scale)
        values = xp.where(self.on, on[..., None], xp.where(self.above, slope[..., None], 0))
        fixed = xp.stop_gradient(x)
        values = values + xp.where(xp.isfinite(fixed), x - fixed, 0)
        return xp.where(self.places, values, x)
