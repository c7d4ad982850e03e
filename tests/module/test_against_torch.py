"""Each layer against `torch.nn` with the same weights: results and derivatives.

In float64 they agree to 1e-10 of the largest element. In float32 ours are no farther from
PyTorch's in float64 than three times its own in float32, or one rounding of the largest element.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Module
from tests.installed import DIFFERENTIATING, INSTALLED
from tests.module.torch_table import CASES, Case, randomized, torch
from tests.numbers import generator

TOLERANCE = 1e-10
every = pytest.mark.parametrize("name", CASES)


def outputs(result: Any) -> list[Any]:
    """The arrays of a result, also of nested tuples."""
    if isinstance(result, tuple):
        return [x for part in result for x in outputs(part)]
    return [result]


def drawn(case: Case) -> tuple[Any, list[Any], Any]:
    """The layer of PyTorch in float64, its arguments, and a generator of further numbers."""
    rng = generator(7)
    layer = randomized(case, rng)
    # Numbers that are far apart, so that no two are equal or change places in float32.
    values = [rng.permutation(np.prod(shape)).reshape(shape) for shape in case.shapes]
    xs = [(x / x.size - 0.5).astype("float32").astype("float64") * 4 for x in values]
    return layer, xs, rng


def factors(results: list[Any], rng: Any) -> list[Any]:
    """Numbers by which results are multiplied and added up, so that all of them count."""
    return [rng.normal(size=y.shape).astype("float32").astype("float64") for y in results]


def of_torch(layer: Any, xs: list[Any], dtype: str, case: Case) -> tuple[list[Any], Any, Any]:
    """PyTorch's results, and the derivatives by the arguments and by the weights, as ours."""
    layer = copy.deepcopy(layer).to(getattr(torch, dtype))
    given = [torch.tensor(x, dtype=getattr(torch, dtype), requires_grad=True) for x in xs]
    results = outputs(layer(*given, **case.options))
    weights = factors(results, generator(8))
    total = sum(
        (y * torch.tensor(w, dtype=y.dtype)).sum() for y, w in zip(results, weights, strict=True)
    )
    total.backward()
    # The conversion of weights is linear, so that it converts the derivatives by them as well.
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.copy_(parameter.grad)
    converted = {k: np.asarray(v) for k, v in flat(Module.from_torch(layer)).items()}
    return [y.detach().numpy() for y in results], [x.grad.numpy() for x in given], converted


def flat(module: Any) -> dict[str, Any]:
    return {chain: module.v[chain] for chain in module.v.key_chains()}


def of_ours(
    layer: Any, xs: list[Any], dtype: str, backend: str, case: Case, differentiate: bool
) -> tuple[list[Any], Any, Any]:
    """The same of our layer."""
    net = Module.from_torch(copy.deepcopy(layer).to(getattr(torch, dtype))).to_backend(backend)
    xp = unify.get_backend(backend)
    given = [xp.asarray(x, dtype=dtype) for x in xs]
    options = {name: xp.asarray(value) for name, value in case.ours.items()}
    results = outputs(net(*given, **options))
    assert {(y.backend, str(y.dtype)) for y in results} == {(backend, dtype)}
    weights = [xp.asarray(w, dtype=dtype) for w in factors(results, generator(8))]
    found = [unify.to_numpy(y) for y in results]
    if not differentiate:
        return found, [], {}

    def total(p: Any) -> Any:
        made = outputs(net.stateless_call(p.v, net.buffers, *p.xs.values(), **options)[0])
        return sum((xp.sum(y * w) for y, w in zip(made, weights, strict=True)), 0.0)

    p = unify.Container(v=net.v, xs={str(place): x for place, x in enumerate(given)})
    grads = unify.grad(total)(p)
    own = {chain: unify.to_numpy(grads.v[chain]) for chain in net.v.key_chains()}
    return found, [unify.to_numpy(x) for x in grads.xs.values()], own


def check(mine: Any, exact: Any, rounded: Any, dtype: str, told: str) -> None:
    """Raise if an array is too far from PyTorch's."""
    assert mine.shape == exact.shape, told
    size = np.abs(exact).max(initial=0.0)
    error = np.abs(mine.astype("float64") - exact).max(initial=0.0)
    if dtype == "float64":
        assert error <= TOLERANCE * size, f"{told}: {error} of {size}"
        return
    theirs = np.abs(rounded.astype("float64") - exact).max(initial=0.0)
    limit = max(3 * theirs, np.finfo("float32").eps * size)
    assert error <= limit, f"{told}: {error}, PyTorch's {theirs}, of {size}"


@every
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("backend", INSTALLED)
def test_results_and_derivatives(name: str, dtype: str, backend: str) -> None:
    case = CASES[name]
    layer, xs, _ = drawn(case)
    differentiate = backend in DIFFERENTIATING
    exact, rounded = (of_torch(layer, xs, kind, case) for kind in ("float64", dtype))
    mine = of_ours(layer, xs, dtype, backend, case, differentiate)
    for place, found in enumerate(mine[0]):
        check(found, exact[0][place], rounded[0][place], dtype, f"result {place}")
    if not differentiate:
        return
    for place, found in enumerate(mine[1]):
        check(found, exact[1][place], rounded[1][place], dtype, f"by argument {place}")
    assert mine[2].keys() == exact[2].keys()
    for chain, found in mine[2].items():
        check(found, exact[2][chain], rounded[2][chain], dtype, f"by {chain}")


@every
def test_there_and_back(name: str) -> None:
    """`to_torch` gives a layer of `torch.nn` with the same names, values and results."""
    case = CASES[name]
    theirs, xs, _ = drawn(case)
    back = Module.from_torch(theirs).to_torch()
    assert type(back).__module__.startswith("torch.nn.modules.")
    mine, wanted = back.state_dict(), theirs.state_dict()
    assert mine.keys() == wanted.keys()
    assert all(torch.equal(mine[key], value) for key, value in wanted.items())
    given = [torch.tensor(x) for x in xs]
    pairs = zip(
        outputs(back(*given, **case.options)), outputs(theirs(*given, **case.options)), strict=True
    )
    for y, expected in pairs:
        check(y.detach().numpy(), expected.detach().numpy(), None, "float64", "result")
