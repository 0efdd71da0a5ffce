"""`init`: a knowledge base's files, made where there are none and never overwritten."""

from dataclasses import dataclass
from pathlib import Path

from calmkb.config import load_config
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase, require_made
from calmkb.kb.project.scaffold import Scaffold
from calmkb.store.commits.commit import Change, commit
from calmkb.store.git.repository import create_repository, find_repository
from calmkb.system.files import disk_told, make_private_folder, write_atomically
from calmkb.system.safe_paths import check_place

_NEW = Scaffold()


@dataclass(frozen=True, slots=True)
class Scaffolded:
    """What `init` did: paths made and kept (from the root), and whether they are committed.

    `pinned` says whether the workflows know which calmkb to install.
    """

    root: Path
    made: tuple[str, ...]
    kept: tuple[str, ...]
    committed: bool
    pinned: bool


def init(root: Path, environment: Environment, scaffold: Scaffold = _NEW) -> Scaffolded:
    """Make `root` a knowledge base; a folder outside any repository becomes one of its own.

    Existing files are kept. In a repository of a person the new files are left for them to commit.
    """
    from calmkb.kb.project.install_source import UNKNOWN, install_command

    with disk_told(f"make {root}"):
        root.mkdir(parents=True, exist_ok=True)
    repository = find_repository(root)
    own = repository is None
    repository = repository or create_repository(root)
    wanted = scaffold.files(root.resolve(), repository.top.resolve())
    new = {path: text for path, text in wanted.items() if not (path.exists() or path.is_symlink())}
    if own:
        paths = {path.relative_to(repository.top.resolve()).as_posix(): text.encode()
                 for path, text in new.items()}  # fmt: skip
        if paths:
            commit(repository, Change(paths, "calmkb: begin a knowledge base", environment.now()))
    else:
        for path in new:
            check_place(path, repository.top)
        for path, text in new.items():
            write_atomically(path, text.encode(), inside=repository.top)
    shown = {path: _shown(path, root.resolve()) for path in wanted}
    made = tuple(shown[path] for path in new)
    kept = tuple(shown[path] for path in wanted if path not in new)
    return Scaffolded(root, made, kept, own, pinned=install_command() != UNKNOWN)


def ensure_kb(kb: KnowledgeBase) -> KnowledgeBase:
    """Return `kb`, made first if it is the one in the state folder and does not exist yet.

    The very first wrap-up works with nothing set up; a folder that was named is
    not made automatically: StoreError says how.
    """
    if kb.root.is_dir():
        return kb
    require_made(kb)
    with disk_told(f"make {kb.root.parent}"):
        make_private_folder(kb.root.parent)
    init(kb.root, kb.environment)
    return KnowledgeBase(kb.root, load_config(kb.root), kb.environment, made=True)


def _shown(path: Path, root: Path) -> str:
    try:
        return path.relative_to(root).as_posix()
    except ValueError:
        return str(path)
