"""`calmkb next`: open next steps of all sessions in one place, and on the site."""

import json
import re
from datetime import UTC, datetime, timedelta

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


def test_the_commit_of_a_long_step_has_a_subject_of_72_bytes(project, cli):
    wrap(cli, "Moved the tests.", f"Tell the team {'about the split ' * 9}.")
    assert cli("next", "done", listed(cli)[0]["id"]).code == 0
    subject = git(project, "log", "-1", "--format=%s").strip()
    assert subject.endswith("…")
    assert len(subject.encode()) <= 72


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

    (row,) = [one for one in pages["index.md"].split("\n") if "Next: [Tell the team about" in one]
    assert re.search(r"calmkb next done [0-9a-f]{8}<", row)
    assert "<span>Tell the team about the split.</span>" in pages["next/index.md"]
    assert "<del>Delete the old fixture.</del>" in pages["next/index.md"]
    assert "[done on" in pages["next/index.md"]


def back(project, id_, days):
    """Date an entry so many days back, as if its session had been wrapped up then."""
    (path,) = (project / "journal/sessions").rglob(f"*{id_[:8]}*")
    then = datetime.now(UTC) - timedelta(days=days)
    line = f"created_at: {then:%Y-%m-%dT%H:%M:%SZ}"
    path.write_text(re.sub(r"(?m)^created_at: .*$", line, path.read_text()))
    git(project, "commit", "-qam", "then")


def test_steps_that_nobody_named_for_seven_days_fold_away(project, cli):
    both = ("Delete the old fixture.", "Tell the team about the split.")
    back(project, wrap(cli, "Moved the tests.", *both), 12)
    back(project, wrap(cli, "Looked at the tests.", both[0]), 3)
    shown = cli("next").out

    assert both[0] in shown
    assert both[1] not in shown
    assert "1 older step: calmkb next --all" in shown
    assert both[1] in cli("next", "--all").out
    page = stage(load_library(project))["next/index.md"]
    assert page.index(both[0]) < page.index("<summary>1 older step</summary>") < page.index(both[1])
