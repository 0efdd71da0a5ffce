"""Errors that a person can act on: each names the thing, the place and the fix."""


class CalmError(Exception):
    """A fault of the input or the surroundings; the command line shows it and exits 1."""


class ConfigError(CalmError):
    """A configuration file holds something unknown or of the wrong type."""


class RecordError(CalmError):
    """A record is out of its limits, or a file cannot be read as one."""


class RedactionError(CalmError):
    """The secret filter did not catch its own canary; nothing may be written."""


class StoreError(CalmError):
    """Git, or the disk below it, refused."""


class GitFailedError(StoreError):
    """Git exited with an error; `stderr` holds its words."""

    def __init__(self, message: str, stderr: str = "") -> None:
        super().__init__(message)
        self.stderr = stderr


class NotFoundError(CalmError):
    """An id or a file that was asked for does not exist."""


class RunConflictError(CalmError):
    """A run or its session is in a state that forbids what was asked."""


class TranscriptError(CalmError):
    """A transcript cannot be found or holds no conversation."""


class TrustError(CalmError):
    """Something needs this person's approval on this machine, and has not got it."""


class ExportError(CalmError):
    """A managed block is broken or was edited by hand."""
