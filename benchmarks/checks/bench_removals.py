"""How many removals `calmkb verify` tells: commits that took away what an instruction file names.

`run.py removals PLACE [SET]`: repositories as for `run.py public`, with their history. A line
counts where a commit removed or renamed a file, folder or target that it names, and left the line
as it was; it is told where `verify` reports the line at that commit. Lines are looked for by words
alone, not by the reader of `verify`. Commits are drawn by a fixed seed, at most 60 and until a
repository has 12 lines; what came back later is left out.

removals_not_meant.tsv has the lines set aside by reading them, told or not, by a rule stated before
the sets from `tenth` on were run. A line is set aside where it is no instruction about the thing:
`history` (a log, a dated row, or it says that the thing is gone or old), `plan` (the thing is to be
made), `example` (named as one, or in code that is no command), `other` (the word means another
file: of the user, of another project, or what the text itself has written).
"""

import random
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from calmkb.store.git.repository import Repository, find_repository
from calmkb.wings.proof.anchors.git_files import Moment, batch, texts_of
from calmkb.wings.proof.anchors.runners import ANY, declared, is_task_file
from calmkb.wings.proof.verbs.verify.audit import audit
from calmkb.wings.proof.verbs.verify.files import instruction_files

from bench_public import interval, rows, work_tree  # isort: skip

_TEXTS = ("*CLAUDE.md", "*AGENTS.md", "*GEMINI.md", "*copilot-instructions.md", "*.mdc",
          "*.instructions.md", "*.claude/*.md", "*SKILL.md")  # fmt: skip
_TASKS = ("*package.json", "*Makefile", "*justfile", "*Justfile", "*mise.toml", "*Taskfile.y*ml")
_WORD = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*/?")
_RUN = re.compile(r"\b(make|just|task|mise run|(?:npm|pnpm|yarn|bun) run) ([\w:.-]+)")
_LINES, _COMMITS = 12, 60
Row = tuple[str, str, int, str, str]


def main() -> None:
    """Print each line that is missed, and the share that is told."""
    place, chosen = sys.argv[2], sys.argv[3:]
    aside = {tuple(row[:4]) for row in rows("removals_not_meant.tsv")}
    told = count = 0
    for group, name, commit in rows("public.tsv"):
        if chosen and group not in chosen:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            top = work_tree(place, name, commit, Path(scratch))
            for row, is_told in replayed(top):
                if (name, row[0][:12], row[1], str(row[2])) in aside:
                    continue
                told, count = told + is_told, count + 1
                if not is_told:
                    print("missed", name, row[0][:12], *row[1:], sep="\t", flush=True)
    print(f"removals told: {told} of {count} {interval(told, count)}")


def replayed(top: Path) -> Iterator[tuple[Row, bool]]:
    """Yield each line that named what a commit took away, and whether it is told."""
    repository = find_repository(top)
    assert repository is not None
    commits = dict(_removals(repository))
    order = sorted(commits)
    random.Random(1).shuffle(order)
    count = 0
    for commit in order[:_COMMITS]:
        if count >= _LINES:
            return
        if wanted := list(_expected(repository, commit, commits[commit]))[:_LINES]:
            found = {(one.path, one.line) for one in audit(top, at=commit).findings}
            count += len(wanted)
            yield from ((row, (row[1], row[2]) in found) for row in wanted)


