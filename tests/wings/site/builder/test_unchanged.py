"""Where nothing that a site is made of has changed, MkDocs is not asked; else all is as ever."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calmkb.config import load_config
from calmkb.errors import CalmError
from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.wings.site.builder.output import Built
from calmkb.wings.site.verbs import building
from tests.warm import without_terminal
from tests.wings.site.builder.test_site_build import Once, times, tree, wrap_up
from tests.wings.site.builder.test_site_build import base as base
from tests.wings.site.builder.test_site_build import copy_place as copy_place
from tests.wings.site.builder.test_site_build import once as once
from tests.wings.site.builder.test_site_build import original as original

ASKED = """
import sys
from calmkb.__main__ import main
sys.argv = ["calmkb", "--kb", sys.argv[1], "site", "build"]
try:
    main()
finally:
    print("MkDocs was asked" if "mkdocs.commands.build" in sys.modules else "not asked")
"""


def built(root: Path, **options: Any) -> Built:
    return building.build(KnowledgeBase(root, load_config(root), process_environment()), **options)


@pytest.fixture
def site(base: Path, once: Once) -> Path:
    """Return the folder of a site that was built once."""
    once(base.parent, lambda: built(base))
    return base / "site"


def asked(root: Path) -> bool:
    command = [sys.executable, "-c", ASKED, str(root)]
    said = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
    return "MkDocs was asked" in said.stdout


def test_mkdocs_is_asked_once_where_nothing_changed(base: Path) -> None:
    assert asked(base)
    before = times(base / "site")

    assert not asked(base)
    assert times(base / "site") == before


def write(name: str, text: str) -> Callable[[Path], None]:
    return lambda root: (root / name).write_text(text) and None


def append(name: str, text: str) -> Callable[[Path], None]:
    return lambda root: (root / name).write_text((root / name).read_text() + text) and None


def touch_page(root: Path) -> None:
    next(root.glob("site/sessions/2*/*/*/index.html")).write_text("somebody's")


def remove_page(root: Path) -> None:
    (root / "site" / "index.html").unlink()


def remove_record(root: Path) -> None:
    next((root / "journal" / "sessions").rglob("*.md")).unlink()


def edit_record(root: Path) -> None:
    record = next((root / "journal" / "sessions").rglob("*.md"))
    record.write_text(record.read_text().replace("fixture", "factory"))


def add_memory(root: Path) -> None:
    said = without_terminal("--kb", str(root), "memory", "add", "Start Docker.", cwd=root)
    assert said.returncode == 0, said.stderr


def same_size_again(root: Path) -> None:
    """Write other words of the same length, and give the file its old time."""
    page = root / "docs" / "about.md"
    found = page.stat()
    page.write_text("".join(reversed(page.read_text())))
    os.utime(page, ns=(found.st_atime_ns, found.st_mtime_ns))


CHANGES = {
    "a wrap-up": lambda root: wrap_up(root, 99),
    "an edited record": edit_record,
    "a record that is gone": remove_record,
    "a memory": add_memory,
    "a page of the user's": write("docs/guide.md", "# Guide\n"),
    "other words in as many letters": same_size_again,
    "the settings": append("mkdocs.yml", "\ncopyright: The team\n"),
    "a page that somebody wrote to": touch_page,
    "a page that somebody removed": remove_page,
}


@pytest.mark.parametrize("what", CHANGES)
def test_after_any_change_the_site_is_that_of_a_build_from_nothing(
    base: Path, site: Path, what: str
) -> None:
    CHANGES[what](base)
    assert built(base).changed > 0
    built(base, output=base.parent / "cold", rebuild=True)

    assert tree(base / "site") == tree(base.parent / "cold")


@pytest.mark.parametrize(
    ("name", "value"), [("SOURCE_DATE_EPOCH", "1800000000"), ("SITE_URL", "https://a.example/kb/")]
)
def test_another_day_or_address_is_another_site(
    base: Path, site: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert built(base).changed > 0
    built(base, output=base.parent / "cold", rebuild=True)

    assert tree(base / "site") == tree(base.parent / "cold")


def test_an_offline_copy_is_another_site(base: Path, site: Path) -> None:

    assert built(base, offline=True).changed > 0
    assert built(base, offline=True).changed == 0
    assert built(base).changed > 0


def test_what_was_warned_of_is_warned_of_again(
    base: Path, caplog: pytest.LogCaptureFixture
) -> None:
    append("docs/about.md", "\n[nowhere](nowhere.md)\n")(base)
    built(base)
    caplog.clear()
    built(base)

    assert "nowhere.md" in caplog.text
    with pytest.raises(CalmError, match="strict"):
        built(base, strict=True)


def test_a_link_among_the_users_pages_is_looked_at_each_time(base: Path, site: Path) -> None:
    (base.parent / "secret.md").write_text("# Secret")
    (base / "docs" / "linked.md").symlink_to(base.parent / "secret.md")

    with pytest.raises(CalmError, match=r"linked\.md is a symbolic link"):
        built(base)


def test_a_knowledge_base_that_the_settings_name_is_read_by_the_plugin(base: Path) -> None:
    settings = base / "mkdocs.yml"
    text = settings.read_text()
    settings.write_text(text.replace("- calmkb", f"- calmkb:\n      root: {base}"))

    assert built(base).changed > 0
    assert asked(base), "what it reads is not known before"


def test_a_file_of_somebodys_in_the_site_is_named_though_nothing_changed(
    base: Path, site: Path
) -> None:
    (site / "stray.html").write_text("somebody's")

    assert built(base) == Built(site, 0, ("stray.html",))


def test_words_from_before_do_not_come_back_after_a_kill(base: Path, site: Path) -> None:
    """A build that is killed half-way leaves a list of files, and not what they were made from."""
    page = base / "docs" / "about.md"
    before = page.read_text()
    page.write_text("# Other\n")
    (record,) = (base.parent / "home").rglob("sites/*.json")
    old = record.read_text()
    built(base)
    assert '"source"' in old and '"source"' in record.read_text()
    page.write_text(before)

    assert built(base).changed > 0
    assert b"Other" not in (base / "site" / "about" / "index.html").read_bytes()


@pytest.mark.parametrize(
    ("change", "told", "code"),
    [
        (append("docs/about.md", "[x](missing.md)\n"), "contains a link 'missing.md'", 0),
        (append("docs/about.md", "[x](<mis\x1b[31msing.md>)\n"), "[31msing.md'", 0),
        (append("mkdocs.yml", "docs_dir: elsewhere\n"), "elsewhere' isn't an existing", 1),
        (append("mkdocs.yml", "nav: 5\n"), "Config value 'nav'", 1),
    ],
)
def test_what_mkdocs_warns_of_is_told(
    base: Path, change: Callable[[Path], None], told: str, code: int
) -> None:
    change(base)
    said = without_terminal("--kb", str(base), "site", "build", cwd=base)
    assert told in said.stderr
    assert "\x1b" not in said.stderr
    assert said.returncode == code
