"""What must not be kept is taken out before any write, hash or comparison.

Read `redactor` first (`Redactor`); `secrets` and `rules` say what a secret is.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calmkb.redact.redactor import Redactor

__all__ = ["Redactor"]


def __getattr__(name: str) -> object:
    """Load the filter when it is asked for: a room beside it need not wait for its rules."""
    if name == "Redactor":
        from calmkb.redact.redactor import Redactor

        return Redactor
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
