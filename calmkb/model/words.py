"""Words that every room writes: a number with its noun, and a text cut to one line."""


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 item`, `1,204 items`, `0 memories`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def short_line(text: str, limit: int) -> str:
    """Return `text` as one line of at most `limit` characters, cut with an ellipsis."""
    return clip(" ".join(text.split()), limit)


def clip(text: str, limit: int) -> str:
    """Return at most `limit` characters, cut at a word where one ends nearby."""
    if len(text) <= limit:
        return text
    space = text.rfind(" ", 0, limit)  # one may stand right where the ellipsis will
    cut = text[:space] if space > limit * 0.6 else text[: limit - 1]
    return cut.rstrip(" ,;:-(") + "…"
