"""Dask arrays of ours beside bare ones: time to build graphs, tasks, run time and memory."""
