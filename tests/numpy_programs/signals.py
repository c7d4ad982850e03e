"""Transforms, filters and images: views, strides, complex parts and data types."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["PROGRAMS"]

_SIGNAL = [1.0, 4.0, 2.0, -1.0, 0.5, 3.0, -2.0, 1.5]


def haar_wavelets(xp: Any, to_array: Any) -> list[Any]:
    """Split into means and differences by strided views, as PyWavelets' lifting does."""
    x = to_array(_SIGNAL)
    even, odd = x[::2], x[1::2]
    approximation, detail = (even + odd) / np.sqrt(2), (even - odd) / np.sqrt(2)
    back = xp.empty_like(x)
    back[::2] = (approximation + detail) / np.sqrt(2)
    back[1::2] = (approximation - detail) / np.sqrt(2)
    small = xp.abs(detail) < 1.0
    detail[small] = 0
    sign = xp.sign(detail)
    soft = sign * xp.maximum(xp.abs(detail) - 0.5, 0)
    x.flat[0] = 10.0
    return [
        approximation, detail, back, small, soft, even, xp.vdot(soft, soft), x.flat[3],
        x.reshape(4, 2).sum(1), x.reshape((2, -1))[1],
    ]  # fmt: skip


def spectra(xp: Any, to_array: Any) -> list[Any]:
    """Power, phase and a filter in the frequency domain, as librosa and MNE compute them."""
    x = to_array(_SIGNAL)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(8) / 8)
    spectrum = xp.fft.rfft(x * window)
    power = spectrum.real**2 + spectrum.imag**2
    frequencies = xp.fft.rfftfreq(8, d=0.5)
    spectrum[frequencies > 0.6] = 0
    phase = xp.angle(spectrum[:2])
    filtered = xp.fft.irfft(spectrum, n=8)
    db = 10 * xp.log10(xp.maximum(power, 1e-10))
    db = xp.maximum(db, db.max() - 20.0)
    z = xp.exp(1j * to_array([0.0, np.pi / 2]))
    z.imag = -z.imag
    return [
        power, frequencies, spectrum.conj(), phase, filtered, db, z, z.real, xp.abs(z),
        xp.conjugate(z) * z,
    ]  # fmt: skip


def mel_scale(xp: Any, to_array: Any) -> list[Any]:
    """Linear below a kHz and logarithmic above, written through a mask, as librosa does."""

    def hz_to_mel(frequencies: Any) -> Any:
        frequencies = xp.asarray(frequencies)
        step, corner = 200.0 / 3, 1000.0
        mels = frequencies / step
        base = np.log(6.4) / 27.0
        if frequencies.ndim:
            log = frequencies >= corner
            mels[log] = corner / step + xp.log(frequencies[log] / corner) / base
        elif frequencies >= corner:
            mels = corner / step + xp.log(frequencies / corner) / base
        return mels

    hz = to_array([0.0, 440.0, 1000.0, 4000.0])
    mels = hz_to_mel(hz)
    edges = xp.linspace(mels[0], mels[-1], 5)
    ramps = edges[:, np.newaxis] - mels
    lower, upper = -ramps[:-2] / np.diff(edges)[:-1, None], ramps[2:] / np.diff(edges)[1:, None]
    weights = xp.maximum(0, xp.minimum(lower, upper))
    octave = xp.log2(hz[1:] / 440.0)
    return [
        mels, hz_to_mel(to_array(2000.0)), edges, ramps, weights, weights.sum(axis=0), octave,
        xp.round(12 * octave), xp.atleast_2d(hz).shape, xp.exp2(octave) * 440.0,
    ]  # fmt: skip


def luminance(xp: Any, to_array: Any) -> list[Any]:
    """Ranges by data type and a product with coefficients, as scikit-image does."""
    ranges = {np.bool_: (0, 1), np.uint8: (0, 255), np.float32: (-1, 1), np.float64: (-1, 1)}
    image = xp.asarray([[[0, 128, 255], [10, 20, 30]]], dtype=xp.uint8)
    low, high = ranges[image.dtype.type]
    unit = xp.astype(image, xp.float64) / high if hasattr(xp, "astype") else image / high
    gray = unit @ np.asarray([0.2125, 0.7154, 0.0721], dtype=unit.dtype.name)
    again = xp.round(gray * ranges[np.uint8][1]).astype(np.uint8)
    inverted = high - image
    gamma = unit**2.2
    as_bool = image > 100
    return [
        low, high, gray, again, inverted, gamma, ranges[as_bool.dtype.type], image.dtype.kind,
        image.sum(), xp.bitwise_xor(image, xp.asarray(255, dtype=xp.uint8)),
    ]  # fmt: skip


def color_curves(xp: Any, to_array: Any) -> list[Any]:
    """Piecewise curves by select and by masks, as colour-science writes them."""
    v = to_array([0.0, 0.02, 0.3, 0.9, 1.0])
    linear = xp.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
    encoded = xp.select(
        [linear <= 0.0031308], [linear * 12.92], 1.055 * linear ** (1 / 2.4) - 0.055
    )
    matrix = np.asarray(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    rgb = xp.stack([linear, linear[::-1], xp.full_like(linear, 0.5)], axis=-1)
    xyz = xp.einsum("ij,...j->...i", to_array(matrix), rgb)
    total = xp.sum(xyz, axis=-1, keepdims=True)
    xy = (xyz / total)[..., :2]
    ratio = xyz / np.asarray([0.9505, 1.0, 1.089])
    f = xp.cbrt(ratio)
    low = ratio <= 0.008856
    f[low] = ratio[low] * 7.787 + 16 / 116
    lab = xp.stack((116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1])), -1)
    return [
        linear, encoded, rgb.shape, xyz, xy, f, low, lab, xp.dot(rgb, to_array(matrix).T),
        xp.clip(xyz, 0.1, 0.9).max(axis=0),
    ]  # fmt: skip


