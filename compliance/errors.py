"""Errors that stop a measurement. Each says what happened and what to do about it."""

UNUSABLE = 2
INTERRUPTED = 130  # the shell's convention for a process ended by SIGINT


class ComplianceError(Exception):
    """No usable result was obtained; reports on disk are left as they were."""

    exit_code = UNUSABLE

    def __init__(self, message: str, remedy: str = "") -> None:
        """Say what happened, and what the user can do about it."""
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class NamespaceError(ComplianceError):
    """The namespace can't be imported, or is no array namespace."""


class NotASuite(ComplianceError):
    """A folder that was given as the official suite is something else."""


class NotAReport(ComplianceError):
    """A file is something else than a compliance report."""


class SuiteUnavailable(ComplianceError):
    """The official suite is not on this machine and could not be fetched."""


class RunFailed(ComplianceError):
    """pytest ended without a result for every test (crash, collection error, ...)."""


class Interrupted(ComplianceError):
    """The user, a terminal that closed, or a service stopped the run."""

    exit_code = INTERRUPTED
