"""`calmkb site build`: what changed is made again, the rest stays; the bytes are the same."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from calmkb.errors import CalmError
from calmkb.kb.base.cache_paths import cache_path
from calmkb.wings.site.builder import build as site_build
from calmkb.wings.site.builder.build import SiteFolders
from calmkb.wings.site.builder.cache import read_site_pages
from calmkb.wings.site.builder.output import Built
from calmkb.wings.site.builder.rendering import markdown
from tests.warm import stood_for, without_terminal
from tests.wings.site.conftest import scaffold

Once = Callable[[Path, Callable[[], object]], None]
SESSIONS = 6
WRAP_UP = (
    *("wrapup", "--project", "storefront", "--summary", "Moved test {n} to the fixture."),
    *("--friction", "The database container was not running for test {n}."),
)


def build_site(root: Path, **options: Any) -> Built:
    return site_build.build_site(SiteFolders(root, root, root.parent / "state"), **options)


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


@pytest.fixture(scope="module")
def copy_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where each test has its copy: the list of a site's files is kept by the site's path."""
    return tmp_path_factory.mktemp("place")


@pytest.fixture
def base(original: Path, copy_place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it that a test may do with what it likes."""
    monkeypatch.setenv("HOME", str(copy_place / "home"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    return copied(original.parent, copy_place) / "kb"


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Return a function that makes a first build, and next time copies what came of it."""
    after = tmp_path_factory.mktemp("after")

    def first(folder: Path, make: Callable[[], object]) -> None:
        if any(after.iterdir()):
            copied(after, folder)
        else:
            make()
            copied(folder, after)

    return first


def copied(folder: Path, target: Path) -> Path:
    shutil.rmtree(target)
    return shutil.copytree(folder, target, symlinks=True)


@pytest.fixture
def folder(base: Path, once: Once) -> Path:
    """The site of `base`, as its first build left it."""
    once(base.parent, lambda: build_site(base))
    return base / "site"


def wrap_up(root: Path, number: int) -> None:
    words = [word.format(n=number) for word in WRAP_UP]
    said = without_terminal("--kb", str(root), *words, cwd=root)
    assert said.returncode == 0, said.stderr


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


def test_after_a_wrap_up_the_site_is_that_of_a_build_from_nothing(base: Path, folder: Path) -> None:
    before = times(folder)
    wrap_up(base, 99)
    build_site(base)
    touched = changed(before, times(folder))
    warm = tree(folder)
    build_site(base, output=base / "cold", rebuild=True)

    assert warm == tree(base / "cold")
    sessions = [path for path in touched if path.startswith("sessions/") and path.count("/") == 4]
    # The new one, its neighbours, and those that name how many sessions met the same trouble.
    met = [
        path
        for path in sessions
        if "database container" in (folder / path).read_text(encoding="utf-8")
    ]
    assert len(set(sessions) - set(met)) <= 3, "the new one, and its neighbours"
    assert "about/index.html" not in touched


def test_a_page_that_did_not_change_is_not_rendered(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (base / "theme").mkdir()
    (base / "theme" / "main.html").write_text(
        '{% extends "base.html" %}{% block content %}{{ super() }}'
        "{% if page.url.startswith('sessions/2') %}<p>on {{ build_date_utc }}</p>{% endif %}"
        "{% endblock %}"
    )
    settings = base / "mkdocs.yml"
    settings.write_text(settings.read_text().replace("theme:", "theme:\n  custom_dir: theme", 1))
    build_site(base)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1690000000")
    run(base, *"git commit -q --allow-empty -m nothing".split())
    folder = build_site(base).folder

    entries = list(folder.glob("sessions/2*/*/*/index.html"))
    assert len(entries) == SESSIONS
    assert all("<p>on 2026" in path.read_text(encoding="utf-8") for path in entries)


@pytest.mark.parametrize("extension", ["abbr", "only_here"])
def test_pages_made_by_a_second_process_are_those_of_one(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extension: str
) -> None:
    (tmp_path / "only_here.py").write_text("from markdown.extensions.abbr import makeExtension\n")
    monkeypatch.syspath_prepend(str(tmp_path))  # where the second process does not look
    settings, key = base / "mkdocs.yml", "markdown_extensions:\n"
    settings.write_text(settings.read_text().replace(key, f"{key}  - {extension}\n"))
    one = tree(build_site(base).folder)
    monkeypatch.setattr(markdown, "MANY", 2)

    assert tree(build_site(base, output=tmp_path / "many", rebuild=True).folder) == one


def test_a_second_process_makes_the_pages_and_one_that_cannot_start_makes_none(
    base: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(markdown, "MANY", 2)
    cache = cache_path(base / "journal", "site")
    assert folder.is_dir()
    assert cache
    dialect = markdown.Dialect(("md_in_html", "attr_list"), {}, directory_urls=True)
    with closing(read_site_pages(cache)) as pages:
        uris = [uri for uri, *_ in pages.words()]
        expected = [(uri, markdown.body(dialect, uri, pages.text(uri))) for uri in uris]

    assert list(markdown.pages_ahead(dialect, cache, uris)) == [("", ""), *expected]
    monkeypatch.setattr(sys, "executable", str(base / "no-python"))
    assert list(markdown.pages_ahead(dialect, cache, uris)) == []


def test_plain_mkdocs_makes_the_same_site(base: Path, folder: Path) -> None:
    config = load_config(str(base / "mkdocs.yml"), site_dir=str(base / "plain"))
    build(config)

    assert tree(base / "plain") == tree(folder)


def test_what_is_gone_from_the_journal_is_gone_from_the_site(base: Path, folder: Path) -> None:
    before = set(tree(folder))
    record = next((base / "journal" / "sessions").rglob("*.md"))
    record.unlink()
    build_site(base)
    gone = before - set(tree(folder))

    assert len([path for path in gone if path.startswith("sessions/")]) == 1
    assert not any((folder / path).parent.exists() for path in gone)


def test_files_that_calmkb_did_not_build_stay_and_are_named(base: Path, folder: Path) -> None:
    (folder / "stray.html").write_text("somebody's")
    (folder / ".nojekyll").write_text("")
    built = build_site(base, rebuild=True)

    assert built.left == ("stray.html",)
    assert (folder / "stray.html").read_text() == "somebody's"
    assert (folder / ".nojekyll").exists()


def test_a_page_that_is_gone_and_was_changed_by_somebody_stays(base: Path) -> None:
    folder = build_site(base, output=base.parent / "out").folder
    page = next(folder.glob("sessions/2*/*/*/index.html"))
    page.write_text("notes of somebody's in the wrong place")
    for record in (base / "journal" / "sessions").rglob("*.md"):
        record.unlink()

    assert build_site(base, output=base.parent / "out").left == (str(page.relative_to(folder)),)
    assert not list((folder / "sessions").glob("*/*/*/*/index.html"))


def test_a_file_in_the_way_of_a_new_page_is_refused_and_nothing_is_moved(
    base: Path, folder: Path
) -> None:
    before = tree(folder)
    (base / "docs" / "guide.md").write_text("# Guide")
    (folder / "guide").write_text("somebody's")

    with pytest.raises(CalmError, match="guide/index\\.html would be replaced"):
        build_site(base)
    assert tree(folder) == before | {"guide": b"somebody's"}


@pytest.mark.parametrize("name", ["site", "site/inner"])
def test_a_site_behind_a_link_of_the_repository_is_refused(base: Path, name: str) -> None:
    outside = base.parent / "outside"
    outside.mkdir()
    for file in ("index.html", "thesis.txt"):
        (outside / file).write_text("years of work")
    (base / "site").symlink_to("../outside")

    for output in (None, base / name):
        with pytest.raises(CalmError, match="site is a symbolic link"):
            build_site(base, output=output)
    assert tree(outside) == {"index.html": b"years of work", "thesis.txt": b"years of work"}


def test_a_link_below_the_site_is_not_built_through(base: Path, folder: Path) -> None:
    (base.parent / "outside").mkdir()
    (folder / "guide").symlink_to(base.parent / "outside")
    (base / "docs" / "guide.md").write_text("# Guide")

    with pytest.raises(CalmError, match="guide is a symbolic link"):
        build_site(base)
    assert tree(base.parent / "outside") == {}


@pytest.mark.parametrize(
    ("setting", "place", "fault"),
    [
        ("site_dir", "../out", "is outside"),
        ("site_dir", "/srv/out", "is outside"),
        ("site_dir", ".git/site", "git's own"),
        ("site_dir", ".GIT/site", "git's own"),
        ("docs_dir", "../secrets", "is outside"),
        ("docs_dir", "linked", "outside"),
    ],
)
def test_settings_name_no_place_outside_the_repository(
    base: Path, setting: str, place: str, fault: str
) -> None:
    (base.parent / "secrets").mkdir()
    (base / "linked").symlink_to("../secrets")
    with (base / "mkdocs.yml").open("a") as file:
        file.write(f"{setting}: {place}\n")

    with pytest.raises(CalmError, match=rf"mkdocs\.yml: {setting}: .*{fault}"):
        build_site(base)


def test_a_repository_behind_a_linked_parent_folder_is_built_as_ever(base: Path) -> None:
    (base.parent / "linked").symlink_to(base.parent)

    assert build_site(base.parent / "linked" / base.name).folder == base / "site"
    assert build_site(base).changed == 0


def test_a_person_builds_into_a_linked_folder_of_their_own(base: Path) -> None:
    (base.parent / "www").mkdir()
    (base.parent / "mine").symlink_to("www")

    assert build_site(base, output=base.parent / "mine").folder == base.parent / "www"


def test_a_page_that_somebody_touched_is_made_again(base: Path, folder: Path) -> None:
    page = next(path for path in folder.glob("sessions/2*/*/*/index.html"))
    good = page.read_bytes()
    page.write_bytes(good[:100])
    build_site(base)

    assert page.read_bytes() == good


def test_a_change_of_the_frame_reaches_every_page(base: Path, folder: Path) -> None:
    settings = base / "mkdocs.yml"
    settings.write_text(settings.read_text().replace("Example team", "Another team"))
    build_site(base)

    assert all(b"Another team" in text for name, text in tree(folder).items() if "html" in name)


def test_a_broken_cache_is_no_hindrance(base: Path, folder: Path) -> None:
    before = tree(folder)
    for cache in (base / ".git" / "calmkb").glob("site-*.sqlite*"):
        cache.write_bytes(b"nonsense" * 1000)
    build_site(base)

    assert tree(folder) == before


def test_a_build_that_fails_leaves_the_site_as_it_was(base: Path, folder: Path) -> None:
    before = tree(folder)
    wrap_up(base, 99)
    (base / "docs" / "about.md").write_text("[nowhere](nowhere.md)")
    with pytest.raises((CalmError, SystemExit)):
        build_site(base, strict=True)

    assert tree(folder) == before
    assert [path.name for path in base.iterdir() if path.name.startswith(".site")] == []


def test_two_builds_at_once_both_end_well(base: Path) -> None:
    command = [*stood_for(), "--kb", str(base), "site", "build"]
    children = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]

    assert [child.wait(timeout=120) for child in children] == [0, 0]
    whole = tree(base / "site")
    build_site(base, output=base / "cold", rebuild=True)
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


def test_staged_pages_carry_a_policy_and_own_pages_do_not(folder: Path) -> None:
    pages = tree(folder)

    assert b"Content-Security-Policy" in pages["index.html"]
    assert b"Content-Security-Policy" not in pages["about/index.html"]


def test_the_policy_can_be_left_out(without_policy: Path) -> None:
    pages = tree(build_site(without_policy).folder)

    assert b"Content-Security-Policy" not in pages["index.html"]


def test_settings_without_the_plugin_are_refused_and_not_called_built(base: Path) -> None:
    (base / "mkdocs.yml").write_text("site_name: My product\ntheme: mkdocs\n")

    with pytest.raises(CalmError, match=r"does not name the plugin calmkb.*under `plugins:`"):
        build_site(base)

    assert not (base / "site").exists()


def test_a_folder_with_something_else_is_not_built_into(base: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")

    with pytest.raises(CalmError, match="holds files that calmkb did not build"):
        build_site(base, output=tmp_path / "mine")
    (tmp_path / "mine" / "index.html").write_text("another site")
    with pytest.raises(CalmError, match="holds files that calmkb did not build"):
        build_site(base, output=tmp_path / "mine")
    assert set(tree(tmp_path / "mine")) == {"index.html", "thesis.txt"}


ODD = [
    "extra_css: [[1]]", "markdown_extensions: [{toc: {slugify: a.b}}]", "extra: 5", "nav: 5",
    "theme: {name: material, features: 5}", "theme: {name: material, palette: 5}",
    "theme: {name: [material]}", "docs_dir: [a]",
]  # fmt: skip


@pytest.mark.parametrize("line", ODD)
def test_settings_of_a_wrong_kind_are_named_with_their_file(base: Path, line: str) -> None:
    (base / "mkdocs.yml").write_text(f"site_name: x\nplugins: [search, calmkb]\n{line}\n")

    with pytest.raises(CalmError, match=r"mkdocs\.yml"):
        build_site(base)


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


def test_a_hook_of_the_users_sees_every_page_and_is_sanitized(base: Path) -> None:
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
