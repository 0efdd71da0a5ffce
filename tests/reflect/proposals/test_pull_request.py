"""What a pull request says is read by people and acted on by no git host."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.model import Evidence, Memory, Proposal, Verdict
from calmkb.wings.sharing.git.hosting import Request, compare_address
from calmkb.wings.sharing.requests.request import Digest, body_of, title_of, warning_of
from calmkb.wings.sharing.requests.review import read_review

MEMORY = Memory(
    id=str(UUID(int=1)), created_at=datetime(2026, 10, 1, tzinfo=UTC), category="error",
    text="Ask @ada | fixes #12 in team/shop#3 <img src=x> ```sh", sources=("a", "b"),
    evidence=(Evidence(quote="Closes #7 `x` \u202e@bob", source="5f0c6a0e", date="2026-10-01",
                       project="shop"),),
)  # fmt: skip
DIGEST = Digest("CLAUDE.md", "- a\n", "- a\n- b ``` @ada\n", 10, 14)


@pytest.mark.parametrize("boxes", [True, False])
def test_nothing_in_it_pings_closes_or_breaks_the_list(boxes):
    body = body_of([MEMORY], DIGEST, ["journal/memories/error/x.md"], boxes=boxes)
    row = next(line for line in body.splitlines() if "1. " in line)
    assert row.startswith("- [x] 1. " if boxes else "1. ")
    assert row.endswith("(error, global, low confidence, 2 sessions) `00000000`")
    assert "`@ada` \\| fixes `#12` in `team/shop#3` \\<img src=x\\>" in row
    assert "`#7`" in body and "`@bob`" in body and "\u202e" not in body
    assert body.count("```") == 2
    assert "about 14 tokens (+4)" in body


def test_a_warning_stands_with_its_proposal_and_acts_on_nothing():
    against = Verdict(kind="conflict", other=str(UUID(int=7)), text="Ask @bob, fixes #4")
    plain = Proposal(
        id="P-1", text="x", category="error", importance=0.5, confidence="low", scope="global",
        origin="person", evidence=(), evidence_hash="0",
    )  # fmt: skip
    opposed = replace(plain, verdict=against, contradicts="CLAUDE.md: line 3")
    body = body_of([MEMORY], DIGEST, ["a.md"], [warning_of(opposed)])
    (line,) = [one for one in body.splitlines() if one.startswith("**Look twice.**")]
    assert "Merging replaces the memory 00000000: Ask `@bob`, fixes `#4`" in line
    assert "Contradicts CLAUDE.md: line 3" in line
    assert "Look twice" not in body_of([MEMORY], DIGEST, ["a.md"], [warning_of(plain)])
    unknown = warning_of(replace(plain, scope="?"))
    assert "not exported until its file says `scope`" in unknown
    body = body_of([replace(MEMORY, scope="?")], DIGEST, ["a.md"], [unknown])
    assert "(error, scope unknown, low confidence" in body


def test_a_reviewer_unticks_and_says_why():
    other = replace(MEMORY, id=str(UUID(int=2**127 + 7)))
    body = body_of([MEMORY, other], DIGEST, ["a.md", "b.md"])
    assert read_review(body, []).unticked == frozenset()
    unticked = body.replace("- [x] 2.", "- [ ] 2.")
    said = read_review(unticked, ["Thanks!", "2: we use bun now.\n00000000: too vague"])
    assert said.unticked == {"80000000"}
    assert said.reasons == {"80000000": "we use bun now.", "00000000": "too vague"}
    assert said.last == "Thanks!"


@given(body=st.text(max_size=200), comments=st.lists(st.text(max_size=80), max_size=3))
def test_what_a_host_tells_of_nothing_of_ours_turns_nothing_down(body, comments):
    said = read_review(body, comments)
    assert not said.unticked
    assert all(len(one) <= 500 and "\n" not in one for one in said.reasons.values())


def test_a_box_within_a_quote_or_a_second_one_counts_for_nothing():
    body = body_of([MEMORY], DIGEST, ["a.md"])
    assert not read_review(f"{body}\n- [ ] 1. x `00000000`", []).unticked
    assert not read_review(body.replace("- [x]", "> - [ ]"), []).unticked


def test_a_long_body_is_cut_before_a_host_refuses_it():
    many = [replace(MEMORY, text="x" * 900)] * 200
    assert len(body_of(many, DIGEST, ["p"] * 200)) < 65_000


def test_one_learning_gives_its_words_to_the_title():
    assert title_of([MEMORY]).startswith("Learnt: Ask `@ada` | fixes `#12`")
    assert title_of([MEMORY, MEMORY]) == "2 learnings from 2 sessions"


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("git@github.com:team/shop.git", "https://github.com/team/shop/compare/main...calmkb/x?expand=1"),
        ("https://ada:secret@github.com/team/shop", "https://github.com/team/shop/compare/main...calmkb/x?expand=1"),
        ("ssh://git@gitlab.example.org:2222/a/b/c.git", "https://gitlab.example.org/a/b/c/-/merge_requests/new?merge_request%5Bsource_branch%5D=calmkb%2Fx"),
        ("https://bitbucket.org/a/b.git", "https://bitbucket.org/a/b/pull-requests/new?source=calmkb%2Fx"),
        ("https://codeberg.org/a/b.git", "https://codeberg.org/a/b/compare/main...calmkb/x"),
        ("/srv/git/team.git", ""), ("../team.git", ""), ("file:///srv/team.git", ""), ("", ""),
    ],
)  # fmt: skip
def test_the_page_that_opens_a_request_follows_from_the_remote(url, address):
    assert compare_address(url, Request("calmkb/x", "main", "t", "b")) == address
