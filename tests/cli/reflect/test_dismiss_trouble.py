"""`reflect --dismiss`: a person says that a trouble is none, and it stays away."""

import json
import shlex
import subprocess

import pytest

from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.wings.site.verbs.pages import library
from tests.conftest import git

HANGS = "`npm test` hung: the project uses pnpm, and the lock file was rewritten."
TALK = "Wait please, let us talk about this first."


@pytest.fixture
def team(tmp_path, cli, monkeypatch):
    """Return a function that goes to a clone; the first holds two troubles of two sessions."""
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "team.git")

    def at(name):
        if not (tmp_path / name).exists():
            git(tmp_path, "clone", "-q", "team.git", name)
        monkeypatch.chdir(tmp_path / name)

    at("one")
    assert cli("init", ".").code == 0
    git(tmp_path / "one", "add", ".")
    git(tmp_path / "one", "commit", "-qm", "begin")
    for _ in range(2):
        wrap(cli)
    return at


def wrap(cli):
    said = cli("wrapup", "--summary", "Cart.", "--friction", HANGS, "--friction", TALK)
    assert said.code == 0, said.err


def troubles():
    return {theme.statement: theme for theme in library(open_kb(process_environment())).themes}


def test_it_leaves_the_site_the_figures_and_the_proposals_for_good_and_in_every_clone(team, cli):
    said = cli("reflect", "--dismiss", troubles()[TALK].id[:6])
    assert said.code == 0, said.err
    assert TALK in said.out
    assert "- 0 memories kept, 1 rejected\n" in cli("site", "week").out
    wrap(cli)  # the same words again are no new evidence
    assert list(troubles()) == [HANGS]
    assert troubles()[HANGS].sessions == 3
    assert json.loads(cli("stats", "--json").out)["themes"] == 1
    assert TALK not in {
        one["text"] for one in json.loads(cli("reflect", "--json").out)["proposals"]
    }
    assert cli("sync").code == 0
    team("two")
    assert list(troubles()) == [HANGS]


def test_what_is_dismissed_in_a_review_is_no_trouble_either(team, cli, tmp_path):
    document = json.loads(cli("reflect", "--all", "--json").out)
    for proposal in document["proposals"]:
        proposal["decision"] = "dismiss" if proposal["text"] == TALK else None
    (tmp_path / "d.json").write_text(json.dumps(document))
    said = cli("reflect", "--all", "--apply", str(tmp_path / "d.json"))
    assert (said.code, list(troubles())) == (0, [HANGS]), said.err


def test_the_command_that_it_names_brings_it_back(team, cli, tmp_path):
    undo = cli("reflect", "--dismiss", troubles()[TALK].id).out.partition("Undo it with: ")[2]
    subprocess.run(shlex.split(undo), check=True, cwd=tmp_path / "one", capture_output=True)
    assert set(troubles()) == {HANGS, TALK}


def test_an_id_of_no_trouble_is_named_and_nothing_is_written(team, cli, tmp_path):
    before = git(tmp_path / "one", "rev-parse", "HEAD")
    said = cli("reflect", "--dismiss", "ffffffff")
    assert (said.code, said.err) == (
        1, "Error: 'ffffffff' is no trouble; its page on the site names its id\n",
    )  # fmt: skip
    assert git(tmp_path / "one", "rev-parse", "HEAD") == before
