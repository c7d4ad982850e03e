"""Searches, chains and dynamic programs: element writes, random numbers of NumPy, control flow."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["PROGRAMS"]


def page_rank(xp: Any, to_array: Any) -> list[Any]:
    """Iterate a stochastic matrix until nothing moves, as networkx does."""
    adjacency = to_array(
        [[0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0], [0.0] * 4]
    )
    degree = adjacency.sum(axis=1)
    dangling = degree == 0
    degree[dangling] = 1.0
    links = adjacency / degree[:, np.newaxis]
    n = len(links)
    x = xp.repeat(xp.asarray([1.0 / n]), n)
    rounds = 0
    while rounds < 100:
        rounds += 1
        last = x
        x = 0.85 * (x @ links + xp.sum(x[dangling]) / n) + 0.15 / n
        if xp.absolute(x - last).sum() < n * 1e-9:
            break
    ranking = xp.argsort(-x)
    laplacian = xp.diag(adjacency.sum(0) + adjacency.sum(1)) - adjacency - adjacency.T
    reach = adjacency > 0
    for _ in range(2):
        reach |= (xp.astype(reach, xp.int64) @ xp.astype(reach, xp.int64)) > 0
    return [
        rounds, x, ranking, dangling, links, laplacian, xp.linalg.eigvalsh(laplacian), reach,
        xp.count_nonzero(reach, axis=1), x.max() > 0.25,
    ]  # fmt: skip


def ensemble_sampler(xp: Any, to_array: Any) -> list[Any]:
    """Stretch moves of half of the walkers by NumPy's random numbers, as emcee makes them."""
    random = np.random.default_rng(5)
    walkers = to_array(random.normal(size=(8, 2)))

    def log_prob(x: Any) -> Any:
        return -0.5 * xp.sum((x - np.asarray([1.0, -1.0])) ** 2, axis=-1)

    current = log_prob(walkers)
    accepted = xp.zeros(8, dtype=bool)
    chain = xp.empty((5, 8, 2))
    for step in range(5):
        for first in (slice(0, 8, 2), slice(1, 8, 2)):
            others = walkers[1 - first.start :: 2][random.permutation(4)]
            z = ((random.random(4) + 1) ** 2) / 2
            proposed = others - (others - walkers[first]) * z[:, None]
            new = log_prob(proposed)
            taken = xp.log(to_array(random.random(4))) < np.log(z) + new - current[first]
            walkers[first] = xp.where(taken[:, None], proposed, walkers[first])
            current[first] = xp.where(taken, new, current[first])
            accepted[first] |= taken
        chain[step] = walkers
    flat = chain.reshape(-1, 2)
    return [
        walkers, current, accepted, chain[1:3], flat.shape, flat.mean(0), chain.std(axis=(0, 1)),
        xp.percentile(flat[:, 0], 50), xp.argmax(log_prob(flat)), accepted.mean(),
    ]  # fmt: skip


def particle_swarm(xp: Any, to_array: Any) -> list[Any]:
    """Move particles, keep bests by masks and bounds by clipping, as pyswarms does."""
    random = np.random.default_rng(1)
    position = to_array(random.uniform(-3, 3, (6, 2)))
    velocity, best = xp.zeros_like(position), position.copy()

    def cost(x: Any) -> Any:
        return (x**2).sum(axis=1) + xp.cos(3 * x[:, 0])

    best_cost = cost(best)
    for _ in range(6):
        leader = best[xp.argmin(best_cost)]
        r = random.random((2, 6, 2))
        velocity = 0.7 * velocity + r[0] * (best - position) + r[1] * (leader - position)
        xp.clip(velocity, -1.0, 1.0, out=velocity)
        position = position + velocity
        outside = xp.any(xp.abs(position) > 3.0, axis=1)
        position[outside] = xp.clip(position[outside], -3, 3)
        now = cost(position)
        better = now < best_cost
        best[better] = position[better]
        best_cost = xp.minimum(best_cost, now)
    return [
        position, velocity, best, best_cost, best_cost.argmin(), better, outside,
        xp.min(best_cost), best[np.argsort(np.asarray(best_cost))[:2]], xp.mean(velocity, axis=0),
    ]  # fmt: skip


def covariance_adaptation(xp: Any, to_array: Any) -> list[Any]:
    """Sample by eigenvectors and update by outer products, as pycma and deap do."""
    random = np.random.default_rng(2)
    mean, sigma, c = to_array([2.0, -1.0]), 0.5, xp.eye(2)
    path = xp.zeros(2)
    weights = np.log(3.5) - np.log(np.arange(1, 4))
    weights /= weights.sum()
    for _ in range(5):
        values, vectors = xp.linalg.eigh(c)
        # An eigenvector's sign is the library's.
        vectors = vectors * xp.where(vectors[0, :] + vectors[1, :] < 0, -1.0, 1.0)
        steps = (vectors * xp.sqrt(values)) @ random.normal(size=(2, 6))
        population = mean[:, None] + sigma * steps
        fitness = xp.sum(population**2, axis=0)
        order = xp.argsort(fitness)[:3]
        chosen = steps[:, order]
        move = xp.dot(chosen, weights)
        mean += sigma * move
        path *= 0.7
        path += 0.5 * move
        c = 0.6 * c + 0.1 * xp.outer(path, path) + 0.3 * (chosen * weights).dot(chosen.T)
        sigma *= float(xp.exp(0.2 * (xp.sqrt(path.dot(path)) - 1)))
    return [
        mean, sigma, c, path, fitness, order, xp.sqrt(xp.diag(c)), xp.linalg.det(c),
        c - c.T, xp.round(fitness.min(), 8),
    ]  # fmt: skip


