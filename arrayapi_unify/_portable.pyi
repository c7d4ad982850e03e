"""The type of `portable`, and of the functions that it returns; written by hand."""

from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeAlias, TypeVar, overload

from arrayapi_unify.array_object import Array, NativeArray
from arrayapi_unify.binding.decorators import FunctionAttributes

P = ParamSpec("P")
Q = ParamSpec("Q")
R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")
S = TypeVar("S")
N = TypeVar("N", bound=NativeArray)

_One: TypeAlias = Portable[Concatenate[Array, Q], R]
_Two: TypeAlias = Portable[Concatenate[Array, Array, Q], R]
_Three: TypeAlias = Portable[Concatenate[Array, Array, Array, Q], R]
_Pair: TypeAlias = tuple[Array, Array]

class Portable(Generic[P, R_co]):
    """A function of Arrays that takes native ones as well, and returns what it is given.

    The first overload is the function itself. The others have up to three native arrays in place of
    Arrays at the front; a number may stand beside an array. If all arguments are keywords, or
    keywords are native arrays, the others aren't checked. Methods are bound as functions are; mypy
    doesn't bind class methods.
    """

    __name__: str
    __doc__: str
    __wrapped__: Callable[P, R_co]

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...
    @overload
    def __call__(
        self: _Three[Q, Array],
        x: N,
        y: N | complex,
        z: N | complex,
        /,
        *args: Q.args,
        **kwargs: Q.kwargs,
    ) -> N: ...
    @overload
    def __call__(
        self: _Two[Q, Array], x: N, y: N | complex, /, *args: Q.args, **kwargs: Q.kwargs
    ) -> N: ...
    @overload
    def __call__(
        self: _Two[Q, Array], x: complex, y: N, /, *args: Q.args, **kwargs: Q.kwargs
    ) -> N: ...
    @overload
    def __call__(self: _One[Q, Array], x: N, /, *args: Q.args, **kwargs: Q.kwargs) -> N: ...
    @overload
    def __call__(
        self: _Three[Q, _Pair],
        x: N,
        y: N | complex,
        z: N | complex,
        /,
        *args: Q.args,
        **kwargs: Q.kwargs,
    ) -> tuple[N, N]: ...
    @overload
    def __call__(
        self: _Two[Q, _Pair], x: N, y: N | complex, /, *args: Q.args, **kwargs: Q.kwargs
    ) -> tuple[N, N]: ...
    @overload
    def __call__(
        self: _One[Q, _Pair], x: N, /, *args: Q.args, **kwargs: Q.kwargs
    ) -> tuple[N, N]: ...
    @overload
    def __call__(
        self: _Three[Q, R],
        x: NativeArray | complex,
        y: NativeArray | complex,
        z: NativeArray | complex,
        /,
        *args: Q.args,
        **kwargs: Q.kwargs,
    ) -> Any: ...
    @overload
    def __call__(
        self: _Two[Q, R],
        x: NativeArray | complex,
        y: NativeArray | complex,
        /,
        *args: Q.args,
        **kwargs: Q.kwargs,
    ) -> Any: ...
    @overload
    def __call__(
        self: _One[Q, R], x: NativeArray | complex, /, *args: Q.args, **kwargs: Q.kwargs
    ) -> Any: ...
    @overload
    def __call__(self, x: NativeArray, /, *args: Any, **kwargs: NativeArray) -> Any: ...
    @overload
    def __call__(self, /, **kwargs: Any) -> Any: ...
    @overload
    def __get__(self, instance: None, owner: type) -> Portable[P, R_co]: ...
    @overload
    def __get__(
        self: Portable[Concatenate[S, Q], R], instance: S, owner: type
    ) -> Portable[Q, R]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Portable[P, R_co]: ...

class PortableDecorator(FunctionAttributes, Protocol):
    """The type of `portable` itself."""

    @overload
    def __call__(self, function: classmethod[S, P, R], /) -> classmethod[S, P, R]: ...
    @overload
    def __call__(self, function: staticmethod[P, R], /) -> Portable[P, R]: ...
    @overload
    def __call__(self, function: Callable[P, R], /) -> Portable[P, R]: ...
