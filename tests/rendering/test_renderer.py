"""The generated functions: their signatures, and the handling of omitted arguments."""

from __future__ import annotations

import cProfile
import inspect
import pstats
import subprocess
import sys
import traceback
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify.contracts import CONTRACTS, Contract
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import MISSING, documented
from arrayapi_unify.rendering import functions
from arrayapi_unify.rendering.functions import compile_function
from arrayapi_unify.rendering.signature import Names, Source
from tests.binding.calls import RETURNING_ARRAYS, arguments, function, same
from tests.tables import each

ALL = sorted(CONTRACTS)
GENERATED = [n for n in ALL if CONTRACTS[n].kind != "standalone" or CONTRACTS[n].array_parameters]
every = each("name", ALL)
STAR = inspect.Parameter.VAR_POSITIONAL


def entry_points(xp: ModuleType, name: str) -> tuple[Any, Any]:
    """The function at the top level and in a bound namespace."""
    return function(unify, name), function(xp, name)


def optional(contract: Contract) -> list[Any]:
    return [p for p in contract.parameters if p.optional and p.role is not Role.OUT]


def takes_any_keyword(contract: Contract) -> bool:
    return any(p.kind is p.VAR_KEYWORD for p in contract.signature.parameters.values())


def as_numpy_has_them(contract: Contract) -> list[tuple[str, Any, bool]]:
    """List the names, kinds and necessity of the parameters, NumPy's positions included."""
    numpy = contract.numpy
    order, optional = (numpy.order, numpy.optional) if numpy else ((), frozenset())
    given = list(contract.signature.parameters.values())
    by_name = contract.by_name
    star = contract.star or bool(numpy and numpy.variadic)
    found = [
        (p.name, p.kind, by_name[p.name].required and p.name not in optional)
        for p in given
        if p.kind is p.VAR_POSITIONAL
        or (p.kind is p.POSITIONAL_ONLY and (p.name in optional or p.name not in order))
    ]
    leading = [name for name, *_ in found]
    either, keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    rest = [p for p in given if p.name not in leading and p.kind is not p.VAR_KEYWORD]
    positional = [p.name for p in rest if p.kind is not keyword]
    positional += [n for n in order if n not in positional and n not in leading and not star]
    required = [n for n in contract.required if n not in optional]
    found += [(n, either, n in required) for n in positional]
    by_keyword = [p.name for p in rest if p.name not in positional]
    by_keyword += [n for n in order if n not in [*positional, *leading, *by_keyword] and star]
    found += [(n, keyword, False) for n in by_keyword]
    return found + [(p.name, p.kind, False) for p in given if p.kind is p.VAR_KEYWORD]


class TestSignatures:
    """B4: `inspect.signature` returns the contract's, whichever backend is set."""

    @every
    def test_are_the_contracts(self, xp: ModuleType, name: str) -> None:
        contract = CONTRACTS[name]
        for entry_point in entry_points(xp, name):
            assert inspect.signature(entry_point) == contract.signature
            with unify.use_backend("numpy"):
                assert inspect.signature(entry_point) == contract.signature

    @each("name", GENERATED)
    def test_code_takes_just_these_parameters(self, xp: ModuleType, name: str) -> None:
        """The displayed signature is the one that Python enforces, but for NumPy's parameters.

        Top-level functions that require only arrays accept anything in `_rest` and `_more`, and
        raise later: the tests below call them with invalid arguments.
        """
        contract = CONTRACTS[name]
        wanted = as_numpy_has_them(contract)
        for entry_point in map(functions.rendered, entry_points(xp, name)):
            bare = type(entry_point)(
                entry_point.__code__, {}, "bare", entry_point.__defaults__, entry_point.__closure__
            )
            bare.__kwdefaults__ = entry_point.__kwdefaults__
            shown = [
                (
                    p.name,
                    p.kind,
                    p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD),
                )
                for p in inspect.signature(bare).parameters.values()
            ]
            shown = [entry for entry in shown if entry[0] not in ("_rest", "_more")]
            if "_more" in entry_point.__code__.co_varnames:
                assert entry_point is function(unify, name)
                # The others arrive in `_rest` and `_more`.
                names = [n for n, *_ in shown]
                assert set(contract.by_position) <= set(names)
                assert set(names) <= {n for n, *_ in wanted}
                assert not any(required for *_, required in shown)
            else:
                assert shown == wanted

    @every
    def test_dress(self, xp: ModuleType, name: str) -> None:
        contract = CONTRACTS[name]
        public, bound = entry_points(xp, name)
        for entry_point in (public, bound):
            assert entry_point.__name__ == entry_point.__qualname__ == contract.name
            assert entry_point.__doc__ == documented(contract.function.__doc__, contract.takes_out)
            assert entry_point.kind == contract.kind
            assert entry_point.convenience == contract.convenience
            assert entry_point.contract is contract
            assert entry_point.__annotations__ == contract.function.__annotations__
            assert entry_point.__code__.co_name == contract.name
        assert public.__module__ == contract.public_module
        if contract.kind != "standalone":
            assert bound.__module__ == contract.public_module.replace(
                "arrayapi_unify", f"arrayapi_unify.{xp.__unify_backend__}", 1
            )

    @every
    def test_bound_function_is_not_the_public_one(self, xp: ModuleType, name: str) -> None:
        public, bound = entry_points(xp, name)
        assert (public is bound) == (CONTRACTS[name].kind == "standalone")


