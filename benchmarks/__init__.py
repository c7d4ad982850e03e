"""The cost of a call: our functions compared with native ones and other libraries, in one run."""

from arrayapi_unify.backends import _triton_first  # noqa: F401 - before any TensorFlow
