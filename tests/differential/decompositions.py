"""Results with several correct forms are compared by their defining properties.

Eigenvectors, singular vectors and the columns of Q have arbitrary signs or phases, eigenvalues of
general matrices have no order, and `empty` has arbitrary values. The bounds are backward errors:
the factors multiply to a matrix within the rounding error of x.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from tests.differential import error_scales
from tests.differential.case import Case
from tests.differential.tolerances import tolerance_of

__all__ = ["CHECKS"]

Arrays = list[Any]


class _Parts:
    """The matrices of a call, and the bound on the error of their factors' product."""

    def __init__(self, case: Case, got: Arrays) -> None:
        """Convert to double precision, so that the check itself has negligible rounding errors."""
        self.case = case
        self.eps = np.finfo(got[-1].dtype).eps * tolerance_of(case.function).real
        self.x = _double(case.arrays()[0])
        self.got = [_double(part) for part in got]
        self.norm = error_scales.whole_norm(self.x)

    def finite(self) -> bool:
        """Return True if all elements are finite: other decompositions aren't specified."""
        return bool(np.all(np.isfinite(self.x)))

    def close(self, found: Any, wanted: Any, unit: Any) -> bool:
        """Return True if all elements differ by at most `unit` times the tolerance."""
        return bool(np.all(np.abs(found - wanted) <= self.eps * unit))

    def rebuilds(self, found: Any) -> bool:
        """Return True if the product of the factors is x up to rounding."""
        return self.close(found, self.x, self.norm)

    def unitary(self, q: Any) -> bool:
        """Return True if the columns are orthonormal."""
        return self.close(_hermitian(q) @ q, np.eye(q.shape[-1]), 1)


def _double(x: Any) -> Any:
    return x.astype("c16" if x.dtype.kind == "c" else "f8")


def _hermitian(x: Any) -> Any:
    return np.conj(np.swapaxes(x, -1, -2))


def _of_finite(
    check: Callable[[_Parts, Arrays], str | None],
) -> Callable[[Case, Arrays, Arrays], str | None]:
    """Check finite matrices; for others only the positions of NaN are compared."""

    def checked(case: Case, expected: Arrays, got: Arrays) -> str | None:
        parts = _Parts(case, got)
        if parts.finite():
            return check(parts, expected)
        same = all(
            np.array_equal(np.isnan(e), np.isnan(g)) for e, g in zip(expected, got, strict=True)
        )
        return None if same else "place of NaN"

    return checked


@_of_finite
def _eigh(parts: _Parts, expected: Arrays) -> str | None:
    values, vectors = parts.got
    if not parts.close(values, expected[0], parts.norm[..., 0]):
        return "eigenvalues"
    if not parts.unitary(vectors):
        return "eigenvectors aren't orthonormal"
    rebuilt = (vectors * values[..., None, :]) @ _hermitian(vectors)
    return None if parts.rebuilds(rebuilt) else "eigenvectors don't rebuild x"


@_of_finite
def _svd(parts: _Parts, expected: Arrays) -> str | None:
    u, s, vh = parts.got
    if not parts.close(s, expected[1], parts.norm[..., 0]):
        return "singular values"
    if not (parts.unitary(u) and parts.unitary(_hermitian(vh))):
        return "singular vectors aren't orthonormal"
    k = s.shape[-1]
    rebuilt = (u[..., :k] * s[..., None, :]) @ vh[..., :k, :]
    return None if parts.rebuilds(rebuilt) else "u, s, vh don't rebuild x"


@_of_finite
def _qr(parts: _Parts, expected: Arrays) -> str | None:
    q, r = parts.got
    if not parts.unitary(q):
        return "the columns of q aren't orthonormal"
    if np.any(np.tril(r, -1) != 0):
        return "r isn't upper triangular"
    return None if parts.rebuilds(q @ r) else "q, r don't rebuild x"


