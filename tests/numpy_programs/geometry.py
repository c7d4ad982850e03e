"""Vectors, rotations and distances: lists as operands, keys of several kinds, broadcasting."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["PROGRAMS"]

_POINTS = [[0.0, 0.0, 1.0], [1.0, 2.0, 0.5], [3.0, -1.0, 2.0], [0.5, 0.5, 0.5]]


def triangles(xp: Any, to_array: Any) -> list[Any]:
    """Normals and areas by cross products, unit vectors by lists, as trimesh computes them."""
    vertices = to_array(_POINTS)
    faces = np.asarray([[0, 1, 2], [0, 2, 3], [1, 3, 2]])
    corners = vertices[faces]
    vectors = xp.diff(corners, axis=1)
    crosses = xp.cross(vectors[:, 0], vectors[:, 1])
    norms = xp.sqrt((crosses**2).sum(axis=1))
    valid = norms > 1e-12
    unit = xp.zeros_like(crosses)
    unit[valid] = crosses[valid] / norms[valid].reshape((-1, 1))
    areas = norms / 2
    centroid = (corners.mean(axis=1) * areas.reshape((-1, 1))).sum(axis=0) / areas.sum()
    angles = xp.arccos(xp.clip(xp.vecdot(unit[:2], unit[1:]), -1.0, 1.0))
    bounds = xp.stack([vertices.min(axis=0), vertices.max(axis=0)])
    return [
        corners.shape, crosses, norms, unit, areas, centroid, angles, bounds,
        xp.ptp(vertices, axis=0), xp.dot(vertices**2, [1.0] * 3),
    ]  # fmt: skip


def great_circles(xp: Any, to_array: Any) -> list[Any]:
    """Distances on a sphere from degrees, as geopy and scikit-learn's haversine do."""
    degrees = to_array([[48.2, 16.37], [52.52, 13.4], [-33.87, 151.2]])
    phi, lam = xp.deg2rad(degrees[:, 0]), xp.radians(degrees[:, 1])
    d_phi, d_lam = phi[:, None] - phi, lam[:, None] - lam
    a = xp.sin(d_phi / 2) ** 2 + xp.cos(phi)[:, None] * xp.cos(phi) * xp.sin(d_lam / 2) ** 2
    distance = 2 * 6371.0088 * xp.arcsin(xp.sqrt(a))
    y = xp.sin(d_lam) * xp.cos(phi)
    x = xp.cos(phi)[:, None] * xp.sin(phi) - xp.sin(phi)[:, None] * xp.cos(phi) * xp.cos(d_lam)
    bearing = (xp.rad2deg(xp.arctan2(y, x)) + 360) % 360
    nearest = xp.argmin(distance + np.eye(3) * 1e9, axis=1)
    wrapped = xp.remainder(degrees[:, 1] + 180.0, 360.0) - 180.0
    whole, rest = divmod(xp.abs(degrees[:, 0]), 1)
    cosines = xp.stack([xp.cos(phi) * xp.cos(lam), xp.cos(phi) * xp.sin(lam), xp.sin(phi)], axis=-1)
    return [
        phi, distance, bearing, nearest, wrapped, whole, rest * 60, cosines,
        xp.hypot(cosines[:, 0], cosines[:, 1]), distance.max(),
    ]  # fmt: skip


def quaternions(xp: Any, to_array: Any) -> list[Any]:
    """Products and rotations by components, as scipy.spatial.transform and pyquaternion do."""

    def product(p: Any, q: Any) -> Any:
        pw, px, py, pz = p[..., 0], p[..., 1], p[..., 2], p[..., 3]
        qw, qx, qy, qz = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
        return xp.stack([
            pw * qw - px * qx - py * qy - pz * qz, pw * qx + px * qw + py * qz - pz * qy,
            pw * qy - px * qz + py * qw + pz * qx, pw * qz + px * qy - py * qx + pz * qw,
        ], axis=-1)  # fmt: skip

    half = xp.asarray(np.pi / 8)
    turn = xp.stack([xp.cos(half), half * 0, half * 0, xp.sin(half)])
    signs = np.asarray([1.0, -1.0, -1.0, -1.0])
    vectors = xp.concatenate([np.zeros((4, 1)), to_array(_POINTS)], axis=1)
    rotated = product(product(turn, vectors), turn * signs)[..., 1:]
    matrix = xp.zeros((3, 3))
    matrix[0, 0] = matrix[1, 1] = 1 - 2 * turn[3] ** 2
    matrix[0, 1], matrix[1, 0] = -2 * turn[0] * turn[3], 2 * turn[0] * turn[3]
    matrix[2, 2] = 1
    both = product(turn, turn)
    angle = 2 * xp.atan2(xp.sqrt(xp.sum(both[1:] ** 2)), both[0])
    normal = both / xp.sqrt(xp.vdot(both, both))
    skew = xp.zeros((3, 3))
    skew[[0, 1, 2], [1, 2, 0]] = to_array([-3.0, -1.0, -2.0])
    skew -= skew.T.copy()
    return [
        turn, rotated, matrix, xp.dot(to_array(_POINTS), matrix.T), both, angle, normal, skew,
        xp.trace(matrix), xp.allclose(matrix @ matrix.T, np.eye(3)),
    ]  # fmt: skip


