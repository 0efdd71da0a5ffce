"""What instruction files of a repository say of paths, commands and names that are not there.

A reference counts as broken where it held when its line was written and does not any more: that
is what git knows. What never held is reported only where it can hardly be meant otherwise.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from posixpath import dirname, normpath

from calmkb.documents.findings import Finding
from calmkb.errors import NotFoundError
from calmkb.store.git.named_commits import LineOrigin, line_origins
from calmkb.store.git.repository import find_repository, is_shallow
from calmkb.wings.proof.anchors.git_files import CommitFiles, Moment, commit_of, defined, removed
from calmkb.wings.proof.anchors.references import Reference, references
from calmkb.wings.proof.anchors.tree import State, Tree, judge, places_of
from calmkb.wings.proof.verbs.verify import broken, files
from calmkb.wings.proof.verbs.verify.fixes import renamed

_PLAN = re.compile(r"(?i)(?<![a-z])(?:backlog|plan|roadmap|todo)(?![a-z])[^/]*\Z")  # to be made
_DOCUMENT = re.compile(r"/.*|[^/]+\.(?:md|txt|csv|log|json|css)")
"""A name that any folder may have: `summary.md` means one beside the text, `/api` at the top."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What was looked at, what is wrong with it, and what could not be read.

    `passed_on` are skills and templates of other projects, left out. In a shallow clone nobody
    knows what held when a line was written.
    """

    files: tuple[str, ...]
    references: int
    findings: tuple[Finding, ...]
    unread: tuple[str, ...] = ()
    is_shallow: bool = False
    passed_on: tuple[str, ...] = ()


def audit(folder: Path, names: Sequence[str] = (), *, at: str = "", since: str = "") -> Audit:
    """Return what instruction files say that is not so; nothing is written.

    `names` are files, from `folder`; without any, those that agents read by themselves, but for
    skills of other projects. `at` is a commit to look at, not the work tree; only what has been
    broken since the commit `since` is told. NotFoundError for no such file, commit or repository.
    """
    repository = find_repository(folder)
    if repository is None:
        raise NotFoundError(f"{folder} is in no git repository; go into one, or git init")
    now = Moment(repository, commit_of(repository, at) if at else "")
    chosen = files.asked_files(now, folder, names) if names else files.instruction_files(now)
    then: dict[str, Tree] = {}
    texts = {path: files.without_ours(t) for path, t in now.tree.source.read(chosen).items()}
    runs = now.tree.source.read(sorted(p for p in now.tree.files if p.endswith("akefile")))
    filled = broken.filled((*texts.values(), *runs.values()))
    documents = [Document(now, *one, then, bool(names), filled) for one in texts.items()]
    every = (one for document in documents for one in document.references)
    now.tree.words(one.value for one in every if one.kind == "name")  # all at once
    found = [one for document in documents for one in document.findings()]
    passed_on = tuple(document.path for document in documents if document.is_passed_on)
    own = tuple(path for path in chosen if path not in passed_on)
    if since and own:
        before = audit(folder, own, at=since).findings
        old = {(one.path, one.rule, one.message) for one in before}
        found = [one for one in found if (one.path, one.rule, one.message) not in old]
    count = sum(len(document.references) for document in documents if document.path in own)
    unread, shallow = tuple(now.tree.source.unread), is_shallow(repository)
    return Audit(own, count, tuple(found), unread, shallow, passed_on)


@dataclass
class Document:
    """One file, and what it says of the repository at one moment."""

    now: Moment
    path: str
    text: str
    then: dict[str, Tree] = field(default_factory=dict)
    is_asked: bool = False
    filled: Set[str] = frozenset()
    is_passed_on: bool = False
    """Whether it is of other projects, and nobody asked for it: known once it was read."""

    @cached_property
    def references(self) -> list[Reference]:
        """What the file refers to, but for names of what was, and a skill's own words."""
        found, skill = references(self.text), files.SKILL.search(self.path)
        if skill or broken.MIGRATION.search(PurePosixPath(self.path).name):
            found = [one for one in found if one.kind != "name"]
        return [one for one in found if not (skill and broken.PLAIN_WORD.fullmatch(one.value))]

    @cached_property
    def folder(self) -> str:
        """The folder that its paths may be from: for `web/.cursor/rules/a.mdc` it is `web`."""
        return re.split(r"(?:^|/)\.", dirname(self.path))[0]

    def findings(self) -> Iterator[Finding]:
        """Yield what is wrong, in the order of the lines."""
        lines = self.text.split("\n")
        past = broken.past_lines(lines)
        states = judge(self.references, self.now.tree, dirname(self.path))
        suspects = {
            one: self._origin(one, lines[one.line - 1])
            for one, state in states.items()
            if one.line <= len(lines) and one.line not in past
            and not broken.is_past(lines[one.line - 1], one.value)
            and (state == "missing" or self._is_elsewhere(one, state))
        }  # fmt: skip
        held = self._held_then(suspects, states)
        absent = {one for one in suspects if states[one] == "missing"} - held
        passed = files.is_passed_on(self.now, self.path, states, absent, bool(held))
        if passed and not self.is_asked:
            self.is_passed_on = True
            return
        places = list(broken.places(lines))
        never = {one for one in absent if self._never(one, lines, places[one.line - 1])}
        # Several rows of what never was are of something else: a package's contents, a plan.
        rows = {one.line for one in never if one.kind == "path"}
        elsewhere = broken.OTHER_REPOSITORY.search(self.text)
        for one, origin in suspects.items():
            line = broken.sentence(lines, one.line)
            if origin and one in held:
                about = broken.OTHER_REPOSITORY.search(f"{places[one.line - 1][0]} {line}")
                unmeant = broken.is_unmeant(one, line) or (
                    elsewhere if one.kind == "name" else about
                )
                if not (unmeant or normpath(one.value) in self.filled):
                    yield from self._broken(one, origin)
            elif one in never and (
                one.kind != "path" or rows.isdisjoint((one.line - 1, one.line + 1))
            ):
                yield self._never_there(one)

    def _never(self, one: Reference, lines: Sequence[str], place: tuple[str, bool]) -> bool:
        """Whether what never was there can hardly be an example, as a skill's fences have."""
        heading, in_fence = place
        is_fenced = one.kind != "link" and (in_fence or "`" not in lines[one.line - 1])
        # What a program is given, or what a drawing is made of, may be an example too.
        own = rf"(?:^\W*|(?:[`(]|\bpython3? )[./]*){re.escape(one.value)}"
        is_given = one.kind == "path" and not re.search(own, lines[one.line - 1])
        if is_given or _PLAN.search(self.path) or (is_fenced and files.SKILL.search(self.path)):
            return False
        line = broken.sentence(lines, one.line)
        words = f"{heading} {line}" if one.kind == "path" else line  # "Add a page": to be made
        return broken.is_surely_meant(
            self.now.tree, one, words, lambda place: place in self._removed, self.folder
        )

    @cached_property
    def _removed(self) -> Set[str]:
        """Which files that it names any commit removed."""
        paths = (one.value for one in self.references if one.kind == "path")
        every = (place for path in paths for place in places_of(path, self.folder))
        return removed(self.now.repository, every)

    def _origin(self, one: Reference, line: str) -> LineOrigin | None:
        """Return where the line is from; an edit that is not committed has no commit yet."""
        nearest = [*self._origins[one.line - 1 : one.line], *self._origins]
        return next((origin for origin in nearest if line.strip() and origin.text == line), None)

    @cached_property
    def _origins(self) -> list[LineOrigin]:
        return line_origins(self.now.repository, self.path, self.now.head)

    def _is_elsewhere(self, one: Reference, state: State) -> bool:
        """Whether a path is not where the text says, and something else has a name like it.

        A bare name is first of all one beside the text: `web/AGENTS.md` means `web/README.md`. Of
        a command, whether no file declares any of its runner, which says nothing by itself.
        """
        if one.kind not in ("path", "link") or "*" in one.value:
            return one.kind == "command" and state == "unknown"
        folder, name = dirname(self.path), one.value.strip("./")
        place = self.now.tree.at(one.value, folder) or self.now.tree.at(one.value, self.folder)
        return place is None or bool(folder and "/" not in name and place == name)

    def _held_then(
        self, suspects: Mapping[Reference, LineOrigin | None], states: Mapping[Reference, State]
    ) -> set[Reference]:
        """Return what held when its line was written, and does not any more.

        Where something has a name like it now, it was at just that path then. A name was defined:
        what code only uses may be a library's, and what is beside a name that never was a sample.
        """
        held = set()
        asked: dict[tuple[str, str], list[Reference]] = {}
        for one, origin in suspects.items():
            if origin:
                asked.setdefault((origin.commit, dirname(origin.path)), []).append(one)
        for (commit, folder), some in asked.items():
            commit_files = CommitFiles(self.now.repository, commit)
            tree = self.then.setdefault(commit, Tree(commit_files))
            own = defined(commit_files, (one.value for one in some if one.kind == "name"))
            judged = judge(some, tree, folder)
            samples = {a.line for a in judged if a.kind == "name" and judged[a] == "missing"}
            for one, state in judged.items():
                if one.kind == "name" and (one.value not in own or one.line in samples):
                    continue
                there = tree.at(one.value, folder)
                if states[one] == "held":
                    is_gone = there is not None and not self.now.tree.at(there)
                else:
                    found = tree.find(one.value, folder) if one.kind in ("path", "link") else ""
                    another = files.OF_OTHERS.search(found or "") or _DOCUMENT.fullmatch(one.value)
                    role = broken.PLAIN_WORD.fullmatch(one.value) and len(tree.named(one.value)) > 1
                    was = state == "held" or (found and not self.now.tree.find(one.value))
                    is_gone = bool(was and (there or not (another or role)))
                if is_gone and not broken.is_output(tree, one.value, folder):
                    held.add(one)
        return held

    def _broken(self, one: Reference, origin: LineOrigin) -> Iterator[Finding]:
        written = f"when this line was written ({origin.commit[:8]})"
        here = dirname(self.path)
        if one.kind == "command":
            message = f"`{one.shown}` has no such target any more; it had {written}"
            yield Finding(self.path, one.line, "gone-command", message)
        elif one.kind == "name":
            message = f"`{one.shown}` occurs in no code any more; it did {written}"
            yield Finding(self.path, one.line, "gone-name", message)
        elif one.symbol and self.now.tree.find(one.value, here):
            message = f"`{one.value}` no longer holds `{one.symbol}`; it did {written}"
            yield Finding(self.path, one.line, "gone-name", message)
        else:
            then = self.then[origin.commit].find(one.value, dirname(origin.path)) or one.value
            gone = broken.broken_path(self.now, one, then, written)
            if gone and not broken.is_right(self.now, one, gone.moved_to, self.path, self.text):
                found = Finding(self.path, one.line, gone.rule, gone.message)
                new = renamed(one.value, then, gone.moved_to, here)
                yield replace(found, fix=(one.value, new) if new else None)

    def _never_there(self, one: Reference) -> Finding:
        rule = {"link": "broken-link", "command": "unknown-command"}.get(one.kind, "unknown-path")
        what = "links to" if one.kind == "link" else "names"
        return Finding(self.path, one.line, rule, f"{what} `{one.shown}`, which is not here")