class TestCalls:
    @each("name", [n for n in ALL if any(p.positional_only for p in CONTRACTS[n].parameters)])
    def test_positional_only_parameters_reject_keywords(self, xp: ModuleType, name: str) -> None:
        """B3: `x=` as a keyword raises."""
        contract = CONTRACTS[name]
        required = [p for p in contract.parameters if p.required]
        numpy = contract.numpy
        if numpy and all(p.name in numpy.named for p in required if p.positional_only):
            return  # `linspace(start=0, stop=1)`
        for entry_point in entry_points(xp, name):
            with pytest.raises(TypeError, match=rf"^{contract.name}\(\)"):
                entry_point(**{p.name: 1 for p in required or contract.parameters})

    @each("name", [n for n in ALL if any(p.keyword_only for p in CONTRACTS[n].parameters)])
    def test_keyword_only_parameters_reject_positions(self, xp: ModuleType, name: str) -> None:
        contract = CONTRACTS[name]
        star = [i for i, p in enumerate(contract.parameters) if p.kind is STAR]
        if star:
            assert all(p.keyword_only for p in contract.parameters[star[0] + 1 :])
            return
        if contract.numpy is not None and contract.numpy.variadic:
            return  # `reshape(x, 2, 3)`
        for entry_point in entry_points(xp, name):
            with pytest.raises(TypeError, match=rf"^{contract.name}\(\) takes"):
                entry_point(*[1] * (len(as_numpy_has_them(contract)) + 1))

    @each("name", [n for n in ALL if not takes_any_keyword(CONTRACTS[n])])
    def test_unknown_keywords_are_rejected(self, xp: ModuleType, name: str) -> None:
        for entry_point in entry_points(xp, name):
            with pytest.raises(TypeError, match="nonsense"):
                entry_point(nonsense=1)

    @each("name", [n for n in ALL if any(p.required for p in CONTRACTS[n].parameters)])
    def test_missing_arguments_are_named(self, xp: ModuleType, name: str) -> None:
        star = any(p.kind is STAR for p in CONTRACTS[name].parameters)
        if star and CONTRACTS[name].kind == "standalone":
            return
        for entry_point in entry_points(xp, name):
            with pytest.raises(TypeError, match="missing"):
                entry_point()


