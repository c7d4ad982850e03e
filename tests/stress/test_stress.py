"""A part of `python -m tests.stress`: each subject a few times."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify._core import locks
from arrayapi_unify._core.locks import new_lock
from tests.installed import INSTALLED
from tests.stress import first_uses, forks, graphs, interrupts, writes


def run(program: str, timeout: float = 300.0) -> str:
    """Run a program in a fresh process; return its output."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False,
        timeout=timeout,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class TestFirstUses:
    @pytest.mark.slow
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_all_threads_get_the_same_objects(self, backend: str) -> None:
        seeds = range(3 if backend == "numpy" else 1)
        outcomes = [first_uses.process(backend, seed) for seed in seeds]
        assert outcomes == [{"errors": [], "several": {}}] * len(outcomes)

    @pytest.mark.slow
    def test_an_interrupt_anywhere_leaves_a_backend_that_can_be_used(self) -> None:
        outcome = interrupts.process("numpy", "first use", 12)
        assert outcome["places"] >= 12
        assert outcome["problems"] == {}

    @pytest.mark.slow_on("torch", "tensorflow", "dask")
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_nothing_is_imported_under_the_lock(self, backend: str) -> None:
        """Another thread may import the same, and access a namespace meanwhile."""
        program = f"""
import importlib.abc, sys
import {backend}
import arrayapi_unify as unify
from arrayapi_unify._core.locks import MAKING

class Watch(importlib.abc.MetaPathFinder):
    found = []
    def find_spec(self, name, path=None, target=None):
        if MAKING._is_owned():
            self.found.append(name)

sys.meta_path.insert(0, Watch())
xp = unify.get_backend({backend!r})
x = xp.asarray([1.0, 2.0])
x + x, xp.mean(x), x.sort(), xp.fft.fft(x), xp.asarray([1.0], dtype="float16") * 2.0
unify.set_default_dtype("float32")
print(Watch.found)"""
        assert run(program) == "[]"

    def test_a_module_whose_package_another_thread_still_imports(self) -> None:
        """`binding.native_functions` is there before `binding` is complete, and waits for it."""
        program = """
import importlib, importlib.abc, pkgutil, sys, threading
import arrayapi_unify.backends as backends
numpy = backends.load("numpy")
for file in pkgutil.walk_packages(numpy.__path__, numpy.__name__ + "."):
    importlib.import_module(file.name)
paused, go_on = threading.Event(), threading.Event()

class Pause(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "arrayapi_unify.binding.namespace" and not paused.is_set():
            import arrayapi_unify.binding.native_functions
            paused.set()
            go_on.wait(1)

sys.meta_path.insert(0, Pause())
importing = threading.Thread(target=lambda: __import__("arrayapi_unify.binding"))
importing.start()
paused.wait()
print(callable(numpy.einops_rearrange))
importing.join()"""
        assert run(program) == "True"

    def test_a_package_that_asks_for_a_namespace_while_it_is_imported(
        self, tmp_path: object
    ) -> None:
        """One thread imports it, the other one binds it, without a deadlock."""
        program = f"""
import sys, threading
sys.path.insert(0, {str(tmp_path)!r})
with open({str(tmp_path)!r} + "/asking.py", "w") as file:
    file.write('''
import time
import arrayapi_unify as unify
time.sleep(0.2)
unify.get_backend("numpy").ones(1)
import tests.toy
globals().update(vars(tests.toy), __name__='asking')
__path__ = tests.toy.__path__
''')
import arrayapi_unify as unify
from arrayapi_unify import backends
backends.register("asking", framework="tests.toy.library", package="asking")
def say(text): sys.stdout.write(text + "\\n")  # print writes the end of a line on its own
def bind(): say(unify.get_backend("asking").__name__)
def imports(): __import__("asking"); say("imported")
threads = [threading.Thread(target=f, daemon=True) for f in (imports, bind)]
for thread in threads: thread.start()
for thread in threads: thread.join(60)
print([thread.is_alive() for thread in threads])"""
        lines = run(program).splitlines()
        assert sorted(lines) == ["[False, False]", "arrayapi_unify.bound.1", "imported"]

    @pytest.mark.slow_on("torch", "tensorflow", "jax", "dask")
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_an_import_beside_a_question(self, backend: str) -> None:
        program = f"""
import importlib, threading
import arrayapi_unify as unify
from tests.stress.threads import at_once
found = []
def ask(number):
    if number % 2:
        found.append(importlib.import_module("arrayapi_unify.{backend}"))
    else:
        found.append(unify.get_backend({backend!r}))
print(at_once(ask), len(found), len(set(map(id, found))))"""
        assert run(program) == "[] 8 1"

    def test_a_block_that_could_not_begin_sets_nothing(self) -> None:
        program = """
import arrayapi_unify as unify
from arrayapi_unify.backends import handler
from arrayapi_unify.binding import namespace
import arrayapi_unify.functional.backend as backend
def fails(name): raise KeyboardInterrupt
backend.namespace_of, kept = fails, backend.namespace_of
for begin in (lambda: unify.use_backend("numpy").__enter__(), lambda: unify.set_backend("numpy")):
    try:
        begin()
    except KeyboardInterrupt:
        print(handler.active_backend())"""
        assert run(program) == "None\nNone"


