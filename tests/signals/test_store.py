"""One store: what goes in comes out, nothing else does, and what is broken stays where it is."""

import json
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calmkb.errors import NotFoundError, RecordError, StoreError
from calmkb.store.signals.lines import row
from calmkb.store.signals.store import SignalStore
from tests.signals.samples import NOW, SECRET, SESSION, fields


def test_an_appended_signal_is_complete_and_is_read_back(store):
    kept = store.append(fields(), now=NOW)
    assert row(kept) == {
        "id": "SIG-20261120-0001", "version": 1, "timestamp": "2026-11-20T12:00:00Z",
        "session_id": SESSION, "type": "correction", "status": "captured", "confidence": 1,
        "source": {}, "content": "use pnpm, not npm", "context": "", "category": "", "tags": [],
        "related": [], "promoted_to": None, "meta": {},
    }  # fmt: skip
    assert json.loads(store.path.read_text()) == row(kept)
    assert store.get(kept.id) == kept


def test_ids_go_on_over_a_new_store_object_and_begin_anew_each_day(store):
    first = store.append(fields(), now=NOW)
    second = SignalStore(store.folder).append(fields(), now=NOW)
    third = store.append(fields(), now=NOW + timedelta(days=1))
    earlier = store.append(fields(), now=NOW)
    assert [one.id[4:] for one in (first, second, third, earlier)] == [
        "20261120-0001", "20261120-0002", "20261121-0001", "20261120-0003",
    ]  # fmt: skip


@pytest.mark.parametrize("lost", ["", "{", '{"last": {"20261120": 1}, "pruned": ""}'])
def test_an_id_is_not_given_twice_where_the_counter_is_lost_broken_or_old(store, lost):
    store.append_many([fields(), fields(), fields()], now=NOW)
    (store.folder / "signals.counter").write_text(lost)
    assert store.append(fields(), now=NOW).id == "SIG-20261120-0004"


def test_the_id_of_a_removed_signal_is_not_given_again(store):
    store.append(fields(), now=NOW)
    assert store.archive(days=0, now=NOW) == 1
    assert store.append(fields(), now=NOW).id == "SIG-20261120-0002"


def test_a_chosen_id_is_kept_once_and_counts(store):
    store.append(fields(id="SIG-20261120-0041"), now=NOW)
    assert store.append(fields(), now=NOW).id == "SIG-20261120-0042"
    with pytest.raises(RecordError, match="SIG-20261120-0041 exists already"):
        store.append(fields(id="SIG-20261120-0041"), now=NOW)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"type": "hunch"}, "type 'hunch' is unknown; choose from: failure, correction"),
        ({"status": "done"}, "status 'done' is unknown; choose from: captured"),
        ({"confidence": 5}, "confidence 5 is unknown; choose from: 1, 2, 3, 4"),
        ({"confidence": True}, "confidence True is unknown"),
        ({"content": " "}, "Content|content is empty"),
        ({"content": 7}, "content must be a text"),
        ({"tags": "Bash"}, "tags must be a list of texts"),
        ({"source": []}, "source must be an object"),
        ({"confidance": 2}, "field 'confidance' is unknown; choose from: id, version"),
        ({"id": "SIG-1"}, "id 'SIG-1' is malformed; expected a form like SIG-2026"),
        ({"timestamp": "noon"}, "timestamp 'noon' is malformed"),
        ({"meta": {"at": NOW}}, "such as JSON can hold"),
    ],
)
def test_a_wrong_field_is_refused_by_name_and_nothing_is_kept(store, wrong, told):
    with pytest.raises(RecordError, match=told):
        store.append_many([fields(), fields() | wrong], now=NOW)
    assert store.query() == []


def test_secrets_and_the_machine_do_not_reach_the_disk(store, home):
    kept = store.append(
        fields(
            f"export TOKEN={SECRET}",
            context=f"in {home}/shop <private>my salary</private>",
            tags=[SECRET],
            source={"hook": f"x {SECRET}"},
            meta={"key": "0123456789abcdef", "password": "Tr0ub4dor&3x", "files": [f"{home}/a.py"]},
        ),
        now=NOW,
    )
    store.update(kept.id, {"context": f"and {SECRET}", "meta": {"more": SECRET}})
    store.promote(kept.id, f"{home}/CLAUDE.md", f"Never say {SECRET}")
    written = "".join(path.read_text() for path in store.folder.rglob("*") if path.is_file())
    assert not [word for word in (SECRET, str(home), "salary", "Tr0ub4dor") if word in written]
    assert store.get(kept.id).meta["key"] == "0123456789abcdef"
    assert store.get(kept.id).promoted_to == "~/CLAUDE.md"
    assert store.path.stat().st_mode & 0o077 == 0


