"""Search knows what people look for, in little enough for a phone."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from calmkb.model import Library, SessionView
from calmkb.wings.site.builder.search import BUDGET, SHORTEST, add_documents, length_for
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.pages.page import LONGEST_SEARCH_TEXT
from calmkb.wings.site.staging.stage import StagedText, restage
from tests.wings.site.sample import ENTRIES, LIBRARY, PNPM


def documents(library: Library) -> dict[str, StagedText]:
    rendered = restage(Catalogue(library), {}).rendered
    return {uri: page for uri, page in rendered.items() if page.words}


def test_friction_of_a_session_comes_before_its_summary() -> None:
    library = Library(sessions=(SessionView(entry=ENTRIES[0]),))
    found = next(d for d in documents(library).values() if d.title.startswith("Moved the checkout"))

    assert found.words.startswith(PNPM.replace("`", ""))
    assert "storefront" in found.words


def test_sessions_memories_and_what_was_rejected_are_found_and_lists_are_not() -> None:
    found = documents(LIBRARY)

    assert any("Use pnpm for every script" in document.words for document in found.values())
    assert any("Always run the tests twice." in document.words for document in found.values())
    assert found["friction/pnpm.md"].words.startswith("npm test hung")
    records = ("sessions/2", "memories/", "reflections/2", "friction/")
    assert all(uri.startswith(records) for uri in found)


def test_invisible_characters_are_shown_in_search_too() -> None:
    entry = replace(ENTRIES[0], summary="fine\u202egnp.exe")
    found = documents(Library(sessions=(SessionView(entry=entry),)))

    assert "\u202e" not in "".join(d.title + d.words for d in found.values())


def test_a_large_journal_keeps_less_of_each_page() -> None:
    assert length_for(1) == LONGEST_SEARCH_TEXT
    assert length_for(10_000) * 10_000 <= BUDGET
    assert length_for(10**9) == SHORTEST


def test_documents_are_escaped_and_added_after_the_themes_own(tmp_path: Path) -> None:
    index = tmp_path / "search.json"
    index.write_text(json.dumps({"config": {}, "docs": [{"location": "about/"}]}))
    words = [("a.md", "<A>", "x & <img>", "Session\n<b>"), ("left-out.md", "B", "b", "")]
    add_documents(index, words, {"a.md": "a/"}.get)

    first, second = json.loads(index.read_text())["docs"]
    assert first == {"location": "about/"}
    assert second["location"] == "a/"
    assert (second["title"], second["text"]) == ("&lt;A&gt;", "<p>x &amp; &lt;img&gt;</p>")
    assert second["tags"] == ["Session", "&lt;b&gt;"]


def test_a_hit_is_read_in_sentences_and_memories_come_first(tmp_path: Path) -> None:
    index = tmp_path / "search.json"
    index.write_text(json.dumps({"config": {"fields": {"tags": {"boost": 1e6}}}, "docs": []}))
    long = f"It failed with {'x' * 150}. A second run worked."
    words = [("a.md", "A", f"short\n{long}", "Memory\nshop"), ("b.md", "B", "b", "Session\nshop")]
    add_documents(index, words, {"a.md": "a/", "b.md": "b/"}.get)

    found = json.loads(index.read_text())
    memory, session = found["docs"]
    assert memory["text"].split("</p>")[2] == "<p>A second run worked."
    assert memory["boost"] > session.get("boost", 1)
    assert found["config"]["fields"]["tags"]["boost"] == 1


@pytest.mark.parametrize(("text", "is_parted"), [("Fixed it.", False), ("検索を直した", True)])
def test_only_scripts_without_spaces_are_parted_at_each_letter(
    tmp_path: Path, text: str, is_parted: bool
) -> None:
    index = tmp_path / "search.json"
    index.write_text(json.dumps({"config": {"separator": r"[\s\-]+"}, "docs": []}))
    add_documents(index, [("a.md", text, text, "Session")], {"a.md": "a/"}.get)

    separator = json.loads(index.read_text())["config"]["separator"]
    assert separator.startswith(r"[\s\-]+")
    assert (separator != r"[\s\-]+") == is_parted


def test_tags_of_the_users_own_keep_their_weight(tmp_path: Path) -> None:
    index = tmp_path / "search.json"
    own = {"location": "about/", "tags": ["Start"]}
    index.write_text(json.dumps({"config": {"fields": {"tags": {"boost": 9}}}, "docs": [own]}))
    add_documents(index, [], str)

    assert json.loads(index.read_text())["config"]["fields"]["tags"]["boost"] == 9


def test_a_trouble_and_the_memory_that_says_the_same_are_one_hit() -> None:
    same = [one for one in LIBRARY.themes if one.memory_id]
    known = {one.id: one for one in LIBRARY.memories}
    themes = tuple(replace(one, statement=known[one.memory_id].text) for one in same)
    found = documents(replace(LIBRARY, themes=themes))

    assert themes
    assert not [uri for uri in found if uri.startswith("friction/")]


def test_a_site_without_search_is_left_alone(tmp_path: Path) -> None:
    add_documents(tmp_path / "none.json", [("a.md", "A", "a")], {"a.md": "a/"}.get)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("title", "text", "shown"),
    [
        ("Conflicts with main", "Conflicts with main\nRebase first.", "<p>Rebase first.</p>"),
        (
            "Missing cases in a switch…",
            "Missing cases in a switch of Action.",
            "<p>… of Action.</p>",
        ),
        ("Missing cases", "Missing cases in a switch.", "<p>Missing cases in a switch.</p>"),
        ("Use pnpm", "npm hung.\nIt did.\nnpm hung.", "<p>npm hung.</p><p>It did.</p>"),
        ("Use pnpm", "npm hung.\nshop", "<p>npm hung.</p>"),
    ],
)
def test_a_hit_prints_neither_its_title_nor_a_line_again(
    tmp_path: Path, title: str, text: str, shown: str
) -> None:
    index = tmp_path / "search_index.json"
    index.write_text('{"docs": []}')
    add_documents(index, [("a.md", title, text, "Trouble\nshop")], str)
    (found,) = json.loads(index.read_text())["docs"]
    assert (found["title"], found["text"]) == (title, shown)
