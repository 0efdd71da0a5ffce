"""The review of proposals: what is decided, taken back, and gone on with another time."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from wcwidth import width

from calmkb.cli.reflect.proposal_items import item_of
from calmkb.cli.reflect.review import ProposalReview
from calmkb.cli.review.loop import rows
from calmkb.cli.review.screen import card, wrapped
from calmkb.errors import CalmError
from calmkb.model import Evidence, Proposal, Verdict
from calmkb.model.memories.backtest import Backtest, Cost, Occurrence

WIDE = "データベースのコンテナを先に起動する 🚀 run `docker compose up -d db` first, " * 3


def proposal(number, category="error", **more):
    return Proposal(
        id=f"P-{number}", text=f"Text {number}.", category=category, importance=0.5,
        confidence="low", origin="agent", evidence=(), evidence_hash="0" * 16,
        **{"scope": "global"} | more,
    )  # fmt: skip


@pytest.fixture
def begin():
    """Return a function that begins a review; what it keeps is in its `kept`."""

    def make(*proposals, acts=(), check=lambda one: None, **more):
        kept = []
        kind = ProposalReview(proposals, acts, keep=kept.append, check=check, **more)
        kind.kept = kept
        return kind

    return make


def states(kind):
    return "".join(kind.state(n)[0] for n in range(1, len(kind.items) + 1))


@pytest.mark.parametrize(("turns", "told"), [(0, ""), (1, ", about 1 turn lost")])
def test_the_later_sessions_of_a_proposal_are_told_with_their_turns(turns, told):
    at = datetime(2026, 3, 2, tzinfo=UTC)
    met = Occurrence(session="E-1", session_id="", date="2026-03-02", quote="It broke.",
                     chance=1.0, cost=Cost(turns))  # fmt: skip
    found = Backtest(id="P-1", text="Text 1.", approved_at=None, since=at, sessions=1, met=(met,))
    facts = item_of(proposal(1, backtest=found)).facts
    assert facts.endswith(f"1 later session hit the same problem{told}")


def test_decisions_are_kept_line_by_line_and_taken_back_so(begin):
    kind = begin(*(proposal(n) for n in range(1, 6)))
    kind.decide("accept", [1, 2, 3], "")
    kind.decide("reject", [3, 5], "only true on my machine")
    assert states(kind) == "aaror"
    assert [one.reason for one in kind.held.in_order()][2:] == ["only true on my machine"] * 2
    assert kind.undo() == ([3, 5], "Taken back.")
    assert states(kind) == "aaaoo"
    kind.decide("skip", [1], "")
    assert states(kind) == "oaaoo"
    kind.undo()
    kind.undo()
    assert states(kind) == "ooooo"
    assert kind.kept[-1] == []
    with pytest.raises(CalmError, match="nothing to undo"):
        kind.undo()


def test_an_earlier_review_is_gone_on_with_and_taken_back_line_by_line(begin):
    first = begin(proposal(1), proposal(2))
    first.decide("reject", [1], "vague")
    first.decide("accept", [2], "")
    again = begin(proposal(1), proposal(2), acts=first.kept[-1])
    assert states(again) == "ra"
    assert again.undo()[0] == [2]
    assert again.undo()[0] == [1]
    changed = begin(proposal(3), proposal(2), acts=first.kept[-1])
    assert states(changed) == "oa"


def test_a_memory_is_replaced_only_where_that_is_chosen(begin):
    verdict = Verdict(kind="conflict", other="4ea43f54-7d0e", text="Not pnpm!", similarity=0.6)
    kind = begin(proposal(1, verdict=verdict), proposal(2))
    kind.decide("accept", [1], "")
    assert kind.held.of(1).into == ""
    assert kind.decide("replace", [1], "") == "replaces the memory 4ea43f54"
    assert (kind.held.of(1).action, kind.held.of(1).into) == ("replace", "4ea43f54-7d0e")
    with pytest.raises(CalmError, match="this contradicts no memory; name one after the key"):
        kind.decide("replace", [2], "")
    assert "x accepts this and replaces that one; a keeps both" in kind.items[0].warnings[0]


def test_a_proposal_goes_into_the_memory_named_or_the_one_it_resembles(begin):
    verdict = Verdict(kind="new", other="0c9d51b2-7d0e", text="Alike.", similarity=0.5)
    kind = begin(replace(proposal(1), verdict=verdict), proposal(2))
    kind.decide("merge", [1], "")
    kind.decide("merge", [2], "5f0c6a0e")
    assert [one.into for one in kind.held.in_order()] == ["0c9d51b2-7d0e", "5f0c6a0e"]
    with pytest.raises(CalmError, match="this resembles no memory; name one"):
        begin(proposal(1)).decide("merge", [1], "")


def test_a_decision_that_cannot_be_applied_is_not_kept(begin):
    def refuse(decision):
        raise CalmError("names no memory to merge into")

    kind = begin(proposal(1), check=refuse)
    with pytest.raises(CalmError, match="names no memory"):
        kind.decide("merge", [1], "ffff")
    assert (states(kind), kind.kept) == ("o", [])


def test_a_text_that_a_verb_does_not_take_is_refused(begin):
    with pytest.raises(CalmError, match="accept takes no text; e edits the words"):
        begin(proposal(1)).decide("accept", [1], "better words")


@pytest.mark.parametrize(
    ("word", "scope", "paths"),
    [("here", "shop", ()), ("everywhere", "global", ()), ("billing", "billing", ()),
     ("src/pay/**", "shop", ("src/pay/**",))],
)  # fmt: skip
def test_where_nobody_knows_the_scope_a_person_says_it(begin, word, scope, paths):
    one = proposal(1, scope="?")
    assert "where does it apply?" in " ".join(item_of(one).warnings)
    kind = begin(one, here="shop")
    kind.decide("accept", [1], word)
    (made,) = kind.held.in_order()
    assert (made.scope, made.paths) == (scope, paths)
    assert f"low confidence, {scope}" in kind.items[0].facts


def test_here_is_refused_where_no_project_is_open(begin):
    with pytest.raises(CalmError, match="no project is open here"):
        begin(proposal(1, scope="?")).decide("accept", [1], "here")


def test_they_are_asked_about_group_by_group(begin):
    kind = begin(proposal(1, "preference"), proposal(2), proposal(3, "fact"), proposal(4))
    assert [item.id for item in kind.items] == ["P-2", "P-4", "P-3", "P-1"]
    listed = rows(kind)
    assert listed.index("Debugging Insights") < listed.index("Codebase Knowledge")
    assert "[ ]   3. Text 3." in listed


@pytest.mark.parametrize("columns", [40, 70, 100, 200])
def test_no_line_is_wider_than_the_terminal_and_no_word_is_broken(begin, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    quote = Evidence(quote=WIDE, source="0c9d51b2", date="2026-10-07", project="shop")
    kind = begin(replace(proposal(1), text=WIDE, evidence=(quote,) * 4))
    shown = card(kind.items[0], 1, 1, "accepted", full=True) + "\n" + rows(kind)
    lines = shown.splitlines()
    assert max(map(width, lines)) <= min(columns, 120)
    assert sum(line.count("compose") for line in lines) >= 12
    assert [one for one in wrapped(WIDE, "  ") if not one.startswith("  ")] == []


def test_evidence_is_folded_until_it_is_asked_for():
    quotes = tuple(
        Evidence(quote=f"Quote {n}.", source=f"{n}" * 8, date="2026-10-07", project="shop")
        for n in range(5)
    )
    item = item_of(replace(proposal(1), evidence=quotes))
    folded, full = card(item, 3, 10, "open"), card(item, 3, 10, "open", full=True)
    assert "3 of 10" in folded
    assert "Quote 1." in folded and "Quote 2." not in folded
    assert "- and 3 more (v shows all)" in folded
    assert "Quote 4." in full and "more" not in full


def test_a_prohibition_is_shown_and_accepted_with_one_word(begin):
    never = "Never use `npm`; use `pnpm`."
    one = proposal(1, guardrail=never)
    assert f"as a prohibition (e never): {never}" in item_of(one).hints
    kind = begin(one)
    assert kind.decide("edit", [1], "never") == f"accepted as: {never}"
    assert kind.held.of(1).text == never
