"""Names of version 2025.12 of the standard alone, at the top level.

Code that runs with these names alone needs no others of arrayapi_unify, now and later. Source:
https://data-apis.org/array-api/2025.12/API_specification/

Written by `python -m arrayapi_unify._generate` from `_core.standard`; don't edit.
"""

import sys

import arrayapi_unify
from arrayapi_unify._core import versions as _versions

_versions.restrict(sys.modules[__name__], "2025.12", "fft", arrayapi_unify)
