"""The files that `init` makes: which, and what they hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from calmkb.config import CONFIG_NAME, load_config
from calmkb.templating import render_template

_IN_ROOT = {
    CONFIG_NAME: "scaffold/calmkb.toml.j2",
    "mkdocs.yml": "site/mkdocs.yml.j2",
    "docs/about.md": "site/about.md.j2",
    "journal/README.md": "scaffold/journal-readme.md.j2",
    ".gitignore": "scaffold/gitignore.j2",
}
_CHECKS = {
    ".github/CODEOWNERS": "scaffold/codeowners.j2",
    ".github/workflows/journal.yml": "scaffold/journal.yml.j2",
}
_PAGES = {".github/workflows/calmkb-site.yml": "scaffold/site.yml.j2"}
_WEEKLY = {".github/workflows/calmkb-week.yml": "scaffold/week.yml.j2"}


def name_of_site(folder: str) -> str:
    """Return what the site of a folder is called: its name as it is, unless that says nothing."""
    return "Knowledge base" if folder.strip() in ("", "kb") else folder


@dataclass(frozen=True, slots=True)
class Scaffold:
    """What the files say; workflows are made only where they are asked for.

    `targets` are those of `[export]`, none for the files that are there. `branch` is the one whose
    pushes the workflows follow.
    """

    site_name: str = ""
    targets: Sequence[str] = ()
    checks: bool = False
    pages: bool = False
    weekly: bool = False
    branch: str = "main"

    def files(self, root: Path, top: Path) -> dict[Path, str]:
        """Return path → text for a knowledge base at `root` in the repository at `top`."""
        from calmkb.kb.project.install_source import install_command

        folder = root.relative_to(top).as_posix()
        values = {
            "site_name": self.site_name or name_of_site(root.name),
            "targets": list(self.targets),
            "branch": self.branch,
            "folder": "" if folder == "." else folder + "/",
            "journal": load_config(root).journal,
            "install": install_command(),
        }
        in_repository = (_CHECKS if self.checks else {}) | (_PAGES if self.pages else {})
        in_repository |= _WEEKLY if self.weekly else {}
        placed = [(root / path, name) for path, name in _IN_ROOT.items()]
        placed += [(top / path, name) for path, name in in_repository.items()]
        return {path: render_template(template, **values) for path, template in placed}
