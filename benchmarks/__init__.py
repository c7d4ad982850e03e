"""What a call costs: our functions beside the bare native ones and other libraries, in one run."""

from arrayapi_unify.backends._common import triton_first  # noqa: F401 - before any TensorFlow
