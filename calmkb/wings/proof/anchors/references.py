"""What a Markdown text refers to in a repository: links, paths, commands and names in code."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import unquote, urlsplit

from calmkb.wings.proof.anchors.shell import commands_in

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Kind = Literal["link", "path", "command", "name"]
_SHELL = {"", "sh", "bash", "shell", "zsh", "console", "shell-session", "fish", "powershell", "ps1"}
_DRAWN = {*_SHELL, "plain", "plaintext", "text", "tree", "txt"}
_WORDS = {*_DRAWN, "mermaid"}
_BRANCH = re.compile(r"(?P<indent>[\s│|]*)(?:[├└]─+|\|--?|`--?|\+--)\s+(?P<name>[^\s#]+)")
_INDENTED = re.compile(r"(?P<indent>\s*)(?P<name>[\w.@+-]+(?:/[\w.@+-]+)*/?)(?=\s|$)")
_PROMPT = re.compile(r"\s*[$%>]\s+")
_PLACEHOLDER = re.compile(
    r"[<>{}$|\\\"'=,;]|\.\.\.|…|(?:^|/)(?:path/to|your|my|foo|bar|baz|xxx?|nnn+|example)[-_/.]"
    r"|(?:^|/)(?:foo|bar|baz|example)(?:$|\.)|/x\.|_x[._]|YYYY|(?-i:X\.Y)|(?:^|/)(?-i:[A-Z]+(?:_[A-Z]+)+)(?:$|/)",
    re.IGNORECASE,
)
_PATH = re.compile(
    r"(?P<path>\.{0,2}/?[\w.@+~*-]+(?:/[\w.@+~*-]+)*/?)"
    r"(?:(?:#L|:)(?P<line>\d+)(?:[-:]L?\d+)?|::?(?P<symbol>[A-Za-z_]\w*)(?:[.:]\w+)*(?:\(\))?)?\Z"
)
_STEM = re.compile(r"(?:[\w.@+-]+/){2,}(?=[<\[{$][^\s/]*/?\S*\Z)")
"""The folder in `src/handlers/<name>/`."""
_MACHINE = re.compile(r"/(?:Users|home)/")
"""A link with a folder of somebody's machine: its words may be the path."""
_PACKAGE = re.compile(r"@[\w-]*/[^.]*\Z")
"""A package of npm (`@scope/name`), or an alias of a compiler (`@/lib/cn`)."""
_SETTING = re.compile(
    r"(?P<path>[\w.@+-]+(?:/[\w.@+-]+)*\.(?:toml|json|ya?ml|ini|cfg)):"
    r"(?P<symbol>[A-Za-z_][\w-]*(?:\.[\w-]+)*)\Z"
)
_OF_FILE = re.compile(
    r"`(?P<key>[A-Za-z_][\w-]*(?:\.[\w-]+)*)`(?: is set| stands)? (?:in|of) (?:the )?"
    r"`(?P<file>[\w./@+-]+\.(?:toml|json|ya?ml|ini|cfg))`"
)
_BARE = re.compile(
    r"(?<![\w/.:@~+-])(?:[\w.+-]+/)+(?:[\w.+-]*\w\.[A-Za-z]\w{0,7}(?![\w/])|(?=[\s*,;:)]|\Z))"
    r"|(?<![\w/.:@~+-])(?:[\w.+-]+/){2,}[\w+-]+(?=\s|\Z)"
    r"|(?:\A|(?<=\| )|(?<=\())[\w+-]+(?:[./][\w+-]+)+(?=:? |\)|\Z)"  # head of an item, a cell
    r"|(?<![\w/.:@~+-])[\w+-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,7}(?![\w/-])"
)
_IMPORT = re.compile(r"(?<![\w`@])@(\.{0,2}/?[\w.-]+(?:/[\w.-]+)*\.[A-Za-z]\w*)")
_NAME = re.compile(r"(?:[A-Za-z_]\w*(?:\.|::|#))*(?P<last>[A-Za-z_]\w{4,})(?P<call>\(\))?\Z")
_DISTINCT = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]")
_STYLE = re.compile(r"(?i:camel|kebab|pascal|snake|screaming_?snake|upper_?snake)(?i:_?case)")
_EXTENSIONS = frozenset(
    """
    astro bash bat c cc cfg cjs clj cmd conf cpp cs csproj css csv cts cue dart db ex exs fish gd
    gemspec go gradle graphql h hcl hpp hs html in ini ipynb java jinja j2 jl js json json5 jsonc
    jsonl jsx kt kts less lock lua m md mdc mdx mermaid mjs mk ml mm mod mts nim nix php pl plist
    png properties proto ps1 psql py pyi pyx r rb rs rst sass scala scss sh sln sol sql sum svelte
    svg swift tf tmpl toml tpl ts tsx txt vue xml yaml yml zig zsh
""".split()
)
BARE_NAMES = frozenset(
    {"Makefile", "Dockerfile", "Containerfile", "justfile", "Justfile", "Rakefile", "Gemfile",
     "Procfile", "Vagrantfile", "CODEOWNERS", "LICENSE"}
)  # fmt: skip
"""Files that have no extension."""


