"""Plant the mutant of the parent process in a process that a test starts."""

import os
import sys
from pathlib import Path

if "ARRAYAPI_UNIFY_MUTANT" in os.environ:
    sys.path.insert(0, str(Path(__file__).parents[3]))
    try:
        from tests.mutants.plant import plant

        plant(os.environ["ARRAYAPI_UNIFY_MUTANT"])
    finally:
        del sys.path[0]
        for _name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
            del sys.modules[_name]
