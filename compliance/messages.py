"""Messages at an exit without a usable result: the problem and the remedy."""

import contextlib
import signal
import sys
from collections.abc import Iterator
from types import FrameType

import click

from .errors import ComplianceError, Interrupted


@contextlib.contextmanager
def explained_errors() -> Iterator[None]:
    """Print errors with a remedy; turn signals into interrupts, so that workers are ended too."""

    for stream in (sys.stdout, sys.stderr):
        # A test may have drawn unprintable text, and a terminal may not support Unicode.
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    # SIGINT too, since shells start background jobs with it ignored.
    ends = [signal.SIGTERM, signal.SIGINT]
    hangup = getattr(signal, "SIGHUP", None)
    if hangup is not None and signal.getsignal(hangup) != signal.SIG_IGN:  # `nohup` ignores it
        ends.append(hangup)
    before = {number: signal.signal(number, stop) for number in ends}
    try:
        try:
            yield
        except KeyboardInterrupt:
            raise Interrupted("Interrupted.", "No report is half written.") from None
    except ComplianceError as error:
        click.secho(f"error: {error.message}", fg="red", bold=True, err=True)
        if error.remedy:
            click.echo(error.remedy, err=True)
        sys.exit(error.exit_code)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
