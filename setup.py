"""Packages to install, and their installed names; all else stands in pyproject.toml."""

from setuptools import find_packages, setup

# The runner lives in `compliance`, and is installed under a name that is surely ours. A mapping of
# names has to be listed, which pyproject.toml can't do beside a search.
_RUNNER = {"arrayapi_compliance": "compliance"}

_PARTS = ("consumers", "draft_checks", "matrix", "needs", "own_checks", "schema", "templates")

setup(
    packages=[
        *find_packages(include=["arrayapi_unify", "arrayapi_unify.*"]),
        *_RUNNER,
        *(f"{name}.{part}" for name in _RUNNER for part in _PARTS),
    ],
    package_dir=_RUNNER,
)
