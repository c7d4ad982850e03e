"""Contracts of the fft extension.

Transforms keep the precision of their input; booleans and integers count as float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import primary
from arrayapi_unify.binding.roles import ArrayIn, OptionalDevice, OptionalDType, Out

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]


@primary
def fft(
    x: ArrayIn,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Out = None,
) -> Array:
    """Discrete Fourier transform along one axis.

    Element k is ``sum(x[j] * exp(-2j * pi * j * k / n))`` over j.

    Parameters
    ----------
    x
        Array, real or complex.
    n
        Length of the transform: longer axes are cut, shorter ones padded with zeros. The size of
        the axis by default.
    axis
        Axis to transform.
    norm
        Factor of the result, where n is the length of the transform.
        ``"backward"``: no factor. ``"ortho"``: ``1 / sqrt(n)``. ``"forward"``: ``1 / n``.

    Returns
    -------
    Complex array of the precision of `x`; `axis` has size `n`.

    Raises
    ------
    UnifyValueError
        If the length is less than 1, or `norm` is none of these.

    References
    ----------
    Array API standard 2025.12, ``fft.fft``.

    Examples
    --------
    >>> unify.fft.fft(unify.array([1., 0., 0., 0.]))
    unify.array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """


@primary
def fftfreq(
    n: int,
    /,
    *,
    d: float = 1.0,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Frequencies of the elements of `fft`'s result.

    ``[0, 1, ..., (n - 1) // 2, -(n // 2), ..., -1] / (d * n)``: first zero, then the positive
    ones, then the negative ones.

    Parameters
    ----------
    n
        Length of the transform.
    d
        Distance between samples.
    dtype
        Data type of the result, a real floating one; the default one by default.
    device
        Device to put the result on.

    Returns
    -------
    Array of shape (n,).

    Raises
    ------
    UnifyValueError
        If `n` is less than 1.
    UnifyTypeError
        If `dtype` isn't real floating.

    References
    ----------
    Array API standard 2025.12, ``fft.fftfreq``.

    Examples
    --------
    >>> unify.fft.fftfreq(4, d=0.5)
    unify.array([ 0. ,  0.5, -1. , -0.5])
    """


@primary
def fftn(
    x: ArrayIn,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Out = None,
) -> Array:
    """Discrete Fourier transform along several axes.

    The same as `fft` along each of the axes, one after the other.

    Parameters
    ----------
    x
        Array, real or complex.
    s
        Length of each axis to transform: longer ones are cut, shorter ones padded with zeros; -1,
        and the default, is the size of the axis.
    axes
        Axes to transform, all by default; to be given with `s`.
    norm
        Factor of the result, where n is the product of the lengths.
        ``"backward"``: no factor. ``"ortho"``: ``1 / sqrt(n)``. ``"forward"``: ``1 / n``.

    Returns
    -------
    Complex array of the precision of `x`; the transformed axes have sizes `s`.

    Raises
    ------
    UnifyValueError
        If a length is less than 1, `s` comes without `axes`, or `norm` is none of these.

    References
    ----------
    Array API standard 2025.12, ``fft.fftn``.

    Examples
    --------
    >>> unify.fft.fftn(unify.ones((2, 2)))
    unify.array([[4.+0.j, 0.+0.j],
                 [0.+0.j, 0.+0.j]])
    """


@primary
def fftshift(
    x: ArrayIn,
    /,
    *,
    axes: int | Sequence[int] | None = None,
    out: Out = None,
) -> Array:
    """Move the zero frequency from the start to the middle.

    Each axis is rolled by half of its size, rounded down.

    Parameters
    ----------
    x
        Array of any data type.
    axes
        Axis or axes to shift, all by default.

    Returns
    -------
    A new array of the shape and data type of `x`.

    References
    ----------
    Array API standard 2025.12, ``fft.fftshift``.

    Examples
    --------
    >>> unify.fft.fftshift(unify.fft.fftfreq(5, d=0.2))
    unify.array([-2., -1.,  0.,  1.,  2.])
    """


@primary
def hfft(
    x: ArrayIn,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Out = None,
) -> Array:
    """Discrete Fourier transform of a signal with Hermitian symmetry, which is real.

    `x` is the first half of the signal; the other half follows from the symmetry.

    Parameters
    ----------
    x
        Array; the first half of a Hermitian-symmetric signal.
    n
        Length of the result; the input is cut or padded with zeros to ``n // 2 + 1``. By default
        ``2 * (m - 1)`` for an axis of size m, so an odd length has to be given.
    axis
        Axis to transform.
    norm
        Factor of the result, where n is the length of the transform.
        ``"backward"``: no factor. ``"ortho"``: ``1 / sqrt(n)``. ``"forward"``: ``1 / n``.

    Returns
    -------
    Real array of the precision of `x`; `axis` has size `n`.

    Raises
    ------
    UnifyValueError
        If the length is less than 1, or `norm` is none of these.

    References
    ----------
    Array API standard 2025.12, ``fft.hfft``.

    Examples
    --------
    >>> unify.fft.hfft(unify.array([1., 2., 1.]))
    unify.array([ 6.,  0., -2.,  0.])
    """


