"""Words that every room writes: a number with its noun, and a text cut to one line."""


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 item`, `1,204 items`, `0 memories`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def short_line(text: str, limit: int) -> str:
    """Return `text` as one line of at most `limit` characters, cut with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
