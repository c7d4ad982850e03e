"""The constants of the standard.

Source: Array API standard 2025.12, "Constants".
"""

from __future__ import annotations

import math
from typing import Final

from arrayapi_unify.binding.modules import CONSTANTS

e: Final = math.e
inf: Final = math.inf
nan: Final = math.nan
newaxis: Final = None
pi: Final = math.pi

CONSTANTS.update(e=e, inf=inf, nan=nan, newaxis=newaxis, pi=pi)
