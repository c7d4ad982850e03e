"""B59: tests run in a process in which JAX has eight devices, which XLA makes of the CPU."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.slow import SHARE

# Calls with DTensors that raise: PyTorch has no sharding rule, or a value is looked at.
FAILING = {
    "argwhere", "bincount", "conj", "digitize", "nn.dropout", "flatnonzero", "nn.gru_cell",
    "nn.gru_update",
    "histogram", "histogram2d", "histogramdd", "interp", "intersect1d", "nn.lstm_update",
    "nonzero", "nn.rnn_update", "searchsorted",
    "setdiff1d", "union1d", "unique", "unique_all", "unique_counts", "unique_inverse",
    "unique_values",
}  # fmt: skip
# Calls that raise in two processes of JAX: what they ask for lies in both.
REFUSED = {
    "to_device": "lies in 2 processes",
    "tolist": "lies in 2 processes",
    "np.asarray": "lies in 2 processes",
    "dlpack": "lies on several devices",
    "x[9]": "index 9 is out of bounds",
    "x ** -1": "negative",
    "inv": "singular",
    "cholesky": "isn't positive definite",
}
HERE = Path(__file__).parent
# A collective of XLA's CPU needs a thread for each device, or ends the process after 40 seconds.
FLAGS = {
    "XLA_FLAGS": "--xla_force_host_platform_device_count=8", "JAX_PLATFORMS": "cpu", "NPROC": "32",
}  # fmt: skip


@pytest.mark.slow  # a process that compiles for eight devices
@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("checks.py", "not slow"),
        ("programs.py", "not slow"),
        *((file, "slow") for file in ("checks.py", "looks.py", "programs.py")),
    ],
)
def test_on_eight_devices(file: str, kind: str) -> None:
    pytest.importorskip("jax")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += ["-m", kind, str(HERE / file)]
    root = str(HERE.parents[1])
    environment = {**os.environ, **FLAGS, "PYTHONPATH": root}
    if file == "looks.py":  # one test, which was drawn if this one was
        environment.pop(SHARE, None)
    done = subprocess.run(
        command, env=environment, cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]


@pytest.mark.slow
def test_losses_of_the_page() -> None:
    """The losses of the worked example: alike on one device, on eight, and after a checkpoint."""
    pytest.importorskip("jax")
    root = HERE.parents[1]
    done = subprocess.run(
        [sys.executable, "-m", "docs.many_devices"], cwd=root, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(root)}, check=True,
    )  # fmt: skip
    losses = {line.partition(":")[2] for line in done.stdout.splitlines()}
    assert len(losses) == 1
    assert done.stdout in (root / "docs" / "many_devices.md").read_text("utf-8")


def _in_two_processes(
    module: str, more: list[str], flags: dict[str, str], folder: Path
) -> dict[str, str]:
    """Run a module in two processes; return the outcomes, which are the same in both."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    root = str(HERE.parents[1])
    files = [folder / f"{rank}.jsonl" for rank in (0, 1)]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", f"tests.meshes.{module}", str(rank), str(port), *more, file],
            cwd=root, env={**os.environ, **flags, "PYTHONPATH": root}, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )
        for rank, file in enumerate(files)
    ]  # fmt: skip
    said = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0, 0], said[0][-3000:] + said[1][-3000:]
    first, second = (dict(map(json.loads, file.read_text().splitlines())) for file in files)
    assert first == second
    return first


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 3])
def test_in_two_processes(size: int, tmp_path: Path) -> None:
    """Every call ends in both processes, with the same result or the same error."""
    pytest.importorskip("jax")
    flags = {**FLAGS, "XLA_FLAGS": "--xla_force_host_platform_device_count=4"}
    first = _in_two_processes("processes", [str(size)], flags, tmp_path)
    raised = {name: text for name, text in first.items() if "Error: " in text}
    whole = {"to_device"} if size == 2 else set()  # its three elements aren't split over two
    assert raised.keys() == REFUSED.keys() - whole
    assert {name: text for name, text in raised.items() if REFUSED[name] not in text} == {}


@pytest.mark.slow
def test_dtensors(tmp_path: Path) -> None:
    """No result is wrong, and no write is lost: it goes into the array, or is refused."""
    pytest.importorskip("torch")
    found = _in_two_processes("dtensors", [], {}, tmp_path)
    assert "<split>" in found.pop("repr")
    assert found.pop("type of zeros_like") == "DTensor"
    refused = {name: found.pop(name) for name in ("x[1:3][...] = 5", "x[1:3] += 5")}
    assert all("assign to the array that was indexed" in text for text in refused.values())
    assert {name for name, outcome in found.items() if outcome != "right"} == FAILING
    assert not [name for name, outcome in found.items() if outcome.startswith("wrong")]