def _removals(repository: Repository) -> Iterator[tuple[str, set[str]]]:
    """Yield commits with what each removed, of that which instruction files ever named."""
    rows = list(_changes(repository, _TEXTS))
    texts = "\n".join(dict(_blobs(repository, (row[3] for row in rows))).values())
    named, runs = set(_WORD.findall(texts)), {one[1] for one in _RUN.findall(texts)}
    bases = {f"{row[4].rpartition('/')[0]}/" for row in rows}
    now = Moment(repository, "HEAD").tree
    back = now.files | now.folders
    gone: dict[str, set[str]] = {}
    for commit, state, _, _, path in _changes(repository, ()):
        names = {path, *(path.removeprefix(base) for base in bases)}
        lost = {f"{one}/" for one in _above(path) if one not in back}
        lost |= {one.rstrip("/") for one in lost if one.count("/") > 1}
        if path not in back and state == "D" and not named.isdisjoint(names | lost):
            gone.setdefault(commit, set()).add(path)
    tasks = [row for row in _changes(repository, _TASKS) if row[1] != "A" and is_task_file(row[4])]
    held = dict(_blobs(repository, (blob for row in tasks for blob in row[2:4])))
    for commit, _, old, new, path in tasks:
        before, after = (declared({path: held.get(blob, "")}) for blob in (old, new))
        cut = {name for tool, names in before.items() for name in names - after.get(tool, set())
               if ANY not in after.get(tool, ())}  # fmt: skip
        if cut & runs:
            gone.setdefault(commit, set()).update(f"\x02{one}" for one in cut & runs)
    yield from gone.items()


def _changes(repository: Repository, paths: tuple[str, ...]) -> Iterator[list[str]]:
    """Yield commit, kind, old and new object and path of each change; no object is read for it."""
    how = ("--raw", "--no-abbrev", "--no-renames", "--no-merges", "--format=\x01%H")
    for block in repository.git.log(*how, "--", *paths).split("\x01")[1:]:
        commit, _, listed = block.partition("\n")
        for row in filter(None, listed.split("\n")):
            about, path = row.split("\t", 1)
            _, _, old, new, state = about.split(" ")
            yield [commit.strip(), state, old, new, path]


def _blobs(repository: Repository, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    return batch(repository, {name: name for name in names if name.strip("0")})


def _expected(repository: Repository, commit: str, gone: set[str]) -> Iterator[Row]:
    now, before = Moment(repository, commit), Moment(repository, f"{commit}^")
    chosen = instruction_files(now)
    old = texts_of(repository, before.commit, chosen)
    back = Moment(repository, "HEAD").tree.folders
    folders = {folder for path in gone for folder in _above(path)} - now.tree.folders - back
    files = {path for path in gone if path[0] != "\x02"} - now.tree.files
    targets = _targets(before, gone) if any(one[0] == "\x02" for one in gone) else set()
    targets -= {(tool, name) for tool, names in now.tree.targets.items() for name in names}
    for path, text in now.tree.source.read(chosen).items():
        kept = set(old.get(path, "").split("\n"))
        base = path.rpartition("/")[0]
        for number, line in enumerate(text.split("\n"), 1):
            if line in kept and (lost := _lost(line, base, files, folders, targets)):
                yield commit, path, number, lost, line.strip()[:160]


def _lost(line: str, base: str, files: set[str], folders: set[str],
          targets: set[tuple[str, str]]) -> str:  # fmt: skip
    words = set(_WORD.findall(line))
    for path in sorted(files):
        names = {path, path.removeprefix(f"{base}/")}
        if {name for name in names if "/" in name or "." in name} & words:
            return path
    for folder in sorted(folders):
        if f"{folder}/" in words or ("/" in folder and folder in words):
            return f"{folder}/"
    runs = {(run.split()[0], name) for run, name in _RUN.findall(line)}
    named = {
        ("script" if run in ("npm", "pnpm", "yarn", "bun") else run, name) for run, name in runs
    }
    return next((" ".join(one) for one in named & targets), "")


def _targets(before: Moment, gone: set[str]) -> set[tuple[str, str]]:
    """Return the targets of the names that were there before."""
    names = {one[1:] for one in gone if one[0] == "\x02"}
    paths = [path for path in before.tree.files if is_task_file(path)]
    found = declared(before.tree.source.read(paths[:300]))
    return {(tool, name) for tool, some in found.items() for name in some & names}


def _above(path: str) -> Iterator[str]:
    parts = path.split("/")[:-1]
    return ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
