"""Links of a built site, and `calmkb site check`: what would be published is looked at first."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
from calmkb.errors import CalmError
from calmkb.wings.site.builder.check import check_site
from calmkb.wings.site.text.links import BrokenLink, Linked, broken_links, linked, root_of
from calmkb.wings.site.text.shell import parsed
from tests.wings.site.conftest import Build, Shared
from tests.wings.site.sample import LIBRARY

Change = Callable[[str], str]


def broken(html: str, *, at: str = "sessions/index.html", root: str = "/") -> list[str]:
    """What is broken on one page of a small site."""
    other = linked(parsed('<h2 id="theme-1">x</h2><h2 id="größe">y</h2><a name="old"></a>'))
    pages = {at: linked(parsed(html)), "index.html": Linked((), frozenset()), "a b.html": other}
    files = [*pages, "assets/x.css", "assets/x.png", "about/index.html"]
    return [one.link for one in broken_links(pages, files, root=root)]


@pytest.mark.parametrize(
    "link",
    [
        *("..", "../", "../index.html", ".", "./", "", "#", "#top", "?q=1", "../?q=1#top"),
        *("../about/", "../about", "../about/index.html", "../assets/x.css?v=2"),
        *("../a%20b.html", "../a%20b.html#theme-1", "../a%20b.html#old"),
        *("../a%20b.html#gr%C3%B6%C3%9Fe", "../a%20b.html#größe", "#:~:text=word"),
        *("https://example.org/x", "//example.org/x", "mailto:a@example.org", "data:image/png,x"),
        *("/", "/about/", "/assets/x.css"),
    ],
)
def test_a_link_that_leads_somewhere_is_not_named(link: str) -> None:
    assert broken(f'<a href="{link}">x</a><p id="here"></p>') == []


@pytest.mark.parametrize(
    "link",
    [
        *("../nowhere/", "nowhere.html", "../About/", "../a%20b.html#theme-2", "#nowhere"),
        *("../..", "../../kb/", "/nowhere", "/team/"),
    ],
)
def test_a_link_to_nowhere_is_named(link: str) -> None:
    assert broken(f'<a href="{link}">x</a>') == [link]


@pytest.mark.parametrize(
    "html",
    [
        '<img src="x.png">',
        '<img srcset="../assets/x.png 1x, x.png 2x">',
        '<link rel="stylesheet" href="x.png">',
        '<script src="x.png"></script>',
        '<object data="x.png"></object>',
        '<svg><image href="x.png"/></svg>',
        '<svg><use xlink:href="x.png#a"/></svg>',
        '<video poster="x.png"></video>',
    ],
)
def test_whatever_a_page_loads_must_be_there(html: str) -> None:
    assert [link.partition("#")[0] for link in broken(html)] == ["x.png"]


def test_links_from_the_root_are_those_of_the_sites_place_on_its_host() -> None:
    assert broken('<a href="/team/kb/about/">x</a><a href="/team/kb">y</a>', root="/team/kb/") == []
    assert broken('<a href="/about/">x</a><a href="/team/kb2">y</a>', root="/team/kb/") == [
        "/about/",
        "/team/kb2",
    ]


def test_the_place_on_its_host_is_in_the_address_of_the_front_page() -> None:
    page = '<link rel="canonical" href="https://example.org{}">'
    for path, root in (("", "/"), ("/", "/"), ("/team/kb/", "/team/kb/"), ("/kb", "/kb/")):
        assert root_of(parsed(page.format(path))) == root
    assert root_of(parsed("<p>no address</p>")) == "/"


def test_a_broken_link_says_why() -> None:
    pages = {"a/index.html": linked(parsed('<a href="../b/#c">x</a>'))}

    found = list(broken_links(pages, ["a/index.html", "b/index.html"]))
    assert found == [], "what is no page of ours may have any place"
    assert list(broken_links(pages, ["a/index.html"])) == [
        BrokenLink("a/index.html", "../b/#c", "there is no b")
    ]


@pytest.fixture(scope="module")
def whole(shared_site: Shared) -> Path:
    return shared_site("addressed")


@pytest.fixture
def site(whole: Path, tmp_path: Path) -> Path:
    """A built site that a test may spoil."""
    return Path(shutil.copytree(whole, tmp_path / "site"))


def change(page: Path, old: str, new: str) -> None:
    text = page.read_text(encoding="utf-8")
    assert old in text
    page.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_sound_site_has_no_fault_below_a_sub_path_or_on_a_disk(
    whole: Path, shared_site: Shared
) -> None:
    assert check_site(whole).findings == ()
    offline = check_site(shared_site("offline"))
    assert (offline.findings, offline.made) == ((), check_site(whole).made)


def test_a_site_of_hostile_records_has_no_fault(shared_site: Shared) -> None:
    assert check_site(shared_site("hostile")).findings == ()


@pytest.mark.parametrize(
    ("payload", "named"),
    [
        ("<script>go()</script>", "a <script> of its own: <script>go()</script>"),
        ('<script src="../assets/go.js"></script>', "a <script> of its own"),
        ("<img src=x.png onerror=go()>", "<img onerror>: onerror=go()"),
        ("<img src=//elsewhere.example/x.png>", "it loads <img src>: //elsewhere.example/x.png"),
        ("<iframe src=../></iframe>", "a <iframe> of its own"),
        ("<a href=javascript:go()>x</a>", "a link that is not an address: javascript:go()"),
    ],
)
def test_what_one_page_alone_runs_or_loads_is_a_fault(site: Path, payload: str, named: str) -> None:
    page = next(site.glob("memories/error/*/index.html"))
    change(page, "<h1", payload + "<h1")

    found = [one for one in check_site(site).findings if not one.what.startswith("broken link")]
    assert [one.path for one in found] == [page.relative_to(site).as_posix()]
    assert found[0].what.startswith(named)


def test_a_page_of_the_users_own_may_run_what_it_likes(site: Path) -> None:
    change(site / "about/index.html", "<h1", "<script>go()</script><h1")

    assert check_site(site).findings == ()


def test_a_script_that_the_theme_puts_on_every_page_is_the_themes(
    build_site: Build, tmp_path: Path
) -> None:
    built = build_site(LIBRARY, extra="extra_javascript: [https://scripts.example/count.js]\n")

    assert check_site(built).findings == ()


def test_what_was_not_built_by_calmkb_is_refused(site: Path, tmp_path: Path) -> None:
    with pytest.raises(CalmError, match="calmkb site build"):
        check_site(tmp_path / "nothing")
    for page in site.rglob("*.html"):
        page.write_text("<p>words</p>")
    with pytest.raises(CalmError, match="was made by calmkb"):
        check_site(site)


def test_the_command_prints_what_where_and_the_fix(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(calmkb, ["site", "check", str(site)]) == 0
    assert "No fault in " in capsys.readouterr().out
    change(site / "tags/index.html", "<h1", '<a href="../nowhere/\x1b[2J">x</a><h1')

    assert run(calmkb, ["site", "check", str(site)]) == 1
    said = capsys.readouterr()
    assert "tags/index.html: broken link ../nowhere/" in said.out
    assert "calmkb site build" in said.out
    assert "\x1b" not in said.out
    assert "1 fault in" in said.err


def test_the_command_knows_where_a_knowledge_bases_site_is(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = site.parent
    (root / "calmkb.toml").write_text("")
    (root / "docs").mkdir()
    (root / "mkdocs.yml").write_text("site_name: x\n")

    assert run(calmkb, ["--kb", str(root), "site", "check"]) == 0
