"""MkDocs and Zensical build the same stage: the same pages, headings and links, equally inert."""

import json
import posixpath
import shutil
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urljoin

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from playwright.sync_api import expect, sync_playwright
from selectolax.lexbor import LexborNode

from calmkb.errors import CalmError
from calmkb.model import Library
from calmkb.serve.mkdocs_plugin import CalmkbPlugin
from calmkb.site.builder.build import SiteFolders, build_site
from calmkb.site.builder.check import check_site
from calmkb.site.builder.stage_folder import StageFolder, stage_into
from calmkb.site.builder.zensical import build_with_zensical
from calmkb.site.text.shell import parsed
from tests.site.browsing import CHROMIUM, FLAGS, serve
from tests.site.conftest import scaffold
from tests.site.hostile import hostile_library
from tests.site.html_pages import live, read_site
from tests.site.sample import LIBRARY

zensical = pytest.importorskip("zensical", reason="Zensical is not installed")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kb")
    scaffold(folder)
    return folder


def folders(root: Path) -> SiteFolders:
    return SiteFolders(root, root, root / "state")


def built(root: Path, library: Library, name: str) -> tuple[Path, Path]:
    """Return the site of `library` by MkDocs and by Zensical."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CalmkbPlugin, "read", lambda self, config: library)
        first = build_site(folders(root), output=root / f"{name}-mkdocs", strict=True)
        second = build_with_zensical(folders(root), output=root / f"{name}-zensical", strict=True)
    return first.folder, second.folder


@pytest.fixture(scope="module")
def sites(root: Path) -> tuple[Path, Path]:
    return built(root, LIBRARY, "sample")


def heading(node: LexborNode) -> str:
    text = node.text(deep=True).strip("¶ \n")
    return f"{node.tag} {node.attributes.get('id')} {text}"


def articles(site: Path) -> dict[str, tuple[list[str], list[str]]]:
    """Return page -> its headings and the links of its article, in their order."""
    found = {}
    for path in sorted(site.rglob("*.html")):
        page = parsed(path.read_text(encoding="utf-8"))
        headings = [heading(node) for node in page.css("article :is(h1, h2, h3, h4)")]
        links = [
            urljoin(f"/{path.relative_to(site).as_posix()}", node.attributes["href"])
            for node in page.css("article a[href]:not(.headerlink)")
        ]
        found[path.relative_to(site).as_posix()] = (headings, links)
    return found


def test_both_make_the_same_pages_with_the_same_headings_and_links(
    sites: tuple[Path, Path],
) -> None:
    ours, theirs = map(articles, sites)
    del ours["404.html"], theirs["404.html"]

    assert list(ours) == list(theirs)
    for name, found in ours.items():
        assert theirs[name] == found, name


def test_plain_mkdocs_makes_the_same_of_the_stage_that_zensical_builds(
    root: Path, sites: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CalmkbPlugin, "read", lambda self, config: LIBRARY)
    staged(root, tmp_path / "stage")
    config = load_config(str(tmp_path / "stage" / "mkdocs.yml"), site_dir=str(tmp_path / "site"))
    build(config)
    plain, theirs = articles(tmp_path / "site"), articles(sites[1])
    del plain["404.html"], plain["calmkb-blank/index.html"], theirs["404.html"]

    assert plain == theirs


def test_both_have_the_same_navigation(sites: tuple[Path, Path]) -> None:
    doors = [
        [
            (node.text(deep=True).strip(), posixpath.normpath(node.attributes["href"] or ""))
            for node in parsed((site / "friction" / "index.html").read_text()).css(".md-tabs a")
        ]
        for site in sites
    ]

    assert doors[0] == doors[1]
    assert len(doors[0]) > 5


def test_what_zensical_built_is_whole_and_inert(sites: tuple[Path, Path]) -> None:
    assert check_site(sites[1]).findings == ()
    assert not list(sites[1].rglob("*blank*"))


def test_search_of_both_knows_the_same_of_staged_pages(sites: tuple[Path, Path]) -> None:
    first = json.loads((sites[0] / "search" / "search_index.json").read_text())["docs"]
    second = json.loads((sites[1] / "search.json").read_text())["items"]
    known = [
        {(one["location"], one["text"]) for one in docs if one["location"].startswith("sessions/2")}
        for docs in (first, second)
    ]

    assert known[0] == known[1]
    assert len(known[0]) == len(LIBRARY.sessions)


def test_hostile_records_are_inert_through_zensical_too(root: Path) -> None:
    _, site = built(root, hostile_library(), "hostile")

    for name, page in read_site(site).items():
        assert live(page) == [], name
    assert check_site(site).faults == 0


def staged(root: Path, folder: Path) -> StageFolder:
    return stage_into(folders(root), folder)


def test_a_second_staging_writes_nothing_and_a_third_what_changed(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(root / "docs", tmp_path / "kb" / "docs")
    shutil.copyfile(root / "mkdocs.yml", tmp_path / "kb" / "mkdocs.yml")
    (tmp_path / "kb" / ".git").mkdir()
    monkeypatch.setattr(CalmkbPlugin, "read", lambda self, config: LIBRARY)
    first = staged(tmp_path / "kb", tmp_path / "stage")
    (tmp_path / "kb" / "docs" / "about.md").write_text("# Something else\n")

    assert first.changed > len(first.uris)
    assert staged(tmp_path / "kb", tmp_path / "stage").changed == 1
    assert staged(tmp_path / "kb", tmp_path / "stage").changed == 0
    monkeypatch.setattr(CalmkbPlugin, "read", lambda self, config: Library())
    staged(tmp_path / "kb", tmp_path / "stage")
    assert not (tmp_path / "stage" / "docs" / "sessions" / "2026").exists()


def test_a_folder_with_something_else_is_not_staged_into(root: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")

    with pytest.raises(CalmError, match="holds files that calmkb did not build"):
        staged(root, tmp_path)
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_a_stage_behind_a_link_of_the_repository_is_refused(root: Path, tmp_path: Path) -> None:
    (root / "linked").symlink_to(tmp_path)

    with pytest.raises(CalmError, match="linked is a symbolic link"):
        staged(root, root / "linked")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on PATH")
@pytest.mark.xdist_group("browser")
def test_a_browser_searches_what_zensical_built_without_a_complaint(
    sites: tuple[Path, Path],
) -> None:
    with sync_playwright() as playwright, contextmanager(serve)(sites[1]) as address:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        tab = browser.new_page()
        faults: list[str] = []
        tab.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
        tab.on("request", lambda r: None if r.url.startswith(address) else faults.append(r.url))
        tab.goto(f"{address}/friction/")
        expect(tab.locator("html")).not_to_have_class("no-js")
        tab.keyboard.press("Control+k")
        tab.locator("input[role=combobox], input[placeholder*=Search]").first.fill("caches errors")
        expect(tab.get_by_role("option").filter(has_text="caches errors").first).to_be_visible()
        browser.close()
    assert faults == []