def is_distinct(name: str) -> bool:
    """Return whether a name is no plain word: `SilentError`, `repo_root`."""
    return _DISTINCT.search(name) is not None


class Reference(NamedTuple):
    """One thing that a text refers to, and its line, from 1.

    `value` is the path, the command's target or the name; `tool` the command's runner, `symbol`
    what a path is followed by (`src/pay.ts:refund`).
    """

    kind: Kind
    value: str
    line: int
    tool: str = ""
    symbol: str = ""

    @property
    def shown(self) -> str:
        """The reference as a person would write it."""
        tool = "run" if self.tool == "script" else self.tool  # of npm, pnpm, yarn or bun
        words = f"{tool} {self.value}" if tool else self.value
        return f"{words}:{self.symbol}" if self.symbol else words


def references(text: str) -> list[Reference]:
    """Return what a Markdown text refers to, in its order, each once a line.

    What only looks like a reference is among them (`and/or`, a placeholder's neighbour): whether
    it ever was one is for the repository's history to say.
    """
    found: dict[Reference, None] = {}
    for token in _parser().parse(text):
        first = (token.map or [0])[0] + 1
        if token.type == "inline":
            found |= dict.fromkeys(_in_prose(token, first))
        elif token.type in ("fence", "code_block"):
            found |= dict.fromkeys(_in_block(token, first))
    return [one for one in found if one.shown.isprintable()]


def imports_in(text: str) -> list[str]:
    """Return the files that a text pulls in as Claude Code and Gemini read it: `@docs/rules.md`."""
    inline = (child for token in _parser().parse(text) for child in token.children or ())
    return [name for child in inline if child.type == "text" for name in _imports(child.content)]


def _imports(prose: str) -> list[str]:
    return [found.removeprefix("./") for found in _IMPORT.findall(prose)]


def _in_prose(token: "Token", first: int) -> Iterator[Reference]:
    line, target = first, ""
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            line += 1
        elif child.type == "code_inline" and child.content not in target:
            yield from in_code(child.content, line)
        elif child.type in ("link_open", "image"):
            href = str(child.attrGet("href") or child.attrGet("src") or "")
            yield from _link(href, line)
            if child.type == "link_open" and not _MACHINE.match(href):
                target = href
        elif child.type == "link_close":
            target = ""
        elif child.type == "text" and not target:
            for path in (*_BARE.findall(child.content), *_imports(child.content)):
                yield from _path(path, line)


def _in_block(token: "Token", first: int) -> Iterator[Reference]:
    """Yield what a block draws, or runs and says in comments; a transcript's is after its prompt.

    Of another language only a drawing is read.
    """
    language = (token.info.split() or [""])[0].lower().strip("{}.")
    rows = token.content.split("\n")
    below = first + (token.type == "fence")
    drawn = any(map(_BRANCH.match, rows)) and (language in _DRAWN or "─ " in token.content)
    folders = sum(re.match(r"\s*[\w.@+/-]+/(?:\s|$)", row) is not None for row in rows)
    if drawn or (language in _DRAWN and folders > 1):
        yield from _in_drawing(rows, below, _BRANCH if drawn else _INDENTED)
        return
    prompted = any(map(_PROMPT.match, rows))
    for number, row in enumerate(rows if language in _WORDS else (), below):
        words = row
        if language in _SHELL:
            prompt, words = _PROMPT.match(row), row.partition("# ")[2]
            if prompt or not prompted:
                yield from _commands(row[prompt.end() :] if prompt else row, number)
        for path in _BARE.findall(words):
            yield from _path(path, number)


