"""What type checkers see of the package; `tox -e types` checks it, and nothing runs it."""

from typing import Any, assert_type

import arrayapi_unify as unify
import arrayapi_unify.numpy as xp
from arrayapi_unify import Array, Container, DType, UnifyError


def functions(x: Array) -> None:
    """The namespaces' functions have the types of their contracts."""
    assert_type(unify.add(x, 1.0), Array)
    assert_type(unify.linalg.inv(x), Array)
    assert_type(xp.sum(x, axis=0, dtype=xp.float32), Array)
    assert_type(unify.float64, DType)
    unify.add(x, "1")  # type: ignore[call-overload]  # text is no operand


def containers(c: Container, x: Array) -> None:
    """Nestable functions take Containers as well."""
    assert_type(unify.sum(c, axis=0), Any)
    assert_type(unify.add(x, c), Any)
    assert_type(c.sum(axis=0), Container)
    assert_type(c + x, Container)


def errors(error: UnifyError) -> None:
    """Errors are caught by their names."""
    raise error
