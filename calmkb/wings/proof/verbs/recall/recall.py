"""`recall`: which memories may be recalled at a prompt on this machine, switched on by a person."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calmkb import recall
from calmkb.errors import CalmError, StoreError
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.points import memory_faults
from calmkb.kb.base.reading import current_project
from calmkb.kb.journal.sessions import read_contents, read_memories
from calmkb.kb.memories.approval import approvals
from calmkb.model import GLOBAL_SCOPE, Memory
from calmkb.redact.invisible import strip_invisible
from calmkb.system.files import make_private_folder, read_bytes, write_atomically
from calmkb.wings.proof.anchors.anchor import parse_anchor
from calmkb.wings.proof.anchors.references import in_code, is_distinct
from calmkb.wings.proof.enforce.compile import compile_checks
from calmkb.wings.proof.enforce.prefilter import literal, longest_part
from calmkb.wings.proof.verbs.recall.bases import is_on, key_of, told_bases

if TYPE_CHECKING:
    from calmkb.kb.memories.recalled import Recalled

_LONGEST = 400
_KINDS = ("files", "commands", "names")
_SHORTEST = 3
"""Letters that a name must have beside its wildcards: `*` and `a/**` are about everything."""
_READ = ("CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md")
_READ_LIMIT = 1024 * 1024


def note_base(kb: KnowledgeBase, *, on: bool) -> None:
    """Have this knowledge base recalled, or not.

    CalmError where there is none to tell of.
    """
    if on and not kb.journal.is_dir():
        raise CalmError(f"there is no journal in {kb.root}; begin one with: calmkb init")
    bases = [one for one in told_bases(kb.environment) if one["kb"] != key_of(kb)]
    if on:
        bases.append(_base(kb))
    _write(kb.environment, bases)


def refresh_recall(kb: KnowledgeBase) -> None:
    """Take in what was approved, edited or retired since, where a person has switched it on.

    Another work tree of the same repository has memories of its own, those of its branch.
    """
    if not is_on(kb):
        return
    made, bases = _base(kb), told_bases(kb.environment)
    others = [one for one in bases if one["folder"] != made["folder"]]
    here = [one for one in others if Path(one["folder"]).is_dir()]
    if bases != [*here, made]:
        _write(kb.environment, [*here, made])


def recall_preview(kb: KnowledgeBase, prompt: str) -> list[str]:
    """Return what an agent would be given for a prompt here."""
    return [str(row["text"]) for row in recall.fitting(prompt, _rows(kb))]


def recalled(kb: KnowledgeBase) -> "list[Recalled]":
    """Return the memories that may be recalled, those recalled most first."""
    # Not needed at a session's start, which waits for what this module imports.
    from calmkb.kb.memories.backtest import backtests
    from calmkb.kb.memories.recalled import recalled_in

    contents = read_contents(kb)
    rows = {row["id"] for row in _rows(kb)}
    memories = [memory for memory in contents.memories if memory.id in rows]
    found = recalled_in(kb, memories, backtests(kb, memories, contents, costs=False))
    return sorted(found, key=lambda one: (-one.sessions, one.memory.id))


def _base(kb: KnowledgeBase) -> dict[str, Any]:
    folder = str(kb.agent_folder.resolve())
    return {"kb": key_of(kb), "folder": folder, "memories": _rows(kb)}


def _rows(kb: KnowledgeBase) -> list[dict[str, Any]]:
    """Return what may be recalled: approved, standing and of this project."""
    memories = read_memories(kb)
    scopes = (GLOBAL_SCOPE, current_project(kb, kb.agent_folder).casefold())
    replaced = {memory.supersedes for memory in memories}
    given, faults = approvals(kb, memories), memory_faults(kb, memories)
    read = "\n".join(_text(kb.agent_folder / name) for name in _READ)
    fit = [
        (memory, text)
        for memory in memories
        if memory.scope.casefold() in scopes
        and memory.id not in replaced
        and not any(one.gone for one in faults.get(memory.id, ()))
        and not given[memory.id].differs
        and (text := " ".join(strip_invisible(memory.text).split()))
    ]
    # What stands in a file that is read at the start is said at a call alone.
    weights = recall.weighed(["" if text in read else text for _, text in fit])
    rows = [
        {"id": memory.id, "text": text[:_LONGEST], "terms": terms, **_acts_of(memory)}
        for (memory, text), terms in zip(fit, weights, strict=True)
    ]
    return [row for row in rows if any(row[one] for one in ("terms", *_KINDS))]


def _acts_of(memory: Memory) -> dict[str, list[str]]:
    """Return the globs of files, the commands and the names in code that a memory has."""
    anchors = [one for line in memory.anchors if (one := parse_anchor(line))]
    checks = compile_checks(memory.text, memory.paths)
    files = [*memory.paths, *(one.path for one in anchors if not one.tool)]
    files += [one.what for one in checks if one.kind == "edit"]
    commands = [one.value for one in anchors if one.tool]
    run = [one.what.partition(" without ")[0] for one in checks if one.kind == "run"]
    commands += [one.partition(" -")[0] for one in run]
    spans = memory.text.split("`")[1::2]  # a person waits: no parser of Markdown is loaded
    named = [one.value for span in spans for one in in_code(span, 1) if one.kind == "name"]
    # `Register` is a word of comments too, and a name where it is called.
    names = [one if is_distinct(one) else f"{one}(" for one in named]
    names += [one.what for one in checks if one.kind == "write"]
    return {
        "names": list(dict.fromkeys(names)),
        "files": [one for one in dict.fromkeys(files) if len(longest_part(one)) >= _SHORTEST],
        "commands": list(dict.fromkeys(commands)),
    }


def _act_patterns(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return extended regular expressions by which `grep` sees that a call is about none."""
    found = set()
    for row in rows:
        found |= {literal(longest_part(one)) for one in row["files"]}
        found |= {literal(one.split()[-1]) for one in (*row["commands"], *row["names"])}
    return sorted(found)


def _text(path: Path) -> str:
    try:
        return " ".join(read_bytes(path, limit=_READ_LIMIT).decode(errors="replace").split())
    except (OSError, StoreError):  # there is none, or it is no file
        return ""


def _write(environment: Environment, bases: list[dict[str, Any]]) -> None:
    make_private_folder(environment.own)
    path = environment.own / recall.INDEX
    write_atomically(path, json.dumps(bases, ensure_ascii=False).encode(), mode=0o600)
    rows = [row for base in bases for row in base["memories"]]
    words = "".join(f"{one}\n" for one in _act_patterns(rows))
    write_atomically(environment.own / recall.ACTS, words.encode(), mode=0o600)
