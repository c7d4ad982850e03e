"""Each layer against `torch.nn` with the same weights: results and derivatives.

In float64 they agree to 1e-10 of the largest element of each array. In float32 ours are no farther
from PyTorch's in float64 than three times its own in float32, or one rounding of the largest
element: a distance is the largest of all results of a layer, or of all its derivatives, each
relative to the largest element of its array, in three draws of inputs and weights.
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
SEEDS = {"float64": (7,), "float32": (7, 11, 12)}
every = pytest.mark.parametrize("name", CASES)


def outputs(result: Any) -> list[Any]:
    """The arrays of a result, also of nested tuples."""
    if isinstance(result, tuple):
        return [x for part in result for x in outputs(part)]
    return [result]


def drawn(case: Case, seed: int) -> tuple[Any, list[Any]]:
    """The layer of PyTorch in float64, and its arguments."""
    rng = generator(seed)
    layer = randomized(case, rng)
    # Numbers that are far apart, so that no two are equal or change places in float32.
    values = [rng.permutation(np.prod(shape)).reshape(shape) for shape in case.shapes]
    xs = [(x / x.size - 0.5).astype("float32").astype("float64") * 4 for x in values]
    return layer, xs


def factors(results: list[Any], rng: Any) -> list[Any]:
    """Numbers by which results are multiplied and added up, so that all of them count."""
    return [rng.normal(size=y.shape).astype("float32").astype("float64") for y in results]


def of_torch(layer: Any, xs: list[Any], dtype: str, case: Case) -> tuple[Any, Any]:
    """PyTorch's results, and the derivatives by arguments and weights, with our names and forms."""
    layer = copy.deepcopy(layer).to(getattr(torch, dtype))
    given = [torch.tensor(x, dtype=getattr(torch, dtype), requires_grad=True) for x in xs]
    results = outputs(layer(*case.gather(*given), **case.options))
    weights = factors(results, generator(8))
    total = sum(
        (y * torch.tensor(w, dtype=y.dtype)).sum() for y, w in zip(results, weights, strict=True)
    )
    total.backward()
    # The conversion of weights is linear, so that it converts the derivatives by them as well.
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.copy_(parameter.grad)
    v = Module.from_torch(layer).v
    derivatives = {f"v/{chain}": np.asarray(v[chain]) for chain in v.key_chains()}
    derivatives |= {f"xs/{place}": x.grad.numpy() for place, x in enumerate(given)}
    return {str(place): y.detach().numpy() for place, y in enumerate(results)}, derivatives


def of_ours(
    layer: Any, xs: list[Any], dtype: str, backend: str, case: Case, differentiate: bool
) -> tuple[Any, Any]:
    """The same of our layer."""
    net = Module.from_torch(copy.deepcopy(layer).to(getattr(torch, dtype))).to_backend(backend)
    xp = unify.get_backend(backend)
    given = [xp.asarray(x, dtype=dtype) for x in xs]
    options = {name: xp.asarray(value.numpy()) for name, value in case.ours.items()}
    results = outputs(net(*case.gather(*given), **options))
    assert {(y.backend, str(y.dtype)) for y in results} == {(backend, dtype)}
    weights = [xp.asarray(w, dtype=dtype) for w in factors(results, generator(8))]
    found = {str(place): unify.to_numpy(y) for place, y in enumerate(results)}
    if not differentiate:
        return found, {}

    def total(p: Any) -> Any:
        made = outputs(
            net.stateless_call(p.v, net.buffers, *case.gather(*p.xs.values()), **options)[0]
        )
        return sum((xp.sum(y * w) for y, w in zip(made, weights, strict=True)), 0.0)

    p = unify.Container(v=net.v, xs={str(place): x for place, x in enumerate(given)})
    grads = unify.grad(total)(p)
    return found, {chain: unify.to_numpy(grads[chain]) for chain in grads.key_chains()}


def distance(found: Any, exact: Any) -> float:
    """The largest error of several arrays, each relative to the largest element of its array."""
    worst = 0.0
    for name, y in exact.items():
        x = found[name]
        assert x.shape == y.shape
        error = np.abs(x.astype("float64") - y).max(initial=0.0)
        worst = max(worst, error / (np.abs(y).max(initial=0.0) or 1.0))
    return worst


@every
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("backend", INSTALLED)
def test_results_and_derivatives(name: str, dtype: str, backend: str) -> None:
    case, differentiate = CASES[name], backend in DIFFERENTIATING
    mine, theirs = [0.0, 0.0], [0.0, 0.0]  # distances of results and derivatives
    for seed in SEEDS[dtype]:
        layer, xs = drawn(case, seed)
        exact, rounded = (of_torch(layer, xs, kind, case) for kind in ("float64", dtype))
        found = of_ours(layer, xs, dtype, backend, case, differentiate)
        if differentiate:
            assert found[1].keys() == exact[1].keys()
        for kind, wanted in enumerate(exact[: 1 + differentiate]):
            mine[kind] = max(mine[kind], distance(found[kind], wanted))
            theirs[kind] = max(theirs[kind], distance(rounded[kind], wanted))
    for x, y in zip(mine, theirs, strict=True):
        limit = TOLERANCE if dtype == "float64" else max(3 * y, float(np.finfo(dtype).eps))
        assert x <= limit, f"{x} from PyTorch in float64, of which itself is {y} away"


@every
def test_there_and_back(name: str) -> None:
    """`to_torch` gives a layer of `torch.nn` with the same names, values and results."""
    case = CASES[name]
    theirs, xs = drawn(case, 7)
    back = Module.from_torch(theirs).to_torch()
    assert type(back).__module__.startswith("torch.nn.modules.")
    tensors = back.state_dict()
    assert tensors.keys() == theirs.state_dict().keys()
    assert all(torch.equal(tensors[key], value) for key, value in theirs.state_dict().items())
    given = case.gather(*map(torch.tensor, xs))
    found, expected = (outputs(layer(*given, **case.options)) for layer in (back, theirs))
    mine, wanted = ({i: y.detach().numpy() for i, y in enumerate(ys)} for ys in (found, expected))
    assert distance(mine, wanted) < TOLERANCE
