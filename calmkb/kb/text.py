"""Text as the faces show it: invisible characters written out, secrets removed."""

import re

from calmkb.redact.invisible import redact_secrets, show_invisible

__all__ = ["inert_message", "redact_secrets", "show_invisible"]
_SKIPS = re.compile(r"(?i)\[((?:skip|no)[ -][\w -]{1,20}|[\w-]{1,20}[ -]skip)\]|\*{3}(NO_CI)\*{3}")
_TRAILS = re.compile(r"(?im)^([ \t]*(?:skip|request)-checks[ \t]*):")
_CLOSES = re.compile(r"(?i)\b((?:clos|fix|resolv|implement)[a-z]{0,3})(?=:?\s\S*(?:#|issues/)\d)")


def inert_message(message: str) -> str:
    """Return a commit's message without what acts: in a terminal, on CI, on a host's issues."""
    shown = _TRAILS.sub(r"\1 =", _SKIPS.sub(r"(\1\2)", show_invisible(message)))
    return _CLOSES.sub(r"\1, see", shown)
