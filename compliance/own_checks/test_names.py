"""Every name of the standard exists."""

from typing import Any

import pytest

from ..standard import STANDARD

MAIN = [
    name
    for category, functions in STANDARD.functions.items()
    for name in functions
    if category not in STANDARD.extensions
]
EXTENSION = [f"{ext}.{name}" for ext in STANDARD.extensions for name in STANDARD.functions[ext]]
MEMBERS = [*STANDARD.array_methods, *STANDARD.data["array_attributes"]]


@pytest.mark.parametrize("name", MAIN)
def test_function_exists(xp: Any, name: str) -> None:
    """Functions of the main namespace."""
    assert callable(getattr(xp, name, None)), f"{name} is missing"


@pytest.mark.parametrize("name", EXTENSION)
def test_extension_function_exists(xp: Any, name: str) -> None:
    """Functions of the extensions, which are optional as a whole but not in part."""
    extension, _, plain = name.partition(".")
    assert callable(getattr(getattr(xp, extension, None), plain, None)), f"{name} is missing"


@pytest.mark.parametrize("name", [*STANDARD.dtypes, *STANDARD.data["constants"]])
def test_dtype_or_constant_exists(xp: Any, name: str) -> None:
    """Data types and constants."""
    assert hasattr(xp, name), f"{name} is missing"


@pytest.mark.parametrize("name", MEMBERS)
def test_array_member_exists(xp: Any, name: str) -> None:
    """Methods and attributes of the array object."""
    # hasattr on the type, because reading some attributes of an instance computes, such as T.
    assert hasattr(type(xp.ones((2, 2))), name), f"the array object has no {name}"


@pytest.mark.parametrize("name", list(STANDARD.info_methods))
def test_info_method_exists(xp: Any, name: str) -> None:
    """Methods of the inspection object."""
    info = xp.__array_namespace_info__()
    assert callable(getattr(info, name, None)), f"the info object has no {name}"


def test_array_namespace_is_stable(xp: Any) -> None:
    """An array's namespace creates such arrays, and is always the same object."""
    array = xp.ones(3)
    namespace = array.__array_namespace__()
    assert type(namespace.zeros(2)) is type(array)
    assert array.__array_namespace__() is namespace