def polygons(xp: Any, to_array: Any) -> list[Any]:
    """Areas by rolling, points inside by crossings, as matplotlib and shapely decide."""
    polygon = to_array([[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [1.0, 5.0]])
    x, y = polygon.T
    following = xp.roll(polygon, -1, 0)
    cross = x * following[:, 1] - following[:, 0] * y
    area = 0.5 * xp.sum(cross)
    centroid = xp.sum((polygon + following) * cross[:, None], axis=0) / (6 * area)
    edges = xp.sqrt(xp.sum((following - polygon) ** 2, axis=1))
    queries = np.asarray([[1.0, 1.0], [5.0, 1.0], [2.0, 4.0], [0.2, 4.0]])
    inside = xp.zeros(4, dtype=bool)
    for (x1, y1), (x2, y2) in zip(polygon.tolist(), following.tolist(), strict=True):
        if y1 == y2:
            continue
        crosses = (y1 > queries[:, 1]) != (y2 > queries[:, 1])
        inside ^= to_array(
            crosses & (queries[:, 0] < (x2 - x1) * (queries[:, 1] - y1) / (y2 - y1) + x1)
        )
    box = xp.concatenate([polygon.min(0), polygon.max(0)])
    closed = xp.vstack([polygon, polygon[:1]])
    along = xp.concatenate([np.zeros(1), xp.cumsum(edges)])
    return [
        cross, area, centroid, edges, edges.sum(), inside, box, closed, along,
        np.interp(2.5, np.asarray(along), np.asarray(closed[:, 0])),
    ]  # fmt: skip


def pairwise_distances(xp: Any, to_array: Any) -> list[Any]:
    """Squared distances by products, with zeros on the diagonal, as scikit-learn does."""
    x = to_array(_POINTS)
    y = np.asarray([[0.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
    norms = xp.einsum("ij,ij->i", x, x)
    squared = norms[:, None] + norms[None, :] - 2 * xp.dot(x, x.T)
    squared = xp.maximum(squared, 0)
    squared.flat[:: len(x) + 1] = 0.0
    distances = xp.sqrt(squared)
    other = xp.sum(xp.abs(x[:, None, :] - y[None, :, :]), axis=-1)
    kernel = xp.exp(-distances / distances.mean())
    order = xp.argsort(distances, axis=1)
    neighbours = xp.take_along_axis(distances, order[:, 1:3], axis=1)
    condensed = distances[np.triu_indices(4, 1)]
    labels = xp.argmin(other, axis=1)
    centers = xp.stack(
        [x[labels == k].mean(axis=0) for k in np.unique(np.asarray(labels)).tolist()]
    )
    return [
        norms, distances, other, kernel, order, neighbours, condensed, labels, centers,
        xp.isin(labels, np.asarray([0, 3])),
    ]  # fmt: skip


def rasters(xp: Any, to_array: Any) -> list[Any]:
    """Grids, neighbours by padded slices and masks, as rasterio's users write."""
    y, x = xp.meshgrid(xp.arange(4.0), xp.arange(5.0), indexing="ij")
    height = xp.sin(x) + y**2 / 4
    padded = xp.zeros((6, 7))
    padded[1:-1, 1:-1] = height
    laplacian = (
        padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:] - 4 * height
    )
    dy, dx = xp.gradient(height)
    slope = xp.degrees(xp.arctan(xp.sqrt(dx**2 + dy**2)))
    mask = height > xp.mean(height)
    rows, columns = xp.nonzero(mask)
    cut = height[int(rows.min()) : int(rows.max()) + 1, ::-1]
    flipped = xp.flipud(xp.fliplr(height))
    coarse = height.reshape(2, 2, 5).mean(1)
    height[mask] = -1.0
    height[..., 0] += np.asarray([1.0, 2.0, 3.0, 4.0])
    return [
        laplacian, slope, mask, rows, columns, cut, flipped, coarse, height,
        xp.rot90(mask),
    ]  # fmt: skip


PROGRAMS = (triangles, great_circles, quaternions, polygons, pairwise_distances, rasters)
