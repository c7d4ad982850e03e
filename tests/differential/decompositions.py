"""Results that are correct in more than one form are compared by what makes them correct.

Eigenvectors, singular vectors and the columns of Q are free in sign or phase, eigenvalues of
general matrices come in any order, and `empty` holds anything.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tests.differential.case import Case
from tests.differential.tolerances import magnitude, tolerance_of

__all__ = ["CHECKS"]

Arrays = list[Any]


def _close(case: Case, found: Any, wanted: Any, precision: Any) -> bool:
    allowed = tolerance_of(case.function).real * np.finfo(precision).eps * magnitude(case)
    return bool(np.all(np.abs(found - wanted) <= allowed))


def _hermitian(x: Any) -> Any:
    return np.conj(np.swapaxes(x, -1, -2))


def _unitary(case: Case, q: Any) -> bool:
    """Whether the columns are orthonormal."""
    return _close(case, _hermitian(q) @ q, np.eye(q.shape[-1]), q.dtype)


def _eigh(case: Case, expected: Arrays, got: Arrays) -> str | None:
    a, (values, vectors) = case.arrays()[0], got
    if not _close(case, values, expected[0], values.dtype):
        return "eigenvalues"
    if not _unitary(case, vectors):
        return "eigenvectors aren't orthonormal"
    rebuilt = (vectors * values[..., None, :]) @ _hermitian(vectors)
    return None if _close(case, rebuilt, a, vectors.dtype) else "eigenvectors don't rebuild x"


def _svd(case: Case, expected: Arrays, got: Arrays) -> str | None:
    a, (u, s, vh) = case.arrays()[0], got
    if not _close(case, s, expected[1], s.dtype):
        return "singular values"
    if not (_unitary(case, u) and _unitary(case, _hermitian(vh))):
        return "singular vectors aren't orthonormal"
    k = s.shape[-1]
    rebuilt = (u[..., :k] * s[..., None, :]) @ vh[..., :k, :]
    return None if _close(case, rebuilt, a, u.dtype) else "u, s, vh don't rebuild x"


def _qr(case: Case, expected: Arrays, got: Arrays) -> str | None:
    a, (q, r) = case.arrays()[0], got
    if not _unitary(case, q):
        return "the columns of q aren't orthonormal"
    if np.any(np.tril(r, -1) != 0):
        return "r isn't upper triangular"
    return None if _close(case, q @ r, a, q.dtype) else "q, r don't rebuild x"


def _same_multiset(case: Case, expected: Any, got: Any) -> bool:
    """Whether two stacks of eigenvalues are the same in some order."""
    rows = zip(
        expected.reshape(-1, expected.shape[-1]), got.reshape(-1, got.shape[-1]), strict=True
    )
    return all(
        any(_close(case, np.array(p), e, e.dtype) for p in itertools.permutations(g))
        for e, g in rows
    )


def _eigvals(case: Case, expected: Arrays, got: Arrays) -> str | None:
    if not expected[0].size:
        return None
    return None if _same_multiset(case, expected[0], got[0]) else "eigenvalues"


def _eig(case: Case, expected: Arrays, got: Arrays) -> str | None:
    a, (values, vectors) = case.arrays()[0], got
    if not a.size:
        return None
    if not _same_multiset(case, expected[0], values):
        return "eigenvalues"
    if not _close(case, np.linalg.norm(vectors, axis=-2), 1.0, vectors.dtype):
        return "eigenvectors aren't of length one"
    same = _close(case, a @ vectors, vectors * values[..., None, :], vectors.dtype)
    return None if same else "eigenvectors"


def _argsort(case: Case, expected: Arrays, got: Arrays) -> str | None:
    """Compare what is selected, where equal elements may come in any order."""
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
    "linalg.eigh": _eigh,
    "linalg.svd": _svd,
    "linalg.qr": _qr,
    "linalg.eig": _eig,
    "linalg.eigvals": _eigvals,
    "argsort": _argsort,
    "empty": _anything,
    "empty_like": _anything,
}
