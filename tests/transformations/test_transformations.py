"""B69: programs under transformations, beside NumPy; and faults that the comparison notices."""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random
from typing import Any, Final

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyValueError
from tests.differential.runner import SEED
from tests.installed import EAGER
from tests.transformations import transformations
from tests.transformations.__main__ import REFUSED, run
from tests.transformations.cases import Case
from tests.transformations.programs import NUMPY, Program, draw

# Steps leave the domain of a function, and the libraries warn of that.
pytestmark = pytest.mark.filterwarnings("ignore")
# Programs in every run, and in a run with a seed of its own. PyTorch and JAX compile each.
_COUNTS: Final = {"numpy": (60, 1000), "tensorflow": (8, 80), "torch": (4, 40), "jax": (4, 30)}


@pytest.mark.slow_on("torch", "tensorflow", "jax")
@pytest.mark.parametrize("backend", EAGER)
def test_programs(backend: str) -> None:
    seed, count = os.environ.get(SEED), _COUNTS[backend][SEED in os.environ]
    rows = [run(backend, int(seed or 1), number) for number in range(count)]
    bad = [row for row in rows if row["sort"] in ("differs", "raw")]
    assert not bad, "\n\n".join(f"{row['number']}: {row['case']}\n{row['text']}" for row in bad)
    refused = [row["text"] for row in rows if row["sort"] == "refused"]
    assert len(refused) <= max(2, REFUSED * count), refused


X: Final = np.asarray([1.0, -2.0, 3.0, 0.5])
PROGRAM: Final = Program(("v0 = x0*2", "x0[0]=3"), ("v0",), (X,), ((0, None),))


def wrong(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *xs: tuple(x * (1 + 1e-6) for x in function(*xs))


def narrow(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *xs: tuple(x.astype("float32") for x in function(*xs))


def apart(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *xs: function(*[unify.copy(x) for x in xs])


def shaped(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *xs: tuple(x[None] for x in function(*xs))


def refusing(function: Callable[..., Any]) -> Callable[..., Any]:
    def refuse(*xs: Any) -> Any:
        raise UnifyValueError("compile: refused")

    return refuse


def failing(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *xs: xs[9]


class TestComparison:
    """Transformations that are wrong in one way are noticed."""

    @pytest.mark.parametrize(
        ("planted", "sort"),
        [(wrong, "differs"), (narrow, "differs"), (apart, "differs"), (shaped, "differs"),
         (refusing, "refused"), (failing, "raw")],
    )  # fmt: skip
    def test_faults(
        self, monkeypatch: pytest.MonkeyPatch, planted: Callable[..., Any], sort: str
    ) -> None:
        monkeypatch.setattr(transformations.unify, "compile", planted)
        found = Case(PROGRAM, ("compile",)).finding("numpy")
        assert found is not None
        assert found.sort == sort

    def test_agreement(self) -> None:
        assert Case(PROGRAM, ("compile",)).finding("numpy") is None

    def test_derivatives(self) -> None:
        """The differences of NumPy's program are its derivative along the direction."""
        program = Program(("v0 = xp.sin(x0)*x0",), ("v0",), (X,), ((0, None),), True)
        expected = Case(program, ("jvp",)).expected()
        assert expected is not None
        slope = np.cos(X) * X + np.sin(X)
        np.testing.assert_allclose(expected[0][1], slope * np.cos(np.arange(4) + 1), rtol=1e-6)


class TestPrograms:
    """The drawing of programs."""

    def test_a_number_draws_one_program(self) -> None:
        one, other = (draw(Random("7:3")) for _ in range(2))
        assert one.source == other.source

    def test_steps_run_on_numpy(self) -> None:
        """As NumPy takes each of them; and arguments share memory in some."""
        programs = [draw(Random(f"5:{number}")) for number in range(100)]
        for program in programs:
            with np.errstate(all="ignore"):
                program.function(NUMPY)(*program.made(np.asarray))
        assert any(len(program.bases) < len(program.arguments) for program in programs)
        assert {len(program.steps) for program in programs} == {1, 2, 3, 4, 5}
