"""The page of completeness agrees with the backends."""

from __future__ import annotations

import inspect

import pytest

import arrayapi_unify as unify
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.errors import BackendError
from docs import completeness
from docs.render_readme import TITLES
from tests.installed import INSTALLED


def test_has_every_function_once() -> None:
    page = completeness.render()
    for name in CONTRACTS:
        assert page.count(f"\n| `{name}` |") == 1, name


@pytest.mark.quick
@pytest.mark.skipif(set(INSTALLED) != set(TITLES), reason="a library isn't installed")
def test_is_what_the_backends_have() -> None:
    """Otherwise: delete docs/completeness.json, and run `python -m docs`."""
    rows = completeness.computed()
    for name, words in completeness.measured().items():
        assert rows[name] == words, name


def test_primary_functions_are_native_everywhere() -> None:
    assert all(not contract.missing_on for contract in CONTRACTS.values())


@pytest.mark.parametrize("name", sorted(completeness.REFUSED))
def test_refused_are_refused(name: str) -> None:
    x = unify.asarray([1.0, 2.0])
    calls = {
        "execute_with_gradients": lambda: unify.execute_with_gradients(unify.sum, x),
        "jvp": lambda: unify.jvp(unify.sum, (x,), (x,)),
        "vjp": lambda: unify.vjp(unify.sum, x),
    }
    with pytest.raises(BackendError, match="can't differentiate"):
        calls.get(name, lambda: getattr(unify, name)(unify.sum)(x))()


@pytest.mark.parametrize("name", ["checkpoint", "vmap", "stop_gradient"])
def test_others_of_gradients_run_on_numpy(name: str) -> None:
    x = unify.asarray([1.0, 2.0])
    calls = {
        "checkpoint": lambda: unify.checkpoint(unify.sin)(x),
        "vmap": lambda: unify.vmap(unify.sin)(x),
        "stop_gradient": lambda: unify.stop_gradient(x),
    }
    assert calls[name]().backend == "numpy"
    assert "refused" not in completeness.computed()[name]


@pytest.mark.parametrize(
    ("name", "word"),
    [("sin", "yes"), ("linalg.qr", "not compared"), ("linalg.det", "yes, but"), ("floor", "zero"),
     ("argmax", "integers"), ("set_backend", "–"), ("shape", "–"), ("zeros", "–")],
)  # fmt: skip
def test_derivatives(name: str, word: str) -> None:
    assert completeness.derived(name) == word


def test_functions_that_compute_one_array_take_out() -> None:
    """README.md and the changelog say so; these convert, write to an array, or take a nest."""
    lacking = {
        name
        for name, contract in CONTRACTS.items()
        if str(inspect.signature(contract.public).return_annotation).strip("'") == "Array"
        and "out" not in inspect.signature(contract.public).parameters
    }
    assert lacking == {
        "array", "asarray", "from_dlpack", "nn.global_norm", "set_item", "stop_gradient",
        "to_backend",
    }  # fmt: skip