class TestDefaults:
    """Omitted arguments never leak into a native function: explicit defaults equal them."""

    @each("name", [n for n in RETURNING_ARRAYS if optional(CONTRACTS[n])])
    def test_explicit_defaults_equal_omitted_ones(self, either: ModuleType, name: str) -> None:
        def args() -> list[Any]:
            return arguments(name, either.asarray)  # again: it sets the seed

        contract = CONTRACTS[name]
        left = [p for p in optional(contract) if contract.parameters.index(p) >= len(args())]
        places = [p.default for p in left if p.positional_only]
        taken = [p for p in left if not p.positional_only]
        for namespace in (either, unify):
            entry_point = function(namespace, name)
            with unify.use_backend(either.ones(1).backend):
                omitted = entry_point(*args())
                if name.startswith("empty"):
                    omitted = omitted * 0 == 0
                for p in taken:
                    given = entry_point(*args(), **{p.name: p.default})
                    assert same(given * 0 == 0 if name.startswith("empty") else given, omitted)
                everything = entry_point(*args(), *places, **{p.name: p.default for p in taken})
                assert name.startswith("empty") or same(everything, omitted)

    @pytest.mark.parametrize("was_set", [False, True])
    def test_a_set_backend_changes_no_argument(self, was_set: bool) -> None:
        """Parameters of one letter don't collide with variables of the generated code."""
        x = unify.asarray([[1.0, 2.0], [3.0, 4.0]])
        if was_set:
            unify.set_backend("numpy")
            unify.unset_backend()
        for block in (nullcontext(), unify.use_backend("numpy")):
            with block:
                assert unify.fft.fftn(x).shape == (2, 2)
                assert unify.fft.fftn(x, s=(3, 4), axes=(0, 1)).shape == (3, 4)
                assert unify.fft.irfftn(x, s=(4,), axes=(1,)).shape == (2, 4)
                assert unify.fft.fft(x, n=3).shape == (2, 3)
                assert unify.diff(x, n=1).shape == (2, 1)
                assert unify.linalg.matrix_power(x, 0).tolist() == [[1.0, 0.0], [0.0, 1.0]]
                assert unify.tril(x, k=1).tolist() == x.tolist()
                assert unify.fft.fftfreq(2, d=0.5).tolist() == [0.0, -1.0]

    @each("name", [n for n in ALL if optional(CONTRACTS[n])])
    def test_natives_never_see_the_mark(self, name: str) -> None:
        """The marker is a default in the generated code only, and not displayed."""
        assert all(p.default is not MISSING for p in CONTRACTS[name].signature.parameters.values())
        assert "not given" not in str(inspect.signature(function(unify, name)))

    def test_every_default_is_rendered_as_python_source(self) -> None:
        for contract in CONTRACTS.values():
            for p in optional(contract):
                assert eval(repr(p.default), {}) == p.default

    def test_optional_positional_parameters(self, either: ModuleType) -> None:
        x = either.asarray([1, 2, 3])
        for namespace in (either, unify):
            assert namespace.clip(x).tolist() == [1, 2, 3]
            assert namespace.clip(x, 2).tolist() == namespace.clip(x, min=2).tolist() == [2, 2, 3]
            assert namespace.clip(x, None, 2).tolist() == namespace.clip(x, max=2).tolist()
            assert namespace.clip(x, 2, 2).tolist() == [2, 2, 2]
            assert namespace.clip(x, max=x, min=x).tolist() == [1, 2, 3]
        assert either.arange(3).tolist() == [0, 1, 2]
        assert either.arange(1, 3).tolist() == either.arange(1, stop=3).tolist() == [1, 2]
        assert either.arange(3, step=2).tolist() == [0, 2]
        assert either.arange(5, 0, -2).tolist() == [5, 3, 1]


class TestFactory:
    def test_functions_of_one_shape_share_their_code(self, xp: ModuleType) -> None:
        for namespace in (xp, unify):
            for called in (namespace.sin, namespace.cos):
                called(xp.ones(1))  # the first call may replace the code
            assert namespace.sin.__code__.co_code == namespace.cos.__code__.co_code

    def test_finds_what_it_is_given(self) -> None:
        def calling(native: Any) -> Any:
            return compile_function(
                "nobody.f", *Names(_native=native).function("x, /", ["return _native(x)"])
            )

        made = calling(len)
        assert made([1, 2]) == 2
        other = calling(sum)
        assert other([1, 2]) == 3
        assert made([1, 2]) == 2


