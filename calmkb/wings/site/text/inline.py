"""One line or paragraph of record text as Markdown that can only be text.

A list of what may pass, not of what may not: code spans, emphasis and web links are recognised and
written again; every other character that any Markdown dialect or template language reads as markup
is escaped.
"""

import re

_ENTITIES = {c: f"&#{ord(c)};" for c in "{}|~^$"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_ESCAPES = _ENTITIES | {c: "\\" + c for c in "\\`*_[]"}
_MARKUP = re.compile(r"[\\`*_\[\]{}|~^$&<>]|==+|\+\++|:(?=[\w+-]+:)")
_FIRST = re.compile(r"[#+\-=:!?/%]")
_NUMBERED = re.compile(r"(\d+)([.)])(?=\s|$)")
_CODE_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_TOKEN = re.compile(
    r"(?=[`!\[h*])(?:"  # one look at a character spares five ways to begin
    r"(?P<ticks>`{1,8})(?!`)(?P<code>[^`](?:.{0,1000}?[^`])?)(?P=ticks)(?!`)"
    r"|!?\[(?P<label>[^\[\]\n]{1,300})\]\((?P<target>https?://[^\s()<>\[\]{}\"'`\\|^]{1,2000})\)"
    r"|(?<![\w)\]])!?\[(?P<words>[^\[\]\n]{1,300})\]\((?!\w+:)(?=[^\s()]*[/.])[\w./~@#:+%-]{1,500}\)"
    r"|(?P<url>https?://[^\s()<>\[\]{}\"'`\\|^]{1,2000}[^\s()<>\[\]{}\"'`\\|^.,;:!?*_])"
    r"|\*\*(?=[^\s*])(?P<strong>[^*`\n]{1,500}?)(?<!\s)\*\*"
    r"|(?<![\w*])\*(?=[^\s*])(?P<em>[^*`\n]{1,500}?)(?<!\s)\*(?![\w*])"
    r")",
    re.DOTALL,
)


def escape(text: str) -> str:
    """Return `text` with all that could be markup escaped, anywhere in a line."""
    return _MARKUP.sub(lambda m: _ESCAPES.get(m[0]) or _entities(m[0]), text)


def escape_line(text: str) -> str:
    """Return `escape(text)`, guarded against being a heading, list, rule or block opener."""
    return _guard(escape(text))


def code_entities(code: str) -> str:
    """Return `code` for inside a raw `<code>`: on one line, and inert for any parser."""
    return _CODE_PUNCTUATION.sub(lambda m: _entities(m[0]), code).replace("\n", "&#10;")


def inline(text: str) -> str:
    """Return a paragraph's text with code, emphasis and web links kept and the rest escaped."""
    parts: list[str] = []
    end = 0
    for match in _TOKEN.finditer(text):
        parts += [escape(text[end : match.start()]), _token(match)]
        end = match.end()
    parts.append(escape(text[end:]))
    return "\n".join(_guard(line.strip()) for line in "".join(parts).split("\n"))


def plain(text: str) -> str:
    """Return `text` without code ticks and strong marks, for where no markup can be shown."""
    return text.replace("`", "").replace("**", "")


def _token(match: re.Match[str]) -> str:
    if match["code"]:
        return _code(" ".join(match["code"].split()))
    if match["target"]:
        return f"[{escape(match['label'])}]({match['target']})"
    if match["words"]:
        return inline(match["words"])  # to a file of the machine where it was written
    if match["url"]:
        return f"[{escape(match['url'])}]({match['url']})"
    if match["strong"]:
        return f"**{escape(match['strong'])}**"
    return f"*{escape(match['em'])}*"


def _code(code: str) -> str:
    """Keep a code span readable in Markdown unless its text could mean something to a tool.

    A tag does: `md_in_html` looks for the end of a block before anybody looks for code.
    """
    if re.search(r"[`{}\\<]|^(#!|:::)|8<", code) or not code:
        return f"<code>{code_entities(code)}</code>"
    return f"`{code}`"


def _guard(line: str) -> str:
    if numbered := _NUMBERED.match(line):
        return f"{numbered[1]}{_entities(numbered[2])}{line[numbered.end() :]}"
    if _FIRST.match(line):
        return _entities(line[0]) + line[1:]
    return line


def _entities(text: str) -> str:
    return "".join(f"&#{ord(c)};" for c in text)