def time_warping(xp: Any, to_array: Any) -> list[Any]:
    """Fill a table element by element and walk back, as tslearn's and librosa's dtw do."""
    a, b = to_array([0.0, 1.0, 2.0, 1.0]), np.asarray([0.0, 0.9, 2.1, 2.0, 1.0])
    cost = xp.abs(a[:, None] - b)
    table = xp.full((len(a) + 1, len(b) + 1), xp.inf)
    table[0, 0] = 0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i, j] = cost[i - 1, j - 1]
            table[i, j] += min(table[i - 1, j], table[i, j - 1], table[i - 1, j - 1])
    i, j = len(a), len(b)
    path = [(i - 1, j - 1)]
    while i > 1 or j > 1:
        steps = [table[i - 1, j - 1], table[i - 1, j], table[i, j - 1]]
        best = int(xp.argmin(xp.stack(steps)))
        i, j = (i - 1, j - 1) if best == 0 else (i - 1, j) if best == 1 else (i, j - 1)
        path.append((i - 1, j - 1))
    rows, columns = xp.asarray(path[::-1]).T
    band = xp.abs(xp.arange(4)[:, None] - xp.arange(5)) <= 1
    return [
        cost, table[1:, 1:], table[-1, -1], path, rows, columns, band, cost[rows, columns].sum(),
        xp.isinf(table).sum(), xp.triu(cost, k=1),
    ]  # fmt: skip


def edit_distance(xp: Any, to_array: Any) -> list[Any]:
    """A row at a time with minimum and arange, as jiwer's and nltk's vectorized users write it."""
    words = ("kitten", "sitting")
    codes = [xp.asarray([ord(letter) for letter in word], dtype=xp.int64) for word in words]
    row = xp.arange(len(words[1]) + 1)
    rows = [row]
    for i, code in enumerate(codes[0].tolist()):
        replaced = row[:-1] + xp.astype(codes[1] != code, row.dtype)
        shorter = xp.minimum(replaced, row[1:] + 1)
        new = xp.concatenate([xp.asarray([i + 1]), shorter])
        for j in range(1, len(new)):
            if new[j - 1] + 1 < new[j]:
                new[j] = new[j - 1] + 1
        row = new
        rows.append(row)
    table = xp.stack(rows)
    common, first, second = np.intersect1d(
        np.asarray(codes[0]), np.asarray(codes[1]), return_indices=True
    )
    return [
        table, row[-1], codes[0], xp.unique(codes[0]), xp.intersect1d(codes[0], codes[1]),
        common, first, second, table.T.shape, xp.bitwise_and(codes[0], 31),
    ]  # fmt: skip


def pareto_front(xp: Any, to_array: Any) -> list[Any]:
    """Dominance by broadcasting, fronts by masks, crowding by sorts, as pymoo computes them."""
    f = to_array([[1.0, 5.0], [2.0, 3.0], [4.0, 1.0], [3.0, 4.0], [5.0, 5.0], [2.5, 2.5]])
    le = xp.all(f[:, None] <= f[None, :], axis=-1)
    lt = xp.any(f[:, None] < f[None, :], axis=-1)
    dominates = xp.logical_and(le, lt)
    count = xp.sum(dominates, axis=0)
    rank = xp.full(len(f), -1)
    level, left = 0, count.copy()
    while xp.any(rank < 0):
        front = (left == 0) & (rank < 0)
        rank[front] = level
        left = left - xp.sum(dominates[front], axis=0)
        level += 1
    front = f[rank == 0]
    order = xp.argsort(front[:, 0])
    crowding = xp.full(len(front), xp.inf)
    crowding[order[1:-1]] = xp.abs(front[order][2:] - front[order][:-2]).sum(axis=1)
    reference = np.asarray([6.0, 6.0])
    widths = xp.diff(xp.append(front[order][:, 0], reference[:1]))
    volume = xp.sum(widths * (reference[1] - front[order][:, 1]))
    return [
        dominates, count, rank, level, front, order, crowding, volume, f.min(0), f.argmin(axis=0),
    ]  # fmt: skip


PROGRAMS = (
    page_rank, ensemble_sampler, particle_swarm, covariance_adaptation, time_warping,
    edit_distance, pareto_front,
)  # fmt: skip
