"""Least squares, decompositions, and what a program does when they fail."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

__all__ = ["PROGRAMS"]

_DESIGN = [[1.0, 0.5], [1.0, 1.5], [1.0, 2.0], [1.0, 3.5], [1.0, 4.0]]
_RESPONSE = [1.1, 2.9, 4.2, 7.1, 7.9]


def ordinary_least_squares(xp: Any, to_array: Any) -> list[Any]:
    """Fit a line with statistics of its errors, as statsmodels' OLS does."""
    x, y = to_array(_DESIGN), np.asarray(_RESPONSE)
    gram = x.T @ x
    try:
        inverse = xp.linalg.inv(gram)
    except LinAlgError:
        inverse = xp.linalg.pinv(gram)
    beta = xp.dot(inverse, xp.dot(x.T, y))
    fitted = x.dot(beta)
    residual = y - fitted
    freedom = x.shape[0] - x.shape[1]
    scale = xp.sum(residual**2) / freedom
    errors = (
        xp.sqrt(xp.diag(inverse) * scale)
        if hasattr(xp, "diag")
        else xp.sqrt(xp.linalg.diagonal(inverse) * scale)
    )
    centered = y - xp.mean(to_array(_RESPONSE))
    hat = xp.dot(xp.dot(x, inverse), x.T)
    return [
        beta, fitted, residual, scale, errors, beta / errors,
        1 - xp.sum(residual**2) / np.sum(centered**2), xp.trace(hat), residual.std(ddof=1),
        hat.diagonal(),
    ]  # fmt: skip


def cholesky_with_jitter(xp: Any, to_array: Any) -> list[Any]:
    """Add to the diagonal until the factorization exists, as GPy's jitchol does."""

    def factor(matrix: Any) -> tuple[Any, int]:
        jitter = xp.mean(matrix.diagonal()) * 1e-6
        for tries in range(8):
            try:
                return xp.linalg.cholesky(matrix), tries
            except LinAlgError:
                matrix = matrix + xp.eye(matrix.shape[0]) * jitter
                jitter = jitter * 10
        raise LinAlgError("not positive definite, even with jitter")

    points = to_array([0.0, 1.0, 2.5])
    kernel = xp.exp(-0.5 * (points[:, None] - points[None, :]) ** 2)
    lower, tries = factor(kernel)
    singular, more = factor(to_array([[1.0, 1.0], [1.0, 1.0 - 1e-5]]))
    try:
        factor(to_array([[1.0, 0.0], [0.0, -5.0]]))
        message = "factorized"
    except LinAlgError as error:
        message = str(error).split(",")[0]
    weights = xp.linalg.solve(lower, to_array([1.0, -1.0, 0.5]))
    return [
        lower, tries, xp.round(singular, 3), more, message, weights, xp.log(lower.diagonal()).sum(),
        xp.dot(weights, weights), lower @ lower.T, kernel.trace(),
    ]  # fmt: skip


def guarded_solve(xp: Any, to_array: Any) -> list[Any]:
    """Solve, or fall back to the pseudo-inverse, as scikit-learn's ridge solvers do."""

    def solve(a: Any, b: Any) -> tuple[Any, str]:
        try:
            return xp.linalg.solve(a, b), "solve"
        except np.linalg.LinAlgError:
            return xp.linalg.pinv(a) @ b, "pinv"

    regular, singular = to_array([[2.0, 1.0], [1.0, 3.0]]), to_array([[1.0, 2.0], [2.0, 4.0]])
    right = np.asarray([1.0, 2.0])
    first, how = solve(regular, right)
    second, fallback = solve(singular, right)
    try:
        xp.linalg.inv(singular)
        inverted = True
    except (LinAlgError, ZeroDivisionError):
        inverted = False
    try:
        xp.linalg.det(to_array([1.0, 2.0]))
        kind = "a number"
    except ValueError:
        kind = "an error"
    alphas = to_array([0.1, 1.0, 10.0])
    penalty = singular + alphas[:, None, None] * xp.eye(2)
    many = xp.linalg.solve(penalty, right[:, None])
    return [
        first, how, second, fallback, inverted, kind, many, many.shape, xp.linalg.det(penalty),
        xp.linalg.norm(first) if hasattr(xp.linalg, "norm") else xp.sqrt(xp.sum(first * first)),
    ]  # fmt: skip


