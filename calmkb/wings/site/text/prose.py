"""Record text of many lines as Markdown in a normal form: paragraphs, lists, quotes, code.

Headings become bold lines, so that a page's structure stays the page's own; tables become code, so
that columns stay under each other; all else is a paragraph.
"""

import re
from collections.abc import Iterator

from calmkb.redact.invisible import show_invisible
from calmkb.wings.site.text.inline import code_entities, inline, plain

_FENCE = re.compile(r"(\s*)(`{3,}|~{3,})\s*([\w+#.-]*)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*?)[\s#]*$")
_QUOTE = re.compile(r"\s{0,3}>\s?(.*)")
_TABLE = re.compile(r"\s*\|.*\|\s*$")
_ITEM = re.compile(r"(\s*)([-*+]|\d{1,3}[.)])\s+(\S.*)")
_TASK = re.compile(r"\[([ xX])\]\s+")
_LANGUAGE = re.compile(r"[a-z][\w+#.-]{0,30}$")
_DEEPEST = 4


def prose(text: str) -> str:
    """Return record text as Markdown that shows it and can do nothing else."""
    return "\n".join(_Writer().write(show_invisible(text))).strip("\n")


class _Writer:
    """Reads lines, keeps the list depth, and writes blocks one after another."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._paragraph: list[str] = []
        self._first = self._rest = ""
        self._indents: list[int] = []
        self._in_item = self._ordered = False

    def write(self, text: str) -> list[str]:
        lines = iter(text.expandtabs(4).split("\n"))
        for line in lines:
            self._line(line, lines)
        self._flush()
        return self._out

    def _line(self, line: str, lines: Iterator[str]) -> None:
        if not line.strip():
            self._flush()
        elif fence := _FENCE.match(line):
            self._code(_until_closed(lines, fence[2]), fence[3], indented=bool(fence[1]))
        elif heading := _HEADING.match(line):
            self._block(f"**{inline(plain(heading[1]))}**" if heading[1] else inline(line))
        elif _TABLE.match(line):
            self._table_row(line.strip())
        elif (item := _ITEM.match(line)) and self._may_start(item):
            self._item(len(item[1]), item[2], item[3])
        elif quote := _QUOTE.match(line):
            self._text(quote[1], "> ")
        else:
            self._text(line, "")

    def _may_start(self, item: re.Match[str]) -> bool:
        """A list that begins at 3 would be shown from 1; such a line stays a paragraph."""
        bullet = item[2] in "-*+" and (bool(self._indents) or not self._paragraph or not item[1])
        return bullet or bool(self._indents) or item[2][:-1] == "1"

    def _item(self, indent: int, marker: str, text: str) -> None:
        self._flush()
        while self._indents and indent < self._indents[-1]:
            self._indents.pop()
        ordered = marker[0].isdigit()
        if len(self._indents) == 1 and ordered != self._ordered and indent <= self._indents[0] + 1:
            self._out += ["", "<!-- -->"]  # Else Markdown makes one list of two kinds.
            self._indents.clear()
        if not self._indents:
            self._out.append("")
            self._ordered = ordered
        if not self._indents or (indent > self._indents[-1] + 1 and len(self._indents) < _DEEPEST):
            self._indents.append(indent)
        depth = "    " * (len(self._indents) - 1)
        self._first = depth + ("1.  " if ordered else "-   ")
        self._rest = depth + "    "
        self._paragraph = [_TASK.sub(_box, text, count=1)]
        self._in_item = True

    def _text(self, line: str, prefix: str) -> None:
        if not self._paragraph or (prefix != self._rest and not self._in_item):
            self._flush()
            if self._indents and not line.startswith(" "):
                self._indents.clear()
            self._out.append("")
            self._first = self._rest = "    " * len(self._indents) + prefix
        self._paragraph.append(line)

    def _flush(self) -> None:
        if self._paragraph:
            first, *rest = inline("\n".join(self._paragraph)).split("\n")
            self._out += [self._first + first, *(self._rest + line for line in rest)]
        self._paragraph = []
        self._in_item = False

    def _block(self, text: str) -> None:
        self._flush()
        self._indents.clear()
        self._out += ["", text, ""]

    def _code(self, lines: list[str], language: str, *, indented: bool) -> None:
        """Raw HTML on one line: no dialect needed, and nothing in it can be read as markup."""
        self._flush()
        if not indented:
            self._indents.clear()
        known = _LANGUAGE.match(language) and language != "mermaid"
        kind = f' class="language-{code_entities(language)}"' if known else ""
        block = f"<pre><code{kind}>{code_entities(chr(10).join(lines))}</code></pre>"
        self._out += ["", "    " * len(self._indents) + block, ""]

    def _table_row(self, row: str) -> None:
        end = "</code></pre>"
        row = code_entities(row)
        if not self._paragraph and len(self._out) > 1 and self._out[-2].endswith("&#124;" + end):
            self._out[-2] = f"{self._out[-2].removesuffix(end)}&#10;{row}{end}"
        else:
            self._block(f"<pre><code>{row}{end}")


def _until_closed(lines: Iterator[str], fence: str) -> list[str]:
    body = []
    for line in lines:
        if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            break
        body.append(line)
    return body


def _box(match: re.Match[str]) -> str:
    return "☐ " if match[1] == " " else "☑ "
