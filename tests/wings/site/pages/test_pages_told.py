"""What agents read, on the site: from the records alone, and why a memory is not in it."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from calmkb.config import Config, ExportSettings
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.export.digests import open_source
from calmkb.kb.export.preview import digest_previews
from calmkb.model import DigestPreview, Library, Memory
from calmkb.wings.site.staging.stage import stage
from tests.wings.site import sample
from tests.wings.site.sample import CENTS, IN_UTC, LIBRARY, PAYMENT, SHORT, USE_PNPM

PAGES = stage(LIBRARY)
MEMORIES = (USE_PNPM, IN_UTC, PAYMENT, CENTS, SHORT)


def knowledge_base(folder: Path, **export: object) -> KnowledgeBase:
    config = Config(project="ledger", export=ExportSettings(**export))
    return KnowledgeBase(folder, config, Environment(home=folder / "home", cwd=folder))


def previews(kb: KnowledgeBase, memories: tuple[Memory, ...]) -> tuple[DigestPreview, ...]:
    return digest_previews(open_source(kb, memories))


def test_the_page_shows_the_text_and_what_each_line_costs() -> None:
    page = PAGES["told.md"]

    assert "2 memories in about 58 tokens, of 60 at most" in page
    assert '<pre class="calm-verbatim"><code>&#35;&#35; Commands&#10;&#10;' in page
    assert "high confidence · 27 tokens" in page
    assert page.index("## Included") < page.index("## No room")
    assert "2 memories apply to other projects alone." in page


def test_other_projects_have_a_page_each() -> None:
    assert "[ledger](told/ledger.md)" in PAGES["told.md"]
    assert "# What agents read in ledger" in PAGES["told/ledger.md"]
    assert "a person has written it: CLAUDE.md" in PAGES["told/ledger.md"]


def test_where_nothing_was_approved_the_page_says_so() -> None:
    assert "Nothing yet." in stage(Library())["told.md"]


def test_the_digest_is_that_of_each_project(tmp_path: Path) -> None:
    own, other = previews(knowledge_base(tmp_path), MEMORIES)

    assert (own.project, other.project) == ("ledger", "storefront")
    assert {one.memory for one in own.memories} == {one.id for one in MEMORIES} - {USE_PNPM.id}
    assert own.elsewhere == 1
    assert "Use pnpm" not in own.text
    assert {one.memory for one in other.memories} == {USE_PNPM.id, SHORT.id}
    assert own.tokens > other.tokens > 0
    assert "<!--" not in own.text


def test_what_has_no_room_says_so(tmp_path: Path) -> None:
    own = previews(knowledge_base(tmp_path, max_tokens=40), MEMORIES)[0]

    assert own.tokens <= 40
    assert any(one.crowded_out and "no room" in one.reason for one in own.left_out)


def test_hand_written_text_of_this_machine_changes_nothing(tmp_path: Path) -> None:
    before = previews(knowledge_base(tmp_path), MEMORIES)
    (tmp_path / "CLAUDE.md").write_text(f"- {SHORT.text}\n")

    assert previews(knowledge_base(tmp_path), MEMORIES) == before


def test_each_target_is_shown(tmp_path: Path) -> None:
    memories = (*MEMORIES, replace(CENTS, id=sample.made_id("paths"), paths=("src/**",)))
    targets = ("agents-md", "claude-rules", "claude-md")
    found = previews(knowledge_base(tmp_path, targets=targets), memories)

    own = [one for one in found if one.project == "ledger"]
    assert [one.target for one in own] == ["claude-md", "claude-rules", "agents-md"]
    assert [len(one.memories) for one in own] == [4, 1, 5]
    assert any(one.reason == "left to claude-rules" for one in own[0].left_out)


def test_many_projects_are_listed_largest_first(tmp_path: Path) -> None:
    memories = [made(n, f"p{n % 50}") for n in range(75)]
    found = previews(knowledge_base(tmp_path), memories)

    assert len(found) == 31
    assert found[1].project == "p0"


def made(number: int, scope: str) -> Memory:
    return replace(
        CENTS,
        id=sample.made_id(f"m{number}"),
        text=f"Thing {number} is so.",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        scope=scope,
    )


def test_the_page_of_numbers_names_a_dozen_scopes_and_counts_the_rest() -> None:
    scopes = {f"project {number} {'x' * 300}": 40 - number for number in range(30)}
    page = stage(replace(LIBRARY, figures=replace(sample.FIGURES, scopes=scopes)))["statistics.md"]

    assert "and 18 more" in page
    assert "project 12" not in page


def test_the_page_of_numbers_links_each_kind_of_memory_and_says_where_a_digest_is() -> None:
    page = PAGES["statistics.md"]
    assert "2: [2 facts](memories/fact/index.md)</span>" in page
    assert "5 every project</span>" in page
    assert "project by project</span>" in page
