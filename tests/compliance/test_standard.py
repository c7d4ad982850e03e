"""The standard's names and signatures as data."""

import inspect

from compliance.standard import STANDARD, parse_signature


def test_every_signature_parses() -> None:
    functions = [f for group in STANDARD.functions.values() for f in group.values()]
    assert len(functions) > 170
    assert all(isinstance(signature, inspect.Signature) for signature in functions)
    assert "__add__" in STANDARD.array_methods
    assert "devices" in STANDARD.info_methods


def test_parse_signature() -> None:
    name, signature = parse_signature("clip(x, /, min=None, *, out=1)")
    assert name == "clip"
    assert str(signature) == "(x, /, min=None, *, out=1)"


def test_categories() -> None:
    assert STANDARD.category_of["matmul"] == "linear_algebra"
    assert STANDARD.category_of["linalg.matmul"] == "linalg"
    assert STANDARD.category_of["newaxis"] == "constants"
    assert STANDARD.category_of["T"] == "array_object"
