"""The program: ``python -m compliance``, or the installed ``arrayapi-compliance``."""

import sys

from . import COMMAND


def main() -> None:
    """Run the program, or name the missing packages."""
    try:
        from .cli import main as run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == __package__:
            raise
        sys.exit(
            f"error: {error.name} is not installed, which the compliance runner needs.\n"
            "Install what it needs with: pip install 'arrayapi_unify[compliance]'\n"
            "In a checkout that isn't installed: pip install '.[compliance]'"
        )
    run(prog_name=COMMAND)


if __name__ == "__main__":
    main()
