"""Conversion of layers between `torch.nn` and ours, in both directions."""

from __future__ import annotations

import re
import warnings
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Module
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.installed import INSTALLED
from tests.nn.networks import Nested, Tied, make_key
from tests.numbers import generator

torch = pytest.importorskip("torch")
nn = torch.nn
RNG = generator(5)


def numbers(*shape: int) -> Any:
    return torch.from_numpy(RNG.normal(size=shape))


def indices(*shape: int) -> Any:
    return torch.from_numpy(RNG.integers(0, 6, size=shape))


# A layer of PyTorch, and its input.
LAYERS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "Linear": (lambda: nn.Linear(4, 3), lambda: numbers(2, 4)),
    "Linear without bias": (lambda: nn.Linear(4, 3, bias=False), lambda: numbers(2, 4)),
    "Conv1d": (lambda: nn.Conv1d(4, 6, 3, 2, 1, 2, 2), lambda: numbers(2, 4, 9)),
    "Conv2d": (lambda: nn.Conv2d(2, 3, (3, 2), 1, (2, 1)), lambda: numbers(2, 2, 6, 5)),
    "Conv2d same": (lambda: nn.Conv2d(2, 3, (3, 5), padding="same"), lambda: numbers(2, 2, 6, 5)),
    "Conv3d": (lambda: nn.Conv3d(2, 3, 2, bias=False), lambda: numbers(2, 2, 4, 4, 4)),
    "Embedding": (lambda: nn.Embedding(6, 3), lambda: indices(2, 4)),
    "LSTM": (lambda: nn.LSTM(3, 4, 2, batch_first=True), lambda: numbers(2, 5, 3)),
    "GRU": (lambda: nn.GRU(3, 4, 2, batch_first=True), lambda: numbers(2, 5, 3)),
    "GRU without bias": (
        lambda: nn.GRU(3, 4, bias=False, batch_first=True), lambda: numbers(2, 5, 3)
    ),
    "LayerNorm": (lambda: nn.LayerNorm((3, 4), eps=1e-3), lambda: numbers(2, 3, 4)),
    "LayerNorm without offset": (lambda: nn.LayerNorm(4, bias=False), lambda: numbers(2, 4)),
    "BatchNorm1d": (lambda: nn.BatchNorm1d(3, momentum=0.3), lambda: numbers(4, 3)),
    "BatchNorm2d": (lambda: nn.BatchNorm2d(3, affine=False), lambda: numbers(4, 3, 2, 2)),
    "Sequential": (
        lambda: nn.Sequential(
            OrderedDict(
                first=nn.Linear(4, 5), act=nn.Tanh(),
                inner=nn.Sequential(nn.BatchNorm1d(5), nn.ReLU(), nn.Linear(5, 2)),
            )
        ),
        lambda: numbers(3, 4),
    ),
}  # fmt: skip
every = pytest.mark.parametrize("name", LAYERS)


def randomized(layer: Any) -> Any:
    """The layer in float64, with biases and factors that have an effect."""
    with torch.no_grad():
        for parameter in layer.double().parameters():
            parameter.copy_(numbers(*parameter.shape))
    return layer


def flat(result: Any) -> list[Any]:
    """The arrays of a result, also of nested tuples."""
    if isinstance(result, tuple):
        return [x for part in result for x in flat(part)]
    return [result.detach().numpy() if isinstance(result, torch.Tensor) else np.asarray(result)]


def close(ours: Any, theirs: Any) -> None:
    for x, y in zip(flat(ours), flat(theirs), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-13)


