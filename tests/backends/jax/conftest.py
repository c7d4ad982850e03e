"""These tests need JAX, which other backends' tox environments lack."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("jax") else ["test_*.py"]
