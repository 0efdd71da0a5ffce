"""What in a repository's mkdocs.yml runs code of its own when the site is built.

MkDocs imports hooks, plugins and Markdown extensions, runs theme folders and `extra_templates` as
Jinja templates, and its YAML loader calls any Python function that a `!!python/` tag names. The
file is only read here, never loaded as MkDocs would.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from shlex import quote
from typing import Any

import yaml

from calmkb.errors import CalmError
from calmkb.kb.base.approvals import require
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model.trust import TrustRequest

SETTINGS = "mkdocs.yml"
_PLUGINS = {"calmkb", "calmkb-stage", "meta", "offline", "search", "tags"}
_THEMES = {"material", "mkdocs", "readthedocs"}
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
_PARENTS = 20
_STANDARD = "tag:yaml.org,2002:"
_PLAIN_TAGS = {f"{_STANDARD}{name}" for name in
               "bool float int map merge null seq str timestamp value".split()}  # fmt: skip
_LIMIT = 1_000_000


def site_request(kb: KnowledgeBase) -> tuple[TrustRequest, ...]:
    """Return the approval that building the site needs; none where nothing of its own runs."""
    path = kb.root / SETTINGS
    if not path.is_file():
        return ()
    lines = list(dict.fromkeys(_asks_of(path, kb.root, _PARENTS)))
    if not lines:
        return ()
    reason = "`calmkb site` runs code that this repository's settings for MkDocs name"
    content = "\n".join([*lines, _hashed(path, kb.root)])
    return (TrustRequest("site", SETTINGS, reason, content),)


def require_site(kb: KnowledgeBase) -> None:
    """Raise NeedsApprovalError where building the site would run code that is not approved."""
    require(kb, site_request(kb))


def site_folder(root: Path) -> Path:
    """Return where the site is built by the settings, read as plain YAML: nothing of them runs."""
    path = root / SETTINGS
    if not path.is_file():
        raise CalmError(f"there is no {path}; make one with: calmkb init {quote(str(root))}")
    try:
        found = yaml.load(path.read_bytes(), Loader=_Reader)  # noqa: S506 - a SafeLoader
    except OSError as error:
        raise CalmError(f"cannot read {path}: {error.strerror or error}") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise CalmError(f"{path} cannot be read as YAML: {error}") from error
    named = found.get("site_dir") if isinstance(found, dict) else None
    return root / str(named or "site")


def _asks_of(path: Path, root: Path, parents: int) -> Iterator[str]:
    """Yield a line on each thing that runs code, reads the environment or cannot be judged."""
    try:
        data = path.read_bytes()[: _LIMIT + 1]
        tree = yaml.compose(data, Loader=yaml.SafeLoader)
        found = yaml.load(data, Loader=_Reader) or {}  # noqa: S506 - a SafeLoader, see below
    except (OSError, yaml.YAMLError, RecursionError, ValueError) as error:
        yield f"{path.name} cannot be read as YAML: {type(error).__name__}"
        return
    if len(data) > _LIMIT or not isinstance(found, dict):
        yield f"{path.name} is too large or no table of settings"
        return
    yield from _tags(tree)
    # MkDocs resolves what a parent names from the folder of the file that inherits it.
    yield from _settings(found, root, root)
    if parent := found.get("INHERIT"):
        inherited = path.parent / str(parent)
        yield f"INHERIT: {parent} ({_hashed(inherited, root)})"
        if not parents:
            raise CalmError(
                f"{root / SETTINGS} inherits from more than {_PARENTS} files, or from itself; "
                "write its settings into fewer"
            )
        yield from _asks_of(inherited, root, parents - 1)


def _settings(found: Mapping[str, Any], folder: Path, root: Path) -> Iterator[str]:
    for hook in _listed(found.get("hooks")):
        yield f"hooks: {hook} ({_hashed(folder / hook, root)})"
    for template in _listed(found.get("extra_templates")):
        docs = folder / str(found.get("docs_dir") or "docs")
        yield f"extra_templates: {template} ({_hashed(docs / template, root)})"
    for name in _listed(found.get("plugins")):
        if name.removeprefix("material/") not in _PLUGINS:
            yield f"plugins: {name}"
    yield from _other_root(found.get("plugins"), folder, root)
    for name in _listed(found.get("markdown_extensions")):
        if name.removeprefix("markdown.extensions.") not in _EXTENSIONS:
            yield f"markdown_extensions: {name}"
    theme = found.get("theme")
    named = theme.get("name") if isinstance(theme, dict) else theme
    if named is not None and str(named) not in _THEMES:
        yield f"theme: {named}"
    if isinstance(theme, dict) and (custom := theme.get("custom_dir")):
        yield f"theme.custom_dir: {custom}"
        yield from (_hashed(file, root) for file in _files_below(folder / str(custom)))


def _other_root(plugins: Any, folder: Path, root: Path) -> Iterator[str]:
    """Yield the knowledge base that the plugin is pointed to, where it lies outside this one."""
    tables = plugins if isinstance(plugins, list) else [plugins]
    options = [one["calmkb"] for one in tables if isinstance(one, dict) and "calmkb" in one]
    for named in [one.get("root") for one in options if isinstance(one, dict)]:
        if named and not (folder / str(named)).resolve().is_relative_to(root.resolve()):
            yield f"plugins: calmkb, root: {named}"


def _tags(tree: Any) -> Iterator[str]:
    """Yield the tags that make MkDocs's loader call a function or read the environment."""
    waiting, seen = [tree], set()
    while waiting:
        node = waiting.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if node.tag == "!ENV":
            yield from (f"!ENV {name}" for name in _variables(node) if name not in _VARIABLES)
        elif node.tag not in _PLAIN_TAGS:
            yield f"a YAML tag: {node.tag}"
        if isinstance(node, yaml.SequenceNode):
            waiting += node.value
        elif isinstance(node, yaml.MappingNode):
            waiting += [part for pair in node.value for part in pair]


