"""Names of NumPy and jax.numpy without a counterpart here, and the reason, which errors tell."""

from __future__ import annotations

from typing import Final

__all__ = ["MISSING", "REASONS"]

MISSING: Final[dict[str, str]] = {
    "Polynomials are no arrays; `numpy.polynomial` computes their coefficients.": """
        poly polyadd polyder polydiv polyfit polyint polymul polysub polyval roots
    """,
    "The powers of a vector: `x[:, None] ** arange(n - 1, -1, -1)`.": "vander",
    "Files, buffers and text are not of arrays on devices; `np.asarray(x)` has the values.": """
        array_repr array_str frombuffer fromfile fromstring get_printoptions load printoptions save
        savez set_printoptions
    """,
    "NumPy's class of arrays or functions; here `unify.Array` and plain functions.": """
        ndarray ufunc
    """,
    "Another name or a class of data types; here `unify.int64` and so on, and `isdtype`.": """
        bool_ cdouble character complexfloating csingle double flexible floating generic inexact
        int_ integer number object_ promote_types signedinteger single uint
        unsignedinteger
    """,
    "An object to be indexed; here slices, `arange`, `meshgrid` and `concat`.": """
        c_ index_exp ix_ mgrid ogrid r_ s_
    """,
    "Calls a Python function for each element; here `vmap`, `scan` and `where`.": """
        apply_along_axis apply_over_axes fromfunction fromiter frompyfunc piecewise vectorize
    """,
    "Here `special.i0`.": "i0",
    "Writes to its argument; here an assignment, such as `x[mask] = values`.": """
        fill_diagonal place put put_along_axis
    """,
    "Works on bits or integers, and most libraries lack it.": """
        bitwise_count frexp gcd lcm ldexp packbits spacing unpackbits
    """,
    "Asks for a property that attributes tell: `isdtype(x.dtype, ...)`, `imag(x) == 0`.": """
        iscomplex isreal isrealobj iterable
    """,
    "A few others do the same: `abs`, `divmod`, `logaddexp`.": """
        fabs logaddexp2 modf
    """,
    "Indices from others: `diag`, `tril_indices`, `nonzero`, arithmetic.": """
        diag_indices diag_indices_from diagflat mask_indices ravel_multi_index tril_indices_from
        triu_indices_from
    """,
    "A selection by an index: `x[mask]`, `take_along_axis`, `select`, slices.": """
        choose compress extract trim_zeros
    """,
    "Here `sort` and `argsort`, which the methods `x.partition` and `x.argpartition` call.": """
        argpartition partition sort_complex
    """,
    "Here `histogram`, which returns them.": "histogram_bin_edges",
    "Here `matmul`, `vecdot` and `einsum`, which chooses its order itself.": """
        einsum_path matvec vecmat
    """,
    "Here `array_equal`, `convolve`, `tile`, `moveaxis`, `setdiff1d`, `remainder`.": """
        array_equiv correlate resize rollaxis setxor1d unwrap
    """,
    "A constant that no program for arrays needs.": "euler_gamma",
}
"""The names of NumPy and jax.numpy that nothing has here, by reason."""

REASONS: Final = {name: reason for reason, names in MISSING.items() for name in names.split()}
"""The reason for each of the names."""
