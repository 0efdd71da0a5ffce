"""Search: what is found, in which order, and that no query can do harm."""

from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calmkb.documents import record_path, render
from calmkb.errors import NotFoundError
from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.kb.search import search as verbs
from calmkb.model import Entry, Memory, Reflection
from calmkb.store.index import search as craft
from calmkb.store.index.index import Index, with_index
from calmkb.store.index.schema import connect, make_tables
from calmkb.store.index.search_query import Wanted

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def search(kb: KnowledgeBase, query: str, **narrowed: Any) -> list[verbs.Hit]:
    return list(verbs.search(kb, query, **narrowed).hits)


def identity(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000000"


def entry(number: int, summary: str, **more) -> Entry:
    given = {"project_name": "shop", "created_at": START + timedelta(days=3 * number)}
    return Entry(id=identity(number), summary=summary, **(given | more))


RECORDS = [
    entry(1, "Configured the deployment pipeline.", friction_points=("Docker was slow.",)),
    entry(2, "Docker images are smaller now.", project_name="Bank"),
    entry(3, "Wrote docs.", next_steps=("Look at docker again.",)),
    entry(4, "Zürich café menu; 日本語の検索を直した。"),
    entry(5, 'A "quoted" NEAR(thing) -minus col:on star* ^caret {brace} (paren'),
    Memory(id=identity(6), created_at=START, text="Use pnpm, never npm.", category="workflow"),
    Reflection(id=identity(7), created_at=START, entries=(identity(1),), accepted=("Use pnpm.",)),
]


@pytest.fixture
def kb(repo: Path):
    """Return a knowledge base that holds RECORDS."""
    (repo / "calmkb.toml").write_text("")
    knowledge_base = open_kb(process_environment(), option=str(repo))
    for record in RECORDS:
        put(knowledge_base, record)
    return knowledge_base


def put(kb, record) -> None:
    path = kb.journal / record_path(record)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render(record))


def numbers(hits) -> list[int]:
    return [int(hit.id[:8], 16) for hit in hits]


def test_a_title_weighs_more_than_friction_and_friction_more_than_the_rest(kb):
    assert numbers(search(kb, "docker")) == [2, 1, 3]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("configuring deployments", 1),  # stems
        ("deplo", 1),  # a word not yet typed to its end
        ("pipe* xyzzy", 1),
        ('"deployment pipeline"', 1),
        ("zurich CAFE", 4),  # without accents
        ("検索", 4),  # text without blanks
        ("what is never npm", 6),
        ("(deployments)", 1),  # as an error's code stands at its end
        ("[pipeline].", 1),
    ],
)
def test_what_a_person_types_finds_it(kb, query, first):
    assert numbers(search(kb, query))[0] == first


def test_the_middle_of_a_word_is_found_as_a_plain_string(kb):
    assert sorted(numbers(search(kb, "ocker"))) == [1, 2, 3]
    assert numbers(search(kb, "docs")) == [3]


def test_filters_narrow_a_search(kb):
    assert numbers(search(kb, "docker", project="BANK")) == [2]
    assert numbers(search(kb, "pnpm", kind="memory")) == [6]
    (one,) = search(kb, "pnpm", kind="reflection")
    assert numbers([one]) == [7] and one.headline.endswith("reflected on")
    since = (START + timedelta(days=6)).date()
    assert sorted(numbers(search(kb, "docker", since=since))) == [2, 3]
    assert numbers(search(kb, "docker", since=date(2027, 1, 1))) == []
    assert len(search(kb, "docker", limit=1)) == 1


def test_a_hit_says_what_it_costs_to_read(kb):
    (hit,) = search(kb, "cafe")
    text = (kb.journal / record_path(RECORDS[3])).read_text()
    assert hit.tokens == -(-len(text) // 4)
    assert (hit.kind, hit.project) == ("session", "shop")
    assert hit.headline.startswith("Zürich café")


@pytest.mark.parametrize(
    "query",
    ['"', '""', "NEAR(", "NEAR(a b, 2)", "AND", "a AND", "NOT x", "-docker", "*", "a*b*", "col:x",
     "title:docker", "^docker", "(", ")", "{title}:x", "'; DROP TABLE records; --", "\0", "\ud800",
     "%", "_", "!", "kind + project", "+ a", " ", "", "a" * 5000, "word " * 500],
)  # fmt: skip
def test_hostile_queries_are_only_words(kb, query):
    search(kb, query)
    assert numbers(search(kb, "docker")) == [2, 1, 3]


ODD = "aé\"*-+^:(){}!%_\\'\0 日docker\u202e\ud800"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(alphabet=st.sampled_from(ODD), max_size=20))
def test_any_text_is_a_query(kb, query):
    search(kb, query)


def test_operators_are_found_as_the_words_they_are(kb):
    assert numbers(search(kb, "NEAR(thing)")) == [5]
    assert numbers(search(kb, "-minus")) == [5]


def test_sessions_around_a_hit_lift_it(kb):
    for number in range(4):
        moment = START + timedelta(days=300, minutes=number)
        put(kb, entry(100 + number, f"Traced the flaky gateway, part {number}.", created_at=moment))
    put(kb, entry(200, "Traced the flaky gateway, alone.", project_name="elsewhere"))
    found = numbers(search(kb, "flaky gateway"))
    assert found[-1] == 200
    assert set(found[:4]) == {100, 101, 102, 103}


def test_an_edit_by_hand_is_found_at_once(kb):
    path = kb.journal / record_path(RECORDS[2])
    search(kb, "docs")
    path.write_text(path.read_text().replace("Wrote docs", "Wrote xylophones"))
    assert numbers(search(kb, "xylophone")) == [3]
    assert search(kb, "again")[0].headline == "Wrote xylophones."


def test_common_words_count_where_they_meet(kb, monkeypatch):
    monkeypatch.setattr(craft, "BUDGET", 1)
    assert numbers(search(kb, "docker slow"))[0] == 1
    assert numbers(search(kb, "docker images")) == [2]
    assert numbers(search(kb, "docker nowhere"))[0] == 2
    assert numbers(search(kb, "pnpm never", kind="memory")) == [6]


def test_without_full_text_plain_strings_are_found(kb):
    with closing(connect(":memory:")) as db:
        make_tables(db, full_text=False)
        index = Index(db, kb.journal, watched=9)
        index.refresh()
        matches = craft.search(index, Wanted("docker images"))
        assert [match.snippet[:13] for match in matches] == ["Docker images"]
        assert craft.search(index, Wanted("100%")) == []


def test_records_of_any_kind_are_shown_whole_in_the_order_asked_for(kb):
    found = verbs.show(kb, ["00000006", identity(1), "00000007"])
    assert [item.kind for item in found] == ["memory", "session", "reflection"]
    assert found[0].text == render(RECORDS[5])
    assert found[1].record == RECORDS[0]


def test_every_id_that_is_not_there_is_named(kb):
    with pytest.raises(NotFoundError, match=r"'ff' not found; record '0000' is not unique"):
        verbs.show(kb, ["ff", "0000", "00000001"])


def test_a_search_of_nothing_finds_nothing(tmp_path):
    kb = open_kb(process_environment(), option=str(tmp_path / "none"))
    assert search(kb, "docker") == []


def test_the_index_tells_the_length_of_files(kb):
    asked = "SELECT count(*) FROM records WHERE characters = 0"
    assert with_index(kb.journal, lambda index: index.db.execute(asked).fetchone()) == (0,)
