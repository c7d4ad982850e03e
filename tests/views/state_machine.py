"""Programs of views and writes as a Hypothesis state machine: Arrays and NumPy counterparts."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from hypothesis import HealthCheck, Phase, Verbosity, seed, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from tests.differential.case import source
from tests.differential.runner import EACH, GROUP, SEED
from tests.views import strategies, writes
from tests.views.implementations import REFUSALS, Reference, Unsuitable
from tests.views.steps import DTYPES, FORGET, Ref, Step, run

__all__ = ["Programs", "count", "run_again", "run_programs"]

# The numbers for `tox -e tests`; `tox -e differential` runs more.
_DEFAULT: Final = 10
_MOST: Final = 12  # live arrays: more only make each step slower
_MOST_EXPORTED: Final = 4
# Complex arrays have two more views than others.
_DRAWN_DTYPES: Final = (*DTYPES, "float64", *["complex64", "complex128"] * 2)


def count(share: float = 1.0) -> int:
    """Return the number of programs, by the same variables as in the differential tests.

    A program has many steps: there are a tenth as many as calls of a group of functions.
    """
    if EACH in os.environ:
        return int(os.environ[EACH])
    programs = int(os.environ[GROUP]) / 10 if GROUP in os.environ else _DEFAULT
    return max(1, int(programs * share))


class Programs(RuleBasedStateMachine):
    """Runs each step on both: either both raise, or both return equal arrays."""

    implementation: Callable[[], Any]

    def __init__(self) -> None:
        super().__init__()
        self.tested = type(self).implementation()
        self.reference = Reference(self.tested.backend)
        self.twins: list[Any] = []
        self.live: list[Any] = []
        self.program: list[Step] = []
        self.always, self.tracked, self.failed = True, False, False
        self.dtypes: list[str] = list(DTYPES)

    @initialize(data=st.data())
    def start(self, data: st.DataObject) -> None:
        """Select few data types, so that arrays combine; compare after each step or at the end.

        A comparison reads all arrays, which can hide missing updates.
        """
        self.dtypes = data.draw(st.lists(st.sampled_from(_DRAWN_DTYPES), min_size=1, max_size=2))
        self.always = data.draw(st.booleans())
        self.tracked = not data.draw(st.integers(0, 3))
        self.step(strategies.fresh(data.draw, self.dtypes, self.tracked))
        self.step(strategies.view(data.draw, self.twins))

    # --- steps --------------------------------------------------------------------------------

    def step(self, step: Step | None) -> None:
        """Run one step on both implementations, or skip it if NumPy's result is unspecified."""
        if step is None:
            return
        try:
            run(self.reference, self.twins, step)
        except Unsuitable:
            return
        except REFUSALS as error:
            self.program.append(step)
            self._refuse(step, error)
            return
        self.program.append(step)
        try:
            run(self.tested, self.live, step)
        except Exception as error:
            self._fail(f"the last step raises {error!r}", error)
        while len(self.live) > _MOST:
            self.step(Step(FORGET, (len(self.live) // 2,)))

    def _refuse(self, step: Step, error: Exception) -> None:
        try:
            run(self.tested, self.live, step)
        except REFUSALS:
            return
        self._fail(f"NumPy refuses the last step: {error!r}")

    def _fail(self, what: str, cause: Exception | None = None) -> None:
        """Fail with the whole program, once."""
        self.failed = True
        raise AssertionError(f"{self.text()}\n{what}") from cause

    def text(self) -> str:
        """Render the program; arrays have their numbers at that step."""
        kept = source(tuple(self.program))
        return "\n".join(["", *map(repr, self.program), f"for tests/examples.py: {kept}"])

    @rule(data=st.data())
    def fresh(self, data: st.DataObject) -> None:
        if len(self.live) < _MOST // 2:
            self.step(strategies.fresh(data.draw, self.dtypes, self.tracked))

    @rule(data=st.data())
    def view(self, data: st.DataObject) -> None:
        self.step(strategies.view(data.draw, self.twins))

    @rule(data=st.data())
    def view_of_the_last(self, data: st.DataObject) -> None:
        """Views of views."""
        self.step(strategies.view(data.draw, self.twins, -1))

    @rule(data=st.data())
    def view_of_the_first(self, data: st.DataObject) -> None:
        """Several views of one array."""
        self.step(strategies.view(data.draw, self.twins, 0))

    @rule(data=st.data())
    def part(self, data: st.DataObject) -> None:
        self.step(strategies.part(data.draw, self.twins))

    @rule(data=st.data())
    def together(self, data: st.DataObject) -> None:
        self.step(strategies.together(data.draw, self.twins))

    @rule(data=st.data())
    def selection(self, data: st.DataObject) -> None:
        self.step(strategies.selection(data.draw, self.twins))

    @rule(data=st.data())
    def copied(self, data: st.DataObject) -> None:
        self.step(strategies.copied(data.draw, self.twins))

    @rule(data=st.data())
    def set_item(self, data: st.DataObject) -> None:
        self.step(writes.set_item(data.draw, self.twins))

    @rule(data=st.data())
    def in_place(self, data: st.DataObject) -> None:
        self.step(writes.in_place(data.draw, self.twins))

    @rule(data=st.data())
    def augmented(self, data: st.DataObject) -> None:
        self.step(writes.augmented(data.draw, self.twins))

    @rule(data=st.data())
    def into(self, data: st.DataObject) -> None:
        self.step(writes.into(data.draw, self.twins))

    @rule(data=st.data())
    def swap(self, data: st.DataObject) -> None:
        self.step(writes.swap(data.draw, self.twins))

    @rule(data=st.data())
    def export(self, data: st.DataObject) -> None:
        if self.tested.lends and len(self.reference.exported) < _MOST_EXPORTED:
            self.step(writes.export(data.draw, self.twins))

    @rule(data=st.data())
    def outside(self, data: st.DataObject) -> None:
        """NumPy writes into an exported array, or drops it."""
        self.step(writes.outside(data.draw, self.reference.exported))

    @rule(data=st.data())
    def refused(self, data: st.DataObject) -> None:
        self.step(writes.refused(data.draw, self.twins))

    @rule(data=st.data())
    def unwritable(self, data: st.DataObject) -> None:
        self.step(writes.unwritable(data.draw, self.twins))

    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        if len(self.live) > 2:
            self.step(Step(FORGET, (data.draw(st.integers(0, len(self.live) - 1)),)))

    @rule(data=st.data())
    def probe(self, data: st.DataObject) -> None:
        """All arrays that share memory according to NumPy reflect a write."""
        self._probe(data.draw(st.integers(0, len(self.live) - 1)))
        self.look()

    def _probe(self, number: int) -> None:
        if self.twins[number].flags.writeable:
            self.step(writes.probe(self.twins, number))

    # --- invariants ---------------------------------------------------------------------------

    @invariant()
    def equal(self) -> None:
        if self.always:
            self.look()

    def look(self) -> None:
        """Every live array has its counterpart's data type, shape and values."""
        if len(self.live) != len(self.twins):
            self._fail(f"{len(self.live)} arrays, {len(self.twins)} in NumPy")
        for number, (x, twin) in enumerate(zip(self.live, self.twins, strict=True)):
            try:
                dtype, found = self.tested.values(x)
            except Exception as error:  # a lazy array is computed here
                self._fail(f"a{number} has no values: {error!r}", error)
            same = dtype == twin.dtype.name and found.shape == twin.shape
            if not same or not np.array_equal(found, twin, equal_nan=twin.dtype.kind in "fc"):
                sharing = [i for i, t in enumerate(self.twins) if np.shares_memory(t, twin)]
                self._fail(
                    f"a{number}, which shares memory with {sharing}, is\n"
                    f"{dtype} {found!r}\nand in NumPy\n{twin.dtype.name} {twin!r}"
                )

        for exported, twin in zip(self.tested.exported, self.reference.exported, strict=True):
            if not np.array_equal(exported, twin, equal_nan=twin.dtype.kind in "fc"):
                self._fail(f"what NumPy was given shows\n{exported!r}\nand not\n{twin!r}")

    def teardown(self) -> None:
        """Compare, then write through each array in turn; read-only ones still raise."""
        if self.failed:
            return
        self.look()
        for number, twin in enumerate(self.twins):
            if twin.flags.writeable:
                self._probe(number)
            else:
                self.step(Step("set_item", (Ref(number), Ellipsis, 1)))
            self.look()


def run_again(implementation: Callable[[], Any], program: Sequence[Step]) -> None:
    """Run a program from a previous draw, and compare after each step."""
    machine = type("Programs", (Programs,), {"implementation": staticmethod(implementation)})()
    for step in program:
        machine.step(step)
        machine.look()
    machine.teardown()


def run_programs(
    implementation: Callable[[], Any], programs: int, steps: int = 30, shrink: bool = False
) -> None:
    """Run the given number of programs with the given number of steps."""
    machine = type("Programs", (Programs,), {"implementation": staticmethod(implementation)})
    if SEED in os.environ:
        machine = seed(int(os.environ[SEED]))(machine)
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=programs,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            # Shrinking would take minutes on compiled backends.
            phases=[Phase.generate, Phase.shrink] if shrink else [Phase.generate],
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
            print_blob=False,
            # The error itself contains the program.
            verbosity=Verbosity.quiet,
        ),
    )
