"""What is reported of a reference that does not hold, what is an example, and what became of it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from posixpath import dirname, normpath

from calmkb.model.words import short_line
from calmkb.wings.proof.anchors.git_files import Moment, Removal, removal_of
from calmkb.wings.proof.anchors.references import BARE_NAMES, Reference, has_extension
from calmkb.wings.proof.anchors.tree import Tree, places_of

MIGRATION = re.compile(r"migrat|upgrad|deprecat", re.IGNORECASE)
_PAST = re.compile(
    r"(?i)\b(?<!\bbe )(?<!\bthey are )(?:remov|delet|renam|replac|dropp|deprecat|migrat|mov)ed\b"
    r"|\bno longer\b|\bformerly\b|` (?:deletion|removal)\b"
    r"|\bused to\b|\bobsolete\b|(?:\bnot|n't) exist\b|\bthere(?:'s| is| are) no\b"
    r"|已[\s被]*(?:[删刪]|移除|重命名|改名|[废廢][弃棄]|不存在)|不再存在|已修[复復]|退役|取代|削除|廃止"
)
_ROW = re.compile(r"~~|^\s*[-*+] \[x\]|^[\s|*_>#+-]*\[?\d{4}-\d\d-\d\d\b", re.IGNORECASE)
"""A row that was struck out, is done, or is one of a log."""
_END = re.compile(r"(?i)(?:[.;]\s|[。\uff1b])\s*(?!(?:it|its|this|that|they|these|both|now)\b)")
_LOG = re.compile(
    r"(?i)^(#{2,6})(?:[\W\d]*(?!(?:add|check|ensure|find|read|review|updat|writ)\w*\s)(?:\w+ )?"
    r"(?:change ?log|history|release notes|recent changes)(?:\sentries|\shighlights|\s\(.*)?\W*$"
    r"|.*(?<!\bis )(?<!\bare )(?<!\bbe )(?<!been )completed\b"
    r"|.*(?:变更|更新日志|已修[复復]|\d{4}-\d\d-\d\d))"
)
_HEADING = re.compile(r"^(#+)\s")
_WRONG = re.compile(r"(?i)^[\s|>*_+-]*[❌🚫]|^\s*(?:#|//|--)\s*(?:❌|bad|wrong|incorrect)\b")
"""The head of rows that show how not to do it."""
_NOT = re.compile(r"\b(?:avoid|never|not|instead of|rather than|no(?= `))\b|n't\b", re.IGNORECASE)
_BEGINS = re.compile(r"\s*(?:[-*+|#>]|```|\d+[.)]|$)")
_EXAMPLE = re.compile(
    r"\b(?:e\.?g\b\.?|for (?:example|instance)|such as|legacy)(?:(?!\.\s)[^;)])*\Z", re.IGNORECASE
)
_STYLED = re.compile(r"(?i)\bnam(?:es|ing)\b[^`]*`\Z|\b(?:camel|pascal|snake)[ -]?case\b")
_DATED = re.compile(r"\d{4}-?\d\d-?\d\d")
_LEAD = re.compile(r"(?![-*+|#>` ]|\d+[.)]).*[:\uff1a]\**\s*\Z")  # a list's
OTHER_REPOSITORY = (
    re.compile(  # a repository that a section is about, or where code of this one went
        r"(?i)\b(?:an?|the) (?:`[^`]+`|\w+(?:-\w+)+) (?:checkout|clone)\b"
        r"|\b(?:own|standalone|separate) (?:\[[^\]]*\]\([^)]*\) )?repo(?:sitory)?\b"
    )
)
_ANY = re.compile(r"\b(?:an?|any|each|every|its|own|their)\s+`?\Z", re.IGNORECASE)
PLAIN_WORD = re.compile(r"[a-z]+/")  # A folder that any project may have: `tests/`
_BECAME = re.compile(r"[\w.()`]*\s*(?:→|[-=]>)")
_MADE_UP = re.compile(
    r"(?i)\be\.?g\b|\bexamples?\b|\bsuch as\b|(?<!-)\blike\b|\bcreat|\bnew(?:\b|_)|\badd|\bgenerat"
    r"|\boutput|\bships?\b|\bejemplo|\bbeispiel|\bexemple|\bz\. ?B\b|\bwrit|\bwill\b|\bif\b"
    r"|\bexists?\b|\bmissing\b|\bmove\b|\bsav(?:e|ed|ing)\b|\bdraft|\bshould (?:be|have)\b"
    r"|\b(?:bila|e[ğg]er|falls|indien|je[śs]li|jika|kalau|n[ếe]u|se|si|wenn|contoh|misal\w*)\b"
    r"|\b(?:[öo]rnek|przyk[łl]ad|buat|cr[ée]e|crear|criar|erstell|neue|nouveau|nuev[ao]|nov[ao])"
    r"|\bmeans that\b|만약|경우|예[:를시]|추가|생성|もし|場合|新規|\byet\b|\bunbuilt\b|\bplanned\b"
    r"|\bpending\b|\bfollow-?ups?\b|\bopen items\b|\bwould\b|\bcopy|\bnot\b|\bnever\b|\boptional"
    r"|\bthat repo|\byour\b"
    "|──|[创創新]建|[例比]如|如果|示例|例[え:\uff1a]|たとえ|作成|保存|[编編][写寫]"
)
_DATA = re.compile(
    r"(?i)\.(?:csv|gif|html?|jpe?g|jsonl?|log|mermaid|mmd|pdf|png|svg|tsv|xml|ya?ml)\Z|/\.gitkeep\Z"
)
_READS = re.compile(r"(?i)\b(?:consult|read|refer to|review|see)\b(?!.*\.\s)")
_FILLS = re.compile(
    r"\bmkdir (?:-p )?(?P<made>[\w./@+-]+)(?=[\s`]|/\$|\Z)"
    r"|(?<![\w./@+-])(?P<put>[\w./@+-]+)/[^\s`/<\[{$]{0,80}[<\[{$][^\s`/]{0,80}"
    r"(?:/[^\s`<\[{$]{0,80}[<\[{$][^\s`]{0,80})?\.(?:md|txt)\b"
    r"|(?i:\b(?:creat|generat|produc|sav|writ)(?:es?|ing)) (?:\w+ ){0,3}"
    r"`(?P<out>[\w./-]+\.(?:csv|json|md|txt))`"
)


@dataclass(frozen=True, slots=True)
class Broken:
    """Something that a text names and that is not so: its name, the rule, and words about it."""

    name: str
    rule: str
    message: str
    moved_to: str = ""


def sentence(lines: Sequence[str], number: int) -> str:
    """Return a line, after the one above where it goes on in it, a quote after what leads to it."""
    line, above = lines[number - 1], lines[number - 2] if number > 1 else ""
    if line[:1] == ">":
        above = next((one for one in lines[number - 1 :: -1] if one.strip() and one[0] != ">"), "")
    return line if _BEGINS.match(line) and line[:1] != ">" else f"{above} {line}"


def is_unmeant(one: Reference, line: str) -> bool:
    """Whether a line says that a name is not to be used, or is one of several or an example."""
    before = line.partition(one.value)[0][-300:]  # patterns take the square of a hostile line
    after = line.partition(one.value)[2]
    is_any = _ANY.search(before) and PLAIN_WORD.fullmatch(one.value)
    is_old = _NOT.search(before.rpartition(";")[2]) or _BECAME.match(after)
    is_name = one.kind == "name" and (is_old or _STYLED.search(before))
    name = f"`?{re.escape(one.value)}`?"
    either = rf"{name}(?:, `?[\w.-]{{1,60}}`?){{0,9}},? or |\bor {name}"
    is_either = one.kind == "path" and "/" not in one.value and re.search(either, line)
    return one.kind != "command" and bool(is_any or is_name or is_either or _EXAMPLE.search(before))


def filled(texts: Iterable[str]) -> set[str]:
    """Return the folders that texts make or put documents into: git keeps no empty one."""
    found = (one for text in texts for one in _FILLS.finditer(text))
    return {normpath(one["made"] or one["put"] or one["out"]) for one in found}


def is_past(line: str, name: str = "") -> bool:
    """Whether a line says itself that what it names is no more; of `name`, its sentence."""
    before, _, after = line.partition(name) if name else ("", "", line)
    said = _END.split(before[-300:])[-1] + _END.split(after[:300])[0] if name else line
    return bool(_PAST.search(said) or (not name and _ROW.search(line)))


def past_lines(lines: Sequence[str]) -> set[int]:
    """Return the lines, from 1, that tell what was, or is wrong, by a heading."""
    past, depth, wrong = set(), 0, False
    for number, line in enumerate(lines, 1):
        wrong = bool(_WRONG.match(line) or (wrong and not _BEGINS.match(line) and "✅" not in line))
        if (heading := _HEADING.match(line)) and not 0 < depth < len(heading[1]):
            depth = len(heading[1]) if _LOG.match(line) else 0
        if depth or wrong or _ROW.search(line):
            past.add(number)
    return past


def places(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield the heading above each line, "" for a heading, and whether the line is in a fence."""
    heading, lead, in_fence = "", "", False
    for line in lines:
        in_fence ^= line.lstrip()[:3] == "```"
        is_heading = line[:1] == "#" and not in_fence
        lead = line if _LEAD.match(line) else lead * bool(_BEGINS.match(line) and not is_heading)
        yield "" if is_heading else f"{heading} {lead}", in_fence
        heading = line if is_heading else heading


