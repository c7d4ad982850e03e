"""`python -m docs.upstream.run LIBRARY [ROW]`: run the rows of one library in this process.

The bare library runs first: importing ours switches on JAX's 64-bit data types.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import warnings
from importlib.metadata import version
from typing import Any

from docs.upstream.table import ROOT, Row, rows

__all__ = ["measure", "text"]

_DISTRIBUTIONS = {"tensorflow": ("tensorflow", "tensorflow-cpu")}
# Results are those of the CPU, on every machine.
_ENVIRONMENT = {"CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "3"}
_SHOWN = 90


def measure(library: str, row: str | None = None) -> dict[str, Any]:
    """Run the rows of a library, or one of them, in a new process; return what it reports."""
    command = [sys.executable, "-m", "docs.upstream.run", library, *([row] if row else [])]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, check=False,
        env={**os.environ, **_ENVIRONMENT},
    )  # fmt: skip
    if done.returncode == 0:
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found
    if row is None:
        raise RuntimeError(f"the rows of {library} did not run:\n{done.stderr[-2000:]}")
    end = f"by {signal.Signals(-done.returncode).name}" if done.returncode < 0 else "at once"
    return {"bare": {row: f"the process ends {end}"}}


def text(code: str, names: dict[str, Any]) -> str:
    """Run lines, the last of which is an expression; return the text of its value.

    That of an exception begins with its class, or the built-in one that it is derived from.
    """
    *lines, last = code.splitlines()
    try:
        exec("\n".join(lines), names)
        value = eval(last, names)
        return value if isinstance(value, str) else repr(value)
    except Exception as error:
        builtin = [kind for kind in type(error).__mro__ if kind.__module__ == "builtins"]
        kind = builtin[0] if builtin[0] is not Exception else type(error)
        said = (str(error).strip().splitlines() or [""])[0]
        short = said if len(said) <= _SHOWN else f"{said[:_SHOWN].rstrip()} ..."
        return f"{kind.__name__}: {short}"


def _ours(row: Row) -> str:
    xp = importlib.import_module(f"arrayapi_unify.{row.library}")
    return text(row.ours, {"xp": xp, "inf": float("inf"), "nan": float("nan")})


def _version(library: str) -> str:
    for name in _DISTRIBUTIONS.get(library, (library,)):
        try:
            return version(name).partition("+")[0]
        except ModuleNotFoundError:
            continue
    raise ModuleNotFoundError(library)


def _main(library: str, *chosen: str) -> None:
    warnings.simplefilter("ignore")
    found = [row for row in rows(library) if not chosen or row.name in chosen]
    here = [row for row in found if chosen or not row.crashes]
    bare = {row.name: text(row.code, {}) for row in here}
    if not chosen:
        for row in found:
            if row.crashes:
                bare |= measure(library, row.name)["bare"]
    ours = {} if chosen else {row.name: _ours(row) for row in found}
    print(json.dumps({"version": _version(library), "bare": bare, "ours": ours}))


if __name__ == "__main__":
    _main(*sys.argv[1:])
