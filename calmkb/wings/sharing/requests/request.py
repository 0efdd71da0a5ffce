"""Proposals as a pull request says them: a title, a table, the evidence, what the digest gains."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from calmkb.model import UNKNOWN_SCOPE, Memory, Proposal, scope_words
from calmkb.model.words import counted, short_line
from calmkb.redact.invisible import show_invisible

_LONGEST = 60_000  # git hosts take 65,536 characters
_QUOTES = 6
_DIFF_LINES = 60
# What a git host would act on: an address, a mention, an issue's number, a word that closes it.
_ACTED_ON = re.compile(
    r"(?:(?:https?|ftp)://|mailto:|xmpp:|www\.|[\w.+-]+@)\S+"
    r"|(?<![\w`/])(@[\w/-]+|(?:[\w.-]+/[\w.-]+)?#\d+|GH-\d+)",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"([\\`*_{}\[\]<>|~&$])")


@dataclass(frozen=True, slots=True)
class Digest:
    """What agents read, without and with the proposals, and what each costs in tokens."""

    file: str
    before: str
    after: str
    tokens_before: int
    tokens_after: int


def title_of(memories: Sequence[Memory]) -> str:
    """Return one line for the commit and the pull request."""
    sessions = len({source for memory in memories for source in memory.sources})
    if len(memories) == 1:
        title = show_invisible(f"Learnt: {short_line(memories[0].text, 60)}")
        return _ACTED_ON.sub(_in_code, title)
    return f"{len(memories)} learnings from {counted(sessions, 'session')}"


def warning_of(proposal: Proposal) -> str:
    """Return what merging a proposal would replace or go against, nothing where it does neither."""
    verdict, lines = proposal.verdict, []
    if proposal.scope == UNKNOWN_SCOPE:
        lines.append("Where it holds is not known: not exported until its file says `scope`.")
    if verdict.kind == "conflict":
        lines.append(f"Merging replaces the memory {verdict.other[:8]}: {verdict.text}")
    if proposal.contradicts:
        lines.append(f"Contradicts {proposal.contradicts}")
    return " ".join(lines)


_INTRODUCTION = (
    "Merging approves what is in this branch. To reject one, delete its file here before "
    "merging, and to reword one, edit it; closing turns all of them down. `calmkb sync` then "
    "records it."
)
_WITH_BOXES = (
    "Merging approves what is ticked here and is in this branch. To reject one, untick it "
    "or delete its file before merging; to reword one, edit its file. A comment that begins with "
    "a number (`2: we use bun now`) is the reason for that one. Closing turns all of them down, "
    "and the last comment says why. `calmkb sync` then records it."
)


def body_of(
    memories: Sequence[Memory],
    digest: Digest,
    paths: Sequence[str],
    warnings: Sequence[str] = (),
    guardrails: Sequence[str] = (),
    *,
    boxes: bool = True,
) -> str:
    """Return the Markdown that a reviewer reads.

    `paths` are the files, `warnings` what each goes against and `guardrails` each as a prohibition,
    in the memories' order; "" where there is none. `boxes` are for a host whose requests can be
    read again.
    """
    none = ("",) * len(memories)
    rows = zip(memories, paths, warnings or none, guardrails or none, strict=True)
    parts = [
        _WITH_BOXES if boxes else _INTRODUCTION,
        "\n".join(_item(n, memory, boxes=boxes) for n, memory in enumerate(memories, 1)),
        *(_evidence(n, *one) for n, one in enumerate(rows, 1)),
        _digest(digest),
    ]  # fmt: skip
    text = "\n\n".join(parts)
    return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit("\n", 1)[0] + "\n\n…"


def host_text(text: str) -> str:
    """Return text on one line of Markdown that a git host shows as it is, and does not act on."""
    escaped = _MARKUP.sub(r"\\\1", show_invisible(" ".join(text.split())))
    return _ACTED_ON.sub(_in_code, escaped)


def _in_code(found: re.Match[str]) -> str:
    return f"`{found[0].replace('`', '').replace(chr(92), '')}`"


def has_boxes(body: str) -> bool:
    """Return whether a request's text offers boxes to untick."""
    return _WITH_BOXES in body


def _item(number: int, memory: Memory, *, boxes: bool) -> str:
    """Return a proposal as an item; `read_review` finds a box by its number and id."""
    about = f"{memory.category}, {host_text(scope_words(memory.scope))}, "
    about += f"{memory.confidence} confidence, " + counted(len(set(memory.sources)), "session")
    return (
        f"{'- [x] ' if boxes else ''}{number}. {host_text(memory.text)} ({about}) `{memory.id[:8]}`"
    )


def _evidence(number: int, memory: Memory, path: str, warning: str, guardrail: str) -> str:
    lines = [f"### {number}. {host_text(memory.text)}", "", f"`{path}`", ""]
    lines += [f"**Look twice.** {host_text(warning)}", ""] if warning else []
    lines += [f"As a prohibition: {host_text(guardrail)}", ""] if guardrail else []
    lines += [f"{host_text(memory.why)}", ""] if memory.why else []
    for item in memory.evidence[:_QUOTES]:
        where = f"{item.date}, {host_text(item.project)} (`{item.source[:8]}`)"
        lines.append(f"- {where}: {host_text(item.quote)}")
    more = len(memory.evidence) - _QUOTES
    lines += [f"- and {more} more"] if more > 0 else []
    return "\n".join(lines)


def _digest(digest: Digest) -> str:
    gain = digest.tokens_after - digest.tokens_before
    head = f"### What the agent reads: about {digest.tokens_after:,} tokens ({gain:+,})"
    diff = difflib.unified_diff(
        digest.before.splitlines(), digest.after.splitlines(), digest.file, digest.file, lineterm=""
    )
    lines = [show_invisible(line).replace("```", "'''") for line in diff][:_DIFF_LINES]
    return "\n".join([head, "", "```diff", *lines, "```"])
