"""What must not be kept is taken out before any write, hash or comparison."""

from calmkb.redact.redactor import Redactor

__all__ = ["Redactor"]
