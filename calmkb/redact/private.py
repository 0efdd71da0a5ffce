"""`<private>` spans: what a person asked to keep out, however the tags are written."""

import re

_TAG = re.compile(r"<[ \t]{0,8}(/?)[ \t]{0,8}private(?:[ \t][^<>\n]{0,200})?>", re.IGNORECASE)


def hide_private(text: str) -> str:
    """Return `text` with each outermost `<private>` span as `[private]`.

    A span that does not end, or whose inner one does not, goes on to the end of the text.
    """
    parts: list[str] = []
    depth = at = 0
    for tag in _TAG.finditer(text):
        if not tag[1]:
            if depth == 0:
                parts += [text[at : tag.start()], "[private]"]
            depth += 1
        elif depth:
            depth -= 1
            at = tag.end()
    return "".join([*parts, "" if depth else text[at:]])