class TestFromTorch:
    @every
    def test_computes_the_same(self, name: str) -> None:
        make, given = LAYERS[name]
        theirs, x = randomized(make()), given()
        ours = Module.from_torch(theirs)
        for mode in (True, False):  # in this order, so that running statistics have an effect
            close(ours.train(mode)(x), theirs.train(mode)(x))

    @every
    def test_there_and_back(self, name: str) -> None:
        theirs = randomized(LAYERS[name][0]()).eval()
        back = Module.from_torch(theirs).to_torch()
        mine, wanted = back.state_dict(), theirs.state_dict()
        assert [k for k in wanted if k in mine or "batches" not in k] == list(wanted)
        assert mine.keys() == wanted.keys()
        for key, value in wanted.items():
            assert torch.equal(mine[key], value), key
        x = LAYERS[name][1]()
        assert not back.training
        close(back(x), theirs(x))

    @pytest.mark.parametrize("context", [None, 6])
    def test_attention(self, context: int | None) -> None:
        options = {"kdim": context, "vdim": context, "batch_first": True}
        theirs = randomized(nn.MultiheadAttention(8, 2, **options))
        x, other = numbers(2, 4, 8), numbers(2, 5, context or 8)
        ours = Module.from_torch(theirs)
        wanted = theirs(x, other, other)[0]
        close(ours(x, other), wanted)
        back = ours.to_torch()
        assert back.state_dict().keys() == theirs.state_dict().keys()
        close(back(x, other, other)[0], wanted)

    def test_names(self) -> None:
        ours = Module.from_torch(LAYERS["Sequential"][0]())
        assert list(ours.v.key_chains()) == [
            "first/w", "first/b", "inner/0/scale", "inner/0/offset", "inner/2/w", "inner/2/b",
        ]  # fmt: skip

    def test_has_memory_of_its_own(self) -> None:
        theirs = nn.Linear(2, 2)
        ours = Module.from_torch(theirs)
        before = ours.v.w.tolist()
        with torch.no_grad():
            theirs.weight.zero_()
        assert ours.v.w.tolist() == before != theirs.weight.tolist()

    def test_dropout(self) -> None:
        ours = Module.from_torch(nn.Sequential(nn.Dropout(0.25), nn.Linear(100, 1)))
        assert ours[0].rate == 0.25
        assert ours(numbers(3, 100).float()).shape == (3, 1)
        assert ours.to_torch()[0].p == 0.25

    def test_shared_weights(self) -> None:
        theirs = nn.Sequential(nn.Embedding(5, 3), nn.Linear(3, 5, bias=False))
        theirs[1].weight = theirs[0].weight
        ours = Module.from_torch(theirs)
        assert list(ours.v.key_chains()) == ["0/w"]
        back = ours.to_torch()
        assert back[1].weight is back[0].weight
        layer = nn.Linear(3, 3)
        twice = Module.from_torch(nn.Sequential(layer, layer))
        assert twice[0] is twice[1]
        again = twice.to_torch()
        assert again[0] is again[1]

    @pytest.mark.parametrize(
        ("make", "told"),
        [
            (lambda: nn.LSTM(3, 4), "LSTM with batch_first=False"),
            (lambda: nn.GRU(3, 4, batch_first=True, bidirectional=True), "bidirectional=True"),
            (lambda: nn.Conv1d(1, 1, 3, padding=1, padding_mode="circular"), "'circular'"),
            (lambda: nn.Embedding(3, 2, padding_idx=0), "padding_idx=0"),
            (lambda: nn.BatchNorm1d(3, momentum=None), "momentum=None"),
            (lambda: nn.MultiheadAttention(4, 2), "batch_first=False"),
            (lambda: nn.Transformer(4, 2, 1, 1, 4, batch_first=True), "whose forward isn't known"),
            (lambda: nn.Sequential(OrderedDict(train=nn.ReLU())), "train"),
            (lambda: 3, "is 3"),
        ],
    )
    def test_what_ours_cannot_do(self, make: Callable[[], Any], told: str) -> None:
        with pytest.raises((UnifyTypeError, UnifyValueError, KeyError), match=re.escape(told)):
            Module.from_torch(make())


class TestToTorch:
    @pytest.mark.slow_on("jax")
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_modules_of_users(self, backend: str) -> None:
        """A custom Module becomes a `torch.nn.Module` that calls it, from any backend."""
        ours = Nested(make_key(backend)).eval()
        theirs, x = ours.to_torch(), numbers(4, 3)
        assert [n.replace(".", "/") for n, _ in theirs.named_parameters()] != []
        assert {n.replace(".", "/") for n, _ in theirs.named_parameters()} == set(
            ours.v.key_chains()
        )
        wanted = np.asarray(ours(unify.get_backend(backend).asarray(x.numpy())))
        np.testing.assert_allclose(theirs(x).detach().numpy(), wanted, rtol=1e-12)
        assert theirs.train().training
        theirs(x)
        assert not ours.training

    def test_keeps_buffers(self) -> None:
        ours = Nested(make_key("torch"))
        theirs, x = ours.to_torch(), numbers(4, 3)
        theirs(x)
        ours(x)
        mean = theirs.state_dict()["blocks.1.inner.running_mean"]
        np.testing.assert_allclose(mean, ours.buffers["blocks/1/inner/running_mean"], rtol=1e-12)

    def test_shared_variables_are_one_parameter(self) -> None:
        theirs = Tied(make_key("torch")).to_torch()
        assert [name for name, _ in theirs.named_parameters()] == ["table.w"]

    def test_a_function_that_torch_has_not(self) -> None:
        with pytest.raises(UnifyTypeError, match="argument 'layer' is a function, which"):
            unify.Sequential(lambda x: x).to_torch()


def _hooked(register: str) -> Any:
    layer = torch.nn.Linear(2, 2)
    getattr(layer, register)(lambda *_: None)
    return torch.nn.Sequential(torch.nn.ReLU(), layer)


def _replaced() -> Any:
    layer = torch.nn.Linear(2, 2)
    layer.forward = lambda x: x
    return torch.nn.Sequential(torch.nn.ReLU(), layer)


def _activation() -> Any:
    layer = torch.nn.ReLU()
    layer.register_forward_hook(lambda *_: None)
    return torch.nn.Sequential(torch.nn.Linear(2, 2), layer)


CHANGED = {
    "forward pre-hooks": lambda: _hooked("register_forward_pre_hook"),
    "forward hooks": lambda: _hooked("register_forward_hook"),
    "backward hooks": lambda: _hooked("register_full_backward_hook"),
    "backward pre-hooks": lambda: _hooked("register_full_backward_pre_hook"),
    "another 'forward'": _replaced,
    "forward hooks ": _activation,
}


@pytest.mark.parametrize("change", CHANGED)
def test_what_would_be_lost(change: str) -> None:
    """FAULTS 5.11: hooks, and so `weight_norm`, and a replaced forward."""
    with pytest.raises(UnifyTypeError, match=rf"layer '1'.*{change.strip()}.*remove it"):
        unify.Module.from_torch(CHANGED[change]())


def test_weight_norm() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecated
        layer = torch.nn.utils.weight_norm(torch.nn.Linear(2, 2))
    with pytest.raises(UnifyTypeError, match="WeightNorm"):
        unify.Module.from_torch(layer)
    torch.nn.utils.remove_weight_norm(layer)
    assert unify.Module.from_torch(layer).v.w.shape == (2, 2)
