"""Contracts of covariances and correlations."""

from __future__ import annotations

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import mixed
from arrayapi_unify.binding.annotations import ArrayIn, OptionalArray, Out
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError, raise_argument_error
from arrayapi_unify.functional._common import BodyArray, floating_together

__all__ = ["corrcoef", "cov"]


def _variables(function: str, x: BodyArray, y: BodyArray, rowvar: bool) -> Array:
    """Return a matrix with one row for each variable of both arrays."""
    given = {name: array for name, array in (("x", x), ("y", y)) if array is not None}
    rows: list[Array] = []
    for name, array in zip(given, floating_together(*given.values()), strict=True):
        if array.ndim > 2:
            problem, remedy = f"has {array.ndim} axes", "pass a vector or a matrix"
            raise_argument_error(UnifyValueError, function, name, problem, remedy)
        xp = array.__array_namespace__()
        matrix = xp.reshape(array, (1, -1)) if array.ndim < 2 else array
        transposed = not rowvar and array.ndim == 2 and (name == "x" or matrix.shape[0] != 1)
        rows.append(xp.matrix_transpose(matrix) if transposed else matrix)
    if len({row.shape[1] for row in rows}) > 1:
        raise_argument_error(
            UnifyValueError, function, "y",
            f"has {rows[1].shape[1]} observations where x has {rows[0].shape[1]}",
            "pass as many of both",
        )  # fmt: skip
    return rows[0] if len(rows) == 1 else xp.concat(rows, axis=0)


def _weights(function: str, name: str, weights: BodyArray, count: int) -> None:
    """Raise for weights that aren't one real number for each observation."""
    if weights is None:
        return
    if weights.dtype.kind not in ("iu" if name == "fweights" else "iuf"):
        raise_argument_error(
            UnifyTypeError, function, name, f"has data type {weights.dtype}",
            "pass integers" if name == "fweights" else "pass real numbers",
        )  # fmt: skip
    if weights.shape != (count,):
        problem = f"has the shape {weights.shape} where there are {count} observations"
        raise_argument_error(UnifyValueError, function, name, problem, "pass one weight for each")


def _covariance(
    variables: Array, correction: float, fweights: BodyArray = None, aweights: BodyArray = None
) -> Array:
    """Return the covariances of the rows."""
    xp, count = variables.__array_namespace__(), variables.shape[1]
    number = xp.real(variables).dtype if variables.dtype.kind == "c" else variables.dtype
    given = [xp.astype(w, number) for w in (fweights, aweights) if w is not None]
    if not given:
        centred = variables - xp.mean(variables, axis=1, keepdims=True)
        weighed, degrees = centred, xp.asarray(
            float(max(count - correction, 0)), dtype=number, device=variables.device
        )  # fmt: skip
    else:
        weights = given[0] if len(given) == 1 else given[0] * given[1]
        total = xp.sum(weights)
        mean = xp.sum(variables * weights, axis=1, keepdims=True) / total
        centred = variables - mean
        weighed = centred * weights
        lost = xp.sum(weights * given[-1]) / total if aweights is not None else 1.0
        degrees = total - correction * lost
        degrees = xp.where(degrees <= 0, 0.0, degrees)
    transposed = xp.matrix_transpose(weighed)
    product = xp.matmul(centred, xp.conj(transposed) if centred.dtype.kind == "c" else transposed)
    found = product / degrees
    return xp.reshape(found, ()) if found.shape == (1, 1) else found


@mixed
def corrcoef(
    x: ArrayIn, y: OptionalArray = None, /, *, rowvar: bool = True, out: Out = None
) -> Array:
    """Correlation coefficients of variables, by Pearson.

    Parameters
    ----------
    x
        Array of observations, of numeric data type: a vector of one variable, or a matrix.
    y
        More variables, with as many observations.
    rowvar
        Whether each row of a matrix is a variable and each column an observation, and not the other
        way round.

    Returns
    -------
    Matrix of the coefficients, a number for one variable. It has the floating-point data type to
    which the arguments promote; integers and bools give the default one.

    Raises
    ------
    UnifyValueError
        If an array has more than two axes, or the numbers of observations differ.

    Notes
    -----
    A variable that is the same in all observations has coefficients that are NaN.

    References
    ----------
    NumPy's ``corrcoef``.

    Examples
    --------
    >>> unify.corrcoef(unify.array([[1.0, 2.0, 3.0], [5.0, 3.0, 1.0]]))
    unify.array([[ 1., -1.],
                 [-1.,  1.]])
    """
    found = _covariance(_variables("corrcoef", x, y, rowvar), 1)
    xp = found.__array_namespace__()
    if not found.ndim:
        return found / found
    diagonal = xp.linalg.diagonal(found)
    widths = xp.sqrt(xp.real(diagonal) if found.dtype.kind == "c" else diagonal)
    found = found / xp.expand_dims(widths, axis=1) / xp.expand_dims(widths, axis=0)
    if found.dtype.kind != "c":
        return xp.clip(found, -1.0, 1.0)
    return xp.clip(xp.real(found), -1.0, 1.0) + 1j * xp.clip(xp.imag(found), -1.0, 1.0)


@mixed
def cov(
    x: ArrayIn,
    y: OptionalArray = None,
    /,
    *,
    rowvar: bool = True,
    correction: float = 1.0,
    fweights: OptionalArray = None,
    aweights: OptionalArray = None,
    out: Out = None,
) -> Array:
    """Covariances of variables, estimated from observations.

    Parameters
    ----------
    x
        Array of observations, of numeric data type: a vector of one variable, or a matrix.
    y
        More variables, with as many observations.
    rowvar
        Whether each row of a matrix is a variable and each column an observation, and not the other
        way round.
    correction
        What is subtracted from the number of observations before it divides, as in `var`. The usual
        one gives an estimate without bias.
    fweights
        How often each observation occurred: an array of integers with one axis.
    aweights
        Weight of each observation: an array of real numbers with one axis.

    Returns
    -------
    Matrix of the covariances, a number for one variable. It has the floating-point data type to
    which x and y promote; integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `fweights` aren't integers, or `aweights` aren't real numbers.
    UnifyValueError
        If an array has more than two axes, or the numbers of observations differ.

    Notes
    -----
    That no weight is negative isn't checked, which would take their values.

    References
    ----------
    NumPy's ``cov``, which names ``ddof`` what is `correction` in the standard.

    Examples
    --------
    >>> unify.cov(unify.array([[1.0, 2.0, 3.0], [5.0, 3.0, 1.0]]))
    unify.array([[ 1., -2.],
                 [-2.,  4.]])
    """
    variables = _variables("cov", x, y, rowvar)
    _weights("cov", "fweights", fweights, variables.shape[1])
    _weights("cov", "aweights", aweights, variables.shape[1])
    return _covariance(variables, correction, fweights, aweights)