def is_surely_meant(
    tree: Tree, one: Reference, line: str, was_here: Callable[[str], bool], folder: str = ""
) -> bool:
    """Whether something that never was there can hardly be meant as an example.

    A file is meant where the first folder of its path is there, a link where it looks like a path,
    a document where the line bids to read it, or where it was here at another time. A drawing may
    be a plan, `/pay.json` a route, a header a library's, data a program's to make.
    """
    if _MADE_UP.search(line) or "*" in one.value or one.value[:1] == "/":
        return False
    path = PurePosixPath(normpath(one.value))
    if one.kind in ("link", "command"):
        meant = path.suffix or "/" in one.value or one.value in BARE_NAMES
        return one.tool == "make" or (one.kind == "link" and bool(meant))
    # A folder with a dot is one that every repository may have: .github/x.yml.
    is_file = has_extension(path.name) and path.suffix not in (".json", ".jsonl", ".csv", ".log")
    if one.kind != "path" or one.symbol or not is_file or len(path.parts) < 2:
        return False
    first = path.parts[0]
    beside = path.suffix not in (".h", ".hpp") and normpath(f"{folder}/{first}") in tree.folders
    if first.startswith(".") or not (beside or first in tree.folders):
        return False
    is_read = _READS.search(line.partition(one.value)[0][-60:])
    if is_read or not (path.suffix in (".md", ".mdx", ".txt") or _DATED.search(path.name)):
        return True
    return any(map(was_here, places_of(one.value, folder)))


