"""The same texts where nothing stops them: unless they are seen there, a zero proves nothing."""

from collections.abc import Iterator
from pathlib import Path

from markdown import markdown
from selectolax.lexbor import LexborHTMLParser

from poisoning.attacks import ACTIVE, MARKUP
from poisoning.cases import marker, memory
from poisoning.outputs import acts, lives
from poisoning.sandbox import Sandbox
from poisoning.told import told, where


def run(root: Path) -> Iterator[str]:
    """Yield a line on each control: approved texts reach agents, raw texts are seen to act."""
    seen, places = _approved(root)
    yield f"{seen} of {places} places hold the text that a person approved for them"
    for what, texts, check in (("exports", ACTIVE, acts_raw), ("pages", MARKUP, lives_raw)):
        missed = [text for text in texts if not check(text, marker())]
        yield f"the check of {what} sees {len(texts) - len(missed)} of {len(texts)} raw texts act"
        yield from (f"it does not see {text!r}" for text in missed)


def acts_raw(text: str, name: str) -> bool:
    """Tell whether the check of exports sees the raw text act."""
    return bool(acts(name, text.format(m=name), "markdown"))


def lives_raw(text: str, name: str) -> bool:
    """Tell whether the check of pages sees the text live in what Python-Markdown makes of it."""
    made = markdown(text.format(m=name), extensions=["attr_list", "md_in_html"])
    return bool(lives(LexborHTMLParser(f"<body>{made}"), name))


def _approved(root: Path) -> tuple[int, int]:
    sandbox = Sandbox(root)
    names = [marker() for _ in range(10)]
    files = {"calmkb.toml": 'project = "shop"\n'}
    for name in names:
        files |= memory(f"Use {name} for every build of this project.", who="ada@example.org")
    shop = sandbox.repository("shop", files)
    left = marker()
    sandbox.calmkb(shop, "wrapup", "continue", "--summary", f"Half of {left}.", "--next", "Go on.")
    places = told(sandbox, shop)
    seen = [where(name, {"CLAUDE.md": places.get("CLAUDE.md", "")}) for name in names]
    seen += [where(name, {"MCP": places["MCP list_memories"]}) for name in names]
    seen += [where(left, {"start": places["session start"]})]
    return sum(map(bool, seen)), len(seen)
