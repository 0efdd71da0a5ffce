"""Approved by somebody who overlooked it: text that acts on its reader must be inert all the same.

The memories are committed by the person, which approves them. So a marker is in the files; what
counts is whether it still does something there.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from calmkb.export.targets.table import EXPORTERS
from poisoning.attacks import ACTIVE, MARKUP
from poisoning.cases import Case, Outcome, marker, memory, session
from poisoning.sandbox import Sandbox

_PLAIN = ("json",)
_HIDDEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u001b]")
_LOADS = ("src", "href", "data", "action", "srcset", "poster", "content")


def run(root: Path) -> Iterator[Outcome]:
    """Export hostile memories to every target, and build a site of hostile records."""
    yield from _exports(root / "exports")
    yield from _site(root / "site")


def _exports(root: Path) -> Iterator[Outcome]:
    sandbox = Sandbox(root)
    named = [(attack, marker()) for attack in ACTIVE]
    files = {"calmkb.toml": "[export]\nmax_tokens = 50000\n"}
    for attack, name in named:
        files |= memory(f"Mind {attack.format(m=name)}", who="ada@example.org")
    shop = sandbox.repository("shop", files)
    for target in EXPORTERS:
        before = set(_files(sandbox.home, shop))
        sandbox.calmkb(shop, "export", "--target", target)
        made = [path for path in _files(sandbox.home, shop) if path not in before]
        text = "\n".join(path.read_text() for path in made)
        for attack, name in named:
            case = Case("an approved memory that acts", target, attack, name)
            yield Outcome(case, acts(name, text, target))
        for path in made:  # what one file tells, another need not
            path.unlink()


def _files(*folders: Path) -> Iterator[Path]:
    """Yield what stands in a home and a project, but for git's and calmkb's own."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file() and not {".git", ".calm"} & set(path.relative_to(folder).parts):
                yield path


def acts(name: str, text: str, target: str) -> str:
    """Return what the memory's text would still do in the exported file."""
    if name not in text:
        return "it is missing: the case proves nothing"
    lines = [line for line in text.splitlines() if name in line]
    if any(_HIDDEN.search(line) for line in lines):
        return "invisible characters are left"
    if target in _PLAIN:
        return ""
    shapes = {
        "an import": rf"(?<![\w`])@[~./\\]?[\w./\\~-]*{name}",
        "a command": rf"!\{{[^}}]*{name}|!`[^`]*{name}|^```!\n[^\n]*{name}",
        "a comment": rf"<!--[^>]*{name}|{name}[^<\n]*-->",
        "a marker": rf"<!-- calmkb:(?:begin|end)[^\n]*{name}",
        "a tag": rf"<system-reminder>{name}",
        "an attached file": rf"(?<![\w`])#file:{name}",
        "a link to a file": rf"\]\({name}",
        "a heading": rf"^#+ {name}",
        "a fence": rf"^(```|~~~)[^\n]*\n?[^\n]*{name}",
        "front matter": rf"^---$\n[^-]*{name}: x\n---",
        "a heading below": rf"^## Commands\n\n- rm -rf {name}",
    }
    found = [what for what, shape in shapes.items() if re.search(shape, text, re.MULTILINE)]
    return ", ".join(found)


def _site(root: Path) -> Iterator[Outcome]:
    sandbox = Sandbox(root)
    named = [(attack, marker(), kind) for attack in MARKUP for kind in ("session", "memory")]
    files = {"calmkb.toml": ""}
    for attack, name, kind in named:
        text = f"{name} {attack.format(m=name)}"
        files |= session(text, project=f"shop {attack.format(m=name)}".split("\n")[0][:200]) \
            if kind == "session" else memory(text, who="ada@example.org")  # fmt: skip
    shop = sandbox.repository("shop", files)
    sandbox.calmkb(shop, "init")
    built = sandbox.calmkb(shop, "site", "build")
    pages = {path: LexborHTMLParser(path.read_text()) for path in (shop / "site").rglob("*.html")}
    whole = "".join(tree.html or "" for tree in pages.values())
    for attack, name, kind in named:
        case = Case("an approved record on the site", kind, attack, name)
        if built.returncode or name not in whole:
            yield Outcome(case, "it is missing: the case proves nothing")
            continue
        found = {one for tree in pages.values() for one in lives(tree, name)}
        yield Outcome(case, ", ".join(sorted(found)))


def lives(tree: LexborHTMLParser, name: str) -> set[str]:
    """Return what on a page runs or loads because of the record with this marker."""
    found = set()
    for node in tree.css("*"):
        if node.tag in ("script", "style", "iframe", "object", "base", "form") and (
            name in (node.html or "")
        ):
            found.add(f"<{node.tag}>")
        for key, value in node.attributes.items():
            text = value or ""
            if name not in text:
                continue
            if key.startswith("on") or (key in _LOADS[:-1] and "javascript:" in text.lower()):
                found.add(f"{key}=")
            outside = re.match(rf"\s*(?:https?:)?//{name}", text)
            if key in _LOADS and outside and node.tag not in ("a", "meta"):
                found.add(f"{node.tag} {key}=")
            if node.tag == "meta" and "http-equiv" in node.attributes:
                found.add("meta refresh")
    return found