@pytest.mark.eager
class TestGraphs:
    @pytest.mark.slow
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_several_threads_trace_and_compile_at_once(self, backend: str) -> None:
        counts = (200, 16, 16) if backend == "numpy" else (16,)
        for count in counts:
            outcome = graphs.process(backend, count)
            assert outcome["errors"] == []
            assert outcome["made"] >= 64

    @pytest.mark.slow
    def test_an_interrupt_anywhere_leaves_no_function_diverted(self) -> None:
        outcome = interrupts.process("numpy", "graph", 40)
        assert outcome["places"] >= 40
        assert outcome["problems"] == {}

    def test_other_threads_compute_by_themselves_meanwhile(self) -> None:
        found: list[float] = []

        def traced(x: Any) -> Any:
            thread = threading.Thread(target=lambda: found.append(float(unify.sum(y + 1.0))))
            thread.start()
            thread.join()
            return unify.sum(x + 1.0)

        y = unify.asarray([1.0, 2.0])
        graph = unify.compile_graph(traced, y)
        assert found == [5.0]
        assert [node.name for node in graph.nodes] == ["add", "sum"]


# In its own process, because JAX warns of each fork after its import.
_LOCK_OF_ANOTHER_THREAD = """
import os, threading
from arrayapi_unify._core.locks import new_lock

lock, held, over = new_lock(), threading.Event(), threading.Event()

def hold():
    with lock:
        held.set()
        over.wait()

thread = threading.Thread(target=hold)
thread.start()
held.wait()
pid = os.fork()
if not pid:
    os._exit(0 if lock.acquire(timeout=10) else 1)
over.set()
thread.join()
print("held" if os.waitpid(pid, 0)[1] else "free")
"""


class TestForks:
    @pytest.mark.slow
    @pytest.mark.parametrize("kind", forks.KINDS)
    @pytest.mark.parametrize("backend", ["numpy", "torch"])
    def test_no_child_waits_for_a_thread_that_it_lacks(self, backend: str, kind: str) -> None:
        assert forks.process(backend, kind, 8) == {"stuck": 0, "failed": 0, "errors": []}

    def test_a_lock_that_another_thread_holds_is_free_in_the_child(self) -> None:
        assert run(_LOCK_OF_ANOTHER_THREAD) == "free"

    def test_locks_that_died_are_forgotten(self) -> None:
        for _ in range(2000):
            new_lock()
        alive = sum(ref() is not None for ref in locks._locks)
        assert len(locks._locks) <= 2 * alive + 128


class TestWrites:
    """B56: writes by several threads to distinct elements are all there afterwards."""

    @pytest.mark.slow_on("dask")
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_none_is_lost(self, backend: str) -> None:
        """A view whose data was read before another thread's write is read again."""
        outcome = writes.in_process(backend, 2)
        assert outcome["written"] == 3200
        assert outcome["lost"] == {}
        assert outcome["errors"] == []
