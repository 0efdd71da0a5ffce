"""The anchors of memories: found in the words of an approved one, and held against the code."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from calmkb.documents.findings import Finding
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import read_memories
from calmkb.model import GLOBAL_SCOPE, Memory, Proposal
from calmkb.model.memories.enforcement import NamedState
from calmkb.store.git.repository import find_repository
from calmkb.store.git.trees import named
from calmkb.wings.proof.anchors.anchor import Anchor, parse_anchor, part_of, state_since
from calmkb.wings.proof.anchors.git_files import CommitFiles, Moment, batch, removal_of
from calmkb.wings.proof.anchors.references import Reference, references, settings_named
from calmkb.wings.proof.anchors.runners import declared, is_task_file
from calmkb.wings.proof.anchors.settings import keys_ending, settings_in
from calmkb.wings.proof.anchors.tree import Tree
from calmkb.wings.proof.verbs.verify.memories import Claims, ProjectRepository, project_repository

_GONE = "names what is gone"
_MOST = 12  # anchors of a memory: one that names more speaks of none of them


@dataclass(frozen=True, slots=True)
class AnchorState:
    """An anchor today: held, moved, changed or gone; `words` say how, `path` and `line` where."""

    anchor: Anchor
    state: str
    words: str = ""
    path: str = ""
    line: int = 1


@dataclass(frozen=True, slots=True)
class VerifiedMemories:
    """What was held against the code, and what is wrong with it."""

    memories: int
    anchors: int
    findings: tuple[Finding, ...]


def with_anchors(kb: KnowledgeBase, memory: Memory) -> Memory:
    """Return the memory with what it speaks of in the project's repository as it is committed."""
    place = project_repository(kb)
    files = _committed(place) if place and place.is_named_by(memory.scope) else None
    found = _found(files, memory.text) if files else []
    return replace(memory, anchors=tuple(one.line for one in found))


