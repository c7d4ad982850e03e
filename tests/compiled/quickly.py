"""Settings with which a compiler needs less time for the same kernels, by backend.

They apply to the process, and to the private names of one version of a library.
"""

from __future__ import annotations

import functools
import importlib
import os
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

__all__ = ["QUICKLY"]

_ENTRY: Final = re.compile(r'(extern "C"\s+void\s+)kernel\(')
_METHOD: Final = ("static PyObject* {entry_func}_py", "static PyMethodDef py_methods")
_ROW: Final = '{{"{entry_func}", {entry_func}_py, METH_VARARGS, ""}},'


class _Kernel(NamedTuple):
    """A kernel that isn't compiled yet."""

    argtypes: list[str]
    source: str

    def is_alone(self) -> bool:
        """Return True if its source has more than a function, such as templates."""
        plain = self.source.count("#include") == 1 and "template" not in self.source
        return not plain or len(_ENTRY.findall(self.source)) != 1


def _torch() -> None:
    """Compile the kernels of a program in one run of g++, and keep no programs.

    Reading PyTorch's headers takes 0.7 s of a run, and a kernel 0.2 s. Warnings take a tenth.
    """
    builder: Any = importlib.import_module("torch._inductor.cpp_builder")
    builder._get_warning_all_cflag = lambda warning_all=True: ["w"]
    importlib.import_module("torch._inductor.config").fx_graph_cache = False
    importlib.import_module("torch._functorch.config").enable_autograd_cache = False
    waiting: Any = importlib.import_module("torch._inductor.async_compile").AsyncCompile
    wait, cache = waiting.wait, importlib.import_module("torch._inductor.codecache")

    def compile_all(self: Any, scope: dict[str, Any]) -> None:
        wait(self, scope)
        scope.update(_compiled(scope, cache.CppPythonBindingsCodeCache))

    waiting.cpp_pybinding = lambda self, argtypes, source: _Kernel(argtypes, source)
    waiting.wait = compile_all


def _compiled(scope: dict[str, Any], cache: Any) -> dict[str, Any]:
    """Compile the kernels in the names of a program, with inductor's own bindings."""
    kernels = {name: value for name, value in scope.items() if type(value) is _Kernel}
    alone = {name: each for name, each in kernels.items() if each.is_alone()}
    found = {name: cache.load_pybinding(*each) for name, each in alone.items()}
    together = {name: each for name, each in kernels.items() if name not in alone}
    if together:
        module = cache.load(_source([*together.values()], cache))
        found |= {name: getattr(module, f"kernel_{i}") for i, name in enumerate(together)}
    return found


def _source(kernels: list[_Kernel], cache: Any) -> str:
    """Write one source of kernels, each with the function that Python calls."""
    template: str = cache.suffix_template
    first, last = map(template.index, _METHOD)
    names = [f"kernel_{i}" for i in range(len(kernels))]
    own = {"entry_func": cache.entry_function, "extra_parse_arg": ""}
    codes = [template[:first].format(**own)]
    for name, each in zip(names, kernels, strict=True):
        types = (argtype.replace("const ", "") for argtype in each.argtypes)
        given = ", ".join(f"parse_arg<{argtype}>(args, {n})" for n, argtype in enumerate(types))
        filled = {
            "arg_len": len(each.argtypes),
            "call_entry_func": f"{name}({given}); Py_RETURN_NONE;",
        }
        codes += [_ENTRY.sub(rf"\1{name}(", each.source)]
        codes += [template[first:last].format(entry_func=name, **filled)]
    rows = "".join(_ROW.replace("{entry_func}", name) for name in names)
    codes.append(template[last:].replace(_ROW, rows).format(**own))
    return "\n".join(codes)


def _jax() -> None:
    """Let XLA write the kernels of eager calls by its older emitters, in half of the time.

    They are 240 a program, of 20 ms instead of 40 ms. What is compiled has XLA's defaults.
    """
    emitters = "xla_cpu_use_fusion_emitters"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --{emitters}=false".strip()
    library: Any = importlib.import_module("arrayapi_unify.backends.jax._compilation")
    options = {"compiler_options": {emitters: True}}
    library.compiled = functools.partial(library.compiled, **options)


QUICKLY: Final[dict[str, Callable[[], None]]] = {"jax": _jax, "torch": _torch}
