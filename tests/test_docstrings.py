"""Documentation of every public function, including the exceptions that it raises."""

from __future__ import annotations

import builtins
import inspect
import re
from typing import Any

import pytest
from hypothesis import strategies as st

import arrayapi_unify as unify
from arrayapi_unify import errors
from arrayapi_unify.array_object.numpy_names import FUNCTIONS
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import documented
from arrayapi_unify.contracts.registry import categories
from compliance.standard import STANDARD
from tests.differential.arguments import CallBuilder, draw_case
from tests.differential.case import Case
from tests.differential.coverage import compared
from tests.differential.outcome import run
from tests.differential.runner import check_examples
from tests.differential.strategies import Draw
from tests.docstrings import SECTIONS, Docstring, read
from tests.tables import each

every = each("name", sorted(CONTRACTS))
IN_THE_STANDARD = {name for names in STANDARD.functions.values() for name in names}
# Functions of arrays with arbitrary combinations of shapes.
TAKE_ANY_SHAPES = {
    "array_equal", "atleast_1d", "atleast_2d", "atleast_3d", "intersect1d", "isin", "kron", "outer",
    "setdiff1d", "union1d", "vdot",
}  # fmt: skip
# A paper or book with its year or number, another library's function, or a behaviour.
SOURCE = re.compile(
    r"Array API standard \d{4}\.\d\d, |(NumPy|SciPy|PyTorch|TensorFlow)'s ``"
    r"|arXiv:\d|, (19|20)\d\d\b|^B\d+[^()]*: [^()]+ \(docs/behaviours\.md\)\.|^docs/design\.md, \""
)


def documentation(name: str) -> Docstring:
    return read(CONTRACTS[name].public)


class TestContracts:
    def test_those_of_all_categories_are_here(self) -> None:
        found = {contract.category for contract in CONTRACTS.values()}
        assert found == set(categories()) - {"constants"}


class TestSections:
    @every
    def test_summary_is_one_sentence_in_one_line(self, name: str) -> None:
        text = inspect.getdoc(CONTRACTS[name].public) or ""
        assert re.fullmatch(r"[A-Z].*\.", documentation(name).summary)
        assert text.partition("\n")[2].startswith("\n")

    @every
    def test_they_stand_in_numpydocs_order(self, name: str) -> None:
        found = list(documentation(name).sections)
        assert found == [section for section in SECTIONS if section in found]

    @every
    def test_nothing_hangs_below_entries(self, name: str) -> None:
        """Unindented lines are names, so a paragraph there belongs to another section."""
        for section in ("Parameters", "Raises"):
            entries = documentation(name).entries(section)
            assert all(entries.values())
            assert all(re.fullmatch(r"[\w, ]+", entry) for entry in entries)

    @every
    def test_every_parameter_is_described_in_order(self, name: str) -> None:
        parameters = CONTRACTS[name].parameters
        # A parameter after `out` in a signature takes any keywords, and is described before it.
        wanted = [p.name for p in sorted(parameters, key=lambda p: p.role is Role.OUT)]
        assert list(documentation(name).entries("Parameters")) == wanted

    @every
    def test_what_is_returned(self, name: str) -> None:
        returns = CONTRACTS[name].signature.return_annotation != "None"
        assert ("Returns" in documentation(name).sections) == returns

    @every
    def test_where_it_comes_from(self, name: str) -> None:
        references = documentation(name).sections["References"]
        assert all(SOURCE.search(paragraph) for paragraph in references.split("\n\n"))
        if name.rpartition(".")[2] in IN_THE_STANDARD and name not in FUNCTIONS:
            # In the standard, device transfer is a method of arrays.
            assert re.search(rf"Array API standard.*``(array\.)?{re.escape(name)}``", references)

    @every
    def test_examples(self, name: str) -> None:
        assert ">>> " in documentation(name).sections["Examples"]


class TestOut:
    """Its paragraph is written once, and inserted."""

    @every
    def test_no_contract_repeats_it(self, name: str) -> None:
        assert "out" not in read(CONTRACTS[name].function).entries("Parameters")

    def test_it_is_the_same_everywhere(self) -> None:
        texts = {
            documentation(name).entries("Parameters")["out"]
            for name, contract in CONTRACTS.items()
            if contract.takes_out
        }
        assert len(texts) == 1
        assert next(iter(texts)).startswith("Array to write the result into")

    def test_every_entry_point_shows_it(self) -> None:
        method = unify.Array.add
        for entry_point in (unify.add, namespace_of("numpy").add, method):
            assert list(read(entry_point).entries("Parameters")) == ["x1", "x2", "out"]

    def test_without_docstrings(self) -> None:
        """As under `python -OO`."""
        assert documented(None, takes_out=True) is None

    def test_the_rest_stays(self) -> None:
        text = CONTRACTS["add"].function.__doc__
        assert documented(text, takes_out=False) is text
        assert len(documented(text, takes_out=True) or "") > len(text or "")


class Faulty(CallBuilder):
    """A call that usually has one fault."""

    def __init__(self, draw: Draw, contract: Any) -> None:
        super().__init__(draw, contract)
        names = [p.name for p in contract.parameters if p.role is not Role.OUT]
        self.fault = self.one_of(*names, "dtype")


class TestRaises:
    @every
    def test_names_are_exceptions(self, name: str) -> None:
        for raised in documentation(name).raised:
            kind = getattr(errors, raised, None) or getattr(builtins, raised)
            assert issubclass(kind, Exception)

    @every
    def test_each_says_when(self, name: str) -> None:
        assert all(
            text.startswith("If ") for text in documentation(name).entries("Raises").values()
        )

    @every
    def test_who_has_to_say_it(self, name: str) -> None:
        """An axis may be out of bounds, and several arrays may be incompatible."""
        contract = CONTRACTS[name]
        arrays = contract.array_parameters
        several = len(arrays) > 1 or any(p.role in (Role.SEQUENCE, Role.STAR) for p in arrays)
        if any(p.name in ("axis", "axes") for p in contract.parameters):
            assert {"UnifyIndexError", "UnifyValueError"} & documentation(name).raised
        if several and name not in TAKE_ANY_SHAPES:
            assert documentation(name).raised

    @pytest.mark.sample(150)
    @pytest.mark.parametrize("name", compared())
    def test_what_a_faulty_call_raises(self, name: str) -> None:
        promised = documentation(name).raised

        @st.composite
        def faulty(draw: Draw) -> Case:
            return draw_case(draw, CONTRACTS[name], Faulty)

        def check(case: Case) -> str | None:
            error = run(case, namespace_of("numpy")).error
            if error is None or {kind.__name__ for kind in type(error).__mro__} & promised:
                return None
            return f"{case} raises {error!r}, of which the documentation says nothing"

        check_examples(faulty(), check)
