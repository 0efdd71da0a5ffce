"""`calmkb site week`: the week in a few lines, the same as on its page."""

import json

from calmkb.wings.site.staging.stage import stage
from calmkb.wings.site.verbs.pages import load_library


def test_the_week_of_today_is_printed_as_its_page_has_it(project, cli):
    done = cli("wrapup", "--summary", "Moved the tests.", "--next", "Delete the old fixture.")
    assert done.code == 0, done.err
    printed = json.loads(cli("digest", "--json").out)
    page = stage(load_library(project))[f"weeks/{printed['week']}.md"]

    assert "1 session, 0 the week before" in printed["markdown"]
    assert "- Delete the old fixture." in cli("digest", "--week", printed["week"]).out
    assert f"calmkb site week --week {printed['week']}" in page


def test_a_week_without_a_record_says_so_and_one_that_is_none_is_refused(project, cli):
    assert "No session." in cli("digest", "--week", "2019-W01").out
    for wrong in ("2026-W99", "monday"):
        refused = cli("digest", "--week", wrong)
        assert refused.code == 1
        assert "`this` or `last`" in refused.err
