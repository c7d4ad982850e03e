"""`Module`: a function with variables, which form a Container."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from arrayapi_unify._core.failures import naming
from arrayapi_unify._core.suggestions import check_keywords
from arrayapi_unify.array_object import Array
from arrayapi_unify.container import Container
from arrayapi_unify.container.tree_map import SEPARATOR
from arrayapi_unify.errors import BackendError, UnifyTypeError, raise_value_error
from arrayapi_unify.nn.core import files, formatting
from arrayapi_unify.nn.core.calling import Calling
from arrayapi_unify.nn.core.converting import Converting
from arrayapi_unify.nn.core.traversal import (
    Places,
    State,
    matched_arrays,
    modules,
    named,
    parts,
    places,
    read,
)
from arrayapi_unify.nn.core.variables import (
    Variable,
    Variables,
    as_array,
    register,
    variable_of,
)

__all__ = ["Module"]

M = TypeVar("M", bound="Module")


class Module(Calling, Converting):
    """A function with variables, made of layers.

    A subclass sets layers as attributes in `__init__`, before or after ``super().__init__()``, also
    in lists and dicts, and computes in `_forward`. Its variables are the Container `net.v`, whose
    key chains are the names of the attributes: ``net.v["_layer/w"]``. It sets its own variables
    there: ``self.v.w = array``. State that changes in training and isn't differentiated, such as
    running means, is set in `self.buffers` likewise.

    ``net(x)`` uses these variables; ``net(x, v=params)`` uses others of the same names, and
    modifies nothing. All functions that differentiate, compile or vectorize therefore accept it.

    A layer with two names has one set of variables, under the first name. The same holds for an
    array: after ``self.v.w = self.other.v.w`` both are one variable. ``net.v = params`` sets
    values.

    Examples
    --------
    >>> class Network(unify.nn.Module):
    ...     def __init__(self):
    ...         self._layer = unify.nn.Linear(3, 1, key=unify.random.key(0))
    ...         super().__init__()
    ...
    ...     def _forward(self, x):
    ...         return unify.tanh(self._layer(x))
    >>> net = Network()
    >>> net
    Network: 4 numbers in 2 variables
      _layer: Linear(3, 1)  w float64 (1, 3), b float64 (1,)
    >>> net(unify.zeros(3)), net(unify.zeros(3), v=net.v + 1)
    (unify.array([0.]), unify.array([0.76159416]))
    """

    def __new__(cls: type[M], *args: Any, **kwargs: Any) -> M:
        """Create the state first, so that attributes can be set before this class's `__init__`."""
        if kwargs:
            check_keywords(cls, kwargs)
        made = super().__new__(cls)
        object.__setattr__(made, "_state", State())
        return made

    def __init__(self) -> None:
        """Do nothing: `__new__` creates the state."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let the constructor of a subclass end with a check of the backends of all layers."""
        super().__init_subclass__(**kwargs)
        if "__init__" in vars(cls):
            cls.__init__ = _checked(cls.__init__)  # type: ignore[method-assign]  # of this class

    # --- variables --------------------------------------------------------------------------

    @property
    def v(self) -> Any:
        """The variables, as a Container that writes through to the Module."""
        return Variables.of(places(self, "variables"), self._declare_variable)

    @v.setter
    def v(self, params: Any) -> None:
        self._set("v", places(self, "variables"), params)

    @property
    def buffers(self) -> Any:
        """The buffers, as a Container that writes through to the Module."""
        return Variables.of(places(self, "buffers"), self._declare_buffer)

    @buffers.setter
    def buffers(self, values: Any) -> None:
        self._set("buffers", places(self, "buffers"), values)

    @property
    def num_parameters(self) -> int:
        """The number of elements of all variables; those of a shared one count once.

        >>> unify.nn.Linear(3, 2).num_parameters
        8
        """
        variables = named(places(self, "variables")).values()
        return sum(math.prod(variable.value.shape) for variable in variables)

    def _read(self, kind: str) -> Container:
        """Return the current arrays in a plain Container."""
        return read(places(self, kind))

    def _set(self, argument: str, where: Places, given: Any) -> None:
        """Set all variables or, if one doesn't match, none."""
        arrays = matched_arrays("Module", argument, where, given, same_shapes=True)
        taken: set[int] = set()
        for variable, array in arrays.items():
            # Two variables remain two: if one array is given for both, the second gets its own
            # memory.
            other = variable_of(array)
            if id(array) in taken or (other is not None and other is not variable):
                array = array.__array_namespace__().asarray(array, copy=True)
            taken.add(id(array))
            variable.write(array)
            if argument == "v":
                register(variable)

    def _declare_variable(self, name: str, value: Array) -> None:
        """Set a variable of this Module, or make a name refer to another Module's variable."""
        self._check_free(name, self._state.buffers)
        variable = variable_of(value)
        if variable is None:
            variable = Variable(value)
            register(variable)
        self._state.variables[name] = variable

    def _declare_buffer(self, name: str, value: Array) -> None:
        self._check_free(name, self._state.variables)
        self._state.buffers[name] = Variable(value)

    def _check_free(self, name: str, others: dict[str, Variable]) -> None:
        if name in others or any(name == part for part, _ in parts(self)):
            raise_value_error(
                type(self).__name__, name, "has a layer, variable or buffer", "choose another name"
            )

    def _own(self, name: str) -> Array:
        """Return a variable of this Module: a faster ``self.v[name]``."""
        return self._state.variables[name].read()

    def _own_or_none(self, name: str) -> Array | None:
        """Return a variable of this Module, or None if it has none of that name."""
        variable = self._state.variables.get(name)
        return None if variable is None else variable.read()

    def _as_array(self, x: Any) -> Array:
        """Return an argument as an Array."""
        return as_array(type(self).__name__, "x", x)

    # --- modes and devices ------------------------------------------------------------------

    @property
    def training(self) -> bool:
        """True if the Module is in training mode; `train()` and `eval()` set it."""
        return self._state.training

    def train(self: M, mode: bool = True) -> M:
        """Set the Module and all layers to training mode; return the Module.

        >>> unify.nn.Dropout(0.5).eval().train().training
        True
        """
        for _, module in modules(self):
            module._state.training = mode
        return self

    def eval(self: M) -> M:
        """Set the Module and all layers to evaluation mode; return the Module."""
        return self.train(False)

    def modules(self) -> dict[str, Module]:
        """Return all layers by their key chains; this Module has the empty one.

        >>> list(unify.nn.Sequential(unify.nn.Linear(2, 2), unify.nn.Dropout()).modules())
        ['', '0', '1']
        """
        return dict(modules(self))

    # --- files and text ---------------------------------------------------------------------

    @naming("{}.save")
    def save(self, path: str | os.PathLike[str], /) -> None:
        """Write variables and buffers to a file, completely or not at all.

        The file name determines the format. ``.safetensors`` selects that format, which needs the
        extra `safetensors`; its names are the key chains. All other files are NumPy archives, as
        `Container.save` writes. Neither format can contain code.
        """
        files.save(path, self.v, self.buffers)

    @naming("{}.load")
    def load(self: M, path: str | os.PathLike[str], /) -> M:
        """Read a file of `save`, and return the Module.

        The arrays are converted to each variable's backend and device.

        Raises
        ------
        UnifyValueError
            If names, shapes or data types in the file differ from those of the Module, which then
            isn't modified.
        """
        kinds = ("variables", "buffers")
        variables = {kind: named(places(self, kind)) for kind in kinds}
        arrays = files.load(path, type(self).__name__, variables)
        for kind in kinds:
            for name, variable in variables[kind].items():
                variable.write(arrays[kind][name])
                if kind == "variables":
                    register(variable)
        return self

    @naming("{}.summary")
    def summary(self, *args: Any, **kwargs: Any) -> str:
        """Return a table of the layers, with the output shapes of a call with these arguments.

        The call is one in evaluation mode, which modifies nothing. A layer that is called several
        times has each shape of its outputs once, and one that isn't called has ``-``. The
        parameters are those of the layer's own variables; those of a shared one count once.

        Examples
        --------
        >>> net = unify.nn.Sequential(unify.nn.Linear(3, 4), unify.nn.relu, unify.nn.Linear(4, 1))
        >>> print(net.summary(unify.zeros((5, 3))))
        name  layer         output shape  parameters
              Sequential    (5, 1)                 0
        0     Linear(3, 4)  (5, 4)                16
        2     Linear(4, 1)  (5, 1)                 5
        21 parameters in 4 variables (168 bytes), 0 numbers in 0 buffers
        """
        return formatting.summary(self, args, kwargs)

    def __repr__(self) -> str:
        """Return the layers, and the data types and shapes of their variables."""
        return formatting.represent(self)

    def _repr_html_(self) -> str:
        """Return a table of the layers and their variables, for notebooks."""
        return formatting.represent_html(self)

    def _arguments(self) -> str:
        """Return the arguments for the repr; layers implement this."""
        return ""

    def __bool__(self) -> bool:
        """Return True, as for any object without a length."""
        return True

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; the Module's own members can't be replaced."""
        if name in _FIXED:
            self._raise_attribute_error(name)
        object.__setattr__(self, name, value)

    def _raise_attribute_error(self, name: str) -> NoReturn:
        raise UnifyTypeError(
            f"{type(self).__name__}: {name!r} is a method or property of Module and can't be set; "
            "choose another name for the attribute"
        )


def _checked(init: Callable[..., None]) -> Callable[..., None]:
    """Return a constructor after which, if it is the outermost one, all layers share a backend."""

    @functools.wraps(init)
    def checked(self: Module, *args: Any, **kwargs: Any) -> None:
        self._state.building += 1
        try:
            init(self, *args, **kwargs)
        finally:
            self._state.building -= 1
        if not self._state.building:
            _check_one_backend(self)

    return checked


def _check_one_backend(module: Module) -> None:
    """Raise for a layer whose variables or buffers are on another backend than the first one's."""
    first: tuple[str, str] | None = None
    for kind in ("variables", "buffers"):
        for name, variable in named(places(module, kind)).items():
            layer, backend = name.rpartition(SEPARATOR)[0], variable.value.backend
            described = f"layer {layer!r}" if layer else f"variable {name!r}"
            first = first or (described, backend)
            if backend != first[1]:
                raise BackendError(
                    f"{type(module).__name__}: {described} is on {backend}, but {first[0]} is on "
                    f"{first[1]}; build all layers with keys of one backend, or under "
                    f"unify.use_backend({backend!r}), or convert one: layer.to_backend({backend!r})"
                )


_FIXED = frozenset(
    {
        "_declare_buffer", "_declare_variable", "_state", "astype", "compile", "compile_graph",
        "eval", "from_keras", "from_torch", "load", "modules", "num_parameters", "save",
        "stateless_call", "summary", "to_backend", "to_device", "to_torch", "train", "training",
    }
)  # fmt: skip
