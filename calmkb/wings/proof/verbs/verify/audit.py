"""What instruction files of a repository say of paths, commands and names that are not there.

A reference counts as broken where it held when its line was written and does not any more: that
is what git knows. What never held is reported only where it can hardly be meant otherwise.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from calmkb.documents.findings import Finding
from calmkb.errors import NotFoundError
from calmkb.export.block import without_block
from calmkb.store.git.named_commits import LineOrigin, line_origins
from calmkb.store.git.repository import Repository, find_repository
from calmkb.store.git.trees import named
from calmkb.wings.proof.anchors.git_files import CommitFiles, folder_of
from calmkb.wings.proof.anchors.judge import State, judge
from calmkb.wings.proof.anchors.references import Reference, references
from calmkb.wings.proof.anchors.tree import Tree
from calmkb.wings.proof.verbs.verify.broken import broken_path, is_past, is_surely_meant
from calmkb.wings.proof.verbs.verify.files import asked_files, instruction_files
from calmkb.wings.proof.verbs.verify.fixes import renamed
from calmkb.wings.proof.verbs.verify.moment import Moment


@dataclass(frozen=True, slots=True)
class Audit:
    """What was looked at, and what is wrong with it."""

    files: tuple[str, ...]
    references: int
    findings: tuple[Finding, ...]


def audit(folder: Path, names: Sequence[str] = (), *, at: str = "", since: str = "") -> Audit:
    """Return what instruction files say that is not so; nothing is written.

    `names` are files, from `folder`; without any, those that agents read by themselves. `at` is a
    commit to look at in place of the work tree, and only what has been broken since the commit
    `since` is reported. NotFoundError where there is no such file or commit, or no repository.
    """
    repository = find_repository(folder)
    if repository is None:
        raise NotFoundError(f"{folder} is in no git repository; go into one, or git init")
    now = Moment(repository, _commit(repository, at) if at else "")
    chosen = asked_files(now, folder, names) if names else instruction_files(now)
    found: list[Finding] = []
    count = 0
    for path, text in now.tree.source.read(chosen).items():
        document = Document(now, path, without_block(text))
        count += len(document.references)
        found += document.findings()
    if since:
        found = _only_new(found, audit(folder, chosen, at=since) if chosen else None)
    return Audit(tuple(chosen), count, tuple(found))


def _only_new(found: list[Finding], before: Audit | None) -> list[Finding]:
    old = {(one.path, one.rule, one.message) for one in before.findings} if before else set()
    return [one for one in found if (one.path, one.rule, one.message) not in old]


def _commit(repository: Repository, name: str) -> str:
    found = named(repository, name)
    if not found:
        raise NotFoundError(f"{name} is not a commit of {repository.top}; git log shows them")
    return found


@dataclass
class Document:
    """One file, and what it says of the repository at one moment."""

    now: Moment
    path: str
    text: str
    then: dict[str, Tree] = field(default_factory=dict)

    @cached_property
    def references(self) -> list[Reference]:
        """What the file refers to."""
        return references(self.text)

    def findings(self) -> Iterator[Finding]:
        """Yield what is wrong, in the order of the lines."""
        states = judge(self.references, self.now.tree, folder_of(self.path))
        lines = self.text.split("\n")
        for one, state in states.items():
            line = lines[one.line - 1] if one.line <= len(lines) else ""
            if is_past(line) or (state == "held" and not self._is_elsewhere(one)):
                continue
            origin = self._origin(one, line)
            if origin and self._held_then(one, origin, state):
                yield self._broken(one, origin)
            elif state == "missing" and is_surely_meant(self.now.tree, one, line):
                yield self._never_there(one)

    def _origin(self, one: Reference, line: str) -> LineOrigin | None:
        """Return where the line is from; an edit that is not committed has no commit yet."""
        origins = self._origins
        if one.line <= len(origins) and origins[one.line - 1].text == line:
            return origins[one.line - 1]
        return next((origin for origin in origins if line.strip() and origin.text == line), None)

    @cached_property
    def _origins(self) -> list[LineOrigin]:
        return line_origins(self.now.repository, self.path, self.now.head)

    def _is_elsewhere(self, one: Reference) -> bool:
        """Whether a path is not where the text says, and something else has a name like it."""
        if one.kind not in ("path", "link") or "*" in one.value:
            return False
        return self.now.tree.at(one.value, folder_of(self.path)) is None

    def _held_then(self, one: Reference, origin: LineOrigin, state: State) -> bool:
        """Whether it held when its line was written, and does not any more.

        Where something has a name like it now, it must have been at just that path then.
        """
        commit, folder = origin.commit, folder_of(origin.path)
        tree = self.then.setdefault(commit, Tree(CommitFiles(self.now.repository, commit)))
        if state == "held":
            return tree.at(one.value, folder) is not None
        return judge([one], tree, folder)[one] == "held"

    def _broken(self, one: Reference, origin: LineOrigin) -> Finding:
        written = f"when this line was written ({origin.commit[:8]})"
        if one.kind == "command":
            near = get_close_matches(one.value, self.now.tree.targets.get(one.tool, ()), n=1)
            hint = f"; did it become {near[0]}?" if near else ""
            message = f"`{one.shown}` has no such target any more; it had {written}{hint}"
            return self._finding(one, "gone-command", message)
        if one.kind == "name":
            message = f"`{one.shown}` occurs in no code any more; it did {written}"
            return self._finding(one, "gone-name", message)
        then = self.then[origin.commit].find(one.value, folder_of(origin.path)) or one.value
        if one.symbol and self.now.tree.find(one.value, folder_of(self.path)):
            message = f"`{one.value}` no longer holds `{one.symbol}`; it did {written}"
            return self._finding(one, "gone-name", message)
        broken = broken_path(self.now, one, then, written)
        new = renamed(one.value, then, broken.moved_to, folder_of(self.path))
        fix = (one.value, new) if new else None
        return replace(self._finding(one, broken.rule, broken.message), fix=fix)

    def _never_there(self, one: Reference) -> Finding:
        near = get_close_matches(one.value, self._candidates(one), n=1, cutoff=0.7)
        hint = f"; is {near[0]} meant?" if near else ""
        rule = {"link": "broken-link", "command": "unknown-command"}.get(one.kind, "unknown-path")
        what = "links to" if one.kind == "link" else "names"
        return self._finding(one, rule, f"{what} `{one.shown}`, which is not here{hint}")

    def _candidates(self, one: Reference) -> Iterable[str]:
        if one.kind == "command":
            return self.now.tree.targets.get(one.tool, ())
        return self.now.tree.files

    def _finding(self, one: Reference, rule: str, message: str) -> Finding:
        return Finding(self.path, one.line, rule, message)
