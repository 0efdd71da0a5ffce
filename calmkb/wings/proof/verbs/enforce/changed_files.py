"""A commit or a branch held against the memories that its repository enforces."""

from collections.abc import Iterable, Iterator

from calmkb.documents.findings import Finding
from calmkb.errors import NotFoundError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import current_project
from calmkb.kb.journal.sessions import read_memories
from calmkb.kb.memories.approval import forged
from calmkb.kb.text import show_invisible
from calmkb.model import GLOBAL_SCOPE, Memory
from calmkb.store.git.repository import Repository, find_repository
from calmkb.store.git.trees import names_in
from calmkb.wings.proof.anchors.git_files import commit_of, texts_of
from calmkb.wings.proof.enforce.checks import Call, Check
from calmkb.wings.proof.verbs.enforce.switch import (
    committed_kb,
    committed_memories,
    readable_checks,
)


def broken_by_changes(kb: KnowledgeBase, *, since: str = "") -> tuple[Finding, ...]:
    """Return which enforced memories the staged files break, or those changed since a commit.

    Only files that may not be committed and text that may not be written can be seen in a change.
    Memories whose approval git contradicts are left out, and a change ends no rule that was there
    before it. NotFoundError where there is no repository or no such commit.
    """
    folder = kb.agent_folder
    repository = find_repository(folder)
    if repository is None:
        raise NotFoundError(f"{folder} is in no git repository; go into one")
    commit = commit_of(repository, since) if since else ""
    base = repository.git.ask("merge-base", commit, "HEAD") if commit else "HEAD"
    enforced = list(_enforced(kb, repository, base or commit))
    if not enforced:
        return ()
    changed = _files_changed(repository, base or commit, "HEAD" if commit else "")
    return tuple(one for file in changed for one in _findings(file, enforced))


def _files_changed(repository: Repository, base: str, after: str) -> Iterator[Call]:
    """Yield each file as `after` holds it, or the next commit, where that differs from `base`."""
    if not after and repository.tip("HEAD") is None:
        base = repository.git.mktree(istream=b"")  # the tree without files
    between = [base, after] if after else ["--cached", base]
    asked = ("--name-only", "-z", "--no-renames", "--diff-filter=d", *between, "--")
    paths = names_in(repository.git.diff(*asked))
    old, new = texts_of(repository, base, paths), texts_of(repository, after, paths)
    for path in paths:
        yield Call(path=path, text=new.get(path, ""), before=old.get(path, ""), committed=True)


def _enforced(
    kb: KnowledgeBase, repository: Repository, base: str
) -> Iterator[tuple[Memory, Check]]:
    """Yield the rules as they are at `base`, and those that came since."""
    now, earlier = read_memories(kb), _before(kb, repository, base)
    before = committed_memories(earlier, base) if earlier else ()
    called = [one.at(repository.top).project.name for one in (kb, earlier) if one]
    scopes = {one.casefold() for one in (*called, current_project(kb, repository.top))}
    known = {one.id: one for one in (*now, *before)}.values()
    memories = [
        one for one in known if one.enforce and one.scope.casefold() in {*scopes, GLOBAL_SCOPE}
    ]
    # Of what the change itself touches, git does not tell who approved it before.
    contradicted = forged(kb, [one for one in memories if one in now])
    for memory in memories:
        if memory.checks and memory.id not in contradicted:
            yield from ((memory, check) for check in readable_checks(memory))


def _before(kb: KnowledgeBase, repository: Repository, base: str) -> KnowledgeBase | None:
    """Return the knowledge base by its settings at `base`, None where it was not in there."""
    own = kb.repository_if_any
    if own is None or own.top != repository.top:  # a branch of its own, if the change is no end
        return committed_kb(kb.environment, repository.top, base)
    return committed_kb(kb.environment, kb.root, base) or kb


def _findings(file: Call, enforced: Iterable[tuple[Memory, Check]]) -> Iterator[Finding]:
    for memory, check in enforced:
        if check.kind in ("commit", "write", "name", "reason") and check.is_broken_by(file):
            rule = "enforced-memory" if memory.enforce == "block" else "advised-memory"
            first = memory.text.splitlines()[0]
            words = show_invisible(f"{check} (memory {memory.id[:8]}: {first})")
            yield Finding(file.path, _line(check, file), rule, words)


def _line(check: Check, file: Call) -> int:
    """Return the first line that has the text and was not there before, else 1."""
    old = set(file.before.split("\n"))
    lines = enumerate(file.text.split("\n"), 1) if check.kind != "commit" else ()
    return next((n for n, line in lines if check.what in line and line not in old), 1)