def test_what_calmkb_itself_injected_is_no_signal(store):
    with pytest.raises(RecordError, match="content is empty"):
        store.append(fields("<calmkb-context>\n- [failure] x\n</calmkb-context>"), now=NOW)


def test_broken_lines_stay_in_place_through_every_rewrite_and_are_reported(store):
    kept = store.append(fields(), now=NOW)
    strange = b'{"id": "SIG-20261120-0002", "type": "hunch"}\n\xff\xfe not JSON\n[1]\n'
    store.path.write_bytes(strange + store.path.read_bytes())
    store.update(kept.id, {"status": "analyzed"})
    store.append(fields("old"), now=NOW - timedelta(days=30))
    assert store.archive(now=NOW) == 1
    assert store.path.read_bytes().startswith(strange)
    assert [one.id for one in store.query()] == [kept.id]
    assert [(one.path, one.line) for one in store.problems()] == [
        ("signals.jsonl", 1), ("signals.jsonl", 2), ("signals.jsonl", 3),
    ]  # fmt: skip


def test_a_torn_last_line_does_not_swallow_the_next_signal(store):
    store.append(fields(), now=NOW)
    with store.path.open("ab") as file:
        file.write(b'{"id":"SIG-20261120-00')
    assert store.append(fields("after"), now=NOW).id == "SIG-20261120-0002"
    assert [one.content for one in store.query()] == ["use pnpm, not npm", "after"]
    assert len(store.problems()) == 1


def test_keys_of_a_newer_version_survive_a_change(store):
    kept = store.append(fields(meta={"key": "a"}), now=NOW)
    store.path.write_text(json.dumps(row(kept) | {"mood": {"of": "ü"}}) + "\n")
    changed = store.update(kept.id, {"status": "analyzed", "meta": {"group": 2}}, now=NOW)
    assert json.loads(store.path.read_text())["mood"] == {"of": "ü"}
    assert changed.meta == {"key": "a", "group": 2, "updated_at": "2026-11-20T12:00:00Z"}


def test_an_update_of_nothing_or_of_the_id_is_refused(store):
    kept = store.append(fields(), now=NOW)
    with pytest.raises(NotFoundError, match="no signal 'SIG-20261120-0009'"):
        store.update("SIG-20261120-0009", {"status": "analyzed"})
    with pytest.raises(RecordError, match="field 'id' is unknown"):
        store.update(kept.id, {"id": "SIG-20261120-0009"})
    assert store.query() == [kept]


def test_queries_narrow_and_stand_oldest_first(store):
    late = store.append(fields(tags=["a", "b"]), now=NOW)
    early = store.append(fields(type="failure", tags=["a"]), now=NOW - timedelta(days=2))
    other = store.append(fields(session_id="other"), now=NOW + timedelta(days=1))
    store.update(other.id, {"status": "dismissed"})
    ids = lambda **asked: [one.id for one in store.query(**asked)]  # noqa: E731
    assert ids() == [early.id, late.id, other.id]
    assert ids(type="failure") == [early.id]
    assert ids(status="dismissed") == [other.id]
    assert ids(session=SESSION) == [early.id, late.id]
    assert ids(since=NOW) == [late.id, other.id]
    assert ids(tags=["a", "b"]) == [late.id]


def test_old_signals_go_but_never_what_was_promoted_or_confirmed(store):
    old = NOW - timedelta(days=15)
    for status in ("captured", "analyzed", "dismissed", "promoted", "confirmed"):
        store.append(fields(status=status), now=old)
    store.append(fields(), now=NOW - timedelta(days=13))
    assert store.archive(status="dismissed", now=NOW) == 1
    assert store.archive(status="promoted", now=NOW) == 0
    assert store.archive(now=NOW) == 2
    assert sorted(store.stats()["by_status"]) == ["captured", "confirmed", "promoted"]


def test_the_first_append_of_a_day_prunes_and_no_other_does(store):
    store.append(fields(), now=NOW - timedelta(days=20))
    store.append(fields(), now=NOW)
    assert len(store.query()) == 1
    store.append(fields(timestamp="2026-01-01T00:00:00Z"), now=NOW)
    store.append(fields(), now=NOW)
    assert len(store.query()) == 3
    store.append(fields(), now=NOW + timedelta(days=1))
    assert len(store.query()) == 3


