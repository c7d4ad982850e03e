"""The programs, by the names that the command takes."""

from __future__ import annotations

from typing import Final

from benchmarks.programs import fft_filter, gaussian_process, kalman, kmeans, network, pca
from benchmarks.programs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS: Final[dict[str, Program]] = {
    "kmeans": kmeans.PROGRAM,
    "pca": pca.PROGRAM,
    "kalman": kalman.PROGRAM,
    "gaussian_process": gaussian_process.PROGRAM,
    "fft_filter": fft_filter.PROGRAM,
    "network": network.PROGRAM,
}
