"""Differences between two reports."""

from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .store import Stored, bad, transitions


@dataclass(frozen=True)
class Comparison:
    """Two reports and the tests whose outcome differs."""

    before: Stored
    after: Stored
    differing: list[tuple[str, str, str]]  # test id, outcome before, outcome after
    newly_failing: list[str]
    notes: list[str]

    def counts(self) -> list[tuple[str, int, int]]:
        """Outcome, number before, number after."""
        old, new = (list(side.outcomes().values()) for side in (self.before, self.after))
        order = sorted({*old, *new, "passed", "failed", "skipped"})
        return [(outcome, old.count(outcome), new.count(outcome)) for outcome in order]


def compare(before: Stored, after: Stored) -> Comparison:
    """Compare test by test; a test in only one report is "absent" from the other."""
    old, new = before.outcomes(), after.outcomes()
    differing = [
        (test, old.get(test, "absent"), new.get(test, "absent"))
        for test in sorted(old.keys() | new.keys())
        if old.get(test) != new.get(test)
    ]
    failing = transitions(old, new)["newly_failing"]
    return Comparison(before, after, differing, failing, _notes(before, after))


def _notes(before: Stored, after: Stored) -> list[str]:
    """Differences in how the two were measured, which may explain differing outcomes."""
    notes = []
    for key in ("official", "partial", "seed", "max_examples"):
        old, new = before.summary.get(key), after.summary.get(key)
        if old != new:
            notes.append(f"measured differently: {key} is {old} before and {new} after")
    for key in ("test_suite", "api_version"):
        if before.report[key] != after.report[key]:
            notes.append(f"measured differently: {key}")
    return notes


def show(comparison: Comparison, console: Console) -> None:
    """Print the comparison."""
    before, after = comparison.before.name, comparison.after.name
    if before == after:  # two runs of one namespace: distinguish them by their files
        before, after = str(comparison.before.path), str(comparison.after.path)
    for note in comparison.notes:
        console.print(f"note: {note}", markup=False)
    counts = Table("outcome", escape(before), escape(after), "change", title="Counts")
    for outcome, old, new in comparison.counts():
        counts.add_row(escape(outcome), str(old), str(new), f"{new - old:+d}")
    console.print(counts)
    if not comparison.differing:
        console.print("No test has a different outcome.")
        return
    table = Table(title="Tests whose outcome differs")
    table.add_column("test", overflow="fold")
    table.add_column(escape(before))
    table.add_column(escape(after))
    for test, old_outcome, new_outcome in comparison.differing:
        table.add_row(escape(test), _styled(old_outcome), _styled(new_outcome))
    console.print(table)
    console.print(f"{len(comparison.newly_failing)} tests fail only in {after}", markup=False)


def _styled(outcome: str) -> str:
    style = "red" if bad(outcome) and outcome != "absent" else "green"
    return f"[{style if outcome != 'absent' else 'dim'}]{escape(outcome)}[/]"
