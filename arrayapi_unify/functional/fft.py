"""Contracts of the fft extension.

Transforms keep the precision of their input; booleans and integers count as float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional, primary
from arrayapi_unify.contracts.annotations import ArrayIn, OptionalDevice, OptionalDType, Out


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
        Length of the transform. A longer axis is cut, a shorter one padded with zeros. By default
        it is the size of the axis.
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
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``fft.fft``.

    Examples
    --------
    >>> unify.fft.fft(unify.array([1., 0., 0., 0.]))
    unify.array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """


@compositional
def fft2(
    x: ArrayIn,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Out = None,
) -> Array:
    """Discrete Fourier transform along two axes, by default the last ones.

    Parameters
    ----------
    x
        Array, real or complex.
    s
        Length of the transform along each axis; by default the size of the axis.
    axes
        Axes to transform.
    norm
        Factor of the result, as for `fftn`.

    Returns
    -------
    Complex array of the precision of `x`.

    Raises
    ------
    UnifyValueError
        If a length is less than 1, `s` differs in length from `axes`, or `norm` is none of these.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``fft.fft2``.

    Examples
    --------
    >>> unify.fft.fft2(unify.ones((2, 2)))
    unify.array([[4.+0.j, 0.+0.j],
                 [0.+0.j, 0.+0.j]])
    """
    return x.__array_namespace__().fft.fftn(x, s=s, axes=axes, norm=norm)


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

    They are ``[0, 1, ..., (n - 1) // 2, -(n // 2), ..., -1] / (d * n)``: zero, then the positive
    ones, then the negative ones.

    Parameters
    ----------
    n
        Length of the transform.
    d
        Distance between samples; not zero.
    dtype
        Data type of the result, a real floating-point one. By default the default one.
    device
        Device to put the result on.

    Returns
    -------
    Array of shape (n,).

    Raises
    ------
    UnifyTypeError
        If `dtype` isn't a real floating-point data type.
    UnifyValueError
        If `n` is less than 1.

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
        Length of the transform along each axis. A longer axis is cut, a shorter one padded with
        zeros. -1, and the default, stand for the size of the axis.
    axes
        Axes to transform; all by default. Where `s` is given, they must be given too.
    norm
        Factor of the result, where n is the product of the lengths.
        ``"backward"``: no factor. ``"ortho"``: ``1 / sqrt(n)``. ``"forward"``: ``1 / n``.

    Returns
    -------
    Complex array of the precision of `x`; the transformed axes have sizes `s`.

    Raises
    ------
    UnifyValueError
        If a length is less than 1, `s` differs in length from `axes`, or `norm`
        is none of these.
    UnifyIndexError
        If an axis is out of bounds.

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
def fftshift(x: ArrayIn, /, *, axes: int | Sequence[int] | None = None, out: Out = None) -> Array:
    """Move the zero frequency from the start to the middle.

    Each axis is rolled by half of its size, rounded down.

    Parameters
    ----------
    x
        Array of any data type.
    axes
        Axis or axes to shift; all by default.

    Returns
    -------
    A new array of the shape and data type of `x`.

    Raises
    ------
    UnifyIndexError
        If an axis is out of bounds.

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
    """Discrete Fourier transform of a signal with Hermitian symmetry.

    The transform of such a signal is real. `x` is its first half; the other half follows from the
    symmetry.

    Parameters
    ----------
    x
        Array of real or complex data type: the first half of the signal.
    n
        Length of the result. The input is cut or padded with zeros to ``n // 2 + 1``. By default it
        is ``2 * (m - 1)`` for an axis of size m, so an odd length has to be given.
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
    UnifyIndexError
        If `axis` is out of bounds.

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
        Length of the transform. A longer axis is cut, a shorter one padded with zeros. By default
        it is the size of the axis.
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
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``fft.ifft``.

    Examples
    --------
    >>> unify.fft.ifft(unify.array([4., 0., 0., 0.]))
    unify.array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """


@compositional
def ifft2(
    x: ArrayIn,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Out = None,
) -> Array:
    """Inverse of `fft2`.

    Parameters
    ----------
    x
        Array, real or complex.
    s
        Length of the transform along each axis; by default the size of the axis.
    axes
        Axes to transform.
    norm
        Factor of the result, as for `ifftn`.

    Returns
    -------
    Complex array of the precision of `x`.

    Raises
    ------
    UnifyValueError
        If a length is less than 1, `s` differs in length from `axes`, or `norm` is none of these.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``fft.ifft2``.

    Examples
    --------
    >>> unify.fft.ifft2(unify.fft.fft2(unify.ones((1, 2))))
    unify.array([[1.+0.j, 1.+0.j]])
    """
    return x.__array_namespace__().fft.ifftn(x, s=s, axes=axes, norm=norm)


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
        Length of the transform along each axis. A longer axis is cut, a shorter one padded with
        zeros. -1, and the default, stand for the size of the axis.
    axes
        Axes to transform; all by default. Where `s` is given, they must be given too.
    norm
        Factor of the result, where n is the product of the lengths.
        ``"backward"``: ``1 / n``. ``"ortho"``: ``1 / sqrt(n)``. ``"forward"``: no factor.

    Returns
    -------
    Complex array of the precision of `x`; the transformed axes have sizes `s`.

    Raises
    ------
    UnifyValueError
        If a length is less than 1, `s` differs in length from `axes`, or `norm`
        is none of these.
    UnifyIndexError
        If an axis is out of bounds.

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
def ifftshift(x: ArrayIn, /, *, axes: int | Sequence[int] | None = None, out: Out = None) -> Array:
    """Undo `fftshift`: move the zero frequency from the middle to the start.

    Each axis is rolled back by half of its size, rounded down.

    Parameters
    ----------
    x
        Array of any data type.
    axes
        Axis or axes to shift; all by default.

    Returns
    -------
    A new array of the shape and data type of `x`.

    Raises
    ------
    UnifyIndexError
        If an axis is out of bounds.

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
        Length of the transform. A longer axis is cut, a shorter one padded with zeros. By default
        it is the size of the axis.
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
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If the length is less than 1, or `norm` is none of these.
    UnifyIndexError
        If `axis` is out of bounds.

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

    ``irfft(rfft(x), n=n)`` is `x`, up to rounding, for an axis of size n. The imaginary component
    of the zero frequency is ignored; for even n, so is that of the highest frequency.

    Parameters
    ----------
    x
        Array of real or complex data type: the non-negative frequencies.
    n
        Length of the result. The input is cut or padded with zeros to ``n // 2 + 1``. By default it
        is ``2 * (m - 1)`` for an axis of size m, so an odd length has to be given.
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
    UnifyIndexError
        If `axis` is out of bounds.

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

    The last of the axes is transformed by `irfft`, after the others were transformed by `ifft`.

    Parameters
    ----------
    x
        Array of real or complex data type. Along the last of the axes it holds the non-negative
        frequencies only.
    s
        Length of each transformed axis of the result. -1, and the default, stand for the size of
        the axis in `x`. For the last axis the default is ``2 * (m - 1)`` where its size in `x` is
        m, so an odd length has to be given.
    axes
        Axes to transform; all by default. Where `s` is given, they must be given too.
    norm
        Factor of the result, where n is the product of the lengths.
        ``"backward"``: ``1 / n``. ``"ortho"``: ``1 / sqrt(n)``. ``"forward"``: no factor.

    Returns
    -------
    Real array of the precision of `x`; the transformed axes have sizes `s`.

    Raises
    ------
    UnifyValueError
        If a length is less than 1, `s` differs in length from `axes`, or `norm`
        is none of these.
    UnifyIndexError
        If an axis is out of bounds.

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
        Length of the transform. A longer axis is cut, a shorter one padded with zeros. By default
        it is the size of the axis.
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
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If the length is less than 1, or `norm` is none of these.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``fft.rfft``.

    Examples
    --------
    >>> unify.fft.rfft(unify.array([1., 0., 0., 0.]))
    unify.array([1.+0.j, 1.+0.j, 1.+0.j])
    """


@compositional
def rfft2(
    x: ArrayIn,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Out = None,
) -> Array:
    """Discrete Fourier transform of real numbers along two axes, by default the last ones.

    Parameters
    ----------
    x
        Array, real.
    s
        Length of the transform along each axis; by default the size of the axis.
    axes
        Axes to transform; the last one is halved.
    norm
        Factor of the result, as for `rfftn`.

    Returns
    -------
    Complex array of the precision of `x`.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If a length is less than 1, `s` differs in length from `axes`, or `norm` is none of these.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``fft.rfft2``.

    Examples
    --------
    >>> unify.fft.rfft2(unify.ones((2, 2)))
    unify.array([[4.+0.j, 0.+0.j],
                 [0.+0.j, 0.+0.j]])
    """
    return x.__array_namespace__().fft.rfftn(x, s=s, axes=axes, norm=norm)


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

    They are ``[0, 1, ..., n // 2] / (d * n)``.

    Parameters
    ----------
    n
        Length of the transform.
    d
        Distance between samples; not zero.
    dtype
        Data type of the result, a real floating-point one. By default the default one.
    device
        Device to put the result on.

    Returns
    -------
    Array of shape (n // 2 + 1,).

    Raises
    ------
    UnifyTypeError
        If `dtype` isn't a real floating-point data type.
    UnifyValueError
        If `n` is less than 1.

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

    The last of the axes is transformed by `rfft`, which leaves out the negative frequencies. The
    others are then transformed by `fft`.

    Parameters
    ----------
    x
        Real array.
    s
        Length of the transform along each axis. A longer axis is cut, a shorter one padded with
        zeros. -1, and the default, stand for the size of the axis.
    axes
        Axes to transform; all by default. Where `s` is given, they must be given too.
    norm
        Factor of the result, where n is the product of the lengths.
        ``"backward"``: no factor. ``"ortho"``: ``1 / sqrt(n)``. ``"forward"``: ``1 / n``.

    Returns
    -------
    Complex array of the precision of `x`. The transformed axes have sizes `s`, but the last of them
    has ``s[-1] // 2 + 1``.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If a length is less than 1, `s` differs in length from `axes`, or `norm`
        is none of these.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``fft.rfftn``.

    Examples
    --------
    >>> unify.fft.rfftn(unify.ones((2, 2)))
    unify.array([[4.+0.j, 0.+0.j],
                 [0.+0.j, 0.+0.j]])
    """
