"""The journal's work tree, the notes in the git directory, and what calmkb keeps there."""

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.uninit.base import Step
from calmkb.store.git.journal_branch import (
    detach_journal,
    forget_place,
    note_place,
    uncommitted_record,
)
from calmkb.store.git.repository import Repository, shared_git_dir
from calmkb.store.git.temporary_refs import refs_below
from calmkb.system.journal_place import (
    JOURNAL_BRANCH,
    NOWHERE,
    SHARED_REF,
    WORK_TREE,
    is_checked_out,
    noted_place,
)

_REFS = "refs/calmkb/"


def journal_steps(code: Repository, home: Path) -> Iterator[Step]:
    """Yield what takes the journal's place out of the repository of the code."""
    shared = shared_git_dir(code)
    if is_checked_out(shared / WORK_TREE):
        yield Step(f"remove  {shared / WORK_TREE}, its work tree", partial(detach_journal, shared))
    elif noted_place(shared, home):
        yield Step("forget  where the journal is", partial(forget_place, shared, home))
    section = f"branch.{JOURNAL_BRANCH}"
    if code.git.ask("config", "--local", "--get", f"{section}.remote"):
        yield Step(f"remove  {section} from git's settings", partial(_drop_section, code, section))
    for folder in dict.fromkeys((shared / "calmkb", code.git_dir / "calmkb")):
        if not folder.is_dir():
            continue
        if waiting := uncommitted_record(folder.parent):
            yield Step(f"keep    {waiting}: a record in no commit; see: calmkb agents doctor")
        else:
            yield Step(f"remove  {folder}, with caches and notes", partial(_clear, folder))
    if refs_below(code.git, _REFS):
        yield Step("remove  refs that follow proposals", partial(_drop_refs, code))
    if code.git.ask("rev-parse", "-q", "--verify", SHARED_REF):
        words = f"note    that this clone uses no {JOURNAL_BRANCH}, which origin has"
        yield Step(words, partial(note_place, shared, home, NOWHERE))


def where_records_are(kb: KnowledgeBase, code: Repository) -> list[str]:
    """Return in lines where the records are, and what would remove them for good."""
    if kb.root == shared_git_dir(code) / WORK_TREE:
        lines = [
            f"The records are on the branch {JOURNAL_BRANCH}. To remove them too: "
            f"git branch -D {JOURNAL_BRANCH}"
        ]
        if code.git.ask("rev-parse", "-q", "--verify", SHARED_REF):
            lines.append(f"and where it is shared: git push origin --delete {JOURNAL_BRANCH}")
        return lines
    return [f"The records are in {kb.journal}."]


def _drop_section(code: Repository, section: str) -> None:
    code.git.config("--local", "--remove-section", section)


def _clear(folder: Path) -> None:
    """Remove a folder of ours, unless a record lies there that is in no commit."""
    if uncommitted_record(folder.parent) is None and not folder.is_symlink():
        shutil.rmtree(folder, ignore_errors=True)


def _drop_refs(code: Repository) -> None:
    for name in refs_below(code.git, _REFS):
        code.git.update_ref("-d", name)