@_of_finite
def _lu(parts: _Parts, expected: Arrays) -> str | None:
    p, lower, upper = parts.got
    identity = np.eye(parts.x.shape[-2])
    p = identity[parts.got[0].real.astype(int)] if parts.case.kwargs.get("p_indices") else p
    if not np.array_equal(p @ np.swapaxes(p, -1, -2), np.broadcast_to(identity, p.shape)):
        return "p doesn't permute"
    if np.any(np.triu(lower, 1) != 0) or np.any(np.tril(upper, -1) != 0):
        return "a factor isn't triangular"
    if np.any(np.diagonal(lower, axis1=-2, axis2=-1) != 1):
        return "the diagonal of the lower factor isn't 1"
    if np.any(np.abs(lower.real) + np.abs(lower.imag) > 2):  # of the pivots' own size at most
        return "the pivots aren't the largest elements"
    return None if parts.rebuilds(p @ lower @ upper) else "p, l, u don't rebuild x"


@_of_finite
def _cholesky(parts: _Parts, expected: Arrays) -> str | None:
    factor = parts.got[0]
    if parts.case.kwargs.get("upper", False):
        factor = _hermitian(factor)
    if np.any(np.triu(factor, 1) != 0):
        return "the factor isn't triangular"
    diagonal = np.diagonal(factor, axis1=-2, axis2=-1)
    if not np.all((diagonal.real > 0) & (diagonal.imag == 0)):
        return "the diagonal of the factor isn't positive"
    # The lower triangle is used; the factor of a definite matrix is unique.
    found = np.tril(factor @ _hermitian(factor) - parts.x)
    return None if parts.close(found, 0, parts.norm) else "the factor doesn't rebuild x"


def _eigenvalues(parts: _Parts, values: Any) -> str | None:
    """Compare the eigenvalues of each matrix as sets, each within its condition."""
    wanted, unit = error_scales.eigenvalues(parts.x)
    rows = (v.reshape(-1, values.shape[-1]) for v in (wanted, unit, values))
    for w, u, g in zip(*rows, strict=True):
        excess = np.abs(w[:, None] - g[None, :]) - parts.eps * u[:, None]
        matched = linear_sum_assignment(np.maximum(excess, 0))
        if np.any(excess[matched] > 0):
            return "eigenvalues"
    return None


@_of_finite
def _eigvals(parts: _Parts, expected: Arrays) -> str | None:
    return _eigenvalues(parts, parts.got[0]) if parts.x.size else None


@_of_finite
def _eig(parts: _Parts, expected: Arrays) -> str | None:
    values, vectors = parts.got
    if not parts.x.size:
        return None
    if _eigenvalues(parts, values):
        return "eigenvalues"
    if not parts.close(np.linalg.norm(vectors, axis=-2), 1.0, 1):
        return "eigenvectors aren't of length one"
    same = parts.close(parts.x @ vectors, vectors * values[..., None, :], parts.norm)
    return None if same else "eigenvectors"


def _argsort(case: Case, expected: Arrays, got: Arrays) -> str | None:
    """Compare the selected values, so that equal elements may have any order."""
    if case.kwargs.get("stable", True):
        return None if np.array_equal(expected[0], got[0]) else "value"
    x, axis = case.arrays()[0], case.kwargs.get("axis", -1)
    if not np.array_equal(np.sort(got[0], axis=axis), np.sort(expected[0], axis=axis)):
        return "not a permutation"
    wanted, taken = (np.take_along_axis(x, indices, axis) for indices in (expected[0], got[0]))
    return None if np.array_equal(wanted, taken, equal_nan=x.dtype.kind in "fc") else "order"


def _anything(case: Case, expected: Arrays, got: Arrays) -> str | None:
    return None


CHECKS: Final[dict[str, Callable[[Case, Arrays, Arrays], str | None]]] = {
    "linalg.cholesky": _cholesky,
    "linalg.eigh": _eigh,
    "linalg.svd": _svd,
    "linalg.qr": _qr,
    "linalg.lu": _lu,
    "linalg.eig": _eig,
    "linalg.eigvals": _eigvals,
    "argsort": _argsort,
    "empty": _anything,
    "empty_like": _anything,
}
