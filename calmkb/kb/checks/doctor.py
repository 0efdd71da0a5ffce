"""`doctor`: what is wrong on this machine, each with its fix; the records are `check`'s."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from calmkb.capture.formats.cleaning import one_line
from calmkb.config import DEFAULT_ROOT
from calmkb.errors import CalmError
from calmkb.kb.base.approvals import open_requests
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.filtering import filter_notes
from calmkb.kb.base.jobs import failures
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.kb.checks.doctor_agents import Level, Line, agent_lines
from calmkb.kb.journal.background import writing_faults, writing_words
from calmkb.kb.project.moving import personal_sessions
from calmkb.kb.trust.programs import all_requests
from calmkb.model.words import counted
from calmkb.store.commits.leftovers import leftovers, repair
from calmkb.store.git.repository import FALLBACK_EMAIL, Repository, git_in
from calmkb.store.local.choices import writing
from calmkb.system.journal_place import JOURNAL_BRANCH, is_journal_branch

_OLDEST_GIT = (2, 30)
_SHIELDED = ("kb", "preview", "stages")
"""What git and MkDocs write with modes of their own: the state folder around it is closed."""


def diagnose(environment: Environment, *, option: str | None = None) -> list[Line]:
    """Return what was looked at, in the order in which things depend on each other."""
    lines = [_git(environment)]
    if lines[0].level == "fail":
        return lines
    try:
        kb = open_kb(environment, option=option)
    except CalmError as error:
        line = Line("fail", "knowledge base", str(error), "fix the settings")
        return [*lines, line, *_jobs(environment)]
    return [
        *lines,
        *_knowledge_base(kb, option),
        *_trust(kb),
        *_state_folder(environment.state),
        *agent_lines(kb),
        *_writing(environment),
        *_jobs(environment),
    ]


def fix(environment: Environment, *, option: str | None = None) -> Iterator[str]:
    """Repair what killed commands left where that loses nothing; yield what was done."""
    try:
        kb = open_kb(environment, option=option)
        repository = kb.repository_if_any
    except CalmError:  # the diagnosis names it
        return
    yield from repair(repository) if repository else ()


def _git(environment: Environment) -> Line:
    try:
        message = git_in(environment.cwd).version()
    except CalmError as error:
        what, _, fix = str(error).partition("; ")
        return Line("fail", "git", what, fix or "install git 2.30 or newer")
    numbers = re.findall(r"\d+", message)
    if tuple(map(int, numbers[:2])) < _OLDEST_GIT:
        return Line("fail", "git", message, "install git 2.30 or newer")
    return Line("ok", "git", message)


def _knowledge_base(kb: KnowledgeBase, option: str | None) -> Iterator[Line]:
    where, begin = f"{kb.root}, by {_rule(kb, option)}", f"calmkb init {quote(str(kb.root))}"
    if not kb.root.is_dir():
        fix = "calmkb wrapup makes it, or: calmkb init" if kb.is_personal else begin
        level: Level = "warn" if kb.is_personal else "fail"
        yield Line(level, "knowledge base", f"{where}, does not exist yet", fix)
        return
    yield Line("ok", "knowledge base", where)
    if not os.access(kb.root, os.W_OK):
        yield Line("fail", "writable", f"{kb.root} cannot be written to", "change its owner")
    repository = kb.repository_if_any
    if repository is None:
        yield Line("fail", "repository", f"{kb.root} is in none", begin)
        return
    yield from _repository(repository)
    here, _ = personal_sessions(kb)
    if here:
        went = f"{counted(len(here), 'session')} of this repository in {DEFAULT_ROOT}"
        yield Line("warn", "elsewhere", f"{went}, not in its journal", "calmkb project move")


def _rule(kb: KnowledgeBase, option: str | None) -> str:
    if option:
        return "--kb"
    if kb.environment.env.get("CALMKB_KB"):
        return "CALMKB_KB"
    if kb.is_personal:
        return "default: no configuration in the folders up from here"
    if is_journal_branch(kb.root):
        return f"the branch {JOURNAL_BRANCH} of the repository here"
    if kb.agent_folder != kb.root:
        return "what calmkb init noted in the repository here"
    return "the nearest configuration up from here"


def _repository(repository: Repository) -> Iterator[Line]:
    branch = repository.attached_branch()
    if branch is None:
        fix = "finish the rebase or bisect, or check out a branch"
        yield Line("fail", "branch", "HEAD is detached; nothing can be committed", fix)
    else:
        yield Line("ok", "branch", branch.removeprefix("refs/heads/"))
    _, email = repository.identity()
    if email == FALLBACK_EMAIL:
        fix = "git config --global user.email you@example.org (and user.name)"
        yield Line("warn", "identity", f"unknown to git; commits say {email}", fix)
    else:
        yield Line("ok", "identity", email)
    for left in leftovers(repository):
        yield Line("fail" if left.serious else "warn", left.what, left.text, left.fix)


def _trust(kb: KnowledgeBase) -> Iterator[Line]:
    for note in filter_notes(kb):
        yield Line("warn", "secret filter", note, "review it with: calmkb agents trust")
    asked = all_requests(kb)
    waiting = open_requests(kb, asked)
    if waiting:
        subjects = ", ".join(one.subject for one in waiting)
        yield Line(
            "warn", "trust", f"not allowed on this machine: {subjects}", "calmkb agents trust allow"
        )
    elif asked:
        allowed = counted(len(asked), "thing")
        yield Line("ok", "trust", f"{allowed} allowed on this machine: calmkb agents trust")


def _state_folder(state: Path) -> Iterator[Line]:
    """Name what others could read of what stays on this machine; git keeps its own modes."""
    if os.name == "nt" or not state.is_dir():
        return
    wide = [path for path in (state, *state.rglob("*")) if _is_open(path, state)]
    if wide:
        others = f" and {len(wide) - 1:,} more" if len(wide) > 1 else ""
        message = f"{wide[0]}{others} can be read by other users"
        yield Line("warn", "state folder", message, f"chmod -R go= {state}")
    else:
        yield Line("ok", "state folder", f"{state} is closed to other users")


def _is_open(path: Path, state: Path) -> bool:
    if path != state and path.relative_to(state).parts[0] in _SHIELDED:
        return False
    return not path.is_symlink() and bool(path.stat().st_mode & 0o077)


def _writing(environment: Environment) -> Iterator[Line]:
    """Name why a program that writes sessions could not; nothing where none was chosen."""
    faults = writing_faults(environment)
    if faults:
        reasons = one_line("; ".join(faults))[:300]
        fix = "calmkb session write tries again, calmkb wrapup shows the draft without a model"
        yield Line("warn", "written entries", reasons, fix)
    elif writing(environment.own):
        yield Line("ok", "written entries", writing_words(environment))


def _jobs(environment: Environment) -> Iterator[Line]:
    """Name each job in the background that failed when it ran last."""
    for what, why, command in failures(environment):
        yield Line("warn", what, f"failed {why}", f"see why it fails with: {command}")
