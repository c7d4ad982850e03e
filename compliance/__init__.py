"""Measures any array namespace with the official test suite of the Python Array API standard.

``python -m compliance run NAMESPACE`` runs the suite and writes a machine-readable report,
``python -m compliance report`` renders all reports as one page, and
``python -m compliance compare A B`` shows the differences between two of them.
See ``python -m compliance --help``.

It is installed as `arrayapi_compliance`, with the command ``arrayapi-compliance``, because the
short name could collide. The modules therefore import each other relatively.
"""

from typing import Final

COMMAND: Final = "python -m compliance" if __name__ == "compliance" else "arrayapi-compliance"
"""The command that runs the program."""
