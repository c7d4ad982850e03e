"""The stub of the functions and operators of Containers, `container/methods.pyi`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from arrayapi_unify._generate.parts import definition, imports, returns, signature_name
from arrayapi_unify.array_object.numpy_compat import COMPONENTS
from arrayapi_unify.array_object.operators import UNARY
from arrayapi_unify.binding.array_class import method_signature
from arrayapi_unify.container.methods import STATIC, has_method, method_name, static_names
from arrayapi_unify.container.operators import operators
from arrayapi_unify.contracts import CONTRACTS, Contract

__all__ = ["nestable", "render_container"]

_HEAD = """{imports}
from arrayapi_unify import _signatures

STATIC: Final[str]

AFTER_KEYS: Final[dict[str, Callable[..., Any]]]

def has_method(contract: Contract) -> bool: ...
def method_name(contract: Contract) -> str: ...
def static_names(contract: Contract) -> list[str]: ...
"""


def nestable(parameter: inspect.Parameter) -> inspect.Parameter:
    """Return a parameter for which a Container may stand."""
    if parameter.name == "self" or parameter.annotation is inspect.Parameter.empty:
        return parameter
    annotation = str(parameter.annotation)
    if annotation == "Arrays":  # each of them, too
        annotation = "Sequence[Container | Array | NativeArray]"
    whole = annotation if annotation == "Any" else f"Container | {annotation}"
    return parameter.replace(annotation=whole)


def _container_methods(contract: Contract) -> Iterator[str]:
    """Render a function as a method and as a static form."""
    result = "Container" if contract.nestable else returns(contract)
    if contract.name in COMPONENTS:
        yield f"    @property\n    def {contract.name}(self) -> Container: ..."
    elif has_method(contract):
        method = [nestable(p) for p in method_signature(contract).parameters.values()]
        yield definition(method_name(contract), method, result)
    hint = f"ClassVar[_signatures.{signature_name(contract)}]"
    yield from (f"    {STATIC}{name}: {hint}" for name in static_names(contract))


def _container_operators() -> Iterator[str]:
    operand = "Container | Array | NativeArray | complex"
    for name in operators():
        if name.strip("_") in UNARY:
            yield f"    def {name}(self, /) -> Container: ..."
            continue
        # Equality returns no bool, which `object` promises.
        ignored = "  # type: ignore[override]" if name in ("__eq__", "__ne__") else ""
        yield f"    def {name}(self, other: {operand}, /) -> Container: ...{ignored}"


def render_container() -> str:
    """Return the text of the stub file of Containers."""
    contracts = [CONTRACTS[name] for name in sorted(CONTRACTS) if static_names(CONTRACTS[name])]
    methods = [text for contract in contracts for text in _container_methods(contract)]
    return "\n".join(
        [
            _HEAD.format(imports=imports("ClassVar")),
            "class ContainerWithFunctions:",
            *methods,
            "",
            "class ContainerWithOperators:",
            "    __array_ufunc__: None",
            *_container_operators(),
            "",
        ]
    )
