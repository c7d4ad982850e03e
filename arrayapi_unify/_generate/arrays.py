"""The stub of `Array`'s methods and operators, `array_object/mixins.pyi`."""

from __future__ import annotations

from collections.abc import Iterator

from arrayapi_unify._generate.parts import as_numpy, definition, imports, returns
from arrayapi_unify.array_object.mixins import MIXINS
from arrayapi_unify.array_object.operators import ARITHMETIC, COMPARISON, UNARY, UNLIKE
from arrayapi_unify.binding.array_class import is_method, method_names, method_signature
from arrayapi_unify.contracts import CONTRACTS, Contract

__all__ = ["render"]

_OPERATORS = '''
class ArrayOperators:
    """Python's operators; `operators.ArrayWithOperators` has them at run time."""

    # No array is hashable, which `object` promises.
    __hash__: None  # type: ignore[assignment]
'''
_EQUALITY = """\
    @overload  # type: ignore[override]  # elementwise, where `object` promises a bool
    def {name}(self, other: Container, /) -> Container: ...  # type: ignore[overload-overlap]
    @overload
    def {name}(self, other: object, /) -> Array: ..."""


def render() -> str:
    """Return the text of the stub file."""
    parts = [imports("overload"), "MIXINS: Final[dict[str, type]]\n"]
    for category, mixin in MIXINS.items():
        methods = [
            _method(contract)
            for name, contract in sorted(CONTRACTS.items())
            if contract.category == category and is_method(contract)
        ]
        parts.append(f"class {mixin.__name__}:\n" + "\n".join(methods or ["    pass"]) + "\n")
    bases = "".join(f"    {mixin.__name__},\n" for mixin in MIXINS.values())
    parts.append(f"class ArrayMethods(\n{bases}): ...")
    return "\n".join([*parts, _OPERATORS.rstrip(), *_operators(), ""])


def _method(contract: Contract) -> str:
    parameters = list(method_signature(contract).parameters.values())
    method = definition(contract.name, as_numpy(contract, parameters), returns(contract))
    name, *others = method_names(contract)
    return "\n".join([method, *(f"    {other} = {name}" for other in others)])


def _operators() -> Iterator[str]:
    """Render Python's operators as methods, with the types of their functions' operands."""
    for name, function in ARITHMETIC.items():
        for prefix in ("", "r", "i"):
            yield _binary(f"__{prefix}{name}__", function, "Array")
    for prefix in ("", "r"):
        yield _binary(f"__{prefix}divmod__", "floor_divide", "tuple[Array, Array]")
    for name, function in COMPARISON.items():
        key = f"__{name}__"
        if key in UNLIKE:
            yield _EQUALITY.format(name=key)
        else:
            yield _binary(key, function, "Array")
    yield from (f"    def __{name}__(self, /) -> Array: ..." for name in UNARY)
    yield "    def __round__(self, digits: int | None = None, /) -> Array | int: ..."
    yield from (f"    def __{n}__(self, /) -> Array | int: ..." for n in ("floor", "ceil", "trunc"))


def _binary(name: str, function: str, result: str) -> str:
    *_, operand = [p for p in CONTRACTS[function].parameters if p.name != "out"]
    # Lists are operands, too, and made arrays.
    return (
        f"    def {name}(self, other: {operand.annotation} | list[Any] | tuple[Any, ...], /)"
        f" -> {result}: ..."
    )
