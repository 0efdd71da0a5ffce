"""The theme's page with placeholders for what differs: rendered once, filled ten thousand times.

A theme's template takes as long as all else that a page needs. Between two pages made from records
it changes nothing but the title, the description, the address and the text; so it is rendered once
with a placeholder for each. `theme.Theme.fits` compares the result with what the theme renders.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from mkdocs.exceptions import PluginError

from calmkb.site.builder.rendering.markdown import Body, Dialect, body
from calmkb.site.text.shell import Shell, parsed

_PLACEHOLDER = "calmkb7placeholder{}9"
_NAMES = ("title", "description", "record_file", "canonical", "content")
_BETWEEN_TAGS = re.compile(r">\s*\n\s*<")
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Material gives a page without a heading one of its own.
PLACEHOLDERS: Mapping[str, str] = {name: _PLACEHOLDER.format(name) for name in _NAMES[:-1]} | {
    "content": f"<h1>{_PLACEHOLDER.format('content')}</h1>"
}
_SPLIT = re.compile("(" + "|".join(PLACEHOLDERS.values()) + ")")
_NAME_OF = {text: name for name, text in PLACEHOLDERS.items()}


@dataclass(frozen=True, slots=True)
class PageTemplate:
    """The parts of a page between its placeholders, and their names, one less than the parts."""

    parts: tuple[str, ...]
    names: tuple[str, ...]

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the page with `values` in place of the placeholders."""
        pieces = [self.parts[0]]
        for name, part in zip(self.names, self.parts[1:], strict=True):
            pieces += [values[name], part]
        return "".join(pieces)


@dataclass(frozen=True, slots=True)
class PageJob:
    """A page to render: its text, its HTML if that is known, its template and where it goes."""

    uri: str
    text: str
    html: str
    template: str
    canonical: str | None
    path: str


@dataclass(frozen=True)
class PageRenderer:
    """What all pages are rendered with: dialect, templates by name, theme, folder."""

    dialect: Dialect
    templates: dict[str, PageTemplate]
    shell: Shell
    folder: Path

    def render(self, job: PageJob) -> Body | None:
        """Write the page; return its HTML where that had to be made.

        Raises PluginError where the page holds what no page from records may.
        """
        made = None if job.html else body(self.dialect, job.uri, job.text)
        values = values_of(meta_of(job.text), job.canonical, made.html if made else job.html)
        page = self.templates[job.template].fill(values)
        refuse_faults(self.shell, job.uri, page)
        path = self.folder / job.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8", errors="xmlcharrefreplace", newline="\n")
        return made


def template_of(html: str) -> PageTemplate | None:
    """Return the template of a page rendered with `PLACEHOLDERS`; None if `content` is not once."""
    pieces = _SPLIT.split(html)
    names = tuple(_NAME_OF[text] for text in pieces[1::2])
    return PageTemplate(tuple(pieces[::2]), names) if names.count("content") == 1 else None


def values_of(meta: Mapping[str, Any], canonical: str | None, content: str) -> dict[str, str]:
    """Return what replaces the placeholders of a page."""
    return {
        "title": str(meta.get("title", "")),
        "description": str(meta.get("description", "")),
        "record_file": str(meta.get("record_file", "")),
        "canonical": canonical or "",
        "content": content,
    }


def squeezed(html: str, content: str) -> str:
    """Return the page without the blank lines and indents between the theme's tags.

    They are a fifth of a short page. What is in `content` is left as it is.
    """
    if not content or html.count(content) != 1:
        return html
    before, after = html.split(content)
    return _BETWEEN_TAGS.sub(">\n<", before) + content + _BETWEEN_TAGS.sub(">\n<", after)


def refuse_faults(shell: Shell, uri: str, page: str) -> None:
    """Raise PluginError where the page contains HTML that no record may bring in."""
    if faults := shell.faults(parsed(page)):
        raise PluginError(
            f"{uri} contains disallowed HTML: {faults[0]}. "
            "Nothing was published; please report it with the record."
        )


def meta_of(text: str) -> dict[str, Any]:
    """Return the front matter of a staged page."""
    found: dict[str, Any] = yaml.load(text.split("---\n", 2)[1], _LOADER)  # noqa: S506 - a safe one
    return found
