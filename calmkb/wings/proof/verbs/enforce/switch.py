"""Enforcement switched on and off by a person: in the memory's record, and on this machine."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from calmkb.config.loading import CONFIG_NAME, PYPROJECT, find_root, load_config
from calmkb.documents import parse, render
from calmkb.documents.codec import UnreadableError
from calmkb.errors import CalmError, ConfigError, RecordError
from calmkb.kb.base.approvals import approve, is_approved
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.filed import Filed
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.hooks.toggle import SettingsChange, absent_hooks, hooks_disabled, switch_wanted
from calmkb.kb.journal.sessions import read_memories
from calmkb.kb.memories.approval import approval_of
from calmkb.kb.memories.files import message
from calmkb.model import Memory
from calmkb.model.memories.enforcement import Level
from calmkb.model.trust import TrustRequest
from calmkb.store.git.repository import find_repository
from calmkb.store.git.trees import tree_entries
from calmkb.wings.proof.anchors.git_files import texts_of
from calmkb.wings.proof.enforce.checks import Check, parse_check
from calmkb.wings.proof.enforce.compile import compile_checks
from calmkb.wings.proof.enforce.prefilter import patterns
from calmkb.wings.proof.local import TASKS, EnforcedMemory, read_enforced, write_enforced


@dataclass(frozen=True, slots=True)
class Enforceable:
    """A memory with its checks, those of its record or made of its words.

    `level` is the record's, "" where nobody enforced it; `here` says whether it is checked on this
    machine.
    """

    memory: Memory
    checks: tuple[Check, ...]
    here: bool


def checks_for(memory: Memory, lines: Sequence[str] = ()) -> tuple[Check, ...]:
    """Return the checks of `lines`, else of the record, else those that its words say.

    RecordError where a line is no check.
    """
    if given := tuple(lines) or memory.checks:
        return tuple(parse_check(line) for line in given)
    return compile_checks(memory.text, memory.paths)


def readable_checks(memory: Memory) -> tuple[Check, ...]:
    """Return the same; none where a person wrote a line that is no check."""
    try:
        return checks_for(memory)
    except RecordError:
        return ()


def enforceable(kb: KnowledgeBase) -> tuple[Enforceable, ...]:
    """Return the memories that are enforced, and those whose words say a check; enforced first."""
    every = ((memory, readable_checks(memory)) for memory in read_memories(kb))
    found = [Enforceable(one, checks, is_enforced_here(kb, one)) for one, checks in every if checks]
    return tuple(sorted(found, key=lambda one: (not one.memory.enforce, one.memory.created_at)))


def is_enforced_here(kb: KnowledgeBase, memory: Memory) -> bool:
    """Return whether the memory is checked on this machine, just as its record is now."""
    return bool(memory.enforce) and _row(kb, memory) in read_enforced(kb.environment.own)


def check_request(memory: Memory) -> TrustRequest:
    """Return the approval that a memory's checks need before they run on this machine."""
    checks = "\n".join(memory.checks)
    return TrustRequest(
        "check",
        f"checks of memory {memory.id[:8]}",
        "calls of agents on this machine are held against these checks",
        f"{memory.id}\n{memory.scope}\n{memory.text}\n{memory.enforce}\n{checks}",
    )


def enforce(
    kb: KnowledgeBase,
    filed: Filed[Memory],
    checks: Sequence[Check],
    level: Level,
    *,
    approved_by: str,
) -> SettingsChange:
    """Commit the checks with the memory, and have agents on this machine held to them.

    Raises CalmError where nobody approved the memory, StoreError where its file has changed since
    it was read; then nothing is written.
    """
    approval = approval_of(kb, filed.record)
    if approval.differs:
        raise CalmError(
            f"memory {filed.record.id[:8]} is not enforced: {approval.words}; "
            f"review it first with: calmkb show {filed.record.id[:8]}"
        )
    lines = tuple(str(check) for check in checks)
    memory = replace(filed.record, enforce=level, checks=lines)
    if memory != filed.record:
        memory = replace(memory, approved_by=approved_by)
        _save(kb, filed, memory, "enforce")
    approve(kb, [check_request(memory)])
    before = read_enforced(kb.environment.own)
    _write(kb.environment, (*_others(kb, memory), _row(kb, memory)))
    try:
        return switch_wanted(kb.environment, TASKS)
    except CalmError:  # settings that cannot be read: neither hook nor record
        _write(kb.environment, before)
        raise


def stop_enforcing(
    kb: KnowledgeBase, filed: Filed[Memory], *, approved_by: str
) -> SettingsChange | None:
    """Commit the memory without its checks, and check it no longer; None where nothing was on.

    The hook goes with the last memory that is checked here.
    """
    memory = replace(filed.record, enforce="", checks=())
    others = _others(kb, memory)
    known = len(others) < len(read_enforced(kb.environment.own))
    if memory == filed.record and not known:
        return None
    if memory != filed.record:
        _save(kb, filed, replace(memory, approved_by=approved_by), "stop enforcing")
    _write(kb.environment, others)
    return switch_wanted(kb.environment, TASKS)


