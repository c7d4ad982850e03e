"""The tests for the draft of the standard notice wrong answers, and have a column of the report."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import arrayapi_unify.numpy as xp
from compliance import runner, store, view
from compliance.draft_checks import test_open_questions as open_questions, test_top_k as top_k
from compliance.namespaces import parse

Result = xp.top_k(xp.asarray([1]), 1)._replace


def with_(**functions: Any) -> Any:
    """Return NumPy's namespace with other functions; `trace` is that of linalg."""
    names = {name: getattr(xp, name) for name in dir(xp)} | functions
    linalg = SimpleNamespace(trace=functions.get("trace", xp.linalg.trace))
    return SimpleNamespace(**{**names, "linalg": linalg})


def always_largest(x: Any, k: int, /, *, axis: int = -1, mode: str = "largest") -> Any:
    return xp.top_k(x, k, axis=axis)


def last_axis(x: Any, k: int, /, *, axis: int = -1, mode: str = "largest") -> Any:
    return xp.top_k(x, k, mode=mode)


def of_int32(x: Any, k: int, /, **options: Any) -> Any:
    values, indices = xp.top_k(x, k, **options)
    return Result(values=values, indices=xp.astype(indices, xp.int32))


def of_one_place(x: Any, k: int, /, **options: Any) -> Any:
    values = xp.top_k(x, k, **options).values
    return Result(values=values, indices=xp.searchsorted(xp.sort(x), values))


def small_nan(x: Any, k: int, /, **options: Any) -> Any:
    return xp.top_k(xp.where(xp.isnan(x), -xp.inf, x), k, **options)


def no_names(x: Any, k: int, /, **options: Any) -> Any:
    return tuple(xp.top_k(x, k, **options))


def first_diagonal(x: Any, /, *, k: int = 0) -> Any:
    return xp.tril(x)


def of_floats(x: Any, /, *, k: int = 0) -> Any:
    return xp.triu(xp.astype(x, xp.complex128), k=k)


def a_view(x: Any, /, shape: Any, *, copy: bool | None = None) -> Any:
    return xp.reshape(x, shape)


def in_its_data_type(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    return xp.linalg.trace(x, offset=offset, dtype=x.dtype)


WRONG: list[tuple[str, Callable[..., Any], Callable[..., Any], tuple[Any, ...]]] = [
    ("top_k", always_largest, top_k.test_top_k_values, ("int64", "smallest")),
    ("top_k", last_axis, top_k.test_top_k_axes, (0,)),
    ("top_k", of_int32, top_k.test_top_k_indices_have_the_default_index_type, ()),
    ("top_k", of_one_place, top_k.test_top_k_ties_have_other_places, ("largest",)),
    ("top_k", small_nan, top_k.test_top_k_nan_is_the_largest, ("float64",)),
    ("top_k", no_names, top_k.test_top_k_result_has_names, ()),
    ("tril", first_diagonal, open_questions.test_triangles_of_all_shapes, ((3, 4), 1, False)),
    ("triu", of_floats, open_questions.test_triangles_keep_the_data_type, ("int8", True)),
    ("reshape", a_view, open_questions.test_reshape_copies_where_it_is_told_to, (True,)),
    ("trace", in_its_data_type, open_questions.test_trace_of_int8_does_not_overflow, ()),
    ("trace", in_its_data_type, open_questions.test_trace_has_the_data_type_of_a_sum, ("int8",)),
    ("trace", in_its_data_type, open_questions.test_trace_takes_a_data_type, ("int64",)),
]


@pytest.mark.parametrize(("name", "wrong", "check", "arguments"), WRONG)
def test_a_wrong_answer_is_noticed(
    name: str, wrong: Any, check: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    check(with_(), *arguments)
    with pytest.raises((AssertionError, AttributeError)):
        check(with_(**{name: wrong}), *arguments)


@pytest.mark.parametrize("text", ["draft:numpy", "draft:array_api_strict", "draft:jax.numpy"])
def test_any_namespace_can_be_measured(text: str) -> None:
    assert parse(text).kind == "draft"
    assert parse(parse(text).spec) == parse(text)


def test_it_needs_no_suite(tmp_path: Any) -> None:
    command = runner.pytest_command(None, runner.Settings(), tmp_path / "raw.json", "draft_checks")
    assert "draft_checks" in command
    assert not any("max-examples" in word for word in command)


def test_a_report_is_no_result_of_the_official_suite(make_report: Any, tmp_path: Any) -> None:
    path = tmp_path / "draft" / "arrayapi_unify.numpy.json"
    stored = store.Stored(path, make_report("arrayapi_unify.numpy", official=0, top_k="passed"))
    assert (stored.kind, stored.tests_by) == ("draft", "of the draft")
    page = view.build([stored])
    assert [len(part) for part in (page.official, page.own_checks, page.draft)] == [0, 0, 1]
    ((library, cells),) = page.libraries()
    assert library == "numpy"
    assert [way.kind for way, entry in zip(view.WAYS, cells, strict=True) if entry] == ["draft"]
