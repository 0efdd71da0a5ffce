"""What a person is asked in a client's dialogue: the exact words first, whole or not at all.

Claude Code 2.1 shows three lines of a question, each cut at the width of the terminal. So the
words and what becomes of them stand in the first three lines; what does not fit is not asked here.
"""

import textwrap
import unicodedata
from collections.abc import Mapping, Sequence

from calmkb.kb.memories.agent_proposals import ComparedProposal
from calmkb.kb.text import show_invisible
from calmkb.model import GLOBAL_SCOPE, Memory

LINES, WIDTH = 3, 72
"""What is seen of a question in a terminal of 80 columns."""
NOTES: Mapping[str, str] = {
    "approved": "A person approved it; it is a memory now.",
    "proposed": "It waits for a person, who decides with `calmkb reflect`; tell them.",
    "known": "A memory says it already, so nothing was stored.",
    "rejected": "A person rejected it; do not propose it again.",
}


def keeping_question(offered: ComparedProposal) -> str:
    """Return the question whether a proposal becomes a memory, or nothing where it is too long."""
    memory, verdict = offered.memory, offered.verdict
    where = "every project" if memory.scope == GLOBAL_SCOPE else _line(memory.scope)
    words = f"\u201c{_line(memory.text)}\u201d"
    asked = f"Keep for {where} ({memory.category})? {words}"
    if verdict.kind == "conflict" and verdict.text:
        before = f"\u201c{_line(verdict.text)}\u201d ({verdict.other[:8]})"
        asked = f"Replace {before} for {where} by this {memory.category}? {words}"
    more = ["Accept: keep it. Decline: reject it for good. Cancel: decide later."]
    if verdict.kind != "new" and not verdict.text:
        word = "contradicts" if verdict.kind == "conflict" else "says the same as"
        more.append(f"It {word} another proposal that waits ({verdict.other[:8]}).")
    if memory.tags:
        more.append(f"Tags: {', '.join(map(_line, memory.tags))}")
    more.append("It cites:" if memory.evidence else "An agent wrote it and cites no session.")
    more += [
        f"- {e.date}, {_line(e.project) or 'signal'} ({e.source[:8]}): {_line(e.quote)}"
        for e in memory.evidence
    ]
    return _question(asked, more)


def deleting_question(memory: Memory, reason: str) -> str:
    """Return the question whether a memory is deleted, or nothing where it is too long."""
    asked = f"Delete the memory {memory.id[:8]}? \u201c{_line(memory.text)}\u201d"
    words = (
        f"The agent's reason: {_line(reason)}" if reason.strip() else "The agent gives no reason."
    )
    return _question(asked, [words, "git keeps its history."])


def _question(asked: str, more: Sequence[str]) -> str:
    """Return the question with more below it, or nothing where it has too many lines."""
    wide = any(unicodedata.east_asian_width(character) in "WF" for character in asked)
    lines = textwrap.wrap(asked, WIDTH // 2 if wide else WIDTH, break_on_hyphens=False)
    return "\n".join([*lines, "", *more]) if len(lines) <= LINES else ""


def _line(text: str) -> str:
    """Return text as one line, its line ends and invisible characters written out."""
    lines = (" ".join(line.split()) for line in show_invisible(text).split("\n"))
    return " \u23ce ".join(lines)
