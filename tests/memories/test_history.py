"""Every version of a memory that git holds."""

import json

from tests.conftest import git


def versions(cli, identity):
    said = cli("memory", "history", identity, "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)["versions"]


def test_history_shows_each_change_across_a_move_and_retirement(project, cli, add):
    identity = add("Use npm for scripts.")
    add("Prices are in cents.", category="fact")
    cli("memory", "edit", identity, "--text", "Use pnpm for scripts.")
    cli("memory", "edit", identity, "--category", "decision", "--importance", "0.9")
    cli("memory", "retire", identity)
    found = versions(cli, identity[:8])
    assert [v["what"] for v in found] == ["added", "edited", "moved", "taken out"]
    assert found[0]["text"] == "Use npm for scripts."
    assert found[1]["text"] == found[2]["text"] == "Use pnpm for scripts."
    assert "/decision/" in found[2]["path"]
    assert {v["by"] for v in found} == {"ada@example.org"}
    said = cli("memory", "history", identity[:8]).out
    assert "Use npm for scripts." in said
    assert "Use pnpm for scripts." in said


def test_a_memory_that_was_edited_by_hand_and_brought_back_has_its_history(project, cli, add):
    identity = add("Use npm for scripts.")
    (path,) = (project / "journal/memories/workflow").iterdir()
    moved = path.with_name("renamed-by-hand.md")
    git(project, "mv", str(path), str(moved))
    git(project, "commit", "-qm", "tidy")
    moved.write_text(moved.read_text().replace("npm", "pnpm"))
    git(project, "commit", "-qam", "better")
    git(project, "rm", "-q", str(moved))
    git(project, "commit", "-qm", "gone")
    git(project, "revert", "--no-edit", "HEAD")
    whats = [v["what"] for v in versions(cli, identity)]
    assert whats == ["added", "moved", "edited", "taken out", "brought back"]


def test_a_merge_of_branches_keeps_the_whole_history(project, cli, add):
    identity = add("Use npm for scripts.")
    git(project, "switch", "-qc", "side")
    cli("memory", "edit", identity, "--text", "Use pnpm for scripts.")
    git(project, "switch", "-q", "main")
    (project / "code.txt").write_text("x\n")
    git(project, "add", "code.txt")
    git(project, "commit", "-qm", "code")
    git(project, "merge", "-q", "--no-ff", "--no-edit", "side")
    cli("memory", "retire", identity)
    whats = [v["what"] for v in versions(cli, identity)]
    assert whats == ["added", "edited", "taken out"]


def test_a_memory_merged_away_has_its_history_and_an_unknown_one_has_none(cli, add):
    one, other = add("Use pnpm."), add("Prices are in cents.")
    cli("memory", "merge", one, other)
    assert [v["what"] for v in versions(cli, one)] == ["added", "taken out"]
    assert versions(cli, other)[-1]["what"] == "edited"
    for unknown in ("ffff", "%", "../x"):
        said = cli("memory", "history", unknown)
        assert (said.code, "not found" in said.err) == (1, True)


def test_check_does_not_miss_a_memory_that_was_retired_or_merged(project, cli, add):
    first = add("Use npm for scripts.")
    add("Use pnpm for scripts.", "--supersedes", first, "--force")
    cli("memory", "retire", first)
    assert "dangling" not in cli("check", "--format", "json").out
    (path,) = (project / "journal/memories/workflow").iterdir()
    unknown = ("e" if first[0] == "f" else "f") + first[1:]
    path.write_text(path.read_text().replace(first, unknown))
    assert "dangling-source" in cli("check", "--format", "json").out
