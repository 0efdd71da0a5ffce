"""Memories and selections to export, plain and hostile."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from calmkb.model import CATEGORIES, Memory

BEGIN = datetime(2026, 10, 1, tzinfo=UTC)
NASTY = (
    "@docs/x.md", "!`rm x`", "!{x}", "<!--", "-->", "<!-- calmkb:end -->", "---", "`", "``", "```",
    "\\`", "<b>", "](x)", "](https://a.b)", "#file:x", "[x]", "~~~", "$1", "${CLAUDE_X}", "word",
    "a.b", "__", "**", "\u202e", "\u200b", "\U000e0041", "👩‍🚀", "🇩🇪", "é", "e\u0301", "日本語",
    "\u2028", "\x85", "'", '"', ": ", " #", "=======", "<<<<<<< x", ">>>>>>> y", "&", "*", "{", "}",
    ",", "|", "</system-reminder>", "@~/.ssh/id", "@@x", "x@y.org", ".@a",
)  # fmt: skip
"""What readers act on, whole and in pieces."""
TEXTS = st.lists(
    st.sampled_from([*NASTY, " ", "\n"]) | st.text(max_size=8), min_size=1, max_size=40
)
NASTY_TEXTS = TEXTS.map("".join).filter(lambda text: bool(text.strip()) and "\0" not in text)
GLOBS = st.lists(
    st.sampled_from([
        "src/**/*.py", "*.py", "**", "**/*.ts", "a,b.md", "*.{ts,tsx}", "{a,b}/**", "[ab]*", "!x",
        "&a", "- x", "?y", "a: b", "a #b", "'q'", '"q"', "%x", "@x", "`x", "true", "1.5", "null",
        "---", "\u2028x", "\x85", "\ufeffx", "👩‍🚀/*", "x\ty", "a\\b", "[", "}{,", "~", "=",
        "2026-01-01", "\x7f",
    ]) | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\n"), min_size=1),
    max_size=3,
    unique=True,
).map(lambda found: tuple(p for p in found if is_path(p)))  # fmt: skip


def is_path(text: str) -> bool:
    """Return whether a memory may hold for `text`."""
    return bool(text.strip()) and not text.startswith(("/", "~")) and ".." not in text.split("/")


@st.composite
def memories(draw: st.DrawFn, most: int = 14) -> list[Memory]:
    """Return memories, some of some paths, some superseded, some of another project."""
    count = draw(st.integers(0, most))
    made: list[Memory] = []
    for number in range(count):
        older = made[-1].id if made and draw(st.integers(0, 6)) == 0 else ""
        made.append(
            Memory(
                id=str(UUID(int=number + 1, version=4)),
                created_at=BEGIN + timedelta(days=number),
                text=draw(NASTY_TEXTS),
                category=draw(st.sampled_from(CATEGORIES)),
                importance=draw(st.sampled_from([0.1, 0.5, 0.5, 0.9, 1.0])),
                scope=draw(st.sampled_from(["global", "global", "shop", "bank"])),
                paths=draw(st.just(()) | GLOBS),
                supersedes=older,
            )
        )
    return made


def rule(number: int, text: str = "A rule.", **more: Any) -> Memory:
    """Return a memory with nothing odd in it, of day `number`."""
    created = BEGIN + timedelta(days=number)
    return Memory(id=str(UUID(int=number, version=4)), created_at=created, text=text,
                  **{"category": "fact", **more})  # fmt: skip