def _variables(node: Any) -> list[str]:
    """Return the variables that `!ENV NAME` or `!ENV [NAME, …, default]` reads."""
    if isinstance(node, yaml.ScalarNode):
        return [node.value]
    if not isinstance(node, yaml.SequenceNode):
        return ["an invalid name"]
    names = node.value[:-1] or node.value  # the last one is the default
    return [one.value if isinstance(one, yaml.ScalarNode) else "a list" for one in names]


def _listed(value: Any) -> list[str]:
    """Return the names of a list whose items are names or tables of one name, or of a table."""
    if value is None:
        return []
    if isinstance(value, dict):
        return [_name(one) for one in value]
    if not isinstance(value, list):
        return [_name(value)]
    return [_name(next(iter(one), "")) if isinstance(one, dict) else _name(one) for one in value]


def _name(value: Any) -> str:
    """Return a scalar as text; a nested list could be an alias bomb."""
    return "an invalid name" if isinstance(value, (list, dict)) else str(value)


def _files_below(folder: Path) -> list[Path]:
    """Return the files of a theme folder, those behind links too: a template can be one."""
    found, seen = [], set()
    for at, folders, names in os.walk(folder, followlinks=True):
        real = os.path.realpath(at)
        if real in seen:  # a link to a folder above
            folders.clear()
            continue
        seen.add(real)
        found += [Path(at, name) for name in names]
    return sorted(found)


def _hashed(path: Path, root: Path) -> str:
    """Return the file's name below `root` and the hash of what it holds."""
    name = os.path.relpath(path, root).replace(os.sep, "/")
    try:
        return f"file {name} sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}"
    except OSError:
        return f"file {name} cannot be read"


class _Reader(yaml.SafeLoader):
    """Reads every tag as the plain value below it, `!ENV` as its default, and calls nothing."""


def _plain(loader: yaml.SafeLoader, suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if not isinstance(node, yaml.SequenceNode):
        return node.value
    values = loader.construct_sequence(node, deep=True)
    return (values[-1] if values else None) if node.tag == "!ENV" else values


_Reader.add_multi_constructor("", _plain)
