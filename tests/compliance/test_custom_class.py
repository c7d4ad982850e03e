"""`class:MODULE:MAKE`: a namespace whose arrays are objects of a class."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Iterator
from typing import Any

import pytest

import arrayapi_unify as unify
from compliance.custom_class import namespace_of
from compliance.errors import NamespaceError
from compliance.namespaces import Namespace, load, parse, suite_variable
from tests.measured_classes import Derived, Proxy

MODULE = "tests.measured_classes"


@pytest.fixture(autouse=True)
def _backend() -> Iterator[None]:
    yield
    unify.unset_backend()


class Losing(Proxy):
    """Returns the array itself for one function."""

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        found = super().__ivy_array_function__(func, types, args, kwargs)
        return found._array if func is unify.sqrt else found


class Unclosed(Proxy):
    """Loses its class in operators alone."""

    def __add__(self, other: Any) -> Any:
        return self._array + other

    def __getitem__(self, key: Any) -> Any:
        return self._array[key]


def of_two(array: Any, unit: str) -> Any:
    return Proxy(array)


def array_itself(array: Any) -> Any:
    return array


def test_names() -> None:
    text = "class:tests.measured_classes:Proxy@torch"
    assert parse(text) == Namespace(
        text, "tests.measured_classes.Proxy@torch", MODULE, "torch", make="Proxy"
    )
    assert "measured_classes:Proxy@torch" in suite_variable(parse(text))
    for wrong in ("class:a", "class:a:b@nothing", "class:a:b.c", "class::b", "class:a b:c"):
        with pytest.raises(NamespaceError, match="does not name a namespace"):
            parse(wrong)


@pytest.mark.parametrize("kind", [Proxy, Derived])
def test_objects(kind: type) -> None:
    """Functions make objects, also in extensions; data types and constants are the same."""
    xp = load(f"class:{MODULE}:{kind.__name__}")
    x = xp.linspace(0.0, 1.0, 4)
    assert type(x) is type(xp.fft.fft(xp.astype(x, xp.complex128))) is kind
    assert {type(one) for one in xp.meshgrid(x, x)} == {kind}
    assert type(xp.linalg.eigh(xp.eye(2)).eigenvalues) is kind
    assert type(xp.from_dlpack(unify.numpy.ones(2).data)) is kind
    assert (x.dtype, xp.result_type(x, xp.float32)) == (xp.float64, xp.float64)
    assert xp.pi == unify.pi
    assert inspect.signature(xp.sum) == inspect.signature(unify.sum)
    assert xp.__array_namespace_info__().capabilities()["boolean indexing"]


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch isn't installed")
def test_backend() -> None:
    assert load(f"class:{MODULE}:Proxy@torch").ones(2).backend == "torch"


def test_a_class_that_is_lost() -> None:
    xp = namespace_of(__name__, "Losing", None)
    x = xp.ones(2)
    assert type(xp.exp(x)) is Proxy
    with pytest.raises(AssertionError, match="sqrt: the result for a Losing is a plain Array"):
        xp.sqrt(x)
    with pytest.raises(AssertionError, match="exp: an argument is a plain Array"):
        xp.exp(unify.ones(2))


def test_operators_that_lose_the_class() -> None:
    x = namespace_of(__name__, "Unclosed", None).ones(2)
    for call in (lambda: x + 1, lambda: x[0]):
        with pytest.raises(AssertionError, match="__: the result is a plain Array"):
            call()
    assert type(x * 2) is Proxy


@pytest.mark.parametrize(
    ("make", "message"),
    [
        ("of_two", "of_two.array. raised TypeError: .*unit"),
        ("absent", "has no function or class absent"),
        ("array_itself", "overrides no functions"),
    ],
)
def test_no_class(make: str, message: str) -> None:
    with pytest.raises(NamespaceError, match=message):
        namespace_of(__name__, make, None)