def principal_components(xp: Any, to_array: Any) -> list[Any]:
    """Rotate to the axes of the largest variance, with signs as scikit-learn's svd_flip."""
    x = to_array(_DESIGN) * np.asarray([2.0, 1.0]) + np.arange(10.0).reshape(5, 2) % 3
    mean = xp.mean(x, 0)
    x -= mean
    u, s, vt = xp.linalg.svd(x, full_matrices=False)
    largest = xp.argmax(xp.abs(u), axis=0)
    signs = xp.sign(u[largest, np.arange(u.shape[1])])
    u, vt = u * signs, vt * signs[:, np.newaxis]
    variance = s**2 / (x.shape[0] - 1)
    ratio = variance / variance.sum()
    scores = u * s
    covariance = xp.dot(x.T, x) / (len(x) - 1)
    return [
        mean, s, vt, scores, variance, ratio, xp.cumsum(ratio), largest,
        xp.trace(covariance), xp.linalg.eigvalsh(covariance)[::-1],
    ]  # fmt: skip


def kalman_filter(xp: Any, to_array: Any) -> list[Any]:
    """Predict and update with dot products and writes in place, as filterpy does."""
    state, p = xp.zeros((2, 1)), xp.eye(2) * 10.0
    f, h = to_array([[1.0, 1.0], [0.0, 1.0]]), to_array([[1.0, 0.0]])
    q, r = np.eye(2) * 0.01, np.asarray([[0.5]])
    track, likelihoods = xp.zeros((4, 2)), []
    for i, z in enumerate([1.0, 2.1, 2.9, 4.2]):
        state = xp.dot(f, state)
        p = xp.dot(f, p).dot(f.T) + q
        innovation = z - xp.dot(h, state)
        s = xp.dot(h, xp.dot(p, h.T)) + r
        gain = xp.dot(xp.dot(p, h.T), xp.linalg.inv(s))
        state += xp.dot(gain, innovation)
        i_kh = xp.eye(2) - xp.dot(gain, h)
        p = xp.dot(xp.dot(i_kh, p), i_kh.T) + xp.dot(xp.dot(gain, r), gain.T)
        track[i] = state[:, 0]
        likelihoods.append(float(innovation[0, 0] ** 2 / s[0, 0]))
    return [
        state, p, track, track[:, 0], gain, innovation, xp.linalg.det(p), np.asarray(likelihoods),
        state.reshape(2), xp.diff(track, axis=0),
    ]  # fmt: skip


def levenberg_marquardt(xp: Any, to_array: Any) -> list[Any]:
    """Fit an exponential by damped steps, as lmfit's and scipy's leastsq drive it."""
    t, y = to_array([0.0, 1.0, 2.0, 3.0]), to_array([2.0, 1.3, 0.8, 0.5])
    beta, damping = to_array([1.0, 0.1]), 1e-2
    costs, rejected = [], 0
    for _ in range(12):
        decay = xp.exp(-beta[1] * t)
        residual = y - beta[0] * decay
        jacobian = xp.stack([decay, -beta[0] * t * decay], axis=1)
        gram = jacobian.T.dot(jacobian)
        step = xp.linalg.solve(gram + damping * xp.diag(xp.diag(gram)), jacobian.T.dot(residual))
        candidate = beta + step
        cost = float(xp.sum((y - candidate[0] * xp.exp(-candidate[1] * t)) ** 2))
        if not costs or cost < costs[-1]:
            beta, damping = candidate, damping / 3
            costs.append(cost)
        else:
            damping, rejected = damping * 2, rejected + 1
    covariance = xp.linalg.inv(gram) * (costs[-1] / 2)
    deviations = xp.sqrt(xp.diag(covariance))
    return [
        beta, costs[0], costs[1], min(costs), rejected > -1, gram, covariance,
        deviations, covariance / xp.outer(deviations, deviations), xp.inner(residual, residual),
    ]  # fmt: skip


PROGRAMS = (
    ordinary_least_squares, cholesky_with_jitter, guarded_solve, principal_components,
    kalman_filter, levenberg_marquardt,
)  # fmt: skip
