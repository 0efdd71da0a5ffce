"""`init --undo`: digests and hooks out of a repository again; what else is there is named."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shlex import quote

from calmkb.errors import CalmError
from calmkb.export.block import has_block, taken_out
from calmkb.export.targets.table import EXPORTERS
from calmkb.kb.base.agent_folder import project_folder
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.export.files import read_text_file, remove_file
from calmkb.kb.export.plan import PLACES
from calmkb.kb.hooks.toggle import hook_state, switch_off
from calmkb.kb.project.scaffold import Scaffold
from calmkb.store.git.repository import find_repository
from calmkb.system.files import disk_told, write_atomically
from calmkb.system.journal_place import JOURNAL_BRANCH, WORK_TREE, note_file
from calmkb.system.safe_paths import check_place, follow_inside

_IMPORTS = ("@AGENTS.md", "@../AGENTS.md")
"""What an export puts before its block in a CLAUDE.md that it makes."""
_JSON = '"generator": "calmkb"'


@dataclass(frozen=True, slots=True)
class Step:
    """Something to take out, in words, and what does it; nothing to do for what stays."""

    words: str
    act: Callable[[], object] | None = None


def plan_undo(kb: KnowledgeBase) -> list[Step]:
    """Return what would be taken out of the repository that one works in, and what stays there.

    Raises CalmError where no journal belongs to it.
    """
    folder = kb.agent_folder
    if kb.is_personal or find_repository(folder) is None:
        raise CalmError(
            f"no journal belongs to {kb.environment.cwd}; go into the repository that has one"
        )
    kb.catch_up()
    steps = [*_digests(kb, folder), *_hooks(kb.environment), *_rest(kb, folder)]
    return list({step.words: step for step in steps}.values())


def _digests(kb: KnowledgeBase, folder: Path) -> Iterator[Step]:
    """Yield a step for each file with a digest; one that was edited by hand stays."""
    for path, owned in _candidates(kb, folder):
        try:
            real = follow_inside(path, folder)
            text = (read_text_file(real) or b"").decode()
            if path.suffix == ".json" and _JSON in text:
                yield Step(f"remove  {real}", partial(_remove, real, folder))
            elif has_block(text):
                left = taken_out(text, place=str(path))
                if owned or left.strip() in ("", *_IMPORTS):
                    yield Step(f"remove  {real}", partial(_remove, real, folder))
                else:
                    act = partial(write_atomically, real, left.encode(), inside=folder)
                    yield Step(f"restore {real}, without the digest", act)
        except CalmError as error:
            yield Step(f"keep    {path}: {error}")


def _candidates(kb: KnowledgeBase, folder: Path) -> Iterator[tuple[Path, bool]]:
    """Yield the files that an export writes, and whether each is calmkb's own."""
    places = {**PLACES, "project": kb.config.export.file}
    yield from ((folder / name, False) for place, name in places.items() if place != "user")
    for exporter in EXPORTERS.values():
        is_owned = exporter.owned and exporter.file not in exporter.reader.files
        yield folder / exporter.file, bool(is_owned)
        if exporter.owned:
            yield from ((path, True) for path in sorted(folder.glob(exporter.owned)))


def _hooks(environment: Environment) -> Iterator[Step]:
    state, folder = hook_state(environment, project=True), project_folder(environment)
    if state.present or state.status_line:

        def switch() -> None:
            changed = switch_off(environment, project=True)
            if changed.backup:
                _remove(changed.backup, folder)
            if state.path.exists() and state.path.read_text("utf-8").strip() in ("", "{}"):
                _remove(state.path, folder)

        yield Step(f"restore {state.path}, without calmkb's hooks", switch)
    if hook_state(environment).present:
        yield Step("keep    your own hooks, which hold for every project: calmkb agents hooks off")


def _rest(kb: KnowledgeBase, folder: Path) -> Iterator[Step]:
    """Yield what is left, and what would remove it; the records are part of it."""
    shared, root = kb.repository.common_dir, kb.root
    if root == (code := shared / WORK_TREE):
        # Not `worktree remove`, which deletes what git does not show, and fails after a move.
        aside = quote(str(folder.with_name(f"{folder.name}-records")))
        lines = (
            f"keep    the branch {JOURNAL_BRANCH} with the records; to remove it, files kept:",
            f"git worktree unlock {WORK_TREE}", f"mv {quote(str(code))} {aside}",
            f"git worktree prune && git branch -D {JOURNAL_BRANCH}",
            f"git push origin --delete {JOURNAL_BRANCH}   # where it is shared",
        )  # fmt: skip
        yield Step("\n        ".join(lines))
        return
    yield Step(f"keep    the records in {kb.journal}")
    if not root.is_relative_to(folder):
        note = note_file((find_repository(folder) or kb.repository).common_dir, kb.environment.home)
        yield Step(f"keep    the note where they are; to remove it: rm {quote(str(note))}")
        return
    files = Scaffold(checks=True, pages=True, weekly=True).files(root.resolve(), folder.resolve())
    for path in (path for path in files if path.exists()):
        yield Step(f"keep    {path}, which calmkb init made")


def _remove(path: Path, folder: Path) -> None:
    """Remove a file as an export does; StoreError where a link leads out of `folder`."""
    check_place(path, folder)
    with disk_told(f"remove {path}"):
        remove_file(path, folder)
