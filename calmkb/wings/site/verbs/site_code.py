"""What building a site with a repository's mkdocs.yml would run: approved as a whole, not analysed.

Settings ask for nothing that name only plugins, extensions and themes which come with calmkb. All
others are approved with every file that they name, and a hook's modules. MkDocs's own loader, which
calls Python functions that a tag names, is never used here.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from calmkb.errors import CalmError
from calmkb.kb.base.approvals import require
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.trust.programs import hashed, whole
from calmkb.model.trust import TrustRequest
from calmkb.system.paths import leads_elsewhere
from calmkb.wings.site.builder.build import PLUGIN, config_file

SETTINGS = "mkdocs.yml"
_PAGES = {"nav", "docs_dir", "site_dir", "watch"}  # change with the pages, and run nothing
_PLUGINS = {"calmkb", "calmkb-stage", "meta", "offline", "search", "tags"}
_THEMES = (None, "material", "mkdocs", "readthedocs")
# Those of Python-Markdown and PyMdown that neither read files nor take a function to call.
_EXTENSIONS = set(
    """abbr admonition attr_list codehilite def_list extra fenced_code footnotes legacy_attrs
    legacy_em md_in_html meta nl2br sane_lists smarty tables toc wikilinks pymdownx.arithmatex
    pymdownx.betterem pymdownx.blocks.admonition pymdownx.blocks.definition pymdownx.blocks.details
    pymdownx.blocks.tab pymdownx.caret pymdownx.critic pymdownx.details pymdownx.emoji
    pymdownx.escapeall pymdownx.extra pymdownx.fancylists pymdownx.highlight pymdownx.inlinehilite
    pymdownx.keys pymdownx.magiclink pymdownx.mark pymdownx.progressbar pymdownx.saneheaders
    pymdownx.smartsymbols pymdownx.striphtml pymdownx.superfences pymdownx.tabbed
    pymdownx.tasklist pymdownx.tilde""".split()
)
_VARIABLES = {"OFFLINE", "SITE_URL"}


def site_request(kb: KnowledgeBase) -> tuple[TrustRequest, ...]:
    """Return the approval that building the site needs; none where nothing of its own runs."""
    path = kb.root / SETTINGS
    if not path.is_file() or _is_plain(path, kb.root):
        return ()
    reason = "`calmkb site` builds with these settings, and runs the files that they name"
    files = dict.fromkeys(_files_of(path, kb.root, ()))
    content = "\n".join(hashed(file, kb.root) for file in files)
    return (TrustRequest("site", SETTINGS, reason, content),)


def require_site(kb: KnowledgeBase) -> None:
    """Raise NeedsApprovalError where building the site would run code that is not approved."""
    require(kb, site_request(kb))


def own_pages(kb: KnowledgeBase) -> Path | None:
    """Return the folder of the user's pages, where the site is made of these and records alone.

    None where code of the user's takes part, or a link, or another knowledge base.
    """
    settings = kb.root / SETTINGS
    if not settings.is_file() or not _is_plain(settings, kb.root):
        return None
    found, _ = _read(settings)
    docs = _below(kb.root, found.get("docs_dir", "docs"))
    options = [one for _, one in _listed(found.get("plugins"))]
    other = any("root" in one for one in options if isinstance(one, dict))
    inside = kb.root.resolve() in docs.parents
    return docs if inside and not other and not any(map(leads_elsewhere, docs.rglob("*"))) else None


def site_folder(root: Path) -> Path:
    """Return where the site is built by the settings, read as plain YAML: nothing of them runs."""
    return _below(root, _read(config_file(root))[0].get("site_dir", "site"))


def _is_plain(path: Path, root: Path) -> bool:
    """Whether the settings name only what comes with calmkb."""
    found, tagged = _read(path)
    theme = found.get("theme")
    table = theme if isinstance(theme, dict) else {"name": theme}
    plugins, extensions = _listed(found.get("plugins")), _listed(found.get("markdown_extensions"))
    options = [one for name, one in plugins if name == PLUGIN and isinstance(one, dict)]
    return (
        not tagged
        and not {"hooks", "extra_templates", "INHERIT"} & found.keys()
        and table.get("name") in _THEMES
        and not table.get("custom_dir")
        and {name.removeprefix("material/") for name, _ in plugins} <= _PLUGINS
        and {name.removeprefix("markdown.extensions.") for name, _ in extensions} <= _EXTENSIONS
        and all(
            _below(root, one.get("root", ".")).is_relative_to(root.resolve()) for one in options
        )
    )


def _listed(value: Any) -> list[tuple[str, Any]]:
    """Return (name, options) of a table, or of a list of names and of tables of one name."""
    items = value if isinstance(value, list) else [value] if value else []
    tables = [one if isinstance(one, dict) else {one if isinstance(one, str) else "": None}
              for one in items]  # fmt: skip
    return [(str(name), options) for table in tables for name, options in table.items()]


def _below(folder: Path, named: Any) -> Path:
    """Return the place of a path in the settings; nested lists could be an alias bomb."""
    return (folder / (named if isinstance(named, str) else "..")).resolve()


def _files_of(path: Path, root: Path, children: tuple[Path, ...]) -> Iterator[Path]:
    """Yield a file of settings and what it names, its parents' too."""
    yield path
    if path in children:
        raise CalmError(f"{root / SETTINGS} inherits from itself: take out the `INHERIT` of {path}")
    found, _ = _read(path)
    docs = _below(root, found.get("docs_dir", "docs"))
    kept = {name: value for name, value in found.items() if name not in _PAGES}
    for word in dict.fromkeys(_words(kept, set())):
        # MkDocs resolves what a parent names from the folder of the file that inherits it.
        for place in (root / word, docs / word, root / f"{word.replace('.', '/')}.py"):
            yield from whole(place, docs)
    if parent := found.get("INHERIT"):
        yield from _files_of(_below(path.parent, parent), root, (*children, path))


def _words(value: Any, seen: set[int]) -> Iterator[str]:
    """Yield the texts in a value, each list and table once: aliases can make a bomb of them."""
    if isinstance(value, str) and value.strip("./"):
        yield value
    elif isinstance(value, (list, dict)) and id(value) not in seen:
        seen.add(id(value))
        for one in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from _words(one, seen)


def _read(path: Path) -> tuple[dict[Any, Any], bool]:
    """Return the settings, and whether they ask for more than the made ones or cannot be read."""
    if path.is_file() and path.stat().st_size > 500_000:  # YAML takes seconds a megabyte
        raise CalmError(f"{path} is larger than 500 kB; take out what is not a setting")
    try:
        reader = _Reader(path.read_bytes())
        found = reader.get_single_data() or {}
    except (OSError, yaml.YAMLError, RecursionError, ValueError):
        return {}, True
    return (found, reader.tagged) if isinstance(found, dict) else ({}, True)


class _Reader(yaml.SafeLoader):
    """Reads every tag as the plain value below it, `!ENV` as its default, and calls nothing."""

    tagged = False


def _plain(loader: _Reader, suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        loader.tagged = True
        return loader.construct_mapping(node, deep=True)
    values = [node.value]
    if isinstance(node, yaml.SequenceNode):
        values = loader.construct_sequence(node, deep=True) or [""]
    named = values[:-1] or values  # the last one of several is the default
    loader.tagged |= node.tag != "!ENV" or any(one not in _VARIABLES for one in named)
    return values[-1] if node.tag == "!ENV" else values


_Reader.add_multi_constructor("", _plain)
