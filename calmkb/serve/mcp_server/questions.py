"""What a person is asked in a client's dialogue: the exact words, and what they rest on."""

from collections.abc import Mapping

from calmkb.kb.agent_proposals import Offered
from calmkb.model import Memory
from calmkb.redact.invisible import show_invisible

NOTES: Mapping[str, str] = {
    "approved": "A person approved it; it is a memory now.",
    "proposed": "It waits for a person, who decides with `calmkb reflect`; tell them.",
    "known": "A memory says it already, so nothing was stored.",
    "rejected": "A person rejected it; do not propose it again.",
}


def keeping_question(offered: Offered) -> str:
    """Return the question whether a proposal becomes a memory."""
    memory, verdict = offered.memory, offered.verdict
    where = "in every project" if memory.scope == "global" else f"in {_line(memory.scope)}"
    lines = [
        f"Keep this as a memory? Agents that work {where} are then shown it.",
        "",
        _quoted(memory.text),
        "",
        f"Category {memory.category}, scope {_line(memory.scope)}, written by an agent.",
    ]
    if memory.tags:
        lines.append(f"Tags: {', '.join(map(_line, memory.tags))}")
    if verdict.kind == "conflict" and verdict.text:
        lines += ["", f"It contradicts the memory {verdict.other[:8]} and would replace it:",
                  _quoted(verdict.text)]  # fmt: skip
    elif verdict.kind != "new":
        word = "contradicts" if verdict.kind == "conflict" else "says the same as"
        lines += ["", f"It {word} another proposal that waits ({verdict.other[:8]})."]
    lines += ["", "It cites:" if memory.evidence else "It cites no session."]
    lines += [
        _quoted(f"{e.date}, {e.project or 'signal'} ({e.source[:8]}): {e.quote}")
        for e in memory.evidence
    ]
    lines += ["", "Accept: keep it. Decline: reject it for good. Cancel: decide later."]
    return "\n".join(lines)


def deleting_question(memory: Memory, reason: str) -> str:
    """Return the question whether a memory goes."""
    lines = [
        f"Delete the memory {memory.id[:8]}? An agent asks for it; git keeps its history.",
        "",
        _quoted(memory.text),
    ]
    if reason.strip():
        lines += ["", "The agent's reason:", _quoted(reason)]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """Return text so that none of its lines can pass for ours, invisible characters shown."""
    return "\n".join(f"> {line}" for line in show_invisible(text).split("\n"))


def _line(text: str) -> str:
    return show_invisible(" ".join(text.split()))
