"""The own checks find faults; test_cli.py shows that they pass on good namespaces."""

import inspect

import pytest

from compliance.own_checks.test_promotion import TABLE
from compliance.own_checks.test_signatures import check
from compliance.own_checks.test_special_cases import same
from compliance.standard import parse_signature


def signature(line: str) -> inspect.Signature:
    """The signature of one line of the data."""
    return parse_signature(f"f{line}")[1]


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        ("(x, /, *, axis=0)", "(x, /, *, axis=0)"),
        ("(a, axis=0, out=None)", "(x, /, *, axis=0)"),
        ("(*args, **kwargs)", "(x, /, y, *, axis=0)"),
        ("(*arrays)", "(*arrays_and_dtypes)"),
    ],
)
def test_good_signatures(found: str, wanted: str) -> None:
    check(signature(found), signature(wanted))


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        ("(x, /)", "(x, /, *, axis=0)"),
        ("(x, dim=0)", "(x, /, *, axis=0)"),
        ("(*, x)", "(x, /)"),
        ("(x, a_min, a_max)", "(x, /, min=None, max=None)"),
        ("(x)", "(*arrays)"),
    ],
)
def test_bad_signatures(found: str, wanted: str) -> None:
    with pytest.raises(AssertionError):
        check(signature(found), signature(wanted))


def test_hidden_signatures_are_not_judged() -> None:
    check(None, signature("(x, /)"))


def test_promotion_table() -> None:
    table = {(first, second): result for first, second, result in TABLE}
    assert table["uint8", "int8"] == "int16"
    assert table["int64", "uint32"] == "int64"
    assert table["float64", "complex64"] == "complex128"
    assert ("uint64", "int8") not in table
    assert all(table[b, a] == result for (a, b), result in table.items())


def test_same() -> None:
    assert same(float("nan"), float("nan"))
    assert not same(0.0, -0.0)
    assert not same(1.0, float("nan"))
