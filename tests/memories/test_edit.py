"""An approved memory changed by a person: the id and what calmkb does not know stay."""

import json
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from calmkb.config import Config
from calmkb.errors import StoreError
from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.filed import Filed
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.memories.edit import Edits, edit_memory, locate_both, merge_memories
from calmkb.kb.memories.files import locate
from calmkb.model import Memory
from tests.conftest import git


def files_of(project: Path) -> list[str]:
    return git(project, "ls-files", "journal/memories").split()


def open_here(project: Path) -> KnowledgeBase:
    return KnowledgeBase(project, Config(), process_environment())


def test_the_editor_changes_the_words_and_nothing_else(project, cli, add, editor):
    identity = add("Use pnpm for scripts.")
    before = files_of(project)
    editor('sed -i.bak \'s/scripts/every script/\' "$1" && rm "$1.bak"')
    assert (
        cli("memory", "edit", identity[:8]).out
        == f"Edited {identity}: Use pnpm for every script.\n"
    )
    assert files_of(project) == before
    assert git(project, "log", "-1", "--format=%s").startswith("edit(workflow): Use pnpm")
    assert git(project, "status", "--porcelain") == ""


def test_an_edit_that_changes_nothing_writes_nothing(project, cli, add, editor):
    identity = add("Use pnpm for scripts.")
    tip = git(project, "rev-parse", "HEAD")
    editor("true")
    assert "Nothing has changed" in cli("memory", "edit", identity).out
    assert "Nothing has changed" in cli("memory", "edit", identity, "--importance", "0.5").out
    assert git(project, "rev-parse", "HEAD") == tip


def test_an_empty_text_is_refused(cli, add, editor):
    identity = add("Use pnpm for scripts.")
    editor(': > "$1"')
    said = cli("memory", "edit", identity)
    assert (said.code, "empty" in said.err) == (1, True)


def test_a_new_category_moves_the_file_in_the_same_commit_and_keeps_the_id(project, cli, add):
    identity = add("Prices are in cents.")
    assert cli("memory", "edit", identity, "--category", "fact", "--scope", "shop").code == 0
    (path,) = files_of(project)
    assert path.startswith("journal/memories/fact/")
    shown = git(project, "show", "--format=", "--name-status", "--no-renames", "HEAD")
    assert [line[0] for line in shown.splitlines()] == ["A", "D"]
    fields = json.loads(cli("memory", "show", identity, "--json").out)
    assert (fields["id"], fields["category"], fields["scope"]) == (identity, "fact", "shop")


def test_front_matter_of_a_persons_own_survives(project, cli, add):
    add("Prices are in cents.")
    path = project / files_of(project)[0]
    path.write_text(path.read_text().replace("origin:", "reviewed: 0123\norigin:"))
    git(project, "commit", "-qam", "by hand")
    identity = json.loads(cli("memory", "list", "--json").out)["memories"][0]["id"]
    cli("memory", "edit", identity, "--text", "Prices are in cents, never floats.")
    assert "reviewed: 0123\n" in path.read_text()
    assert "never floats" in path.read_text()


def test_paths_are_set_and_cleared(cli, add):
    identity = add("Prices are in cents.")
    cli("memory", "edit", identity, "--path", "shop/**", "--path", "cart/*.ts")
    assert json.loads(cli("memory", "show", identity, "--json").out)["paths"] == [
        "shop/**",
        "cart/*.ts",
    ]
    cli("memory", "edit", identity, "--path", "")
    assert json.loads(cli("memory", "show", identity, "--json").out)["paths"] == []
    said = cli("memory", "edit", identity, "--path", "/etc/*")
    assert (said.code, "not a relative path inside the repository" in said.err) == (1, True)


def test_what_somebody_committed_meanwhile_is_not_overwritten(project, add):
    identity = add("Prices are in cents.")
    kb = open_here(project)
    mine, theirs = locate(kb, identity), locate(kb, identity)
    edit_memory(kb, theirs, Edits(text="Prices are in whole cents."), approved_by="ada@example.org")
    with pytest.raises(StoreError, match="changed by someone else meanwhile; nothing was written"):
        edit_memory(kb, mine, Edits(text="Prices are in euros."), approved_by="ada@example.org")
    with pytest.raises(StoreError, match="changed by someone else"):
        edit_memory(kb, mine, Edits(category="fact"), approved_by="ada@example.org")
    assert locate(kb, identity).record.text == "Prices are in whole cents."
    assert git(project, "status", "--porcelain") == ""


def rival(project: Path, filed: Filed[Memory], number: int) -> str:
    try:
        edit_memory(
            open_here(project),
            filed,
            Edits(text=f"Prices are in cents, says {number}."),
            approved_by="ada@example.org",
        )
    except StoreError as error:
        return str(error)
    return "done"


def test_of_many_who_edit_the_same_words_at_once_one_wins_and_the_others_are_told(project, add):
    filed = locate(open_here(project), add("Prices are in cents."))
    context = get_context("forkserver" if hasattr(os, "fork") else "spawn")
    context.set_forkserver_preload([__name__])  # or each would import calmkb
    with ProcessPoolExecutor(4, mp_context=context) as pool:
        said = list(pool.map(rival, [project] * 4, [filed] * 4, range(4)))
    assert said.count("done") == 1
    assert sum("changed by someone else" in words for words in said) == 3
    assert git(project, "rev-list", "--count", "HEAD").strip() == "3"
    assert git(project, "status", "--porcelain") == ""


