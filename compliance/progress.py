"""Live counts while a run goes on: a bar on a terminal, a line now and then elsewhere."""

import contextlib
import time
from collections import Counter
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress as Bar,
    TextColumn,
    TimeElapsedColumn,
)

_LINES = 10  # the number of lines that a run prints without a terminal


class Progress:
    """Counts finished tests and shows the counts."""

    def __init__(self, console: Console, title: str) -> None:
        """Prepare a bar; it is shown inside a ``with`` block."""
        self.console = console
        self.title = title
        self.total = 0
        self.counts: Counter[str] = Counter()
        self._started = time.monotonic()
        self._bar = Bar(
            TextColumn("[bold]{task.description}", markup=True),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[counts]}"),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task = self._bar.add_task(title, total=None, counts="collecting tests")

    def __enter__(self) -> "Progress":
        """Show the bar."""
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the bar, also if the run is interrupted."""
        with contextlib.suppress(OSError):  # a terminal that has closed
            self._bar.stop()

    def start(self, total: int) -> None:
        """The number of tests is known now."""
        self.total, self._started = total, time.monotonic()
        self._bar.update(self._task, total=total, counts=self.text())
        if not self.console.is_terminal:
            self.console.print(f"{self.title}: {total} tests", markup=False, highlight=False)

    def advance(self, outcome: str) -> None:
        """One more test has finished."""
        self.counts[outcome] += 1
        done = self.counts.total()
        self._bar.update(self._task, advance=1, counts=self.text() + self.left())
        step = max(1, self.total // _LINES)
        if not self.console.is_terminal and done % step == 0:
            line = f"{self.title}: {done}/{self.total}, {self.text()}{self.left()}"
            self.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def left(self) -> str:
        """The time that is left, as if all tests took as long as those that have finished."""
        done = self.counts.total()
        if not done or done == self.total:
            return ""
        seconds = round((time.monotonic() - self._started) / done * (self.total - done))
        return f", about {seconds // 60}:{seconds % 60:02} left"

    def text(self) -> str:
        """The counts in words."""
        return ", ".join(f"{self.counts[key]} {key}" for key in ("passed", "failed", "skipped"))