def test_what_was_captured_before_is_not_kept_again_even_once_removed(store):
    many = [fields(meta={"key": "k1"}), fields(meta={"key": "k2"}), fields(meta={"key": "k1"})]
    assert len(store.append_new(many, now=NOW)) == 2
    assert store.append_new(many, now=NOW) == []
    store.archive(days=0, now=NOW)
    assert store.append_new(many, now=NOW) == []


def test_a_promoted_signal_has_its_row_under_its_category(store):
    first, second, third = store.append_many(
        [fields(category="Commands"), fields(category="Gotchas"), fields(category="command")],
        now=NOW,
    )
    assert store.promote(first.id, "CLAUDE.md", "Test with\n`pnpm test`")
    store.promote(second.id, "improvements", "Mind the cart")
    assert store.promote(third.id, "CLAUDE.md", "Use pnpm") == "LRN-20261120-0003"
    assert store.promote(third.id, "CLAUDE.md", "Use pnpm") == "LRN-20261120-0003"
    assert (store.folder / "learnings" / "LEARNINGS.md").read_text() == (
        "# Learnings\n\n## Commands\n\n"
        "- [LRN-20261120-0001] Test with `pnpm test` (promoted to CLAUDE.md)\n"
        "- [LRN-20261120-0003] Use pnpm (promoted to CLAUDE.md)\n\n## Gotchas\n\n"
        "- [LRN-20261120-0002] Mind the cart (promoted to improvements)\n"
    )
    kept = store.get(third.id)
    assert (kept.status, kept.promoted_to) == ("promoted", "CLAUDE.md")


def test_a_person_s_own_words_in_the_learnings_index_stay(store):
    (store.folder / "learnings").mkdir(parents=True)
    (store.folder / "learnings" / "LEARNINGS.md").write_text(
        "My notes\n\n## Commands\n\n## Else\n\nkept\n"
    )
    kept = store.append(fields(category="Commands"), now=NOW)
    store.promote(kept.id, "CLAUDE.md", "Use pnpm")
    assert (store.folder / "learnings" / "LEARNINGS.md").read_text() == (
        "My notes\n\n## Commands\n\n- [LRN-20261120-0001] Use pnpm (promoted to CLAUDE.md)\n\n"
        "## Else\n\nkept\n"
    )


def test_a_row_has_its_signals_number_or_the_next_free_one(store):
    _, second = store.append_many([fields(), fields()], now=NOW)
    assert store.promote(second.id, "CLAUDE.md", "Use pnpm") == "LRN-20261120-0002"
    assert store.promote(second.id, "CLAUDE.md", "Use yarn") == "LRN-20261120-0003"


@pytest.mark.parametrize(
    ("category", "heading"),
    [("command", "Commands"), ("gotcha", "Gotchas"), ("test structure", "Test Structure"),
     ("API use", "API Use"), ("", "Uncategorized")],
)  # fmt: skip
def test_the_headings_of_the_index_are_those_of_a_review(store, category, heading):
    kept = store.append(fields(category=category), now=NOW)
    store.promote(kept.id, "CLAUDE.md", "Use pnpm")
    assert f"\n## {heading}\n" in (store.folder / "learnings" / "LEARNINGS.md").read_text()


def test_a_linked_file_stays_a_link(store, tmp_path):
    store.folder.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (store.folder / "signals.jsonl").symlink_to(tmp_path / "elsewhere/signals.jsonl")
    kept = store.append(fields(), now=NOW)
    store.update(kept.id, {"status": "analyzed"})
    assert (store.folder / "signals.jsonl").is_symlink()
    assert store.get(kept.id).status == "analyzed"


def test_a_folder_that_cannot_be_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot write in .*file/state"):
        SignalStore(tmp_path / "file/state").append(fields(), now=NOW)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.text(min_size=1), context=st.text(), meta=st.dictionaries(st.text(), st.integers())
)
def test_any_text_is_one_line_that_reads_back_or_is_refused(tmp_path, content, context, meta):
    store = SignalStore(tmp_path / "any", clean=lambda text: text)
    before = len(store.query())
    try:
        kept = store.append(fields(content, context=context, meta=meta), now=NOW)
    except RecordError:
        assert len(store.query()) == before
    else:
        assert store.get(kept.id) == kept
        assert store.path.read_bytes().count(b"\n") == before + 1
    assert store.problems() == []
