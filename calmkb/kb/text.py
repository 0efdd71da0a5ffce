"""Text as the faces show it: invisible characters written out, secrets removed."""

from calmkb.redact.invisible import redact_secrets, show_invisible

__all__ = ["redact_secrets", "show_invisible"]