def still_holds(kb: KnowledgeBase, row: EnforcedMemory) -> bool:
    """Return whether a memory that is checked here is still as it was approved.

    What is committed counts: whoever edits the file alone, an agent too, switches nothing off.
    """
    kept = committed_memories(kb, "HEAD", row.memory)
    memory = next((one for one in kept if one.id == row.memory), None)
    return memory is not None and _row(kb, memory) == row and is_approved(kb, check_request(memory))


def committed_memories(kb: KnowledgeBase, commit: str, identity: str = "") -> Iterator[Memory]:
    """Yield the memories of a commit, in the folder that the journal is in now; of one id or all.

    Where nothing is committed yet, those that are there.
    """
    repository, below = kb.repository_if_any, f"{kb.prefix}/memories"
    if repository is None or repository.git.ask("rev-parse", "-q", "--verify", commit) is None:
        yield from read_memories(kb)
        return
    paths = list(tree_entries(repository, commit, below))
    named = [path for path in paths if identity[:8] in path]  # but where a person renamed it
    for path, text in texts_of(repository, commit, named or paths).items():
        with contextlib.suppress(UnreadableError):
            record = parse(text, path.removeprefix(f"{kb.prefix}/"))
            if isinstance(record, Memory):
                yield record


def committed_kb(
    environment: Environment, root: Path, commit: str = "HEAD"
) -> KnowledgeBase | None:
    """Return the knowledge base at `root` by its settings in a commit; None where it had none.

    Whoever edits the file may move the journal, call the project otherwise, or take it out.
    """
    repository = find_repository(root)
    if repository is None:
        return None
    top, root = (Path(os.path.realpath(one)) for one in (repository.top, root))
    places = {(root / one).relative_to(top).as_posix(): one for one in (CONFIG_NAME, PYPROJECT)}
    with TemporaryDirectory() as made, contextlib.suppress(ConfigError):
        folder = Path(os.path.realpath(made))
        for path, text in texts_of(repository, commit, places).items():
            (folder / places[path]).write_text(text, encoding="utf-8")
        if find_root(option=None, env={}, cwd=folder, home=folder / "home") == folder:
            return KnowledgeBase(root, load_config(folder), environment)
    return None


def unheld(kb: KnowledgeBase) -> Iterator[tuple[str, str]]:
    """Yield the id of each memory that a person enforced here and agents are not held to, and why.

    An edit of its file that is not committed is told too: the next commit would end it.
    """
    rows = [row for row in read_enforced(kb.environment.own) if row.knowledge_base == str(kb.root)]
    now = {one.id: _row(kb, one) for one in read_memories(kb)} if rows else {}
    for row in rows:
        short = row.memory[:8]
        if not still_holds(kb, row):
            why = "its record was changed or taken out, or is not on this branch"
            yield row.memory, f"{why}; review it, then run: calmkb agents enforce {short}"
        elif now.get(row.memory) != row:
            why = "its file is not as it is committed, which ends it with the next commit"
            yield row.memory, f"{why}; look at it with: calmkb show {short}"
    if rows:
        yield from _without_hook(kb, rows[0].memory)


def _without_hook(kb: KnowledgeBase, memory: str) -> Iterator[tuple[str, str]]:
    fix = f"switch it on again with: calmkb agents enforce {memory[:8]}"
    try:
        if absent_hooks(kb.environment):
            yield memory, f"its hook is not in the settings of Claude Code; {fix}"
        elif off := hooks_disabled(kb.environment):
            yield memory, f"Claude Code runs no hook: {off} sets disableAllHooks; remove that line"
    except CalmError as error:
        yield memory, f"its hook cannot be looked for: {error}"


def _save(kb: KnowledgeBase, filed: Filed[Memory], memory: Memory, verb: str) -> None:
    files = {filed.path: render(memory).encode()}
    kb.save(files, message(verb, memory), expected=filed.expected)


def _row(kb: KnowledgeBase, memory: Memory) -> EnforcedMemory:
    return EnforcedMemory(
        memory.id, str(kb.root), memory.scope, memory.enforce, memory.text, memory.checks
    )


def _others(kb: KnowledgeBase, memory: Memory) -> tuple[EnforcedMemory, ...]:
    rows = read_enforced(kb.environment.own)
    return tuple(
        row for row in rows if (row.knowledge_base, row.memory) != (str(kb.root), memory.id)
    )


def _write(environment: Environment, rows: Sequence[EnforcedMemory]) -> None:
    checks = (parse_check(line) for row in rows for line in row.checks)
    write_enforced(environment.own, rows, patterns(checks))
