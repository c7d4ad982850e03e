"""Settings that save time leave the compiled kernels as they are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installed import INSTALLED

_TORCH = """
import torch
from tests.compiled.quickly import QUICKLY
QUICKLY["torch"]()

def program(x, i):
    return torch.sin(torch.linalg.qr(torch.exp(x))[0]) + 1, x[i]

x, compiled = torch.rand(3, 3), torch.compile(program)
for found, wanted in zip(compiled(x, torch.tensor([2])), program(x, torch.tensor([2]))):
    torch.testing.assert_close(found, wanted)
try:
    compiled(x, torch.tensor([3]))
except (RuntimeError, IndexError) as error:
    print("raised", error)
"""
_JAX = """
import sys
from tests.compiled.quickly import QUICKLY
if "quickly" in sys.argv:
    QUICKLY["jax"]()
import arrayapi_unify as unify
import arrayapi_unify.jax as xp

def program(x):
    return xp.log1p(xp.abs(x)), xp.remainder(x, 3.0), xp.sum(x, axis=0)

unify.compile(program)(xp.asarray([[1.0, 2.0], [3.0, -4.0]]))
xp.sinh(xp.asarray([1.0, 2.0]))
"""


def _run(code: str, *arguments: str, **variables: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    env = {**os.environ, **variables}
    return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout


@pytest.mark.slow
@pytest.mark.skipif("torch" not in INSTALLED, reason="PyTorch isn't installed")
def test_one_run_of_the_compiler(tmp_path: Path) -> None:
    printed = _run(_TORCH, TORCHINDUCTOR_CACHE_DIR=str(tmp_path))
    assert "raised" in printed
    assert "out of bounds" in printed
    (source,) = tmp_path.glob("*/*.main.cpp")
    assert source.read_text().count('extern "C"') == 2


@pytest.mark.slow
@pytest.mark.skipif("jax" not in INSTALLED, reason="JAX isn't installed")
def test_kernels_of_jax(tmp_path: Path) -> None:
    """The machine code of a compiled program is the usual one, that of eager calls another."""
    found = []
    for name in ("usual", "quickly"):
        folder = tmp_path / name
        flags = f"--xla_dump_to={folder} --xla_dump_hlo_as_text"
        _run(_JAX, name, XLA_FLAGS=flags, JAX_ENABLE_COMPILATION_CACHE="0")
        paths = {path.name.split(".", 2)[-1]: path for path in folder.glob("*.o")}
        compiled = {name: p.read_bytes() for name, p in paths.items() if ".jit_compiled." in p.name}
        found.append((compiled, {p.read_bytes() for p in paths.values()} - {*compiled.values()}))
    (usual, usual_eager), (quickly, eager) = found
    assert len(usual) > 1
    assert quickly == usual
    assert eager != usual_eager
