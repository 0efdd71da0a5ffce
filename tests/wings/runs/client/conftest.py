"""A server in a process, with agents and a database of its own."""

import pytest

from tests.cli.conftest import cli, project  # noqa: F401 - fixtures
from tests.wings.runs.support import make_kb
from tests.wings.runs.web import TOKEN, start_program

SLOW = "[agents.slow]\ncommand = \"sh -c 'echo begun; sleep 600'\"\n"
FAILING = "[agents.failing]\ncommand = \"sh -c 'echo trying; echo the disk is full >&2; exit 7'\"\n"


@pytest.fixture
def server(tmp_path, home):
    """Return the address of a server in a process, with a database of its own."""
    (tmp_path / "there").mkdir()
    kb = make_kb(tmp_path / "there", SLOW + FAILING)
    database = f"sqlite:///{tmp_path / 'there.sqlite'}"
    program = start_program(kb.environment.cwd, tmp_path / "there" / "home", "--port", "0",
                            "--token", TOKEN, "--database", database)  # fmt: skip
    yield program.base
    program.process.terminate()
    program.process.communicate(timeout=30)
