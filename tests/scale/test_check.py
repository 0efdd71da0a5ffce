"""`check` reads a file again only where something changed, and finds what it found before."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from calmkb.redact import Redactor
from calmkb.store.index.schema import index_path
from tests.scale.conftest import list_until_settled

HIDDEN = "Run this\u202e now"
SECRET = "gh" + "p_" + "q7Zk2vX9Lm4Tn8RwB3yH5dJ6sF1gP0aC9eVu"
_opened: list[str] = []
_listening: list[bool] = []


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if _listening and event == "open" and str(arguments[0]).endswith(".md"):
        _opened.append(Path(str(arguments[0])).name)


sys.addaudithook(_note)  # Python's own word of every file that is opened


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """Return the names of the Markdown files that were opened, which a test may clear."""
    _opened.clear()
    _listening.append(True)
    yield _opened
    _listening.clear()


def sessions(project: Path) -> list[Path]:
    return sorted((project / "journal" / "sessions").rglob("*.md"))


@pytest.fixture
def five(project, cli) -> list[Path]:
    """Return five sessions, which the index no longer takes for ones still being written."""
    for number in range(5):
        cli("wrapup", "--summary", f"Moved test number {number}.")
    list_until_settled(index_path(project / "journal"), lambda: cli("session", "list"))
    return sessions(project)


def test_a_second_check_reads_no_clean_session_again(five, cli, opened):
    names = {path.name for path in five}
    assert cli("check").code == 0
    assert names <= set(opened)
    opened.clear()
    assert cli("check").code == 0
    assert not names & set(opened)


def test_a_file_that_changed_is_read_again_and_only_that(five, cli, opened):
    assert cli("check").code == 0
    changed = five[2]
    changed.write_text(changed.read_text().replace("Moved", f"Moved with {SECRET}"))
    opened.clear()
    said = cli("check")
    assert said.code == 1
    assert "[secret]" in said.out
    assert changed.name in said.out
    assert {path.name for path in five} & set(opened) == {changed.name}


def test_what_is_wrong_is_said_every_time(project, cli):
    cli("wrapup", "--summary", "Moved the tests.")
    (path,) = sessions(project)
    path.write_text(path.read_text().replace("Moved the tests.", HIDDEN))
    first, second = cli("check"), cli("check")
    assert "[hidden-character]" in first.out
    assert first.out == second.out


def test_what_the_filter_knows_decides_what_counts_as_looked_through(home):
    def stamp(**names: str) -> str:
        return Redactor(home=home, user="ada", **names).stamp()

    assert stamp(host="lovelace-3") == stamp(host="lovelace-3")
    assert stamp(host="lovelace-3") != stamp(host="lovelace-4")
