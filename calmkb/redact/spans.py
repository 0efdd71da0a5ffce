"""Marked spans: what a person asked to keep out, and text that calmkb itself gave an agent."""

import re
from collections.abc import Iterator

PRIVATE = "[private]"
UNCLOSED = "[private: the tag was not closed, hidden to the end]"
_TAG = re.compile(r"<[ \t]{0,8}(/?)[ \t]{0,8}private(?:[ \t][^<>\n]{0,200})?>", re.IGNORECASE)
_CONTEXT = re.compile(r"<(/?)calmkb-context>", re.IGNORECASE)
_DIGEST = re.compile(r"<!--[ \t]{0,8}calmkb:(begin|end)\b[^\n>]{0,300}-->", re.IGNORECASE)
# What tools and Markdown put before the first word of a line: `  12→`, `> `, `- `, `1. `.
_LINE_START = re.compile(r"[\s>*+#|.)\d→-]*\Z")
_LOOK_BACK = 200
_QUOTES = {"`": "`", '"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "\u00ab": "\u00bb"}
_SENTENCE_ENDS = ".!?:;\u2026\u3002"


def hide_spans(text: str) -> str:
    """Return `text` without calmkb's own text and with each `<private>` span as `[private]`.

    To be called before a text is cut into lines or sentences: a piece of a span has no tags.
    """
    return drop_injected(hide_private(text))


def hide_private(text: str) -> str:
    """Return `text` with each outermost `<private>` span as `[private]`.

    A tag that is not closed hides what follows to the end of the text, and the mark says so. Only
    a tag in quotes, or one between blanks in the middle of a sentence, is text about the tag.
    """
    if "private" not in text.lower():
        return text
    ends = _ends(text)
    parts: list[str] = []
    at = 0
    for start, (begin, end) in ends.items():
        if start < at:
            continue
        if end is not None:
            parts += [text[at:start], PRIVATE]
            at = end
        elif not _in_sentence(text, start, begin):
            return "".join([*parts, text[at:start], UNCLOSED])
    return "".join([*parts, text[at:]])


def _ends(text: str) -> dict[int, tuple[int, int | None]]:
    """Return for each opening tag where it ends, and where the tag that closes it ends."""
    ends: dict[int, tuple[int, int | None]] = {}
    open_tags: list[int] = []
    for tag in _unquoted(_TAG, text):
        if not tag[1]:
            ends[tag.start()] = (tag.end(), None)
            open_tags.append(tag.start())
        elif open_tags:
            start = open_tags.pop()
            ends[start] = (ends[start][0], tag.end())
    return ends


def _unquoted(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    for found in pattern.finditer(text):
        before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        if not before or _QUOTES.get(before) != after:
            yield found


def _in_sentence(text: str, start: int, end: int) -> bool:
    """Return whether a tag is a word of a sentence: blanks around it, and words on both sides."""
    before = _line_before(text, start)
    after = text[end : end + _LOOK_BACK].partition("\n")[0]
    if _LINE_START.match(before) or not after.strip():
        return False
    parted = before[-1:].isspace() and (after[0].isspace() or after[0] in ",.)")
    return parted and before.rstrip()[-1] not in _SENTENCE_ENDS


def drop_injected(text: str) -> str:
    """Return `text` without calmkb's own text: its context for agents, and the digest's block.

    Only whole spans go, a digest's only where its marker begins a line: a marker that is quoted, or
    that has no end, is text like any other.
    """
    if "calmkb" not in text.lower():
        return text
    return _drop(_DIGEST, _drop(_CONTEXT, text), begins_line=True)


def _drop(tags: re.Pattern[str], text: str, *, begins_line: bool = False) -> str:
    parts: list[str] = []
    at = 0
    start = -1
    for tag in _unquoted(tags, text):
        if tag[1].lower() in ("/", "end"):
            if start >= 0:
                parts.append(text[at:start])
                at, start = tag.end(), -1
        elif start < 0 and (not begins_line or _LINE_START.match(_line_before(text, tag.start()))):
            start = tag.start()
    return "".join([*parts, text[at:]])


def _line_before(text: str, at: int) -> str:
    return text[max(0, at - _LOOK_BACK) : at].rpartition("\n")[2]
