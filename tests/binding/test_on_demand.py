"""Functions are bound at their first use, without a visible difference."""

from __future__ import annotations

import subprocess
import sys

FRESH = """
import sys
import arrayapi_unify as unify
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.binding.namespace import binding_of
import arrayapi_unify.numpy as xp

binding = binding_of("numpy")
{0}
"""


def fresh(program: str) -> str:
    """Run a program in a fresh process; return its output."""
    text = FRESH.format(program)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def imported(program: str) -> str:
    """Run a program that ends with the categories imported by then as `done()`."""
    head = """
def done():
    from arrayapi_unify.contracts.registry import category_of
    return {category_of(m) for m in sys.modules if '._' not in m} - {""}
"""
    return fresh(head + program)


class TestCatalog:
    def test_the_constants_alone_are_imported_at_first(self) -> None:
        assert imported("print(done())") == "{'constants'}"

    def test_a_function_imports_its_category_alone(self) -> None:
        # The very first function also binds the functions of the operators.
        program = "xp.add; before = done(); xp.mean; print('creation' in before, done() - before)"
        assert imported(program) == "True {'statistical'}"

    def test_operators_are_there_before_a_function_was_asked_for(self) -> None:
        program = """
import numpy
x = binding.wrap(numpy.asarray([1.0, 2.0]))
print("__add__" in vars(type(x)), float((x + x)[1]), "__add__" in vars(type(x)))
x += 1.0
print(x.__array_namespace__() is xp, bool(x[0] == 2.0))"""
        assert imported(program) == "False 4.0 True\nTrue True"

    def test_so_does_a_method_of_an_array_or_of_its_class(self) -> None:
        program = """
x = xp.asarray([1.0, 3.0])
before = done()
print(hasattr(x, "mean"), float(x.mean()), done() - before)
print(type(x).sort(x).shape, "nn.losses" in done(), hasattr(x, "huber"), "huber" in dir(x))"""
        assert imported(program) == "True 2.0 {'statistical'}\n(2,) False True False"

    def test_a_subclass_asks_for_the_method_above_it(self) -> None:
        program = """
class Mine(unify.Array):
    def mean(self, **given):
        return super().mean(**given) + 1.0
print(float(Mine([1.0, 3.0]).mean()))"""
        assert fresh(program) == "3.0"

    def test_what_python_asks_for_imports_nothing(self) -> None:
        program = """
before = done()
for name in ("__path__", "__wrapped__", "__file__"): hasattr(xp, name)
print(done() == before, xp.__array_namespace_info__ is not None)"""
        assert imported(program) == "True True"

    def test_a_name_that_nobody_has_is_looked_for_everywhere(self) -> None:
        program = """
from arrayapi_unify.contracts.registry import categories
print("nothing" in CONTRACTS, hasattr(xp, "nothing"), set(categories()) <= done())"""
        assert imported(program) == "False False True"

    def test_the_order_is_that_of_the_index(self) -> None:
        program = "xp.mean; xp.fft.fft; print(list(CONTRACTS) == {0})"
        listed = fresh("print(list(CONTRACTS))")
        assert fresh(program.format(listed)) == "True"

    def test_a_function_that_the_index_lacks_is_found(self) -> None:
        program = """
del CONTRACTS._category["mean"]
print("statistical" in done(), CONTRACTS["mean"].category, list(CONTRACTS)[-1])"""
        assert imported(program) == "False statistical mean"

    def test_a_method_that_a_category_lost_is_an_attribute_error(self) -> None:
        program = """
from arrayapi_unify.array_object.mixins import MIXINS
from arrayapi_unify.binding.array_class import _LazyMethod
MIXINS["statistical"].lost = _LazyMethod("statistical", "lost")
print(hasattr(xp.ones(1), "lost"), hasattr(xp.ones(1), "lost"))"""
        assert fresh(program) == "False False"


class TestOnDemand:
    def test_little_is_bound_at_first(self) -> None:
        program = "print(len(binding.functions) < len(CONTRACTS) / 3, 'sin' in vars(xp))"
        assert fresh(program) == "True False"

    def test_the_category_of_a_function_is_imported_with_it(self) -> None:
        program = """
path = "arrayapi_unify.backends.numpy.fft"
before = path in sys.modules
xp.fft.fft
print(before, path in sys.modules)"""
        assert fresh(program) == "False True"

    def test_a_method_takes_the_short_way_from_its_second_call_on(self) -> None:
        program = """
x = xp.ones(2)
first = type(x).tanh
x.tanh()
print(first is xp.tanh, type(x).tanh is xp.tanh, xp.tanh is xp.tanh)"""
        assert fresh(program) == "False True True"

    def test_the_top_level_takes_the_short_way_from_its_second_call_on(self) -> None:
        program = """
x = xp.ones(2)
dispatch = unify.tanh.dispatch
before = type(x) in dispatch.natives
unify.tanh(x)
print(before, dispatch.functions[type(x)] is xp.tanh, type(x) in dispatch.natives)"""
        assert fresh(program) == "False True True"

    def test_everything_is_listed_and_there(self) -> None:
        program = """
listed = {name for name in CONTRACTS if "." not in name}
print(listed <= set(dir(xp)), all(hasattr(xp, name) for name in listed), hasattr(xp, "nothing"))
extension = {name.partition(".")[2] for name in CONTRACTS if name.startswith("fft.")}
print(extension == set(xp.fft.__all__))
from arrayapi_unify.numpy import *
print(tanh is xp.tanh, hasattr(xp, "fft"), hasattr(xp.fft, "fft"), hasattr(xp.fft, "linalg"))"""
        assert fresh(program) == "True True False\nTrue\nTrue True True False"

    def test_threads_get_one_function(self) -> None:
        program = """
import threading
found, barrier = [], threading.Barrier(8)
def ask():
    barrier.wait()
    found.append(xp.tanh)
threads = [threading.Thread(target=ask) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(found), len(set(map(id, found))))"""
        assert fresh(program) == "8 1"

    def test_a_name_of_no_contract_is_a_key_error(self) -> None:
        program = """
for table in (binding.functions, binding.bound):
    try:
        table["nothing"]
    except KeyError as error:
        print(error)
try:
    binding.bound["nested_map"]
except KeyError as error:
    print(error)"""
        assert fresh(program) == "'nothing'\n'nothing'\n'nested_map'"
