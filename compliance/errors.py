"""Errors that stop a measurement. Each describes the problem and the remedy."""

UNUSABLE = 2
INTERRUPTED = 130  # the shell's convention for a process ended by SIGINT


class ComplianceError(Exception):
    """There is no usable result; reports on disk aren't changed."""

    exit_code = UNUSABLE

    def __init__(self, message: str, remedy: str = "") -> None:
        """Store the problem and the remedy."""
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class NamespaceError(ComplianceError):
    """The namespace can't be imported, or isn't an array namespace."""


class ImportFailed(NamespaceError):
    """The namespace's import raises, or ends the process; `trace` is what Python or it said."""

    def __init__(self, message: str, remedy: str, trace: str) -> None:
        """Store the output as well."""
        super().__init__(message, remedy)
        self.trace = trace


class NotASuite(ComplianceError):
    """A folder given as the official suite is something else."""


class NotAReport(ComplianceError):
    """A file is something else than a compliance report."""


class SuiteUnavailable(ComplianceError):
    """The official suite is not on this machine and could not be downloaded."""


class RunFailed(ComplianceError):
    """pytest ended without a result for every test (crash, collection error, ...)."""


class Interrupted(ComplianceError):
    """The user, a terminal that closed, or a service stopped the run."""

    exit_code = INTERRUPTED
