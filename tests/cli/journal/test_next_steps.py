"""`calmkb next`: open next steps of all sessions in one place, and on the site."""

import json

from calmkb.wings.site.staging.stage import stage
from calmkb.wings.site.verbs.pages import load_library
from tests.conftest import git


def wrap(cli, summary, *steps):
    more = [word for step in steps for word in ("--next", step)]
    done = cli("wrapup", "--summary", summary, "--json", *more)
    assert done.code == 0, done.err
    return json.loads(done.out)["id"]


def listed(cli, *more):
    return json.loads(cli("next", "list", "--json", *more).out)["steps"]


def test_steps_are_listed_with_project_and_age_until_they_are_marked(project, cli):
    wrap(cli, "Moved the tests.", "Delete the old fixture.", "Tell the team about the split.")
    shown = cli("next", "list")
    first, second = listed(cli)

    assert f"{first['id']}  Delete the old fixture." in shown.out
    assert "0 days old" in shown.out
    assert cli("next", "done", first["id"][:6]).out == "Done: Delete the old fixture.\n"
    assert [step["id"] for step in listed(cli)] == [second["id"]]
    assert listed(cli, "--done")[0]["done_by"]
    assert "done Delete the old fixture." in git(project, "log", "-1", "--format=%s")
    assert cli("check").code == 0


def test_a_later_session_finishes_a_step_and_is_named(project, cli):
    wrap(cli, "Moved the tests.", "Delete the old fixture.")
    later = wrap(cli, "Deleted the old fixture.")

    assert cli("next", "list").out == "Nothing is left to do.\n"
    assert f"session {later[:8]}" in cli("next", "list", "--done").out


def test_an_id_that_is_not_open_is_refused_with_the_command_that_lists_them(project, cli):
    wrap(cli, "Moved the tests.", "Delete the old fixture.")
    refused = cli("next", "done", "ffffffff")

    assert refused.code == 1
    assert "list them with: calmkb next" in refused.err


def test_the_site_lists_them_and_strikes_out_what_is_done(project, cli):
    wrap(cli, "Moved the tests.", "Delete the old fixture.", "Tell the team about the split.")
    wrap(cli, "Deleted the old fixture.")
    pages = stage(load_library(project))

    assert "[1 open next step](next/index.md)" in pages["index.md"]
    assert "<span>Tell the team about the split.</span>" in pages["next/index.md"]
    assert "<del>Delete the old fixture.</del>" in pages["next/index.md"]
    assert "[done on" in pages["next/index.md"]
