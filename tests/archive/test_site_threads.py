"""A site shows sessions turn by turn only where a person switched it on, for one knowledge base."""

from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
from calmkb.kb.site.pages import load_library
from tests.archive.conftest import SILENT

NAME = "3f2a1b00-0000-4000-8000-000000000001"


def kept_and_written(session, cli):
    session(NAME, *SILENT)
    cli("keep")
    assert cli("wrapup", "--summary", "Wrapped errors.", "--session-id", NAME).code == 0


def test_no_turn_is_on_a_site_by_default(session, cli, project):
    kept_and_written(session, cli)
    assert load_library(project).threads == {}
    assert cli("site", "threads").out == "off: the site shows records alone\n"


def test_a_person_switches_it_on_and_off_again(session, cli, project):
    kept_and_written(session, cli)
    assert "do not publish it" in cli("site", "threads", "--on").out
    ((turns),) = load_library(project).threads.values()
    assert turns[1].text.startswith("Because cobra prints it")
    cli("site", "threads", "--off")
    assert load_library(project).threads == {}


def test_it_holds_for_this_knowledge_base_alone(session, cli, project, tmp_path, monkeypatch):
    kept_and_written(session, cli)
    cli("site", "threads", "--on")
    other = tmp_path / "other"
    project.rename(other)
    monkeypatch.chdir(other)
    assert load_library(other).threads == {}


def test_no_program_switches_it_on(session, cli, project):
    kept_and_written(session, cli)
    assert run(calmkb, ["site", "threads", "--on"], person=False) == 1
    assert load_library(project).threads == {}
