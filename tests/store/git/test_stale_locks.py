"""A lock that a killed git left is named within seconds, with its age and who holds it."""

import os
import time

import pytest

from calmkb.errors import StoreError
from tests.cli.conftest import cli, project  # noqa: F401 - fixtures
from tests.conftest import git
from tests.store.writing import write


@pytest.mark.parametrize("name", ["HEAD.lock", "index.lock"])
def test_a_left_lock_is_named_and_once_it_is_gone_the_write_goes_through(repo, name):
    lock = repo / ".git" / name
    lock.touch()
    hour = time.time() - 3_600
    os.utime(lock, (hour, hour))
    with pytest.raises(StoreError) as refused:
        write(repo)
    message = str(refused.value)
    assert str(lock) in message
    assert "3,6" in message, "its age in seconds"
    assert "held by no process" in message
    assert "nothing was written" in message
    lock.unlink()
    assert write(repo).warning == ""
    assert git(repo, "log", "--format=%s") == "wrapup(x): hello\nfirst\n"


def test_doctor_names_every_lock_of_git(project, cli):  # noqa: F811
    names = ["index.lock", "HEAD.lock", "packed-refs.lock", "refs/heads/main.lock"]
    for name in names:
        (project / ".git" / name).touch()
    said = cli("doctor").out
    for name in names:
        assert str(project / ".git" / name) in said
