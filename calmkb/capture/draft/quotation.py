"""Words of others between quotation marks: nothing altered, a cut marked by an ellipsis."""

import re

from calmkb.capture.formats.cleaning import clip, one_line

_MARKUP = re.compile(
    r"\*\*|^#{1,6}\s*|^[-*•]\s+|^\d{1,2}[.)]\s+|^>\s*"  # and a link into somebody's folder
    r"|(?<![\w)\]])!?\[([^\[\]\n]{1,300})\]\((?!\w+:)[^\s()]{0,200}[/.][^\s()]*\)",
    re.MULTILINE,
)


def quoted(text: str, limit: int) -> str:
    """Return `text` as a quotation; the other kind of mark where the text holds one itself."""
    words = clip(text, limit)
    return f"“{words}”" if '"' in words else f'"{words}"'


def without_markup(text: str) -> str:
    """Return the text as a reader of the rendered Markdown sees it, on one line."""
    return one_line(_MARKUP.sub(r"\1", text))
