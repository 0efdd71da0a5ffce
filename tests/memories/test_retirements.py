"""Memories that may have had their day: found, told with the reason, and left to a person."""

import json
import os
from datetime import UTC, datetime, timedelta

import pytest

from calmkb.config import Config
from calmkb.documents import record_path, render
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.memories.backtest import backtests
from calmkb.kb.memories.feedback import feedback_given
from calmkb.kb.memories.memories import record_feedback
from calmkb.kb.memories.retirements import Retirement, retirements
from calmkb.kb.search.friction import session_texts
from calmkb.model import KEPT, Entry, Feedback, Memory
from calmkb.wings.proof.verbs.verify.memories import broken_memories
from tests.conftest import git
from tests.warm import without_terminal

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


def review(kb) -> tuple[Retirement, ...]:
    contents = read_contents(kb)
    texts, given = session_texts(kb, contents.sessions), feedback_given(kb, contents.memories)
    tests = backtests(kb, contents.memories, contents, texts, costs=False)
    return retirements(kb, contents, texts, given, tests)


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
    record_feedback(kb(), bad.id, KEPT, note="Still true of the old till.")
    assert grounds(kb(1)) == {}
    shown = git(project, "log", "-1", "--format=%s")
    assert shown.startswith("feedback(kept): ")
    record_feedback(kb(2), bad.id, "harmful")
    assert grounds(kb(3)) == {bad.text: ["harmful"]}
    record_feedback(kb(4), bad.id, KEPT)
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


def test_the_stale_are_listed_with_what_to_do_and_a_kept_one_is_not(cli, add):
    identity = add("Amounts are floats.")
    assert cli("memory", "report", "--stale").out == "No stale memories.\n"
    cli("memory", "feedback", identity, "harmful")
    said = cli("memory", "report", "--stale").out
    assert "verdicts on it: 1 harmful, 0 helpful" in said
    assert "calmkb memory feedback ID kept" in said
    found = json.loads(cli("memory", "report", "--stale", "--json").out)
    assert (found["count"], found["memories"][0]["grounds"][0]["kind"]) == (1, "harmful")
    assert cli("memory", "feedback", identity, "kept", "--note", "Of the old till.").code == 0
    assert cli("memory", "report", "--stale").out == "No stale memories.\n"


def test_an_agent_keeps_nothing(project, add):
    identity = add("Amounts are floats.")
    done = without_terminal(
        "memory", "feedback", identity, "kept", cwd=project, env=dict(os.environ)
    )
    assert (done.returncode, "person" in done.stderr) == (1, True)


def test_check_does_not_miss_a_memory_that_was_retired_or_merged(project, cli, add):
    first = add("Use npm for scripts.")
    add("Use pnpm for scripts.", "--supersedes", first, "--force")
    cli("memory", "retire", first)
    assert "dangling" not in cli("check", "--format", "json").out
    (path,) = (project / "journal/memories/workflow").iterdir()
    unknown = ("e" if first[0] == "f" else "f") + first[1:]
    path.write_text(path.read_text().replace(first, unknown))
    assert "dangling-source" in cli("check", "--format", "json").out
