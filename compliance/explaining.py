"""How the program ends where no usable result was obtained: what happened, and what to do."""

import contextlib
import signal
import sys
from collections.abc import Iterator
from types import FrameType

import click

from .errors import ComplianceError, Interrupted


@contextlib.contextmanager
def explained() -> Iterator[None]:
    """Errors as text with a remedy; SIGTERM as an interrupt, so that workers are ended too."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    # SIGINT too, since shells start background jobs with it ignored.
    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        try:
            yield
        except KeyboardInterrupt:
            raise Interrupted("Interrupted.", "No report was changed.") from None
    except ComplianceError as error:
        click.secho(f"error: {error.message}", fg="red", bold=True, err=True)
        if error.remedy:
            click.echo(error.remedy, err=True)
        sys.exit(error.exit_code)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
