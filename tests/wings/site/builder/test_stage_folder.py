"""The stage as files: written once, and the same pages by MkDocs and by Zensical."""

import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urljoin

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from calmkb.errors import CalmError
from calmkb.model import Library
from calmkb.wings.site.builder.build import SiteFolders
from calmkb.wings.site.builder.output import Built
from calmkb.wings.site.builder.stage_folder import stage_into
from calmkb.wings.site.mkdocs_plugin import CalmkbPlugin
from calmkb.wings.site.text.shell import parsed
from tests.wings.site.conftest import scaffold
from tests.wings.site.hostile import hostile_library
from tests.wings.site.html_pages import live, read_site
from tests.wings.site.sample import LIBRARY


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "kb"
    folder.mkdir()
    scaffold(folder)
    return folder


def staged(root: Path, folder: Path, library: Library = LIBRARY) -> tuple[Built, int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CalmkbPlugin, "read", lambda self, config: library)
        return stage_into(SiteFolders(root, root, root / "state"), folder)


def by_zensical(stage: Path) -> Path:
    pytest.importorskip("zensical", reason="Zensical is not installed")
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, cwd=stage, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    return stage / "site"


def articles(site: Path) -> dict[str, tuple[list[str], list[str]]]:
    """Return page -> its headings and the links of its article, in their order."""
    found = {}
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).as_posix()
        page = parsed(path.read_text(encoding="utf-8"))
        headings = [
            f"{node.tag} {node.text(deep=True).strip('¶ ')}" for node in page.css("article h1, h2")
        ]
        links = [
            urljoin(f"/{name}", node.attributes["href"])
            for node in page.css("article a[href]:not(.headerlink)")
        ]
        found[name] = (headings, links)
    del found["404.html"]
    return found


def test_mkdocs_and_zensical_make_the_same_pages_of_a_stage(root: Path, tmp_path: Path) -> None:
    staged(root, tmp_path / "stage")
    build(load_config(str(tmp_path / "stage/mkdocs.yml"), site_dir=str(tmp_path / "site")))
    ours, theirs = articles(tmp_path / "site"), articles(by_zensical(tmp_path / "stage"))

    assert list(ours) == list(theirs)
    for name, found in ours.items():
        assert theirs[name] == found, name


def test_hostile_records_are_inert_in_what_zensical_builds(root: Path, tmp_path: Path) -> None:
    staged(root, tmp_path / "stage", hostile_library())

    for name, page in read_site(by_zensical(tmp_path / "stage")).items():
        assert live(page) == [], name


def test_a_second_staging_writes_nothing_and_a_third_what_changed(
    root: Path, tmp_path: Path
) -> None:
    shutil.copytree(root / "docs", tmp_path / "other" / "docs")
    shutil.copyfile(root / "mkdocs.yml", tmp_path / "other" / "mkdocs.yml")
    (tmp_path / "other" / ".git").mkdir()
    stage = tmp_path / "stage"
    first, pages = staged(tmp_path / "other", stage)
    (tmp_path / "other" / "docs" / "about.md").write_text("# Something else\n")

    assert first.changed > pages
    assert staged(tmp_path / "other", stage)[0].changed == 1
    assert staged(tmp_path / "other", stage)[0].changed == 0
    staged(tmp_path / "other", stage, Library())
    assert not (stage / "docs" / "sessions" / "2026").exists()


def test_a_folder_with_something_else_is_not_staged_into(root: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")

    with pytest.raises(CalmError, match="holds files that calmkb did not build"):
        staged(root, tmp_path / "full")
    assert (tmp_path / "full" / "mine.txt").read_text() == "mine"


def test_a_stage_behind_a_link_of_the_repository_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (root / "linked").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(CalmError, match="linked is a symbolic link"):
        staged(root, root / "linked")
    assert list((tmp_path / "elsewhere").iterdir()) == []