@primary
def ifft(
    x: ArrayIn,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Out = None,
) -> Array:
    """Inverse discrete Fourier transform along one axis.

    ``ifft(fft(x))`` is `x`, up to rounding.

    Parameters
    ----------
    x
        Array, real or complex.
    n
        Length of the transform: longer axes are cut, shorter ones padded with zeros. The size of
        the axis by default.
    axis
        Axis to transform.
    norm
        Factor of the result, where n is the length of the transform.
        ``"backward"``: ``1 / n``. ``"ortho"``: ``1 / sqrt(n)``. ``"forward"``: no factor.

    Returns
    -------
    Complex array of the precision of `x`; `axis` has size `n`.

    Raises
    ------
    UnifyValueError
        If the length is less than 1, or `norm` is none of these.

    References
    ----------
    Array API standard 2025.12, ``fft.ifft``.

    Examples
    --------
    >>> unify.fft.ifft(unify.array([4., 0., 0., 0.]))
    unify.array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """


@primary
def ifftn(
    x: ArrayIn,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Out = None,
) -> Array:
    """Inverse discrete Fourier transform along several axes.

    ``ifftn(fftn(x))`` is `x`, up to rounding.

    Parameters
    ----------
    x
        Array, real or complex.
    s
        Length of each axis to transform: longer ones are cut, shorter ones padded with zeros; -1,
        and the default, is the size of the axis.
    axes
        Axes to transform, all by default; to be given with `s`.
    norm
        Factor of the result, where n is the product of the lengths.
        ``"backward"``: ``1 / n``. ``"ortho"``: ``1 / sqrt(n)``. ``"forward"``: no factor.

    Returns
    -------
    Complex array of the precision of `x`; the transformed axes have sizes `s`.

    Raises
    ------
    UnifyValueError
        If a length is less than 1, `s` comes without `axes`, or `norm` is none of these.

    References
    ----------
    Array API standard 2025.12, ``fft.ifftn``.

    Examples
    --------
    >>> unify.fft.ifftn(unify.array([[4., 0.], [0., 0.]]))
    unify.array([[1.+0.j, 1.+0.j],
                 [1.+0.j, 1.+0.j]])
    """


@primary
def ifftshift(
    x: ArrayIn,
    /,
    *,
    axes: int | Sequence[int] | None = None,
    out: Out = None,
) -> Array:
    """Undo `fftshift`: move the zero frequency from the middle to the start.

    Each axis is rolled back by half of its size, rounded down.

    Parameters
    ----------
    x
        Array of any data type.
    axes
        Axis or axes to shift, all by default.

    Returns
    -------
    A new array of the shape and data type of `x`.

    References
    ----------
    Array API standard 2025.12, ``fft.ifftshift``.

    Examples
    --------
    >>> unify.fft.ifftshift(unify.array([-2, -1, 0, 1, 2]))
    unify.array([ 0,  1,  2, -2, -1])
    """


@primary
def ihfft(
    x: ArrayIn,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Out = None,
) -> Array:
    """Inverse of `hfft`: the first half of the Hermitian-symmetric inverse transform.

    ``hfft(ihfft(x), n=n)`` is `x`, up to rounding, for an axis of size n.

    Parameters
    ----------
    x
        Real array.
    n
        Length of the transform: longer axes are cut, shorter ones padded with zeros. The size of
        the axis by default.
    axis
        Axis to transform.
    norm
        Factor of the result, where n is the length of the transform.
        ``"backward"``: ``1 / n``. ``"ortho"``: ``1 / sqrt(n)``. ``"forward"``: no factor.

    Returns
    -------
    Complex array of the precision of `x`; `axis` has size ``n // 2 + 1``.

    Raises
    ------
    UnifyValueError
        If the length is less than 1, or `norm` is none of these.
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Array API standard 2025.12, ``fft.ihfft``.

    Examples
    --------
    >>> unify.fft.ihfft(unify.array([4., 0., 0., 0.]))
    unify.array([1.-0.j, 1.-0.j, 1.-0.j])
    """


@primary
def irfft(
    x: ArrayIn,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Out = None,
) -> Array:
    """Inverse of `rfft`: a real signal from its non-negative frequencies.

    ``irfft(rfft(x), n=n)`` is `x`, up to rounding, for an axis of size n. The imaginary part of
    the zero frequency, and of the highest one for even n, is ignored.

    Parameters
    ----------
    x
        Array; the non-negative frequencies of a Hermitian-symmetric one.
    n
        Length of the result; the input is cut or padded with zeros to ``n // 2 + 1``. By default
        ``2 * (m - 1)`` for an axis of size m, so an odd length has to be given.
    axis
        Axis to transform.
    norm
        Factor of the result, where n is the length of the transform.
        ``"backward"``: ``1 / n``. ``"ortho"``: ``1 / sqrt(n)``. ``"forward"``: no factor.

    Returns
    -------
    Real array of the precision of `x`; `axis` has size `n`.

    Raises
    ------
    UnifyValueError
        If the length is less than 1, or `norm` is none of these.

    References
    ----------
    Array API standard 2025.12, ``fft.irfft``.

    Examples
    --------
    >>> unify.fft.irfft(unify.array([4., 0., 0.]))
    unify.array([1., 1., 1., 1.])
    """


