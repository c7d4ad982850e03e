"""Measures any array namespace with the official test suite of the Python Array API standard.

``python -m compliance run NAMESPACE`` runs the suite and writes a machine-readable report,
``python -m compliance report`` renders all reports as one page, and
``python -m compliance compare A B`` shows what differs between two of them.
See ``python -m compliance --help``.

It is installed as `arrayapi_compliance`, with the command ``arrayapi-compliance``: the short name
could be anybody's. So the modules import each other relatively.
"""

from typing import Final

COMMAND: Final = "python -m compliance" if __name__ == "compliance" else "arrayapi-compliance"
"""The command that users type to run the program."""
