"""What a person reads of a memory: whole, visible, and what was said of it."""

import json

from tests.conftest import git


def test_show_prints_confidence_and_feedback(cli, add):
    identity = add("Prices are in cents.", "--path", "till/**", "--tag", "money", category="fact")
    cli("memory", "feedback", identity, "helpful")
    cli("memory", "feedback", identity, "harmful")
    shown = cli("memory", "show", identity[:8]).out
    assert "scope:         shop, till/**" in shown
    assert "confidence:    low; now low (0.50)" in shown  # 0.75 by two supports, times two thirds
    assert "feedback:      1 helpful, last on " in shown
    assert "1 harmful" in cli("memory", "list").out
    row = json.loads(cli("memory", "list", "--json").out)["memories"][0]
    assert (row["helpful"], row["harmful"], row["confidence_now"]) == (1, 1, "low")
    fields = json.loads(cli("memory", "show", identity, "--json").out)
    assert (fields["tags"], fields["paths"]) == (["money"], ["till/**"])


def test_nothing_in_a_memory_steers_the_terminal(project, cli, add):
    identity = add("Prices are in cents.")
    (path,) = (project / "journal/memories/workflow").iterdir()
    hostile = "Prices\\x1b[2J \u202eare in cents.".replace("\\x1b", "\x1b")
    path.write_text(
        path.read_text()
        .replace("Prices are in cents.", hostile)
        .replace("scope: shop", 'scope: "sh\\eop"')
    )
    git(project, "-c", "user.name=E\x1b[2Jve", "-c", "user.email=", "commit", "-qam", "x\x1b[2J")
    said = cli("memory", "show", identity)
    assert said.code == 0, said.err
    assert not {"\x1b", "\u202e"} & set(said.out)
    assert "\x1b" not in cli("memory", "list").out


def test_the_help_names_every_verb(cli):
    listed = cli("memory", "--help").out
    for verb in ("list", "find", "add", "edit", "merge", "retire", "report"):
        assert f"  {verb} " in listed
        assert cli("memory", verb, "--help").code == 0


def test_a_memory_that_two_ids_begin_with_is_asked_for_more_exactly(project, cli, add):
    identity = add("Prices are in cents.")
    (path,) = (project / "journal/memories/workflow").iterdir()
    other = path.with_name("by-hand.md")
    other.write_text(path.read_text().replace(identity, identity[:-4] + "0000"))
    git(project, "add", ".")
    git(project, "commit", "-qm", "by hand")
    said = cli("memory", "show", identity[:8])
    assert (said.code, "not unique" in said.err) == (1, True)
    assert cli("memory", "show", identity).code == 0