@primary
def irfftn(
    x: ArrayIn,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Out = None,
) -> Array:
    """Inverse of `rfftn`: a real signal from its non-negative frequencies.

    The last of the axes is transformed by `irfft`, after the others by `ifft`.

    Parameters
    ----------
    x
        Array; along the last of the axes, the non-negative frequencies only.
    s
        Length of each transformed axis of the result; -1, and the default, is the size of the
        input's axis, for the last one ``2 * (m - 1)``, so an odd length has to be given.
    axes
        Axes to transform, all by default; to be given with `s`.
    norm
        Factor of the result, where n is the product of the lengths.
        ``"backward"``: ``1 / n``. ``"ortho"``: ``1 / sqrt(n)``. ``"forward"``: no factor.

    Returns
    -------
    Real array of the precision of `x`; the transformed axes have sizes `s`.

    Raises
    ------
    UnifyValueError
        If a length is less than 1, `s` comes without `axes`, or `norm` is none of these.

    References
    ----------
    Array API standard 2025.12, ``fft.irfftn``.

    Examples
    --------
    >>> unify.fft.irfftn(unify.array([[4., 0.], [0., 0.]]))
    unify.array([[1., 1.],
                 [1., 1.]])
    """


@primary
def rfft(
    x: ArrayIn,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Out = None,
) -> Array:
    """Discrete Fourier transform of a real signal along one axis.

    Only the non-negative frequencies are returned; the others are their conjugates.

    Parameters
    ----------
    x
        Real array.
    n
        Length of the transform: longer axes are cut, shorter ones padded with zeros. The size of
        the axis by default.
    axis
        Axis to transform.
    norm
        Factor of the result, where n is the length of the transform.
        ``"backward"``: no factor. ``"ortho"``: ``1 / sqrt(n)``. ``"forward"``: ``1 / n``.

    Returns
    -------
    Complex array of the precision of `x`; `axis` has size ``n // 2 + 1``.

    Raises
    ------
    UnifyValueError
        If the length is less than 1, or `norm` is none of these.
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Array API standard 2025.12, ``fft.rfft``.

    Examples
    --------
    >>> unify.fft.rfft(unify.array([1., 0., 0., 0.]))
    unify.array([1.+0.j, 1.+0.j, 1.+0.j])
    """


@primary
def rfftfreq(
    n: int,
    /,
    *,
    d: float = 1.0,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    out: Out = None,
) -> Array:
    """Frequencies of the elements of `rfft`'s result.

    ``[0, 1, ..., n // 2] / (d * n)``.

    Parameters
    ----------
    n
        Length of the transform.
    d
        Distance between samples.
    dtype
        Data type of the result, a real floating one; the default one by default.
    device
        Device to put the result on.

    Returns
    -------
    Array of shape (n // 2 + 1,).

    Raises
    ------
    UnifyValueError
        If `n` is less than 1.
    UnifyTypeError
        If `dtype` isn't real floating.

    References
    ----------
    Array API standard 2025.12, ``fft.rfftfreq``.

    Examples
    --------
    >>> unify.fft.rfftfreq(4, d=0.5)
    unify.array([0. , 0.5, 1. ])
    """


@primary
def rfftn(
    x: ArrayIn,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Out = None,
) -> Array:
    """Discrete Fourier transform of a real signal along several axes.

    The last of the axes is transformed by `rfft`, which leaves out the negative frequencies, the
    others by `fft`.

    Parameters
    ----------
    x
        Real array.
    s
        Length of each axis to transform: longer ones are cut, shorter ones padded with zeros; -1,
        and the default, is the size of the axis.
    axes
        Axes to transform, all by default; to be given with `s`.
    norm
        Factor of the result, where n is the product of the lengths.
        ``"backward"``: no factor. ``"ortho"``: ``1 / sqrt(n)``. ``"forward"``: ``1 / n``.

    Returns
    -------
    Complex array of the precision of `x`; the transformed axes have sizes `s`, the last of them
    ``s[-1] // 2 + 1``.

    Raises
    ------
    UnifyValueError
        If a length is less than 1, `s` comes without `axes`, or `norm` is none of these.
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Array API standard 2025.12, ``fft.rfftn``.

    Examples
    --------
    >>> unify.fft.rfftn(unify.ones((2, 2)))
    unify.array([[4.+0.j, 0.+0.j],
                 [0.+0.j, 0.+0.j]])
    """
