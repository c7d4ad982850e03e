"""Makes ``python -m compliance`` work."""

from compliance.cli import main

if __name__ == "__main__":
    main(prog_name="python -m compliance")
