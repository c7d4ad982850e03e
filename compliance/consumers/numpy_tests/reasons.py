"""Reasons for which a test of NumPy isn't one of functions of arrays, told by its source.

The text is that of the test function, without comments and docstrings, of the fixtures and the
methods of its class that set it up, of functions and values of its module that it names, and of its
parameters. The first pattern that occurs decides. Neither files nor results count.
"""

import ast
import functools
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import pytest

REASONS: Final[dict[str, str]] = {
    "C-API": (
        r"_multiarray_tests|_umath_tests|_rational_tests|_operand_flag_tests|_struct_ufunc_tests"
        r"|\b_simd\b|ctypes|cython|getrefcount|_testcapi|\bgc\.|array_function_from_c|__cpu_|weakref"
        r"|extint128|_get_\w*handler|subprocess|get_include|show_config|implement_array_function"
    ),
    "dates": r"datetime64|timedelta64|np\.datetime|\bNaT\b|busday|'[<>=|]?[mM]8",
    "records": (
        r"np\.void|'V\d*'|recarray|np\.rec\b|\.fields\b|'names'|'formats'|recfunctions|\.names\b"
        r"|\[\('\w*', ('|np\.|int|float|bool|\[|dt)"
    ),
    "text": (
        r"\bstr_\b|\bbytes_\b|'[<>=|]?[SUac]\d*'|unicode|StringDType|\.char\b|\.strings\b"
        r"|chararray|array\(\[*b?'|dtype=(str|bytes)\b|fromstring|<U\d|\|S\d"
    ),
    "objects": r"\bobject\b|'O'|\bobject_\b|Decimal|Fraction|\bO\b|typecodes",
    "masked arrays": r"\bma\.|MaskedArray|masked",
    "subclasses and protocols": (
        r"class \w+\((np\.)?(ndarray|float\w*|int\w*|matrix)|np\.matrix|asmatrix|\bmat\(|subok"
        r"|__array_\w+__|memmap|__array__|\bndarray\)|array_wrap|MyNDArray"
    ),
    "memory": (
        r"strides|as_strided|strided|\.flags\b|\.base\b|\.data\b|shares_memory|order='F'|'F'|'A'"
        r"|fortran|contiguous|newbyteorder|byteswap|'>|\.view\(|buffer|requires=|require\("
        r"|memoryview|\.dtype = |\.shape = |\.resize\(|setflags|byte_bounds|itemsize|\.real = "
    ),
    "iterators": r"nditer|nested_iters|flatiter|ndenumerate|ndindex|\.flat\b|np\.broadcast\(",
    "deprecated": r"[Dd]eprecat|FutureWarning",
    "warnings and floating-point errors": (
        r"warns\b|simplefilter\('(error|always)|filterwarnings\('(error|always)|recwarn"
        r"|='raise'|seterr|FloatingPointError|='warn'|WarningFilter|bufsize|geterr"
    ),
    "classes of NumPy": (
        r"isinstance\(|type\([^()]*\) (is|==|!=)|type\([^()]*\), |isscalar|\.type\b|issubdtype"
        r"|issctype|sctype|\bgeneric\b|_scalar\b|np\.ufunc\b|\.nin\b|\.ntypes\b|\.types\b|hash\("
        r"|resolve_dtypes|signature|\.dtype is |dtype\.(char|num|kind)"
    ),
    "extended precision": r"longdouble|longfloat|clongdouble|float128|complex256|'[gG]'",
    "printing and files": (
        r"printoptions|array2string|array_repr|array_str|repr\(|\bstr\(|format_float|pickle|fromfile"
        r"|tofile|loadtxt|savetxt|genfromtxt|fromregex|savez|np\.load|np\.save|tmp_?path|tempfile"
        r"|StringIO|BytesIO|__doc__|getsource|np\.info\b|typename|mintypecode|deepcopy"
    ),
}
_PATTERNS: Final = {name: re.compile(pattern) for name, pattern in REASONS.items()}
_LONGEST: Final = 3000
_SETUP: Final = ("setup_method", "setup_class", "setup")


def reason_of(item: pytest.Item) -> str:
    """Return the reason for which a test isn't counted; "" for one of functions of arrays."""
    function = getattr(item, "function", None)
    if function is None:
        return "printing and files"  # a doctest
    text = _text_of(inspect.unwrap(function), getattr(item, "cls", None))
    given = getattr(getattr(item, "callspec", None), "params", {})
    fixtures = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    setups = [found[-1].func for found in fixtures.values() if _is_of_tests(found[-1].func)]
    parts = [text, *map(_described, given.values()), *(_source(one) for one in setups)]
    whole = "\n".join(parts)
    return next((name for name, pattern in _PATTERNS.items() if pattern.search(whole)), "")


def _described(value: Any) -> str:
    """Describe a parameter; a function by its name."""
    return getattr(value, "__qualname__", None) or repr(value)[:_LONGEST]


def _is_of_tests(value: Any) -> bool:
    return ".tests." in str(getattr(value, "__module__", ""))


@functools.cache
def _text_of(function: Any, kind: type | None) -> str:
    """Return the sources of a function and of all in its module that it names."""
    parts, waiting, seen = list[str](), [function], set[int]()
    waiting += [vars(c)[n] for c in getattr(kind, "__mro__", ()) for n in _SETUP if n in vars(c)]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        parts.append(_source(value) if callable(value) else repr(value)[:_LONGEST])
        code = getattr(value, "__code__", None)
        if code is not None:
            waiting += _named(code, value.__globals__, kind)
    return "\n".join(parts)


def _named(code: CodeType, names: dict[str, Any], kind: type | None) -> Iterator[Any]:
    """Return values of the test module, or of the class, that a function names."""
    for name in _names(code):
        value = names.get(name, getattr(kind, name, None))
        helper = isinstance(value, FunctionType | type) and _is_of_tests(value)
        if helper or isinstance(value, list | tuple | dict | str):
            yield value
        elif value is not None and not callable(value) and not isinstance(value, ModuleType):
            yield [type(value).__name__]


def _names(code: CodeType) -> set[str]:
    inner = (_names(one) for one in code.co_consts if isinstance(one, CodeType))
    return set(code.co_names).union(*inner)


def _source(value: Callable[..., Any]) -> str:
    """Return the source without comments and docstrings; "" if there is none."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(value)))
    except (OSError, TypeError, SyntaxError):
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.FunctionDef) and node in tree.body:
            node.decorator_list = []  # the parameters of this test alone count
    return ast.unparse(tree)