def rolling_windows(xp: Any, to_array: Any) -> list[Any]:
    """Sums by differences of cumulative sums, as pandas and bottleneck roll."""
    x = to_array(_SIGNAL)
    width = 3
    sums = xp.cumsum(xp.concatenate((np.zeros(1), x)))
    rolled = (sums[width:] - sums[:-width]) / width
    full = xp.full(x.shape, np.nan)
    full[width - 1 :] = rolled
    ewm = x.copy()
    for i in range(1, len(x)):
        ewm[i] = 0.5 * x[i] + 0.5 * ewm[i - 1]
    peaks = xp.flatnonzero((x[1:-1] > x[:-2]) & (x[1:-1] > x[2:])) + 1
    crossings = xp.where(xp.diff(xp.sign(x)) != 0)[0]
    drawdown = x - xp.cumulative_sum(xp.ones_like(x))
    return [
        rolled, full, ewm, peaks, crossings, xp.nanmax(full), xp.argmax(x), drawdown,
        xp.append(x[:2], [9.0]), xp.ediff1d(x),
    ]  # fmt: skip


def control_poles(xp: Any, to_array: Any) -> list[Any]:
    """Roots by companion matrices, stable by real parts, as python-control sorts them."""
    coefficients = [1.0, 3.0, 4.0, 2.0]
    companion = xp.zeros((3, 3))
    companion[0] = to_array([-c for c in coefficients[1:]])
    companion[1:, :-1] += np.eye(2)
    poles = xp.linalg.eigvals(companion)
    poles = poles[xp.argsort(poles.imag)]
    stable = poles.real < 0
    damping = -poles.real / xp.abs(poles)
    s = 1j * to_array([0.1, 1.0])
    response = 1.0 / (s**3 + 3 * s**2 + 4 * s + 2)
    magnitude = 20 * xp.log10(xp.abs(response))
    phase = xp.degrees(xp.angle(response))
    steps = [xp.eye(3)]
    for _ in range(3):
        steps.append(steps[-1] @ companion)
    return [
        poles, stable, damping, response.real, response.imag, magnitude, phase, steps[-1],
        xp.all(stable), xp.linalg.matrix_power(companion, 3),
    ]  # fmt: skip


def quantization(xp: Any, to_array: Any) -> list[Any]:
    """Scales and offsets by tables of data types, as h5py's and netCDF4's packed variables need."""
    limits = {
        np.dtype("int8"): (-128, 127), np.dtype("uint8"): (0, 255),
        np.dtype("int16"): (-32768, 32767),
    }  # fmt: skip
    tolerances = {np.dtype("float32"): 1e-3, np.dtype("float64"): 1e-6}
    x = to_array(_SIGNAL)
    packed = xp.zeros(x.shape, dtype="uint8")
    low, high = limits[packed.dtype]
    scale = (x.max() - x.min()) / (high - low)
    packed[...] = xp.round((x - x.min()) / scale).astype("uint8")
    unpacked = packed * scale + x.min()
    single = x.astype("float32")
    names = [dtype.name for dtype in limits if dtype == packed.dtype]
    codes = {np.float32: "f", np.float64: "d"}
    wide = xp.result_type(packed.dtype, xp.int8)
    return [
        packed, unpacked, xp.max(xp.abs(unpacked - x)) <= scale, names, tolerances[single.dtype],
        codes[single.dtype.type] == single.dtype.char, single.dtype.itemsize, packed.nbytes,
        np.dtype(str(wide)).name, xp.iinfo(packed.dtype).max == high,
    ]  # fmt: skip


def missing_values(xp: Any, to_array: Any) -> list[Any]:
    """Leave NaN out by what the namespace has, as xarray's and bottleneck's fallbacks do."""
    x = to_array([[1.0, np.nan, 3.0], [np.nan, np.nan, 6.0], [7.0, 8.0, 9.0]])
    valid = ~xp.isnan(x)
    filled = xp.nan_to_num(x, nan=0.0) if hasattr(xp, "nan_to_num") else xp.where(valid, x, 0.0)
    count = valid.sum(axis=0)
    mean = filled.sum(axis=0) / count
    kinds = [name for name in ("nansum", "nanmean", "concat") if hasattr(xp, name)]
    forward = x.copy()
    for i in range(1, len(x)):
        gap = xp.isnan(forward[i])
        forward[i, gap] = forward[i - 1, gap]
    columns = x[:, xp.all(valid, axis=0)]
    x[~valid] = xp.take(mean, xp.nonzero(~valid)[1])
    return [
        filled, count, mean, kinds, forward, columns, x, xp.nansum(forward, axis=1),
        xp.nanmax(forward, axis=0), xp.sum(filled, axis=1, keepdims=True),
    ]  # fmt: skip


PROGRAMS = (
    haar_wavelets, spectra, mel_scale, luminance, color_curves, rolling_windows, control_poles,
    quantization, missing_values,
)  # fmt: skip
