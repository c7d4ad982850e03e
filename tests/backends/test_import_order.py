"""Triton is imported before TensorFlow: the other order crashes the process (_triton_first.py)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arrayapi_unify import backends

# Ends the process if it is imported too late, as triton does.
STAND_IN = """
import os, sys
if "tensorflow" in sys.modules:
    os._exit(139)
"""
LOADED = "; import sys; print('triton' in sys.modules, 'tensorflow' in sys.modules)"
COMPILED = """
def double(x):
    return x * 2.0

try:
    print(unify.compile(double)(unify.torch.asarray([1.0, 2.0])).to_native())
except unify.BackendError as error:
    print(error)
"""

pytestmark = pytest.mark.slow  # each process imports several frameworks


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    (tmp_path / "triton.py").write_text(STAND_IN, encoding="utf-8")
    return tmp_path


def run(code: str, *folders: Path) -> str:
    """Return what a fresh process prints; one that fails or ends early is an error."""
    paths = [*map(str, folders), str(Path(__file__).parents[2])]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout


@pytest.mark.parametrize(
    "first",
    [
        "import arrayapi_unify as unify; unify.get_backend('tensorflow').ones(3)",
        "import arrayapi_unify.tensorflow",
        "import arrayapi_unify.backends.tensorflow.elementwise",
        "import arrayapi_unify as unify; unify.set_backend('tensorflow')",
    ],
)
def test_tensorflow_comes_after_triton(stand_in: Path, first: str) -> None:
    assert run(first + LOADED, stand_in) == "True True\n"


@pytest.mark.parametrize("name", [name for name in backends.REGISTRY if name != "tensorflow"])
def test_other_backends_import_no_triton(stand_in: Path, name: str) -> None:
    code = f"import arrayapi_unify.{name} as xp; xp.ones(3) + 1" + LOADED
    assert run(code, stand_in) == "False False\n"


def test_a_users_tensorflow_is_left_alone(stand_in: Path) -> None:
    code = "import tensorflow, arrayapi_unify.tensorflow as xp; xp.ones(3)" + LOADED
    assert run(code, stand_in) == "False True\n"


def test_compile_says_that_a_users_tensorflow_came_first(stand_in: Path) -> None:
    code = "import tensorflow\nimport arrayapi_unify as unify, arrayapi_unify.torch\n" + COMPILED
    assert "import triton, or arrayapi_unify.tensorflow, before tensorflow" in run(code, stand_in)


def test_tensorflow_and_the_compiler_of_torch_live_in_one_process() -> None:
    """With the installed triton, or without one."""
    code = (
        "import arrayapi_unify as unify, arrayapi_unify.torch\n"
        "unify.get_backend('tensorflow').ones(3)\n"
        "import torch\n"
        "torch.optim.SGD([torch.ones(2, requires_grad=True)])\n"
    )
    assert run(code + COMPILED).startswith("tensor([2., 4.]")