def with_names(kb: KnowledgeBase, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return proposals with what each speaks of, as a person would write it, and what is gone.

    One that speaks of nothing but what is gone is held back.
    """
    place = project_repository(kb)
    files = _committed(place) if place else None
    if place is None or files is None:
        return list(proposals)
    now = Moment(place.repository)
    return [_named(files, now, one) if place.is_named_by(one.scope) else one for one in proposals]


def _named(files: CommitFiles, now: Moment, one: Proposal) -> Proposal:
    anchors = tuple(anchor.value for anchor in _found(files, one.text))
    day = max((evidence.date for evidence in one.evidence), default="") or "9999-12-31"
    written = datetime.fromisoformat(f"{day}T23:59:59Z")
    broken = list(Claims(now, one.text, one.paths, written).broken())
    words = "; ".join(each.message for each in broken)
    is_gone = not anchors and any(each.rule.startswith("gone-") for each in broken)
    return replace(one, anchors=anchors, outdated=words, held=_GONE if is_gone else one.held)


def _committed(place: ProjectRepository) -> CommitFiles | None:
    commit = named(place.repository, "HEAD")
    return CommitFiles(place.repository, commit) if commit else None


def _found(files: CommitFiles, text: str) -> list[Anchor]:
    """Return the anchors in a text: files, definitions and targets that a commit has."""
    tree, found = Tree(files), dict[str, str]()
    for one in (*references(text), *settings_named(text)):
        value, path = place_of(tree, one)
        if path:
            found.setdefault(value, path)
    blobs = {path: entry.partition(" ")[2] for path, entry in files.entries.items()}
    return [Anchor(v, p, blobs[p]) for v, p in found.items() if p in blobs][:_MOST]


def place_of(tree: Tree, one: Reference) -> tuple[str, str]:
    """Return how an anchor names a reference, and the file that holds it; "" where none does."""
    if one.kind == "command":
        files = [path for path in sorted(tree.files) if is_task_file(path)]
        for path, text in tree.source.read(files).items():
            if one.value in declared({path: text}).get(one.tool, ()):
                return one.shown, path
    elif one.kind in ("path", "link") and "*" not in one.value:
        path = tree.find(one.value) or ""
        if path in tree.files:
            text = tree.source.read([path]).get(path, "")
            # By its full key: another of the same end may be added later.
            keys = keys_ending(settings_in(path, text) or (), one.symbol)
            symbol = keys[0] if len(keys) == 1 else one.symbol
            value = f"{path}:{symbol}" if symbol else path
            held = not one.symbol or part_of(Anchor(value, path, ""), text) is not None
            return value, path if held else ""
    return "", ""


def anchor_states(
    kb: KnowledgeBase, memories: Sequence[Memory], *, at: str = ""
) -> dict[str, list[AnchorState]]:
    """Return by memory id the state of its anchors in the work tree, or in the commit `at`.

    A memory that holds everywhere may have been approved beside another repository: of its anchors
    those count alone whose blob this one has.
    """
    place = project_repository(kb)
    if place is None:
        return {}
    own = [one for one in memories if one.anchors and place.is_named_by(one.scope)]
    now = Moment(place.repository, at)
    parsed = {m.id: [a for line in m.anchors if (a := parse_anchor(line))] for m in own}
    every = [anchor for found in parsed.values() for anchor in found]
    then = dict(batch(place.repository, {one.blob: one.blob for one in every}))
    for memory in own:
        if memory.scope == GLOBAL_SCOPE:
            parsed[memory.id] = [one for one in parsed[memory.id] if one.blob in then]
    here = now.tree.source.read({one.path for one in every if one.path in now.tree.files})
    look = _Look(now, then, here)
    return {memory_id: [look.state(one) for one in found] for memory_id, found in parsed.items()}


@dataclass(frozen=True, slots=True)
class _Look:
    now: Moment
    then: Mapping[str, str]
    here: Mapping[str, str]

    def state(self, anchor: Anchor) -> AnchorState:
        """Return the state of one anchor; a file that moved is followed."""
        text = self.here.get(anchor.path)
        if text is None and anchor.path in self.now.tree.files:
            return AnchorState(anchor, "held", path=anchor.path)  # too large to be read
        if text is None:
            return self._missing(anchor)
        state, difference = state_since(anchor, self.then.get(anchor.blob), text)
        if state == "gone":
            words = f"`{anchor.value}` is gone from {anchor.path} since it was approved"
            return AnchorState(anchor, "gone", words, anchor.path)
        if state == "held":
            return AnchorState(anchor, "held", path=anchor.path)
        words = f"`{anchor.value}` has changed since it was approved:\n{difference}"
        part = part_of(anchor, text) or ""
        line = text.count("\n", 0, max(0, text.find(part))) + 1
        return AnchorState(anchor, "changed", words, anchor.path, line)

    def _missing(self, anchor: Anchor) -> AnchorState:
        removed = removal_of(self.now.repository, anchor.path, self.now.head)
        if removed and removed.moved_to in self.now.tree.files:
            words = f"`{anchor.path}` is now `{removed.moved_to}`"
            return AnchorState(anchor, "moved", words, removed.moved_to)
        return AnchorState(anchor, "gone", f"`{anchor.path}` is gone since it was approved")


def named_states(kb: KnowledgeBase, memories: Sequence[Memory]) -> dict[str, list[NamedState]]:
    """Return the same of the work tree as the extension point `names_of` has it."""
    return {
        key: [NamedState(one.anchor.value, one.state, one.words) for one in found]
        for key, found in anchor_states(kb, memories).items()
    }


def verified(kb: KnowledgeBase, *, at: str = "", since: str = "") -> VerifiedMemories | None:
    """Return the findings on memories of the project here; None where there are none of it.

    A memory that another replaces is left out.
    """
    place = project_repository(kb)
    here = find_repository(kb.environment.cwd)
    if place is None or here is None or place.repository.top != here.top:
        return None
    memories = read_memories(kb)
    replaced = {memory.supersedes for memory in memories}
    own = [one for one in memories if one.anchors and one.id not in replaced]
    found = tuple(anchor_findings(kb, own, at=at, since=since))
    return VerifiedMemories(len(own), sum(len(one.anchors) for one in own), found)


def anchor_findings(
    kb: KnowledgeBase, memories: Sequence[Memory], *, at: str = "", since: str = ""
) -> Iterator[Finding]:
    """Yield where the code does not hold what a memory speaks of, on the file that broke it.

    With `since`, only what was not so in that commit.
    """
    before = anchor_states(kb, memories, at=since) if since else {}
    texts = {memory.id: memory.text.split("\n", 1)[0] for memory in memories}
    for memory_id, found in anchor_states(kb, memories, at=at).items():
        known = {one.anchor: one.state for one in before.get(memory_id, ())}
        for one in found:
            if one.state != "held" and known.get(one.anchor, "held") != one.state:
                yield _finding(memory_id, texts[memory_id], one)


def _finding(memory_id: str, text: str, one: AnchorState) -> Finding:
    name = memory_id[:8]
    fix = f"calmkb memory edit {name}"
    if one.state == "moved":
        new = text.replace(one.anchor.path, one.path)
        fix = f"calmkb memory edit {name} --text {new!r}" if new != text else fix
    otherwise = "" if one.state == "moved" else f", or calmkb memory retire {name}"
    rule = {"moved": "moved-anchor", "changed": "changed-anchor"}.get(one.state, "gone-anchor")
    sentence = f"memory {name} says \u201c{text}\u201d, and {one.words}"
    message = f"{sentence}\nIf it is not so any more: {fix}{otherwise}"
    return Finding(one.path or one.anchor.path, one.line, rule, message)
