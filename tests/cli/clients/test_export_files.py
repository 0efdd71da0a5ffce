"""Which files an export goes to, where the settings name none: those that are there."""

import pytest

from calmkb.kb.signals.files import text_or_template

WORDS = "# Ours\n\nMind the gap.\n"
LONG = "Escape labels, titles, hints and whatever else a person may have typed into a field."
WEB = ("--path", "web/**", "--scope", "global")  # where no file of the project has to match


@pytest.fixture
def learnt(project, cli):
    """Return a project with one memory."""
    add = ("memory", "add", "Run the tests with Docker up.", "--category", "workflow")
    assert cli(*add, "--scope", "global").code == 0
    return project


def agent_files(folder):
    names = ("CLAUDE.md", "AGENTS.md", "GEMINI.md", ".github/copilot-instructions.md")
    return {name: (folder / name).read_text() for name in names if (folder / name).exists()}


def test_where_only_agents_md_is_no_claude_md_is_made(learnt, cli):
    (learnt / "AGENTS.md").write_text(WORDS)
    assert cli("export").code == 0
    files = agent_files(learnt)
    assert list(files) == ["AGENTS.md"]
    assert files["AGENTS.md"].startswith(WORDS)
    assert "Run the tests with Docker up." in files["AGENTS.md"]
    assert cli("export", "--check").code == cli("check").code == 0


def test_where_none_is_it_is_claude_md(learnt, cli):
    cli("export")
    assert list(agent_files(learnt)) == ["CLAUDE.md"]


def test_few_words_for_some_paths_stay_in_claude_md(learnt, cli):
    """After a compaction Claude Code knows no rule with paths before it reads such a file."""
    cli("memory", "add", "Escape labels.", "--category", "fact", *WEB)
    cli("export")
    assert "In `web/**`: Escape labels." in (learnt / "CLAUDE.md").read_text()
    assert not (learnt / ".claude").exists()


def test_many_words_for_some_paths_are_rules_beside_claude_md(learnt, cli):
    (learnt / "calmkb.toml").write_text("[export]\nmax_tokens = 40\n")
    added = cli("memory", "add", LONG, "--category", "fact", *WEB)
    assert added.code == 0, added.err
    said = cli("export").out
    [rule] = learnt.glob(".claude/rules/calmkb*.md")
    assert LONG in rule.read_text()
    assert 'paths: ["web/**"]' in rule.read_text() or "web/**" in rule.read_text()
    assert LONG not in (learnt / "CLAUDE.md").read_text()
    assert rule.name in said
    assert cli("export", "--check").code == 0
    cli("memory", "retire", added.out.split()[2][:8])
    cli("export")
    assert not rule.exists()
    assert "Run the tests with Docker up." in (learnt / "CLAUDE.md").read_text()


def test_where_agents_md_is_read_too_what_holds_for_some_paths_stays_in_it(learnt, cli):
    cli("memory", "add", "Escape labels.", "--category", "fact", *WEB)
    for name in ("CLAUDE.md", "AGENTS.md"):
        (learnt / name).write_text(WORDS)
    cli("export")
    assert not (learnt / ".claude").exists()
    assert "In `web/**`: Escape labels." in (learnt / "AGENTS.md").read_text()


def test_every_instruction_file_that_is_there_gets_it(learnt, cli):
    (learnt / ".github").mkdir()
    for name in ("GEMINI.md", "AGENTS.md", ".github/copilot-instructions.md"):
        (learnt / name).write_text(WORDS)
    cli("export")
    files = agent_files(learnt)
    assert "CLAUDE.md" not in files
    assert all("Run the tests with Docker up." in text for text in files.values())


def test_a_file_that_is_linked_to_another_is_written_once_and_nothing_is_warned_of(learnt, cli):
    (learnt / "CLAUDE.md").write_text(WORDS)
    (learnt / "AGENTS.md").symlink_to("CLAUDE.md")
    said = cli("export")
    assert said.err == ""
    assert (learnt / "AGENTS.md").is_symlink()
    assert (learnt / "CLAUDE.md").read_text().count("Docker") == 1


def test_a_digest_stays_where_it_is_when_another_file_appears(learnt, cli):
    cli("export")
    (learnt / "AGENTS.md").write_text(WORDS)
    before = (learnt / "CLAUDE.md").read_text()
    assert cli("export", "--check").code == 0
    cli("export")
    assert (learnt / "CLAUDE.md").read_text() == before
    assert (learnt / "AGENTS.md").read_text() == WORDS


def test_a_claude_md_that_is_asked_for_begins_with_the_import_of_agents_md(learnt, cli):
    (learnt / "AGENTS.md").write_text(WORDS)
    cli("export", "--target", "claude-md")
    text = (learnt / "CLAUDE.md").read_text()
    assert text.startswith("@AGENTS.md\n\n<!-- calmkb:begin")
    assert "up to date" in cli("export", "--target", "claude-md").out
    assert (learnt / "AGENTS.md").read_text() == WORDS


def test_one_below_dot_claude_imports_it_from_there(learnt, cli):
    (learnt / "AGENTS.md").write_text(WORDS)
    cli("export", "--place", "dot-claude")
    assert (learnt / ".claude/CLAUDE.md").read_text().startswith("@../AGENTS.md\n\n<!-- calmkb")


def test_it_goes_again_when_nothing_but_the_import_is_left(learnt, cli):
    (learnt / "AGENTS.md").write_text(WORDS)
    cli("export", "--target", "claude-md")
    for path in (learnt / "journal/memories").rglob("*.md"):
        path.unlink()
    cli("export", "--target", "claude-md", "--force")
    assert not (learnt / "CLAUDE.md").exists()


def test_a_place_in_the_home_is_claude_codes_whatever_is_in_the_project(learnt, cli, home):
    (learnt / "AGENTS.md").write_text(WORDS)
    cli("export", "--place", "user")
    assert (learnt / "AGENTS.md").read_text() == WORDS
    assert "Docker" in (home / ".claude/CLAUDE.md").read_text()


def test_a_learning_for_a_project_with_agents_md_alone_does_not_switch_it_off(tmp_path):
    (tmp_path / "AGENTS.md").write_text(WORDS)
    assert text_or_template(tmp_path / "CLAUDE.md", "project").startswith("@AGENTS.md\n\n# CLAUDE")


def test_memories_of_several_files_are_counted_once(learnt, cli):
    cli("memory", "add", "Keep it.", "--category", "fact", *WEB)
    out = cli("export", "--target", "claude-rules").out
    assert out.startswith("Wrote 2 memories to 2 files (about ")
    assert len([line for line in out.splitlines() if line.startswith("  ")]) == 2
