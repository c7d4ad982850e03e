"""Interrupted writes: afterwards all Arrays that share memory have their old or their new values.

An exception is raised at each line of the package that a write runs, one line at a time, as by
Ctrl-C or a lack of memory. `python -m tests.views.interruptions jax` raises 10,000 of them
(`--count`), at lines in another order for each `--seed`, and prints the differences.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from types import FrameType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

import arrayapi_unify as unify
from tests import immutable_backend
from tests.sources import OURS, ends_block

__all__ = ["EXCEPTIONS", "SHARED", "WRITES", "Case", "cases", "differs", "injected"]

EXCEPTIONS = (KeyboardInterrupt, MemoryError)

Write = Callable[[ModuleType, SimpleNamespace], Any]
WRITES: dict[str, Write] = {}


def _write(function: Write) -> Write:
    WRITES[function.__name__.strip("_").replace("_", " ")] = function
    return function


# --- Arrays that share memory -----------------------------------------------------------------


def _plain(xp: ModuleType) -> Any:
    return xp.reshape(xp.arange(12, dtype=xp.float64), (4, 3))


def _alone(xp: ModuleType) -> dict[str, Any]:
    return {"x": _plain(xp)}


def _views(xp: ModuleType) -> dict[str, Any]:
    x = _plain(xp)
    tail = x[1:]
    return {"x": x, "tail": tail, "row": x[0], "column": x[:, 1], "part": tail[:, 1:]}


def _turned(xp: ModuleType) -> dict[str, Any]:
    x = _plain(xp)
    return {"x": x, "tail": x[1:], "turned": x[::-1], "flipped": xp.flip(x), "columns": x.T}


def _exported(xp: ModuleType) -> dict[str, Any]:
    shared = _views(xp)
    exported = {"exported": np.asarray(shared["x"]), "exported row": np.asarray(shared["row"])}
    return shared | exported if xp.zeros(1).backend != immutable_backend.NAME else shared


def _tracked(xp: ModuleType) -> dict[str, Any]:
    """An Array that autograd tracks, if the library tracks arrays."""
    x = _plain(xp)
    if x.backend == "torch":
        x = unify.Array(x.data.requires_grad_()) * 1.0
    tail = x[1:]
    return {"x": x, "tail": tail, "row": x[0], "turned": tail[::-1]}


SHARED: dict[str, Callable[[ModuleType], dict[str, Any]]] = {
    "alone": _alone, "views": _views, "turned": _turned, "exported": _exported, "tracked": _tracked,
}  # fmt: skip


# --- writes -----------------------------------------------------------------------------------


@_write
def _integer(xp: ModuleType, s: SimpleNamespace) -> None:
    s.x[1] = 50.0


@_write
def _element(xp: ModuleType, s: SimpleNamespace) -> None:
    s.x[1, 2] = 50.0


@_write
def _slice(xp: ModuleType, s: SimpleNamespace) -> None:
    s.x[1:3] = xp.ones((2, 3)) * 50.0


@_write
def _negative_step(xp: ModuleType, s: SimpleNamespace) -> None:
    s.x[::-2, 1:] = 50.0


@_write
def _everything(xp: ModuleType, s: SimpleNamespace) -> None:
    s.x[...] = 50.0


@_write
def _mask(xp: ModuleType, s: SimpleNamespace) -> None:
    s.x[s.x > 5.0] = 50.0


@_write
def _indices(xp: ModuleType, s: SimpleNamespace) -> None:
    s.x[xp.asarray([0, 2])] = 50.0


@_write
def _list(xp: ModuleType, s: SimpleNamespace) -> None:
    s.x[[0, 2]] = [1.0, 2.0, 3.0]


@_write
def _own_values(xp: ModuleType, s: SimpleNamespace) -> None:
    s.x[1:] = s.x[:-1]


@_write
def _sum(xp: ModuleType, s: SimpleNamespace) -> None:
    s.x += 50.0


@_write
def _product_of_itself(xp: ModuleType, s: SimpleNamespace) -> None:
    s.x *= s.x


@_write
def _item_sum(xp: ModuleType, s: SimpleNamespace) -> None:
    s.x[1:] += 50.0


@_write
def _power(xp: ModuleType, s: SimpleNamespace) -> None:
    s.x **= 2.0


@_write
def _out(xp: ModuleType, s: SimpleNamespace) -> None:
    xp.add(s.x, 50.0, out=s.x)


@_write
def _out_at_the_top_level(xp: ModuleType, s: SimpleNamespace) -> None:
    unify.multiply(s.x, xp.ones((4, 3)) * 50.0, out=s.x)


@_write
def _function(xp: ModuleType, s: SimpleNamespace) -> None:
    unify.set_item(s.x, (0, 1), 50.0)


@_write
def _numpy_copy(xp: ModuleType, s: SimpleNamespace) -> None:
    np.copyto(s.x, np.full((4, 3), 50.0))


@_write
def _numpy_ufunc(xp: ModuleType, s: SimpleNamespace) -> None:
    np.add(s.x, 50.0, out=s.x)


@_write
def _through_a_view(xp: ModuleType, s: SimpleNamespace) -> None:
    view = getattr(s, "tail", s.x)
    view += 50.0


@_write
def _item_of_a_view(xp: ModuleType, s: SimpleNamespace) -> None:
    getattr(s, "turned", getattr(s, "row", s.x))[1] = 50.0


@_write
def _containers_sum(xp: ModuleType, s: SimpleNamespace) -> None:
    s.container += 50.0


@_write
def _containers_sum_that_fails(xp: ModuleType, s: SimpleNamespace) -> None:
    s.container += unify.Container(a=xp.ones((4, 3)), b={"c": xp.ones(3), "d": xp.ones((5, 7))})


@_write
def _containers_out(xp: ModuleType, s: SimpleNamespace) -> None:
    unify.add(s.container, 50.0, out=s.container)


@_write
def _containers_out_that_fails(xp: ModuleType, s: SimpleNamespace) -> None:
    wrong = unify.Container(a=s.x, b={"c": s.y, "d": xp.zeros(3)})
    unify.add(s.container, 50.0, out=wrong)


@_write
def _containers_sum_with_a_number(xp: ModuleType, s: SimpleNamespace) -> None:
    s.container += 50.0


# --- injections -------------------------------------------------------------------------------


class Case(NamedTuple):
    """A write, the Arrays that share the memory, if they were read before, and the exception."""

    write: str
    shared: str
    read: bool
    exception: type[BaseException]


def cases() -> list[Case]:
    """Return every case."""
    return [
        Case(write, shared, read, exception)
        for write in WRITES
        for shared in SHARED
        for read in (False, True)
        for exception in EXCEPTIONS
    ]


class _Tracer:
    """Counts the executed lines of the package, and raises at one of them."""

    def __init__(self, at: int, exception: type[BaseException]) -> None:
        self.at, self.exception = at, exception
        self.lines = 0
        self.raised = ""

    def __call__(self, frame: FrameType, event: str, arg: Any) -> Any:
        if not frame.f_code.co_filename.startswith(OURS):
            return None
        return self.line

    def line(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line" and not ends_block(frame):
            self.lines += 1
            if self.lines == self.at:
                code = frame.f_code
                self.raised = f"{code.co_filename}:{frame.f_lineno} {code.co_qualname}"
                raise self.exception
        return self.line


def _made(xp: ModuleType, case: Case) -> tuple[SimpleNamespace, dict[str, Any]]:
    """Return the target of a write, and all Arrays to check."""
    shared = SHARED[case.shared](xp)
    y = xp.ones(3)
    seen = {**shared, "y": y, "part of y": y[1:]}
    if case.write.startswith("containers"):
        seen |= {"d": xp.zeros((5, 7))}
        s = SimpleNamespace(**seen, container=unify.Container(a=shared["x"], b={"c": y}))
        if "sum that" in case.write:
            s.container.b.d = xp.zeros((5, 6))
        elif "out that" in case.write:
            s.container.b.d = xp.zeros(4)
        elif "number" in case.write:
            s.container.b.number = 1.0
            seen["container"] = s.container
    else:
        s = SimpleNamespace(**seen)
    if case.read:
        _values(seen, random.Random(0))
    return s, seen


def _values(seen: dict[str, Any], order: random.Random) -> dict[str, Any]:
    """Read all in some order, because the first read may affect the others."""
    names = list(seen)
    order.shuffle(names)
    return {name: _value(seen[name]) for name in names}


def _value(one: Any) -> Any:
    if isinstance(one, unify.Container):
        return one.b.number
    return one.copy() if isinstance(one, np.ndarray) else np.array(unify.to_list(one))


def _run(xp: ModuleType, case: Case, at: int) -> tuple[_Tracer, dict[str, Any], dict[str, Any]]:
    """Run a write that is interrupted at a line; return the values before and after it."""
    s, seen = _made(xp, case)
    before = _values(_made(xp, case)[1], random.Random(0))
    tracer = _Tracer(at, case.exception)
    previous = sys.gettrace()
    sys.settrace(tracer)
    try:
        WRITES[case.write](xp, s)
    except (KeyboardInterrupt, MemoryError, ArithmeticError, RuntimeError, TypeError, ValueError):
        pass  # the injected exception, its consequence, or the write's own
    finally:
        sys.settrace(previous)
    return tracer, before, _values(seen, random.Random(at))


def _alike(first: dict[str, Any], second: dict[str, Any]) -> bool:
    return all(np.array_equal(first[name], second[name]) for name in first)


def lines(xp: ModuleType, case: Case) -> int:
    """Return the number of lines of a write, which runs twice, the first time for imports."""
    _run(xp, case, 0)
    return _run(xp, case, 0)[0].lines


def differs(xp: ModuleType, case: Case, at: int) -> str | None:
    """Interrupt a write; return the line if Arrays have neither their old nor their new values."""
    after = _run(xp, case, 0)[2]
    tracer, before, found = _run(xp, case, at)
    if not tracer.raised or _alike(found, before) or _alike(found, after):
        return None
    wrong = [n for n in found if not np.array_equal(found[n], after[n])]
    return f"{case}: at {tracer.raised}: not as after: {', '.join(wrong)}"


def injected(xp: ModuleType, count: int, seed: int) -> Iterator[str]:
    """Raise at `count` lines, drawn evenly from all cases; return those with a difference."""
    draw = random.Random(seed)
    known: dict[Case, int] = {}
    everything = cases()
    for _ in range(count):
        case = draw.choice(everything)
        if case not in known:
            known[case] = lines(xp, case)
        found = differs(xp, case, draw.randint(1, max(1, known[case])))
        if found:
            yield found


def main() -> None:
    """Interrupt the writes of a backend, and print the differences."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("backend")
    parser.add_argument("--count", type=int, default=10_000, help="how many exceptions are raised")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    with immutable_backend.namespace(args.backend) as xp:
        found = list(injected(xp, args.count, args.seed))
    print(*found, sep="\n")
    print(f"{args.backend}: {args.count} exceptions left {len(found)} differences")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
