"""What the tests of the store share: changes to write, and what history says of them."""

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from calmkb.config import Config
from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model import Problem
from calmkb.store.commits.commit import Change, commit
from calmkb.store.git.repository import Repository, find_repository
from tests.conftest import git

AT = datetime(2026, 10, 19, 14, 22, 33, tzinfo=UTC)
ROUNDS = 10 if os.environ.get("CALMKB_SOAK") else 1
"""How many times as long `make soak` runs what a quick run tries a few times."""


def change(files: Mapping[str, bytes | None], message: str = "wrapup(x): hello") -> Change:
    return Change(files, message, AT)


def opened(folder: Path) -> Repository:
    found = find_repository(folder)
    assert found
    return found


def write(folder: Path, path: str = "journal/sessions/a.md", data: bytes | None = b"hello\n"):
    return commit(opened(folder), change({path: data}))


def state_of(folder: Path) -> list[list[str]]:
    """Return the files of each commit that calmkb made on main, newest first."""
    listed = git(folder, "log", "--format=%x00%s", "--name-only", "--no-renames", "main")
    blocks = [block.split("\n") for block in listed.split("\0")[1:]]
    return [[name for name in rest if name] for head, *rest in blocks if head.startswith("wrapup")]


def problems(folder: Path) -> tuple[Problem, ...]:
    """Return what a command that reads the journal in `folder` says of it."""
    kb = KnowledgeBase(folder, Config(), process_environment())
    return kb.with_index(lambda index: index.problems())
