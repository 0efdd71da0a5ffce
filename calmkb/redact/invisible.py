"""Characters that no reader sees but a program obeys: shown to people, kept from exports."""

import re
import unicodedata

_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls; tab and line feed are layout
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, separators, bidirectional overrides
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"  # tag characters: a whole hidden alphabet
    "]"
)
_LINE_END = re.compile(r"\r\n?")
_JOINERS = "\u200c\u200d"
_EMOJI_SELECTORS = "\ufe0e\ufe0f"
_KEYCAP = "\u20e3"
_FIRST_JOINED_SCRIPT = 0x0590
_JOINED_KINDS = ("L", "M", "S")


def show_invisible(text: str) -> str:
    """Return `text` with every invisible character written as its code point; lines end in LF.

    Where one of them parts a secret in two, both go, and the secret too.
    """
    if text.isascii() and text.isprintable():  # most are, and that is quick to check
        return text
    text = _LINE_END.sub("\n", text)
    bare = join_visible(text)
    if bare == text:
        return text
    filtered = redact_secrets(bare)
    return filtered if filtered != bare else _HIDDEN.sub(_show, text)


def strip_invisible(text: str) -> str:
    """Return `text` without its invisible characters, nor a secret that they parted in two."""
    text = _LINE_END.sub("\n", text)
    bare = join_visible(text)
    return bare if bare == text else redact_secrets(bare)


def redact_secrets(text: str) -> str:
    """Return `text` without what the filter takes for a secret."""
    from calmkb.redact import secrets  # 60 ms, for a text that hides something or is wrong

    return secrets.redact_secrets(text)


def join_visible(text: str) -> str:
    """Return `text` without its invisible characters, as they leave it; lines end in LF."""
    text = _LINE_END.sub("\n", text)
    return _HIDDEN.sub(lambda match: match[0] if _is_spelling(match) else "", text)


def _show(match: re.Match[str]) -> str:
    if _is_spelling(match):
        return match[0]
    return f"\u2039U+{ord(match[0]):04X}\u203a"


def _is_spelling(match: re.Match[str]) -> bool:
    """Joiners inside Persian or Indic words and emoji are spelling; anywhere else they hide."""
    before = match.string[match.start() - 1 : match.start()]
    after = match.string[match.end() : match.end() + 1]
    if match[0] in _EMOJI_SELECTORS:
        return _takes_selector(before, after)
    if match[0] not in _JOINERS:
        return False
    return _joins(before) and _joins(after)


def _takes_selector(before: str, after: str) -> bool:
    """Symbols take a selector; a digit, a sign or a letter only as a keycap or a trade mark."""
    if not before:
        return False
    if before.isascii():
        return before in "0123456789#*" and after == _KEYCAP
    return unicodedata.category(before)[0] == "S"


def _joins(character: str) -> bool:
    if not character or ord(character) < _FIRST_JOINED_SCRIPT:
        return False
    return unicodedata.category(character)[0] in _JOINED_KINDS or character in _EMOJI_SELECTORS
