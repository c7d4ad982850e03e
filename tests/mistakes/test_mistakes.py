"""Messages of 150 typical mistakes, on all backends.

The first line names the function, the argument, its value and a remedy. The traceback has at most
twelve frames of the package, and no error of its own stands before the one that is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import arrayapi_unify
from tests.installed import INSTALLED
from tests.mistakes import wrong_calls, wrong_names, wrong_values
from tests.mistakes.mistake import Mistake, names

MISTAKES: Final = [*wrong_names.MISTAKES, *wrong_calls.MISTAKES, *wrong_values.MISTAKES]
_MOST_FRAMES: Final = 12
_PACKAGE: Final = str(Path(arrayapi_unify.__file__).parent)


def error_of(mistake: Mistake, backend: str) -> Exception:
    """Run the code, and return what it raises."""
    with pytest.raises(mistake.error) as caught:
        _run(mistake.code, names(backend))
    return caught.value


def _run(code: str, given: dict[str, Any]) -> None:
    """Run the code; what an expression gives is computed, as a lazy backend is late to refuse."""
    parsed = ast.parse(code, "<user>")
    if len(parsed.body) == 1 and isinstance(parsed.body[0], ast.Expr):
        arrayapi_unify.compute(eval(compile(code, "<user>", "eval"), given))
    else:
        exec(compile(parsed, "<user>", "exec"), given)


def shown_with(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, and those that a traceback shows before it."""
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def frames_of(error: BaseException) -> int:
    """Count the frames of the package."""
    count, trace = 0, error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        count += name.startswith((_PACKAGE, "<arrayapi_unify"))
        trace = trace.tb_next
    return count


def check(mistake: Mistake, error: BaseException) -> None:
    """Check the first line, and the traceback."""
    line = str(error).splitlines()[0]
    found = -1
    for word in mistake.words:
        found = line.find(word, found + 1)
        assert found >= 0, f"{word!r} is missing in: {line}"
    for one in shown_with(error):
        assert frames_of(one) <= _MOST_FRAMES
        hidden = one.__cause__ is not None or one.__suppress_context__
        assert hidden or one.__context__ is None, "During handling of the above exception"


def test_there_are_enough() -> None:
    assert len(MISTAKES) >= 150
    assert len({(m.code, m.on) for m in MISTAKES}) == len(MISTAKES)
    everywhere = [m for m in MISTAKES if set(m.on) == set(INSTALLED)]
    assert len(everywhere) >= 150


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: m.id)
def test_first_line_and_traceback(mistake: Mistake) -> None:
    for backend in mistake.on:
        first, again = error_of(mistake, backend), error_of(mistake, backend)
        check(mistake, first)
        check(mistake, again)
        assert str(again) == str(first)
        assert not re.search(r"\bhal(f|ves)\b", str(first))


@pytest.mark.parametrize(("words", "deep"), [(("sum", "nowhere"), 0), (("sum",), _MOST_FRAMES + 1)])
def test_poor_messages_are_noticed(words: tuple[str, ...], deep: int) -> None:
    def fail(depth: int) -> None:
        if depth:
            fail(depth - 1)
        raise ValueError("sum: argument 'x' is 1; pass 2")

    inside = {"fail": fail}
    exec(
        compile("def run(n):\n    run(n - 1) if n else fail(0)", f"{_PACKAGE}/x.py", "exec"), inside
    )
    with pytest.raises(ValueError, match="sum") as caught:
        inside["run"](deep)
    with pytest.raises(AssertionError):
        check(Mistake("", ValueError, words), caught.value)


def test_a_context_is_noticed() -> None:
    error = ValueError("sum")
    check(Mistake("", ValueError, ("sum",)), error)
    error.__context__ = KeyError("internal")
    with pytest.raises(AssertionError, match="During handling"):
        check(Mistake("", ValueError, ("sum",)), error)
