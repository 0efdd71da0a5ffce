"""A learning with its reason, kept as one item: the reason is a line of its own.

So a person can write it in Markdown, and a reader that knows no reasons still shows it.
"""

_MARK = "\nWhy:"


def with_why(text: str, why: str) -> str:
    """Return a learning as the item that an entry keeps."""
    reason = " ".join(why.split())
    return f"{text.strip()}{_MARK} {reason}" if reason else text


def split_why(item: str) -> tuple[str, str]:
    """Return a learning's text and its reason, which may be empty."""
    text, _, why = item.partition(_MARK)
    reason = " ".join(why.split())
    return (text.strip(), reason) if text.strip() and reason else (item, "")
