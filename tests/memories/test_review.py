"""Memories that may have had their day: found, told with the reason, and left to a person."""

import json
import sys
from datetime import UTC, datetime, timedelta

import pytest

from calmkb.config import Config
from calmkb.documents import record_path, render
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.memories.memories import record_feedback
from calmkb.kb.memories.review import keep_memory, review
from calmkb.model import Entry, Feedback, Memory
from calmkb.wings.proof.verbs.verify.memories import broken_memories
from tests import warm
from tests.conftest import git

NOW = datetime(2026, 10, 19, 12, 0, 0, tzinfo=UTC)


def memory(number: int, text: str, *, age: float = 0, **more) -> Memory:
    return Memory(
        id=f"{number:08}-0000-4000-8000-000000000001",
        created_at=NOW - timedelta(days=age),
        text=text,
        category=more.pop("category", "workflow"),
        **more,
    )


def entry(number: int, friction: str, *, age: float = 0, project: str = "shop") -> Entry:
    return Entry(
        id=f"{number:08}-0000-4000-9000-000000000002",
        created_at=NOW - timedelta(days=age),
        summary="Worked.",
        project_name=project,
        friction_points=(friction,),
    )


def said(number: int, about: Memory, verdict: str, *, age: float = 0) -> Feedback:
    return Feedback(
        id=f"{number:08}-0000-4000-a000-000000000003",
        created_at=NOW - timedelta(days=age),
        memory=about.id,
        verdict=verdict,
    )


@pytest.fixture
def kb(project):
    def at(days: float = 0) -> KnowledgeBase:
        now = NOW + timedelta(days=days)
        return KnowledgeBase(
            project, Config(), Environment(home=project.parent, cwd=project, now=lambda: now)
        )

    return at


def keep(project, *records):
    for record in records:
        path = project / "journal" / record_path(record)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render(record))
    git(project, "add", "journal")
    git(project, "commit", "-qm", "records")


def grounds(kb) -> dict[str, list[str]]:
    return {item.memory.text: [ground.kind for ground in item.grounds] for item in review(kb)}


def test_a_fresh_memory_is_left_alone(project, kb):
    keep(project, memory(1, "Prices are in cents."))
    assert grounds(kb()) == {}


def test_grounds_are_told_the_gravest_first(project, kb):
    old = memory(1, "Use pnpm, not npm, for every script.", age=40)
    newer = memory(2, "Use npm, not pnpm, for every script.", age=3)
    bad = memory(3, "Amounts are floats.", age=30)
    quiet = memory(4, "The map tiles are cached for ten minutes.", age=200)
    gone = memory(5, "Dates are kept in UTC.", age=700)
    helped = memory(6, "The nightly report needs the database container.", age=200)
    keep(project, old, newer, bad, quiet, gone, helped)
    keep(
        project,
        said(1, bad, "harmful", age=9),
        said(2, helped, "helpful", age=2),
        said(3, gone, "harmful", age=9),
        said(4, gone, "helpful", age=600),
    )
    found = grounds(kb())
    assert found == {
        bad.text: ["harmful"],
        old.text: ["contradicted"],
        gone.text: ["stale"],
        quiet.text: ["unused"],
    }
    assert list(found) == [bad.text, old.text, gone.text, quiet.text]
    assert review(kb())[1].grounds[0].other == newer.id


def test_a_session_since_that_says_the_opposite_counts_and_one_before_does_not(project, kb):
    rule = memory(1, "Always run the migrations before the tests.", age=20, scope="shop")
    keep(project, rule, entry(1, "Never run the migrations before the tests.", age=30))
    assert grounds(kb()) == {}
    keep(project, entry(2, "Never run the migrations before the tests.", age=5, project="other"))
    assert grounds(kb()) == {}
    keep(project, entry(3, "Never run the migrations before the tests.", age=5))
    assert grounds(kb()) == {rule.text: ["contradicted"]}


