"""Proposals that wait for a person: many writers, kills and strange files."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from calmkb.errors import StoreError
from calmkb.model import Memory
from calmkb.store.local.reviews import MOST, add_proposed, drop_proposed, load_proposed

WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4
from calmkb.model import Memory
from calmkb.store.local.reviews import add_proposed
for number in range(int(sys.argv[2])):
    now = datetime(2026, 11, 1, tzinfo=UTC)
    text = f"Writer {sys.argv[3]} says {number}. " + "word " * 500
    add_proposed(Path(sys.argv[1]), Path("/kb"),
                 Memory(id=str(uuid4()), created_at=now, text=text, category="fact"))
    print(number, flush=True)
"""


def memory(number=1, text="Use pnpm."):
    at = datetime(2026, 11, 1, 10, number % 60, tzinfo=UTC)
    return Memory(id=str(UUID(int=number, version=4)), created_at=at, text=text, category="fact")


def writer(state, count, name):
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(state), str(count), name], stdout=subprocess.PIPE
    )


def test_what_waits_comes_back_as_it_was_and_goes_once_decided(tmp_path):
    root = tmp_path / "kb"
    first = replace(memory(1), tags=("js",), scope="shop", text="Two\n\n## lines\u202e")
    second = memory(2)
    for one in (second, first):
        add_proposed(tmp_path, root, one)
    assert load_proposed(tmp_path, root) == [first, second]
    assert load_proposed(tmp_path, tmp_path / "other") == []
    drop_proposed(tmp_path, root, [first.id, first.id])
    assert load_proposed(tmp_path, root) == [second]


def test_two_agents_who_propose_at_once_lose_nothing(tmp_path):
    for one in [writer(tmp_path, 15, name) for name in ("a", "b")]:
        one.communicate(timeout=60)
        assert one.returncode == 0
    texts = {one.text.split(" word")[0] for one in load_proposed(tmp_path, _root())}
    assert texts == {f"Writer {name} says {n}." for name in "ab" for n in range(15)}


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_a_killed_writer_leaves_whole_proposals_and_each_that_it_reported(tmp_path):
    with writer(tmp_path, 150, "a") as program:
        reported = [program.stdout.readline() for _ in range(5)]
        program.send_signal(signal.SIGKILL)
        reported += program.stdout.readlines()
    found = load_proposed(tmp_path, _root())
    assert len(reported) <= len(found) <= len(reported) + 1
    assert all(one.text.count("word") == 500 for one in found)


def test_strange_files_are_passed_over(tmp_path):
    root = tmp_path / "kb"
    add_proposed(tmp_path, root, memory())
    (folder,) = (tmp_path / "reviews").iterdir()
    (folder / "a.md").write_text("no record")
    (folder / "b.md").write_bytes(b"\xff\xfe")
    (folder / "c.md").write_text((folder / f"{memory().id}.md").read_text())
    (folder / "d.md").symlink_to(folder / f"{memory().id}.md")
    assert load_proposed(tmp_path, root) == [memory()]


def test_number_and_size_of_what_waits_are_bounded(tmp_path):
    root = tmp_path / "kb"
    with pytest.raises(StoreError, match=r"takes 300,\d{3} bytes"):
        add_proposed(tmp_path, root, replace(memory(), why="x" * 300_000))
    for number in range(MOST):
        add_proposed(tmp_path, root, memory(number + 1))
    with pytest.raises(StoreError, match=f"{MOST} proposals wait already"):
        add_proposed(tmp_path, root, memory(MOST + 1))


def _root():
    from pathlib import Path

    return Path("/kb")
