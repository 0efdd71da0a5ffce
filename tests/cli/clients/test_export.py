"""`calmkb export` on real files: links, odd bytes, conflicts, rivals, and the way back."""

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import git

PNPM = "Use pnpm for every script; npm rewrites the lock file."
CENTS = "Prices are kept in cents."
TARGETS = ("claude-md", "claude-rules", "agents-md", "cursor", "copilot", "gemini", "skill", "json",
           "markdown")  # fmt: skip


@pytest.fixture
def known(project, cli):
    """Return the project with one approved memory."""
    add(cli, PNPM, "--category", "workflow")
    return project


def add(cli, text, *more):
    more = more if "--category" in more else (*more, "--category", "fact")
    assert cli("memory", "add", text, "--force", *more).code == 0


def every(folder):
    """Return all files but git's and the records, with their bytes and times."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {".git", "journal"} & set(path.relative_to(folder).parts)
    }


def test_all_targets_at_once_and_again_changes_nothing(known, cli):
    (known / "src").mkdir()
    (known / "src" / "prices.py").write_text("PRICE = 1\n")
    git(known, "add", "src")
    add(cli, "Decimals only.", "--path", "src/**/*.py", "--scope", "global")
    names = ", ".join(f'"{name}"' for name in TARGETS)
    (known / "calmkb.toml").write_text(f"[export]\ntargets = [{names}]\n")
    assert cli("export").code == 0
    first = every(known)
    assert set(first) == {
        "calmkb.toml", "CLAUDE.md", "AGENTS.md", "GEMINI.md", "MEMORIES.md", "calmkb-digest.json",
        ".claude/rules/calmkb-src-py-89e3f2.md", ".cursor/rules/calmkb.mdc",
        ".cursor/rules/calmkb-src-py-89e3f2.mdc", ".github/copilot-instructions.md",
        ".github/instructions/calmkb-src-py-89e3f2.instructions.md",
        ".claude/skills/calmkb-memories/SKILL.md",
        ".claude/skills/calmkb-memories/reference/commands.md",
        ".claude/skills/calmkb-memories/reference/conventions.md",
        "src/prices.py",
    }  # fmt: skip
    assert b"\n@AGENTS.md\n" in first["CLAUDE.md"][0]
    assert cli("export", "--check").code == 0
    assert cli("check", "--strict").code == 0
    assert cli("export").code == 0
    assert every(known) == first


def test_what_no_longer_holds_leaves_no_file_behind(known, cli):
    add(cli, "Decimals only.", "--path", "src/**/*.py", "--scope", "global")
    targets = [word for name in ("claude-rules", "skill", "json") for word in ("--target", name)]
    assert cli("export", *targets).code == 0
    for one in json.loads(cli("memory", "list", "--json").out)["memories"]:
        assert cli("memory", "retire", one["id"][:8], "--reason", "gone").code == 0
    assert cli("export", *targets).out.count("Removed ") == 6
    assert set(every(known)) == {"calmkb.toml"}
    assert not (known / ".claude").exists()


def test_a_file_that_is_a_link_to_its_neighbour_holds_the_digest_once(known, cli):
    (known / "AGENTS.md").write_text("# Ours\n")
    (known / "CLAUDE.md").symlink_to("AGENTS.md")
    done = cli("export", "--target", "claude-md", "--target", "agents-md")
    assert (done.code, "is the file of another target too" in done.err) == (0, True)
    assert (known / "CLAUDE.md").is_symlink()
    assert (known / "AGENTS.md").read_text().count(PNPM) == 1
    assert cli("export", "--target", "agents-md", "--target", "claude-md", "--check").code == 0
    assert cli("check", "--strict").code == 0


@pytest.mark.parametrize(
    ("link", "to"),
    [("CLAUDE.md", "AGENTS.md"), ("AGENTS.md", "docs/rules.md"), ("CLAUDE.md", "./AGENTS.md")],
)
def test_a_link_that_git_wrote_as_text_is_not_written_into(known, cli, link, to):
    git(known, "config", "core.symlinks", "false")
    (known / to).parent.mkdir(exist_ok=True)
    (known / to).write_text("# Ours\n")
    (known / link).write_text(to)
    said = cli("export")
    assert (said.code, (known / link).read_text()) == (0, to), said.err
    assert (known / to).read_text().count(PNPM) == 1
    assert cli("export", "--check").code == 0
    assert cli("check", "--strict").code == 0


@pytest.mark.parametrize(
    ("link", "to", "told"),
    [
        ("CLAUDE.md", "../outside.md", "outside its folder; name that with --file"),
        ("CLAUDE.md", "CLAUDE.md", "is a link to nothing"),
        ("CLAUDE.md", "AGENTS.md", "is a link to nothing"),
        (".claude", "../elsewhere", "is a link to a place outside"),
        ("CLAUDE.md", ".git/config", "is in a folder that is git's own"),
    ],
)
def test_a_link_that_leads_away_is_not_followed(known, cli, link, to, told):
    (known.parent / "outside.md").write_text("theirs\n")
    (known.parent / "elsewhere" / "rules").mkdir(parents=True)
    (known / link).symlink_to(to)
    target = "claude-rules" if link == ".claude" else "claude-md"
    said = cli("export", "--target", target)
    assert (said.code, told in said.err) == (1, True), said.err
    assert (known.parent / "outside.md").read_text() == "theirs\n"
    assert list((known.parent / "elsewhere" / "rules").iterdir()) == []
    assert not (known / "AGENTS.md").exists()


def test_rules_behind_a_linked_folder_are_not_removed(known, cli):
    cli("export", "--target", "claude-rules")
    (known / ".claude").rename(known.parent / "elsewhere")
    (known / ".claude").symlink_to("../elsewhere")
    (one,) = json.loads(cli("memory", "list", "--json").out)["memories"]
    cli("memory", "retire", one["id"][:8], "--reason", "gone")
    assert cli("export", "--target", "claude-rules").code == 0
    assert (known.parent / "elsewhere/rules/calmkb.md").exists()


def test_the_homes_links_are_a_persons_own(known, cli, home):
    (known.parent / "dotfiles").mkdir()
    (home / ".claude").symlink_to(known.parent / "dotfiles")
    cli("memory", "add", "--category", "preference", "--scope", "global", "Answer in one sentence.")
    assert cli("export", "--place", "user").code == 0
    assert "one sentence" in (known.parent / "dotfiles/CLAUDE.md").read_text()


def test_a_linked_folder_inside_the_project_is_fine(known, cli):
    (known / "agents").mkdir()
    (known / ".claude").symlink_to("agents")
    assert cli("export", "--target", "claude-rules").code == 0
    assert PNPM in (known / "agents/rules/calmkb.md").read_text()
    (one,) = json.loads(cli("memory", "list", "--json").out)["memories"]
    cli("memory", "retire", one["id"][:8], "--reason", "gone")
    assert cli("export", "--target", "claude-rules").code == 0
    assert not (known / "agents/rules").exists()


@pytest.mark.parametrize(
    "theirs",
    [b"# Mine", b"\xef\xbb\xbf# Mine\r\n\r\nkeep\r\n", b"\xef\xbb\xbf", b"", b"Mine\n=======\n\n",
     b"\n\n", b"a\rb\r", b"x\n\x0c\ny\xe2\x80\xa8z\n"],
)  # fmt: skip
def test_bytes_of_a_person_stay_and_a_second_run_writes_nothing(known, cli, theirs):
    path = known / "CLAUDE.md"
    path.write_bytes(theirs)
    assert cli("export").code == 0
    made = path.read_bytes()
    assert made.startswith(theirs)
    assert made.count(b"\xef\xbb\xbf") == theirs.count(b"\xef\xbb\xbf")
    stamp = path.stat().st_mtime_ns
    assert "is up to date" in cli("export").out
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (made, stamp)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("# Mine\n".encode("utf-16"), "is not UTF-8"),
        ("# Mine\n".encode("utf-16-le"), "is not text"),
        ("Über\n".encode("latin-1"), "is not UTF-8"),
    ],
)
def test_another_encoding_is_left_alone(known, cli, data, told):
    (known / "CLAUDE.md").write_bytes(data)
    said = cli("export")
    assert (said.code, told in said.err) == (1, True)
    assert (known / "CLAUDE.md").read_bytes() == data


def test_a_pipe_a_folder_and_a_read_only_file_are_left_alone(known, cli):
    path = known / "CLAUDE.md"
    os.mkfifo(path)
    assert "is not a plain file" in cli("export").err
    assert cli("check").code == 0
    path.unlink()
    path.mkdir()
    assert "is not a plain file" in cli("export").err
    path.rmdir()
    path.write_text("mine\n")
    path.chmod(0o444)
    said = cli("export", "--target", "claude-md", "--target", "gemini")
    assert "is read-only; make it writable" in said.err
    assert (path.read_text(), (known / "GEMINI.md").exists()) == ("mine\n", False)
    assert cli("export", "--diff").code == 0
    assert cli("export", "--file", "-").out.startswith("## Commands\n")


def test_a_persons_rule_of_the_same_name_is_not_taken_over(known, cli):
    path = known / ".claude/rules/calmkb.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\npaths: [x]\n---\nMine.\n")
    assert "is not calmkb's; move it away" in cli("export", "--target", "claude-rules").err
    assert path.read_text() == "---\npaths: [x]\n---\nMine.\n"


def test_a_block_that_was_moved_stays_there_and_a_copy_is_refused(known, cli):
    cli("export")
    path = known / "CLAUDE.md"
    block = path.read_text()
    path.write_text(f"# Above\n\n{block}\n# Below\n")
    add(cli, CENTS)
    assert cli("export").code == 0
    text = path.read_text()
    assert (text.startswith("# Above\n\n<!--"), text.endswith("-->\n\n# Below\n")) == (True, True)
    assert CENTS in text
    path.write_text(text + block)
    said = cli("export", "--force")
    assert (said.code, "broken or doubled calmkb block (line 3" in said.err) == (1, True)


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
@pytest.mark.parametrize("theirs_too", [False, True])
def test_a_real_merge_conflict_in_the_block_is_settled_by_force_alone(
    known, cli, style, theirs_too
):
    git(known, "config", "merge.conflictStyle", style)
    path = known / "CLAUDE.md"
    path.write_text("# Head\n=======\n\nmine\n")
    add(cli, "The till rounds half pennies up.")
    cli("export")
    path.write_text(path.read_text() + "\nbelow\n")
    git(known, "add", ".")
    git(known, "commit", "-qm", "digest")
    for branch, text in (("other", CENTS), ("main", "Never mock the clock in tests.")):
        git(known, "switch", "-qc" if branch == "other" else "-q", branch)
        add(cli, text)
        cli("export")
        if theirs_too:
            path.write_text(path.read_text().replace("below", f"below on {branch}"))
        git(known, "commit", "-qam", branch)
    merged = subprocess.run(["git", "merge", "other"], cwd=known, capture_output=True, check=False)
    assert merged.returncode == 1
    conflicted = path.read_text()
    said = cli("export")
    assert (said.code, "a merge conflict is not resolved" in said.err) == (1, True)
    assert path.read_text() == conflicted
    if theirs_too:
        assert cli("export", "--force").code == 1
        assert path.read_text() == conflicted
        ours = git(known, "show", ":2:CLAUDE.md")
        path.write_text(ours.replace("below on main", "below both"))
        assert cli("export").code == 0
    else:
        assert cli("export", "--force").code == 0
    text = path.read_text()
    assert text.startswith("# Head\n=======\n\nmine\n\n<!-- calmkb:begin")
    assert (CENTS in text, "Never mock" in text, "<<<<" in text) == (True, True, False)
    assert text.endswith("-->\n\nbelow both\n" if theirs_too else "-->\n\nbelow\n")
    assert cli("export", "--check").code == 0


def test_two_exports_at_once_leave_a_whole_file_and_no_litter(known, cli):
    path = known / "CLAUDE.md"
    path.write_text("mine\n")
    command = [sys.executable, "-m", "calmkb", "export"]
    rivals = [subprocess.Popen(command, cwd=known, stderr=subprocess.PIPE) for _ in range(2)]
    said = [(rival.communicate()[1].decode(), rival.returncode) for rival in rivals]
    assert all(code == 0 or "was changed while" in words for words, code in said), said
    assert path.read_text().count("calmkb:begin") == 1
    assert cli("export", "--check").code == 0
    assert sorted(p.name for p in known.iterdir()) == [
        ".git",
        "CLAUDE.md",
        "calmkb.toml",
        "journal",
    ]


def test_a_change_between_reading_and_writing_is_not_written_over(known):
    from calmkb.errors import ExportError
    from calmkb.kb.base.environment import process_environment
    from calmkb.kb.base.knowledge_base import open_kb
    from calmkb.kb.export.export import ExportRequest, open_source, plan, write

    kb = open_kb(process_environment())
    made = plan(open_source(kb), ExportRequest(targets=("gemini", "agents-md")))
    (known / "AGENTS.md").write_text("typed just now\n")
    with pytest.raises(ExportError, match="was changed while it was exported; nothing was written"):
        write(kb, made)
    assert (known / "AGENTS.md").read_text() == "typed just now\n"
    assert not (known / "GEMINI.md").exists()


def test_a_full_disk_leaves_every_file_whole(known, cli):
    (known / "CLAUDE.md").write_text("mine\n" * 2000)
    said = subprocess.run(
        ["bash", "-c", "ulimit -f 8; trap '' XFSZ; exec \"$0\" -m calmkb export", sys.executable],
        cwd=known, capture_output=True, text=True, check=False,
        # Python would leave cut bytecode of a module that this process is the first to import.
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert (said.returncode, "cannot write" in said.stderr) == (1, True), said.stderr
    assert (known / "CLAUDE.md").read_text() == "mine\n" * 2000
    assert sorted(p.name for p in known.iterdir()) == [
        ".git",
        "CLAUDE.md",
        "calmkb.toml",
        "journal",
    ]
    assert cli("export").code == 0


def test_a_budget_too_small_says_so_and_explain_loses_nothing(known, cli):
    add(cli, CENTS)
    add(cli, "A long story. " * 12)
    assert "no memory fits" in cli("export", "--max-tokens", "5").out
    assert not (known / "CLAUDE.md").exists()
    said = json.loads(cli("export", "--max-tokens", "60", "--explain", "--json").out)
    (one,) = said["targets"]
    assert len(one["items"]) + len(one["left_out"]) == 3
    assert one["tokens"] <= 60
    assert "no room: worth" in cli("export", "--max-tokens", "60", "--explain").out
    cli("export", "--max-tokens", "60")
    text = (known / "CLAUDE.md").read_text()
    assert "1 more approved memory is a search away" in text


def test_diff_shows_and_writes_nothing(known, cli):
    before = every(known)
    said = cli("export", "--diff", "--target", "gemini")
    assert (f"+- {PNPM}" in said.out, every(known) == before) == (True, True)


def test_an_import_of_agents_md_by_a_persons_hand_is_enough(known, cli):
    (known / "CLAUDE.md").write_text("@AGENTS.md\n")
    assert cli("export", "--target", "claude-md", "--target", "agents-md").code == 0
    assert (known / "CLAUDE.md").read_text() == "@AGENTS.md\n"
    (known / "CLAUDE.md").write_text("see `@AGENTS.md`\n")
    assert "put the line @AGENTS.md" in cli("export", "--target", "agents-md").err


def test_check_looks_at_each_target_that_stands_or_is_configured(known, cli):
    def found():
        rows = json.loads(cli("check", "--format", "json").out)["findings"]
        return sorted((row["path"], row["rule"]) for row in rows)

    cli("export", "--target", "skill", "--target", "cursor", "--target", "json")
    cli("export", "--place", "local")
    assert found() == []
    add(cli, CENTS)
    assert found() == [
        (".claude/skills/calmkb-memories/SKILL.md", "drifted-export"),
        (".claude/skills/calmkb-memories/reference/conventions.md", "drifted-export"),
        (".cursor/rules/calmkb.mdc", "drifted-export"),
        ("CLAUDE.local.md", "drifted-export"),
        ("calmkb-digest.json", "drifted-export"),
    ]
    cli("export", "--target", "skill", "--target", "cursor", "--target", "json")
    cli("export", "--place", "local")
    (known / "calmkb.toml").write_text('[export]\ntargets = ["claude-md", "agents-md"]\n')
    cli("export", "--place", "local")
    cli("export", "--place", "dot-claude")
    assert "\n@../AGENTS.md\n" in (known / ".claude/CLAUDE.md").read_text()
    assert found() == [("CLAUDE.md", "drifted-export")]
    cli("export")
    assert found() == []
    (known / "AGENTS.md").unlink()
    for name in ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"):
        (known / name).unlink()
    (known / "calmkb.toml").write_text('[export]\ntargets = ["gemini", "agents-md"]\n')
    assert found() == [("AGENTS.md", "drifted-export"), ("GEMINI.md", "drifted-export")]


def test_explaining_an_empty_knowledge_base_as_json_lists_nothing(project, cli):
    answer = json.loads(cli("export", "--explain", "--json").out)
    assert [(one["items"], one["left_out"]) for one in answer["targets"]] == [([], [])]


def test_a_check_names_a_block_that_was_edited_by_hand_and_the_right_fix(known, cli):
    assert cli("export").code == 0
    path = known / "CLAUDE.md"
    path.write_text(path.read_text().replace("pnpm", "yarn"))
    said = cli("export", "--check")
    assert said.code == 1
    assert "edited by hand; move your lines outside the block" in said.err
    assert "calmkb export --force" in said.err
    edited = path.read_text()
    assert cli("export", "--force").code == 0
    assert (path.with_name("CLAUDE.md.bak").read_text(), "yarn" in path.read_text()) == (
        edited,
        False,
    )


def test_json_without_explain_is_refused_and_writes_nothing(known, cli):
    assert cli("export", "--json").code == 1
    assert not (known / "CLAUDE.md").exists()
