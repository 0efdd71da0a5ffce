"""A `calmkb agents keep` that is killed at any of its writes, and the next one."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from calmkb.wings.archive.kept.archive import Archive
from calmkb.wings.archive.kept.session_file import is_damaged, read_turns
from calmkb.wings.archive.turns.filling import refresh
from calmkb.wings.archive.turns.schema import NAME, open_index
from tests.people import AS_A_PERSON
from tests.wings.archive.conftest import SILENT

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="a command that kills itself needs SIGKILL")
SESSIONS = 3
# The write of that number, of those that go to a kept session, is cut in half, then all ends.
KILLED = (
    "import os, signal, sys\n"
    "left, write = [int(sys.argv.pop(1))], os.write\n"
    "def cut(handle, data):\n"
    "    if not os.readlink(f'/proc/self/fd/{handle}').endswith('.turns'):\n"
    "        return write(handle, data)\n"
    "    left[0] -= 1\n"
    "    if left[0]:\n"
    "        return write(handle, data)\n"
    "    write(handle, bytes(data)[: len(data) // 2])\n"
    "    os.kill(os.getpid(), signal.SIGKILL)\n"
    "os.write = cut\n" + AS_A_PERSON
)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it looks at /proc")
@pytest.mark.parametrize("number", range(1, SESSIONS + 1))
def test_what_was_kept_stays_and_the_rest_is_kept_once(home, session, cli, number):
    names = [f"3f2a1b00-0000-4000-8000-00000000000{n}" for n in range(SESSIONS)]
    for name in names:
        session(name, *SILENT)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(number), "keep"], capture_output=True, check=False,
        stdin=subprocess.DEVNULL, timeout=120, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == -9, done.stderr
    assert cli("keep").code == 0
    files = sorted((home / ".calm" / "archive").glob("*/*.turns"))
    assert [path.stem for path in files] == names
    assert not any(is_damaged(path) for path in files)
    assert [len(read_turns(path)) for path in files] == [len(SILENT)] * SESSIONS
    found = cli("search", "SilentError", "--in", "turns").out
    assert all(name[:8] in found for name in names)


def test_processes_that_index_at_once_index_each_turn_once(home, session, cli):
    for number in range(30):
        session(f"3f2a1b00-0000-4000-8000-{number:012}", *SILENT)
    assert cli("keep").code == 0
    archive = Archive(home / ".calm")
    count = "SELECT count(*), count(DISTINCT session) FROM turns"
    with open_index(archive) as db:
        once = db.execute(count).fetchone()
    (archive.folder / NAME).unlink()

    def index(_: int) -> None:
        with open_index(archive) as db:
            refresh(db, archive)

    with ThreadPoolExecutor(4) as at_once:
        list(at_once.map(index, range(4)))
    with open_index(archive) as db:
        assert db.execute(count).fetchone() == once
