"""`calmkb site build`: what changed is made again, the rest stays; the bytes are the same."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from calmkb.errors import CalmError
from calmkb.serve.site_build import Built, build_site
from tests.site.conftest import scaffold

SESSIONS = 6
WRAP_UP = (
    *("wrapup", "--project", "storefront", "--summary", "Moved test {n} to the fixture."),
    *("--friction", "The database container was not running for test {n}."),
)


def run(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real knowledge base of a few sessions, in a real repository."""
    root = tmp_path_factory.mktemp("original") / "kb"
    root.mkdir()
    for words in ("init -q -b main", "config user.name A", "config user.email a@example.org"):
        run(root, "git", *words.split())
    (root / "calmkb.toml").write_text("")
    scaffold(root)
    for number in range(SESSIONS):
        wrap_up(root, number)
    return root


@pytest.fixture
def base(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it that a test may do with what it likes."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    shutil.copytree(original, tmp_path / "kb")
    return tmp_path / "kb"


def wrap_up(root: Path, number: int) -> None:
    words = [word.format(n=number) for word in WRAP_UP]
    run(root, sys.executable, "-m", "calmkb", "--kb", str(root), *words)


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def times(folder: Path) -> dict[str, int]:
    return {str(p.relative_to(folder)): p.stat().st_mtime_ns for p in folder.rglob("*.html")}


def changed(before: dict[str, int], after: dict[str, int]) -> set[str]:
    return {path for path, moment in after.items() if before.get(path) != moment}


def test_a_second_build_changes_nothing(base: Path) -> None:
    first = build_site(base, strict=True)
    before = times(first.folder)

    assert build_site(base, strict=True) == Built(first.folder, 0)
    assert times(first.folder) == before


def test_after_a_wrap_up_the_site_is_that_of_a_build_from_nothing(base: Path) -> None:
    folder = build_site(base).folder
    before = times(folder)
    wrap_up(base, 99)
    build_site(base)
    touched = changed(before, times(folder))
    warm = tree(folder)
    build_site(base, output=base / "cold", anew=True)

    assert warm == tree(base / "cold")
    sessions = [path for path in touched if path.startswith("sessions/") and path.count("/") == 4]
    # Sessions of one second stand in the order of their ids: the new one may have two neighbours.
    assert len(sessions) in (2, 3), "the new one, and its neighbours"
    assert "about/index.html" not in touched


def test_plain_mkdocs_makes_the_same_site(base: Path) -> None:
    folder = build_site(base).folder
    config = load_config(str(base / "mkdocs.yml"), site_dir=str(base / "plain"))
    build(config)

    assert tree(base / "plain") == tree(folder)


def test_what_is_gone_from_the_journal_is_gone_from_the_site(base: Path) -> None:
    folder = build_site(base).folder
    before = set(tree(folder))
    record = next((base / "journal" / "sessions").rglob("*.md"))
    record.unlink()
    build_site(base)
    gone = before - set(tree(folder))

    assert len([path for path in gone if path.startswith("sessions/")]) == 1
    assert not any((folder / path).parent.exists() for path in gone)


def test_files_that_nobody_built_go_and_hidden_ones_stay(base: Path) -> None:
    folder = build_site(base).folder
    (folder / "stray.html").write_text("left behind")
    (folder / ".nojekyll").write_text("")
    build_site(base)

    assert not (folder / "stray.html").exists()
    assert (folder / ".nojekyll").exists()


def test_a_page_that_somebody_touched_is_made_again(base: Path) -> None:
    folder = build_site(base).folder
    page = next(path for path in folder.glob("sessions/2*/*/*/index.html"))
    good = page.read_bytes()
    page.write_bytes(good[:100])
    build_site(base)

    assert page.read_bytes() == good


def test_a_change_of_the_frame_reaches_every_page(base: Path) -> None:
    folder = build_site(base).folder
    settings = base / "mkdocs.yml"
    settings.write_text(settings.read_text().replace("Example team", "Another team"))
    build_site(base)

    assert all(b"Another team" in text for name, text in tree(folder).items() if "html" in name)


def test_a_broken_cache_is_no_hindrance(base: Path) -> None:
    folder = build_site(base).folder
    before = tree(folder)
    for cache in (base / ".git" / "calmkb").glob("site-*.sqlite*"):
        cache.write_bytes(b"nonsense" * 1000)
    build_site(base)

    assert tree(folder) == before


def test_a_build_that_fails_leaves_the_site_as_it_was(base: Path) -> None:
    folder = build_site(base).folder
    before = tree(folder)
    wrap_up(base, 99)
    (base / "docs" / "about.md").write_text("[nowhere](nowhere.md)")
    with pytest.raises((CalmError, SystemExit)):
        build_site(base, strict=True)

    assert tree(folder) == before
    assert [path.name for path in base.iterdir() if path.name.startswith(".site")] == []


def test_two_builds_at_once_both_end_well(base: Path) -> None:
    command = [sys.executable, "-m", "calmkb", "--kb", str(base), "site", "build"]
    children = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]

    assert [child.wait(timeout=120) for child in children] == [0, 0]
    whole = tree(base / "site")
    build_site(base, output=base / "cold", anew=True)
    assert tree(base / "cold") == whole


