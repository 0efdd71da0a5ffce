"""What memories say of the project's repository that is not so any more."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from calmkb.documents.findings import Finding
from calmkb.errors import ExportError, RecordError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import current_project
from calmkb.model import GLOBAL_SCOPE, Memory
from calmkb.model.memories.enforcement import Fault
from calmkb.store.git.repository import Repository, find_repository
from calmkb.wings.proof.anchors.git_files import CommitFiles, Moment, removal_of
from calmkb.wings.proof.anchors.references import Reference, references
from calmkb.wings.proof.anchors.tree import Tree, judge
from calmkb.wings.proof.verbs.verify.broken import Broken, broken_path, is_past, is_surely_meant

GONE = ("gone-path", "gone-command")
"""What makes a memory useless: it is withheld from digests until it is edited."""


class ProjectRepository(NamedTuple):
    """The repository of the knowledge base's own project, and the project's name in small."""

    repository: Repository
    project: str

    def is_named_by(self, scope: str) -> bool:
        """Whether what holds in a scope holds here."""
        return scope.casefold() in (self.project, GLOBAL_SCOPE)


def project_repository(kb: KnowledgeBase) -> ProjectRepository | None:
    """Return the repository that memories of the project speak of, None where there is none."""
    try:
        folder = kb.agent_folder
    except ExportError:  # a bare repository: there are no files
        return None
    repository = find_repository(folder) if folder.is_dir() else None
    if repository is None:
        return None
    return ProjectRepository(repository, current_project(kb, repository.top).casefold())


def broken_memories(
    kb: KnowledgeBase, memories: Sequence[Memory], *, everywhere: bool = False
) -> dict[str, tuple[Broken, ...]]:
    """Return by memory id what it names and the repository has no longer, or never had.

    Only memories of the knowledge base's own project are asked about, and with `everywhere` those
    that hold in every project: of other projects nothing is known.
    """
    place = project_repository(kb)
    if place is None:
        return {}
    here = place.project
    scopes = {here, GLOBAL_SCOPE} if everywhere else {here} - {GLOBAL_SCOPE}
    # Without a thing to look for, no git is started.
    named = (one for one in memories if one.paths or references(one.text))
    own = [one for one in named if one.scope.casefold() in scopes]
    if not own or place.repository.tip("HEAD") is None:
        return {}
    now = Moment(place.repository)
    found = {
        one.id: tuple(Claims(now, one.text, one.paths, one.created_at).broken()) for one in own
    }
    return {memory_id: broken for memory_id, broken in found.items() if broken}


def faults(
    kb: KnowledgeBase, memories: Sequence[Memory], *, everywhere: bool = False
) -> dict[str, list[Fault]]:
    """Return the same as the extension point `memory_faults` has it."""
    return {
        memory_id: [Fault(one.name, one.message, one.rule in GONE) for one in broken]
        for memory_id, broken in broken_memories(kb, memories, everywhere=everywhere).items()
    }


def findings(kb: KnowledgeBase, memories: Mapping[str, Memory]) -> Iterator[Finding]:
    """Yield by path what memories name and the repository lacks, and checks that do not hold."""
    # What switches checks takes a third of the start of an export, which asks for `faults` alone.
    from calmkb.wings.proof.enforce.checks import parse_check
    from calmkb.wings.proof.verbs.enforce.switch import unheld

    for identity, why in unheld(kb):
        path = next(
            (at for at, one in memories.items() if one.id == identity), f"{kb.prefix}/memories"
        )
        yield Finding(path, 1, "not-enforced", f"memory {identity[:8]} is not enforced: {why}")
    broken = broken_memories(kb, list(memories.values()), everywhere=True)
    for path, memory in memories.items():
        for one in broken.get(memory.id, ()):
            fix = f"calmkb memory edit {memory.id[:8]}, or calmkb memory retire {memory.id[:8]}"
            yield Finding(path, 1, "outdated-memory", f"{one.message}: {fix}")
        for line in memory.checks:
            try:
                parse_check(line)
            except RecordError as error:
                yield Finding(path, 1, "unreadable-check", str(error))


@dataclass(frozen=True)
class Claims:
    """The words and globs of a memory or a proposal, written at a time, and a repository now."""

    now: Moment
    text: str
    paths: Sequence[str]
    written: datetime

    def broken(self) -> Iterator[Broken]:
        """Yield what is named and is no longer there, or never was."""
        tree = self.now.tree
        for glob in self.paths:
            if tree.find(glob) is None:
                yield Broken(glob, "gone-path", f"holds for `{glob}`, which matches no file")
        states = judge(references(self.text), tree)
        for one, state in states.items():
            if state != "held" and not is_past(self._line(one)):
                yield from self._verdict(one)

    def _verdict(self, one: Reference) -> Iterator[Broken]:
        if one.kind in ("path", "link") and not one.symbol:
            if removal_of(self.now.repository, one.value.rstrip("/"), self.now.head):
                yield from filter(None, [broken_path(self.now, one, one.value.rstrip("/"), "")])
            elif is_surely_meant(self.now.tree, one, self._line(one), lambda _: False):
                yield Broken(one.value, "unknown-path", f"names `{one.value}`, which is not here")
        elif self._then and judge([one], self._then)[one] == "held":
            rule = "gone-command" if one.kind == "command" else "gone-name"
            yield Broken(one.shown, rule, f"names `{one.shown}`, which is gone since then")

    @cached_property
    def _then(self) -> Tree | None:
        """The repository when it was written, None where it was none yet."""
        before = f"--before={int(self.written.timestamp())}"
        commit = self.now.repository.git.ask("rev-list", "-1", before, "HEAD")
        return Tree(CommitFiles(self.now.repository, commit)) if commit else None

    def _line(self, one: Reference) -> str:
        return self.text.split("\n")[one.line - 1]
