"""Numbers that people ask for: friction, what it costs, the outcome of it."""

import contextlib
import json
import re
import sqlite3

from tests.conftest import git

HUNG = "`npm test` hung: the project uses pnpm."


def numbers(cli, *args: str) -> dict[str, object]:
    said = cli("stats", "--json", *args)
    assert said.code == 0, said.err
    return json.loads(said.out)


def test_friction_memories_cost_and_improvements_are_counted(project, cli, add, kept):
    for _ in range(2):
        cli("wrapup", "--summary", "Worked.", "--friction", HUNG)
    cli("wrapup", "--summary", "Worked.", "--friction", "The clock ran in local time.")
    add("Prices are in cents.", "--scope", "shop", category="fact")
    add("Say what a test is about in its name.", category="preference")
    kept("Searches for settings find nothing")
    found = numbers(cli)
    assert (found["friction_points"], found["friction_per_session"]) == (3, 1.0)
    assert (found["themes"], found["recurring"], found["unanswered"]) == (2, 1, 1)
    assert found["scopes"] == {"shop": 2}
    assert found["standing"] == {"low": 2, "medium": 0, "high": 0}
    assert 10 < found["digest_tokens"] < 100
    assert found["improvements"] == {"pending": 1, "applied": 0, "deferred": 0}
    said = cli("stats").out
    assert re.search(
        r"troubles: +1 in more than one session, 1 of them without a memory; 1 in one", said
    )
    assert re.search(r"digest: +about \d\d tokens\n", said)
    assert git(project, "status", "--porcelain") == "?? .claude/\n"


def test_of_what_there_is_nothing_there_is_no_row(project, cli):
    said = cli("stats").out
    assert not re.search(r"^[\w ]+: +-?$", said, re.MULTILINE)
    assert "scopes" not in said
    assert "reflections:      0\n" in said


def test_the_age_of_what_waits_for_a_review_is_told(project, cli):
    cli("wrapup", "--summary", "Worked.", "--friction", HUNG)
    journal = project / "journal"
    (new,) = journal.glob("sessions/*/*/*/*.md")
    text = re.sub(r"id: .*", "id: 5f0c6a0e-3f0e-4a6b-9a51-0f6f2b7f7c11", new.read_text(), count=1)
    text = re.sub(r"created_at: .*", "created_at: '2020-02-03T10:00:00+00:00'", text)
    place = journal / "sessions/2020/02/03/2020-02-03T100000Z-worked-5f0c6a0e.md"
    place.parent.mkdir(parents=True)
    place.write_text(text)
    found = numbers(cli)
    assert (found["unreflected"], found["unreflected_since"]) == (2, "2020-02-03T10:00:00+00:00")
    assert "2 not reflected on, the oldest of 2020-02-03\n" in cli("stats").out


def test_what_is_kept_of_the_counts_never_differs_from_counting(project, cli, add):
    """After each change the counts are those of a clone in which nothing is kept."""

    def caches():
        return list((project / ".git" / "calmkb").glob("derived-*.sqlite*"))

    def counted_anew() -> dict[str, object]:
        for cache in caches():
            cache.unlink()
        return numbers(cli)

    cli("wrapup", "--summary", "Worked.", "--friction", HUNG)
    memory = add("Prices are in cents.", "--scope", "shop", category="fact")
    (session,) = (project / "journal").glob("sessions/*/*/*/*.md")
    changes = [
        lambda: None,
        lambda: cli("wrapup", "--summary", "Worked.", "--friction", HUNG),
        lambda: session.write_text(session.read_text().replace(HUNG, "The disk was full.")),
        lambda: cli("memory", "feedback", memory, "harmful"),
        lambda: session.unlink(),
        lambda: (project / "calmkb.toml").write_text("[reflect]\ntheme = 0.99\n"),
    ]
    seen = []
    for change in changes:
        change()
        seen.append(numbers(cli))
        assert caches() and numbers(cli) == seen[-1] == counted_anew()
    assert len({json.dumps(one) for one in seen}) >= 5


def test_a_row_of_counts_that_is_damaged_is_not_believed(project, cli):
    cli("wrapup", "--summary", "Worked.", "--friction", HUNG)
    good = numbers(cli)
    (cache,) = (project / ".git" / "calmkb").glob("derived-*.sqlite")
    with contextlib.closing(sqlite3.connect(cache)) as db, db:
        db.execute("UPDATE derived SET value = replace(value, '\"entries\":1', '\"entries\":7')")

    assert numbers(cli) == good