def test_a_theme_that_lets_a_records_words_into_a_script_is_not_published(
    base: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (base / "theme").mkdir()
    (base / "theme" / "main.html").write_text(
        '{% extends "base.html" %}{% block content %}{{ super() }}'
        "<script>go('{{ page.meta.title }}')</script>{% endblock %}"
    )
    settings = base / "mkdocs.yml"
    settings.write_text(settings.read_text().replace("theme:", "theme:\n  custom_dir: theme", 1))

    with pytest.raises(CalmError, match="could not build"):
        build_site(base)
    assert "a <script> of its own: <script>go(" in caplog.text
    assert not (base / "site").exists()


@pytest.fixture
def without_policy(base: Path) -> Iterator[Path]:
    settings = base / "mkdocs.yml"
    settings.write_text(settings.read_text().replace("- calmkb", "- calmkb:\n      policy: false"))
    yield base


def test_staged_pages_carry_a_policy_and_own_pages_do_not(base: Path) -> None:
    pages = tree(build_site(base).folder)

    assert b"Content-Security-Policy" in pages["index.html"]
    assert b"Content-Security-Policy" not in pages["about/index.html"]


def test_the_policy_can_be_left_out(without_policy: Path) -> None:
    pages = tree(build_site(without_policy).folder)

    assert b"Content-Security-Policy" not in pages["index.html"]


def test_a_site_without_the_plugin_is_built_too(base: Path) -> None:
    settings = base / "mkdocs.yml"
    settings.write_text(settings.read_text().replace("  - calmkb\n", ""))
    (base / "docs" / "index.md").write_text("# Ours")

    assert "index.html" in tree(build_site(base).folder)


def test_a_folder_with_something_else_is_not_built_into(base: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")

    with pytest.raises(CalmError, match="holds something else than a site"):
        build_site(base, output=tmp_path / "mine")
    assert tree(tmp_path / "mine") == {"thesis.txt": b"years of work"}


def test_a_theme_that_turns_on_a_title_prints_every_page_itself(base: Path) -> None:
    (base / "theme").mkdir()
    (base / "theme" / "main.html").write_text(
        '{% extends "base.html" %}{% block content %}{{ super() }}'
        "<p>{{ page.meta.title | default('') | length }} letters</p>{% endblock %}"
    )
    settings = base / "mkdocs.yml"
    settings.write_text(settings.read_text().replace("theme:", "theme:\n  custom_dir: theme", 1))
    pages = tree(build_site(base).folder)
    for path in (path for path in pages if path.startswith("sessions/2")):
        text = pages[path].decode()
        title = text.split("<title>")[1].split(" - ")[0]
        assert f"<p>{len(title)} letters</p>" in text, path
    assert build_site(base).changed == 0


def test_a_hook_of_the_users_sees_every_page_and_is_sieved(base: Path) -> None:
    (base / "hook.py").write_text(
        "def on_page_content(html, page, **rest):\n"
        "    return html + '<p>hooked</p><script>go()</script>'\n"
    )
    settings = base / "mkdocs.yml"
    settings.write_text(settings.read_text() + "\nhooks: [hook.py]\n")
    pages = tree(build_site(base).folder)
    made = [text for path, text in pages.items() if path.startswith(("sessions/", "memories/"))]

    assert all(b"hooked" in text and b"go()" not in text for text in made)
    assert b"go()" in pages["about/index.html"], "a page of the user's own is theirs"