class TestVisible:
    """Generated functions look like written ones to introspection."""

    def test_source_is_the_contracts(self, xp: ModuleType) -> None:
        for entry_point in (unify.add, xp.add):
            assert inspect.getsource(entry_point) == inspect.getsource(CONTRACTS["add"].function)

    def test_operators_show_their_own_source(self, xp: ModuleType) -> None:
        add = type(xp.asarray(1)).__add__
        assert inspect.getsource(add).startswith("def __add__(self, other, /):")
        assert "_native(self._data, _o)" in inspect.getsource(add) or (
            "_fast_kernel(self._data, _o)" in inspect.getsource(add)
        )

    @pytest.mark.parametrize(("function", "line"), [("add", "_native("), ("subtract", "_native(")])
    def test_traceback(self, function: str, line: str) -> None:
        xp = unify.get_backend("numpy")
        with pytest.raises(ValueError, match="broadcast") as info:
            getattr(xp, function)(xp.ones(2), xp.ones(3))
        assert info.value.__cause__ is not None
        every = traceback.extract_tb(info.value.__cause__.__traceback__)
        # Native functions have their own frame after a change of the default data type.
        frames = [frame for frame in every if Path(frame.filename).name != "dtype_policy.py"]
        assert frames[-1].name == function
        assert frames[-1].line is not None
        assert line in frames[-1].line
        assert frames[-1].filename == f"<arrayapi_unify.numpy.{function}>"

    def test_a_profiler_tells_them_apart(self, xp: ModuleType) -> None:
        x = xp.ones(2)
        profile = cProfile.Profile()
        profile.runcall(lambda: (xp.add(x, x), xp.sin(x), x + x, x - x, unify.cos(x)))
        names = {name for _, _, name in pstats.Stats(profile).stats}  # type: ignore[attr-defined]  # typeshed has no stats
        assert {"add", "sin", "__add__", "__sub__", "cos"} <= names


class TestMaking:
    def test_a_source_is_compiled_once(self) -> None:
        source = Names().function("x, /", ["return 1 / x"])
        first, second = (
            compile_function("nobody.first", *source),
            compile_function("nobody.second", *source),
        )
        assert first.__code__.co_code == second.__code__.co_code
        assert functions._template.cache_info().hits > 0
        for made in (first, second):
            with pytest.raises(ZeroDivisionError) as info:
                made(0)
            frames = traceback.extract_tb(info.value.__traceback__)
            assert (frames[-1].name, frames[-1].line) == (made.__name__, "return 1 / x")

    def test_on_the_first_call(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(functions, "_waiting", [])
        asked = []

        def render(function: Any) -> Source:
            asked.append(function)
            return Names(one=1).function("x, /, y=2, *, z=3", ["return x + y + z + one"])

        made = functions.compile_on_first_call("nobody.sum", render)
        assert not asked
        assert (made(1), made(1, 1, z=1), made.__name__) == (7, 4, "sum")
        with pytest.raises(TypeError, match=r"sum\(\) missing 1 required positional argument"):
            made()
        assert asked == [made]
        assert inspect.getsource(made).startswith("def sum(x, /, y=2, *, z=3):")

    def test_before_the_first_call(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """torch.compile caches the parameters that a function had at its first call."""
        monkeypatch.setattr(functions, "_waiting", [])
        render = lambda made: Names().function("x, /", ["return x"])  # noqa: E731  # a shorthand
        early = functions.compile_on_first_call("nobody.early", render)
        functions.render_all()
        late = functions.compile_on_first_call("nobody.late", render)
        for made in (early, late):
            assert made.__code__.co_varnames == ("x",)
            assert functions.rendered(made) is made

    def test_the_top_level_waits_for_calls_in_a_fresh_process(self) -> None:
        program = """
import threading
import arrayapi_unify as unify
add, waiting = unify.add, unify.add.__code__
found = []
threads = [threading.Thread(target=lambda: found.append(float(add(1.0, 2.0)))) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(found, unify.add is add, add.__code__ is waiting, unify.sin.__code__.co_filename[-12:])"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert done.stdout.strip() == "[3.0, 3.0, 3.0, 3.0] True False functions.py", done.stderr
