"""What the site says of a memory beside its words."""

from dataclasses import replace
from datetime import timedelta

from calmkb.model import Approval, FeedbackCounts, Library
from calmkb.model.memories.backtest import Backtest, Occurrence
from calmkb.wings.site.staging.stage import stage
from tests.wings.site.sample import CENTS, LIBRARY


def page_of(library: Library) -> str:
    return next(text for uri, text in stage(library).items() if CENTS.id[:8] in uri)


def test_a_memorys_page_shows_its_feedback():
    text = page_of(replace(LIBRARY, feedback={CENTS.id: FeedbackCounts(3, 1)}))
    assert "3 helpful, 1 harmful" in text
    assert ">Feedback<" not in page_of(LIBRARY)


def test_a_memorys_page_tells_what_it_would_have_saved():
    entry = LIBRARY.sessions[0].entry
    again = Occurrence(
        session=entry.id, session_id="", date="2026-10-19",
        quote="Money as a float <b>lost</b> a cent again.", chance=0.8,
    )  # fmt: skip
    test = Backtest(
        id=CENTS.id, text=CENTS.text, approved_at=CENTS.created_at,
        since=entry.created_at - timedelta(days=1), sessions=12, sessions_since=8, met=(again,),
        possible=(replace(again, session="gone", chance=0.3),),
    )  # fmt: skip
    library = replace(LIBRARY, backtests={CENTS.id: test})
    text = page_of(library)
    assert "Not hit since: 0 of 8 sessions since its approval hit the problem; before it, " in text
    assert "1 to 2 of 4 did; chance of so few" in text
    assert f"calmkb backtest {CENTS.id[:8]}" in text
    assert "lost" in text
    assert "<b>" not in text
    assert "Did the trouble come back" not in page_of(LIBRARY)


def test_one_page_tells_what_still_costs_what_changed_and_what_is_enforced():
    entry = LIBRARY.sessions[0].entry
    again = Occurrence(session=entry.id, session_id="", date="2026-10-19", quote="x", chance=1)
    test = Backtest(
        id=CENTS.id, text=CENTS.text, approved_at=CENTS.created_at, since=CENTS.created_at,
        sessions=3, sessions_since=3, met_since=(again,),
    )  # fmt: skip
    enforced = replace(CENTS, enforce="block", checks=("never write float( in **/*.py",))
    memories = tuple(enforced if m.id == CENTS.id else m for m in LIBRARY.memories)
    pages = stage(replace(
        LIBRARY, memories=memories, backtests={CENTS.id: test},
        anchors={CENTS.id: (("src/pay.py:`cents`", "gone"), ("make lint", "held"))},
    ))  # fmt: skip
    text = pages["memories/proof/index.md"]
    assert "hit again: 1 of 3 sessions since its approval hit the problem" in text
    assert ">gone<" in text
    assert "make lint" not in text
    assert "enforced: agents are stopped" in text
    assert "memories/proof/index.md" in pages["index.md"] or "proof" in pages["memories/index.md"]
    assert "memories/proof/index.md" not in stage(replace(LIBRARY, anchors={}, backtests={}))


def test_hostile_paths_of_a_memory_stay_text():
    memory = replace(CENTS, paths=("<script>x</script>/**", "[a](javascript:b)"))
    text = page_of(replace(LIBRARY, memories=(memory,)))
    assert "<script>" not in text
    assert r"\[a\](javascript" in text  # brackets are escaped: no link


def test_a_memorys_page_tells_who_committed_what_another_is_said_to_approve():
    mallory = "mallory@evil.example"
    forged = Approval("ada@example.org", mallory, differs=True)
    pages = stage(replace(LIBRARY, approvals={CENTS.id: forged}))
    text = next(text for uri, text in pages.items() if CENTS.id[:8] in uri)
    assert "But committed by</span> <span>mallory</span>" in text
    assert "But committed by" not in page_of(LIBRARY)
