"""Subjects of tests, derived from their ids."""

import pytest

from compliance.classify import Subject, classify

SUITE = "array_api_tests"


@pytest.mark.parametrize(
    ("nodeid", "category", "function"),
    [
        ("test_has_names.py::test_has_names[elementwise-log1p]", "elementwise", "log1p"),
        ("test_has_names.py::test_has_names[linalg-matmul]", "linalg", "matmul"),
        ("test_has_names.py::test_has_names[array_method-__abs__]", "array_object", "__abs__"),
        ("test_signatures.py::test_extension_func_signature[fft.fftfreq]", "fft", "fftfreq"),
        ("test_signatures.py::test_func_signature[clip]", "elementwise", "clip"),
        (
            "test_special_cases.py::test_unary[tanh(x_i is +0) -> +0]",
            "elementwise",
            "tanh",
        ),
        (
            "test_special_cases.py::test_iop[__ifloordiv__(x1_i is NaN) -> NaN]",
            "array_object",
            "__ifloordiv__",
        ),
        ("test_linalg.py::test_eigvals", "linalg", "eigvals"),
        ("test_linalg.py::test_linalg_vecdot", "linalg", "vecdot"),
        ("test_linalg.py::test_vecdot", "linear_algebra", "vecdot"),
        (
            "test_operators_and_elementwise_functions.py::test_remainder[__mod__(x, s)]",
            "array_object",
            "__mod__",
        ),
        (
            "test_operators_and_elementwise_functions.py::test_remainder[remainder(x1, x2)]",
            "elementwise",
            "remainder",
        ),
        ("test_creation_functions.py::test_asarray_arrays", "creation", "asarray"),
        ("test_array_object.py::test_getitem", "array_object", "__getitem__"),
        ("test_dlpack.py::test_dunder_dlpack", "array_object", "__dlpack__"),
        ("test_inspection_functions.py::TestInspection::test_devices", "inspection", "devices"),
        ("test_data_type_functions.py::TestResultType::test_error", "data_type", "result_type"),
        ("test_constants.py::test_irrational_numbers[pi]", "constants", "pi"),
        ("test_fft.py::test_shift_func[fftshift]", "fft", "fftshift"),
        ("test_unknown.py::test_strange", "unknown", "strange"),
    ],
)
def test_subject(nodeid: str, category: str, function: str) -> None:
    assert classify(f"{SUITE}/{nodeid}") == Subject(category, function)


def test_what_is_no_test_id() -> None:
    assert classify("anything else") == Subject("other", "anything else")