def test_what_is_kept_is_asked_about_again_only_on_news_or_after_a_half_life(project, kb):
    bad = memory(1, "Amounts are floats.", age=30)
    keep(project, bad, said(1, bad, "harmful", age=9))
    keep_memory(kb(), bad, note="Still true of the old till.")
    assert grounds(kb(1)) == {}
    shown = git(project, "log", "-1", "--format=%s")
    assert shown.startswith("feedback(kept): ")
    record_feedback(kb(2), bad.id, "harmful")
    assert grounds(kb(3)) == {bad.text: ["harmful"]}
    keep_memory(kb(4), bad)
    assert grounds(kb(5)) == {}
    assert grounds(kb(200))[bad.text][0] == "harmful"


def test_a_memory_that_names_a_file_no_longer_there_is_brittle(project, kb):
    (project / "tools").mkdir()
    for name in ("tools/release.py", "setup.cfg"):
        (project / name).write_text("x\n")
    git(project, "add", ".")
    git(project, "commit", "-qm", "files")
    git(project, "rm", "-rq", "tools", "setup.cfg")
    git(project, "commit", "-qm", "tidy")
    items = [
        memory(1, "Release with `tools/release.py`.", scope="shop"),
        memory(2, "Node.js and never/was.py are fine, e.g. here.", scope="shop"),
        memory(3, "Release with `tools/release.py`.", scope="other"),
        memory(4, "See setup.cfg, calmkb.toml and ../x.py.", scope="shop"),
        memory(5, "All of it.", scope="shop", paths=("src/**", "*.toml")),
    ]
    found = broken_memories(kb(), items)
    assert {key: [one.name for one in broken] for key, broken in found.items()} == {
        items[0].id: ["tools/release.py"],
        items[3].id: ["setup.cfg"],
        items[4].id: ["src/**"],
    }


def test_without_a_terminal_the_list_is_printed_and_nothing_is_asked(cli, add):
    identity = add("Amounts are floats.")
    assert cli("memory", "review").out == "No stale memories.\n"
    cli("memory", "feedback", identity, "harmful")
    assert "verdicts on it: 1 harmful, 0 helpful" in cli("memory", "review").out
    found = json.loads(cli("memory", "review", "--json").out)
    assert (found["count"], found["memories"][0]["grounds"][0]["kind"]) == (1, "harmful")
    assert "Amounts are floats" in cli("memory", "list").out


def at_terminal(project, answers):
    """Review at a terminal: answer each memory by its words, else skip it; return the terminal."""
    child = warm.at_terminal("memory", "review", folder=project, dimensions=(40, 120))
    # The card above the keys, not those that were decided in an earlier review.
    card = r"(?s)\d of 4 · [^\n]*\n([^\n]*)\n(?:(?! of 4 · ).)*?\[a\]ccept"
    while child.expect([card, "Enter finishes"]) == 0:
        shown = child.match.group(1)
        child.expect("review> ")
        child.sendline(next((a for word, a in answers.items() if word in shown), "s"))
    child.expect("review> ")
    return child


@pytest.mark.skipif(sys.platform == "win32", reason="pexpect needs a pseudo-terminal")
def test_a_person_keeps_retires_merges_and_skips_at_a_terminal(project, cli, add):
    texts = ("Amounts are floats.", "Use npm for scripts.", "Dates are local.", "Ship on Fridays.")
    ids = [add(text) for text in texts]
    for identity in ids:
        cli("memory", "feedback", identity, "harmful")
    answers = {"Amounts": "r They are cents now.", "npm": "a", "local": f"m {ids[3]}"}
    child = at_terminal(project, answers)
    child.sendline("what?")
    child.expect("is not one of the choices")
    child.sendline("u")
    child.expect("Taken back.")
    child.sendline("q")
    child.expect("Your decisions are kept for the next time.")
    child.wait()
    assert len(json.loads(cli("memory", "list", "--json").out)["memories"]) == 4
    child = at_terminal(project, answers)
    child.sendline("")
    child.expect("Retired ([0-9a-f]{8}); git keeps it")
    child.expect("1 memory left for next time.")
    child.wait()
    left = [row["text"] for row in json.loads(cli("memory", "list", "--json").out)["memories"]]
    assert sorted(left) == ["Ship on Fridays.", "Use npm for scripts."]
    assert "They are cents now." in git(project, "log", "--format=%B")
    again = json.loads(cli("memory", "review", "--json").out)["memories"]
    assert [row["text"] for row in again] == ["Ship on Fridays."]
