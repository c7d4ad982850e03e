"""Names of version 2025.12 of the standard alone, on the numpy backend.

Written by `python -m arrayapi_unify._generate` from the registry; don't edit.
"""

import sys

from arrayapi_unify.binding import binding_of

# The binding made the module; this file only says where it is imported from.
sys.modules[__name__] = binding_of("numpy").namespace_for("2025.12")