def _in_drawing(rows: Sequence[str], first: int, form: re.Pattern[str]) -> Iterator[Reference]:
    """Yield the paths of a drawn folder: each is below the last row that is less deep."""
    above: list[tuple[int, str]] = []
    # The only one may be the name of the project.
    several = sum(re.match(r"[\w.@+-]+/", row) is not None for row in rows) > 1
    for number, row in enumerate(rows, first):
        if branch := form.match(row):
            depth = len(branch["indent"])
            above = [one for one in above if one[0] < depth] + [(depth, branch["name"])]
            end = "/" * branch["name"].endswith("/")
            yield from _path("/".join(name.rstrip("/") for _, name in above) + end, number)
            for path in _BARE.findall(row.partition("# ")[2]):
                yield from _path(path, number)
        elif (top := row.partition(" ")[0]).endswith("/"):
            above = [(-1, top)] * several
            yield from _path(top, number)


def in_code(code: str, line: int) -> Iterator[Reference]:
    """Yield what one span of code refers to."""
    text = code.strip()
    if stem := _STEM.match(text):
        yield from _path(stem[0], line)
    elif len(text.split()) > 1:
        yield from _commands(text, line)
    elif not _PLACEHOLDER.search(text) and "://" not in text and text[:5] != "mcp__":
        found = list(_path(text, line))
        yield from found or _commands(text, line)
        name = None if found else _NAME.match(text)
        if name and (name["call"] or _DISTINCT.search(name["last"])) and not _STYLE.match(text):
            yield Reference("name", name["last"], line)


def settings_named(text: str) -> Iterator[Reference]:
    """Yield the settings that a text names with their file: "`line-length` in `ruff.toml`"."""
    for found in _OF_FILE.finditer(text):
        yield Reference("path", found["file"].removeprefix("./"), 1, symbol=found["key"])


def _path(text: str, line: int) -> Iterator[Reference]:
    if setting := _SETTING.match(text):
        yield Reference("path", setting["path"], line, symbol=setting["symbol"])
        return
    match = _PATH.match(text.removeprefix("@") if "." in text.rpartition("/")[2] else text)
    if not match or _PLACEHOLDER.search(text) or _PACKAGE.match(text):
        return
    path = match["path"].removeprefix("./")
    last = path.rstrip("/").rpartition("/")[2]
    if path.startswith(("~", "-")) or not path.strip("./*"):
        return
    is_place = path.count("/") > (path[0] == "/")  # `/help` is no path
    if is_place or has_extension(last) or last in BARE_NAMES:
        yield Reference("path", path, line, symbol=match["symbol"] or "")


def has_extension(name: str) -> bool:
    """Whether a name ends as files do."""
    return "." in name[1:] and name.rpartition(".")[2].lower() in _EXTENSIONS


def _link(target: str, line: int) -> Iterator[Reference]:
    parts = urlsplit(target.removeprefix("mdc:"))  # as Cursor writes them
    path = unquote(parts.path)
    path = stem[0] if (stem := _STEM.match(path)) else path
    if path and not (parts.scheme or parts.netloc) and not _PLACEHOLDER.search(path):
        yield Reference("link", path, line)


def _commands(text: str, line: int) -> Iterator[Reference]:
    for command in commands_in(text):
        if not command.runner:
            file, _, test = command.target.removesuffix("/...").partition("::")
            name = test.rpartition("::")[2].partition("[")[0]  # of `a.py::TestA::test_b[1]`
            yield from _path(f"{file}:{name}" if name else file, line)
        elif not _PLACEHOLDER.search(command.target):
            yield Reference("command", command.target, line, tool=command.runner)


@lru_cache(maxsize=1)
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")
