"""Approved memories in Claude Code's own memory: topics of ours beside what Claude keeps."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.capture.history.mapped_name import mapped_name
from calmkb.export.targets.claude_memory import BYTES, LINES, with_lines
from tests.cli.conftest import cli, project

__all__ = ["cli", "project"]
THEIRS = "# Memory\n\n- [Rooms](rooms.md) \u2014 how they are numbered\n"


@pytest.fixture
def memory(home, project):
    """Return the folder in which the client keeps the project's memory."""
    folder = home / ".claude/projects" / mapped_name(str(project.resolve())) / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text(THEIRS)
    (folder / "rooms.md").write_text("Rooms are numbered from the cellar up.\n")
    return folder


def approve(cli, text: str, *more: str) -> str:
    done = cli("memory", "add", "--category", "fact", "--scope", "shop", text, *more)
    assert done.code == 0, done.err
    identity = json.loads(cli("memory", "list", "--json").out)["memories"][0]["id"]
    return f"{identity[:8]}{identity[-4:]}"


def test_an_approved_memory_becomes_a_topic_with_a_line_in_the_index(cli, memory):
    short = approve(cli, "Prices are kept in cents.")
    assert cli("export", "--target", "claude-memory").code == 0
    index = (memory / "MEMORY.md").read_text()
    assert index == f"{THEIRS}- [fact](calmkb-{short}.md) \u2014 Prices are kept in cents.\n"
    topic = (memory / f"calmkb-{short}.md").read_text()
    assert topic.startswith(f"---\nname: calmkb-{short}\n")
    assert "type: project" in topic
    assert "Prices are kept in cents." in topic
    assert cli("export", "--target", "claude-memory", "--check").code == 0


def test_what_claude_writes_into_its_index_meanwhile_stays(cli, memory):
    first = approve(cli, "Prices are kept in cents.")
    cli("export", "--target", "claude-memory")
    index = memory / "MEMORY.md"
    index.write_text(f"{index.read_text()}- Tills round to five.\n")
    cli("memory", "retire", first[:8])
    second = approve(cli, "Refunds take a day.")
    cli("export", "--target", "claude-memory")
    assert first not in index.read_text()
    assert "- Tills round to five.\n" in index.read_text()
    assert f"(calmkb-{second}.md)" in index.read_text()
    assert sorted(one.name for one in memory.glob("calmkb-*")) == [f"calmkb-{second}.md"]
    assert (memory / "rooms.md").exists()


def test_what_claude_md_tells_is_not_told_again(cli, memory, project):
    approve(cli, "Prices are kept in cents.")
    cli("export")
    assert "Prices" in (project / "CLAUDE.md").read_text()
    cli("export", "--target", "claude-memory")
    assert (memory / "MEMORY.md").read_text() == THEIRS
    shown = cli("export", "--target", "claude-memory", "--explain").out
    assert "left to claude-md" in shown


def test_what_was_put_there_does_not_come_back_as_a_proposal(cli, memory, project):
    approve(cli, "Prices are kept in cents.")
    cli("export", "--target", "claude-memory")
    assert cli("import", "auto-memory").out.startswith("1 added")  # the rooms


def test_a_topic_that_was_edited_is_not_written_over(cli, memory):
    short = approve(cli, "Prices are kept in cents.")
    cli("export", "--target", "claude-memory")
    topic = memory / f"calmkb-{short}.md"
    topic.write_text(topic.read_text().replace("in cents", "in euros"))
    refused = cli("export", "--target", "claude-memory")
    assert refused.code == 1
    assert topic.name in refused.err
    assert cli("export", "--target", "claude-memory", "--force").code == 0
    assert "in cents" in topic.read_text()


def test_a_memory_that_git_contradicts_is_not_told(cli, memory, project):
    approve(cli, "Prices are kept in cents.")
    [record] = (project / "journal/memories").rglob("*.md")
    record.write_text(record.read_text().replace("in cents", "in euros"))
    cli("export", "--target", "claude-memory")
    assert (memory / "MEMORY.md").read_text() == THEIRS


LINE = st.text("ab \u00e9-[](#", max_size=40).map(lambda text: text.replace("calmkb-", ""))


@given(st.lists(LINE, max_size=250), st.integers(0, 300), st.integers(1, 200))
def test_the_index_keeps_to_what_the_client_reads_and_loses_no_line_of_others(theirs, count, wide):
    before = "\n".join(theirs)
    lines = "\n".join(f"- [fact](calmkb-{n:012x}.md) {'x' * wide}" for n in range(count))
    after = with_lines(before, lines)
    assert after.startswith(before)
    assert with_lines(after, lines) == after
    assert with_lines(after, "").rstrip("\n") == before.rstrip("\n")
    assert after == before or (after.count("\n") <= LINES and len(after.encode()) <= BYTES)
