"""Where a journal is begun: in the branch at hand, on a branch of its own, or in a folder beside.

Each place is one function in a table: it makes the knowledge base and returns what was made.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from calmkb.config import find_root
from calmkb.errors import CalmError, StoreError
from calmkb.kb.base.environment import Environment
from calmkb.kb.project.init import Scaffolded, init
from calmkb.kb.project.install_source import UNKNOWN, install_command
from calmkb.kb.project.scaffold import Scaffold, name_of_site
from calmkb.store.commits.changes import Change
from calmkb.store.commits.commit import commit
from calmkb.store.commits.landed import drop_dead_locks, locking_refs
from calmkb.store.commits.signing import open_import
from calmkb.store.git.journal_branch import (
    attach_journal,
    fetch_journal,
    forget_place,
    journal_tip,
    note_place,
)
from calmkb.store.git.repository import Repository, find_repository
from calmkb.system.journal_place import (
    JOURNAL_BRANCH,
    JOURNAL_REF,
    WORK_TREE,
    is_journal_branch,
    journal_of,
    note_file,
)


@dataclass(frozen=True, slots=True)
class InitRequest:
    """Where to begin and with which files; `folder` is the one of `here` and `beside`.

    CalmError where a weekly workflow is asked for on a branch: hosts run schedules of the default
    branch alone.
    """

    place: str = "here"
    folder: Path | None = None
    scaffold: Scaffold = Scaffold()  # noqa: RUF009 - frozen

    def __post_init__(self) -> None:
        if self.place == "branch" and self.scaffold.weekly:
            raise CalmError(
                "--weekly needs the journal on the default branch, where git hosts run schedules; "
                "choose --place here, or --place beside"
            )


def usual_place(environment: Environment) -> str:
    """Return where a journal is begun unless somebody chooses: `branch` beside code, else `here`.

    A knowledge base that is there already stays where it is.
    """
    repository = find_repository(environment.cwd)
    if repository is None or repository.tip("HEAD") is None:
        return "here"
    known = find_root(option=None, env={}, cwd=environment.cwd, home=environment.home)
    if known.is_relative_to(repository.top) and not is_journal_branch(known):
        return "here"
    noted = journal_of(repository.top, environment.home)
    return "beside" if noted and not is_journal_branch(noted) else "branch"


def beside_folder(environment: Environment) -> Path:
    """Return the folder that a journal beside this repository is begun in unless one is named."""
    repository = _repository(environment)
    noted = journal_of(repository.top, environment.home)
    if noted and not is_journal_branch(noted):
        return noted
    return repository.top.with_name(f"{repository.top.name}-journal")


def usual_site_name(environment: Environment, folder: Path | None) -> str:
    """Return the name of the site where nobody gives another: that of the repository or folder."""
    repository = None if folder else find_repository(environment.cwd)
    return name_of_site(
        (repository.top if repository else folder or environment.cwd).resolve().name
    )


def begin(environment: Environment, request: InitRequest) -> Scaffolded:
    """Begin the journal and return what was made; what is there already is kept.

    Raises StoreError where the place cannot be made, CalmError where it makes no sense.
    """
    if request.place != "here":
        _refuse_nearer(environment)
    return PLACES[request.place](environment, request)


def check_share(environment: Environment, request: InitRequest, remote: str) -> None:
    """Raise CalmError where a journal begun as requested could not be pushed to `remote`.

    Asked first, so that a wrong name is met before anything is written.
    """
    root = request.folder or environment.cwd
    if request.place == "beside":
        root = request.folder or beside_folder(environment)
    repository = find_repository(root) if root.is_dir() else None
    if request.place == "here" and repository:
        raise CalmError("the files are for you to commit; do that, then run: calmkb sync")
    names = repository.remotes() if repository else []
    may_add = request.place != "branch" and "origin" not in names
    if remote not in names and not (may_add and set(remote) & set("/:\\")):
        known = f"choose from: {', '.join(names)}" if names else "give an address"
        raise CalmError(f"there is no remote {remote}; {known}")


def shown_plan(environment: Environment, request: InitRequest) -> list[str]:
    """Return in lines what `begin` would write, and where; nothing is written."""
    if request.place == "branch":
        shared = _repository(environment).common_dir
        if journal_tip(shared):
            return [f"check out {JOURNAL_BRANCH}, which has a journal, in {shared / WORK_TREE}"]
        names = request.scaffold.files(shared / WORK_TREE, shared / WORK_TREE)
        listed = ", ".join(path.relative_to(shared / WORK_TREE).as_posix() for path in names)
        return [
            f"make  the branch {JOURNAL_BRANCH} with {listed}",
            f"make  its work tree {shared / WORK_TREE}",
            "      (your work tree, index and other branches stay as they are)",
        ]
    root = (request.folder or environment.cwd).resolve()
    if request.place == "beside":
        root = (request.folder or beside_folder(environment)).resolve()
    around = next(place for place in (root, *root.parents) if place.is_dir())
    repository = find_repository(around)
    top = repository.top.resolve() if repository else root
    lines = [] if repository else [f"make  {root}, a git repository"]
    for path in request.scaffold.files(root, top):
        lines.append(f"{'keep' if path.exists() or path.is_symlink() else 'make'}  {path}")
    if request.place == "beside":
        note = note_file(_repository(environment).common_dir, environment.home)
        lines.append(f"make  {note}, which says where it is")
    return lines


def _refuse_nearer(environment: Environment) -> None:
    """Raise CalmError where settings in the work tree would be found before the journal."""
    repository = _repository(environment)
    known = find_root(option=None, env={}, cwd=repository.top, home=environment.home)
    if known == repository.top:
        raise CalmError(
            f"{known} has its journal in the branch at hand, and its settings would be found "
            "first; delete calmkb.toml there, then begin the other"
        )


def _branch(environment: Environment, request: InitRequest) -> Scaffolded:
    repository = _repository(environment)
    shared = repository.common_dir
    root = shared / WORK_TREE
    drop_dead_locks(repository)  # of an `init` that was killed
    with locking_refs(repository.git_dir):
        fetch_journal(shared)
    made: tuple[str, ...] = ()
    scaffold = replace(
        request.scaffold,
        site_name=request.scaffold.site_name or name_of_site(repository.top.name),
        branch=JOURNAL_BRANCH,
    )
    if journal_tip(shared) is None:
        if repository.git.ask("rev-parse", "-q", "--verify", JOURNAL_REF):
            raise StoreError(
                f"{repository.top} has a branch {JOURNAL_BRANCH} that holds no calmkb.toml; rename "
                "it (git branch -m), or begin the journal with --place here or beside"
            )
        made = _first_commit(repository, scaffold, root, environment)
    attach_journal(shared)
    forget_place(shared, environment.home)
    made += _missing_workflows(root, scaffold, environment)
    return Scaffolded(root, made, (), committed=True, pinned=install_command() != UNKNOWN)


def _first_commit(
    repository: Repository, scaffold: Scaffold, root: Path, environment: Environment
) -> tuple[str, ...]:
    """Make the branch, its first commit without a parent; return the files in it."""
    texts = scaffold.files(root, root)
    files = {path.relative_to(root).as_posix(): text.encode() for path, text in texts.items()}
    change = Change(files, "calmkb: begin a journal", environment.now())
    with open_import(repository, JOURNAL_REF) as running:
        running.begin_at(None)
        running.add(change, repository.identity())
        running.write()
        running.finish()
    return tuple(sorted(files))


def _missing_workflows(root: Path, scaffold: Scaffold, environment: Environment) -> tuple[str, ...]:
    """Commit the workflows that were asked for and are not there; what else is gone is meant."""
    texts = scaffold.files(root, root)
    new = {
        path.relative_to(root).as_posix(): text.encode()
        for path, text in texts.items()
        if path.is_relative_to(root / ".github") and not path.exists()
    }
    repository = find_repository(root)
    if new and repository:
        commit(repository, Change(new, "calmkb: add workflows", environment.now()))
    return tuple(new)


def _beside(environment: Environment, request: InitRequest) -> Scaffolded:
    repository = _repository(environment)
    root = (request.folder or beside_folder(environment)).resolve()
    if root.is_relative_to(repository.top.resolve()):
        raise CalmError(f"{root} is inside {repository.top}; choose --place here, or another path")
    shared = repository.common_dir
    made = init(root, environment, request.scaffold)
    note_place(shared, environment.home, str(root))
    return made


def _repository(environment: Environment) -> Repository:
    repository = find_repository(environment.cwd)
    if repository is None:
        raise CalmError(
            f"{environment.cwd} is in no work tree of a git repository; go into one, or begin the "
            "journal in a folder: calmkb init FOLDER"
        )
    return repository


PLACES: Mapping[str, Callable[[Environment, InitRequest], Scaffolded]] = {
    "branch": _branch,
    "here": lambda at, asked: init(asked.folder or at.cwd, at, asked.scaffold),
    "beside": _beside,
}
