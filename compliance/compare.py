"""Differences between two reports: tests and functions that were gained and lost."""

from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from . import states
from .absent import first_line
from .report import brief, code, markdown
from .store import Stored, bad, transitions

_SHOWN = 50  # lines of each list in Markdown: a comment of a merge request has a limit


@dataclass(frozen=True)
class Comparison:
    """Two reports and the tests whose outcome differs."""

    before: Stored
    after: Stored
    differing: list[tuple[str, str, str]]  # test id, outcome before, outcome after
    gained: list[str]  # tests that pass in the second report alone
    lost: list[str]  # tests that fail in the second alone, or passed and are not in it
    functions: list[tuple[str, str, str]]  # function, state before, state after
    notes: list[str]

    def counts(self) -> list[tuple[str, int, int]]:
        """Outcome, number before, number after."""
        old, new = (list(side.outcomes().values()) for side in (self.before, self.after))
        order = sorted({*old, *new, "passed", "failed", "skipped"})
        return [(outcome, old.count(outcome), new.count(outcome)) for outcome in order]

    @property
    def words(self) -> str:
        """The numbers of gained and lost tests."""
        return f"{len(self.gained)} tests gained, {len(self.lost)} lost"


def compare(before: Stored, after: Stored) -> Comparison:
    """Compare test by test; a test in only one report is "absent" from the other."""
    old, new = before.outcomes(), after.outcomes()
    differing = [
        (test, old.get(test, "absent"), new.get(test, "absent"))
        for test in sorted(old.keys() | new.keys())
        if old.get(test) != new.get(test)
    ]
    found = transitions(old, new)
    gone = [test for test in found["removed"] if old[test] == "passed"]
    gained = [test for test, outcome in new.items() if outcome == "passed" != old.get(test)]
    return Comparison(
        before,
        after,
        differing,
        sorted(gained),
        sorted([*found["newly_failing"], *gone]),
        _functions(before, after),
        _notes(before, after),
    )


def _functions(before: Stored, after: Stored) -> list[tuple[str, str, str]]:
    """Return the functions whose state differs, those that are right no more first."""
    old, new = states.functions(before.tests), states.functions(after.tests)
    found = [
        (".".join(key), old.get(key, states.ABSENT), new.get(key, states.ABSENT))
        for key in sorted(old.keys() | new.keys())
    ]
    changed = [(name, was, now) for name, was, now in found if was != now]
    return sorted(changed, key=lambda each: each[1] != states.RIGHT)


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


def as_markdown(comparison: Comparison) -> str:
    """Return the comparison as a comment of a merge request."""
    before, after = comparison.before, comparison.after
    title = f"## Array API: {markdown(after.label)}: {comparison.words}"
    lines = [title, "", "| | before | after |", "| --- | --- | --- |"]
    lines.append(f"| functions | {states.score(before.tests)} | {states.score(after.tests)} |")
    lines += [f"| {markdown(name)} | {old} | {new} |" for name, old, new in comparison.counts()]
    lines += ["", *(f"- {markdown(note)}" for note in comparison.notes)]
    if comparison.functions:
        lines += ["", "| function | before | after |", "| --- | --- | --- |"]
        rows = [f"| {code(name)} | {old} | {new} |" for name, old, new in comparison.functions]
        lines += _cut(rows, "| {} more | | |")
    messages = {test["nodeid"]: first_line(test) for test in after.tests}
    for title, tests in (("Lost", comparison.lost), ("Gained", comparison.gained)):
        if tests:
            lines += ["", f"<details><summary>{title}: {len(tests)} tests</summary>", ""]
            said = [f"- {code(test)} {markdown(brief(messages.get(test, '')))}" for test in tests]
            lines += [*_cut([line.rstrip() for line in said], "- {} more"), "", "</details>"]
    return "\n".join(lines) + "\n"


def _cut(lines: list[str], more: str) -> list[str]:
    """Return the first lines, and one with the number of the others."""
    rest = len(lines) - _SHOWN
    return [*lines[:_SHOWN], more.format(rest)] if rest > 0 else lines


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
    for title, first, rows in (
        ("Functions whose state differs", "function", comparison.functions),
        ("Tests whose outcome differs", "test", comparison.differing),
    ):
        table = Table(title=title)
        table.add_column(first, overflow="fold")
        table.add_column(escape(before))
        table.add_column(escape(after))
        for name, was, now in rows:
            table.add_row(escape(name), _styled(was), _styled(now))
        console.print(table)
    console.print(f"{after}: {comparison.words}", markup=False)


def _styled(outcome: str) -> str:
    failing = outcome in (states.WRONG, states.WAITING) or (
        bad(outcome) and outcome not in states.STATES
    )
    style = "dim" if outcome == states.ABSENT else "red" if failing else "green"
    return f"[{style}]{escape(outcome)}[/]"
