"""What a person's files say already, as single statements to hold new learnings against."""

import re
from collections.abc import Callable, Iterable, Iterator

_START = re.compile(r"\s*(?:[-*+]|\d+[.)]|#{1,6}|>+)\s+")
# No label is what turns a rule round: "**Do not** run `npm`".
_LABEL = re.compile(
    r"(?i)\*\*(?:(?![^*]*\b(?:not?|never|don't|avoid|ask|only|without)\b)[^*]{1,40}\*\*"
    r":?|[^*]{8,40}(?:\*\*:|:\*\*))\s*|\[(?:LRN-[\d-]+|\d{4}-\d\d-\d\d)\]\s*"
)
_PROMOTED = re.compile(r"\s*\(promoted to (?P<target>.*)\)\s*\Z")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=\S)")
_TICKED = re.compile(r"`([^`\n]+)`")


def statements_in(text: str) -> list[str]:
    """Return what a Markdown text says: its items and paragraphs, and each sentence of them."""
    found: dict[str, None] = {}
    for block in _blocks(visible_lines(text)):
        found[block] = None
        found |= dict.fromkeys(part for part in _SENTENCE.split(block) if " " in part)
    return list(found)


def count_instructions(text: str) -> int:
    """Return how many things a Markdown text says: its items and paragraphs, no headings."""
    lines = (line for line in visible_lines(text) if not line.lstrip().startswith("#"))
    return sum(1 for block in _blocks(lines) if block)


def learnt_in(index: str, is_elsewhere: Callable[[str], bool]) -> list[str]:
    """Return the learnings of the index's rows, but for those promoted to a file elsewhere."""
    texts: list[str] = []
    for line in visible_lines(index):
        found = _PROMOTED.search(line)
        if not (found and is_elsewhere(found["target"])):
            texts += statements_in(_PROMOTED.sub("", line))
    return texts


def commands_in(statements: Iterable[str]) -> set[str]:
    """Return all that is in code spans in `statements`, and the statements themselves, as commands.

    A command that is written down anywhere is known, whatever the words around it.
    """
    return {plain_command(one) for text in statements for one in (*_TICKED.findall(text), text)}


def plain_command(text: str) -> str:
    """Return a command for comparison: one blank between its words, no ticks and no prompt."""
    return " ".join(text.replace("`", " ").split()).removeprefix("$ ").rstrip(".;")


def visible_lines(text: str) -> list[str]:
    """Return all lines but those of comments; a managed block and code say something too."""
    return [line.rstrip("\r") for line in _uncommented(text).split("\n")]


def _uncommented(text: str) -> str:
    """Return `text` without comments; one that is not closed stays. In one pass, however many."""
    kept, at = [], 0
    while (start := text.find("<!--", at)) >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            break
        kept.append(text[at:start])
        at = end + 3
    return "".join([*kept, text[at:]])


def _blocks(lines: Iterable[str]) -> Iterator[str]:
    """Yield each item, heading and paragraph, the lines that continue it joined to it."""
    block: list[str] = []
    code = False
    for line in [*lines, ""]:
        fence = line.lstrip().startswith(("```", "~~~"))
        if fence or code or not line.strip() or _START.match(line):
            if block:
                yield _LABEL.sub("", " ".join(block)).strip()
            block = []
        code = code != fence
        if line.strip() and not fence:
            block.append(_START.sub("", line, count=1).strip())
