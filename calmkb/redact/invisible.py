"""Characters that no reader sees but a program obeys: shown to reviewers, kept from exports."""

import re
import unicodedata

# Format, control, private-use and unassigned characters; line breaks and tabs are no secret.
_SUSPECT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\ue000-\uf8ff\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
_OPEN, _CLOSE = "\u2039", "\u203a"
_AFTER_EMOJI = "\ufe0f\u200d"


def show_invisible(text: str) -> str:
    """Return `text` with each invisible character written out, like U+202E in angle marks."""
    return _SUSPECT.sub(lambda found: _shown(text, found), text)


def strip_invisible(text: str) -> str:
    """Return `text` without invisible characters; emoji keep their joiners."""
    return _SUSPECT.sub(
        lambda found: found[0] if _belongs_to_emoji(text, found.start()) else "", text
    )


def has_invisible(text: str) -> bool:
    """Tell whether `text` holds a character that a reader cannot see."""
    return strip_invisible(text) != text


def _shown(text: str, found: re.Match[str]) -> str:
    if _belongs_to_emoji(text, found.start()):
        return found[0]
    return f"{_OPEN}U+{ord(found[0]):04X}{_CLOSE}"


def _belongs_to_emoji(text: str, at: int) -> bool:
    """Tell whether a joiner or a variation selector stands right behind a symbol."""
    if text[at] not in _AFTER_EMOJI or at == 0:
        return False
    before = text[at - 1]
    return before in _AFTER_EMOJI or unicodedata.category(before) in {"So", "Sk"}