def is_output(tree: Tree, name: str, folder: str) -> bool:
    """Return whether a bare name is of a folder that held only data, as a program's output does."""
    place = tree.find(name, folder) if "/" not in name.strip("./") else None
    held = [path for path in tree.files if place and path.startswith(f"{place}/")]
    return bool(held) and all(map(_DATA.search, held))


def broken_path(now: Moment, one: Reference, path: str, written: str) -> Broken | None:
    """Return where a path that is gone went, or what removed it; None where it is still right."""
    removed = _followed(now, path)
    others = (folder for folder in now.tree.folders if folder.casefold() == path.casefold())
    if not (removed and removed.moved_to) and (same := next(others, "")):
        return Broken(one.value, "moved-path", f"`{one.value}` is now `{same}`", same)
    if removed is None:
        message = f"`{one.value}` is not here any more; it was {written}"
        return Broken(one.value, "gone-path", message)
    if one.kind == "path" and re.search(
        "(?i)untrack|stop.* (?:commit|track)", removed.subject
    ):  # a program still makes it
        return None
    subject = "".join(c if c.isprintable() else " " for c in removed.subject)
    source = f"({removed.commit[:8]}: {short_line(subject, 60)})"
    if PLAIN_WORD.fullmatch(one.value) and f"{removed.moved_to}/".endswith(f"/{one.value}"):
        return None  # `api/` is any folder that ends so
    if removed.moved_to and "*" not in one.value:
        message = f"`{one.value}` is now `{removed.moved_to}` {source}"
        return Broken(one.value, "moved-path", message, removed.moved_to)
    message = f"`{one.value}` is gone {source}; take it out, or name what took its place"
    return Broken(one.value, "gone-path", message)


def is_right(now: Moment, one: Reference, moved_to: str, path: str, text: str) -> bool:
    """Return whether a text at `path` names what it means, or the folder of such a file."""
    if moved_to in (path, now.tree.at(one.value, dirname(path))):
        return True
    for other in [moved_to] if moved_to else now.tree.named(one.value):
        place = dirname(other)
        is_named = other == f"{place}/{one.value}" and f"{place}/" in text
        if is_named and ("/" in place or not moved_to) and not MIGRATION.search(place):
            return True
    return False


def _followed(now: Moment, path: str) -> Removal | None:
    """Return how a path went away; where it moved more than once, its last place.

    A place that is gone too is none: the last removal alone is told.
    """
    removed = removal_of(now.repository, path, now.head)
    for _ in range(5):
        if removed is None or not removed.moved_to or now.tree.at(removed.moved_to):
            return removed
        further = removal_of(now.repository, removed.moved_to, now.head)
        removed = further or replace(removed, moved_to="")
    return replace(removed, moved_to="") if removed else None
