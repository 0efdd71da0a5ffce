"""A page pressed: from Markdown to HTML, into the theme's mould, checked, written."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from mkdocs.exceptions import PluginError

from calmkb.site.builder.rendering.markdown import Body, Dialect, body
from calmkb.site.builder.rendering.page_template import Mould, values_of
from calmkb.site.text.shell import Shell, parsed

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Job:
    """A page to press: its text, its HTML if that is known, its mould and where it goes."""

    uri: str
    text: str
    html: str
    mould: str
    canonical: str | None
    path: str


@dataclass(frozen=True)
class Press:
    """What all pages are pressed with: dialect, moulds by name, the theme's frame, the folder."""

    dialect: Dialect
    moulds: dict[str, Mould]
    shell: Shell
    folder: Path

    def press(self, job: Job) -> Body | None:
        """Write the page; return its HTML where that had to be made.

        Raises PluginError where the page holds what no page from records may.
        """
        made = None if job.html else body(self.dialect, job.uri, job.text)
        values = values_of(meta_of(job.text), job.canonical, made.html if made else job.html)
        page = self.moulds[job.mould].fill(values)
        refuse_faults(self.shell, job.uri, page)
        path = self.folder / job.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8", errors="xmlcharrefreplace", newline="\n")
        return made


def refuse_faults(shell: Shell, uri: str, page: str) -> None:
    """Raise PluginError where the page holds what no page from records may."""
    if faults := shell.faults(parsed(page)):
        raise PluginError(
            f"{uri} holds what a page from records may not: {faults[0]}. "
            "Nothing was published; please report it with the record."
        )


def meta_of(text: str) -> dict[str, Any]:
    """Return the front matter of a staged page."""
    found: dict[str, Any] = yaml.load(text.split("---\n", 2)[1], _LOADER)  # noqa: S506 - a safe one
    return found
