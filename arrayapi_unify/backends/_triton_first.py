"""Import triton, where it is installed, before TensorFlow; imported for this effect alone.

PyTorch's wheels for Linux bring triton. An import of triton 3.7 after TensorFlow 2.21 ends the
process with a segmentation fault; the other order works. PyTorch itself imports triton when it
compiles something, or makes one of its optimizers, which is too late then.
"""

import contextlib
import importlib
import sys
from importlib.util import find_spec

if "tensorflow" not in sys.modules and find_spec("triton") is not None:
    # A broken triton is no reason to do without TensorFlow: PyTorch does without triton then, too.
    with contextlib.suppress(ImportError):
        importlib.import_module("triton")