def test_words_changed_by_hand_and_not_committed_are_not_overwritten(project, cli, add):
    identity = add("Prices are in cents.")
    path = project / files_of(project)[0]
    path.write_text(path.read_text().replace("cents", "pence"))
    said = cli("memory", "edit", identity, "--text", "Prices are in euros.")
    assert (said.code, "uncommitted changes" in said.err) == (1, True)
    assert "pence" in path.read_text()


def test_a_merge_unites_what_both_rest_on_and_takes_one_out(project, cli, add):
    one = add("Use pnpm for scripts.", "--tag", "tools")
    other = add("Run every script with pnpm, as npm rewrites the lock.", "--tag", "npm")
    assert cli("memory", "feedback", one, "helpful").out == "1 helpful, 0 harmful\n"
    assert cli("memory", "merge", one[:8], other[:8]).code == 0
    assert len(files_of(project)) == 1
    assert git(project, "log", "-1", "--format=%s").startswith("merge(workflow): Run every")
    fields = json.loads(cli("memory", "show", other, "--json").out)
    assert (fields["merged"], fields["tags"]) == ([one], ["npm", "tools"])
    assert (fields["text"][:3], fields["helpful"]) == ("Run", 1)
    # What an agent still calls by its old id counts for the one that stands.
    assert cli("memory", "feedback", one, "harmful").out == "1 helpful, 1 harmful\n"
    said = cli("memory", "retire", one)
    assert (said.code, f"merged into {other}" in said.err) == (1, True)


def test_a_merge_of_a_merge_keeps_all_ids_and_counts(cli, add):
    ids = [add(text) for text in ("Use pnpm.", "Prices are in cents.", "Dates are in UTC.")]
    for identity in ids:
        cli("memory", "feedback", identity, "helpful")
    cli("memory", "merge", ids[0], ids[1])
    cli("memory", "merge", ids[1], ids[2], "--text", "All of it.")
    fields = json.loads(cli("memory", "show", ids[2], "--json").out)
    assert (fields["merged"], fields["helpful"]) == ([ids[1], ids[0]], 3)
    assert fields["text"] == "All of it."


def test_opposites_are_merged_only_by_force(project, cli, add):
    one = add("Use pnpm, not npm, for scripts.")
    other = add("Use npm, not pnpm, for scripts.", "--force")
    said = cli("memory", "merge", one, other)
    assert (said.code, "opposite things" in said.err) == (1, True)
    assert len(files_of(project)) == 2
    assert cli("memory", "merge", one, other, "--force").code == 0
    said = cli("memory", "merge", other, other)
    assert (said.code, "into itself" in said.err) == (1, True)


def test_a_merge_of_what_has_changed_meanwhile_is_refused(project, add):
    kb = open_here(project)
    one, other = add("Use pnpm."), add("Prices are in cents.")
    gone, into = locate_both(kb, one, other)
    edit_memory(kb, gone, Edits(text="Use pnpm everywhere."), approved_by="ada@example.org")
    with pytest.raises(StoreError, match="changed by someone else"):
        merge_memories(kb, gone, into, approved_by="ada@example.org")
    assert len(files_of(project)) == 2


def test_a_duplicate_or_a_contradiction_is_said_before_it_is_added(cli, add):
    first = add("Use pnpm, not npm, for every script.")
    said = cli("memory", "add", "Use pnpm, not npm, for every script.", "--category", "fact")
    assert (said.code, "says the same as" in said.err, "--force" in said.err) == (1, True, True)
    against = ("memory", "add", "Use npm, not pnpm, for every script.", "--category", "workflow")
    said = cli(*against)
    assert (said.code, "contradicts" in said.err, "--supersedes" in said.err) == (1, True, True)
    assert cli(*against, "--supersedes", first[:8]).code == 0
    assert "superseded by" in cli("memory", "show", first).out
    # What was replaced is no longer in the way.
    assert cli("memory", "add", "Use pnpm, not npm, for every script.", "--category", "workflow",
               "--scope", "shop", "--force").code == 0  # fmt: skip


def test_a_memory_of_another_project_is_not_in_the_way(cli, add):
    add("Use pnpm, not npm, for every script.", "--scope", "another")
    add("Use pnpm, not npm, for every script.")
    said = cli("memory", "add", "Use npm, not pnpm, for every script.", "--scope", "global")
    assert (said.code, "contradicts" in said.err) == (1, True)


def test_the_reason_for_retiring_is_in_the_message(project, cli, add):
    identity = add("Use pnpm.")
    cli("memory", "retire", identity[:8], "--reason", "We went to bun.\nSee the decision.")
    body = git(project, "log", "-1", "--format=%B")
    assert body.startswith("retire(workflow): Use pnpm.\n\nWe went to bun.\nSee the decision.\n\n")
    assert f"Calm-Memory: {identity}" in body
