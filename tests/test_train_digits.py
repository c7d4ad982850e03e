"""The networks of docs/train_digits.py: equal on every backend, and drawn as they train."""

from __future__ import annotations

import functools
import importlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docs import train_digits as example
from tests.installed import EAGER, INSTALLED

pytest.importorskip("sklearn")


@pytest.fixture(scope="module")
def curves() -> dict[str, dict[str, list[float]]]:
    return example.first_losses()


def drawn(path: Path) -> dict[str, np.ndarray[Any, Any]]:
    """The points of each curve of a drawing."""
    found = re.findall(r'<g id="(\w+-\w+)">\s*<path d="([^"]*)"', path.read_text("utf-8"))
    return {
        name: np.asarray(re.findall(r"-?\d+(?:\.\d+)?", points), dtype=float).reshape(-1, 2)
        for name, points in found
    }


@pytest.mark.parametrize("network", example.NETWORKS)
class TestTraining:
    @pytest.mark.slow
    def test_first_losses_are_the_same_to_1e_6(
        self, network: str, curves: dict[str, dict[str, list[float]]]
    ) -> None:
        losses = np.asarray(list(curves[network].values()))
        assert losses.shape == (len(example.differentiating()), example.FIRST)
        assert np.ptp(losses, axis=0).max() <= 1e-6
        # It starts at a guess among ten classes, and learns.
        assert abs(losses[:, 0].mean() - np.log(10)) < 0.2
        assert losses[:, -3:].mean() < losses[:, 0].mean() - 0.15

    @pytest.mark.slow
    def test_is_pytorchs_own_network(
        self, network: str, curves: dict[str, dict[str, list[float]]]
    ) -> None:
        """The same layers, loss and optimizer of PyTorch, from the same values."""
        torch = pytest.importorskip("torch")
        ours = example.make(network, "torch")
        theirs, forward = NATIVE[network](torch, ours)
        images, labels, *_ = (x.data for x in example.digits(ours.v.head.w.__array_namespace__()))
        optimizer = torch.optim.Adam(theirs.parameters(), lr=example.RATE)
        losses = []
        for places in example.batches(len(labels), example.FIRST):
            optimizer.zero_grad()
            logits = forward(images[places])
            loss = torch.nn.functional.cross_entropy(logits, labels[places])
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        for found in curves[network].values():
            np.testing.assert_allclose(found, losses, rtol=1e-9)

    @pytest.mark.slow_on("jax")
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_forward_passes_agree_to_1e_12(self, network: str, backend: str) -> None:
        results = []
        for name in (backend, "numpy"):
            net = example.make(network, name)
            images, *_ = example.digits(next(net.v.leaves()).__array_namespace__())
            results.append(np.asarray(net(images[:16, ...])))
        assert np.abs(results[0] - results[1]).max() <= 1e-12

    @pytest.mark.slow_on("torch", "tensorflow", "jax")
    @pytest.mark.parametrize("backend", EAGER)
    @pytest.mark.parametrize("way", ["graph", "compile"])
    def test_compiled_passes_are_the_eager_ones_to_1e_12(
        self, network: str, backend: str, way: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """PyTorch traces as always, without code generation, which is slow."""
        if backend == "torch":
            module = importlib.import_module("arrayapi_unify.backends.torch._compilation")
            quick = functools.partial(module.compiled, backend="eager")
            monkeypatch.setattr(module, "compiled", quick)
        net = example.make(network, backend)
        images, *_ = example.digits(next(net.v.leaves()).__array_namespace__())
        expected = np.asarray(net(images[:16, ...]))
        if way == "graph":
            assert len(net.compile_graph(images[:16, ...])) > 5
        else:
            net.compile()
        assert np.abs(np.asarray(net(images[:16, ...])) - expected).max() <= 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("network", example.NETWORKS)
def test_pytorch_compiles_the_step(network: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Traced as always, without code generation, which is slow."""
    pytest.importorskip("torch")
    module = importlib.import_module("arrayapi_unify.backends.torch._compilation")
    programs: list[Any] = []

    def kept(graph: Any, inputs: Any) -> Any:
        programs.append(graph)
        return graph.forward

    quick = functools.partial(module.compiled, backend=kept)
    monkeypatch.setattr(module, "compiled", quick)
    losses, wanted = (
        example.train(network, "torch", 3, compile=compile)[1] for compile in (True, False)
    )
    assert programs
    np.testing.assert_allclose(losses, wanted, rtol=1e-12)


def _lstm(torch: Any, ours: Any) -> Any:
    net = torch.nn.ModuleList([torch.nn.LSTM(8, 48, batch_first=True), torch.nn.Linear(48, 10)])
    lstm, head = net.double()
    v = ours.v.lstm.layers["0"]
    with torch.no_grad():
        lstm.weight_ih_l0.copy_(v.kernel.data.T)
        lstm.weight_hh_l0.copy_(v.recurrent_kernel.data.T)
        lstm.bias_ih_l0.copy_(v.bias.data)
        lstm.bias_hh_l0.zero_()
        head.weight.copy_(ours.v.head.w.data)
        head.bias.copy_(ours.v.head.b.data)
    # Ours has only one of that layer's two biases.
    lstm.bias_hh_l0.requires_grad_(False)
    return net, lambda x: head(lstm(x)[0][:, -1])


def _convolutions(torch: Any, ours: Any) -> Any:
    make = torch.nn.Conv2d
    net = torch.nn.ModuleList(
        [make(1, 12, 3, padding=1), make(12, 24, 3, padding=1), torch.nn.Linear(96, 10)]
    ).double()
    *convolutions, head = net
    with torch.no_grad():
        for place, layer in enumerate(convolutions):
            v = ours.v.convolutions[str(place)]
            layer.weight.copy_(v.w.data.permute(3, 2, 0, 1))
            layer.bias.copy_(v.b.data)
        head.weight.copy_(ours.v.head.w.data)
        head.bias.copy_(ours.v.head.b.data)

    def forward(x: Any) -> Any:
        x = x[:, None]
        for layer in convolutions:
            x = torch.nn.functional.max_pool2d(torch.relu(layer(x)), 2)
        # Ours has channels last.
        return head(x.permute(0, 2, 3, 1).reshape(len(x), -1))

    return net, forward


NATIVE = {"lstm": _lstm, "convolutions": _convolutions}


@pytest.mark.slow
class TestDrawing:
    def test_is_that_of_these_losses(
        self, curves: dict[str, dict[str, list[float]]], tmp_path: Path
    ) -> None:
        pytest.importorskip("matplotlib")
        example.draw(curves, tmp_path / "drawing.svg")
        ours, theirs = drawn(tmp_path / "drawing.svg"), drawn(example.PLOT)
        assert set(ours) == {f"{n}-{b}" for n in curves for b in curves[n]} <= set(theirs)
        for name, points in ours.items():
            assert points.shape == (example.FIRST, 2)
            np.testing.assert_allclose(points, theirs[name], atol=0.02)

    def test_what_was_drawn_before_is_without_effect(
        self, curves: dict[str, dict[str, list[float]]], tmp_path: Path
    ) -> None:
        matplotlib = pytest.importorskip("matplotlib")
        for name, size in (("first", 10), ("second", 20)):
            with matplotlib.rc_context({"font.size": size, "axes.xmargin": 0.1}):
                before = dict(matplotlib.rcParams)
                example.draw(curves, tmp_path / name)
                assert dict(matplotlib.rcParams) == before
        assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()

    def test_other_losses_look_different(
        self, curves: dict[str, dict[str, list[float]]], tmp_path: Path
    ) -> None:
        pytest.importorskip("matplotlib")
        changed = {n: {b: list(x) for b, x in c.items()} for n, c in curves.items()}
        first = next(iter(changed["lstm"].values()))
        first[7] += 0.01
        example.draw(changed, tmp_path / "drawing.svg")
        ours, theirs = drawn(tmp_path / "drawing.svg"), drawn(example.PLOT)
        assert any(np.abs(ours[name] - theirs[name]).max() > 0.1 for name in ours)


class TestRun:
    def test_progress_is_shown(self, capsys: pytest.CaptureFixture[str]) -> None:
        backend = example.differentiating()[0]
        net, losses = example.train("convolutions", backend, 90, show=True)
        told = capsys.readouterr().out.splitlines()
        assert [re.search(r"step +(\d+)  loss \d\.\d{4}", line)[1] for line in told] == ["45", "90"]  # type: ignore[index]  # a line without is a failure
        assert len(losses) == 90
        # After two epochs most are right; the whole run reaches more than 95 %.
        assert example.accuracy(net, backend) > 0.8
