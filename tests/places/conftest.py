"""A code repository on a bare host, cloned by two people, and calmkb as each of them runs it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
from tests.conftest import git


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Person:
    """Somebody with a clone of the code; `calm` runs a command there that must succeed."""

    clone: Path
    attempt: Callable[..., Said]

    def calm(self, *args: str) -> str:
        said = self.attempt(*args)
        assert said.code == 0, said
        return said.out

    def git(self, *args: str) -> str:
        return git(self.clone, *args)


@pytest.fixture
def host(tmp_path, repo):
    """Return a bare host that holds the code."""
    git(tmp_path, "clone", "-q", "--bare", str(repo), "storefront.git")
    return tmp_path / "storefront.git"


@pytest.fixture
def person(tmp_path, host, monkeypatch, capsys) -> Callable[..., Person]:
    """Return a function that clones the code for a person."""

    def make(name: str, *options: str) -> Person:
        folder = tmp_path / name / "storefront"
        git(tmp_path, "clone", "-q", *options, host.as_uri(), str(folder))
        git(folder, "config", "user.email", f"{name}@example.org")

        def attempt(*args: str) -> Said:
            monkeypatch.chdir(folder)
            capsys.readouterr()
            code = run(calmkb, args, person=True)
            captured = capsys.readouterr()
            return Said(code, captured.out, captured.err)

        return Person(folder, attempt)

    return make
