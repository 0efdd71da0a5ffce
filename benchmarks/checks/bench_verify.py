"""What `calmkb verify` finds in repositories' histories, and what of planted changes it finds.

`run.py verify REPOSITORY...`: at each commit that changed an instruction file (at most 40 a
repository, evenly spread) all findings are printed, to be judged by a person; then each path,
command and name that an instruction file holds today is renamed or removed, one at a time in a
copy, and the share is counted that is found. Without a repository this project's own is looked at.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from posixpath import dirname

from calmkb.store.git.repository import Repository, find_repository, git_in
from calmkb.wings.proof.anchors.git_files import Moment
from calmkb.wings.proof.anchors.references import Reference, references
from calmkb.wings.proof.anchors.runners import is_task_file
from calmkb.wings.proof.anchors.tree import judge
from calmkb.wings.proof.verbs.verify.audit import Document, audit

_COMMITS = 40
_PLANTS = 60
_SELF = ("README.md", "CONTRIBUTING.md", "docs")


def main() -> None:
    """Print the findings at past commits, then the share of planted changes that is found."""
    folders = [Path(word) for word in sys.argv[2:] if Path(word, ".git").exists()]
    for folder in folders or [Path(__file__).parents[2]]:
        repository = find_repository(folder)
        assert repository is not None
        names = [] if folders else list(_own(repository))
        replay(repository, names)
        plant(repository, names)


def _own(repository: Repository) -> Iterator[str]:
    listed = repository.git.ls_files("--", *_SELF).split("\n")
    yield from (path for path in listed if path.endswith(".md"))


def replay(repository: Repository, names: Sequence[str]) -> None:
    """Print what is told at past commits: each finding once, when it first comes up."""
    pattern = names or [
        "*CLAUDE.md",
        "*AGENTS.md",
        "*GEMINI.md",
        "*.mdc",
        "*copilot-instructions.md",
    ]
    listed = repository.git.log("--format=%H", "--", *pattern).split()
    step = max(1, len(listed) // _COMMITS)
    seen: set[tuple[str, str, str]] = set()
    counts: Counter[str] = Counter()
    looked = 0
    for commit in reversed(listed[::step]):
        tree = Moment(repository, commit).tree
        there = [name for name in names if name in tree.files]
        if names and not there:
            continue
        done = audit(repository.top, there, at=commit)
        looked += done.references
        for one in done.findings:
            key = (one.path, one.rule, re.sub(r"\([0-9a-f]{8}.*", "", one.message))
            if key not in seen:
                seen.add(key)
                counts[one.rule] += 1
                print(f"  {commit[:8]} {one.path}:{one.line} [{one.rule}] {one.message}")
    print(f"{repository.top.name}: {len(listed[::step])} commits, {looked:,} references looked at, "
          f"{len(seen)} findings {dict(counts)}")  # fmt: skip


def plant(repository: Repository, names: Sequence[str]) -> None:
    """Print which share of planted changes is found: one at a time, in a copy."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "copy"
        subprocess.run(["git", "clone", "-q", "--no-hardlinks", repository.top, copy], check=True)
        place = find_repository(copy)
        assert place is not None
        chosen = names or audit(copy).files
        found: Counter[str] = Counter()
        planted: Counter[str] = Counter()
        for path, one in _held(place, chosen):
            if planted[one.kind] >= _PLANTS or not _change(place, path, one):
                continue
            planted[one.kind] += 1
            told = {(f.path, f.line) for f in audit(copy, [path]).findings}
            found[one.kind] += (path, one.line) in told
            if (path, one.line) not in told:
                print(f"  missed: {path}:{one.line} {one.shown}")
            subprocess.run(["git", "reset", "-q", "--hard"], cwd=copy, check=True)
            shutil.rmtree(copy / "planted", ignore_errors=True)
        for kind, count in planted.items():
            print(f"{repository.top.name}: planted {kind} changes found {found[kind]} of {count}")


def _held(repository: Repository, names: Sequence[str]) -> Iterator[tuple[str, Reference]]:
    now = Moment(repository)
    for path, text in now.tree.source.read(names).items():
        document = Document(now, path, text)
        for one, state in judge(references(text), now.tree, dirname(path)).items():
            if state == "held" and "*" not in one.value and document.text:
                yield path, one


def _change(repository: Repository, document: str, one: Reference) -> bool:
    """Move a file away, or rename a target or a name everywhere; False where that cannot be."""
    top = repository.top
    if one.kind in ("path", "link") and not one.symbol:
        tree = Moment(repository).tree
        there = tree.find(one.value, dirname(document))
        if (
            there is None
            or there == "."
            or document.startswith(there)
            or not (top / there).exists()
        ):
            return False
        (top / "planted").mkdir()
        shutil.move(top / there, top / "planted" / "thing.txt")
        return True
    name = one.symbol or one.value
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    listed = git_in(top).ls_files("-z").split("\0")
    files = [p for p in listed if p and not p.endswith((".md", ".mdc", ".mdx", ".rst", ".txt"))]
    if one.kind == "command":
        files = [p for p in files if is_task_file(p)]
    changed = False
    for path in files:
        if not (top / path).is_file() or (top / path).is_symlink():
            continue
        text = (top / path).read_bytes().decode(errors="surrogateescape")
        if word.search(text):
            new = word.sub("planted_x", text)
            (top / path).write_bytes(new.encode(errors="surrogateescape"))
            changed = True
    return changed
