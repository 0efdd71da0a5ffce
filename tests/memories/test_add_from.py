"""`memory add --from`: a memory by hand carries what shows it."""

import json

import pytest

from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.search.friction import friction_themes, session_texts

HANGS = "`npm test` hung: the project uses pnpm, and the lock file was rewritten."
RULE = "Run the tests with pnpm."


@pytest.fixture
def sessions(project, cli):
    made = [cli("wrapup", "--summary", f"Cart {n}.", "--friction", HANGS, "--json") for n in (1, 2)]
    return [json.loads(one.out)["id"] for one in made]


def trouble():
    kb = open_kb(process_environment())
    found = read_contents(kb)
    (theme,) = friction_themes(kb, session_texts(kb, found.sessions), found)
    return theme


def test_a_trouble_gives_its_quotes_and_sessions_and_is_answered(cli, sessions):
    said = cli("memory", "add", RULE, "--from", trouble().id)
    assert said.code == 0, said.err
    assert said.err == "workflow, shop, from 2 sources\n"
    (memory,) = json.loads(cli("memory", "list", "--json").out)["memories"]
    shown = json.loads(cli("memory", "show", memory["id"], "--json").out)
    assert sorted(shown["sources"]) == sorted(sessions)
    assert [one["quote"] for one in shown["evidence"]] == [HANGS, HANGS]
    assert trouble().memory_id == memory["id"]


def test_a_session_gives_what_it_says_of_the_words(cli, sessions):
    assert cli("memory", "add", RULE, "--from", sessions[0][:8], "--category", "fact").code == 0
    (memory,) = json.loads(cli("memory", "list", "--json").out)["memories"]
    shown = json.loads(cli("memory", "show", memory["id"], "--json").out)
    assert (shown["category"], shown["sources"]) == ("fact", [sessions[0]])
    assert shown["evidence"][0]["quote"] == HANGS


def test_a_source_that_there_is_not_is_refused_and_nothing_is_written(cli, sessions):
    said = cli("memory", "add", RULE, "--from", "ffffffff")
    assert said.code == 1
    assert "'ffffffff' is not one session entry or signal, nor a trouble" in said.err
    assert cli("memory", "list").out == "No memories found.\n"


def test_a_memory_of_a_project_holds_there_and_outside_any_everywhere(
    cli, project, home, monkeypatch
):
    assert "shop" in cli("memory", "add", "Prices are in whole cents.").err
    monkeypatch.chdir(home)
    assert "global" in cli("memory", "add", "Write short commit subjects.").err
