"""Memories that git stores through a filter, as Git LFS does, are read as they were written."""

from pathlib import Path

from tests.cli.conftest import cli, project  # noqa: F401 - fixtures
from tests.conftest import git
from tests.store.git.test_attributes import attributes, own_filter


def test_text_and_approval_see_through_the_filter(cli, project):  # noqa: F811
    own_filter()
    attributes(project, "journal/** filter=letters")
    assert cli("memory", "add", "Use pnpm for every script.", "--category", "fact").code == 0
    (file,) = (project / "journal/memories").rglob("*.md")
    identity = file.read_text().split("id: ")[1].split("\n")[0]
    assert cli("memory", "edit", identity, "--text", "Use npm for every script.").code == 0
    shown = cli("memory", "show", identity)
    assert "\nUse npm for every script.\n" in shown.out + "\n", shown.err
    assert "not committed" not in cli("memory", "list").out
    assert "pnpm" not in git(project, "show", f"HEAD:{file.relative_to(Path.cwd())}")
